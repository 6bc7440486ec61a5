//! Where a PXE service keeps the links of its clients.

use std::fmt;
use std::net::IpAddr;

use thiserror::Error;

use crate::path::BootPath;

/// How long a link lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Lifetime {
    /// For the next request: the service deletes the link when it reads it, before it opens the
    /// target (observed on pxesrv; a `HEAD` request consumes it as well).
    Once,
    /// For every request, until someone removes it.
    Persistent,
}

impl fmt::Display for Lifetime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Lifetime::Once => "once",
            Lifetime::Persistent => "persistent",
        })
    }
}

/// Where the links are, and what they are called.
///
/// ```
/// use pxe_links::{Layout, Lifetime};
///
/// let client = "10.0.2.7".parse()?;
/// let suffixed = Layout::suffixed(&"/srv/links".parse()?, ".static")?;
/// let path = suffixed.link_path(client, Lifetime::Persistent).unwrap();
/// assert_eq!(path.as_str(), "/srv/links/10.0.2.7.static");
///
/// let directories = Layout::directories(&"/srv/pxesrv".parse()?);
/// let path = directories.link_path(client, Lifetime::Once).unwrap();
/// assert_eq!(path.as_str(), "/srv/pxesrv/once/10.0.2.7");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    root: BootPath,
    form: Form,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Form {
    Directories,
    Suffixed(String),
    OnceOnly,
}

/// Why a suffix cannot tell persistent links from once links.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LayoutError {
    /// The suffix is empty or holds `/` or a control character.
    #[error("the suffix {suffix:?} is empty, or holds \"/\" or a control character")]
    NotAName {
        /// The suffix as given.
        suffix: String,
    },
    /// An address with this suffix could be read as another address.
    #[error("the suffix {suffix:?} consists of characters that addresses are written with")]
    LooksLikeAddress {
        /// The suffix as given.
        suffix: String,
    },
    /// A link's file name would be longer than 255 bytes.
    #[error("the suffix is longer than {longest} bytes")]
    TooLong {
        /// The most bytes a suffix may have.
        longest: usize,
    },
}

/// `NAME_MAX` of Linux is 255; the longest textual address has 45 characters (RFC 4291 2.2).
const LONGEST_SUFFIX: usize = 200;

impl Layout {
    /// `<root>/once/<client>` and `<root>/static/<client>`, as pxesrv reads them.
    pub fn directories(root: &BootPath) -> Layout {
        Layout { root: root.clone(), form: Form::Directories }
    }

    /// `<root>/<client>` once and `<root>/<client><suffix>` persistent.
    pub fn suffixed(root: &BootPath, suffix: &str) -> Result<Layout, LayoutError> {
        let suffix = suffix.to_owned();
        if suffix.is_empty() || suffix.chars().any(|c| c == '/' || c.is_control()) {
            return Err(LayoutError::NotAName { suffix });
        }
        if suffix.chars().all(|c| c.is_ascii_hexdigit() || c == '.' || c == ':') {
            return Err(LayoutError::LooksLikeAddress { suffix });
        }
        if suffix.len() > LONGEST_SUFFIX {
            return Err(LayoutError::TooLong { longest: LONGEST_SUFFIX });
        }
        Ok(Layout { root: root.clone(), form: Form::Suffixed(suffix) })
    }

    /// `<root>/<client>` once, and no place for persistent links.
    pub fn once_only(root: &BootPath) -> Layout {
        Layout { root: root.clone(), form: Form::OnceOnly }
    }

    /// The directory everything is below.
    pub fn root(&self) -> &BootPath {
        &self.root
    }

    /// The lifetimes this layout has a place for, once first.
    pub fn lifetimes(&self) -> &'static [Lifetime] {
        match self.form {
            Form::OnceOnly => &[Lifetime::Once],
            Form::Directories | Form::Suffixed(_) => &[Lifetime::Once, Lifetime::Persistent],
        }
    }

    /// The path of a client's link; `None` where the layout has no persistent links.
    pub fn link_path(&self, client: IpAddr, lifetime: Lifetime) -> Option<BootPath> {
        let (directory, name) = self.link_place(client, lifetime)?;
        Some(directory.child(&name))
    }

    /// Directory and file name of a client's link.
    pub(crate) fn link_place(
        &self,
        client: IpAddr,
        lifetime: Lifetime,
    ) -> Option<(BootPath, String)> {
        let directory = self.directory(lifetime)?;
        // A v4 client that reached the service over a v6 socket is the same machine.
        let address = client.to_canonical();
        let name = match (&self.form, lifetime) {
            (Form::Suffixed(suffix), Lifetime::Persistent) => format!("{address}{suffix}"),
            _ => address.to_string(),
        };
        Some((directory, name))
    }

    /// The directory that holds links of this lifetime.
    pub(crate) fn directory(&self, lifetime: Lifetime) -> Option<BootPath> {
        match (&self.form, lifetime) {
            (Form::Directories, Lifetime::Once) => Some(self.root.child("once")),
            (Form::Directories, Lifetime::Persistent) => Some(self.root.child("static")),
            (Form::OnceOnly, Lifetime::Persistent) => None,
            (Form::Suffixed(_) | Form::OnceOnly, _) => Some(self.root.clone()),
        }
    }

    /// Whose link of which lifetime an entry called `name` in `lifetime`'s directory is.
    pub(crate) fn owner(&self, lifetime: Lifetime, name: &str) -> Option<IpAddr> {
        let address = match (&self.form, lifetime) {
            (Form::Suffixed(suffix), Lifetime::Persistent) => name.strip_suffix(suffix.as_str())?,
            _ => name,
        };
        let client: IpAddr = address.parse().ok()?;
        // Only the spelling the service looks for: "::FFFF" or "0:0::1" is never asked for.
        (client.to_canonical().to_string() == address).then_some(client)
    }
}
