//! One request with everything around it: authentication, deadline, redirects, retries of reads.

use std::time::{Duration, Instant};

use http::{Method, Request, StatusCode, Uri, header};
use serde_json::Value;

use super::Bmc;
use crate::answer::Answer;
use crate::plan::system::is_named;
use crate::plan::tag::IfMatch;
use crate::quirk::{self, Quirk};
use crate::{
    Delivery, Endpoint, Error, ErrorKind, FreshConnection, Known, ResourcePath, TimeLeft, Transport,
};

/// Redirects of one read that are followed.
const MOST_REDIRECTS: usize = 3;
/// Repeats of one read after a passing failure.
const MOST_REPEATS: usize = 2;

/// One operation and its deadline.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub(super) deadline: Instant,
}

impl<T: Transport> Bmc<T> {
    /// Begins an operation. What is known of another system than the configured one is forgotten.
    pub(super) fn begin(&self) -> Run {
        if let Some(wanted) = &self.profile.system {
            let known = &mut self.state().known;
            if known.system.as_ref().is_some_and(|path| !is_named(path, wanted)) {
                *known = Known::default();
            }
        }
        let deadline = self.clock.now() + self.limits.operation;
        Run { deadline: self.until.map_or(deadline, |until| until.min(deadline)) }
    }

    /// Waits, unless the wait ends after the deadline.
    pub(super) fn wait(&self, run: &Run, time: Duration) -> bool {
        if self.clock.now() + time >= run.deadline {
            return false;
        }
        self.clock.sleep(time);
        self.clock.now() < run.deadline
    }

    /// Reads a resource.
    pub(super) fn resource(&self, run: &Run, path: &ResourcePath) -> Result<Answer, Error> {
        let answer = self.read(run, path)?;
        if !answer.status.is_success() {
            return Err(self.refusal(&answer, path, Delivery::NotSent));
        }
        match answer.resource() {
            Some(_) => Ok(answer),
            None => Err(self.malformed(answer.not_a_resource())),
        }
    }

    /// Reads, whatever the status. Follows redirects of the same origin; repeats after a lost
    /// connection, an empty body (seen right after a power transition) and "not now", as long as
    /// time is left. Reads change nothing, so their failures are "not sent".
    pub(super) fn read(&self, run: &Run, path: &ResourcePath) -> Result<Answer, Error> {
        let mut path = path.clone();
        let mut repeats = 0;
        let mut redirects = 0;
        let mut logged_in_again = false;
        loop {
            let may_repeat = repeats < MOST_REPEATS;
            let answer = match self.send(run, &Method::GET, &path, None, &IfMatch::Absent) {
                Ok(answer) => answer,
                Err(error) if may_repeat && *error.kind() == ErrorKind::ConnectionLost => {
                    repeats += 1;
                    continue;
                }
                Err(error) => return Err(error.with_delivery(Delivery::NotSent)),
            };
            let status = answer.status;
            if status.is_redirection() {
                redirects += 1;
                path = self.redirected(&answer, redirects, Delivery::NotSent)?;
                continue;
            }
            if status == StatusCode::UNAUTHORIZED && !logged_in_again && self.forget_session() {
                logged_in_again = true;
                continue;
            }
            let passing = matches!(status.as_u16(), 429 | 502..=504)
                || (status == StatusCode::OK && answer.is_empty());
            let wait = answer.retry_after().unwrap_or(Duration::from_secs(1));
            if passing && may_repeat && self.wait(run, wait) {
                repeats += 1;
                continue;
            }
            return Ok(answer);
        }
    }

    /// Sends a request that changes something, once. A redirect is not followed.
    pub(super) fn change(
        &self,
        run: &Run,
        method: &Method,
        path: &ResourcePath,
        body: &Value,
        if_match: &IfMatch,
    ) -> Result<Answer, Error> {
        let answer = self.send(run, method, path, Some(body), if_match)?;
        if answer.status.is_redirection() {
            self.redirected(&answer, usize::MAX, Delivery::Answered)?;
        }
        if answer.status == StatusCode::UNAUTHORIZED {
            self.forget_session();
            return Err(self.refusal(&answer, path, Delivery::Answered));
        }
        Ok(answer)
    }

    fn send(
        &self,
        run: &Run,
        method: &Method,
        path: &ResourcePath,
        body: Option<&Value>,
        if_match: &IfMatch,
    ) -> Result<Answer, Error> {
        let (name, value) = self.credentials(run)?;
        let mut request = self.request(run, method, path, body)?;
        request.headers_mut().insert(name, value);
        if let Some(tag) = if_match.header().and_then(|tag| tag.parse().ok()) {
            request.headers_mut().insert(header::IF_MATCH, tag);
        }
        self.deliver(request)
    }

