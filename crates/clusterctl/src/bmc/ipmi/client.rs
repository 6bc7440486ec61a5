//! Many service processors: which cipher suite, what before what, and what came of it.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;

use redfish::{Account, PowerAction, PowerState};

use super::boot_flags::{BootDevice, BootFlags, BootWish};
use super::chunk::chunks;
use super::error::{IpmiError, IpmiErrorKind};
use super::exchange::Exchange;
use super::power::{self, Powered, Step};
use super::reply::{Replies, Reply};
use super::secret::{self, SecretError};
use super::suite::{Suite, Suites};
use super::verb::Verb;
use crate::config::kinds::IpmiSpec;
use crate::gate::Permit;
use crate::reach::{Reach, Target};

/// A service processor as IPMI reaches it.
#[derive(Debug, Clone)]
pub struct Peer {
    /// Its name or address.
    pub host: String,
    /// The credential's name; service processors of one credential share requests.
    pub credential: String,
    /// The account.
    pub account: Account,
}

/// IPMI from one host, for one run.
pub struct Ipmi<'a> {
    exchange: Exchange<'a>,
    suites: Suites,
}

impl std::fmt::Debug for Ipmi<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ipmi").field("via", &self.exchange.via.name).finish_non_exhaustive()
    }
}

impl<'a> Ipmi<'a> {
    /// IPMI from this host, `width` service processors at a time.
    pub fn new(
        reach: &'a dyn Reach,
        via: Target,
        settings: &'a IpmiSpec,
        width: NonZeroUsize,
    ) -> Ipmi<'a> {
        let exchange = Exchange { reach, via, settings, width };
        Ipmi { exchange, suites: Suites::default() }
    }

    /// Refuses an account that IPMI cannot carry.
    pub fn check(&self, account: &Account) -> Result<(), SecretError> {
        secret::check(account, self.exchange.settings.driver)
    }

    /// Whether the machines are on; one result each, in order.
    pub fn power_states(&self, peers: &[Peer]) -> Vec<Result<PowerState, IpmiError>> {
        let replies = self.read(Verb::PowerState, peers);
        replies.into_iter().map(|reply| reply.and_then(Reply::into_state)).collect()
    }

    /// The boot flags; one result each, in order.
    pub fn boot_flags(&self, peers: &[Peer]) -> Vec<Result<BootFlags, IpmiError>> {
        let replies = self.read(Verb::BootFlags, peers);
        replies.into_iter().map(|reply| reply.and_then(Reply::into_flags)).collect()
    }

    /// Switches machines whose state was read with the same cipher suite just before. Nothing is
    /// sent to a machine that is in the wanted state, and nothing twice.
    pub fn power(
        &self,
        _permit: &Permit,
        peers: &[Peer],
        action: PowerAction,
    ) -> Vec<Result<Powered, IpmiError>> {
        let steps: Vec<Result<Step, IpmiError>> = self
            .power_states(peers)
            .into_iter()
            .zip(peers)
            .map(|(state, peer)| power::step(action, &state?).map_err(|error| error.of(&peer.host)))
            .collect();
        let mut by_control: BTreeMap<_, Vec<usize>> = BTreeMap::new();
        for (index, step) in steps.iter().enumerate() {
            if let Ok(Step::Send(control)) = step {
                by_control.entry(*control).or_default().push(index);
            }
        }
        let mut results: Vec<Result<Powered, IpmiError>> = steps
            .into_iter()
            .map(|step| {
                step.map(|step| match step {
                    Step::Nothing(state) => Powered::Already(state),
                    Step::Send(_) => Powered::Sent,
                })
            })
            .collect();
        for (control, indices) in by_control {
            for (index, reply) in self.write(Verb::Power(control), peers, &indices) {
                results[index] = reply.and_then(Reply::into_done).map(|()| Powered::Sent);
            }
        }
        results
    }

    /// Sets the boot device, or clears it, and reads the flags back.
    ///
    /// Boot flags count for 60 seconds unless they are told to stay; a service processor that
    /// cannot be told is set all the same.
    pub fn set_boot(
        &self,
        _permit: &Permit,
        peers: &[Peer],
        wish: BootWish,
    ) -> Vec<Result<BootFlags, IpmiError>> {
        let mut results = self.boot_flags(peers);
        let readable: Vec<usize> =
            (0..peers.len()).filter(|&index| results[index].is_ok()).collect();
        if wish.device != BootDevice::None {
            // What comes of it does not matter: the read-back decides.
            let _refusals = self.write(Verb::KeepBootFlags, peers, &readable);
        }
        let mut written = Vec::new();
        for (index, reply) in self.write(Verb::SetBoot(wish), peers, &readable) {
            match reply.and_then(Reply::into_done) {
                Ok(()) => written.push(index),
                Err(error) => results[index] = Err(error),
            }
        }
        let again: Vec<Peer> = written.iter().map(|&index| peers[index].clone()).collect();
        for (index, shown) in written.into_iter().zip(self.boot_flags(&again)) {
            results[index] = shown.and_then(|shown| taken(&peers[index], shown, wish));
        }
        results
    }

    /// Reads with the suite that was proven, else with one after the other.
    fn read(&self, verb: Verb, peers: &[Peer]) -> Replies {
        let mut replies: Vec<Option<Result<Reply, IpmiError>>> =
            peers.iter().map(|_| None).collect();
        for &suite in Suite::tried(self.exchange.settings.driver) {
            let open = |index: &usize| match &replies[*index] {
                None => {
                    self.suites.proven(&peers[*index].host).is_none_or(|proven| proven == suite)
                }
                Some(reply) => {
                    reply.as_ref().is_err_and(IpmiError::asks_for_another_suite)
                        && self.suites.proven(&peers[*index].host).is_none()
                }
            };
            let asked: Vec<usize> = (0..peers.len()).filter(open).collect();
            for (index, reply) in self.run(verb, suite, peers, &asked) {
                if reply.as_ref().map_or_else(IpmiError::is_answer, |_| true) {
                    self.suites.prove(&peers[index].host, suite);
                }
                replies[index] = Some(reply);
            }
        }
        let silent = || Err(IpmiError::not_sent(IpmiErrorKind::Unknown, "it was not asked"));
        replies.into_iter().map(|reply| reply.unwrap_or_else(silent)).collect()
    }

    /// Writes with the suite that a read of this run proved, and with no other.
    fn write(
        &self,
        verb: Verb,
        peers: &[Peer],
        indices: &[usize],
    ) -> Vec<(usize, Result<Reply, IpmiError>)> {
        let mut by_suite: BTreeMap<Suite, Vec<usize>> = BTreeMap::new();
        let mut replies = Vec::new();
        for &index in indices {
            match self.suites.proven(&peers[index].host) {
                Some(suite) => by_suite.entry(suite).or_default().push(index),
                None => {
                    let text = "not sent, for no cipher suite is known to work";
                    let error = IpmiError::not_sent(IpmiErrorKind::Unknown, text);
                    replies.push((index, Err(error.of(&peers[index].host))));
                }
            }
        }
        for (suite, indices) in by_suite {
            replies.extend(self.run(verb, suite, peers, &indices));
        }
        replies
    }

    /// One request for each credential and each list that fits.
    fn run(
        &self,
        verb: Verb,
        suite: Suite,
        peers: &[Peer],
        indices: &[usize],
    ) -> Vec<(usize, Result<Reply, IpmiError>)> {
        let mut by_credential: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for &index in indices {
            by_credential.entry(&peers[index].credential).or_default().push(index);
        }
        let mut replies = Vec::new();
        for indices in by_credential.into_values() {
            let hosts: Vec<&str> =
                indices.iter().map(|&index| peers[index].host.as_str()).collect();
            for range in chunks(&hosts) {
                let account = &peers[indices[range.start]].account;
                let hosts = &hosts[range.clone()];
                let answers = self.exchange.ask(verb, suite, account, hosts);
                for ((&index, host), reply) in indices[range].iter().zip(hosts).zip(answers) {
                    replies.push((index, reply.map_err(|error| error.of(host))));
                }
            }
        }
        replies
    }
}

/// Compares what is read back with what was written.
fn taken(peer: &Peer, shown: BootFlags, wish: BootWish) -> Result<BootFlags, IpmiError> {
    if shown.shows(wish) {
        return Ok(shown);
    }
    let text = format!("it took the write and reads back {}", shown.described());
    Err(IpmiError::perhaps_sent(IpmiErrorKind::NotTaken, text).of(&peer.host))
}
