//! The client.

use std::collections::HashMap;
use std::fmt;
use std::io::Read as _;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use http::{Method, Request, Response};

use super::cause::transport_error;
use super::resolve::{Addresses, Resolver, SystemResolver};
use super::tls::{self, MinTls, Trust};
use crate::{Delivery, FreshConnection, TimeLeft, Transport, TransportError, TransportErrorKind};

/// A body larger than this is refused.
const LARGEST_BODY: u64 = 16 << 20;

/// Settings of a [`Client`].
#[derive(Clone, Debug)]
pub struct ClientBuilder {
    trust: Trust,
    connect: Duration,
    request: Duration,
    oldest_tls: MinTls,
    resolver: Arc<dyn Resolver>,
    keep_alive: bool,
}

impl ClientBuilder {
    /// With this time to connect, TLS included. Default: 10 s.
    #[must_use]
    pub fn connect_timeout(mut self, time: Duration) -> Self {
        self.connect = time;
        self
    }

    /// With this time for one request and its answer, connecting included. Default: 30 s. What is
    /// left of the operation's time ([`TimeLeft`]) ends a request earlier.
    #[must_use]
    pub fn request_timeout(mut self, time: Duration) -> Self {
        self.request = time;
        self
    }

    /// With this oldest TLS version. Default: 1.2.
    #[must_use]
    pub fn min_tls(mut self, oldest: MinTls) -> Self {
        self.oldest_tls = oldest;
        self
    }

    /// With addresses from this resolver. Default: the system's.
    #[must_use]
    pub fn resolver(mut self, resolver: Arc<dyn Resolver>) -> Self {
        self.resolver = resolver;
        self
    }

    /// With `Connection: close` and a connection for each request.
    #[must_use]
    pub fn close_connections(mut self) -> Self {
        self.keep_alive = false;
        self
    }

    /// The client. A CA bundle that holds no certificate is refused.
    pub fn build(self) -> Result<Client, ClientError> {
        // A configuration that cannot be used is found before the first BMC is asked.
        tls::config(&self.trust, 443, self.oldest_tls)?;
        let addresses = Arc::new(Addresses::new(Arc::clone(&self.resolver)));
        let ports = Mutex::default();
        Ok(Client { shared: Arc::new(Shared { settings: self, addresses, ports }) })
    }
}

/// A [`Transport`] for any number of BMCs; clones share connections.
#[derive(Clone)]
pub struct Client {
    shared: Arc<Shared>,
}

struct Shared {
    settings: ClientBuilder,
    addresses: Arc<Addresses>,
    /// A verifier is told the name of a server and not its port, while pins belong to both.
    ports: Mutex<HashMap<(u16, Connections), reqwest::blocking::Client>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Connections {
    Kept,
    Fresh,
}

impl Client {
    /// A client with default settings.
    pub fn new(trust: Trust) -> Result<Self, ClientError> {
        Self::builder(trust).build()
    }

    /// A client's settings, to be changed.
    pub fn builder(trust: Trust) -> ClientBuilder {
        ClientBuilder {
            trust,
            connect: Duration::from_secs(10),
            request: Duration::from_secs(30),
            oldest_tls: MinTls::default(),
            resolver: Arc::new(SystemResolver),
            keep_alive: true,
        }
    }

    fn for_port(
        &self,
        port: u16,
        connections: Connections,
    ) -> Result<reqwest::blocking::Client, ClientError> {
        let mut ports = self.shared.ports.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(client) = ports.get(&(port, connections)) {
            return Ok(client.clone());
        }
        let settings = &self.shared.settings;
        let idle = match connections {
            Connections::Kept => 1,
            Connections::Fresh => 0,
        };
        let client = reqwest::blocking::Client::builder()
            .tls_backend_preconfigured(tls::config(&settings.trust, port, settings.oldest_tls)?)
            .dns_resolver(Arc::clone(&self.shared.addresses))
            .connect_timeout(settings.connect)
            .pool_max_idle_per_host(idle)
            // A BMC that closed an idle connection loses the next request on it.
            .pool_idle_timeout(Duration::from_secs(5))
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            .no_proxy()
            .http1_only()
            .https_only(true)
            .build()
            .map_err(|unusable| ClientError::Tls(unusable.to_string()))?;
        ports.insert((port, connections), client.clone());
        Ok(client)
    }

    fn convert(
        &self,
        request: Request<Vec<u8>>,
    ) -> Result<(reqwest::blocking::Client, reqwest::blocking::Request), TransportError> {
        let unusable = |cause: Box<dyn std::error::Error + Send + Sync>| {
            TransportError::new(TransportErrorKind::Unreachable, Delivery::NotSent).caused_by(cause)
        };
        let settings = &self.shared.settings;
        let fresh = !settings.keep_alive || request.extensions().get::<FreshConnection>().is_some();
        let left = request.extensions().get::<TimeLeft>().map(|left| left.0);
        let host = request.uri().host().unwrap_or_default().trim_matches(['[', ']']).to_owned();
        let port = request.uri().port_u16().unwrap_or(443);
        self.shared.addresses.look_up(&host).map_err(|cause| {
            TransportError::new(TransportErrorKind::Unresolved, Delivery::NotSent).caused_by(cause)
        })?;
        let connections = if fresh { Connections::Fresh } else { Connections::Kept };
        let client = self.for_port(port, connections).map_err(|cause| unusable(cause.into()))?;
        let mut request: reqwest::blocking::Request =
            request.try_into().map_err(|cause: reqwest::Error| unusable(cause.into()))?;
        if fresh {
            let close = http::HeaderValue::from_static("close");
            request.headers_mut().insert(http::header::CONNECTION, close);
        }
        *request.timeout_mut() =
            Some(left.map_or(settings.request, |left| left.min(settings.request)));
        Ok((client, request))
    }
}

impl Transport for Client {
    fn send(&self, request: Request<Vec<u8>>) -> Result<Response<Vec<u8>>, TransportError> {
        let is_read = request.method() == Method::GET;
        let (client, request) = self.convert(request)?;
        let answer = client.execute(request).map_err(transport_error)?;
        let mut response = Response::builder().status(answer.status());
        if let Some(headers) = response.headers_mut() {
            headers.extend(answer.headers().clone());
        }
        let mut body = Vec::new();
        let read = answer.take(LARGEST_BODY + 1).read_to_end(&mut body);
        let malformed = || TransportError::new(TransportErrorKind::Malformed, Delivery::Answered);
        match read {
            Ok(_) if body.len() as u64 > LARGEST_BODY => return Err(malformed()),
            // The status of a change is known, which is more than its body.
            Err(cause) if is_read => {
                let kind = match cause.kind() {
                    std::io::ErrorKind::TimedOut => TransportErrorKind::Timeout,
                    _ => TransportErrorKind::ConnectionLost,
                };
                return Err(TransportError::new(kind, Delivery::Answered).caused_by(cause));
            }
            Ok(_) | Err(_) => {}
        }
        response.body(body).map_err(|_| malformed())
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("settings", &self.shared.settings).finish_non_exhaustive()
    }
}

/// A client cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ClientError {
    /// The CA bundle holds no usable certificate.
    #[error("the CA bundle cannot be used: {0}")]
    Bundle(String),
    /// The TLS configuration was refused.
    #[error("TLS cannot be set up: {0}")]
    Tls(String),
}
