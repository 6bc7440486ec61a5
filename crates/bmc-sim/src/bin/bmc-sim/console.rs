//! Lines on standard input while the BMCs are served.

use std::io::{self, BufRead, Write};

use crate::fleet::Fleet;

/// Does what the lines say until they end. A line that is not understood is told, and changes nothing.
pub(crate) fn talk(
    fleet: &mut Fleet,
    lines: impl BufRead,
    mut answers: impl Write,
    mut complaints: impl Write,
) -> io::Result<()> {
    for line in lines.lines() {
        if let Err(message) = obey(fleet, line?.trim(), &mut answers)? {
            writeln!(complaints, "bmc-sim: {message}")?;
        }
        answers.flush()?;
    }
    Ok(())
}

fn obey(fleet: &mut Fleet, line: &str, answers: &mut impl Write) -> io::Result<Result<(), String>> {
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    match (word, rest) {
        ("", _) => {}
        ("fault", rest) => match rest.parse() {
            Ok(script) => fleet.add(&script),
            Err(message) => return Ok(Err(message)),
        },
        ("clear", "") => {
            if let Err(message) = fleet.clear() {
                return Ok(Err(message));
            }
        }
        ("state", "") => {
            for bmc in fleet.bmcs() {
                writeln!(answers, "{}", serde_json::to_string(&bmc.state())?)?;
            }
        }
        ("requests", "") => {
            for (number, bmc) in (1..).zip(fleet.bmcs()) {
                for request in bmc.requests() {
                    let line = serde_json::json!({"bmc": number, "request": request});
                    writeln!(answers, "{line}")?;
                }
            }
        }
        _ => return Ok(Err(format!("{line:?} is none of: fault FAULT, clear, state, requests"))),
    }
    writeln!(answers, "done")?;
    Ok(Ok(()))
}
