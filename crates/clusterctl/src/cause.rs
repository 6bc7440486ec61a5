//! Why something failed on one machine, in the lengths that a table and a sentence need.

use std::error::Error;

use crate::exit::{Classify, ExitClass, Stop};
use crate::reach::{Answer, Delivery, ReachError, ReachErrorKind};

/// Why something did not do what it should, on one machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cause {
    /// How the command ends for it.
    pub class: ExitClass,
    /// One or two words for a table cell, such as `unreachable`.
    pub short: String,
    /// The whole explanation, on one line.
    pub detail: String,
}

impl Cause {
    /// A cause with its words.
    pub fn new(class: ExitClass, short: impl Into<String>, detail: impl Into<String>) -> Cause {
        Cause { class, short: short.into(), detail: detail.into() }
    }

    /// What a machine that was not asked any more gets after Ctrl-C.
    pub fn interrupted() -> Cause {
        Cause::new(ExitClass::Interrupted, "not sent", "interrupted before it was sent")
    }
}

impl Cause {
    /// What cannot be told, because of this error.
    pub fn unknown(error: &impl Classify) -> Cause {
        Cause::new(error.exit_class(), "unknown", crate::diagnostics::chain(error))
    }

    /// The same, of what would have ended the whole command.
    pub fn of_stop(stop: &Stop) -> Cause {
        Cause::new(stop.class(), "unknown", crate::diagnostics::chain(stop.error()))
    }

    /// A host that was not reached over ssh.
    pub fn of_reach(error: &ReachError) -> Cause {
        let short = match error.kind() {
            ReachErrorKind::Interrupted if error.delivery() == Delivery::NotSent => {
                return Cause::interrupted();
            }
            // Nobody waits for what runs there; its time limit is enforced there and ends it.
            ReachErrorKind::Interrupted => {
                let detail = "what was sent may still run there until its time limit";
                return Cause::new(ExitClass::Interrupted, "interrupted", detail);
            }
            ReachErrorKind::HostKey => "not trusted",
            ReachErrorKind::Authentication => "not let in",
            _ => "unreachable",
        };
        let class = error.exit_class();
        Cause::new(class, short, crate::diagnostics::chain(error as &(dyn Error + 'static)))
    }

    /// A command that failed on a host that answered; `None` if it succeeded.
    pub fn of_answer(answer: &Answer) -> Option<Cause> {
        let why = answer.failure()?;
        Some(Cause::new(ExitClass::Failed, "failed", crate::output::escape::line(&why)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_handed_over_before_an_interrupt_is_never_said_to_be_unsent() {
        let interrupted = |delivery| {
            let error = ReachError::new(ReachErrorKind::Interrupted, delivery, "interrupted");
            Cause::of_reach(&error).short
        };
        assert_eq!(interrupted(Delivery::NotSent), "not sent");
        assert_eq!(interrupted(Delivery::PerhapsCarriedOut), "interrupted");
    }
}
