//! What a machine does before its system runs: boot order, network boot, installation.

use super::run::tell;
use super::{dhcp, http, ipxe, root};
use crate::error::{Doing, Error};
use crate::plan::Plan;
use crate::wire::{Address, Event, HostSpec, Order, Stage};

/// Decides what boots: the generation on the disk, or `None` where there is nothing.
pub(super) fn boot(spec: &HostSpec) -> Result<Option<u32>, Error> {
    let installed = (spec.boot.generation > 0).then_some(spec.boot.generation);
    if spec.boot.order == Order::Network {
        tell(&Event::Stage(Stage::Firmware));
        let script = network_boot(spec).map_err(|error| error.chain());
        tell(&Event::Fetched { script: script.clone() });
        match script.as_deref().map(ipxe::run) {
            Ok(Ok(ipxe::Ending::Boot)) => return install(spec).map(Some),
            Ok(Ok(ipxe::Ending::Exit)) | Err(_) => {}
            Ok(Err(problem)) => {
                tell(&Event::Failed { reason: format!("the boot script stops: {problem}") });
                return Ok(None);
            }
        }
    }
    if installed.is_none() {
        tell(&Event::Failed { reason: "no bootable device".to_owned() });
    }
    Ok(installed)
}

/// Address, then script; the files that the script names are fetched as iPXE would.
fn network_boot(spec: &HostSpec) -> Result<String, Error> {
    let Address::Dhcp = &spec.address else {
        return Err(Error::Refused("this machine has no network boot".to_owned()));
    };
    let directory = spec.directory.join("firmware");
    let lease = dhcp::lease(&directory)?;
    let server = format!("{}:{}", lease.next_server, Plan::PXE_PORT);
    let fetched = fetch_all(&server);
    dhcp::forget(&directory);
    fetched
}

fn fetch_all(server: &str) -> Result<String, Error> {
    let script = http::fetch(&format!("http://{server}/redirect"))?;
    let script = ipxe::expand(&script, server.split(':').next().unwrap_or(server));
    for uri in ipxe::files(&script) {
        http::fetch(&uri)?;
    }
    Ok(script)
}

/// Writes a fresh system to the disk. Until that is done the disk is empty.
fn install(spec: &HostSpec) -> Result<u32, Error> {
    tell(&Event::Stage(Stage::Installing));
    let generation = spec.boot.generation + 1;
    let old = spec.directory.join(format!("disk-{}", spec.boot.generation));
    if old.exists() {
        std::fs::remove_dir_all(&old).doing(|| format!("wiping {}", old.display()))?;
    }
    let half = spec.directory.join("half-installed");
    let _ = std::fs::remove_dir_all(&half);
    root::write_system(&half, &spec.name)?;
    std::thread::sleep(spec.boot.install_time);
    let disk = spec.directory.join(format!("disk-{generation}"));
    std::fs::rename(&half, &disk).doing(|| format!("finishing {}", disk.display()))?;
    tell(&Event::Installed { generation });
    Ok(generation)
}
