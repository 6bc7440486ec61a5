//! A host's file system: an overlay of its disk over the site's and the machine's files.

use crate::command;
use crate::error::{Doing, Error};
use crate::wire::{HostSpec, LinkSpace};
use rustix::fs::CWD;
use rustix::mount::{MountFlags, UnmountFlags};
use std::ffi::CString;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

/// Where the host's ssh server keeps its key.
const HOST_KEY: &str = "etc/ssh/ssh_host_ed25519_key";

/// Writes what an installation writes: the host name and a new ssh host key.
pub(crate) fn write_system(disk: &Path, name: &str) -> Result<(), Error> {
    let upper = disk.join("upper");
    let ssh = upper.join("etc/ssh");
    fs::create_dir_all(&ssh).doing(|| format!("creating {}", ssh.display()))?;
    let work = disk.join("work");
    fs::create_dir_all(&work).doing(|| format!("creating {}", work.display()))?;
    let hostname = upper.join("etc/hostname");
    fs::write(&hostname, format!("{name}\n"))
        .doing(|| format!("writing {}", hostname.display()))?;
    command::run(
        Command::new("ssh-keygen")
            .args(["-q", "-t", "ed25519", "-N", "", "-C", &format!("root@{name}"), "-f"])
            .arg(upper.join(HOST_KEY)),
    )
    .map(drop)
}

/// The public host key of the running system, without its comment.
pub(super) fn host_key() -> Result<Option<String>, Error> {
    let path = Path::new("/").join(format!("{HOST_KEY}.pub"));
    match fs::read_to_string(&path) {
        Ok(text) => Ok(Some(text.split_whitespace().take(2).collect::<Vec<_>>().join(" "))),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).doing(|| format!("reading {}", path.display())),
    }
}

/// Mounts the host's root and makes it this process's.
pub(super) fn enter(spec: &HostSpec, disk: &Path) -> Result<(), Error> {
    if spec.layers.is_empty() {
        return enter_workstation(spec, disk);
    }
    let root = spec.directory.join("root");
    fs::create_dir_all(&root).doing(|| format!("creating {}", root.display()))?;
    let lower: Vec<_> = spec.layers.iter().map(|layer| layer.display().to_string()).collect();
    overlay(&lower.join(":"), disk, &root)?;
    mount("proc", &root.join("proc"), "proc", "")?;
    rustix::mount::mount_bind_recursive("/sys", root.join("sys"))
        .doing(|| "binding /sys".to_owned())?;
    devices(&root.join("dev"))?;
    mount("tmpfs", &root.join("run"), "tmpfs", "mode=755")?;
    mount("tmpfs", &root.join("tmp"), "tmpfs", "mode=1777")?;
    bind_all(spec, &root)?;
    if let Some(space) = &spec.link_space {
        let target = inside(&root, &space.path);
        fs::create_dir_all(&target).doing(|| format!("creating {}", target.display()))?;
        mount("tmpfs", &target, "tmpfs", &space.options(false, 0, 0))?;
    }
    rustix::process::chroot(&root).doing(|| format!("entering {}", root.display()))?;
    rustix::process::chdir("/").doing(|| "changing to /".to_owned())?;
    for directory in ["/run/sshd", "/var/lib/dhcp", "/var/spool/slurmd", "/var/spool/rsyslog"] {
        fs::create_dir_all(directory).doing(|| format!("creating {directory}"))?;
    }
    Ok(())
}

/// The workstation keeps the machine's root, so that programs and files of tests have one path
/// everywhere; only `/etc` and `/root` are its own.
fn enter_workstation(spec: &HostSpec, disk: &Path) -> Result<(), Error> {
    for directory in ["etc", "root"] {
        let part = disk.join(directory);
        for name in ["upper", "work"] {
            fs::create_dir_all(part.join(name)).doing(|| format!("creating {}", part.display()))?;
        }
        let target = Path::new("/").join(directory);
        overlay(&target.display().to_string(), &part, &target)?;
    }
    bind_all(spec, Path::new("/"))
}

