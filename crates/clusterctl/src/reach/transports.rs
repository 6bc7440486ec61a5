//! The front of the transports: picks one for each target.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use crate::hostkeys::HostKey;
use crate::interrupt::Interrupt;
use crate::reach::directory::{Directory, Hop};
use crate::reach::keyscan;
use crate::reach::libssh2::{Failure, Libssh2};
use crate::reach::openssh::Openssh;
use crate::reach::wire::Wire;
use crate::reach::{
    Answer, Delivery, Reach, ReachError, ReachErrorKind, Request, Settings, Target, Transport,
};

/// Reaches hosts for real, by libssh2 or by ssh.
pub struct Transports {
    directory: Directory,
    libssh2: Libssh2,
    openssh: Openssh,
    interrupt: Interrupt,
    /// Targets that libssh2 turned out not to reach, with the reason.
    turned: Mutex<HashMap<Target, String>>,
}

/// Which transport a target gets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// The transport.
    pub transport: Transport,
    /// Why it is not the one the settings ask for, such as `exe0001: proxycommand`.
    pub reason: Option<String>,
}

impl std::fmt::Debug for Transports {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Transports").finish_non_exhaustive()
    }
}

impl Transports {
    /// Transports for one run.
    pub fn new(settings: Settings, interrupt: Interrupt) -> Transports {
        let libssh2 = Libssh2::new(settings.sessions_per_host, interrupt.clone());
        let openssh = Openssh::new(interrupt.clone());
        let directory = Directory::new(settings);
        Transports { directory, libssh2, openssh, interrupt, turned: Mutex::default() }
    }

    /// Which transport a target gets, and why; connects to nothing.
    pub fn choose(&self, target: &Target) -> Result<Choice, ReachError> {
        self.choose_for(&self.directory.way(target)?)
    }

    fn choose_for(&self, way: &[Hop]) -> Result<Choice, ReachError> {
        if self.directory.settings.transport == Transport::Openssh {
            // ssh alone would look into files of the person's instead.
            self.directory.known_hosts()?;
            return Ok(Choice { transport: Transport::Openssh, reason: None });
        }
        for hop in way {
            let turned = self.turned.lock().unwrap_or_else(PoisonError::into_inner);
            let mut reason =
                hop.login.only_openssh.clone().or_else(|| turned.get(&hop.target).cloned());
            drop(turned);
            if reason.is_none() && self.directory.vouched(&hop.login)?.only_by_authority() {
                reason = Some("vouched for by a certificate authority".to_owned());
            }
            if let Some(reason) = reason {
                let reason = Some(format!("{}: {reason}", hop.target.name));
                return Ok(Choice { transport: Transport::Openssh, reason });
            }
        }
        Ok(Choice { transport: Transport::Ssh2, reason: None })
    }
}

impl Reach for Transports {
    fn run(&self, target: &Target, request: &Request) -> Result<Answer, ReachError> {
        if self.interrupt.is_raised() && !request.despite_interrupt {
            return Err(Failure::Interrupted.at(
                ReachErrorKind::Interrupted,
                Delivery::NotSent,
                "",
            ));
        }
        let wire = Wire::of(request)?;
        let way = self.directory.way(target)?;
        if self.choose_for(&way)?.transport == Transport::Openssh {
            return self.openssh.run(&self.directory, &way, &wire, request);
        }
        let carried = self.libssh2.run(&self.directory, &way, &wire, request);
        let reason = match &carried {
            // Old hosts; libssh2 is built without their algorithms.
            Err(Failure::NoCommon(why)) => Some(why.clone()),
            // A key that only ssh can use, such as one on a token.
            Err(Failure::Worded(error)) if error.kind() == ReachErrorKind::Authentication => {
                way.iter().find_map(|hop| hop.login.openssh_may_help.clone())
            }
            _ => None,
        };
        // ssh tries, once a host.
        if let Some(reason) = reason {
            let mut turned = self.turned.lock().unwrap_or_else(PoisonError::into_inner);
            turned.insert(target.clone(), reason);
            drop(turned);
            return self.openssh.run(&self.directory, &way, &wire, request);
        }
        carried
            .map_err(|failure| failure.at(ReachErrorKind::Connect, Delivery::NotSent, &target.host))
    }

    fn host_keys(&self, target: &Target) -> Result<Vec<HostKey>, ReachError> {
        let way = self.directory.way(target)?;
        keyscan::scan(&self.directory, &self.libssh2, &way, &self.interrupt)
    }
}
