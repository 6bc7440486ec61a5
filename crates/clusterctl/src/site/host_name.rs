//! Names that are host names and nothing else.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use thiserror::Error;

/// A host name (RFC 1123: labels of letters, digits and inner hyphens, at most 63 each and 253 in
/// all) or an address; in lower case, without a final dot.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct HostName(String);

/// A text that is no host name.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{text:?} is no host name: {why}")]
pub struct HostNameError {
    text: String,
    why: &'static str,
}

impl HostName {
    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The address, if it is one.
    pub fn address(&self) -> Option<IpAddr> {
        self.0.parse().ok()
    }

    /// The first label.
    pub fn short(&self) -> &str {
        if self.address().is_some() { &self.0 } else { self.0.split('.').next().unwrap_or(&self.0) }
    }

    /// What follows the first label.
    pub fn domain(&self) -> &str {
        self.0.split_once('.').map_or("", |(_, domain)| domain)
    }
}

impl FromStr for HostName {
    type Err = HostNameError;

    fn from_str(text: &str) -> Result<HostName, HostNameError> {
        let refuse = |why| Err(HostNameError { text: text.to_owned(), why });
        if let Ok(address) = text.parse::<IpAddr>() {
            return Ok(HostName(address.to_string()));
        }
        let name = text.strip_suffix('.').unwrap_or(text);
        if name.is_empty() {
            return refuse("it is empty");
        }
        if name.len() > 253 {
            return refuse("it is longer than 253 characters");
        }
        for label in name.split('.') {
            let inner = |c: char| c.is_ascii_alphanumeric() || c == '-';
            if label.is_empty() {
                return refuse("it has an empty label");
            }
            if label.len() > 63 {
                return refuse("it has a label longer than 63 characters");
            }
            if !label.chars().all(inner) {
                return refuse("it holds something else than letters, digits, hyphens and dots");
            }
            if label.starts_with('-') || label.ends_with('-') {
                return refuse("it has a label that begins or ends with a hyphen");
            }
        }
        Ok(HostName(name.to_ascii_lowercase()))
    }
}

impl fmt::Display for HostName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_host_names_are_host_names() {
        let long = "a".repeat(63);
        let longest = format!("{long}.{long}.{long}.{}", "a".repeat(61));
        for good in
            ["exe0001", "exe0001.hpc.example.org.", "a", "10.0.2.7", "fe80::1", &long, &longest]
        {
            assert!(good.parse::<HostName>().is_ok(), "{good}");
        }
        let too_long = format!("{long}.{long}.{long}.{}", "a".repeat(62));
        let label = "a".repeat(64);
        for bad in [
            "",
            ".",
            "a..b",
            "a..",
            "-a",
            "a-",
            "a_b",
            "-oProxyCommand=x",
            "a b",
            "a/b",
            "a#b",
            "a@b",
            "ä",
            "a:b",
            "a%b",
            "a\\b",
            "a?b",
            &label,
            &too_long,
        ] {
            assert!(bad.parse::<HostName>().is_err(), "{bad}");
        }
    }

    #[test]
    fn capitals_and_a_final_dot_are_no_difference() {
        assert_eq!("WLM01.".parse::<HostName>().unwrap(), "wlm01".parse().unwrap());
    }
}
