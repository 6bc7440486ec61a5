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
if command -v getent >/dev/null 2>&1; then a=$(getent ahosts "$h" | sed -n '1s/[[:space:]].*//p'); fi
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
