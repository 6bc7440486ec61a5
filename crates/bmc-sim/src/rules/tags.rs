//! Entity tags.

use serde::{Deserialize, Serialize};

/// What is made of `If-Match` (DSP0266, "Property update"; RFC 9110, section 13.1.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TagRules {
    /// What a PATCH needs.
    pub if_match: IfMatch,
    /// Whether `If-Match: *` is taken; some services refuse it with 412.
    pub any: bool,
    /// Whether a weak tag (`W/"…"`) sent back matches; a service that compares strongly says 412.
    pub weak: bool,
    /// A wrong tag is answered as a missing one: 428.
    pub stale_is_missing: bool,
    /// Whether an action with `If-Match` is taken; where not: 412.
    pub on_actions: bool,
    /// How the `ETag` header and `@odata.etag` are written.
    pub shape: TagShape,
    /// Where the request allows gzip, the header's tag ends in `-gzip`, and is not taken back so.
    pub gzip_suffix: bool,
    /// `@odata.etag` is not the tag of the header, and is not taken back.
    pub body_differs: bool,
}

impl Default for TagRules {
    fn default() -> Self {
        Self {
            if_match: IfMatch::Optional,
            any: true,
            weak: true,
            stale_is_missing: false,
            on_actions: true,
            shape: TagShape::AsKept,
            gzip_suffix: false,
            body_differs: false,
        }
    }
}

/// Whether a PATCH needs the tag of what it changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum IfMatch {
    /// Never looked at.
    Ignored,
    /// Without: done. A wrong one: 412.
    Optional,
    /// Without: 428. A wrong one: 412.
    Required,
    /// With: 412, whatever it says.
    Refused,
}

/// How a tag is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TagShape {
    /// As the resource has it: `"…"` or `W/"…"`.
    AsKept,
    /// Digits, in the body a JSON number.
    Number,
    /// Without any quotes.
    Unquoted,
    /// `'…'`.
    SingleQuoted,
    /// `"W/'…'"`: weak, but inside the quotes.
    WeakInside,
    /// Empty in the body, absent in the header.
    Empty,
}

impl TagShape {
    /// The tag as a client sees it.
    pub(crate) fn write(self, kept: &str) -> String {
        let opaque = kept.trim_start_matches("W/").trim_matches('"');
        match self {
            Self::AsKept => kept.to_owned(),
            Self::Number => opaque.bytes().fold(7_u64, fold).to_string(),
            Self::Unquoted => opaque.to_owned(),
            Self::SingleQuoted => format!("'{opaque}'"),
            Self::WeakInside => format!("\"W/'{opaque}'\""),
            Self::Empty => String::new(),
        }
    }
}

/// Ten digits at most, and others for other tags.
fn fold(sum: u64, byte: u8) -> u64 {
    (sum * 131 + u64::from(byte)) % 9_999_999_967
}
