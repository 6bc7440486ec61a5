//! The way in: from the process's arguments and environment to a result on its streams.
//!
//! The only place that reads the environment and writes the result.

use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::mem::ManuallyDrop;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Parser as _;

use crate::cli::{Arguments, Command, ConfigCommand, Global, Init, NodeSet};
use crate::config::{self, Documents, Inputs, Resolved};
use crate::diagnostics;
use crate::exit::{ExitClass, Stop};
use crate::gate::{Switches, Terminal};
use crate::interrupt::Interrupt;
use crate::ops;
use crate::output::{Format, Live, Outcome};
use crate::reach::Transports;
use crate::session::{Parts, Session};
use crate::site::Site;

mod bmc;
mod boot;
mod dhcp;
mod dispatch;
mod exec;
mod hostkey;
mod local;
mod node;
mod provision;
mod slurm;
mod ssh_settings;

/// Runs the program: parses, carries out, renders, and gives the exit code.
pub fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version are results; everything else is a mistake in what was typed.
            let class = if error.use_stderr() { ExitClass::Usage } else { ExitClass::Success };
            let _ = error.print();
            return ExitCode::from(class.code());
        }
    };
    let interrupt = Interrupt::new();
    if let Err(error) = interrupt.listen() {
        return fail(&Stop::failed(format!("signals cannot be listened to: {error}")));
    }
    let environment = environment();
    match run(arguments, &interrupt, environment) {
        Ok(code) => code,
        Err(stop) => fail(&stop),
    }
}

fn environment() -> BTreeMap<String, String> {
    let text = |(name, value): (std::ffi::OsString, std::ffi::OsString)| {
        Some((name.into_string().ok()?, value.into_string().ok()?))
    };
    std::env::vars_os().filter_map(text).collect()
}

fn run(
    arguments: Arguments,
    interrupt: &Interrupt,
    environment: BTreeMap<String, String>,
) -> Result<ExitCode, Stop> {
    // Before anything is sent: a program that cannot print its result does not begin.
    let format: Format = arguments.global.output.as_deref().unwrap_or("table").parse()?;
    let inputs = inputs(&arguments.global, environment)?;
    let outcome = match arguments.command {
        Command::Config(command) => {
            arguments.global.refuse_node_set()?;
            configuration(&arguments.global, &inputs, interrupt, command)?
        }
        command => {
            let name = dispatch::name(&command);
            let nodes = dispatch::node_set(&command, &arguments.global, &inputs)?;
            if let Some(outcome) = local::carry_out(&command, &nodes, &inputs) {
                return Ok(print(&outcome?, &format, interrupt));
            }
            let here = inputs.working_directory.clone();
            let mut parts = parts(&arguments.global, inputs, interrupt, name)?;
            parts.live = live(&format);
            dispatch::carry_out(&Session::new(parts), command, &nodes, &here)?
        }
    };
    Ok(print(&outcome, &format, interrupt))
}

fn inputs(global: &Global, environment: BTreeMap<String, String>) -> Result<Inputs, Stop> {
    let working_directory = std::env::current_dir()
        .map_err(|error| Stop::usage(format!("the working directory is not to be had: {error}")))?;
    let host_name = rustix::system::uname().nodename().to_string_lossy().into_owned();
    Ok(Inputs {
        config: global.config.clone(),
        context: global.context.clone(),
        set: global.set.clone(),
        fanout: global.fanout,
        environment,
        working_directory,
        host_name,
    })
}

fn resolved(inputs: &Inputs) -> Result<Resolved, Stop> {
    // Read once a run and never taken apart, as the site that comes of it.
    let documents = ManuallyDrop::new(Documents::read(inputs)?);
    Ok(config::resolve(&documents, inputs)?)
}

/// Standard output, where the format is made for people: lines show as they come.
fn live(format: &Format) -> Option<Live> {
    let show = |line: &str| {
        let mut stdout = io::stdout().lock();
        let line = crate::output::escape::line(line);
        // A reader that has seen enough is no failure of the command.
        let _ = writeln!(stdout, "{line}").and_then(|()| stdout.flush());
    };
    matches!(format, Format::Table | Format::Wide).then(|| Arc::new(show) as Live)
}

