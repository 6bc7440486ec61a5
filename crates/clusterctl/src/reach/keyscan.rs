//! Asking a host for its keys, without logging in.

use crate::hostkeys::HostKey;
use crate::interrupt::Interrupt;
use crate::reach::directory::{Directory, Hop};
use crate::reach::libssh2::{Failure, Libssh2, Offer, Patience, reach_port, shake_hands};
use crate::reach::{Delivery, ReachError, ReachErrorKind};

/// The types that are asked for, each in a key exchange of its own: a host shows one key a time.
const KINDS: [&str; 5] =
    ["ssh-ed25519", "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521", "ssh-rsa"];

/// The keys that a host proves to hold; through its jump host, whose own key is checked.
pub(super) fn scan(
    directory: &Directory,
    libssh2: &Libssh2,
    way: &[Hop],
    interrupt: &Interrupt,
) -> Result<Vec<HostKey>, ReachError> {
    let Some((hop, rest)) = way.split_first() else { return Ok(Vec::new()) };
    let login = &hop.login;
    let mut keys = Vec::new();
    for kind in KINDS {
        let one = || -> Result<HostKey, Failure> {
            let through = libssh2.through(directory, rest)?;
            let patience = Patience::lasting(interrupt, login.connect_timeout);
            let socket = reach_port(login, through, patience)?;
            let offer = Offer { key_types: &[kind], only: true, legacy: &[], lists: None };
            let (_session, key) = shake_hands(&socket, &offer, patience)?;
            Ok(key)
        };
        match one() {
            Ok(key) => keys.push(key),
            // The host has no key of this type.
            Err(Failure::NoCommon(_)) => {}
            Err(failure) => {
                let doing = format!("connect to {} port {}", login.host, login.port);
                return Err(failure.at(ReachErrorKind::Connect, Delivery::NotSent, &doing));
            }
        }
    }
    if keys.is_empty() {
        let why = format!("{} shows no key of a known type", login.host);
        return Err(ReachError::new(ReachErrorKind::HostKey, Delivery::NotSent, why));
    }
    Ok(keys)
}
