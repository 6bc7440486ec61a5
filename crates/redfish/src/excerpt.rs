//! Bounded, one-line excerpts of what a BMC says.

/// `text` on one line of at most `limit` characters.
///
/// Line breaks, control and direction characters become one space: what a BMC says goes into
/// messages and terminals.
pub(crate) fn one_line(text: &str, limit: usize) -> String {
    let mut line = String::new();
    let mut length = 0;
    let mut gap = false;
    for c in text.chars() {
        if c.is_whitespace() || c.is_control() || changes_direction(c) {
            gap = length > 0;
            continue;
        }
        if length + usize::from(gap) >= limit {
            line.push('…');
            break;
        }
        if std::mem::take(&mut gap) {
            line.push(' ');
            length += 1;
        }
        line.push(c);
        length += 1;
    }
    line
}

/// What a page says: its title, or its text without tags.
pub(crate) fn page(text: &str, limit: usize) -> String {
    let lower = text.to_ascii_lowercase();
    let title = lower.find("<title>").map(|start| start + "<title>".len()).and_then(|start| {
        let end = lower[start..].find("</title>")?;
        Some(one_line(&text[start..start + end], limit))
    });
    match title {
        Some(title) if !title.is_empty() => title,
        _ if lower.contains("<html") || lower.contains("<!doctype") => {
            one_line(&without_tags(text), limit)
        }
        _ => one_line(text, limit),
    }
}

fn without_tags(text: &str) -> String {
    let mut plain = String::new();
    let mut inside = false;
    for c in text.chars() {
        match c {
            '<' => inside = true,
            '>' => {
                inside = false;
                plain.push(' ');
            }
            c if !inside => plain.push(c),
            _ => {}
        }
    }
    plain
}

fn changes_direction(c: char) -> bool {
    matches!(c, '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FEFF}')
}

#[cfg(test)]
mod tests {
    use super::{one_line, page};

    #[test]
    fn an_excerpt_is_one_bounded_line() {
        assert_eq!(one_line("a\r\n\u{1b}[31m b\u{202e}c", 80), "a [31m b c");
        assert_eq!(one_line("  abc  ", 2), "ab…");
        assert_eq!(one_line("ab", 2), "ab");
    }

    #[test]
    fn a_page_is_shown_by_its_title_or_its_text() {
        assert_eq!(page("<html><head><TITLE>503 Busy</TITLE></head><body>x", 80), "503 Busy");
        assert_eq!(page("<!DOCTYPE html><p>Not <b>ready</b></p>", 80), "Not ready");
    }
}
