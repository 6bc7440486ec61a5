//! The places links have, and what is found there.

use std::borrow::Cow;
use std::fmt;
use std::net::IpAddr;

use crate::grub::GrubClient;
use crate::layout::Lifetime;
use crate::path::BootPath;

/// Whose link, and which one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Place {
    /// The link of a client of the PXE service.
    Pxe(IpAddr, Lifetime),
    /// The GRUB configuration of a client.
    Grub(GrubClient),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Pxe(client, lifetime) => write!(f, "{client} ({lifetime})"),
            Place::Grub(client) => write!(f, "{client}"),
        }
    }
}

/// What is at a link's place.
#[derive(Clone, PartialEq, Eq)]
pub enum Entry {
    /// Nothing.
    None,
    /// A symbolic link that holds these bytes, whether or not they name anything.
    Link(Vec<u8>),
    /// Something that is not a symbolic link. It is never written over and never removed. A
    /// service that takes anything for a persistent entry (pxesrv does) serves it.
    NotALink,
}

impl Entry {
    /// What the link holds, for people: bytes that are no UTF-8 are replaced.
    pub fn target(&self) -> Option<Cow<'_, str>> {
        match self {
            Entry::Link(bytes) => Some(String::from_utf8_lossy(bytes)),
            Entry::None | Entry::NotALink => None,
        }
    }

    /// True for a link that holds exactly this path.
    pub fn points_at(&self, path: &BootPath) -> bool {
        matches!(self, Entry::Link(bytes) if bytes == path.as_str().as_bytes())
    }
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Entry::None => f.write_str("None"),
            Entry::Link(bytes) => write!(f, "Link({:?})", String::from_utf8_lossy(bytes)),
            Entry::NotALink => f.write_str("NotALink"),
        }
    }
}

/// What a boot path is on the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Target {
    /// A regular file, or a link that leads to one.
    File,
    /// Nothing, or a link that leads nowhere.
    Missing,
    /// A directory, a device or another thing no boot loader loads.
    NotAFile,
    /// A file that lies outside the TFTP root once links are resolved, so that the server does
    /// not serve it.
    Outside,
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Target::File => "a file",
            Target::Missing => "not there",
            Target::NotAFile => "not a regular file",
            Target::Outside => "outside the TFTP root",
        })
    }
}
