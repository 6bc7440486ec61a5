//! Tests of the crate through its public interface.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "helpers of tests fail as tests do, and a skip is printed"
)]

mod algebra;
mod clustershell;
mod fold;
mod generate;
mod groups;
mod limits;
mod names;
mod refusals;
mod syntax;

/// The names of an expression without groups, which must be accepted.
fn expand(text: &str) -> Vec<String> {
    names(&text.parse().unwrap_or_else(|refusal| panic!("{text}: {refusal}")))
}

fn names(set: &nodeset::NodeSet) -> Vec<String> {
    set.iter().map(ToString::to_string).collect()
}
