//! What a change will do, in words, before anybody is asked.

use serde::Serialize;

use crate::output::{Output, plural};
use crate::selection::fold;

/// What a command is about to do.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Preview {
    /// What is done to the hosts, such as `reinstall`; the sentence goes on with the hosts.
    pub action: String,
    /// The hosts, in order.
    pub hosts: Vec<String>,
    /// One line each: consequences, and what goes where.
    pub details: Vec<String>,
    /// The context and cluster, named when more than one context is loaded.
    pub context: Option<(String, String)>,
}

/// Whether the change is about to happen or only rehearsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mood {
    AboutTo,
    Would,
}

impl Preview {
    /// A preview of doing `action` to these hosts.
    pub fn new<S: Into<String>>(
        action: impl Into<String>,
        hosts: impl IntoIterator<Item = S>,
    ) -> Preview {
        Preview {
            action: action.into(),
            hosts: hosts.into_iter().map(Into::into).collect(),
            details: Vec::new(),
            context: None,
        }
    }

    /// The same with one more line.
    #[must_use]
    pub fn with_detail(mut self, line: impl Into<String>) -> Preview {
        self.details.push(line.into());
        self
    }

    /// The text, with its final line feed.
    pub(crate) fn text(&self, mood: Mood) -> String {
        let mut text = String::new();
        if let Some((context, cluster)) = &self.context {
            text.push_str(&format!("context {context}, cluster {cluster}\n"));
        }
        let mood = match mood {
            Mood::AboutTo => "About to",
            Mood::Would => "Would",
        };
        let count = plural::count(self.hosts.len(), "host");
        text.push_str(&format!("{mood} {} {count}: {}\n", self.action, fold(&self.hosts)));
        for detail in &self.details {
            text.push_str(detail);
            text.push('\n');
        }
        crate::output::escape::lines(&text)
    }

    /// The result of a rehearsal.
    pub(crate) fn rehearsal(&self) -> Output {
        Output::text(self.text(Mood::Would), self).with_nodes(&self.hosts)
    }
}
