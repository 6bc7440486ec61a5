//! What went wrong with other tools, as public reports tell it: one test each, named after it.

mod blocks;
mod edits;
mod hosts;
mod includes;

use dhcpd_conf::{Document, Host};

fn parsed(text: &str) -> Document {
    Document::parse(text).unwrap_or_else(|errors| panic!("{}", errors.report("text")))
}

fn names(document: &Document) -> Vec<&str> {
    document.hosts().map(Host::name).collect()
}

/// The place of the only error.
fn refused_at(text: &str) -> String {
    let errors = Document::parse(text).unwrap_err();
    assert_eq!(errors.iter().count(), 1, "{}", errors.report("text"));
    errors.iter().next().unwrap().position().to_string()
}
