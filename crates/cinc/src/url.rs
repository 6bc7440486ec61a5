//! Where a client fetches its archive of cookbooks.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// An `http` or `https` address of an archive.
///
/// ```
/// use cinc::{ArchiveUrl, ArchiveUrlError};
///
/// let url: ArchiveUrl = "http://installer/cinc/latest.tgz".parse()?;
/// assert_eq!(url.as_str(), "http://installer/cinc/latest.tgz");
/// assert_eq!("/srv/cinc.tgz".parse::<ArchiveUrl>(), Err(ArchiveUrlError::Scheme));
/// # Ok::<(), ArchiveUrlError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ArchiveUrl(String);

/// Why a text is no address of an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ArchiveUrlError {
    /// It does not begin with `http://` or `https://`: the client would open a local file.
    #[error("the archive is not an http or https URL")]
    Scheme,
    /// There is no host.
    #[error("the URL names no host")]
    Host,
    /// A blank, a control character, a backslash or a character that is not ASCII (RFC 3986).
    #[error("the URL holds a character no URL may hold")]
    Character,
    /// More than 2,048 characters.
    #[error("the URL is longer than {LONGEST} characters")]
    TooLong,
}

const LONGEST: usize = 2048;

impl ArchiveUrl {
    /// The address as it was given.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for ArchiveUrl {
    type Err = ArchiveUrlError;

    fn from_str(text: &str) -> Result<ArchiveUrl, ArchiveUrlError> {
        let scheme =
            text.split_once("://").map(|(scheme, rest)| (scheme.to_ascii_lowercase(), rest));
        let Some((scheme, rest)) = scheme else { return Err(ArchiveUrlError::Scheme) };
        if scheme != "http" && scheme != "https" {
            return Err(ArchiveUrlError::Scheme);
        }
        if !text.bytes().all(|byte| byte.is_ascii_graphic() && !b"\"<>\\^`{|}".contains(&byte)) {
            return Err(ArchiveUrlError::Character);
        }
        if text.len() > LONGEST {
            return Err(ArchiveUrlError::TooLong);
        }
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
        if host.is_empty() || host.starts_with(':') {
            return Err(ArchiveUrlError::Host);
        }
        Ok(ArchiveUrl(text.to_owned()))
    }
}

impl fmt::Display for ArchiveUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
