//! What is known of hosts before anything connects: how to log in, and whose keys vouch.

use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::SystemTime;

use crate::hostkeys::{HostName, KnownHosts, Vouched};
use crate::reach::login::Login;
use crate::reach::ssh_config::SshConfig;
use crate::reach::{Delivery, ReachError, ReachErrorKind, Settings, Target};

/// The person's ssh_config and the site's host key file, each read when first needed.
pub(super) struct Directory {
    pub(super) settings: Settings,
    config: OnceLock<SshConfig>,
    known: Mutex<Option<Read>>,
}

/// The host key file as it was read, and what tells whether it has changed since.
struct Read {
    stamp: Option<(SystemTime, u64)>,
    hosts: Arc<KnownHosts>,
}

/// A target and its login.
#[derive(Debug, Clone)]
pub(super) struct Hop {
    pub target: Target,
    pub login: Login,
}

/// Hosts that jump through each other in a circle end here.
const MOST_JUMPS: usize = 8;

impl Directory {
    pub(super) fn new(settings: Settings) -> Directory {
        Directory { settings, config: OnceLock::new(), known: Mutex::new(None) }
    }

    /// The way to a target: itself first, then the host it is reached through, and so on.
    pub(super) fn way(&self, target: &Target) -> Result<Vec<Hop>, ReachError> {
        let mut way = Vec::new();
        let mut next = Some(target.clone());
        while let Some(target) = next {
            if way.len() > MOST_JUMPS {
                return Err(unusable(format!(
                    "{} is behind more than {MOST_JUMPS} jump hosts",
                    target.name
                )));
            }
            let login = Login::of(&target, &self.settings, self.config()?)?;
            let jump = login.jump.clone();
            way.push(Hop { target, login });
            next = jump;
        }
        Ok(way)
    }

    /// What the host key file says of the host behind a login.
    pub(super) fn vouched(&self, login: &Login) -> Result<Vouched, ReachError> {
        let known = self.known_hosts()?;
        Ok(match &login.alias {
            Some(alias) => known.vouched_name(&HostName::new(alias, 22)),
            None => known.vouched(&login.host, login.port),
        })
    }

    /// The one file that vouches for hosts; without it neither transport connects.
    pub(super) fn host_key_file(&self) -> Result<&Path, ReachError> {
        self.settings.known_hosts.as_deref().ok_or_else(|| {
            let why = "no host key file is configured (ssh.knownHostsFile), so nothing connects";
            unusable(why.to_owned())
        })
    }

    fn config(&self) -> Result<&SshConfig, ReachError> {
        if let Some(config) = self.config.get() {
            return Ok(config);
        }
        let config = SshConfig::read(&self.settings.include, &self.settings.home)?;
        Ok(self.config.get_or_init(|| config))
    }

    /// The host key file as read; without one nothing connects.
    pub(super) fn known_hosts(&self) -> Result<Arc<KnownHosts>, ReachError> {
        let path = self.host_key_file()?;
        let stamp =
            std::fs::metadata(path).ok().and_then(|meta| Some((meta.modified().ok()?, meta.len())));
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(read) = known.as_ref().filter(|read| read.stamp == stamp && stamp.is_some()) {
            return Ok(Arc::clone(&read.hosts));
        }
        let text = std::fs::read(path).map_err(|error| {
            unusable(format!("cannot read the host key file {}", path.display())).with_source(error)
        })?;
        let hosts = Arc::new(KnownHosts::parse(&String::from_utf8_lossy(&text)));
        *known = Some(Read { stamp, hosts: Arc::clone(&hosts) });
        Ok(hosts)
    }
}

fn unusable(why: String) -> ReachError {
    ReachError::new(ReachErrorKind::Configuration, Delivery::NotSent, why)
}
