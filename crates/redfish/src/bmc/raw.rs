//! Any resource and any action.

use http::Method;
use serde_json::Value;

use super::Bmc;
use super::power::Accepted;
use crate::plan::tag::IfMatch;
use crate::{Delivery, Error, Message, ResourcePath, Transport};

/// The answer to a [`post`](Bmc::post) that was not refused.
#[derive(Clone, Debug, PartialEq)]
#[must_use = "a BMC may answer before it has acted"]
pub struct Reply {
    /// Whether it is done.
    pub accepted: Accepted,
    /// The HTTP status.
    pub status: u16,
    /// The body, where it is JSON.
    pub body: Option<Value>,
    /// What the BMC says about it.
    pub messages: Vec<Message>,
}

impl<T: Transport> Bmc<T> {
    /// Reads any resource.
    pub fn get(&self, path: &ResourcePath) -> Result<Value, Error> {
        Ok(self.resource(&self.begin(), path)?.into_value().unwrap_or_default())
    }

    /// Posts any action, exactly once: neither a redirect nor a failure sends it again.
    pub fn post(&self, path: &ResourcePath, body: &Value) -> Result<Reply, Error> {
        let run = self.begin();
        let answer = self.change(&run, &Method::POST, path, body, &IfMatch::Absent)?;
        let accepted = self.accepted(&answer, path)?;
        Ok(Reply {
            accepted,
            status: answer.status.as_u16(),
            messages: answer.messages(),
            body: answer.into_value(),
        })
    }

    /// Whether an answer to a POST says it is done.
    ///
    /// A failing gateway, and an error without a word of Redfish, leave open whether the action was
    /// carried out; so does a success that carries a critical error (observed: iDRAC 8).
    pub(super) fn accepted(
        &self,
        answer: &crate::answer::Answer,
        path: &ResourcePath,
    ) -> Result<Accepted, Error> {
        let status = answer.status.as_u16();
        let messages = answer.messages();
        let critical = messages.iter().any(|m| m.severity() == Some("Critical"));
        match status {
            202 => Ok(Accepted::Task(answer.task_monitor())),
            200..=299 if !critical => Ok(Accepted::Done),
            200..=299 | 502 | 504 => Err(self.refusal(answer, path, Delivery::PerhapsCarriedOut)),
            500 if messages.iter().all(|message| message.id().is_none()) => {
                Err(self.refusal(answer, path, Delivery::PerhapsCarriedOut))
            }
            _ => Err(self.refusal(answer, path, Delivery::Answered)),
        }
    }
}
