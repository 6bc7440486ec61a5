//! `dhcp capture`: the packets at the DHCP server.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde::Serialize;

use crate::cause::Cause;
use crate::exit::{ExitClass, Stop};
use crate::output::{Live, Outcome, Output, escape, plural};
use crate::reach::{ReachErrorKind, Request, Tap};
use crate::session::Session;

#[derive(Debug, Serialize)]
struct Heard {
    interface: String,
    seconds: u32,
    packets: Vec<String>,
}

/// Listens on interface `$1` for `$2` seconds, then ends tcpdump(8) as a person would: the time is
/// over is a success. `-p` leaves the interface as it is.
const SCRIPT: &str = r#"
set -u
timeout -k 5 -s INT "$2" tcpdump -l -n -e -p -i "$1" 'udp and (port 67 or port 68 or port 546 or port 547)'
status=$?
[ "$status" -ne 124 ] || exit 0
exit "$status"
"#;

/// How much longer than the capture the host may take.
const MARGIN: Duration = Duration::from_secs(15);

/// Shows DHCP packets, of IPv4 and IPv6, as they come. Nothing is changed, and the host itself ends
/// it when the time is over, whatever becomes of the connection.
pub fn capture(session: &Session, interface: Option<&str>, seconds: u32) -> Result<Outcome, Stop> {
    let settings = &session.site().settings().services.dhcp;
    let target = session.role("services.dhcp.role", settings.role.as_deref())?;
    let interface = interface.unwrap_or(&settings.interface).to_owned();
    if interface.is_empty() || interface.starts_with('-') {
        return Err(Stop::usage(format!("{interface:?} is no interface")));
    }
    let words = [interface.clone(), seconds.to_string()];
    let limit = Duration::from_secs(seconds.into()) + MARGIN;
    let mut request = Request::script_with(SCRIPT, words).with_timeout(limit);
    let live = session.live();
    if let Some(live) = &live {
        request = request.with_tap(line_by_line(live.clone()));
    }
    let answer = match session.ask(&target, request) {
        Ok(answer) => answer,
        // Ctrl-C is how a person ends it.
        Err(error) if error.kind() == ReachErrorKind::Interrupted => return Ok(Outcome::default()),
        Err(error) => return Err(session.stop_of_reach(&target, &error)),
    };
    let text = String::from_utf8_lossy(&answer.stdout).into_owned();
    let packets: Vec<String> =
        text.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect();
    let stop = Cause::of_answer(&answer).map(|cause| {
        Stop::with_class(
            ExitClass::Failed,
            format!("{}, {interface}: {}", target.name, cause.detail),
        )
    });
    let count = plural::count(packets.len(), "packet");
    let during = plural::count(seconds.try_into().unwrap_or(usize::MAX), "second");
    let note = format!("{count} on {interface} of {} in {during}", target.name);
    let outcome = if live.is_some() {
        Outcome::default()
    } else {
        let human: String = packets.iter().map(|line| escape::line(line) + "\n").collect();
        Outcome::of(Output::text(human, &Heard { interface, seconds, packets }))
    };
    let outcome = if stop.is_none() { outcome.with_note(note) } else { outcome };
    Ok(outcome.with_stop(stop))
}

/// Whole lines as soon as they are there.
fn line_by_line(live: Live) -> Tap {
    let rest: Mutex<Vec<u8>> = Mutex::default();
    Tap::new(move |piece| {
        let mut rest = rest.lock().unwrap_or_else(PoisonError::into_inner);
        rest.extend_from_slice(piece);
        while let Some(end) = rest.iter().position(|&byte| byte == b'\n') {
            let line: Vec<u8> = rest.drain(..=end).collect();
            // tcpdump ends with an empty line.
            if end > 0 {
                live(&String::from_utf8_lossy(&line[..end]));
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

    #[test]
    fn lines_are_shown_when_they_are_whole() {
        let shown = Arc::new(Mutex::new(Vec::new()));
        let sink = Arc::clone(&shown);
        let tap =
            line_by_line(Arc::new(move |line: &str| sink.lock().unwrap().push(line.to_owned())));
        for piece in ["a", "b\nc", "", "\n\nd"] {
            tap.hear(piece.as_bytes());
        }
        assert_eq!(*shown.lock().unwrap(), ["ab", "c"]);
    }
}
