//! What the installer serves: the repository of boot files and the TFTP tree.

use crate::command;
use crate::error::{Doing, Error};
use std::fs;
use std::path::Path;
use std::process::Command;

/// The repository that the boot files are cloned from, on the installer.
pub(crate) const BOOT_REPOSITORY: &str = "/srv/git/boot.git";

/// An installation: the installer's kernel and what it needs, then `boot`.
const INSTALL: &str = "#!ipxe
echo Installing ${net0/hostname}
kernel http://${next-server}:4567/boot/cluster/1.0/@class@/vmlinuz inst.profile=@class@ inst.release=1.0
initrd http://${next-server}:4567/boot/cluster/1.0/@class@/initrd.img
boot
";
/// No installation: on to the disk.
const LOCAL: &str = "#!ipxe\necho Booting from the disk\nexit\n";

/// Writes the bare repository and the TFTP tree into the installer's disk (`upper`).
pub(crate) fn write_boot_files(upper: &Path, scratch: &Path) -> Result<(), Error> {
    for class in ["exe", "wlm01"] {
        let directory = format!("cluster/1.0/{class}");
        write(scratch, &format!("{directory}/ipxe.net2"), &INSTALL.replace("@class@", class))?;
        write(scratch, &format!("{directory}/vmlinuz"), "an installer's kernel\n")?;
        write(scratch, &format!("{directory}/initrd.img"), "an installer's file system\n")?;
    }
    write(scratch, "local.ipxe", LOCAL)?;
    write(scratch, "exe/ipxe.net2", "network boot program for Ethernet\n")?;
    write(scratch, "exe/ipxe.ib0", "network boot program for InfiniBand\n")?;
    let bare = upper.join(BOOT_REPOSITORY.trim_start_matches('/'));
    git(scratch, &["init", "-q", "-b", "main", "."])?;
    git(scratch, &["add", "-A"])?;
    git(scratch, &["commit", "-q", "-m", "Boot files of release 1.0"])?;
    git(scratch, &["clone", "-q", "--bare", ".", &bare.display().to_string()])?;

    let grub = upper.join("srv/tftp/grub/1.0");
    fs::create_dir_all(&grub).doing(|| format!("creating {}", grub.display()))?;
    for (name, text) in [
        ("grub.cfg.install-exec", "linux /boot/vmlinuz inst.profile=exe\nboot\n"),
        ("grub.cfg.local", "exit\n"),
    ] {
        fs::write(grub.join(name), text).doing(|| format!("writing {name}"))?;
    }
    Ok(())
}

/// What the link directory holds from the start, run on the installer.
pub(crate) fn setup() -> Vec<Vec<String>> {
    let words = |line: &str| line.split(' ').map(str::to_owned).collect();
    vec![
        words(&format!("git clone -q {BOOT_REPOSITORY} /srv/pxesrv/boot")),
        words("mkdir -p /srv/pxesrv/once /srv/pxesrv/static"),
        words("ln -s /srv/pxesrv/boot/local.ipxe /srv/pxesrv/default"),
        words("touch /var/lib/dhcp/dhcpd.leases /var/log/pxesrv.log"),
    ]
}

fn git(directory: &Path, arguments: &[&str]) -> Result<(), Error> {
    let identity = ["-c", "user.name=Boot files", "-c", "user.email=boot@hpc.example.org"];
    let mut command = Command::new("git");
    // The machine's and the user's settings have no say here.
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    command::run(command.arg("-C").arg(directory).args(identity).args(arguments)).map(drop)
}

fn write(root: &Path, name: &str, text: &str) -> Result<(), Error> {
    let path = root.join(name);
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).doing(|| format!("creating {}", parent.display()))?;
    }
    fs::write(&path, text).doing(|| format!("writing {}", path.display()))
}
