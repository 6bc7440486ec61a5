//! From the command line to the end.

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use bmc_sim::{Make, vendor_rules};

use crate::arguments::{Arguments, Request, parse};
use crate::console::talk;
use crate::fleet::Fleet;
use crate::help::HELP;

/// Does what the command line says.
pub(crate) fn run(words: impl Iterator<Item = OsString>) -> ExitCode {
    let outcome = match parse(words) {
        Ok(Request::Help) => say(HELP),
        Ok(Request::Makes) => say(&makes()),
        Ok(Request::Rules) => say(&rules()),
        Ok(Request::Serve(arguments)) => serve(&arguments),
        Err(message) => {
            complain(&format!("{message}; --help says more"));
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            complain(&message);
            ExitCode::FAILURE
        }
    }
}

fn serve(arguments: &Arguments) -> Result<(), String> {
    let mut fleet = Fleet::start(arguments)?;
    let lines = (1..).zip(fleet.addresses());
    let lines = lines.map(|(number, (address, print))| {
        format!("{number} https://{address}/redfish/v1/ {print}\n")
    });
    say(&(lines.collect::<String>() + "ready\n"))?;
    if arguments.detached {
        loop {
            std::thread::park();
        }
    }
    let talked = talk(&mut fleet, io::stdin().lock(), io::stdout(), io::stderr());
    talked.map_err(|error| format!("standard input or output: {error}"))
}

fn makes() -> String {
    Make::ALL.iter().map(|(_, word)| format!("{word}\n")).collect()
}

/// Name, who has it, what was observed, and where that is reported.
fn rules() -> String {
    let row = |row: &bmc_sim::VendorRule| {
        let makes: Vec<&str> = row.makes.iter().map(|make| make.as_str()).collect();
        let makes = match (makes.is_empty(), row.always) {
            (true, _) => "any whose resources show it".to_owned(),
            (false, true) => makes.join(", "),
            (false, false) => format!("{}; only on request", makes.join(", ")),
        };
        format!("{} ({makes})\n    {}\n    source: {}\n", row.name, row.observed, row.source)
    };
    vendor_rules().map(row).collect()
}

fn say(text: &str) -> Result<(), String> {
    let mut out = io::stdout();
    let said = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    said.map_err(|error| format!("standard output: {error}"))
}

/// There is nobody else to tell where this fails.
fn complain(message: &str) {
    let _ = writeln!(io::stderr(), "bmc-sim: {message}");
}
