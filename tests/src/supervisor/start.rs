//! From nothing to a running site.

use super::site::Site;
use super::specs::Specs;
use super::{control, network};
use crate::error::{Doing, Error};
use crate::host::write_system;
use crate::options::Options;
use crate::plan::{Plan, Role};
use crate::site::{
    RSYSLOG_CONF, UserKey, hosts_file, known_hosts, write_boot_files, write_dhcpd, write_layer,
    write_workstation,
};
use crate::wire::{Answer, Directories};
use rustix::mount::MountFlags;
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

/// Starts the site, says so on standard output, and keeps it until standard input closes.
///
/// Returning ends process 1 of the lab's process namespace, and with it the lab.
pub(crate) fn supervise(run: &Path) -> Result<(), Error> {
    let mut input = std::io::stdin().lines();
    let Some(Ok(line)) = input.next() else { return Ok(()) };
    let started = serde_json::from_str(&line)
        .doing(|| "reading the options".to_owned())
        .and_then(|options| start(options, Directories { run: run.to_owned() }));
    let answer = match &started {
        Ok(_) => Answer::Ok(Value::Null),
        Err(error) => Answer::Error(error.chain()),
    };
    let mut line = serde_json::to_string(&answer).doing(|| "writing an answer".to_owned())?;
    line.push('\n');
    std::io::stdout().write_all(line.as_bytes()).doing(|| "writing an answer".to_owned())?;
    if started.is_ok() {
        // Until the owner lets go or is gone.
        input.for_each(drop);
    }
    // Not the destructors of hosts, one after the other: the kernel ends them all at once.
    std::process::exit(0)
}

fn start(options: Options, directories: Directories) -> Result<Arc<Site>, Error> {
    let site_directory = directories.site();
    mount_tmpfs(&site_directory, "mode=755")?;
    mount_tmpfs(Path::new("/run/netns"), "mode=755")?;
    let plan = Plan::new(options.nodes);
    let specs = Arc::new(Specs { options, directories });

    std::thread::scope(|scope| {
        let network = scope.spawn(|| network::build(&plan));
        write_site(&plan, &specs)?;
        network.join().map_err(|_| Error::Refused("the network was not built".to_owned()))?
    })?;
    let site = Arc::new(Site::new(plan.clone(), &specs)?);
    site.start()?;
    let keys = site.wait_until_up()?;
    let file = specs.directories.config().join("ssh_known_hosts");
    fs::write(&file, known_hosts(&plan, &keys)).doing(|| format!("writing {}", file.display()))?;
    control::serve(&specs.directories.control(), &site)?;
    Ok(site)
}

/// Writes all files that hosts find when they start.
fn write_site(plan: &Plan, specs: &Specs) -> Result<(), Error> {
    let directories = &specs.directories;
    let user = UserKey::generate(&directories.home().join(".ssh"))?;
    write_layer(plan, &specs.common_layer(), &user.public)?;
    write_workstation(plan, directories, &specs.options)?;
    let disk = |name: &str| specs.directory(name).join("disk-1");
    std::thread::scope(|scope| {
        let installer = scope.spawn(|| {
            let upper = disk("installer").join("upper");
            write_dhcpd(plan, &upper)?;
            write(&upper.join("etc/rsyslog.conf"), RSYSLOG_CONF)?;
            write_boot_files(&upper, &directories.site().join("boot"))
        });
        for host in &plan.hosts {
            if host.role != Role::Workstation {
                write_system(&disk(&host.name), &host.name)?;
            }
        }
        installer.join().map_err(|_| Error::Refused("no boot files".to_owned()))?
    })?;
    for (name, role, path) in [
        ("gateway", Role::Gateway, "upper/etc/hosts"),
        ("fabric", Role::Fabric, "upper/etc/hosts"),
        ("workstation", Role::Workstation, "etc/upper/hosts"),
    ] {
        write(&disk(name).join(path), &hosts_file(plan, role))?;
    }
    write(&disk("workstation").join("etc/upper/resolv.conf"), "")
}

fn mount_tmpfs(path: &Path, options: &str) -> Result<(), Error> {
    let what = || format!("mounting tmpfs on {}", path.display());
    fs::create_dir_all(path).doing(what)?;
    let options = std::ffi::CString::new(options).doing(what)?;
    rustix::mount::mount("tmpfs", path, "tmpfs", MountFlags::empty(), options.as_c_str())
        .doing(what)
}

fn write(path: &Path, text: &str) -> Result<(), Error> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).doing(|| format!("creating {}", parent.display()))?;
    }
    fs::write(path, text).doing(|| format!("writing {}", path.display()))
}
