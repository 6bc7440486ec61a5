//! Paths on the PXE or TFTP host.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use thiserror::Error;

/// `PATH_MAX` of Linux less the closing NUL: a longer path names no file and fits in no link.
const LONGEST: usize = 4095;

/// A path on the host that keeps the links: absolute, without `..`, without control characters.
///
/// The service opens a link's target as it stands, from a working directory of its own, so that a
/// relative target is a file it does not find (observed: pxesrv takes it from the daemon's working
/// directory, answers 404, and the once link is gone all the same). `..` is refused because the
/// kernel resolves it after symbolic links, the reader before. Closing slashes are dropped.
///
/// ```
/// use pxe_links::{BootPath, PathError};
///
/// let path: BootPath = "/srv/pxesrv/boot/exe/ipxe.net2".parse()?;
/// assert_eq!(path.as_str(), "/srv/pxesrv/boot/exe/ipxe.net2");
/// assert_eq!("boot/ipxe".parse::<BootPath>(), Err(PathError::Relative));
/// # Ok::<(), PathError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BootPath(String);

/// Why a text is not a [`BootPath`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PathError {
    /// It is empty.
    #[error("the path is empty")]
    Empty,
    /// It does not begin with `/`.
    #[error("the path does not begin with \"/\"")]
    Relative,
    /// One of its components is `..`.
    #[error("the path holds \"..\"")]
    Parent,
    /// It holds a control character, which no boot path needs and no terminal should see.
    #[error("the path holds a control character")]
    Control,
    /// It is longer than a path may be on Linux (4,095 bytes).
    #[error("the path is longer than {LONGEST} bytes")]
    TooLong,
}

impl BootPath {
    /// The path as text, as a link holds it.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The entry `name` in this directory. `name` is one the crate made: no `/`, not `..`.
    pub(crate) fn child(&self, name: &str) -> BootPath {
        let directory = self.0.strip_suffix('/').unwrap_or(&self.0);
        BootPath(format!("{directory}/{name}"))
    }

    /// The components between the slashes, `.` and doubled slashes left out.
    pub(crate) fn components(&self) -> impl Iterator<Item = &str> {
        self.0.split('/').filter(|part| !part.is_empty() && *part != ".")
    }
}

impl FromStr for BootPath {
    type Err = PathError;

    fn from_str(text: &str) -> Result<BootPath, PathError> {
        if text.is_empty() {
            return Err(PathError::Empty);
        }
        if text.chars().any(char::is_control) {
            return Err(PathError::Control);
        }
        if !text.starts_with('/') {
            return Err(PathError::Relative);
        }
        if text.split('/').any(|part| part == "..") {
            return Err(PathError::Parent);
        }
        if text.len() > LONGEST {
            return Err(PathError::TooLong);
        }
        let trimmed = text.trim_end_matches('/');
        Ok(BootPath(if trimmed.is_empty() { "/" } else { trimmed }.to_owned()))
    }
}

impl fmt::Display for BootPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl AsRef<str> for BootPath {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl AsRef<Path> for BootPath {
    fn as_ref(&self) -> &Path {
        Path::new(&self.0)
    }
}
