//! How the first field of a line names a host (`match_hostname` of ssh).

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, Mac as _};
use sha1::Sha1;

/// A host as files name it: `host`, or `[host]:port` for a port other than 22.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct HostName(String);

impl HostName {
    /// The name of a host and port.
    pub fn new(host: &str, port: u16) -> HostName {
        let host = host.to_ascii_lowercase();
        HostName(if port == 22 { host } else { format!("[{host}]:{port}") })
    }

    /// The name as it stands in a file.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the name can stand in a file without meaning something else.
    pub fn is_plain(&self) -> bool {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._:[]%".contains(&byte);
        !self.0.is_empty() && self.0.bytes().all(plain)
    }
}

impl fmt::Display for HostName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Whether a field speaks of a name: a hashed name, or a list of patterns of which one matches and
/// none that begins with `!` does.
pub(super) fn matches(hosts: &str, name: &str) -> bool {
    if let Some(hashed) = hosts.strip_prefix("|1|") {
        return is_hash_of(hashed, name);
    }
    let name = name.to_ascii_lowercase();
    let mut found = false;
    for pattern in hosts.split(',') {
        let pattern = pattern.to_ascii_lowercase();
        match pattern.strip_prefix('!') {
            Some(negated) if wildcard(negated.as_bytes(), name.as_bytes()) => return false,
            Some(_) => {}
            None => found |= wildcard(pattern.as_bytes(), name.as_bytes()),
        }
    }
    found
}

/// `salt|hash`, both base64: HMAC-SHA1 of the name, keyed with the salt.
fn is_hash_of(hashed: &str, name: &str) -> bool {
    let Some((salt, hash)) = hashed.split_once('|') else { return false };
    let (Ok(salt), Ok(hash)) = (STANDARD.decode(salt), STANDARD.decode(hash)) else {
        return false;
    };
    let Ok(mut mac) = Hmac::<Sha1>::new_from_slice(&salt) else { return false };
    mac.update(name.as_bytes());
    mac.verify_slice(&hash).is_ok()
}

/// `*` for any text, `?` for one character (`match_pattern` of ssh); linear in both, whatever the
/// pattern.
pub(crate) fn wildcard(pattern: &[u8], text: &[u8]) -> bool {
    let (mut p, mut t) = (0, 0);
    let mut retry: Option<(usize, usize)> = None;
    while t < text.len() {
        match pattern.get(p) {
            Some(b'*') => {
                retry = Some((p + 1, t));
                p += 1;
            }
            Some(&byte) if byte == b'?' || byte == text[t] => {
                p += 1;
                t += 1;
            }
            _ => match retry {
                Some((after_star, from)) => {
                    p = after_star;
                    t = from + 1;
                    retry = Some((after_star, from + 1));
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|&byte| byte == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wildcards_match_as_in_ssh() {
        for (pattern, text, expected) in [
            ("*", "", true),
            ("a*c", "abbc", true),
            ("a*c", "abcb", false),
            ("?", "", false),
            ("a?c*", "abc", true),
            ("**x", "aax", true),
        ] {
            assert_eq!(wildcard(pattern.as_bytes(), text.as_bytes()), expected, "{pattern} {text}");
        }
    }
}
