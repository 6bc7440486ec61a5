//! GRUB configurations on a TFTP server, one link per client.
//!
//! A GRUB that was loaded over the network asks its TFTP server for `grub.cfg-01-<MAC>`, then for
//! `grub.cfg-<address in hexadecimal>`, then for that name with one digit less each time, and for
//! `grub.cfg` last (observed: GRUB 2.06 made by `grub-mknetdir`). A link under one of the first
//! two names has no one-shot form: the node loads it at every boot until it is removed.

use std::collections::HashSet;
use std::fmt;
use std::net::Ipv4Addr;
use std::str::FromStr;

use thiserror::Error;

use crate::changes::{Action, Change, Changes};
use crate::path::{BootPath, PathError};
use crate::place::Place;
use crate::reading::Reading;

/// The hardware address of an Ethernet interface, six bytes.
///
/// ```
/// use pxe_links::grub::MacAddress;
///
/// let mac: MacAddress = "52:54:00:12:34:AB".parse()?;
/// assert_eq!(mac.to_string(), "52:54:00:12:34:ab");
/// # Ok::<(), pxe_links::grub::MacAddressError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MacAddress([u8; 6]);

/// The text is not six pairs of hexadecimal digits with `:` or `-` between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("not a hardware address of six pairs of hexadecimal digits")]
pub struct MacAddressError;

impl FromStr for MacAddress {
    type Err = MacAddressError;

    fn from_str(text: &str) -> Result<MacAddress, MacAddressError> {
        let separator = if text.contains('-') { '-' } else { ':' };
        let mut bytes = [0; 6];
        let mut pairs = text.split(separator);
        for byte in &mut bytes {
            let pair = pairs.next().ok_or(MacAddressError)?;
            if pair.len() != 2 || !pair.bytes().all(|digit| digit.is_ascii_hexdigit()) {
                return Err(MacAddressError);
            }
            *byte = u8::from_str_radix(pair, 16).map_err(|_| MacAddressError)?;
        }
        if pairs.next().is_some() { Err(MacAddressError) } else { Ok(MacAddress(bytes)) }
    }
}

impl MacAddress {
    fn joined(self, separator: &str) -> String {
        self.0.map(|byte| format!("{byte:02x}")).join(separator)
    }
}

impl fmt::Display for MacAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.joined(":"))
    }
}

/// What a client's configuration is named after.
///
/// ```
/// use pxe_links::grub::GrubClient;
///
/// let client = GrubClient::Address("10.0.2.7".parse()?);
/// assert_eq!(client.file_name(), "grub.cfg-0A000207");
/// let client = GrubClient::Hardware("52:54:00:12:34:01".parse()?);
/// assert_eq!(client.file_name(), "grub.cfg-01-52-54-00-12-34-01");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GrubClient {
    /// Its IPv4 address, in eight capital hexadecimal digits.
    Address(Ipv4Addr),
    /// Its Ethernet address, behind `01-`, the ARP hardware type.
    Hardware(MacAddress),
}

impl GrubClient {
    /// The name of the file GRUB asks for.
    pub fn file_name(&self) -> String {
        match self {
            GrubClient::Address(address) => format!("grub.cfg-{:08X}", address.to_bits()),
            GrubClient::Hardware(mac) => format!("grub.cfg-01-{}", mac.joined("-")),
        }
    }
}

impl fmt::Display for GrubClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GrubClient::Address(address) => address.fmt(f),
            GrubClient::Hardware(mac) => mac.fmt(f),
        }
    }
}

/// The directory a TFTP server serves, and the one in it that GRUB's configurations are in.
///
/// ```
/// use pxe_links::grub::{GrubClient, GrubTree};
///
/// let tree = GrubTree::new("/srv/tftp".parse()?, "/srv/tftp/grub".parse()?)?;
/// let target = tree.target("1.0/grub.cfg.install-exec")?;
/// assert_eq!(target.path().as_str(), "/srv/tftp/grub/1.0/grub.cfg.install-exec");
///
/// let client = GrubClient::Address("10.0.2.7".parse()?);
/// let changes = tree.set([(client, target)])?;
/// assert_eq!(changes.iter().next().unwrap().target(), Some("1.0/grub.cfg.install-exec"));
/// assert!(tree.target("/etc/passwd").is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GrubTree {
    root: BootPath,
    directory: BootPath,
}

/// A file that GRUB can be given: it lies under the root of the TFTP server by its name.
///
/// Whether it is there, and still lies there once links are resolved, [`GrubTree::reading`] asks.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct GrubTarget {
    path: BootPath,
    relative: String,
}

