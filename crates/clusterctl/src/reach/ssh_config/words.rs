//! The words of one line.

/// The keyword, in lower case, and its arguments; `None` for a blank line or a comment.
pub(super) fn split(line: &str) -> Option<(String, Vec<String>)> {
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') {
        return None;
    }
    let end = line.find(|c: char| c.is_whitespace() || c == '=').unwrap_or(line.len());
    let (keyword, rest) = line.split_at(end);
    let rest = rest.trim_start();
    let rest = rest.strip_prefix('=').unwrap_or(rest);
    let keyword = keyword.trim_matches('"').to_ascii_lowercase();
    Some((keyword, arguments(rest)))
}

/// Arguments as ssh splits them: quotes keep blanks, a backslash keeps a quote or itself, and `#`
/// at the start of a word begins a comment.
pub(in crate::reach) fn arguments(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = text.chars().peekable();
    loop {
        while rest.next_if(|c| c.is_whitespace()).is_some() {}
        if rest.peek().is_none_or(|&c| c == '#') {
            return words;
        }
        let mut word = String::new();
        let mut quote = None;
        while let Some(c) = rest.next() {
            match (quote, c) {
                (_, '\\') if rest.peek().is_some_and(|&n| matches!(n, '"' | '\'' | '\\')) => {
                    word.extend(rest.next());
                }
                (None, '\\') if rest.peek() == Some(&' ') => word.extend(rest.next()),
                (None, '"' | '\'') => quote = Some(c),
                (Some(open), c) if c == open => quote = None,
                (None, c) if c.is_whitespace() => break,
                (_, c) => word.push(c),
            }
        }
        words.push(word);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_keep_blanks_and_a_number_sign_begins_a_comment() {
        let (keyword, words) = split("  IdentityFile = \"~/my keys/id\"  b\\\"c # why").unwrap();
        assert_eq!(keyword, "identityfile");
        assert_eq!(words, ["~/my keys/id", "b\"c"]);
        assert_eq!(split("# only a comment"), None);
    }
}
