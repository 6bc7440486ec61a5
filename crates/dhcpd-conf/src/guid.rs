//! Port identifiers of InfiniBand adapters.

use std::fmt;
use std::str::FromStr;

/// The GUID of an InfiniBand port: eight octets that name it on the fabric.
///
/// ```
/// use dhcpd_conf::Guid;
/// let guid: Guid = "0002:c903:002e:5901".parse()?;
/// assert_eq!(guid.to_string(), "00:02:c9:03:00:2e:59:01");
/// assert_eq!(Guid::from_mac([0x00, 0x02, 0xc9, 0x2e, 0x59, 0x01]), guid);
/// # Ok::<(), dhcpd_conf::NotAGuid>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Guid([u8; 8]);

impl Guid {
    /// A GUID of its octets.
    pub fn new(octets: [u8; 8]) -> Self {
        Self(octets)
    }

    /// The GUID that a Mellanox adapter has whose Ethernet address is `mac`: `03:00` between the
    /// address's halves.
    pub fn from_mac(mac: [u8; 6]) -> Self {
        let [first, second, third, rest @ ..] = mac;
        let [fourth, fifth, sixth] = rest;
        Self([first, second, third, 3, 0, fourth, fifth, sixth])
    }

    /// Its octets.
    pub fn octets(self) -> [u8; 8] {
        self.0
    }

    /// From a hardware address: eight octets are a GUID, twenty an IPoIB address that ends with
    /// it (RFC 4391, 9.1.1).
    pub(crate) fn of_hardware(octets: &[u8]) -> Option<Self> {
        if matches!(octets.len(), 8 | 20) { Self::last(octets) } else { None }
    }

    /// From a client identifier, as adapters send it (RFC 4390): hardware type 32 and the GUID;
    /// or `ff`, an IAID, and a DUID by Mellanox's enterprise number or of hardware type 32.
    pub(crate) fn of_client_id(octets: &[u8]) -> Option<Self> {
        match octets {
            [0x20, rest @ ..] | [0xff, _, _, _, _, 0, 3, 0, 0x20, rest @ ..] => {
                Self::of_hardware(rest)
            }
            [0xff, _, _, _, _, 0, 2, 0, 0, 0x02, 0xc9, 0, guid @ ..] if guid.len() == 8 => {
                Self::last(guid)
            }
            _ => None,
        }
    }

    fn last(octets: &[u8]) -> Option<Self> {
        octets.last_chunk().copied().map(Self)
    }
}

/// Octets in lower case with colons.
impl fmt::Display for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, octet) in self.0.iter().enumerate() {
            let separator = if index == 0 { "" } else { ":" };
            write!(f, "{separator}{octet:02x}")?;
        }
        Ok(())
    }
}

/// A text that is no GUID.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct NotAGuid;

impl fmt::Display for NotAGuid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no GUID: it has sixteen hexadecimal digits, as `0002:c903:002e:5901`")
    }
}

impl std::error::Error for NotAGuid {}

/// Sixteen hexadecimal digits, with `0x` before them or colons between them as tools print them.
impl FromStr for Guid {
    type Err = NotAGuid;

    fn from_str(text: &str) -> Result<Self, NotAGuid> {
        let digits = text.strip_prefix("0x").unwrap_or(text);
        let groups: Vec<&str> = digits.split(':').collect();
        let width = match groups.len() {
            1 => 16,
            4 => 4,
            8 => 2,
            _ => return Err(NotAGuid),
        };
        let hexadecimal = |group: &&str| group.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !groups.iter().all(|group| group.len() == width && hexadecimal(group)) {
            return Err(NotAGuid);
        }
        let value = u64::from_str_radix(&groups.concat(), 16).map_err(|_| NotAGuid)?;
        Ok(Self(value.to_be_bytes()))
    }
}
