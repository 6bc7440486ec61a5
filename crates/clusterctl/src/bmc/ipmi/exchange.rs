//! One request to the role's host: a question or change for many service processors of one account.

use std::num::NonZeroUsize;
use std::time::Duration;

use redfish::Account;
use zeroize::Zeroizing;

use super::error::{IpmiError, IpmiErrorKind};
use super::record::{self, Transcript};
use super::reply::{Replies, Reply};
use super::suite::Suite;
use super::verb::Verb;
use super::{ipmipower, ipmitool, script, secret};
use crate::config::kinds::{IpmiBackend, IpmiSpec};
use crate::exit::Classify as _;
use crate::reach::{
    Answer, Delivery, Ended, Reach, ReachError, ReachErrorKind, Request, Target, mark,
};

/// How the role's host is asked.
pub(super) struct Exchange<'a> {
    pub(super) reach: &'a dyn Reach,
    pub(super) via: Target,
    pub(super) settings: &'a IpmiSpec,
    /// How many service processors at a time.
    pub(super) width: NonZeroUsize,
}

/// What a script of many calls may take beside the calls themselves.
const SLACK: Duration = Duration::from_secs(15);

impl Exchange<'_> {
    /// One request; one reply each, in order.
    pub(super) fn ask(
        &self,
        verb: Verb,
        suite: Suite,
        account: &Account,
        hosts: &[&str],
    ) -> Replies {
        let width = self.width.get().min(hosts.len()).max(1);
        let at_once = match self.settings.backend {
            IpmiBackend::Ipmipower => ipmipower::command(self.settings, suite, verb, width),
            IpmiBackend::Ipmitool => None,
        };
        let (text, secret) = match &at_once {
            Some(words) => {
                let words: Vec<&str> = words.iter().map(String::as_str).collect();
                (script::all_at_once(&words), secret::freeipmi(account))
            }
            None => {
                let path = &self.settings.ipmitool_path;
                let before = ipmitool::options(path, account.user(), suite, verb);
                let after = ipmitool::command(verb);
                let limit = self.settings.timeout;
                (script::one_by_one(&before, &after, width, limit), secret::ipmitool(account))
            }
        };
        let mark = mark();
        let answer = self.send(&text, &mark, hosts, secret, width);
        let answer = match answer {
            Ok(answer) => answer,
            Err(error) => {
                return hosts.iter().map(|_| Err(self.not_reached(verb, &error))).collect();
            }
        };
        let transcript = record::read(&answer.stdout, &mark, hosts.len());
        if !transcript.ready {
            let error = self.not_started(&answer);
            return hosts.iter().map(|_| Err(error.clone())).collect();
        }
        let reply = |index: usize| match &at_once {
            Some(_) => power_reply(verb, index, &transcript, &answer),
            None => ipmitool::reply(verb, &transcript.told[index]),
        };
        (0..hosts.len()).map(reply).collect()
    }

    fn send(
        &self,
        text: &str,
        mark: &str,
        hosts: &[&str],
        secret: Zeroizing<Vec<u8>>,
        width: usize,
    ) -> Result<Answer, ReachError> {
        let words = ["sh", "-c", text, "sh", mark].into_iter().chain(hosts.iter().copied());
        // As many rounds as it takes when nobody answers.
        let rounds = u32::try_from(hosts.len().div_ceil(width)).unwrap_or(u32::MAX);
        let limit = self.settings.timeout.saturating_mul(rounds).saturating_add(SLACK);
        let mut request = Request::argv(words).with_timeout(limit);
        request.stdin = secret;
        self.reach.run(&self.via, &request)
    }

    fn not_reached(&self, verb: Verb, error: &ReachError) -> IpmiError {
        let text = format!("through {}: {}", self.via.name, crate::diagnostics::chain(error));
        let kind = match error.kind() {
            ReachErrorKind::Interrupted => IpmiErrorKind::Interrupted,
            _ => IpmiErrorKind::Host(error.exit_class()),
        };
        if verb.is_read() || error.delivery() == Delivery::NotSent {
            IpmiError::not_sent(kind, text)
        } else {
            IpmiError::perhaps_sent(kind, text)
        }
    }

    /// The script did not come to the point where it starts anything.
    fn not_started(&self, answer: &Answer) -> IpmiError {
        let why = answer.failure().unwrap_or_else(|| "it says nothing".to_owned());
        let why = crate::output::escape::line(&why);
        let text = format!("{} cannot start it: {why}", self.via.name);
        IpmiError::not_sent(IpmiErrorKind::Unsupported, text)
    }
}

/// What ipmipower says of one among all.
fn power_reply(
    verb: Verb,
    index: usize,
    transcript: &Transcript,
    answer: &Answer,
) -> Result<Reply, IpmiError> {
    let told = &transcript.told[index];
    let address = match told.address.as_deref() {
        Some(address) if !address.is_empty() => address,
        Some(_) => {
            let text = "the name has no address there";
            return Err(IpmiError::not_sent(IpmiErrorKind::Unresolved, text));
        }
        None => {
            let text = "it was not asked";
            return Err(IpmiError::not_sent(IpmiErrorKind::Unknown, text));
        }
    };
    let same = transcript.told.iter().filter(|other| other.address.as_deref() == Some(address));
    if same.count() > 1 {
        let text = format!("{address} is the address of several service processors");
        return Err(IpmiError::not_sent(IpmiErrorKind::Refused, text));
    }
    let reply = ipmipower::reply(verb, address, &transcript.lines);
    let is_said = transcript.lines.iter().any(|line| line.contains(address));
    let Err(error) = reply else { return reply };
    if is_said || answer.ended == Ended::Exit(0) {
        return Err(error);
    }
    // The complaint is not about one of them. The shell cannot start the program: nothing is sent.
    let why = crate::output::escape::line(&answer.failure().unwrap_or_default());
    Err(match answer.ended {
        Ended::Exit(126 | 127) => IpmiError::not_sent(IpmiErrorKind::Unsupported, why),
        _ => error.because(&why),
    })
}
