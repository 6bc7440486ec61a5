//! Logging in by public key: the agent's keys and identity files, in the order of ssh.

use std::path::Path;

use ssh2::{Agent, PublicKey, Session};

use crate::hostkeys::HostKey;
use crate::reach::libssh2::wait::drive;
use crate::reach::libssh2::{Failure, Patience, Socket};
use crate::reach::login::{self, Login};
use crate::reach::{Delivery, ReachError, ReachErrorKind};

/// Logs in, or says why the host let nobody in. Never asks the person anything.
pub(super) fn authenticate(
    session: &Session,
    socket: &Socket,
    login: &Login,
    patience: Patience<'_>,
) -> Result<(), Failure> {
    let files: Vec<&Path> = login
        .identities
        .iter()
        .map(std::path::PathBuf::as_path)
        .filter(|path| path.exists())
        .collect();
    let mut agent_keys = 0;
    if let Some(agent) = connected(session, &login.agent) {
        let keys = in_order(agent.identities().unwrap_or_default(), &files, login.identities_only);
        for key in keys {
            agent_keys += 1;
            let attempt = drive(session, socket, patience, || agent.userauth(&login.user, &key));
            if accepted(session, attempt)? {
                return Ok(());
            }
        }
    }
    for file in &files {
        let attempt = drive(session, socket, patience, || {
            session.userauth_pubkey_file(&login.user, None, file, None)
        });
        if accepted(session, attempt)? {
            return Ok(());
        }
    }
    let tried = format!("{} of an agent, {} in files", keys(agent_keys), keys(files.len()));
    let text = format!("{}@{} was not let in: tried {tried}", login.user, login.host);
    Err(Failure::Worded(ReachError::new(ReachErrorKind::Authentication, Delivery::NotSent, text)))
}

fn keys(count: usize) -> String {
    format!("{count} {}", if count == 1 { "key" } else { "keys" })
}

/// Whether an attempt let us in; an attempt that only failed goes on to the next key.
fn accepted(session: &Session, attempt: Result<(), Failure>) -> Result<bool, Failure> {
    match attempt {
        Ok(()) => Ok(session.authenticated()),
        Err(Failure::Protocol(error)) if is_broken(&error) => {
            let text =
                format!("the host closed the connection while logging in: {}", error.message());
            let kind = ReachErrorKind::Authentication;
            Err(Failure::Worded(ReachError::new(kind, Delivery::NotSent, text)))
        }
        Err(Failure::Protocol(_)) => Ok(false),
        Err(other) => Err(other),
    }
}

/// Errors after which no other key can be tried: the socket failed or was closed.
fn is_broken(error: &ssh2::Error) -> bool {
    const BROKEN: [i32; 4] = [-7, -13, -14, -43];
    matches!(error.code(), ssh2::ErrorCode::Session(code) if BROKEN.contains(&code))
}

fn connected(session: &Session, agent: &login::Agent) -> Option<Agent> {
    let mut found = session.agent().ok()?;
    match agent {
        login::Agent::None => return None,
        login::Agent::Environment => {
            std::env::var_os("SSH_AUTH_SOCK").filter(|path| !path.is_empty())?;
        }
        login::Agent::Socket(path) => found.set_identity_path(path).ok()?,
    }
    found.connect().ok()?;
    found.list_identities().ok()?;
    Some(found)
}

/// Keys of the agent that belong to an identity file come first, in the order of the files; the
/// others follow unless only identity files count.
fn in_order(keys: Vec<PublicKey>, files: &[&Path], only: bool) -> Vec<PublicKey> {
    let public: Vec<HostKey> = files.iter().filter_map(|file| public_half(file)).collect();
    let place = |key: &PublicKey| public.iter().position(|known| known.blob() == key.blob());
    let mut placed: Vec<(Option<usize>, PublicKey)> =
        keys.into_iter().map(|key| (place(&key), key)).collect();
    if only {
        placed.retain(|(place, _)| place.is_some());
    }
    placed.sort_by_key(|(place, _)| place.unwrap_or(usize::MAX));
    placed.into_iter().map(|(_, key)| key).collect()
}

/// The public key beside an identity file, if it lies there.
fn public_half(file: &Path) -> Option<HostKey> {
    let mut name = file.as_os_str().to_owned();
    name.push(".pub");
    let text = std::fs::read_to_string(name).ok()?;
    let mut words = text.split_whitespace();
    HostKey::from_text(words.next()?, words.next()?)
}
