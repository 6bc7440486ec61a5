//! Paths of resources.

use std::fmt;
use std::str::FromStr;

/// The path of a resource, as in `@odata.id`: absolute, under `/redfish`, perhaps with a query.
///
/// ```
/// let path: redfish::ResourcePath = "/redfish/v1/Systems/1/".parse()?;
/// assert_eq!(path.id(), "1");
/// # Ok::<(), redfish::PathError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ResourcePath(String);

impl ResourcePath {
    /// The path a BMC gives in `@odata.id` or `Location`.
    ///
    /// Services put absolute URLs there, often with an internal host name; only path and query are
    /// kept, so that a link never names the host a request goes to.
    pub fn from_link(link: &str) -> Result<Self, PathError> {
        let link = link.trim();
        let after_scheme = ["https://", "http://"].iter().find_map(|scheme| {
            link.get(..scheme.len())?.eq_ignore_ascii_case(scheme).then(|| &link[scheme.len()..])
        });
        let path = match after_scheme {
            Some(rest) => rest.find('/').map_or("", |slash| &rest[slash..]),
            None => link,
        };
        path.split('#').next().unwrap_or(path).parse()
    }

    /// The path as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The last segment, which is the `Id` of the resource (`1` in `/redfish/v1/Systems/1/`).
    pub fn id(&self) -> &str {
        let path = self.without_query();
        path.rsplit('/').next().unwrap_or(path)
    }

    /// Whether both name the same resource: a slash at the end does not matter, case does.
    pub fn is_same_resource(&self, other: &Self) -> bool {
        self.without_query() == other.without_query()
    }

    pub(crate) fn with_query(&self, query: &str) -> Self {
        Self(format!("{}?{query}", self.without_query()))
    }

    fn without_query(&self) -> &str {
        self.0.split('?').next().unwrap_or(&self.0).trim_end_matches('/')
    }
}

impl fmt::Display for ResourcePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for ResourcePath {
    type Err = PathError;

    fn from_str(text: &str) -> Result<Self, PathError> {
        let refused = || PathError { text: crate::excerpt::one_line(text, 200) };
        let path = text.split('?').next().unwrap_or(text);
        let is_uri_text = text
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@/?%[]{}|".contains(&b));
        let under_redfish = path == "/redfish" || path.starts_with("/redfish/");
        let climbs = path.split('/').any(|segment| segment == ".." || segment == ".");
        if text.len() > 2048 || !is_uri_text || !under_redfish || climbs || path.contains("//") {
            return Err(refused());
        }
        if format!("https://bmc{text}").parse::<http::Uri>().is_err() {
            return Err(refused());
        }
        Ok(Self(text.to_owned()))
    }
}

/// The text is no path of a Redfish resource.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is no path under /redfish")]
pub struct PathError {
    text: String,
}
