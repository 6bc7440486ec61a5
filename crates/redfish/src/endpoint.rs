//! Where a BMC answers.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr};
use std::str::FromStr;

use crate::ResourcePath;

/// The port of https, left out when an endpoint is printed.
const HTTPS_PORT: u16 = 443;

/// Host and port of a BMC; always https.
///
/// Prints as it is written in a URL: `exe0001.mgmt.example.org`, `10.2.2.1:8443`, `[fd00::1]`.
///
/// ```
/// let endpoint: redfish::Endpoint = "[fd00::1]:8443".parse()?;
/// assert_eq!(endpoint.host(), "fd00::1");
/// assert_eq!(endpoint.port(), 8443);
/// # Ok::<(), redfish::EndpointError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Endpoint {
    host: String,
    port: u16,
}

impl Endpoint {
    /// An endpoint from a host (a name, an IPv4 or an IPv6 literal without brackets) and a port.
    pub fn new(host: &str, port: u16) -> Result<Self, EndpointError> {
        let refused = || EndpointError { text: host.to_owned() };
        if port == 0 {
            return Err(refused());
        }
        if let Ok(address) = host.parse::<IpAddr>() {
            return Ok(Self { host: address.to_string(), port });
        }
        let name = host.strip_suffix('.').unwrap_or(host);
        if !is_host_name(name) {
            return Err(refused());
        }
        Ok(Self { host: name.to_ascii_lowercase(), port })
    }

    /// The host: a lower-case name or an address without brackets.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// The TCP port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The address, where the host is a literal.
    pub fn address(&self) -> Option<IpAddr> {
        self.host.parse().ok()
    }

    pub(crate) fn url(&self, path: &ResourcePath) -> String {
        format!("https://{self}{path}")
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.host.parse::<Ipv6Addr>().is_ok() {
            write!(f, "[{}]", self.host)?;
        } else {
            f.write_str(&self.host)?;
        }
        if self.port == HTTPS_PORT { Ok(()) } else { write!(f, ":{}", self.port) }
    }
}

impl FromStr for Endpoint {
    type Err = EndpointError;

    fn from_str(text: &str) -> Result<Self, EndpointError> {
        let refused = || EndpointError { text: text.to_owned() };
        if text.parse::<Ipv6Addr>().is_ok() {
            return Self::new(text, HTTPS_PORT);
        }
        let (host, port) = if let Some(rest) = text.strip_prefix('[') {
            let (host, rest) = rest.split_once(']').ok_or_else(refused)?;
            host.parse::<Ipv6Addr>().map_err(|_| refused())?;
            (host, rest)
        } else {
            text.split_at(text.find(':').unwrap_or(text.len()))
        };
        let port = match port.strip_prefix(':') {
            Some(digits) if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
                digits.parse().map_err(|_| refused())?
            }
            None if port.is_empty() => HTTPS_PORT,
            _ => return Err(refused()),
        };
        Self::new(host, port).map_err(|_| refused())
    }
}

/// The text names no host: a host name, an IPv4 address, or an IPv6 address, with an optional port.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is no host with an optional port")]
pub struct EndpointError {
    text: String,
}

/// A host name of RFC 1123, with the underscore that sites use. A name whose last label is a number
/// would be read as an IPv4 address by whoever resolves it.
fn is_host_name(name: &str) -> bool {
    let label = |label: &str| {
        (1..=63).contains(&label.len())
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
    };
    let numeric = |label: &str| label.bytes().all(|byte| byte.is_ascii_digit());
    name.len() <= 253 && name.split('.').all(label) && !name.rsplit('.').next().is_some_and(numeric)
}
