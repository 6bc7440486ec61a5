//! Which If-Match a PATCH carries.

use serde_json::Value;

use crate::Message;

/// If-Match of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum IfMatch {
    Absent,
    Any,
    Tag(String),
}

impl IfMatch {
    pub(crate) fn header(&self) -> Option<&str> {
        match self {
            Self::Absent => None,
            Self::Any => Some("*"),
            Self::Tag(tag) => Some(tag),
        }
    }
}

/// What a BMC was seen to accept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TagRule {
    NoHeader,
    Any,
    Tag,
    /// The tag without `W/` and without the suffix of a compressed answer.
    StrongTag,
}

/// The tag a resource shows after a refusal.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Reread<'a> {
    NotYet,
    Shows(Option<&'a str>),
}

/// Whether a refusal is one of the If-Match that was sent, or of its absence.
pub(crate) fn is_refusal(status: u16, sent: &IfMatch, messages: &[Message]) -> bool {
    let names_it = || messages.iter().any(|message| message.is_about("If-Match"));
    matches!(status, 412 | 428) || (status == 400 && *sent != IfMatch::Absent && names_it())
}

/// The next thing to try.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum TagStep {
    Send(IfMatch),
    /// Read the resource for its tag.
    ReadTag,
}

/// The tag of a resource: of the header, else of the body. Some services give a number.
pub(crate) fn tag_of(header: Option<&str>, resource: Option<&Value>) -> Option<String> {
    let usable = |tag: &str| {
        let tag = tag.trim();
        let printable = tag.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ');
        (printable && !tag.is_empty() && tag.len() <= 256).then(|| tag.to_owned())
    };
    header.and_then(usable).or_else(|| match resource?.get("@odata.etag")? {
        Value::String(tag) => usable(tag),
        Value::Number(number) => Some(format!("\"{number}\"")),
        _ => None,
    })
}

/// The first attempt: what was accepted before, else the tag where one is shown.
pub(crate) fn first(rule: Option<TagRule>, tag: Option<&str>) -> IfMatch {
    match (rule, tag) {
        (Some(TagRule::NoHeader), _) | (None, None) => IfMatch::Absent,
        (Some(TagRule::Any), _) | (Some(_), None) => IfMatch::Any,
        (Some(TagRule::StrongTag), Some(tag)) => IfMatch::Tag(strong(tag)),
        (_, Some(tag)) => IfMatch::Tag(tag.to_owned()),
    }
}

/// The attempt after those that were refused for their If-Match. `*` comes before another read,
/// because it saves one; then the tag as read just now, the same made strong, `*`, and none.
pub(crate) fn next(tried: &[IfMatch], reread: Reread<'_>) -> Option<TagStep> {
    let Reread::Shows(tag) = reread else {
        let bare = tried.last() == Some(&IfMatch::Absent) && !tried.contains(&IfMatch::Any);
        return Some(if bare { TagStep::Send(IfMatch::Any) } else { TagStep::ReadTag });
    };
    let shown = tag.map(|tag| IfMatch::Tag(tag.to_owned()));
    let strong = tag.map(|tag| IfMatch::Tag(strong(tag)));
    [shown, strong, Some(IfMatch::Any), Some(IfMatch::Absent)]
        .into_iter()
        .flatten()
        .find(|attempt| !tried.contains(attempt))
        .map(TagStep::Send)
}

/// Every attempt, in order, as long as each is refused and the resource keeps its tag.
pub(crate) fn ladder(rule: Option<TagRule>, tag: Option<&str>) -> Vec<IfMatch> {
    let mut tried = vec![first(rule, tag)];
    let mut reread = Reread::NotYet;
    while let Some(step) = next(&tried, reread) {
        match step {
            TagStep::ReadTag => reread = Reread::Shows(tag),
            TagStep::Send(attempt) => tried.push(attempt),
        }
    }
    tried
}

/// The rule that an accepted attempt shows.
pub(crate) fn learned(accepted: &IfMatch, shown: Option<&str>) -> TagRule {
    match accepted {
        IfMatch::Absent => TagRule::NoHeader,
        IfMatch::Any => TagRule::Any,
        IfMatch::Tag(tag) if shown.is_some_and(|shown| shown != tag) => TagRule::StrongTag,
        IfMatch::Tag(_) => TagRule::Tag,
    }
}

/// Observed: services that compare a weak tag strongly, and iDRAC 9 with `-gzip` in the tag.
fn strong(tag: &str) -> String {
    let tag = tag.strip_prefix("W/").unwrap_or(tag);
    match tag.strip_suffix("-gzip\"") {
        Some(start) => format!("{start}\""),
        None => tag.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ladder_ends_after_every_form_was_tried_once() {
        let mut tried = vec![first(None, Some("W/\"1\""))];
        let mut reread = Reread::NotYet;
        while let Some(step) = next(&tried, reread) {
            match step {
                TagStep::ReadTag => reread = Reread::Shows(Some("W/\"2\"")),
                TagStep::Send(attempt) => tried.push(attempt),
            }
        }
        let headers: Vec<_> = tried.iter().map(IfMatch::header).collect();
        assert_eq!(headers, [Some("W/\"1\""), Some("W/\"2\""), Some("\"2\""), Some("*"), None]);
    }

    #[test]
    fn a_demanded_tag_is_answered_with_a_star_before_another_read() {
        assert_eq!(next(&[IfMatch::Absent], Reread::NotYet), Some(TagStep::Send(IfMatch::Any)));
        assert_eq!(next(&[IfMatch::Absent, IfMatch::Any], Reread::NotYet), Some(TagStep::ReadTag));
    }

    #[test]
    fn tags_are_read_from_header_body_and_number() {
        let body = serde_json::json!({"@odata.etag": 1_720_039_110});
        assert_eq!(tag_of(None, Some(&body)).as_deref(), Some("\"1720039110\""));
        assert_eq!(tag_of(Some("\"h\""), Some(&body)).as_deref(), Some("\"h\""));
        assert_eq!(tag_of(Some(""), Some(&serde_json::json!({"@odata.etag": ""}))), None);
        assert_eq!(strong("W/\"abc-gzip\""), "\"abc\"");
    }
}
