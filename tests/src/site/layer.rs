//! The layer that all hosts have over the machine's own files.

use super::{hosts_file, slurm, sshd};
use crate::error::{Doing, Error};
use crate::plan::{Plan, Role};
use rustix::fs::XattrFlags;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Top-level directories that hosts have from the machine: its programs and their settings.
const SHARED: &[&str] = &["bin", "sbin", "lib", "lib32", "lib64", "libx32", "usr", "etc", "var"];
/// Below those, what is the machine's own business.
const HIDDEN: &[&str] = &[
    "etc/dhcp",
    "etc/slurm",
    "etc/ssh",
    "var/cache",
    "var/lib/dhcp",
    "var/lib/slurm",
    "var/log",
    "var/mail",
    "var/spool",
    "var/tmp",
];

/// Writes the layer. Everything of the machine that is not a program is hidden by it.
pub(crate) fn write_layer(plan: &Plan, layer: &Path, authorized_key: &str) -> Result<(), Error> {
    let machine = fs::read_dir("/").doing(|| "reading /".to_owned())?;
    for entry in machine.flatten() {
        let name = entry.file_name();
        let kept = name.to_str().is_some_and(|name| SHARED.contains(&name));
        if !kept && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            hide(&layer.join(name))?;
        }
    }
    for directory in HIDDEN {
        hide(&layer.join(directory))?;
    }
    hide(&layer.join("root"))?;
    for directory in ["proc", "sys", "dev", "run", "tmp", "srv", "etc/slurm", "var/spool/slurmctld"]
    {
        create(&layer.join(directory))?;
    }
    write(&layer.join("etc/hosts"), &hosts_file(plan, Role::Node))?;
    // Nobody in a lab answers DNS: an empty list makes look-ups fail at once.
    write(&layer.join("etc/resolv.conf"), "")?;
    write(&layer.join("etc/ssh/sshd_config"), sshd::SSHD_CONFIG)?;
    write(&layer.join(slurm::SLURM_CONF), &slurm::slurm_conf(plan))?;
    unlock_root(layer)?;
    let keys = layer.join("root/.ssh/authorized_keys");
    write(&keys, authorized_key)?;
    for (path, mode) in
        [(layer.join("root"), 0o700), (layer.join("root/.ssh"), 0o700), (keys, 0o600)]
    {
        fs::set_permissions(&path, fs::Permissions::from_mode(mode))
            .doing(|| format!("setting the mode of {}", path.display()))?;
    }
    Ok(())
}

/// A directory under which nothing of the machine shows.
fn hide(path: &Path) -> Result<(), Error> {
    create(path)?;
    rustix::fs::setxattr(path, "trusted.overlay.opaque", b"y", XattrFlags::empty())
        .doing(|| format!("hiding the machine's {}", path.display()))
}

/// sshd refuses an account whose password field begins with `!`, without PAM even by key.
fn unlock_root(layer: &Path) -> Result<(), Error> {
    let shadow = fs::read_to_string("/etc/shadow").doing(|| "reading /etc/shadow".to_owned())?;
    let lines = shadow.lines().map(|line| match line.split(':').collect::<Vec<_>>().as_slice() {
        ["root", _, rest @ ..] => format!("root:*:{}\n", rest.join(":")),
        // Nobody else's password belongs in a lab.
        [name, _, rest @ ..] => format!("{name}:*:{}\n", rest.join(":")),
        _ => String::new(),
    });
    write(&layer.join("etc/shadow"), &lines.collect::<String>())
}

fn create(path: &Path) -> Result<(), Error> {
    fs::create_dir_all(path).doing(|| format!("creating {}", path.display()))
}

fn write(path: &Path, text: &str) -> Result<(), Error> {
    if let Some(parent) = path.parent() {
        create(parent)?;
    }
    fs::write(path, text).doing(|| format!("writing {}", path.display()))
}