    /// A request without credentials.
    pub(super) fn request(
        &self,
        run: &Run,
        method: &Method,
        path: &ResourcePath,
        body: Option<&Value>,
    ) -> Result<Request<Vec<u8>>, Error> {
        let left = run.deadline.saturating_duration_since(self.clock.now());
        if left.is_zero() {
            return Err(Error::new(&self.endpoint, ErrorKind::Deadline, Delivery::NotSent));
        }
        let mut request = Request::builder()
            .method(method)
            .uri(self.endpoint.url(path))
            .header(header::ACCEPT, "application/json")
            .header("OData-Version", "4.0")
            // iDRAC 9 appends "-gzip" to the tag of a compressed answer.
            .header(header::ACCEPT_ENCODING, "identity")
            .header(header::USER_AGENT, concat!("clusterctl-redfish/", env!("CARGO_PKG_VERSION")))
            .extension(TimeLeft(left));
        if body.is_some() {
            request = request.header(header::CONTENT_TYPE, "application/json");
        }
        if self.needs_fresh_connection() {
            request = request.header(header::CONNECTION, "close").extension(FreshConnection);
        }
        let body = body.map(|body| body.to_string().into_bytes()).unwrap_or_default();
        request.body(body).map_err(|unusable| {
            Error::new(&self.endpoint, ErrorKind::Unreachable, Delivery::NotSent)
                .caused_by(unusable)
        })
    }

    pub(super) fn deliver(&self, request: Request<Vec<u8>>) -> Result<Answer, Error> {
        match self.transport.send(request) {
            Ok(response) => Ok(Answer::read(response)),
            Err(error) => Err(Error::of_transport(&self.endpoint, error)),
        }
    }

    /// The path a redirect leads to, if it may be followed: the same origin, not too often.
    pub(super) fn redirected(
        &self,
        answer: &Answer,
        redirects: usize,
        delivery: Delivery,
    ) -> Result<ResourcePath, Error> {
        let target = answer.header(header::LOCATION).unwrap_or_default();
        let path = same_origin(&self.endpoint, target);
        if let Some(path) = path.filter(|_| redirects <= MOST_REDIRECTS) {
            return Ok(path);
        }
        let target = match crate::excerpt::one_line(target, 200) {
            empty if empty.is_empty() => "nowhere".to_owned(),
            target => target,
        };
        let error = Error::new(&self.endpoint, ErrorKind::Redirected { target }, delivery);
        Err(error.answered(answer.status, Vec::new()))
    }

    /// The error that an answer without success is.
    pub(super) fn refusal(
        &self,
        answer: &Answer,
        path: &ResourcePath,
        delivery: Delivery,
    ) -> Error {
        let messages = answer.messages();
        let status = answer.status;
        let change_required = messages.iter().find(|m| m.key() == "PasswordChangeRequired");
        let kind = if let Some(message) = change_required {
            let mut links = message.arguments().iter();
            let account = links.find_map(|link| ResourcePath::from_link(link).ok());
            ErrorKind::PasswordChangeRequired { account }
        } else if status == StatusCode::UNAUTHORIZED {
            ErrorKind::Unauthorized
        } else if status == StatusCode::NOT_FOUND {
            ErrorKind::NotFound { path: path.clone() }
        } else if quirk::is_refused_for_now(status.as_u16(), &messages) {
            ErrorKind::Busy { retry_after: answer.retry_after() }
        } else {
            ErrorKind::Refused
        };
        Error::new(&self.endpoint, kind, delivery).answered(status, messages)
    }

    pub(super) fn failure(&self, kind: ErrorKind) -> Error {
        Error::new(&self.endpoint, kind, Delivery::NotSent)
    }

    pub(super) fn malformed(&self, found: String) -> Error {
        self.failure(ErrorKind::Malformed { found })
    }

    pub(super) fn needs_fresh_connection(&self) -> bool {
        self.profile.close_connections
            || self.state().known.quirks.contains(&Quirk::NoConnectionReuse)
    }
}

/// The path of a redirect's target on this BMC; nothing where it leads elsewhere.
fn same_origin(endpoint: &Endpoint, target: &str) -> Option<ResourcePath> {
    let uri: Uri = target.parse().ok()?;
    let same = match (uri.scheme_str(), uri.authority()) {
        (None, None) => true,
        (Some("https"), Some(authority)) => {
            authority.as_str().parse::<Endpoint>().is_ok_and(|origin| origin == *endpoint)
        }
        _ => false,
    };
    if same { ResourcePath::from_link(target).ok() } else { None }
}
