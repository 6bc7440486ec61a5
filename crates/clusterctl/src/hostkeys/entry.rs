//! One line of a host key file.

use crate::hostkeys::key::HostKey;
use crate::hostkeys::pattern::{self, HostName};

/// A line that names hosts and a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// What the line does with the key beside vouching for it.
    pub marker: Option<Marker>,
    /// The first field: patterns with commas between them, or one hashed name.
    pub hosts: String,
    /// The key.
    pub key: HostKey,
    /// The rest of the line.
    pub comment: String,
}

/// The markers of sshd(8).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "sshd(8) knows exactly these")]
pub enum Marker {
    /// `@cert-authority`: the key signs host certificates.
    CertAuthority,
    /// `@revoked`: the key must never be accepted.
    Revoked,
}

impl Entry {
    /// The entry of a line; `None` for a comment, a blank line and a line ssh skips as well.
    pub fn parse(line: &str) -> Option<Entry> {
        let (first, rest) = field(line)?;
        let (marker, hosts, rest) = match first {
            "@cert-authority" => with_hosts(Marker::CertAuthority, rest)?,
            "@revoked" => with_hosts(Marker::Revoked, rest)?,
            other if other.starts_with(['#', '@']) => return None,
            hosts => (None, hosts, rest),
        };
        let (kind, rest) = field(rest)?;
        let (base64, comment) = field(rest)?;
        let key = HostKey::from_text(kind, base64)?;
        Some(Entry { marker, hosts: hosts.to_owned(), key, comment: comment.trim().to_owned() })
    }

    /// Whether the line speaks of a host, as ssh matches it.
    pub fn names(&self, host: &HostName) -> bool {
        pattern::matches(&self.hosts, host.as_str())
    }
}

fn with_hosts(marker: Marker, rest: &str) -> Option<(Option<Marker>, &str, &str)> {
    let (hosts, rest) = field(rest)?;
    Some((Some(marker), hosts, rest))
}

/// The first word of a text and what follows it.
fn field(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_matches([' ', '\t', '\r', '\n']);
    let end = text.find([' ', '\t']).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    (!word.is_empty()).then_some((word, rest))
}
