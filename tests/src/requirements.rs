//! What the machine must have before a lab can start.

use crate::error::Error;
use crate::options::Options;
use std::path::Path;

/// Programs of the lab and the Debian package of each.
const PROGRAMS: &[(&str, &str)] = &[
    ("ip", "iproute2"),
    ("nsenter", "util-linux"),
    ("unshare", "util-linux"),
    ("ssh", "openssh-client"),
    ("ssh-keygen", "openssh-client"),
    ("sshd", "openssh-server"),
    ("dhcpd", "isc-dhcp-server"),
    ("dhclient", "isc-dhcp-client"),
    ("in.tftpd", "tftpd-hpa"),
    ("rsyslogd", "rsyslog"),
    ("git", "git"),
    ("age", "age"),
];

/// Programs that only a lab with Slurm needs.
const SLURM: &[(&str, &str)] =
    &[("slurmctld", "slurm-wlm"), ("slurmd", "slurm-wlm"), ("sinfo", "slurm-wlm")];

/// Programs that only a lab with IPMI needs.
const IPMI: &[(&str, &str)] =
    &[("ipmi_sim", "openipmi"), ("ipmitool", "ipmitool"), ("ipmipower", "freeipmi-tools")];

/// Fails unless this process is root and every program is installed.
pub fn check(options: &Options) -> Result<(), Error> {
    if !rustix::process::geteuid().is_root() {
        return Err(Error::NotRoot);
    }
    let wanted = PROGRAMS
        .iter()
        .chain(if options.slurm { SLURM } else { &[] })
        .chain(if options.ipmi { IPMI } else { &[] });
    let missing: Vec<_> = wanted.filter(|(program, _)| !installed(program)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let programs = missing.iter().map(|(program, _)| (*program).to_owned()).collect();
    let mut packages: Vec<String> = missing.iter().map(|(_, name)| (*name).to_owned()).collect();
    packages.dedup();
    Err(Error::Missing { programs, packages })
}

/// Where the lab looks for programs, on every host of it.
pub(crate) const PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

fn installed(program: &str) -> bool {
    PATH.split(':').any(|directory| Path::new(directory).join(program).is_file())
}
