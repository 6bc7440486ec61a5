//! Scripted faults: which request meets which misfortune.

mod text;

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::json;

pub use text::FaultTextError;

/// One scripted fault.
///
/// Faults are tried in the order they were added. Every matching delay applies; of the others the
/// first one that matches decides.
///
/// ```
/// use bmc_sim::{Effect, Fault};
///
/// // The first reset is done, and nobody hears of it.
/// let fault = Fault::new(Effect::LoseReply).on("POST", "*/ComputerSystem.Reset").times(1);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// Which requests it meets.
    pub when: When,
    /// What becomes of them.
    pub effect: Effect,
}

/// Which requests a fault meets.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct When {
    /// The method; `None`: any.
    pub method: Option<String>,
    /// A pattern for the path without the query and without a trailing slash, in which `*` stands
    /// for any text; `None`: any.
    pub path: Option<String>,
    /// `Some(true)`: only requests on a connection that has carried one before.
    pub reused: Option<bool>,
    /// So many matching requests pass unharmed first.
    pub skip: u64,
    /// So many requests are met, then the fault is spent; `None`: all.
    pub times: Option<u64>,
}

/// What becomes of a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Effect {
    /// Waits, then goes on as usual: the request is done late, even if the client has left.
    Delay(Duration),
    /// Does the request, and waits before the reply.
    DelayReply(Duration),
    /// Reads and never answers; nothing is done.
    BlackHole,
    /// Does the request, then closes without a reply.
    LoseReply,
    /// Closes before anything is done.
    LoseRequest,
    /// As [`LoseRequest`](Self::LoseRequest), by a TCP reset (iLO before 7, on reused connections).
    ResetConnection,
    /// Does nothing and answers this.
    Answer(Answer),
    /// Does the request, and answers this all the same.
    ActAndAnswer(Answer),
    /// Answers as a success is answered, and does nothing.
    Pretend,
    /// Does the request; of the reply's body only so many bytes arrive, then the connection closes.
    Truncate(usize),
    /// Does the request; the reply's body is followed by a second JSON document (iDRAC licence errors).
    TwoDocuments,
    /// Does the request; the reply keeps its status and has no body.
    EmptyBody,
}

/// A prepared answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// HTTP status.
    pub status: u16,
    /// Headers beside `Content-Length` and those every reply has.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: String,
}

impl Fault {
    /// `effect` for every request.
    pub fn new(effect: Effect) -> Self {
        Self { when: When::default(), effect }
    }

    /// Only for this method, and paths that match `path` ([`When::path`]).
    #[must_use]
    pub fn on(mut self, method: &str, path: &str) -> Self {
        self.when.method = Some(method.to_owned());
        self.when.path = Some(path.to_owned());
        self
    }

    /// Only for paths that match, whatever the method.
    #[must_use]
    pub fn on_path(mut self, path: &str) -> Self {
        self.when.path = Some(path.to_owned());
        self
    }

    /// Only for requests on a connection that has carried one before.
    #[must_use]
    pub fn on_reused_connections(mut self) -> Self {
        self.when.reused = Some(true);
        self
    }

    /// Lets so many matching requests pass first.
    #[must_use]
    pub fn after(mut self, requests: u64) -> Self {
        self.when.skip = requests;
        self
    }

    /// Meets so many requests, then no more.
    #[must_use]
    pub fn times(mut self, times: u64) -> Self {
        self.when.times = Some(times);
        self
    }
}

impl Effect {
    /// A Redfish error with this status and `MessageId`.
    pub fn refuse(status: u16, message_id: &str, message: &str) -> Self {
        Self::Answer(Answer::error(status, message_id, message))
    }

    /// A Redfish error with this status (500, 502, 401 …) and a general message.
    pub fn status(status: u16) -> Self {
        Self::refuse(status, "Base.1.18.GeneralError", "A general error has occurred")
    }

    /// 503 with `Retry-After` in whole seconds.
    pub fn unavailable(retry_after: Duration) -> Self {
        let mut answer = Answer::error(
            503,
            "Base.1.18.ServiceTemporarilyUnavailable",
            "The service is temporarily unavailable",
        );
        answer.headers.push(("Retry-After".to_owned(), retry_after.as_secs().to_string()));
        Self::Answer(answer)
    }

    /// A page of HTML with this status.
    pub fn html(status: u16) -> Self {
        Self::Answer(Answer {
            status,
            headers: vec![("Content-Type".to_owned(), "text/html".to_owned())],
            body: format!("<html><body><h1>{status}</h1><p>The BMC is busy.</p></body></html>\n"),
        })
    }

    /// A redirect (301, 302, 307, 308) to a path or a URL.
    pub fn redirect(status: u16, location: &str) -> Self {
        Self::Answer(Answer {
            status,
            headers: vec![("Location".to_owned(), location.to_owned())],
            body: String::new(),
        })
    }
}

impl Answer {
    /// A Redfish error body (DSP0266, "Error responses").
    pub fn error(status: u16, message_id: &str, message: &str) -> Self {
        let body = json!({ "error": {
            "code": message_id,
            "message": message,
            "@Message.ExtendedInfo": [{
                "@odata.type": "#Message.v1_2_1.Message",
                "MessageId": message_id,
                "Message": message,
                "Severity": "Critical",
                "MessageSeverity": "Critical",
            }],
        }});
        Self {
            status,
            headers: vec![("Content-Type".to_owned(), "application/json".to_owned())],
            body: body.to_string(),
        }
    }
}

