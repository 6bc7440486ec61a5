//! Text from outside made visible: no control sequence of a node, a BMC or a job reaches a terminal.

/// One cell or one message part: every control character, line break included, becomes visible.
pub fn line(text: &str) -> String {
    escape(text, false)
}

/// A text of several lines: line feeds stay, everything else becomes visible.
pub fn lines(text: &str) -> String {
    escape(text, true)
}

fn escape(text: &str, keep_line_feeds: bool) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' if keep_line_feeds => out.push('\n'),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            hidden if is_hidden(hidden) => {
                use std::fmt::Write as _;
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{{{:x}}}", u32::from(hidden));
            }
            visible => out.push(visible),
        }
    }
    out
}

/// C0 and C1 controls, line and paragraph separators, and characters that reorder or hide text
/// (Unicode bidirectional controls, zero width characters, tags, the byte order mark).
fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{ad}'
                | '\u{61c}'
                | '\u{180e}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_separators_and_bidi_become_visible() {
        assert_eq!(
            line("a\x1b[31mb\u{202e}c\u{2028}d\r\n"),
            "a\\u{1b}[31mb\\u{202e}c\\u{2028}d\\r\\n"
        );
        assert_eq!(lines("a\nb\u{9b}"), "a\nb\\u{9b}");
        assert_eq!(line("Grüße 日本"), "Grüße 日本");
    }
}
