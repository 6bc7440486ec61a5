//! Credentials of a request, and the session.

use std::fmt;
use std::sync::PoisonError;
use std::time::Duration;

use http::{HeaderName, HeaderValue, Method, StatusCode, header};
use zeroize::Zeroizing;

use super::Bmc;
use super::exchange::Run;
use crate::property::linked;
use crate::{Authentication, Delivery, Error, ErrorKind, ResourcePath, Transport, quirk};

const SESSIONS: &str = "/redfish/v1/SessionService/Sessions";
const TOKEN: HeaderName = HeaderName::from_static("x-auth-token");
/// A logout that takes longer is left to the BMC's own session timeout.
const LOGOUT_TIME: Duration = Duration::from_secs(10);

/// A session on the BMC.
pub(super) struct Session {
    token: Zeroizing<String>,
    /// What to delete.
    resource: Option<ResourcePath>,
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("resource", &self.resource).finish_non_exhaustive()
    }
}

impl<T: Transport> Bmc<T> {
    /// The header that authenticates a request; logs in where a session is wanted.
    pub(super) fn credentials(&self, run: &Run) -> Result<(HeaderName, HeaderValue), Error> {
        if self.authentication == Authentication::Session && !self.is_out_of_sessions() {
            let one_at_a_time = self.log_in.lock().unwrap_or_else(PoisonError::into_inner);
            if self.state().session.is_none() && !self.is_out_of_sessions() {
                self.create_session(run)?;
            }
            drop(one_at_a_time);
            let token = self.state().session.as_ref().and_then(token_header);
            if let Some(token) = token {
                return Ok((TOKEN, token));
            }
        }
        let unusable = || self.failure(ErrorKind::Unauthorized);
        Ok((header::AUTHORIZATION, self.account.basic().ok_or_else(unusable)?))
    }

    /// Creates a session. The request carries no credentials but its body, and follows redirects
    /// of the same origin with its method (old Supermicro redirects to the path with a slash).
    fn create_session(&self, run: &Run) -> Result<(), Error> {
        let body = self.account.session_request();
        let mut path: ResourcePath =
            SESSIONS.parse().map_err(|_| self.failure(ErrorKind::NoSystem))?;
        let mut redirects = 0;
        let mut looked_up = false;
        let answer = loop {
            let request = self.request(run, &Method::POST, &path, Some(&body))?;
            let answer =
                self.deliver(request).map_err(|error| error.with_delivery(Delivery::NotSent))?;
            // The collection is elsewhere where nothing is here; the root says where.
            if answer.status == StatusCode::NOT_FOUND && !looked_up {
                looked_up = true;
                if let Some(elsewhere) = self.sessions_link(run, &path)? {
                    path = elsewhere;
                    continue;
                }
            }
            if !answer.status.is_redirection() {
                break answer;
            }
            redirects += 1;
            path = self.redirected(&answer, redirects, Delivery::NotSent)?;
        };
        if !answer.status.is_success() {
            if quirk::is_out_of_sessions(answer.status.as_u16(), &answer.messages()) {
                self.state().out_of_sessions = true;
                return Ok(());
            }
            return Err(self.refusal(&answer, &path, Delivery::NotSent));
        }
        let own_link =
            || ResourcePath::from_link(answer.resource()?.get("@odata.id")?.as_str()?).ok();
        let token = answer.header(TOKEN).map(|token| Zeroizing::new(token.to_owned()));
        let Some(token) = token else {
            return Err(self.malformed("a new session without a token".to_owned()));
        };
        let resource = answer.location().or_else(own_link);
        self.state().session = Some(Session { token, resource });
        Ok(())
    }

    /// `Links.Sessions` of the root, where it is another path.
    fn sessions_link(
        &self,
        run: &Run,
        tried: &ResourcePath,
    ) -> Result<Option<ResourcePath>, Error> {
        let root = self.ask_root(run)?;
        let link = root.resource().and_then(|root| linked(root.get("Links")?, "Sessions"));
        Ok(link.filter(|link| !link.is_same_resource(tried)))
    }

    /// Forgets a session the BMC does not accept; says whether there was one. It is deleted at the
    /// end all the same, for some BMCs refuse a good token at times and keep its session.
    pub(super) fn forget_session(&self) -> bool {
        let mut state = self.state();
        let session = state.session.take();
        let was_there = session.is_some();
        state.refused_sessions.extend(session);
        was_there
    }

    /// Deletes the session. Runs on every path, since dropping the value calls it.
    pub(super) fn log_out(&self) {
        let (session, refused) = {
            let mut state = self.state();
            (state.session.take(), std::mem::take(&mut state.refused_sessions))
        };
        let run = Run { deadline: self.clock.now() + LOGOUT_TIME };
        let token = session.as_ref().and_then(token_header);
        for old in &refused {
            self.delete_session(&run, old, token.clone().or_else(|| token_header(old)));
        }
        if let Some(session) = &session {
            self.delete_session(&run, session, token);
        }
    }

    fn delete_session(&self, run: &Run, session: &Session, token: Option<HeaderValue>) {
        let (Some(token), Some(resource)) = (token, &session.resource) else { return };
        let Ok(mut request) = self.request(run, &Method::DELETE, resource, None) else { return };
        request.headers_mut().insert(TOKEN, token);
        // Nobody is left to tell; the BMC ends the session itself in a while.
        let _answer: Result<StatusCode, Error> = self.deliver(request).map(|answer| answer.status);
    }
}

fn token_header(session: &Session) -> Option<HeaderValue> {
    let mut value = HeaderValue::from_str(&session.token).ok()?;
    value.set_sensitive(true);
    Some(value)
}
