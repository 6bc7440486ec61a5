//! A host from power-on to power-off.

use super::{dhcp, firmware, interface, root, services::Services};
use crate::command;
use crate::error::{Doing, Error};
use crate::requirements::PATH;
use crate::wire::{Address, Event, HostCommand, HostSpec, Stage};
use std::io::Write;
use std::process::Command;
use std::sync::mpsc;

/// Runs a host until the supervisor closes its standard input. Ends the process.
///
/// This is process 1 of the host's process namespace: the kernel ends all others with it.
pub(crate) fn run() -> Result<(), Error> {
    // Read through the machine's /proc, which the lab leaves mounted: the id is the machine's.
    let pid = std::fs::read_link("/proc/self").doing(|| "reading /proc/self".to_owned())?;
    let pid = pid.to_string_lossy().parse().unwrap_or(0);
    let mut first = String::new();
    std::io::stdin().read_line(&mut first).doing(|| "reading the host's plan".to_owned())?;
    let spec: HostSpec =
        serde_json::from_str(&first).doing(|| "reading the host's plan".to_owned())?;
    tell(&Event::Started { pid });

    // From here on a closed standard input is a cut power cord, whatever is being done.
    let (send, commands) = mpsc::channel();
    std::thread::spawn(move || {
        for line in std::io::stdin().lines().map_while(Result::ok) {
            if let Ok(command) = serde_json::from_str::<HostCommand>(&line) {
                let _ = send.send(command);
            }
        }
        std::process::exit(0);
    });

    match start(&spec) {
        Ok(Some(services)) => serve(&spec, &services, &commands),
        Ok(None) => serve(&spec, &Services::default(), &commands),
        Err(error) => {
            tell(&Event::Failed { reason: error.chain() });
            serve(&spec, &Services::default(), &commands);
        }
    }
    Ok(())
}

/// Tells the supervisor. Where nobody listens any more, the end is near anyway.
pub(super) fn tell(event: &Event) {
    let Ok(mut line) = serde_json::to_string(event) else { return };
    line.push('\n');
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(line.as_bytes()).and_then(|()| out.flush());
}

/// Everything up to running services; `None` where there was nothing to boot.
fn start(spec: &HostSpec) -> Result<Option<Services>, Error> {
    rustix::system::sethostname(spec.name.as_bytes())
        .doing(|| "setting the host name".to_owned())?;
    interface::up(&spec.address)?;
    let Some(generation) = firmware::boot(spec)? else { return Ok(None) };
    tell(&Event::Stage(Stage::Starting));
    let disk = spec.directory.join(format!("disk-{generation}"));
    root::enter(spec, &disk)?;
    if matches!(spec.address, Address::Dhcp) {
        dhcp::lease("/var/lib/dhcp".as_ref())?;
    }
    for argv in &spec.setup {
        let Some((program, arguments)) = argv.split_first() else { continue };
        command::run(Command::new(program).args(arguments).env_clear().env("PATH", PATH))?;
    }
    let host_key = root::host_key()?;
    let services = Services::start(&spec.services)?;
    tell(&Event::Up { host_key });
    Ok(Some(services))
}

/// Carries out commands while the services' ends are collected. Never returns: the process ends
/// when standard input closes.
fn serve(spec: &HostSpec, services: &Services, commands: &mpsc::Receiver<HostCommand>) {
    services.collect_in_background();
    for command in commands {
        let outcome = match command {
            HostCommand::Service { name, running: true } => services.start_one(&name),
            HostCommand::Service { name, running: false } => services.stop_one(&name),
            HostCommand::DiskFull(full) => root::fill(spec.link_space.as_ref(), full),
            HostCommand::ReadOnly { path, on } => root::read_only(&path, on),
        };
        tell(&Event::Done(outcome.map_err(|error| error.chain())));
    }
}
