//! What each verb does.

use super::arguments::{Arguments, Verb};
use super::demo;
use crate::error::{Doing, Error};
use crate::lab::{self, Lab};
use crate::options::Options;
use crate::{bench, host, pxe, supervisor};
use clap::Parser;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::io::Write;
use std::process::{Command, ExitCode};
use std::time::Instant;

/// Runs the program. Exit codes: the command's own, 1 where the lab failed.
pub fn main() -> ExitCode {
    match carry_out(Arguments::parse().verb) {
        Ok(code) => code,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "lab: {}", error.chain());
            ExitCode::FAILURE
        }
    }
}

fn carry_out(verb: Verb) -> Result<ExitCode, Error> {
    match verb {
        Verb::Up(site) => up(&site.options()),
        Verb::Run { site, command } => inside(&start(&site.options())?, &command),
        Verb::Shell { lab: Some(id), .. } => inside(&Lab::join(&Lab::find(Some(&id))?)?, &[]),
        Verb::Shell { site, lab: None } => inside(&start(&site.options())?, &[]),
        Verb::On { lab, host, command } => {
            let lab = Lab::join(&Lab::find(lab.as_deref())?)?;
            let (program, arguments) = command.split_first().map_or(("sh", &[][..]), split);
            status(lab.command_on(&host, program)?.args(arguments))
        }
        Verb::Snapshot { lab } => {
            let snapshot = Lab::join(&Lab::find(lab.as_deref())?)?.snapshot()?;
            let text = serde_json::to_string_pretty(&snapshot);
            say(&text.doing(|| "writing the snapshot".to_owned())?)
        }
        Verb::Demo(site) => demo::demo(&start(&site.options())?),
        Verb::Bench { only } => bench::bench(&only).map(|()| ExitCode::SUCCESS),
        Verb::List => {
            let names = lab::running()?;
            let names = names.iter().filter_map(|run| run.file_name()?.to_str());
            say(&names.collect::<Vec<_>>().join("\n"))
        }
        Verb::Sweep => say(&lab::sweep()?.join("\n")),
        Verb::Supervise { run } => supervisor::supervise(&run).map(|()| ExitCode::SUCCESS),
        Verb::Host => host::run().map(|()| ExitCode::SUCCESS),
        Verb::Chassis { socket, node, words } => {
            say(lab::chassis(&socket, &node, words)?.trim_end())
        }
        Verb::Pxesrv(service) => pxe::run(service).map(|()| ExitCode::SUCCESS),
    }
}

fn split<'a>((program, arguments): (&'a String, &'a [String])) -> (&'a str, &'a [String]) {
    (program, arguments)
}

fn start(options: &Options) -> Result<Lab, Error> {
    let begin = Instant::now();
    let lab = Lab::start(options)?;
    let machines = lab.plan().nodes().count();
    let seconds = begin.elapsed().as_secs_f64();
    let _ = writeln!(
        std::io::stderr(),
        "lab {}: {machines} nodes and their site up in {seconds:.1} s",
        lab.id()
    );
    Ok(lab)
}

fn up(options: &Options) -> Result<ExitCode, Error> {
    let mut signals = Signals::new([SIGINT, SIGTERM]).doing(|| "waiting for signals".to_owned())?;
    let lab = start(options)?;
    say(&format!("lab shell --lab {0}   opens a shell on its workstation", lab.id()))?;
    signals.forever().next();
    Ok(ExitCode::SUCCESS)
}

/// Runs a command, or a shell, on the workstation.
fn inside(lab: &Lab, command: &[String]) -> Result<ExitCode, Error> {
    // An interrupt is for the command; the lab is torn down once that has ended.
    let _signals = Signals::new([SIGINT, SIGTERM]).doing(|| "waiting for signals".to_owned())?;
    if let Some((program, arguments)) = command.split_first() {
        return status(lab.workstation().command(program).args(arguments));
    }
    let mut shell = lab.workstation().command("bash");
    status(shell.args(["--norc", "-i"]).env("PS1", "workstation \\w # "))
}

fn status(command: &mut Command) -> Result<ExitCode, Error> {
    let status = command.status().doing(|| format!("running {command:?}"))?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}

fn say(text: &str) -> Result<ExitCode, Error> {
    let mut out = std::io::stdout();
    if !text.is_empty() {
        writeln!(out, "{text}").doing(|| "writing to standard output".to_owned())?;
    }
    Ok(ExitCode::SUCCESS)
}
