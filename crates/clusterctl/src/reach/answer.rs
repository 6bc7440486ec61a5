//! What a host said.

/// The end of a command that ran on a host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// How it ended.
    pub ended: Ended,
    /// Its standard output.
    pub stdout: Vec<u8>,
    /// Its standard error.
    pub stderr: Vec<u8>,
    /// Whether a stream was cut off at the request's limit; the command was then left without a
    /// reader, which ends it by SIGPIPE, and its own end is not known.
    pub cut_off: bool,
}

/// How a command on a host ended.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "RFC 4254 6.10 knows these ends")]
pub enum Ended {
    /// With an exit status.
    Exit(u32),
    /// By a signal, named without `SIG` (RFC 4254 6.10).
    Signal(String),
    /// By the request's time limit, which the host enforced.
    TimedOut,
}

impl Answer {
    /// Whether the command did what it should: exit status 0 and nothing cut off.
    pub fn succeeded(&self) -> bool {
        self.ended == Ended::Exit(0) && !self.cut_off
    }

    /// Why it failed, for a message: the exit and the last line of standard error.
    pub fn failure(&self) -> Option<String> {
        let end = match &self.ended {
            _ if self.cut_off => return Some("output cut off".to_owned()),
            Ended::Exit(0) => return None,
            Ended::Exit(status) => format!("exit {status}"),
            Ended::Signal(signal) => format!("signal {signal}"),
            Ended::TimedOut => "timed out".to_owned(),
        };
        let stderr = String::from_utf8_lossy(&self.stderr);
        match stderr.lines().map(str::trim).rfind(|line| !line.is_empty()) {
            Some(line) => Some(format!("{end}: {line}")),
            None => Some(end),
        }
    }
}