fn bind_all(spec: &HostSpec, root: &Path) -> Result<(), Error> {
    for (source, target) in &spec.binds {
        let target = inside(root, target);
        if source.is_dir() {
            fs::create_dir_all(&target).doing(|| format!("creating {}", target.display()))?;
        } else if !target.exists() {
            fs::write(&target, "").doing(|| format!("creating {}", target.display()))?;
        }
        rustix::mount::mount_bind(source, &target)
            .doing(|| format!("binding {} on {}", source.display(), target.display()))?;
    }
    Ok(())
}

/// A path of the host, as seen from outside its root.
fn inside(root: &Path, path: &Path) -> std::path::PathBuf {
    root.join(path.strip_prefix("/").unwrap_or(path))
}

fn overlay(lower: &str, disk: &Path, target: &Path) -> Result<(), Error> {
    let (upper, work) = (disk.join("upper"), disk.join("work"));
    let options =
        format!("lowerdir={lower},upperdir={},workdir={}", upper.display(), work.display());
    mount("overlay", target, "overlay", &options)
}

fn mount(source: &str, target: &Path, kind: &str, options: &str) -> Result<(), Error> {
    let what = || format!("mounting {kind} on {}", target.display());
    let options = CString::new(options).doing(what)?;
    rustix::mount::mount(source, target, kind, MountFlags::empty(), options.as_c_str()).doing(what)
}

/// A `/dev` of its own: the log socket of one host must not be that of another.
fn devices(dev: &Path) -> Result<(), Error> {
    mount("tmpfs", dev, "tmpfs", "mode=755")?;
    for name in ["null", "zero", "full", "random", "urandom", "tty"] {
        let target = dev.join(name);
        fs::write(&target, "").doing(|| format!("creating {}", target.display()))?;
        rustix::mount::mount_bind(Path::new("/dev").join(name), &target)
            .doing(|| format!("binding {}", target.display()))?;
    }
    for name in ["pts", "shm"] {
        fs::create_dir(dev.join(name)).doing(|| format!("creating /dev/{name}"))?;
    }
    mount("devpts", &dev.join("pts"), "devpts", "newinstance,ptmxmode=0666,mode=620")?;
    mount("tmpfs", &dev.join("shm"), "tmpfs", "mode=1777")?;
    for (link, target) in [
        ("ptmx", "pts/ptmx"),
        ("fd", "/proc/self/fd"),
        ("stdin", "/proc/self/fd/0"),
        ("stdout", "/proc/self/fd/1"),
        ("stderr", "/proc/self/fd/2"),
    ] {
        symlink(target, dev.join(link)).doing(|| format!("linking /dev/{link}"))?;
    }
    Ok(())
}

/// Leaves no room in the link space, or gives it back.
pub(super) fn fill(space: Option<&LinkSpace>, full: bool) -> Result<(), Error> {
    let Some(space) = space else {
        return Err(Error::Refused("this host has no link space".to_owned()));
    };
    let what = || format!("changing the size of {}", space.path.display());
    let now = rustix::fs::statvfs(&space.path).doing(what)?;
    let bytes = (now.f_blocks - now.f_bfree) * now.f_frsize;
    let options = space.options(full, bytes, now.f_files - now.f_ffree);
    let options = CString::new(options).doing(what)?;
    rustix::mount::mount_remount(&space.path, MountFlags::empty(), options.as_c_str()).doing(what)
}

impl LinkSpace {
    /// Options of tmpfs: exactly what is used when full, the planned size otherwise.
    fn options(&self, full: bool, bytes: u64, inodes: u64) -> String {
        if full {
            // A size of 0 would mean no limit.
            format!("size={},nr_inodes={inodes}", bytes.max(1))
        } else {
            format!("size={},nr_inodes={},mode=755", self.bytes, self.inodes)
        }
    }
}

/// Makes a path read-only by a bind mount over itself, or takes that mount away.
pub(super) fn read_only(path: &Path, on: bool) -> Result<(), Error> {
    if !on {
        return rustix::mount::unmount(path, UnmountFlags::DETACH)
            .doing(|| format!("unmounting {}", path.display()));
    }
    // A missing file is an error of the test, not something to create.
    rustix::fs::statat(CWD, path, rustix::fs::AtFlags::empty())
        .doing(|| format!("looking at {}", path.display()))?;
    let what = || format!("making {} read-only", path.display());
    rustix::mount::mount_bind(path, path).doing(what)?;
    rustix::mount::mount_remount(path, MountFlags::BIND | MountFlags::RDONLY, c"").doing(what)
}
