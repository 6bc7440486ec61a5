//! What the transports need to know of a site and of the person.

use std::path::PathBuf;
use std::time::Duration;

/// Settings of every connection of a run.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The one file whose keys vouch for hosts; without it nothing connects.
    pub known_hosts: Option<PathBuf>,
    /// Whether a host without a key in the file is refused. When relaxed (bring-up of a site) an
    /// unknown host is let in; a changed or revoked key never is, and nothing writes the file.
    pub strict: bool,
    /// `ssh_config(5)` files that are read after everything here, in order; a pattern (`*`) is
    /// allowed, a missing file is skipped.
    pub include: Vec<PathBuf>,
    /// Which transport carries requests where both could.
    pub transport: Transport,
    /// How long one attempt to connect may take, the key exchange included.
    pub connect_timeout: Duration,
    /// How often a connection is tried.
    pub connection_attempts: u32,
    /// After how long a silence the host is asked whether it is there; zero never asks.
    pub keepalive: Duration,
    /// How many questions may stay unanswered before the connection counts as lost.
    pub keepalive_count: u32,
    /// Identity files of this workstation, tried beside those of `ssh_config`.
    pub identities: Vec<PathBuf>,
    /// Key algorithms allowed beyond OpenSSH's own set, such as `ssh-rsa`, for old hosts.
    pub legacy_key_types: Vec<String>,
    /// Site-wide `ssh_config` options (keyword, value); a target's own come before them.
    pub options: Vec<(String, String)>,
    /// The `ssh` program of the openssh transport.
    pub ssh: PathBuf,
    /// The private state directory, where generated configuration files live.
    pub state_directory: PathBuf,
    /// What `~` stands for.
    pub home: PathBuf,
    /// The account of the person at this machine.
    pub local_user: String,
    /// How many sessions one host gets at a time; those that only pass through it count.
    pub sessions_per_host: usize,
}

/// The two ways to reach a host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[expect(clippy::exhaustive_enums, reason = "`ssh.transport` names exactly these")]
pub enum Transport {
    /// libssh2, in this process.
    #[default]
    Ssh2,
    /// The system's `ssh`.
    Openssh,
}

impl Settings {
    /// Settings with their defaults, for the person who runs this process.
    pub fn new(known_hosts: Option<PathBuf>, state_directory: impl Into<PathBuf>) -> Settings {
        let home = std::env::home_dir().unwrap_or_else(|| PathBuf::from("/"));
        Settings {
            known_hosts,
            strict: true,
            include: vec![home.join(".ssh/config"), PathBuf::from("/etc/ssh/ssh_config")],
            transport: Transport::Ssh2,
            connect_timeout: Duration::from_secs(10),
            connection_attempts: 2,
            keepalive: Duration::from_mins(1),
            keepalive_count: 3,
            identities: Vec::new(),
            legacy_key_types: Vec::new(),
            options: Vec::new(),
            ssh: PathBuf::from("ssh"),
            state_directory: state_directory.into(),
            home,
            local_user: local_user(),
            sessions_per_host: 4,
        }
    }

    /// How long connecting may take in all.
    pub fn connect_budget(&self) -> Duration {
        self.connect_timeout.saturating_mul(self.connection_attempts.max(1))
    }
}

/// The name of the account that runs this process, as `getpwuid` gives it: the local file first,
/// `id` for accounts of a directory service.
fn local_user() -> String {
    let uid = rustix::process::getuid().as_raw().to_string();
    let passwd = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
    let local = passwd.lines().find_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next()?;
        (fields.nth(1)? == uid).then(|| name.to_owned())
    });
    local
        .or_else(|| {
            let id = std::process::Command::new("id").arg("-un").output().ok()?;
            let name = String::from_utf8(id.stdout).ok()?.trim().to_owned();
            (id.status.success() && !name.is_empty()).then_some(name)
        })
        .unwrap_or_else(|| std::env::var("USER").unwrap_or_default())
}
