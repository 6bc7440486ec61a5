//! Hardware addresses, as `hardware TYPE OCTETS;` declares them.

use std::fmt;

/// The kind of network a hardware address belongs to (dhcpd.conf(5), "The hardware statement").
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum HardwareType {
    /// `ethernet`, ARP type 1.
    Ethernet,
    /// `token-ring`, ARP type 6.
    TokenRing,
    /// `fddi`, which dhcpd numbers 8.
    Fddi,
    /// `infiniband`, ARP type 32.
    InfiniBand,
    /// `unknown-N`: any other ARP type by its number.
    Unknown(u8),
}

impl HardwareType {
    pub(crate) fn parse(word: &[u8]) -> Option<Self> {
        let is = |name: &str| word.eq_ignore_ascii_case(name.as_bytes());
        Some(match word {
            _ if is("ethernet") => Self::Ethernet,
            _ if is("infiniband") => Self::InfiniBand,
            _ if is("token-ring") => Self::TokenRing,
            _ if is("fddi") => Self::Fddi,
            // Lower case only: dhcpd compares this one as it stands.
            _ => Self::Unknown(
                std::str::from_utf8(word.strip_prefix(b"unknown-")?).ok()?.parse().ok()?,
            ),
        })
    }
}

impl fmt::Display for HardwareType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ethernet => f.write_str("ethernet"),
            Self::TokenRing => f.write_str("token-ring"),
            Self::Fddi => f.write_str("fddi"),
            Self::InfiniBand => f.write_str("infiniband"),
            Self::Unknown(number) => write!(f, "unknown-{number}"),
        }
    }
}

/// A hardware address: its type and 0 to 20 octets.
///
/// dhcpd checks no length against the type, so an Ethernet address of 20 octets (as some `InfiniBand`
/// sites write it) is kept as it is written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct HardwareAddress {
    kind: HardwareType,
    length: u8,
    octets: [u8; Self::LONGEST],
}

impl HardwareAddress {
    /// The longest address dhcpd 4.4 takes, in octets.
    pub const LONGEST: usize = 20;

    /// An address of `kind` from its octets; none if there are more than
    /// [`LONGEST`](Self::LONGEST).
    pub fn new(kind: HardwareType, octets: &[u8]) -> Option<Self> {
        let mut padded = [0; Self::LONGEST];
        padded.get_mut(..octets.len())?.copy_from_slice(octets);
        Some(Self { kind, length: u8::try_from(octets.len()).ok()?, octets: padded })
    }

    /// The type written before the octets.
    pub fn hardware_type(&self) -> HardwareType {
        self.kind
    }

    /// The octets.
    pub fn octets(&self) -> &[u8] {
        &self.octets[..usize::from(self.length)]
    }
}

/// Octets in lower case with colons: `aa:bb:cc:11:22:33`. The type is left out.
impl fmt::Display for HardwareAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, octet) in self.octets().iter().enumerate() {
            let separator = if index == 0 { "" } else { ":" };
            write!(f, "{separator}{octet:02x}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for HardwareAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {self}", self.kind)
    }
}
