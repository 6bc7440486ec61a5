//! `include` statements.

use std::fmt;
use std::path::PathBuf;

use crate::lex::{Quoted, string};
use crate::place::Place;
use crate::statement_view::Statement;
use crate::text::unescape;
use crate::tree::StatementKind;

/// An `include` statement. A view, cheap to copy.
#[derive(Clone, Copy)]
pub struct Include<'d>(Statement<'d>);

impl<'d> Include<'d> {
    pub(crate) fn of(statement: Statement<'d>) -> Option<Self> {
        (statement.kind() == StatementKind::Include).then_some(Self(statement))
    }

    /// The statement itself.
    pub fn statement(self) -> Statement<'d> {
        self.0
    }

    /// The path as written, without quotes and escapes. The server opens exactly this: a relative
    /// one from its working directory, wherever the including file is.
    pub fn path(self) -> PathBuf {
        let text =
            string(self.0.value()).map(|(_, Quoted(text))| unescape(text)).unwrap_or_default();
        #[cfg(unix)]
        {
            use std::os::unix::ffi::OsStrExt;
            std::ffi::OsStr::from_bytes(&text).into()
        }
        #[cfg(not(unix))]
        {
            String::from_utf8_lossy(&text).into_owned().into()
        }
    }

    /// What the included file is read as.
    pub(crate) fn place(self, outermost: Place) -> Place {
        let nodes = &self.0.document().nodes;
        let parent = nodes.get(self.0.node().parent as usize);
        let place = parent.map_or(outermost, |parent| match parent.kind {
            StatementKind::Group => Place::Group,
            StatementKind::SharedNetwork => Place::SharedNetwork,
            StatementKind::Subnet => Place::Subnet,
            StatementKind::Pool => Place::Pool,
            StatementKind::Host => Place::Host,
            StatementKind::Class | StatementKind::Subclass => Place::Class,
            _ => outermost,
        });
        place.included()
    }
}

impl fmt::Debug for Include<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "include {:?} at {}", self.path(), self.0.position())
    }
}
