//! Redfish and IPMI, in each node's own order.

use std::num::NonZeroUsize;

use redfish::{Delivery, ErrorKind};

use crate::bmc::ipmi::{Ipmi, IpmiError, Peer};
use crate::bmc::{BmcError, Connections, cause_of};
use crate::cause::Cause;
use crate::config::kinds::BmcTransport;
use crate::exit::{ExitClass, Stop};
use crate::ops::bmc::fan_out;
use crate::output::Column;
use crate::pool;
use crate::selection::{Selection, fold};
use crate::session::Session;
use crate::site::Node;

/// Why one way gave no answer.
#[derive(Debug, Clone)]
pub(crate) struct Missed {
    /// The cause.
    pub(crate) cause: Cause,
    /// Whether the next way may be tried: nothing was sent, or this way is not supported. Never
    /// after a refusal of the account.
    pub(crate) goes_on: bool,
}

/// What a question or change came to, and which way it went last.
#[derive(Debug)]
pub(crate) struct Answered<T> {
    /// The way; `None` when none was tried.
    pub(crate) via: Option<BmcTransport>,
    /// The answer.
    pub(crate) result: Result<T, Cause>,
}

impl Missed {
    /// A failure that ends the search.
    pub(crate) fn finally(cause: Cause) -> Missed {
        Missed { cause, goes_on: false }
    }
}

impl From<&redfish::Error> for Missed {
    fn from(error: &redfish::Error) -> Missed {
        let never_reached =
            matches!(error.kind(), ErrorKind::Unresolved | ErrorKind::Unreachable | ErrorKind::Tls);
        let not_supported = match error.kind() {
            ErrorKind::NoSystem | ErrorKind::NoReset | ErrorKind::NoBootOverride => true,
            // The service root itself: this is no Redfish service.
            ErrorKind::NotFound { path } => path.to_string().trim_end_matches('/') == "/redfish/v1",
            _ => false,
        };
        let goes_on = error.delivery() == Delivery::NotSent && (never_reached || not_supported);
        Missed { cause: cause_of(error), goes_on }
    }
}

impl From<&BmcError> for Missed {
    fn from(error: &BmcError) -> Missed {
        Missed::finally(fan_out::cause_of_setup(error))
    }
}

impl From<&IpmiError> for Missed {
    fn from(error: &IpmiError) -> Missed {
        Missed { cause: error.cause(), goes_on: error.allows_another_way() }
    }
}

/// The ways in words, and the credential: what a line of a preview is for.
type Key<'c> = (String, Option<&'c str>);

/// The ways to service processors for one command.
pub(crate) struct Ways<'a> {
    session: &'a Session,
    connections: &'a Connections<'a>,
    /// `None` where `bmc.ipmi.via` names nobody.
    ipmi: Option<Ipmi<'a>>,
    /// Asked for on the command line.
    only_ipmi: bool,
}

