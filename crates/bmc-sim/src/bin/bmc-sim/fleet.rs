//! All BMCs of one process.

use std::fs;
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::sync::Arc;

use bmc_sim::{Bmc, Effect, Fault, Identity, MemoryMachine, Running, Tree};

use crate::arguments::{Arguments, Misfortune, Script, Spread};

/// The BMCs, in their order.
#[derive(Debug)]
pub(crate) struct Fleet {
    members: Vec<Member>,
}

#[derive(Debug)]
struct Member {
    bmc: Bmc,
    address: SocketAddr,
    /// `None` while it refuses connections.
    running: Option<Running>,
}

impl Fleet {
    /// Builds and serves them.
    pub(crate) fn start(arguments: &Arguments) -> Result<Self, String> {
        raise_descriptor_limit();
        let tree = match (&arguments.recording, arguments.make) {
            (Some(path), _) => Tree::recording(path).map_err(|error| told(&error))?,
            (None, Some(make)) => Tree::of_make(make),
            (None, None) => Tree::built_in(),
        };
        let shared = arguments.identity.as_ref().map(identity).transpose()?;
        let mut fleet = Self { members: Vec::new() };
        for index in 0..arguments.count {
            let wanted = address(arguments, index)
                .ok_or_else(|| format!("no room for {} BMCs there", arguments.count))?;
            let identity = match &shared {
                Some(identity) => identity.clone(),
                None => Identity::generate(["localhost".to_owned(), wanted.ip().to_string()])
                    .map_err(|error| told(&error))?,
            };
            let bmc = build(arguments, tree.clone(), identity)?;
            if let Some(latency) = arguments.latency {
                bmc.add_fault(Fault::new(Effect::Delay(latency)));
            }
            let (running, address) = serve(&bmc, wanted)?;
            fleet.members.push(Member { bmc, address, running: Some(running) });
        }
        for script in &arguments.faults {
            fleet.add(script);
        }
        Ok(fleet)
    }

    /// Adds a fault to the BMCs it names.
    pub(crate) fn add(&mut self, script: &Script) {
        for (number, member) in (1..).zip(&mut self.members) {
            if script.meets(number) {
                match &script.what {
                    Misfortune::Requests(fault) => drop(member.bmc.add_fault(fault.clone())),
                    Misfortune::Closed => member.running = None,
                    Misfortune::Silent => {
                        if let Some(running) = &member.running {
                            running.pause();
                        }
                    }
                }
            }
        }
    }

    /// Removes every fault; closed and silent ones answer again.
    pub(crate) fn clear(&mut self) -> Result<(), String> {
        for member in &mut self.members {
            member.bmc.clear_faults();
            match &member.running {
                Some(running) => running.resume(),
                None => member.running = Some(serve(&member.bmc, member.address)?.0),
            }
        }
        Ok(())
    }

    /// Where each listens, and the fingerprint it shows.
    pub(crate) fn addresses(&self) -> impl Iterator<Item = (SocketAddr, String)> {
        self.members.iter().map(|member| (member.address, member.bmc.fingerprint()))
    }

    pub(crate) fn bmcs(&self) -> impl Iterator<Item = &Bmc> {
        self.members.iter().map(|member| &member.bmc)
    }
}

fn build(arguments: &Arguments, tree: Tree, identity: Identity) -> Result<Bmc, String> {
    let mut builder = Bmc::builder().tree(tree).identity(identity);
    for (user, password) in &arguments.accounts {
        builder = builder.credentials(user, password);
    }
    for name in &arguments.with {
        builder = builder.with_rule(name);
    }
    for name in &arguments.without {
        builder = builder.without_rule(name);
    }
    if let Some(power) = arguments.power {
        builder = builder.machine(Arc::new(MemoryMachine::new(power)));
    }
    builder.build().map_err(|error| told(&error))
}

fn serve(bmc: &Bmc, wanted: SocketAddr) -> Result<(Running, SocketAddr), String> {
    let listener =
        TcpListener::bind(wanted).map_err(|error| format!("listening on {wanted}: {error}"))?;
    let running = bmc.serve(listener).map_err(|error| told(&error))?;
    let address = running.address();
    Ok((running, address))
}

/// Where the BMC of this index listens; `None` where addresses or ports run out.
fn address(arguments: &Arguments, index: u32) -> Option<SocketAddr> {
    let first = arguments.listen;
    match arguments.spread {
        Spread::Ports if first.port() == 0 => Some(first),
        Spread::Ports => {
            let port = first.port().checked_add(index.try_into().ok()?)?;
            Some(SocketAddr::new(first.ip(), port))
        }
        Spread::Addresses => {
            let ip = match first.ip() {
                IpAddr::V4(ip) => IpAddr::V4(ip.to_bits().checked_add(index)?.into()),
                IpAddr::V6(ip) => IpAddr::V6(ip.to_bits().checked_add(index.into())?.into()),
            };
            Some(SocketAddr::new(ip, first.port()))
        }
    }
}

fn identity((cert, key): &(std::path::PathBuf, std::path::PathBuf)) -> Result<Identity, String> {
    let read = |path: &std::path::Path| {
        fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
    };
    Identity::from_pem(&read(cert)?, &read(key)?).map_err(|error| told(&error))
}

/// A thousand BMCs take some thousand descriptors. What the system does not give is missed later.
fn raise_descriptor_limit() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let known = getrlimit(Resource::Nofile);
    let _ = setrlimit(Resource::Nofile, Rlimit { current: known.maximum, ..known });
}

/// An error with its causes.
fn told(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}
