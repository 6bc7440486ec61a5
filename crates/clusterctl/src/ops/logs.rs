//! Logs on the hosts of roles: the end of a file, or the lines of one program in it.

use serde::Serialize;

use crate::exit::Stop;
use crate::output::{Outcome, Output, escape};
use crate::reach::{Request, Target};
use crate::session::Session;

#[derive(Debug, Serialize)]
struct Lines {
    path: String,
    lines: Vec<String>,
}

/// Reads a whole file or fails: a pipe would hide that there is none. `$1` is the file, `$2` how
/// many lines, `$3` a basic regular expression that a line has to match.
const SCRIPT: &str = r#"
set -u
[ -r "$1" ] || { cat -- "$1" >/dev/null; exit 1; }
if [ -n "$3" ]; then grep -e "$3" -- "$1" | tail -n "$2"; else tail -n "$2" -- "$1"; fi
"#;

/// `boot log`: what the PXE service wrote.
pub fn boot(session: &Session, lines: u32) -> Result<Outcome, Stop> {
    let settings = &session.site().settings().services.pxesrv;
    let target = session.role("services.pxesrv.role", settings.role.as_deref())?;
    tail(session, &target, &settings.log_path, lines, "")
}

/// `dhcp log`: what the DHCP server wrote, in both formats of syslog.
pub fn dhcp(session: &Session, lines: u32) -> Result<Outcome, Stop> {
    let settings = &session.site().settings().services.dhcp;
    let target = session.role("services.dhcp.role", settings.role.as_deref())?;
    tail(session, &target, &settings.log_path, lines, r"[[:space:]]dhcpd\(\[[0-9]*\]\)\{0,1\}:")
}

fn tail(
    session: &Session,
    target: &Target,
    path: &str,
    lines: u32,
    pattern: &str,
) -> Result<Outcome, Stop> {
    let words = [path.to_owned(), lines.to_string(), pattern.to_owned()];
    let found = session.must_ask(target, Request::script_with(SCRIPT, words))?;
    let text = String::from_utf8_lossy(&found);
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let human: String = lines.iter().map(|line| escape::line(line) + "\n").collect();
    let value = Lines { path: path.to_owned(), lines };
    Ok(Outcome::of(Output::text(human, &value)))
}
