//! Writes that are read back.

use std::time::Duration;

use http::Method;
use serde_json::Value;

use super::Bmc;
use super::exchange::Run;
use crate::answer::Answer;
use crate::plan::tag::{self, Reread, TagStep, tag_of};
use crate::{Change, Delivery, Error, ResourcePath, Transport, quirk};

/// Waits before a read-back that does not show the write yet is repeated.
pub(super) const SETTLE: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(3)];
/// Between two writes to a BMC that refuses for now: HPE does for minutes, during the self test.
pub(super) const NOT_NOW: Duration = Duration::from_secs(10);

impl<T: Transport> Bmc<T> {
    /// Patches a resource whose tag is known or not. The write is repeated only after a refusal of
    /// its If-Match, and one that passes.
    pub(super) fn patch(
        &self,
        run: &Run,
        path: &ResourcePath,
        body: &Value,
        tag: Option<&str>,
    ) -> Result<Answer, Error> {
        let rule = self.state().known.boot.as_ref().and_then(|route| route.tag_rule);
        let mut if_match = tag::first(rule, tag);
        let mut tried = Vec::new();
        let mut shown: Option<Option<String>> = None;
        loop {
            let answer = self.change(run, &Method::PATCH, path, body, &if_match)?;
            if answer.status.is_success() {
                return Ok(answer);
            }
            let (status, messages) = (answer.status.as_u16(), answer.messages());
            let refusal = self.refusal(&answer, path, delivery_of(&answer));
            if quirk::is_refused_for_now(status, &messages) {
                if self.wait(run, answer.retry_after().unwrap_or(NOT_NOW)) {
                    continue;
                }
                return Err(refusal);
            }
            if !tag::is_refusal(status, &if_match, &messages) {
                return Err(refusal);
            }
            tried.push(if_match);
            if_match = loop {
                let reread =
                    shown.as_ref().map_or(Reread::NotYet, |tag| Reread::Shows(tag.as_deref()));
                match tag::next(&tried, reread) {
                    Some(TagStep::Send(next)) => break next,
                    Some(TagStep::ReadTag) => {
                        let Ok(read) = self.resource(run, path) else { return Err(refusal) };
                        let header = read.header(http::header::ETAG);
                        shown = Some(tag_of(header, read.resource()));
                    }
                    None => return Err(refusal),
                }
            };
        }
    }

    /// What became of a write: read back until it shows or the waits are over. A write whose reply
    /// was lost is settled by what is shown now; where that is not what was asked for, the error
    /// stands.
    pub(super) fn prove<R>(
        &self,
        run: &Run,
        written: Result<(), Error>,
        read: impl Fn() -> Result<R, Error>,
        holds: impl Fn(&R) -> bool,
    ) -> Result<Change<R>, Error> {
        let (open, waits): (Option<Error>, &[Duration]) = match written {
            Ok(()) => (None, &SETTLE),
            Err(error) if !is_open(&error) => return Err(error),
            Err(error) => (Some(error), &[]),
        };
        let mut waits = waits.iter();
        loop {
            let shown = match (read(), open.is_some()) {
                (Ok(shown), _) => shown,
                (Err(unread), false) => {
                    return Ok(Change::Unverified(unread.with_delivery(Delivery::Answered)));
                }
                (Err(unread), true) => return Err(open.unwrap_or(unread)),
            };
            if holds(&shown) {
                return Ok(Change::Done(shown));
            }
            if let Some(open) = open {
                return Err(open);
            }
            if !waits.next().is_some_and(|wait| self.wait(run, *wait)) {
                return Ok(Change::NotTaken(shown));
            }
        }
    }
}

/// Whether an unsuccessful answer to a write leaves open what became of it.
pub(super) fn delivery_of(answer: &Answer) -> Delivery {
    match answer.status.as_u16() {
        500 | 502 | 504 => Delivery::PerhapsCarriedOut,
        _ => Delivery::Answered,
    }
}

/// Whether the BMC may have acted although the write failed.
pub(super) fn is_open(error: &Error) -> bool {
    error.delivery() != Delivery::NotSent && !error.is_unauthorized()
}
