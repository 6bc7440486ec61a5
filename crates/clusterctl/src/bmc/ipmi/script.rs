//! The POSIX scripts that run on the role's host.
//!
//! Host names are positional parameters, never text of a script. The password comes by standard
//! input and goes into a file that has lost its name before anything is written to it: programs
//! open it as `/proc/self/fd/9`, and it is gone with the last process, however that ends.

use std::time::Duration;

use crate::reach::{quote_line, quote_word};

/// Where programs find the password.
pub(super) const SECRET: &str = "/proc/self/fd/9";

/// `$m` is the mark of lines that are the script's own.
const PROLOGUE: &str = r#"m=$1; shift; umask 077
for d in /dev/shm "${TMPDIR:-/tmp}" /tmp; do [ -d "$d" ] && [ -w "$d" ] && break; done
s=$(mktemp "$d/clusterctl.XXXXXX") || exit 71
exec 8>"$s" 9<"$s"
rm -f "$s" || exit 71
cat >&8 || exit 71
exec 8>&-
printf '%s ready\n' "$m"
"#;

/// Numbers the service processors and starts a job for each, so many at a time.
const JOBS: &str = r#"if command -v timeout >/dev/null 2>&1; then t="timeout -k 2 $SECONDS_LEFT"; else t=; fi
export t; i=0
for h do i=$((i+1)); printf '%s %s\n' "$i" "$h"; done |
"#;

/// Looks up every name here, since the program gives up on all of them for one that it cannot.
const LOOK_UP: &str = r#"i=0; l=
for h do
i=$((i+1)); a=$h
if command -v getent >/dev/null 2>&1; then a=$(getent ahosts "$h" 2>/dev/null | sed -n '1s/[[:space:]].*//p'); fi
printf '%s %s @%s\n' "$m" "$i" "$a"
[ -z "$a" ] || l=$l,$a
done
[ -n "$l" ] || exit 0
"#;

/// A program that is started once a service processor: `before` and `after` are its words before
/// and after `-H HOST`. `$0` is the mark, `$1` the number, `$2` the host.
pub(super) fn one_by_one(before: &[&str], after: &[&str], width: usize, limit: Duration) -> String {
    let program = quote_line(before.iter().copied());
    let command = quote_line(after.iter().copied());
    let job = format!(
        "{{ {{ {{ $t {program} -H \"$2\" {command} 2>&1 >&5 </dev/null\n\
         printf '%s\\n' \"$0 $1 =$?\" >&6\n\
         }} | sed \"s/^/$0 $1 !/\" >&6\n\
         }} 5>&1 | sed \"s/^/$0 $1 +/\" >&6\n\
         }} 6>&1"
    );
    let jobs = JOBS.replace("$SECONDS_LEFT", &limit.as_secs().max(1).to_string());
    let job = quote_word(&job);
    format!("{PROLOGUE}{jobs}LC_ALL=C xargs -n 2 -P {width} sh -c {job} \"$m\"\n")
}

/// A program that takes all hosts at once, comma separated after `-h`.
pub(super) fn all_at_once(program: &[&str]) -> String {
    let program = quote_line(program.iter().copied());
    format!("{PROLOGUE}{LOOK_UP}LC_ALL=C {program} -h \"${{l#,}}\" </dev/null\n")
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;
    use std::path::Path;
    use std::process::{Command, Stdio};

    use super::*;
    use crate::bmc::ipmi::record::{Transcript, read};

    const SHELLS: [&[&str]; 3] = [&["sh"], &["bash", "--posix"], &["busybox", "sh"]];

    /// Runs a script as the role's host would, with this secret on its standard input.
    fn run(shell: &[&str], script: &str, hosts: &[&str], there: &Path) -> Option<Transcript> {
        let mut command = Command::new(shell[0]);
        command.args(&shell[1..]).args(["-c", script, "sh", "mark"]).args(hosts);
        command.current_dir(there).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().ok()?;
        child.stdin.take().unwrap().write_all(b"secret #1\n").unwrap();
        let output = child.wait_with_output().unwrap();
        Some(read(&output.stdout, "mark", hosts.len()))
    }

    fn each_shell(script: &str, hosts: &[&str], check: impl Fn(&Transcript, &Path)) {
        let mut ran = 0;
        for shell in SHELLS {
            let there = tempfile::tempdir().unwrap();
            let Some(transcript) = run(shell, script, hosts, there.path()) else { continue };
            assert!(transcript.ready, "{shell:?}: {transcript:?}");
            check(&transcript, there.path());
            ran += 1;
        }
        assert!(ran > 0, "there is no shell");
    }

    #[test]
    fn every_program_finds_the_secret_and_what_it_says_is_its_hosts() {
        // `-H HOST` and the words after it are the tool's; it prints them and the secret.
        let tool = "printf '%s\\n' \"$*\"; cat /proc/self/fd/9; echo oops >&2; exit 3";
        let script = one_by_one(&["sh", "-c", tool, "sh"], &["power", "it's"], 2, MINUTE);
        each_shell(&script, &["10.0.0.1", "exe2", "fe80::1"], |transcript, _| {
            for (told, host) in transcript.told.iter().zip(["10.0.0.1", "exe2", "fe80::1"]) {
                let said = [format!("-H {host} power it's"), "secret #1".to_owned()];
                assert_eq!((told.status, &told.stdout[..]), (Some(3), &said[..]));
                assert_eq!(told.stderr, ["oops"]);
            }
        });
        let tool = "cat /proc/self/fd/9; for word; do printf '%s\\n' \"$word\"; done";
        let script = all_at_once(&["sh", "-c", tool, "sh", "--stat"]);
        each_shell(&script, &["127.0.0.1", "::1", "no.such.host.invalid"], |transcript, _| {
            assert_eq!(transcript.lines, ["secret #1", "--stat", "-h", "127.0.0.1,::1"]);
            let addresses = transcript.told.iter().map(|told| told.address.as_deref());
            assert!(addresses.eq([Some("127.0.0.1"), Some("::1"), Some("")]));
        });
    }

    #[test]
    fn a_host_is_a_word_whatever_it_says() {
        // None of these is a host name; should one get here all the same, nothing is evaluated.
        let hosts = ["$(touch>a)", "`touch>b`", ";touch>c", "&touch>d", "|touch>e", "-x", "*"];
        for script in [one_by_one(&["true"], &["power"], 2, MINUTE), all_at_once(&["true"])] {
            each_shell(&script, &hosts, |_, there| {
                assert_eq!(std::fs::read_dir(there).unwrap().count(), 0, "{script}");
            });
        }
    }

    const MINUTE: Duration = Duration::from_mins(1);
}
