//! The key exchange, and which algorithms are offered in it.

use std::sync::Arc;

use ssh2::{ErrorCode, MethodType, Session};

use crate::hostkeys::HostKey;
use crate::reach::libssh2::wait::drive;
use crate::reach::libssh2::{Failure, Patience, Socket};
use crate::reach::login::Algorithms;
use crate::reach::ssh_config::adjusted;

/// What is offered to a host.
#[derive(Debug, Default)]
pub(in crate::reach) struct Offer<'a> {
    /// Types of host keys that are wanted most, first of all; only these when `only`.
    pub key_types: &'a [&'a str],
    /// Whether other types of host keys are refused.
    pub only: bool,
    /// Algorithms allowed beyond the usual ones.
    pub legacy: &'a [String],
    /// Lists of the person's ssh_config.
    pub lists: Option<&'a Algorithms>,
}

/// Cheapest first: curve25519 needs a tenth of the time of the classic groups. The last two are no
/// key exchanges but say that this side knows RFC 8308 and the strict key exchange of OpenSSH.
const KEX: &[&str] = &[
    "curve25519-sha256",
    "curve25519-sha256@libssh.org",
    "ecdh-sha2-nistp256",
    "ecdh-sha2-nistp384",
    "ecdh-sha2-nistp521",
    "diffie-hellman-group-exchange-sha256",
    "diffie-hellman-group16-sha512",
    "diffie-hellman-group18-sha512",
    "diffie-hellman-group14-sha256",
];
const SIGNALS: &[&str] = &["ext-info-c", "kex-strict-c-v00@openssh.com"];

/// Signature algorithms of host keys, without SHA-1, certificates and DSA.
const HOST_KEYS: &[&str] = &[
    "ssh-ed25519",
    "ecdsa-sha2-nistp256",
    "ecdsa-sha2-nistp384",
    "ecdsa-sha2-nistp521",
    "rsa-sha2-512",
    "rsa-sha2-256",
];

/// A session whose key exchange is done, and the key the host has proven to hold. Nothing about
/// the key is checked yet.
pub(in crate::reach) fn shake_hands(
    socket: &Arc<Socket>,
    offer: &Offer<'_>,
    patience: Patience<'_>,
) -> Result<(Session, HostKey), Failure> {
    let mut session = Session::new().map_err(Failure::Protocol)?;
    session.set_blocking(false);
    session.set_tcp_stream(Arc::clone(socket));
    for (method, list) in preferences(&session, offer)? {
        session.method_pref(method, &list).map_err(Failure::Protocol)?;
    }
    // A second handle: the closure needs the session while its directions are asked for.
    let mut worker = session.clone();
    drive(&session, socket.as_ref(), patience, || worker.handshake()).map_err(agreed)?;
    let key = session.host_key().and_then(|(blob, _)| HostKey::from_blob(blob));
    let key = key.ok_or_else(|| Failure::Socket(std::io::Error::other("host key is malformed")))?;
    Ok((session, key))
}

fn preferences(session: &Session, offer: &Offer<'_>) -> Result<Vec<(MethodType, String)>, Failure> {
    let legacy: Vec<&str> = offer.legacy.iter().map(String::as_str).collect();
    let known = |method| session.supported_algs(method).map_err(Failure::Protocol);
    let mut list = Vec::new();

    let known_kex = known(MethodType::Kex)?;
    let usual: Vec<&str> = KEX.iter().copied().chain(legacy.iter().copied()).collect();
    let wanted = offer.lists.and_then(|lists| lists.kex.as_deref());
    let mut kex = adjusted(wanted.unwrap_or("+"), &usual, &known_kex);
    refuse_empty(&kex, "KexAlgorithms")?;
    kex.extend(SIGNALS.iter().filter(|name| known_kex.contains(name)).map(|&n| n.to_owned()));
    list.push((MethodType::Kex, kex.join(",")));

    let known_keys = known(MethodType::HostKey)?;
    let usual: Vec<&str> = HOST_KEYS.iter().copied().chain(legacy.iter().copied()).collect();
    let wanted = offer.lists.and_then(|lists| lists.host_keys.as_deref());
    let mut keys = adjusted(wanted.unwrap_or("+"), &usual, &known_keys);
    let is_preferred = |name: &String| offer.key_types.iter().any(|kind| signs(name, kind));
    if offer.only {
        keys.retain(is_preferred);
    } else {
        keys.sort_by_key(|name| !is_preferred(name));
    }
    refuse_empty(&keys, "HostKeyAlgorithms")?;
    list.push((MethodType::HostKey, keys.join(",")));

    let lists = offer.lists;
    for (wanted, keyword, methods) in [
        (lists.and_then(|l| l.ciphers.as_deref()), "Ciphers", CIPHERS),
        (lists.and_then(|l| l.macs.as_deref()), "MACs", MACS),
    ] {
        let Some(wanted) = wanted else { continue };
        let known = known(methods[0])?;
        let chosen = adjusted(wanted, &known, &known);
        refuse_empty(&chosen, keyword)?;
        list.extend(methods.into_iter().map(|method| (method, chosen.join(","))));
    }
    Ok(list)
}

const CIPHERS: [MethodType; 2] = [MethodType::CryptCs, MethodType::CryptSc];
const MACS: [MethodType; 2] = [MethodType::MacCs, MethodType::MacSc];

/// Whether a signature algorithm belongs to a key type: RSA keys sign in several ways (RFC 8332).
fn signs(algorithm: &str, kind: &str) -> bool {
    algorithm == kind || (kind == "ssh-rsa" && algorithm.starts_with("rsa-sha2-"))
}

fn refuse_empty(list: &[String], keyword: &str) -> Result<(), Failure> {
    if list.is_empty() {
        return Err(Failure::NoCommon(format!(
            "libssh2 has none of the {keyword} that are allowed"
        )));
    }
    Ok(())
}

/// libssh2's word for "no algorithm in common" (`LIBSSH2_ERROR_KEX_FAILURE`).
const KEX_FAILURE: i32 = -5;

fn agreed(failure: Failure) -> Failure {
    match failure {
        Failure::Protocol(error) if error.code() == ErrorCode::Session(KEX_FAILURE) => {
            Failure::NoCommon("no algorithm for the key exchange in common".to_owned())
        }
        other => other,
    }
}
