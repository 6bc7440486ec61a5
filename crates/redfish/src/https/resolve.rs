//! Addresses of BMCs.

use std::collections::HashMap;
use std::fmt;
use std::io;
use std::net::{IpAddr, SocketAddr, ToSocketAddrs as _};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

/// How long an address is used before it is looked up again.
const LIFETIME: Duration = Duration::from_mins(1);

/// Looks up host names. It runs on the thread that sends the request.
pub trait Resolver: Send + Sync + fmt::Debug {
    /// The addresses of a host name.
    fn resolve(&self, host: &str) -> io::Result<Vec<IpAddr>>;
}

/// The resolver of the system (`getaddrinfo`).
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemResolver;

impl Resolver for SystemResolver {
    fn resolve(&self, host: &str) -> io::Result<Vec<IpAddr>> {
        Ok((host, 0).to_socket_addrs()?.map(|address| address.ip()).collect())
    }
}

/// Addresses that were looked up before the request went to reqwest, so that a name without an
/// address is told apart from a host that does not answer.
#[derive(Debug)]
pub(super) struct Addresses {
    resolver: Arc<dyn Resolver>,
    found: Mutex<HashMap<String, (Instant, Vec<IpAddr>)>>,
}

impl Addresses {
    pub(super) fn new(resolver: Arc<dyn Resolver>) -> Self {
        Self { resolver, found: Mutex::default() }
    }

    /// Looks a name up; a literal is its own address.
    pub(super) fn look_up(&self, host: &str) -> io::Result<()> {
        if host.parse::<IpAddr>().is_ok() || self.known(host).is_some() {
            return Ok(());
        }
        let addresses = self.resolver.resolve(host)?;
        if addresses.is_empty() {
            return Err(io::Error::new(io::ErrorKind::NotFound, "no address"));
        }
        self.found().insert(host.to_owned(), (Instant::now(), addresses));
        Ok(())
    }

    fn known(&self, host: &str) -> Option<Vec<IpAddr>> {
        let found = self.found();
        let (since, addresses) = found.get(host)?;
        (since.elapsed() < LIFETIME).then(|| addresses.clone())
    }

    fn found(&self) -> std::sync::MutexGuard<'_, HashMap<String, (Instant, Vec<IpAddr>)>> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Resolve for Addresses {
    fn resolve(&self, name: Name) -> Resolving {
        let addresses = self.found().get(name.as_str()).map(|(_, addresses)| addresses.clone());
        Box::pin(async move {
            let addresses =
                addresses.ok_or_else(|| io::Error::other("the name was not looked up"))?;
            let addresses = addresses.into_iter().map(|ip| SocketAddr::new(ip, 0));
            Ok(Box::new(addresses) as Addrs)
        })
    }
}
