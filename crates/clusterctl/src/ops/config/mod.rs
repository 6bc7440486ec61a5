//! `config`: what the documents say and where it comes from, and the first documents of a site.

mod scaffold;
mod show;

pub use scaffold::{Names, Scaffold};
pub use show::{contexts, explain, show_schema, use_context, validate, view};
