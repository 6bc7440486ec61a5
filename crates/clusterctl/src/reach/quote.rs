//! Words for a remote login shell.

/// A word, quoted so that the account's login shell hands it on unchanged.
///
/// Single quotes serve every shell; `'`, `\` and `!` stand outside of them behind a backslash,
/// because fish reads `\` and csh reads `!` inside single quotes too. csh alone cannot take a line
/// feed inside a word.
pub fn word(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-./,:@%+".contains(&byte);
    if !text.is_empty() && text.bytes().all(plain) {
        return text.to_owned();
    }
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('\'');
    for character in text.chars() {
        if matches!(character, '\'' | '\\' | '!') {
            quoted.push_str("'\\");
            quoted.push(character);
            quoted.push('\'');
        } else {
            quoted.push(character);
        }
    }
    quoted.push('\'');
    quoted
}

/// Words as one command line.
pub fn line<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    words.into_iter().map(word).collect::<Vec<_>>().join(" ")
}
