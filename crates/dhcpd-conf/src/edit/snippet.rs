//! Texts that callers hand in: each is one name, one value or one statement, never more.

use crate::document::Document;
use crate::edit::error::EditError;
use crate::lex::dotted_name;
use crate::limits::Limits;
use crate::place::Place;
use crate::tree::{ROOT, StatementKind};

/// `text` as a quoted string, to be used as a value: quotes and backslashes are escaped, and bytes
/// that are not printable ASCII, valid UTF-8 aside.
///
/// ```
/// assert_eq!(dhcpd_conf::quoted("ipxe \"net2\""), r#""ipxe \"net2\"""#);
/// assert_eq!(dhcpd_conf::quoted("a\nb"), r#""a\nb""#);
/// assert_eq!(dhcpd_conf::quoted([0xff, b'b']), r#""\xffb""#);
/// ```
pub fn quoted(text: impl AsRef<[u8]>) -> String {
    let mut quoted = String::from("\"");
    for chunk in text.as_ref().utf8_chunks() {
        for character in chunk.valid().chars() {
            match character {
                '"' => quoted.push_str("\\\""),
                '\\' => quoted.push_str("\\\\"),
                '\n' => quoted.push_str("\\n"),
                '\r' => quoted.push_str("\\r"),
                '\t' => quoted.push_str("\\t"),
                control if control.is_ascii_control() => {
                    quoted.push_str(&format!("\\x{:02x}", u32::from(control)));
                }
                other => quoted.push(other),
            }
        }
        for byte in chunk.invalid() {
            quoted.push_str(&format!("\\x{byte:02x}"));
        }
    }
    quoted.push('"');
    quoted
}

/// Checks that `name` is a host's name and nothing else.
pub(crate) fn host_name(name: &str) -> Result<(), EditError> {
    match dotted_name(name.as_bytes()) {
        Ok(([], whole)) if whole.len() == name.len() => Ok(()),
        _ => Err(not_one(name, "host name")),
    }
}

/// Checks that `text` is one statement of a block that is `place`, and of `kind` if that is given.
pub(crate) fn statement(
    text: &str,
    place: Place,
    kind: Option<StatementKind>,
) -> Result<(), EditError> {
    let (document, errors) = Document::read(text.into(), place, &Limits::default());
    if let Some(errors) = errors {
        return Err(EditError::Syntax(errors));
    }
    let mut outermost = document.nodes.iter().filter(|node| node.parent == ROOT);
    match (outermost.next(), outermost.next()) {
        (Some(node), None)
            if (node.start, node.end as usize) == (0, text.len())
                && kind.is_none_or(|kind| kind == node.kind) =>
        {
            Ok(())
        }
        _ => Err(not_one(text, "statement")),
    }
}

fn not_one(text: &str, what: &'static str) -> EditError {
    EditError::NotOne(text.escape_debug().to_string(), what)
}
