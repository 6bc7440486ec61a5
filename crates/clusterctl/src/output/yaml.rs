//! A JSON value as a YAML document that YAML 1.1 and 1.2 readers understand alike.

use std::fmt::Write as _;

use serde_json::Value;

/// The document, with its final line feed.
pub fn document(value: &Value) -> String {
    let mut text = String::new();
    match value {
        Value::Array(items) if !items.is_empty() => sequence(&mut text, items, 0),
        Value::Object(map) if !map.is_empty() => mapping(&mut text, map, 0),
        other => {
            text.push_str(&flow(other));
            text.push('\n');
        }
    }
    text
}

fn sequence(text: &mut String, items: &[Value], indent: usize) {
    for item in items {
        pad(text, indent);
        text.push('-');
        nested(text, item, indent, true);
    }
}

fn mapping(text: &mut String, map: &serde_json::Map<String, Value>, indent: usize) {
    for (index, (key, item)) in map.iter().enumerate() {
        // The first key stands behind the dash of a sequence, which has padded already.
        if index > 0 || !text.ends_with("- ") {
            pad(text, indent);
        }
        text.push_str(&scalar(key));
        text.push(':');
        nested(text, item, indent, false);
    }
}

fn nested(text: &mut String, item: &Value, indent: usize, in_sequence: bool) {
    match item {
        Value::Array(items) if !items.is_empty() => {
            text.push('\n');
            sequence(text, items, indent + 2);
        }
        Value::Object(map) if !map.is_empty() => {
            text.push(if in_sequence { ' ' } else { '\n' });
            mapping(text, map, indent + 2);
        }
        other => {
            text.push(' ');
            text.push_str(&flow(other));
            text.push('\n');
        }
    }
}

fn pad(text: &mut String, indent: usize) {
    text.extend(std::iter::repeat_n(' ', indent));
}

fn flow(value: &Value) -> String {
    match value {
        Value::String(string) => scalar(string),
        Value::Array(_) => "[]".to_owned(),
        Value::Object(_) => "{}".to_owned(),
        other => other.to_string(),
    }
}

/// A string: plain where no reader could take it for anything else, else double quoted.
fn scalar(string: &str) -> String {
    if is_plain(string) { string.to_owned() } else { quoted(string) }
}

/// Plain are words of letters, digits and a few signs that begin with a letter or a slash and
/// are no word that YAML 1.1 gives a meaning (booleans, null) and no number in any base.
fn is_plain(string: &str) -> bool {
    const WORDS: [&str; 11] =
        ["y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf"];
    let starts_well = string.starts_with(|first: char| first.is_ascii_alphabetic() || first == '/');
    starts_well
        && string
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '/' | '.' | '_' | '-' | '+'))
        && !WORDS.iter().any(|word| string.eq_ignore_ascii_case(word))
}

fn quoted(string: &str) -> String {
    let mut text = String::with_capacity(string.len() + 2);
    text.push('"');
    for character in string.chars() {
        match character {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\t' => text.push_str("\\t"),
            '\r' => text.push_str("\\r"),
            ' '..='~' => text.push(character),
            other if other.is_alphanumeric() => text.push(other),
            other => {
                let code = u32::from(other);
                // Writing to a string cannot fail.
                let _ = if code <= 0xffff {
                    write!(text, "\\u{code:04x}")
                } else {
                    write!(text, "\\U{code:08x}")
                };
            }
        }
    }
    text.push('"');
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_another_reader_could_misread_is_quoted() {
        let value = json!({
            "plain": "exe0001", "path": "/srv/x", "bool": "yes", "float": ".inf", "mode": "0600",
            "date": "2026-11-30", "map": "? x", "esc": "a\u{1b}\u{2028}", "empty": "", "count": 3,
        });
        assert_eq!(
            document(&value),
            "plain: exe0001\npath: /srv/x\nbool: \"yes\"\nfloat: \".inf\"\nmode: \"0600\"\n\
             date: \"2026-11-30\"\nmap: \"? x\"\nesc: \"a\\u001b\\u2028\"\nempty: \"\"\ncount: 3\n"
        );
    }

    #[test]
    fn sequences_and_mappings_nest() {
        let value = json!([{"a": [1, {"b": null}], "c": {}}, []]);
        assert_eq!(document(&value), "- a:\n    - 1\n    - b: null\n  c: {}\n- []\n");
    }
}
