//! The control socket: one request a connection, one thread a request.

use super::site::Site;
use crate::error::{Doing, Error};
use crate::wire::{Answer, BmcRequest, HostCommand, IpmiRequest, Request};
use serde_json::Value;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::sync::Arc;

/// Answers requests until the process ends.
pub(super) fn serve(path: &Path, site: &Arc<Site>) -> Result<(), Error> {
    let listener = UnixListener::bind(path).doing(|| format!("listening on {}", path.display()))?;
    let site = Arc::clone(site);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let site = Arc::clone(&site);
            std::thread::spawn(move || {
                let _ = answer(&stream, &site);
            });
        }
    });
    Ok(())
}

fn answer(mut stream: &UnixStream, site: &Site) -> std::io::Result<()> {
    let Some(line) = BufReader::new(stream).lines().next().transpose()? else { return Ok(()) };
    let answer = match serde_json::from_str::<Request>(&line) {
        Ok(request) => match carry_out(site, request) {
            Ok(value) => Answer::Ok(value),
            Err(error) => Answer::Error(error.chain()),
        },
        Err(error) => Answer::Error(format!("not a request: {error}")),
    };
    let mut line = serde_json::to_string(&answer)?;
    line.push('\n');
    stream.write_all(line.as_bytes())
}

fn carry_out(site: &Site, request: Request) -> Result<Value, Error> {
    let done = |()| Value::Null;
    match request {
        Request::Overview => value(&site.overview()),
        Request::Host(name) => value(&site.state(&name)?),
        Request::Node(name) => value(&site.node(&name)?.state()),
        Request::Power { node, on } => site.power(&node, on).map(done),
        Request::Bmc { node, what } => ask_bmc(site, &node, what),
        Request::Ipmi { node, what } => ask_ipmi(site, &node, what),
        Request::Link { host, up } => site.link(&host, up).map(done),
        Request::Running { host, on } => site.running(&host, on).map(done),
        Request::Service { host, service, on } => {
            site.command(&host, &HostCommand::Service { name: service, running: on }).map(done)
        }
        Request::DiskFull(full) => {
            site.command("installer", &HostCommand::DiskFull(full)).map(done)
        }
        Request::ReadOnly { host, path, on } => {
            site.command(&host, &HostCommand::ReadOnly { path, on }).map(done)
        }
        Request::Links => value(&site.links()),
        Request::Snapshot => value(&site.snapshot()),
    }
}

fn ask_bmc(site: &Site, node: &str, what: BmcRequest) -> Result<Value, Error> {
    let processor = site.processor(node)?;
    let bmc = processor.bmc();
    match what {
        BmcRequest::State => return value(&bmc.state()),
        BmcRequest::Requests => return value(&bmc.requests()),
        BmcRequest::Rules => return value(&bmc.rules()),
        BmcRequest::Forget => bmc.clear_requests(),
        BmcRequest::Fault(fault) => drop(bmc.add_fault(fault)),
        BmcRequest::SetRules(rules) => bmc.set_rules(*rules),
        BmcRequest::SetOverride(boot) => bmc.set_boot_override(boot),
        BmcRequest::Reachable(on) => site.bmc_reachable(node, on)?,
        BmcRequest::Listening(on) => processor.listen(on)?,
        BmcRequest::Hanging(on) => processor.hang(on)?,
        BmcRequest::Heal => {
            bmc.clear_faults();
            site.bmc_reachable(node, true)?;
            processor.listen(true)?;
            processor.hang(false)?;
        }
    }
    Ok(Value::Null)
}

fn ask_ipmi(site: &Site, node: &str, what: IpmiRequest) -> Result<Value, Error> {
    let ipmi = site.ipmi(node)?;
    match what {
        IpmiRequest::Chassis(words) => {
            return value(&ipmi.chassis(&words, site.processor(node)?.boot())?);
        }
        IpmiRequest::Calls => return value(&ipmi.calls()),
        IpmiRequest::Listening(on) => {
            ipmi.listen(on)?;
            if on {
                ipmi.wait_until_ready()?;
            }
        }
        IpmiRequest::Fail(fault) => ipmi.fail(fault),
    }
    Ok(Value::Null)
}

fn value(value: &impl serde::Serialize) -> Result<Value, Error> {
    serde_json::to_value(value).doing(|| "writing an answer".to_owned())
}