/// Names one added fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct FaultId(u64);

/// The faults in force, with what they have met so far.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    next: u64,
    entries: Vec<Entry>,
}

#[derive(Debug)]
struct Entry {
    id: FaultId,
    fault: Fault,
    seen: u64,
}

impl Faults {
    pub(crate) fn add(&mut self, fault: Fault) -> FaultId {
        let id = FaultId(self.next);
        self.next += 1;
        self.entries.push(Entry { id, fault, seen: 0 });
        id
    }

    pub(crate) fn remove(&mut self, id: FaultId) {
        self.entries.retain(|entry| entry.id != id);
    }

    pub(crate) fn clear(&mut self) {
        self.entries.clear();
    }

    pub(crate) fn list(&self) -> Vec<(FaultId, Fault)> {
        self.entries.iter().map(|entry| (entry.id, entry.fault.clone())).collect()
    }

    /// What meets this request. Counts it.
    pub(crate) fn meet(&mut self, method: &str, path: &str, reused: bool) -> Met {
        let mut met = Met::default();
        for entry in &mut self.entries {
            if !entry.fault.when.names(method, path, reused) {
                continue;
            }
            let delays = matches!(entry.fault.effect, Effect::Delay(_) | Effect::DelayReply(_));
            if !delays && met.effect.is_some() {
                continue;
            }
            entry.seen += 1;
            let when = &entry.fault.when;
            let hits = entry.seen.saturating_sub(when.skip);
            if hits == 0 || when.times.is_some_and(|times| hits > times) {
                continue;
            }
            match entry.fault.effect {
                Effect::Delay(time) => met.before += time,
                Effect::DelayReply(time) => met.after += time,
                ref effect => met.effect = Some(effect.clone()),
            }
        }
        met
    }
}

/// What meets one request.
#[derive(Debug, Default)]
pub(crate) struct Met {
    pub(crate) before: Duration,
    pub(crate) after: Duration,
    pub(crate) effect: Option<Effect>,
}

impl When {
    fn names(&self, method: &str, path: &str, reused: bool) -> bool {
        self.method.as_deref().is_none_or(|wanted| wanted.eq_ignore_ascii_case(method))
            && self
                .path
                .as_deref()
                .is_none_or(|pattern| matches(pattern.trim_end_matches('/'), path))
            && self.reused.is_none_or(|wanted| wanted == reused)
    }
}

/// Whether `text` is what `pattern` describes; `*` stands for any text.
fn matches(pattern: &str, text: &str) -> bool {
    let Some((head, mut rest)) = pattern.split_once('*') else {
        return pattern == text;
    };
    let Some(mut text) = text.strip_prefix(head) else {
        return false;
    };
    while let Some((middle, later)) = rest.split_once('*') {
        let Some(at) = text.find(middle) else {
            return false;
        };
        text = &text[at + middle.len()..];
        rest = later;
    }
    text.ends_with(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_text_and_nothing_else_does() {
        for (pattern, text, holds) in [
            ("/redfish/v1", "/redfish/v1", true),
            ("/redfish/v1", "/redfish/v1/Systems", false),
            ("/redfish/v1/Systems/*", "/redfish/v1/Systems/1", true),
            ("*Reset", "/redfish/v1/Systems/1/Actions/ComputerSystem.Reset", true),
            ("*Reset", "/redfish/v1/Systems/1/Actions/ComputerSystem.ResetX", false),
            ("/a*b*c", "/a1b2c", true),
            ("/a*b*c", "/abc", true),
            ("/a*b*c", "/acb", false),
            ("a*a", "a", false),
            ("*", "", true),
        ] {
            assert_eq!(matches(pattern, text), holds, "{pattern} {text}");
        }
    }

    #[test]
    fn a_fault_lets_some_pass_then_meets_some_then_is_spent() {
        let mut faults = Faults::default();
        faults.add(Fault::new(Effect::BlackHole).on("GET", "/a").after(1).times(2));
        let met: Vec<bool> =
            (0..5).map(|_| faults.meet("GET", "/a", false).effect.is_some()).collect();
        assert_eq!(met, [false, true, true, false, false]);
        assert!(faults.meet("PATCH", "/a", false).effect.is_none());
    }

    #[test]
    fn a_later_fault_is_not_used_up_by_what_an_earlier_one_met() {
        let mut faults = Faults::default();
        faults.add(Fault::new(Effect::LoseReply).times(1));
        faults.add(Fault::new(Effect::Delay(Duration::from_millis(5))));
        faults.add(Fault::new(Effect::BlackHole).times(1));
        let first = faults.meet("GET", "/a", false);
        assert_eq!(
            (first.effect, first.before),
            (Some(Effect::LoseReply), Duration::from_millis(5))
        );
        assert_eq!(faults.meet("GET", "/a", false).effect, Some(Effect::BlackHole));
        assert_eq!(faults.meet("GET", "/a", false).effect, None);
    }
}
