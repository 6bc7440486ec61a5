//! `bmc web`: the pages of a service processor.

use serde::Serialize;

use crate::exit::Stop;
use crate::ops::bmc::fan_out;
use crate::output::{Outcome, Output};
use crate::session::Session;
use crate::site::Node;

#[derive(Debug, Serialize)]
struct Page {
    node: String,
    url: String,
}

/// Opens the pages of a node's service processor in the workstation's `browser`, if one is
/// configured, and prints where they are in any case. A dry run opens nothing.
pub fn web(session: &Session, node: &Node) -> Result<Outcome, Stop> {
    let credentials = fan_out::credentials(session);
    let connections = fan_out::connections(session, &credentials);
    let url = format!("https://{}/", connections.place(node)?);
    let page = Page { node: node.name().to_string(), url: url.clone() };
    let outcome = Outcome::of(Output::text(format!("{url}\n"), &page));
    let Some(browser) = &session.site().workstation().browser else {
        return Ok(
            outcome.with_note("no browser is configured: set browser, or CLUSTERCTL_BROWSER")
        );
    };
    if session.is_dry_run() {
        return Ok(outcome.with_note(format!("dry run: {browser} is not started")));
    }
    match crate::browser::open(browser, &url) {
        Ok(()) => Ok(outcome),
        Err(error) => {
            Ok(outcome
                .with_stop(Some(Stop::failed(format!("{browser} cannot be started: {error}")))))
        }
    }
}
