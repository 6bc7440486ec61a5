//! Exit codes: the contract of `docs/exit-codes.md` in one place.

use std::error::Error;
use std::fmt;

/// How a command, or one of its targets, ended.
///
/// Ordered by precedence: of many targets the greatest decides (130, then 3, 2, 1, 0).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[expect(clippy::exhaustive_enums, reason = "the exit codes are a contract")]
pub enum ExitClass {
    /// Everything holds: 0.
    #[default]
    Success,
    /// A target answered and failed or refused: 1.
    Failed,
    /// Usage, configuration, or a refusal by a safety rule; nothing was sent: 2.
    Usage,
    /// A host could not be reached, resolved, authenticated or trusted: 3.
    Unreachable,
    /// Interrupted, or the question was declined: 130.
    Interrupted,
}

impl ExitClass {
    /// The exit code of the process.
    pub fn code(self) -> u8 {
        match self {
            Self::Success => 0,
            Self::Failed => 1,
            Self::Usage => 2,
            Self::Unreachable => 3,
            Self::Interrupted => 130,
        }
    }

    /// The class that decides for many targets.
    pub fn worst(classes: impl IntoIterator<Item = ExitClass>) -> ExitClass {
        classes.into_iter().max().unwrap_or_default()
    }
}

/// An error that knows how a command that meets it ends.
pub trait Classify: Error + Send + Sync + 'static {
    /// The class of this error.
    fn exit_class(&self) -> ExitClass;
}

/// What a command ends with when it cannot go on: a classified error of any module.
#[derive(Debug)]
pub struct Stop {
    class: ExitClass,
    error: Box<dyn Error + Send + Sync>,
}

impl Stop {
    /// The class that decides the exit code.
    pub fn class(&self) -> ExitClass {
        self.class
    }

    /// The error itself, the head of its chain.
    pub fn error(&self) -> &(dyn Error + 'static) {
        self.error.as_ref()
    }

    /// A refusal or mistake that one sentence explains: exit 2.
    pub fn usage(sentence: impl Into<String>) -> Stop {
        Stop { class: ExitClass::Usage, error: Box::new(Sentence(sentence.into())) }
    }

    /// A failure of a target that answered, explained by one sentence: exit 1.
    pub fn failed(sentence: impl Into<String>) -> Stop {
        Stop { class: ExitClass::Failed, error: Box::new(Sentence(sentence.into())) }
    }

    /// An explanation with a class decided by the caller, such as the worst of many targets.
    pub fn with_class(class: ExitClass, sentence: impl Into<String>) -> Stop {
        Stop { class, error: Box::new(Sentence(sentence.into())) }
    }
}

impl<E: Classify> From<E> for Stop {
    fn from(error: E) -> Self {
        Stop { class: error.exit_class(), error: Box::new(error) }
    }
}

/// An error whose whole content is its sentence.
#[derive(Debug)]
struct Sentence(String);

impl fmt::Display for Sentence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for Sentence {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn precedence_is_130_3_2_1_0() {
        use ExitClass::{Failed, Interrupted, Success, Unreachable, Usage};
        assert_eq!(ExitClass::worst([Failed, Unreachable, Usage]).code(), 3);
        assert_eq!(ExitClass::worst([Failed, Usage]).code(), 2);
        assert_eq!(ExitClass::worst([Interrupted, Unreachable]).code(), 130);
        assert_eq!(ExitClass::worst([Success, Failed]).code(), 1);
        assert_eq!(ExitClass::worst([]).code(), 0);
    }
}