/// Why GRUB cannot be pointed at a file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GrubError {
    /// The path is not usable at all.
    #[error("{path:?} is not a path of the TFTP host")]
    Path {
        /// The path as given.
        path: String,
        /// What is wrong with it.
        source: PathError,
    },
    /// The TFTP server does not serve it.
    #[error("{path:?} does not lie under {root:?}, which is all the TFTP server serves")]
    Outside {
        /// The path.
        path: String,
        /// The directory that is served.
        root: String,
    },
    /// Two configurations for one client: one would be lost.
    #[error("{client} is given twice")]
    Twice {
        /// The client.
        client: GrubClient,
    },
}

impl GrubTarget {
    /// Where it is.
    pub fn path(&self) -> &BootPath {
        &self.path
    }

    /// What the link holds: the way from GRUB's directory, so that a TFTP server which is
    /// confined to its root finds it too.
    pub fn relative(&self) -> &str {
        &self.relative
    }
}

impl GrubTree {
    /// `directory` has to be `root` or lie under it.
    pub fn new(root: BootPath, directory: BootPath) -> Result<GrubTree, GrubError> {
        let under = lies_under(&directory, &root) || directory.components().eq(root.components());
        if under { Ok(GrubTree { root, directory }) } else { Err(outside(&directory, &root)) }
    }

    /// The directory that is served.
    pub fn root(&self) -> &BootPath {
        &self.root
    }

    /// A target, relative to GRUB's directory unless it begins with `/`.
    pub fn target(&self, text: &str) -> Result<GrubTarget, GrubError> {
        let absolute = if text.starts_with('/') {
            text.to_owned()
        } else {
            format!("{}/{text}", self.directory)
        };
        let checked = if text.is_empty() { "".parse() } else { absolute.parse() };
        let path: BootPath =
            checked.map_err(|source| GrubError::Path { path: text.to_owned(), source })?;
        if !lies_under(&path, &self.root) {
            return Err(outside(&path, &self.root));
        }
        let relative = way(&self.directory, &path);
        Ok(GrubTarget { path, relative })
    }

    /// The path of a client's link.
    pub fn link_path(&self, client: GrubClient) -> BootPath {
        self.directory.child(&client.file_name())
    }

    /// Asks for the links of these clients and whether these targets are files that the server
    /// can reach: [`Present::target`](crate::Present::target) says
    /// [`Target::Outside`](crate::Target::Outside) where a link leads out of the root.
    pub fn reading<'a>(
        &self,
        clients: impl IntoIterator<Item = GrubClient>,
        targets: impl IntoIterator<Item = &'a GrubTarget>,
    ) -> Reading {
        let places = clients
            .into_iter()
            .map(|client| (Place::Grub(client), self.directory.clone(), client.file_name()));
        let targets =
            targets.into_iter().map(|target| (target.path.clone(), Some(self.root.clone())));
        Reading::places(&self.directory, places.collect()).with_targets_within(targets)
    }

    /// Points clients at targets, in the order given.
    pub fn set(
        &self,
        wanted: impl IntoIterator<Item = (GrubClient, GrubTarget)>,
    ) -> Result<Changes, GrubError> {
        let mut seen = HashSet::new();
        let mut changes = Vec::new();
        for (client, target) in wanted {
            if !seen.insert(client) {
                return Err(GrubError::Twice { client });
            }
            let GrubTarget { path: file, relative: content } = target;
            changes.push(self.change(client, Action::Write { content, file, unless: None }));
        }
        Ok(Changes::new(changes))
    }

    /// Removes the links of these clients, whatever they hold.
    pub fn unset(&self, clients: impl IntoIterator<Item = GrubClient>) -> Changes {
        let remove = |client| self.change(client, Action::Remove { only: None });
        Changes::new(clients.into_iter().map(remove).collect())
    }

    fn change(&self, client: GrubClient, action: Action) -> Change {
        let (directory, name) = (self.directory.clone(), client.file_name());
        Change { place: Place::Grub(client), directory, name, action }
    }
}

fn outside(path: &BootPath, root: &BootPath) -> GrubError {
    GrubError::Outside { path: path.to_string(), root: root.to_string() }
}

fn lies_under(path: &BootPath, root: &BootPath) -> bool {
    let mut path = path.components();
    root.components().all(|part| path.next() == Some(part)) && path.next().is_some()
}

/// The relative path that leads from a directory to a file.
fn way(directory: &BootPath, file: &BootPath) -> String {
    let from: Vec<&str> = directory.components().collect();
    let to: Vec<&str> = file.components().collect();
    let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    // A file that is the directory itself is no regular file; the check on the host says so.
    let up = from[shared..].iter().map(|_| "..");
    up.chain(to[shared..].iter().copied()).collect::<Vec<_>>().join("/")
}
