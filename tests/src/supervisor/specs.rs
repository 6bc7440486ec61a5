//! What each host is made of.

use crate::options::Options;
use crate::plan::{Host, Plan, Role};
use crate::site::installer_setup;
use crate::wire::{Address, Boot, Directories, HostSpec, LinkSpace, Order, Service};
use std::path::{Path, PathBuf};

/// Room for the links: enough for the boot files and some thousands of links.
const LINK_SPACE: LinkSpaceSize = LinkSpaceSize { bytes: 8 << 20, inodes: 20_000 };

struct LinkSpaceSize {
    bytes: u64,
    inodes: u64,
}

/// Makes the plans of hosts.
#[derive(Debug)]
pub(super) struct Specs {
    /// The lab's options.
    pub options: Options,
    /// The lab's directories.
    pub directories: Directories,
}

impl Specs {
    /// The layer all hosts share.
    pub(super) fn common_layer(&self) -> PathBuf {
        self.directories.site().join("common")
    }

    /// The directory of a host.
    pub(super) fn directory(&self, name: &str) -> PathBuf {
        self.directories.site().join("hosts").join(name)
    }

    /// The plan of a role host, which boots from its disk and keeps it.
    pub(super) fn role(&self, host: &Host) -> HostSpec {
        let admin = ("eth0".to_owned(), host.address);
        let mut addresses = vec![admin];
        match host.role {
            Role::Gateway => addresses.push(("eth1".to_owned(), Plan::GATEWAY_INNER)),
            Role::Workstation => addresses.push(("eth0".to_owned(), Plan::WORKSTATION[1])),
            // The host that speaks IPMI stands in the management network.
            Role::Login if self.options.ipmi => {
                addresses.push(("eth0".to_owned(), Plan::LOGIN_MANAGEMENT));
            }
            _ => {}
        }
        let mut spec = self.spec(host, Address::Fixed(addresses), Order::Disk, 1);
        match host.role {
            Role::Workstation => {
                spec.layers.clear();
                spec.services.clear();
                spec.binds = vec![
                    (self.directories.config(), "/etc/clusterctl".into()),
                    (self.directories.home().join(".ssh"), "/root/.ssh".into()),
                ];
            }
            Role::Installer => {
                spec.link_space = Some(LinkSpace {
                    path: "/srv/pxesrv".into(),
                    bytes: LINK_SPACE.bytes,
                    inodes: LINK_SPACE.inodes,
                });
                spec.setup = installer_setup();
                spec.services.splice(0..0, installer_services(&self.options));
            }
            Role::Login if self.options.slurm => {
                spec.services.push(service("slurmctld", &["slurmctld", "-D"], None, Some(6817)));
            }
            _ => {}
        }
        spec
    }

    /// The plan of a machine's next power-on. The very first sets its address without asking.
    pub(super) fn machine(
        &self,
        host: &Host,
        order: Order,
        generation: u32,
        first: bool,
    ) -> HostSpec {
        let address = if first {
            Address::Fixed(vec![("eth0".to_owned(), host.address)])
        } else {
            Address::Dhcp
        };
        let mut spec = self.spec(host, address, order, generation);
        if self.options.slurm && host.number.is_some() {
            spec.services.push(service("slurmd", &["slurmd", "-D"], None, Some(6818)));
        }
        spec
    }

    fn spec(&self, host: &Host, address: Address, order: Order, generation: u32) -> HostSpec {
        HostSpec {
            name: host.name.clone(),
            directory: self.directory(&host.name),
            layers: vec![self.common_layer(), Path::new("/").to_owned()],
            address,
            boot: Boot { order, generation, install_time: self.options.install_time },
            link_space: None,
            binds: Vec::new(),
            setup: Vec::new(),
            services: vec![service(
                "sshd",
                &["/usr/sbin/sshd", "-D", "-f", "/etc/ssh/sshd_config", "-E", "/var/log/sshd.log"],
                None,
                Some(22),
            )],
        }
    }
}

fn installer_services(options: &Options) -> Vec<Service> {
    let layout = match options.layout {
        crate::options::Layout::Suffix => "suffix",
        crate::options::Layout::Directories => "directories",
    };
    vec![
        service(
            "rsyslogd",
            &["rsyslogd", "-n", "-f", "/etc/rsyslog.conf", "-i", "/run/rsyslogd.pid"],
            Some("/dev/log"),
            None,
        ),
        service(
            "dhcpd",
            &["dhcpd", "-4", "-f", "-cf", "/etc/dhcp/dhcpd.conf", "-pf", "/run/dhcpd.pid", "eth0"],
            Some("/run/dhcpd.pid"),
            None,
        ),
        service(
            "tftpd",
            &[
                "in.tftpd",
                "--foreground",
                "--listen",
                "--address",
                "0.0.0.0:69",
                "--secure",
                "--verbose",
                "--verbose",
                "--user",
                "tftp",
                "/srv/tftp",
            ],
            None,
            None,
        ),
        service(
            "pxesrv",
            &["/proc/self/exe", "pxesrv", "--layout", layout],
            None,
            Some(Plan::PXE_PORT),
        ),
    ]
}

fn service(name: &str, command: &[&str], path: Option<&str>, port: Option<u16>) -> Service {
    Service {
        name: name.to_owned(),
        command: command.iter().map(|word| (*word).to_owned()).collect(),
        ready_path: path.map(PathBuf::from),
        ready_port: port,
    }
}