impl<'a> Ways<'a> {
    /// The ways; `only_ipmi` is the command line's wish, which needs `bmc.ipmi.via`.
    pub(crate) fn new(
        session: &'a Session,
        connections: &'a Connections<'a>,
        only_ipmi: bool,
    ) -> Result<Ways<'a>, Stop> {
        let settings = &session.site().settings().bmc.ipmi;
        let ipmi = match &settings.via {
            Some(role) => {
                let via = session.site().role(role)?;
                Some(Ipmi::new(session.reach(), via, settings, width(session)))
            }
            None if only_ipmi => {
                session.role("bmc.ipmi.via", None)?;
                None
            }
            None => None,
        };
        Ok(Ways { session, connections, ipmi, only_ipmi })
    }

    /// The order of a node, of the ways that there are.
    fn order(&self, node: &Node) -> Vec<BmcTransport> {
        if self.only_ipmi {
            return vec![BmcTransport::Ipmi];
        }
        let mut order = Vec::new();
        for &way in self.session.site().bmc_order(node) {
            let exists = way == BmcTransport::Redfish || self.ipmi.is_some();
            if exists && !order.contains(&way) {
                order.push(way);
            }
        }
        order
    }

    /// Everything that can be known without a connection, for every node, before anything is sent.
    pub(crate) fn check_all(&self, selection: &Selection) -> Result<(), Stop> {
        fan_out::check_all(selection, |node| self.check(node))
    }

    fn check(&self, node: &Node) -> Result<(), BmcError> {
        let order = self.order(node);
        match (order.first(), &self.ipmi) {
            (Some(BmcTransport::Ipmi), Some(ipmi)) => {
                self.connections.peer(node, ipmi)?;
            }
            _ => match self.connections.check(node) {
                // The role's host may know the name.
                Err(BmcError::Unresolved { .. }) if order.contains(&BmcTransport::Ipmi) => {}
                result => result?,
            },
        }
        Ok(())
    }

    /// VIA, in every table where IPMI is a way of one of the nodes, else in the wide one.
    pub(crate) fn column(&self, selection: &Selection) -> Column {
        let has_ipmi = |node: &Node| self.order(node).contains(&BmcTransport::Ipmi);
        let any = selection.nodes().iter().any(has_ipmi);
        if any { Column::new("VIA") } else { Column::wide("VIA") }
    }

    /// Whether IPMI is the first way of a node.
    pub(crate) fn begin_with_ipmi(&self, selection: &Selection) -> bool {
        let first = |node: &Node| self.order(node).first() == Some(&BmcTransport::Ipmi);
        selection.nodes().iter().any(first)
    }

    /// For a preview: one line for each order and account.
    pub(crate) fn lines(&self, selection: &Selection) -> Vec<String> {
        let mut groups: Vec<(Key<'_>, Vec<String>)> = Vec::new();
        for node in selection.nodes() {
            let key = (self.spoken(&self.order(node)), self.connections.credential(node).ok());
            let name = node.name().to_string();
            match groups.iter_mut().find(|(known, _)| *known == key) {
                Some((_, nodes)) => nodes.push(name),
                None => groups.push((key, vec![name])),
            }
        }
        let is_one = groups.len() == 1;
        let line = |((way, credential), nodes): (Key<'_>, Vec<String>)| {
            if is_one {
                return format!("through {way}");
            }
            let credential = credential.unwrap_or("no credential");
            format!("{}: through {way}, with the credential {credential}", fold(&nodes))
        };
        groups.into_iter().map(line).collect()
    }

    fn spoken(&self, order: &[BmcTransport]) -> String {
        let role = self.session.site().settings().bmc.ipmi.via.as_deref().unwrap_or_default();
        let ways: Vec<String> = order
            .iter()
            .map(|way| match way {
                BmcTransport::Redfish => "Redfish".to_owned(),
                BmcTransport::Ipmi => format!("IPMI from the host of the role {role}"),
            })
            .collect();
        ways.join(", or where it is not reached ")
    }

    /// Asks every node by its first way, and by its next one where that is allowed. `redfish` is
    /// called once a node, `ipmi` once for all nodes whose turn it is.
    pub(crate) fn ask<T: Send>(
        &self,
        nodes: &[Node],
        redfish: impl Fn(&Node) -> Result<T, Missed> + Sync,
        ipmi: impl Fn(&Ipmi<'_>, &[Peer]) -> Vec<Result<T, Missed>> + Sync,
    ) -> Vec<Answered<T>> {
        let orders: Vec<Vec<BmcTransport>> = nodes.iter().map(|node| self.order(node)).collect();
        let mut answers: Vec<Answered<T>> =
            nodes.iter().map(|_| Answered { via: None, result: Err(no_way()) }).collect();
        let mut pending: Vec<usize> = (0..nodes.len()).collect();
        for round in 0.. {
            let by = |way: BmcTransport| -> Vec<usize> {
                let due = |index: &&usize| orders[**index].get(round) == Some(&way);
                pending.iter().filter(due).copied().collect()
            };
            let (direct, relayed) = (by(BmcTransport::Redfish), by(BmcTransport::Ipmi));
            if direct.is_empty() && relayed.is_empty() {
                break;
            }
            let (first, second) = std::thread::scope(|scope| {
                let first = scope.spawn(|| self.through_redfish(nodes, &direct, &redfish));
                let second = self.through_ipmi(nodes, &relayed, &ipmi);
                (first.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), second)
            });
            pending.clear();
            let told = first
                .into_iter()
                .map(|answer| (BmcTransport::Redfish, answer))
                .chain(second.into_iter().map(|answer| (BmcTransport::Ipmi, answer)));
            for (way, (index, result)) in told {
                let has_next = orders[index].len() > round + 1;
                let goes_on = result.as_ref().is_err_and(|missed| missed.goes_on) && has_next;
                let before = answers[index].via.map(|via| (via, &answers[index].result));
                let result = result.map_err(|missed| joined(before, way, missed));
                answers[index] = Answered { via: Some(way), result };
                if goes_on && !self.session.interrupt().is_raised() {
                    pending.push(index);
                }
            }
            pending.sort_unstable();
        }
        answers
    }

    fn through_redfish<T: Send>(
        &self,
        nodes: &[Node],
        indices: &[usize],
        ask: &(impl Fn(&Node) -> Result<T, Missed> + Sync),
    ) -> Vec<(usize, Result<T, Missed>)> {
        let interrupt = self.session.interrupt();
        let width = fan_out::width(self.session);
        let answers = pool::run(indices, width, interrupt, |&index| ask(&nodes[index]));
        let settled = answers
            .into_iter()
            .map(|answer| answer.unwrap_or_else(|| Err(Missed::finally(Cause::interrupted()))));
        indices.iter().copied().zip(settled).collect()
    }

    fn through_ipmi<T>(
        &self,
        nodes: &[Node],
        indices: &[usize],
        ask: &impl Fn(&Ipmi<'_>, &[Peer]) -> Vec<Result<T, Missed>>,
    ) -> Vec<(usize, Result<T, Missed>)> {
        let Some(ipmi) = &self.ipmi else { return Vec::new() };
        let mut answers = Vec::new();
        let (mut able, mut peers) = (Vec::new(), Vec::new());
        for &index in indices {
            match self.connections.peer(&nodes[index], ipmi) {
                Ok(peer) => {
                    able.push(index);
                    peers.push(peer);
                }
                Err(error) => answers.push((index, Err(Missed::from(&error)))),
            }
        }
        if !peers.is_empty() {
            answers.extend(able.into_iter().zip(ask(ipmi, &peers)));
        }
        answers
    }
}

/// A failure of Redfish while nothing is being changed: after Ctrl-C it says no more than that.
pub(crate) fn missed_read(session: &Session, error: &redfish::Error) -> Missed {
    if session.interrupt().is_raised() {
        return Missed::finally(Cause::interrupted());
    }
    Missed::from(error)
}

/// How many service processors are asked over IPMI at a time.
fn width(session: &Session) -> NonZeroUsize {
    fan_out::lowered(session, session.site().settings().bmc.ipmi.max_concurrent)
}

/// For a node whose order names none of the ways that there are.
fn no_way() -> Cause {
    Cause::new(ExitClass::Usage, "not asked", "bmc.order names no way that there is")
}

/// What both ways said, for a node that neither of them reached.
fn joined<T>(
    before: Option<(BmcTransport, &Result<T, Cause>)>,
    way: BmcTransport,
    missed: Missed,
) -> Cause {
    let Missed { cause, goes_on } = missed;
    match before {
        Some((earlier, Err(first))) => Cause {
            // It was reached after all, and answered.
            class: match cause.class {
                ExitClass::Failed if !goes_on => ExitClass::Failed,
                class => first.class.max(class),
            },
            detail: format!("{earlier}: {}; {way}: {}", first.detail, cause.detail),
            short: cause.short,
        },
        _ => cause,
    }
}
