//! A connection to a host whose key is checked and that let us in.

use std::sync::Arc;

use ssh2::{DisconnectCode, Session};

use crate::hostkeys::{HostKey, Verdict, Vouched};
use crate::reach::libssh2::authenticate::authenticate;
use crate::reach::libssh2::pool::Lease;
use crate::reach::libssh2::{Failure, Offer, Patience, Socket, bridge, shake_hands};
use crate::reach::login::Login;
use crate::reach::{Delivery, ReachError, ReachErrorKind, Settings};

/// A session that is logged in.
pub(in crate::reach) struct Connection {
    pub(super) session: Session,
    pub(super) socket: Arc<Socket>,
}

impl Connection {
    /// Connects, checks the host's key, and only then logs in.
    pub(in crate::reach) fn open(
        login: &Login,
        settings: &Settings,
        vouched: &Vouched,
        through: Option<Lease>,
        patience: Patience<'_>,
    ) -> Result<Connection, Failure> {
        let at = |kind, doing: String| {
            move |failure: Failure| match failure {
                Failure::NoCommon(why) => Failure::NoCommon(why),
                other => Failure::Worded(other.at(kind, Delivery::NotSent, &doing)),
            }
        };
        let place = format!("{} port {}", login.host, login.port);
        let socket = reach_port(login, through, patience)
            .map_err(at(ReachErrorKind::Connect, format!("connect to {place}")))?;
        let kinds = vouched.kinds();
        let offer = Offer {
            key_types: &kinds,
            only: false,
            legacy: &settings.legacy_key_types,
            lists: Some(&login.algorithms),
        };
        let (session, key) = shake_hands(&socket, &offer, patience)
            .map_err(at(ReachErrorKind::Connect, format!("key exchange with {place}")))?;
        // From here on the drop of the connection ends the stream.
        let connection = Connection { session, socket };
        check_key(login, settings, vouched, &key)?;
        authenticate(&connection.session, &connection.socket, login, patience)
            .map_err(at(ReachErrorKind::Connect, format!("login at {place}")))?;
        let seconds = u32::try_from(login.keepalive.as_secs()).unwrap_or(u32::MAX);
        connection.session.set_keepalive(true, seconds);
        Ok(connection)
    }

    /// Whether the other side has gone while the connection was kept.
    pub(in crate::reach) fn is_dead(&self) -> bool {
        self.socket.is_dead()
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        // A courtesy; with the stream shut down nothing below waits for the other side.
        let reason = Some(DisconnectCode::ByApplication);
        let _ = self.session.disconnect(reason, "done", None);
        self.socket.shut_down();
    }
}

/// The stream to the host's port: straight, or through the jump host.
pub(in crate::reach) fn reach_port(
    login: &Login,
    through: Option<Lease>,
    patience: Patience<'_>,
) -> Result<Arc<Socket>, Failure> {
    let family = login.address_family.as_deref();
    let socket = match through {
        None => Socket::connect(&login.host, login.port, family, patience)?,
        Some(lease) => bridge::open(lease, &login.host, login.port, patience)?,
    };
    Ok(Arc::new(socket))
}

fn check_key(
    login: &Login,
    settings: &Settings,
    vouched: &Vouched,
    key: &HostKey,
) -> Result<(), ReachError> {
    let name = login.alias.as_deref().unwrap_or(&login.host);
    let shown = format!("{} key {}", key.kind(), key.fingerprint());
    let why = match vouched.judge(key) {
        Verdict::Matches => return Ok(()),
        Verdict::Unknown if !settings.strict => return Ok(()),
        Verdict::Unknown => format!("no such key of {name} is known, it shows the {shown}"),
        Verdict::Changed => format!("the host key of {name} has changed, it shows the {shown}"),
        Verdict::Revoked => format!("the host key of {name} is revoked: {shown}"),
    };
    Err(ReachError::new(ReachErrorKind::HostKey, Delivery::NotSent, why))
}
