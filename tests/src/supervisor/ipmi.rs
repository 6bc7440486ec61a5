//! IPMI beside the simulated service processors: OpenIPMI's `ipmi_sim`, one a machine, on the
//! service processor's own address. Its chassis is the lab's machine.

use super::machine::Node;
use super::network;
use crate::error::{Doing, Error};
use crate::site::{BMC_PASSWORD, BMC_USER};
use crate::wire::{ChassisFault, Directories, Order};
use rustix::thread::{LinkNameSpaceType, move_into_link_name_space};
use std::fs::{self, File};
use std::net::Ipv4Addr;
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// IPMI's port.
const PORT: u16 = 623;
/// Longest wait for a simulator to listen.
const PATIENCE: Duration = Duration::from_secs(10);

/// Longer than any question over IPMI waits.
const HANG: Duration = Duration::from_mins(1);

/// A machine's IPMI.
#[derive(Debug)]
pub(super) struct Ipmi {
    node: Arc<Node>,
    directory: PathBuf,
    address: Ipv4Addr,
    /// `None` while nothing answers.
    simulator: Mutex<Option<Child>>,
    chassis: Mutex<Chassis>,
}

/// What the simulator's chassis script sees.
#[derive(Debug)]
struct Chassis {
    boot: String,
    fault: Option<ChassisFault>,
    calls: Vec<String>,
}

impl Ipmi {
    /// Starts it; [`wait_until_ready`](Ipmi::wait_until_ready) says when it answers.
    pub(super) fn start(node: &Arc<Node>, directories: &Directories) -> Result<Ipmi, Error> {
        let host = node.host();
        let directory = directories.site().join("ipmi").join(&host.name);
        let state = directory.join("state");
        fs::create_dir_all(&state).doing(|| format!("creating {}", state.display()))?;
        let address = host.bmc_address.unwrap_or(Ipv4Addr::UNSPECIFIED);
        let program = std::env::current_exe().doing(|| "finding the lab's program".to_owned())?;
        let control = directories.control();
        let chassis = format!("{} chassis {} {}", program.display(), control.display(), host.name);
        write(&directory.join("lan.conf"), &lan_conf(&host.name, address, &chassis))?;
        write(&directory.join("node.emu"), EMULATION)?;
        let chassis = Chassis { boot: "none".to_owned(), fault: None, calls: Vec::new() };
        let ipmi = Ipmi {
            node: Arc::clone(node),
            directory,
            address,
            simulator: Mutex::new(None),
            chassis: Mutex::new(chassis),
        };
        ipmi.listen(true)?;
        Ok(ipmi)
    }

    /// Has the simulator run, or nothing answer.
    pub(super) fn listen(&self, on: bool) -> Result<(), Error> {
        let mut simulator = lock(&self.simulator);
        if on && simulator.is_none() {
            *simulator = Some(self.spawn()?);
        }
        if !on && let Some(mut child) = simulator.take() {
            child.kill().doing(|| "ending ipmi_sim".to_owned())?;
            child.wait().doing(|| "ending ipmi_sim".to_owned())?;
        }
        Ok(())
    }

    fn spawn(&self) -> Result<Child, Error> {
        let what = || "starting ipmi_sim".to_owned();
        let path = self.directory.join("out");
        let log = File::create(&path).doing(|| format!("creating {}", path.display()))?;
        Command::new("nsenter")
            .arg(format!("--net={}", network::file(network::BMC).display()))
            .args(["ipmi_sim", "-n", "-c", "lan.conf", "-f", "node.emu", "-s"])
            .arg(self.directory.join("state"))
            .current_dir(&self.directory)
            .stdin(Stdio::null())
            .stdout(log.try_clone().doing(what)?)
            .stderr(log)
            .spawn()
            .doing(what)
    }

    /// Waits until it listens.
    pub(super) fn wait_until_ready(&self) -> Result<(), Error> {
        let what = || format!("waiting for ipmi_sim at {}", self.address);
        let namespace = File::open(network::file(network::BMC)).doing(what)?;
        // As /proc/net/udp has it: the address's bytes as a number of this machine.
        let line = format!("{:08X}:{PORT:04X} ", u32::from_ne_bytes(self.address.octets()));
        // A namespace belongs to a thread; this one ends with its job.
        let waited = std::thread::spawn(move || -> std::io::Result<()> {
            move_into_link_name_space(namespace.as_fd(), Some(LinkNameSpaceType::Network))?;
            let begun = Instant::now();
            while !fs::read_to_string("/proc/thread-self/net/udp")?.contains(&line) {
                if begun.elapsed() > PATIENCE {
                    return Err(std::io::ErrorKind::TimedOut.into());
                }
                std::thread::sleep(Duration::from_millis(5));
            }
            Ok(())
        });
        waited.join().map_err(|_| Error::Refused(what()))?.doing(what)
    }

