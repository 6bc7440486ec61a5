//! Where a value comes from.

use std::fmt;
use std::sync::Arc;

/// The layers of configuration, most general first; a later one wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_enums, reason = "the layers are a documented contract")]
pub enum Layer {
    /// Built in.
    Default,
    /// A Site document.
    Site,
    /// A Cluster document and its overrides.
    Cluster,
    /// The Workstation document and its overrides.
    Workstation,
    /// The overrides of a context in a Config document.
    Context,
    /// `CLUSTERCTL_…` variables.
    Environment,
    /// `--set` and the like.
    Flag,
    /// Other documents, which are no layer of the settings.
    Document,
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Layer::Default => "default",
            Layer::Site => "site",
            Layer::Cluster => "cluster",
            Layer::Workstation => "workstation",
            Layer::Context => "context",
            Layer::Environment => "environment",
            Layer::Flag => "flag",
            Layer::Document => "document",
        })
    }
}

/// A file, variable or flag that holds values.
#[derive(Debug, PartialEq, Eq)]
pub struct Source {
    /// How it is called in messages: a path, `$CLUSTERCTL_FANOUT`, `--set`.
    pub name: String,
}

/// A position in a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The source.
    pub source: Arc<Source>,
    /// The line, from 1; 0 where the source has none.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// The layer the value belongs to.
    pub layer: Layer,
}

impl Place {
    /// A place in a document; nobody tells lines beyond four thousand millions apart.
    pub(crate) fn in_document(source: &Arc<Source>, line: usize, column: usize) -> Place {
        let number = |number| u32::try_from(number).unwrap_or(u32::MAX);
        let (line, column) = (number(line), number(column));
        Place { source: Arc::clone(source), line, column, layer: Layer::Document }
    }

    /// A place without lines, such as a flag.
    pub fn of(name: impl Into<String>, layer: Layer) -> Place {
        Place { source: Arc::new(Source { name: name.into() }), line: 0, column: 0, layer }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line == 0 {
            return f.write_str(&self.source.name);
        }
        write!(f, "{}:{}:{}", self.source.name, self.line, self.column)
    }
}
