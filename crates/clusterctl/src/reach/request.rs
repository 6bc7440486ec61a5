//! What runs on a host.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use zeroize::Zeroizing;

/// A command for one host, with its input and its bounds.
#[derive(Debug, Clone)]
pub struct Request {
    /// What runs.
    pub program: Program,
    /// What it reads from standard input; wiped after use, since it may be a password.
    pub stdin: Zeroizing<Vec<u8>>,
    /// How long it may run, enforced on the host itself.
    pub timeout: Duration,
    /// How many bytes of each output stream are kept; beyond it the answer fails as cut off.
    pub output_limit: usize,
    /// Whether it runs although the person interrupted: the way back does.
    pub despite_interrupt: bool,
    /// Who hears standard output as it comes, besides the answer.
    pub tap: Option<Tap>,
}

/// Hears a stream piece by piece, as it comes.
#[derive(Clone)]
pub struct Tap(Arc<Hear>);

type Hear = dyn Fn(&[u8]) + Send + Sync;

impl Tap {
    /// Hears by this function, which must not block.
    pub fn new(hear: impl Fn(&[u8]) + Send + Sync + 'static) -> Tap {
        Tap(Arc::new(hear))
    }

    pub(crate) fn hear(&self, piece: &[u8]) {
        (self.0)(piece);
    }
}

impl fmt::Debug for Tap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Tap")
    }
}

/// The two ways to say what runs.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "a command is words or a script")]
pub enum Program {
    /// Words, each quoted once so that the remote shell hands them on unchanged.
    Argv(Vec<String>),
    /// Text for the login shell of the account, as typed after `exec --`.
    ShellText(String),
    /// A POSIX `sh` script that travels by standard input, never by the argument vector; the
    /// words become `$1` and so on. Its own input is empty.
    Script {
        /// The script.
        text: String,
        /// Its positional parameters.
        words: Vec<String>,
    },
}

impl Request {
    /// Output kept of each stream unless a command asks for less.
    pub const OUTPUT_LIMIT: usize = 32 * 1024 * 1024;
    /// Time a command gets unless configuration says otherwise (`fanout.commandTimeout`).
    pub const TIMEOUT: Duration = Duration::from_mins(10);

    /// A command given as words.
    pub fn argv<S: Into<String>>(words: impl IntoIterator<Item = S>) -> Request {
        Request::of(Program::Argv(words.into_iter().map(Into::into).collect()))
    }

    /// A POSIX script.
    pub fn script(text: impl Into<String>) -> Request {
        Request::of(Program::Script { text: text.into(), words: Vec::new() })
    }

    /// A POSIX script with positional parameters.
    pub fn script_with<S: Into<String>>(
        text: impl Into<String>,
        words: impl IntoIterator<Item = S>,
    ) -> Request {
        let words = words.into_iter().map(Into::into).collect();
        Request::of(Program::Script { text: text.into(), words })
    }

    fn of(program: Program) -> Request {
        Request {
            program,
            stdin: Zeroizing::default(),
            timeout: Request::TIMEOUT,
            output_limit: Request::OUTPUT_LIMIT,
            despite_interrupt: false,
            tap: None,
        }
    }

    /// The same with an input.
    #[must_use]
    pub fn with_stdin(mut self, stdin: impl Into<Vec<u8>>) -> Request {
        self.stdin = Zeroizing::new(stdin.into());
        self
    }

    /// The same for the way back, which goes on after Ctrl-C.
    #[must_use]
    pub fn even_when_interrupted(mut self) -> Request {
        self.despite_interrupt = true;
        self
    }

    /// The same with somebody who hears standard output as it comes.
    #[must_use]
    pub fn with_tap(mut self, tap: Tap) -> Request {
        self.tap = Some(tap);
        self
    }

    /// The same with a time limit.
    #[must_use]
    pub fn with_timeout(mut self, timeout: Duration) -> Request {
        self.timeout = timeout;
        self
    }
}