    /// What the simulator asks its chassis or has it do; the answer, as its protocol wants it
    /// (`ipmi_lan(5)`, `chassis_control`). `elsewhere` is where the machine looks when IPMI names
    /// no boot device.
    pub(super) fn chassis(&self, words: &[String], elsewhere: Order) -> Result<String, Error> {
        let fault = {
            let mut chassis = lock(&self.chassis);
            chassis.calls.push(words.join(" "));
            chassis.fault
        };
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let is_change = words.first() == Some(&"set");
        if is_change && fault == Some(ChassisFault::Refuse) {
            return Err(Error::Refused("the chassis refuses".to_owned()));
        }
        match words.as_slice() {
            ["get", wanted @ ..] => {
                let lines = wanted.iter().map(|word| match *word {
                    "power" => format!("power:{}\n", u8::from(self.node.state().power)),
                    "boot" => format!("boot:{}\n", lock(&self.chassis).boot),
                    other => format!("{other}:0\n"),
                });
                Ok(lines.collect())
            }
            ["set", pairs @ ..] => {
                for pair in pairs.chunks(2) {
                    self.set(pair, elsewhere)?;
                }
                if fault == Some(ChassisFault::Hang) {
                    std::thread::sleep(HANG);
                }
                Ok(String::new())
            }
            _ => Err(Error::Refused(format!("no chassis command {words:?}"))),
        }
    }

    fn set(&self, pair: &[&str], elsewhere: Order) -> Result<(), Error> {
        match pair {
            ["power", "1"] => self.node.power_on(self.order(elsewhere)),
            ["power", "0"] | ["shutdown", _] => self.node.power_off(),
            ["reset", _] => self.node.reset(self.order(elsewhere)),
            ["boot", device] => {
                (*device).clone_into(&mut lock(&self.chassis).boot);
                Ok(())
            }
            _ => Err(Error::Refused(format!("no chassis setting {pair:?}"))),
        }
    }

    /// Where the machine looks; a device counts once.
    fn order(&self, elsewhere: Order) -> Order {
        let boot = std::mem::replace(&mut lock(&self.chassis).boot, "none".to_owned());
        if boot == "pxe" { Order::Network } else { elsewhere }
    }

    /// Everything the simulator asked of the chassis so far.
    pub(super) fn calls(&self) -> Vec<String> {
        lock(&self.chassis).calls.clone()
    }

    /// Has the chassis fail, or work again.
    pub(super) fn fail(&self, fault: Option<ChassisFault>) {
        lock(&self.chassis).fault = fault;
    }
}

/// `ipmi_lan(5)`; user 1 is the anonymous one that has to be there.
fn lan_conf(name: &str, address: Ipv4Addr, chassis: &str) -> String {
    format!(
        "name \"{name}\"\n\
         set_working_mc 0x20\n\
         startlan 1\n\
         addr {address} {PORT}\n\
         priv_limit admin\n\
         allowed_auths_callback none md2 md5 straight\n\
         allowed_auths_user none md2 md5 straight\n\
         allowed_auths_operator none md2 md5 straight\n\
         allowed_auths_admin none md2 md5 straight\n\
         guid a123456789abcdefa123456789abcdef\n\
         endlan\n\
         chassis_control \"{chassis}\"\n\
         user 1 true \"\" \"\" user 10 none md2 md5 straight\n\
         user 2 true \"{BMC_USER}\" \"{BMC_PASSWORD}\" admin 10 none md2 md5 straight\n"
    )
}

/// `ipmi_sim_cmd(5)`: one management controller and its event log.
const EMULATION: &str = "\
mc_setbmc 0x20
mc_add 0x20 0 no-device-sdrs 0x23 9 8 0x9f 0x1291 0xf02 persist_sdr
sel_enable 0x20 1000 0x0a
mc_enable 0x20
";

fn write(path: &Path, text: &str) -> Result<(), Error> {
    fs::write(path, text).doing(|| format!("writing {}", path.display()))
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
