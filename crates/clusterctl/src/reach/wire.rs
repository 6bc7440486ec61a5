//! A request as it travels: the text of the exec request and the bytes of standard input.

use std::time::Duration;

use zeroize::Zeroizing;

use crate::reach::quote;
use crate::reach::{Delivery, Ended, Program, ReachError, ReachErrorKind, Request};

/// What goes over the wire for a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Wire {
    /// The command line of the exec request (RFC 4254 6.5), for the account's login shell.
    pub command: String,
    /// Standard input, sent whole and followed by its end.
    pub stdin: Zeroizing<Vec<u8>>,
    /// What stands before the status on standard error; another one for each request.
    mark: String,
}

/// How many bytes the status and its mark may take on standard error.
pub(super) const TRAILER: usize = 64;

/// Linux takes one argument of at most 128 KiB (`MAX_ARG_STRLEN`), and a login shell gets the
/// whole command as one, with its final zero byte.
const LONGEST_COMMAND: usize = 131_071;

/// Runs the words after the first two for at most `$1` seconds: by `timeout` (coreutils or
/// busybox), which signals the whole process group, else by a shell that signals the command
/// alone. Then it says on standard error, behind the mark `$2`, with what status they ended: an
/// end that was never told is no end, however the channel closed.
const BOUNDED: &str = "t=$1 m=$2; shift 2; \
if command -v timeout >/dev/null 2>&1; then timeout -k 5 \"$t\" \"$@\"; s=$?; else \
exec 3<&0; \"$@\" <&3 3<&- & c=$!; exec 3<&-; \
(sleep \"$t\"; kill $c; sleep 5; kill -9 $c) >/dev/null 2>&1 </dev/null & w=$!; \
wait $c; s=$?; kill $w 2>/dev/null; fi; printf '\\n%s %s\\n' \"$m\" \"$s\" >&2; exit $s";

impl Wire {
    /// The wire form of a request; refuses what no host could take.
    pub(super) fn of(request: &Request) -> Result<Wire, ReachError> {
        let seconds = whole_seconds(request.timeout).to_string();
        let mark = mark();
        let mut words = vec!["sh", "-c", BOUNDED, "sh", seconds.as_str(), mark.as_str()];
        let stdin = match &request.program {
            Program::Argv(argv) => {
                if argv.is_empty() {
                    return Err(refused("there is no command to run"));
                }
                words.extend(argv.iter().map(String::as_str));
                request.stdin.clone()
            }
            Program::ShellText(text) => {
                words.extend(["sh", "-c", "exec \"${SHELL:-sh}\" -c \"$1\"", "sh", text.as_str()]);
                request.stdin.clone()
            }
            Program::Script { text, words: parameters } => {
                words.extend(["sh", "-s", "--"]);
                words.extend(parameters.iter().map(String::as_str));
                whole_script(text)
            }
        };
        let command = quote::line(words);
        if command.contains('\0') {
            return Err(refused("a word of the command holds a zero byte"));
        }
        if command.len() > LONGEST_COMMAND {
            return Err(refused("the command is longer than 131,071 bytes"));
        }
        Ok(Wire { command, stdin, mark })
    }

    /// Takes the mark and the status out of standard error; `None` when they never came.
    pub(super) fn take_status(&self, stderr: &mut Vec<u8>) -> Option<u32> {
        let mark = format!("\n{} ", self.mark);
        let start = stderr.windows(mark.len()).rposition(|window| window == mark.as_bytes())?;
        let rest = &stderr[start + mark.len()..];
        let digits = rest.iter().position(|&byte| byte == b'\n')?;
        let status = std::str::from_utf8(&rest[..digits]).ok()?.parse().ok()?;
        stderr.drain(start..=start + mark.len() + digits);
        Some(status)
    }
}

/// The script as one compound command: a shell parses it to its closing brace before it runs any
/// of it, so a connection that breaks on the way leaves nothing half done. Its own input is empty.
fn whole_script(text: &str) -> Zeroizing<Vec<u8>> {
    Zeroizing::new(format!("{{ :\n{text}\n}} </dev/null\nexit\n").into_bytes())
}

/// A word that no command prints by chance.
pub(crate) fn mark() -> String {
    use std::hash::{BuildHasher as _, Hasher as _};
    let random = std::collections::hash_map::RandomState::new().build_hasher().finish();
    format!("clusterctl-{random:016x}")
}

/// Seconds, rounded up, at least one: `timeout 0` would mean no limit.
fn whole_seconds(duration: Duration) -> u64 {
    (duration.as_secs() + u64::from(duration.subsec_nanos() > 0)).max(1)
}

fn refused(why: &str) -> ReachError {
    ReachError::new(ReachErrorKind::Configuration, Delivery::NotSent, why)
}

/// How a command ended that has this status after `elapsed`: `timeout` says 124, or 137 when the
/// command had to be killed, and the shell 143 or 137, which counts only when the time was up.
pub(super) fn ended(status: u32, elapsed: Duration, limit: Duration) -> Ended {
    let time_is_up = elapsed >= Duration::from_secs(whole_seconds(limit));
    if time_is_up && matches!(status, 124 | 137 | 143) {
        Ended::TimedOut
    } else {
        Ended::Exit(status)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fraction_of_a_second_is_rounded_up() {
        assert_eq!(whole_seconds(Duration::from_millis(1)), 1);
        assert_eq!(whole_seconds(Duration::from_millis(1001)), 2);
        assert_eq!(whole_seconds(Duration::ZERO), 1);
    }

    #[test]
    fn a_command_no_kernel_takes_is_refused_before_anything_is_sent() {
        let error = Wire::of(&Request::argv(["echo", &"x".repeat(140_000)])).unwrap_err();
        assert_eq!(error.kind(), ReachErrorKind::Configuration);
        assert_eq!(error.delivery(), Delivery::NotSent);
        assert!(Wire::of(&Request::argv(["a\0b"])).is_err());
        assert!(Wire::of(&Request::argv::<String>([])).is_err());
    }
}
