//! Everything about boot links that is settled before anybody is asked.

use std::collections::BTreeMap;
use std::net::IpAddr;

use pxe_links::{BootPath, Changes, Lifetime, Link, Reading, UnderPersistent};

use crate::exit::Stop;
use crate::ops::boot::PxeHost;
use crate::ops::dhcp::BootAddresses;
use crate::selection::Selection;
use crate::session::Session;

/// The links of a selection, resolved and checked on the PXE host.
#[derive(Debug)]
pub struct Planned {
    /// The nodes' names, in order.
    pub nodes: Vec<String>,
    /// Their links, in the same order.
    pub links: Vec<Link>,
    /// The changes that write them.
    pub changes: Changes,
}

/// What the person said about the links.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wish<'a> {
    /// The path in place of the rules.
    pub path: Option<&'a str>,
    /// Whether the links stay, whatever the rules say.
    pub persistent: bool,
}

/// Resolves every address and every path, checks every path on the PXE host and that no link
/// stands in the way. One item that cannot be settled refuses the whole set.
pub fn plan(
    session: &Session,
    pxe: &PxeHost<'_>,
    selection: &Selection,
    wish: Wish<'_>,
) -> Result<Planned, Stop> {
    let wanted = paths(session, selection, wish)?;
    if wanted.iter().any(|(_, lifetime)| *lifetime == Lifetime::Persistent) && !pxe.has_persistent()
    {
        return Err(Stop::usage(
            "a persistent boot link needs services.pxesrv.staticSuffix, which is not set",
        ));
    }
    let addresses = BootAddresses::find(session, selection)?.all()?;
    let links: Vec<Link> = addresses
        .into_iter()
        .zip(wanted)
        .map(|(client, (target, lifetime))| Link { client, lifetime, target })
        .collect();
    let nodes = selection.names();
    let targets: Vec<BootPath> = links.iter().map(|link| link.target.clone()).collect();
    let reading = Reading::of(pxe.layout(), links.iter().map(|link| link.client));
    let present = pxe.must_read(&reading.with_targets(targets))?;
    let changes = Changes::arm(pxe.layout(), &links, &present, UnderPersistent::Refuse)
        .map_err(|refused| Stop::usage(conflicts(&refused, &nodes, &links)))?;
    Ok(Planned { nodes, links, changes })
}

/// The path and lifetime of each node's link.
fn paths(
    session: &Session,
    selection: &Selection,
    wish: Wish<'_>,
) -> Result<Vec<(BootPath, Lifetime)>, Stop> {
    let mut wanted = Vec::with_capacity(selection.len());
    let mut problems = Vec::new();
    for node in selection.nodes() {
        let rule = match (wish.path, session.site().boot_rule(node)) {
            (Some(path), Ok(rule)) => {
                Ok((path.to_owned(), rule.is_some_and(|rule| rule.persistent)))
            }
            (Some(path), Err(_)) => Ok((path.to_owned(), false)),
            (None, Ok(Some(rule))) => Ok((rule.path.clone(), rule.persistent)),
            (None, Ok(None)) => Err(format!(
                "{} has no boot path: no rule of the cluster names it; give one with --boot-path",
                node.name()
            )),
            (None, Err(error)) => Err(crate::diagnostics::chain(&error)),
        };
        match rule {
            Err(problem) => problems.push(problem),
            Ok((path, persistent)) => match path.parse::<BootPath>() {
                Err(error) => {
                    problems.push(format!("{}: the boot path {path:?}: {error}", node.name()));
                }
                Ok(path) => {
                    let persistent = wish.persistent || (persistent && wish.path.is_none());
                    let lifetime = if persistent { Lifetime::Persistent } else { Lifetime::Once };
                    wanted.push((path, lifetime));
                }
            },
        }
    }
    problems.dedup();
    if problems.is_empty() { Ok(wanted) } else { Err(Stop::usage(problems.join("; "))) }
}

/// Each conflict with the node it is about.
fn conflicts(refused: &pxe_links::Refused, nodes: &[String], links: &[Link]) -> String {
    let name = |client: IpAddr| {
        let index = links.iter().position(|link| link.client.to_canonical() == client);
        index.map_or_else(|| client.to_string(), |index| nodes[index].clone())
    };
    let texts: Vec<String> = refused
        .conflicts()
        .iter()
        .map(|conflict| match conflict {
            pxe_links::Conflict::UnderPersistent { client, .. } => format!(
                "{} ({client}) has a persistent boot link, which a link for the next request would \
                 not outlive; remove it with \"boot unset\"",
                name(*client)
            ),
            other => format!("{}: {other}", name(other.client())),
        })
        .collect();
    texts.join("; ")
}

/// The lines of a preview: each path with its nodes and their addresses.
pub(crate) fn lines(nodes: &[String], links: &[Link]) -> Vec<String> {
    let mut groups: BTreeMap<(String, bool), Vec<String>> = BTreeMap::new();
    for (node, link) in nodes.iter().zip(links) {
        let persistent = link.lifetime == Lifetime::Persistent;
        let group = groups.entry((link.target.to_string(), persistent)).or_default();
        group.push(format!("{node} ({})", link.client));
    }
    groups
        .into_iter()
        .map(|((path, persistent), nodes)| {
            let when = if persistent { "for every request" } else { "for the next request" };
            format!("{path}, {when}: {}", nodes.join(", "))
        })
        .collect()
}