fn parts(
    global: &Global,
    inputs: Inputs,
    interrupt: &Interrupt,
    command: &str,
) -> Result<Parts, Stop> {
    let site = Site::new(resolved(&inputs)?)?;
    // What lies there is acted on: the newest run, certificates, configurations of ssh.
    config::check_private_directory(&site.resolved().state_directory)?;
    let reach = Transports::new(ssh_settings::ssh_settings(&site, &inputs), interrupt.clone());
    Ok(Parts {
        site,
        reach: Arc::new(reach),
        person: Arc::new(Terminal::new(interrupt.clone())),
        interrupt: interrupt.clone(),
        switches: Switches { dry_run: global.dry_run, yes: global.yes, force: global.force },
        program: program(global),
        environment: inputs.environment,
        command: command.to_owned(),
        live: None,
    })
}

/// How this program is called, with the options that lead to the same configuration.
fn program(global: &Global) -> String {
    let mut words = vec!["clusterctl".to_owned()];
    for path in &global.config {
        words.push(format!("--config {}", crate::reach::quote_word(&path.display().to_string())));
    }
    if let Some(context) = &global.context {
        words.push(format!("--context {}", crate::reach::quote_word(context)));
    }
    words.join(" ")
}

fn configuration(
    global: &Global,
    inputs: &Inputs,
    interrupt: &Interrupt,
    command: ConfigCommand,
) -> Result<Outcome, Stop> {
    match command {
        ConfigCommand::Init(init) => {
            let Init { dir, site, cluster, domain, user, login } = init;
            let names = ops::config::Names { site, cluster, domain, user, login };
            let scaffold = ops::config::Scaffold::new(dir.as_deref(), names, inputs)?;
            // As one who works with nothing but the new documents reads them.
            scaffold.write(global.dry_run, |folder| {
                let working_directory = folder.to_owned();
                let config = vec![folder.to_owned()];
                let home = folder.display().to_string();
                let environment = BTreeMap::from([("HOME".to_owned(), home)]);
                let inputs = Inputs { config, environment, working_directory, ..Inputs::default() };
                Site::new(config::resolve(&Documents::read(&inputs)?, &inputs)?).map(drop)
            })
        }
        ConfigCommand::Validate => {
            let outcome = ops::config::validate(inputs, |resolved| Site::new(resolved).map(drop))?;
            // What only changes look at; of protected groups that a command knows, the host is asked.
            let parts = parts(global, inputs.clone(), interrupt, "config validate")?;
            Session::new(parts).gate().check_site()?;
            Ok(outcome)
        }
        ConfigCommand::View { show_sources } => {
            Ok(ops::config::view(&resolved(inputs)?, show_sources))
        }
        ConfigCommand::Explain { path } => ops::config::explain(&resolved(inputs)?, &path),
        ConfigCommand::Schema { kind } => ops::config::show_schema(kind.as_deref()),
        ConfigCommand::Contexts => {
            let documents = Documents::read(inputs)?;
            let current = config::resolve(&documents, inputs).ok();
            ops::config::contexts(&documents, current.as_ref().map(|r| r.context.name.as_str()))
        }
        ConfigCommand::UseContext { name } => {
            let inputs = Inputs { context: Some(name), ..inputs.clone() };
            Ok(ops::config::use_context(&resolved(&inputs)?))
        }
    }
}

/// The result on standard output, notes and the failure on standard error.
fn print(outcome: &Outcome, format: &Format, interrupt: &Interrupt) -> ExitCode {
    let mut class = outcome.class();
    if let Some(output) = &outcome.output {
        match output.render(format) {
            Ok(text) => {
                let mut stdout = io::stdout().lock();
                let written = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
                // A reader that has seen enough is no failure of the command.
                if let Err(error) = written
                    && error.kind() != io::ErrorKind::BrokenPipe
                {
                    tell(&format!("clusterctl: standard output: {error}"));
                    class = class.max(ExitClass::Failed);
                }
            }
            Err(error) => {
                tell(&format!("clusterctl: {}", diagnostics::chain(&error)));
                class = class.max(crate::exit::Classify::exit_class(&error));
            }
        }
    }
    for note in &outcome.notes {
        tell(&crate::output::escape::lines(note));
    }
    if let Some(stop) = &outcome.stop {
        tell(&format!("clusterctl: {}", diagnostics::chain(stop.error())));
    }
    if interrupt.is_raised() {
        class = ExitClass::Interrupted;
    }
    ExitCode::from(class.code())
}

fn fail(stop: &Stop) -> ExitCode {
    tell(&format!("clusterctl: {}", diagnostics::chain(stop.error())));
    ExitCode::from(stop.class().code())
}

fn tell(text: &str) {
    // A closed standard error leaves nobody to tell.
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// The node set of a command: what was typed, else the variable.
fn nodes(global: &Global, argument: Option<&str>, inputs: &Inputs) -> Result<NodeSet, Stop> {
    global.node_set(argument, inputs.variable("CLUSTERCTL_NODES"))
}
