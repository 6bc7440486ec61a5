//! What the file says of a host.

use crate::hostkeys::entry::{Entry, Marker};
use crate::hostkeys::key::HostKey;
use crate::hostkeys::pattern::HostName;

/// The entries of a host key file, for asking.
#[derive(Debug, Clone, Default)]
pub struct KnownHosts {
    entries: Vec<Entry>,
}

/// What the file says of one host.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Vouched {
    /// Keys that vouch for it under its name with the port.
    keys: Vec<HostKey>,
    /// Keys under the bare name, which ssh takes too when the port is not 22.
    bare: Vec<HostKey>,
    revoked: Vec<HostKey>,
    authority: bool,
}

/// What the file says of a key that a host showed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "ssh tells exactly these apart")]
pub enum Verdict {
    /// The file holds it for the host.
    Matches,
    /// The file holds another of the same type.
    Changed,
    /// The file forbids it.
    Revoked,
    /// The file holds none of its type for the host.
    Unknown,
}

impl KnownHosts {
    /// Reads the text of a file; lines that ssh skips are skipped.
    pub fn parse(text: &str) -> KnownHosts {
        KnownHosts { entries: text.lines().filter_map(Entry::parse).collect() }
    }

    /// What the file says of a host at a port.
    pub fn vouched(&self, host: &str, port: u16) -> Vouched {
        let name = HostName::new(host, port);
        let mut vouched = self.vouched_name(&name);
        if port != 22 {
            let bare = self.vouched_name(&HostName::new(host, 22));
            vouched.bare = bare.keys;
            vouched.revoked.extend(bare.revoked);
        }
        vouched
    }

    /// What the file says of exactly this name, without a second look at the bare one.
    pub fn vouched_name(&self, name: &HostName) -> Vouched {
        let mut vouched = Vouched::default();
        for entry in self.entries.iter().filter(|entry| entry.names(name)) {
            match entry.marker {
                Some(Marker::CertAuthority) => vouched.authority = true,
                Some(Marker::Revoked) => vouched.revoked.push(entry.key.clone()),
                None => vouched.keys.push(entry.key.clone()),
            }
        }
        vouched
    }
}

impl Vouched {
    /// Whether a key of the file could let the host in; revoked ones cannot.
    pub fn has_key(&self) -> bool {
        self.usable().next().is_some()
    }

    /// Whether a certificate authority vouches for the host and no key of its own does.
    pub fn only_by_authority(&self) -> bool {
        self.authority && !self.has_key()
    }

    /// The types of the usable keys, each once, in the order of the file.
    pub fn kinds(&self) -> Vec<&str> {
        let mut kinds: Vec<&str> = Vec::new();
        for key in self.usable() {
            if !kinds.contains(&key.kind()) {
                kinds.push(key.kind());
            }
        }
        kinds
    }

    /// What to think of a key.
    pub fn judge(&self, key: &HostKey) -> Verdict {
        if self.revoked.contains(key) {
            return Verdict::Revoked;
        }
        if self.keys.contains(key) {
            return Verdict::Matches;
        }
        if self.keys.iter().any(|known| known.kind() == key.kind()) {
            return Verdict::Changed;
        }
        if self.bare.contains(key) {
            return Verdict::Matches;
        }
        if self.bare.iter().any(|known| known.kind() == key.kind()) {
            return Verdict::Changed;
        }
        Verdict::Unknown
    }

    fn usable(&self) -> impl Iterator<Item = &HostKey> {
        self.keys.iter().chain(&self.bare).filter(|key| !self.revoked.contains(key))
    }
}
