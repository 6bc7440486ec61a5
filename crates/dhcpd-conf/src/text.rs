//! Decoding of quoted strings.

use std::borrow::Cow;

/// The bytes a quoted string stands for. `raw` is what stands between the quotes and has been
/// through [`string`](crate::lex::string), so its escapes are whole.
pub(crate) fn unescape(raw: &[u8]) -> Cow<'_, [u8]> {
    if !raw.contains(&b'\\') {
        return Cow::Borrowed(raw);
    }
    let mut text = Vec::with_capacity(raw.len());
    let mut rest = raw;
    while let [byte, after @ ..] = rest {
        if *byte == b'\\' {
            let (value, next) = escape(after);
            text.push(value);
            rest = next;
        } else {
            text.push(*byte);
            rest = after;
        }
    }
    Cow::Owned(text)
}

/// The value of the escape behind a backslash and what follows it.
fn escape(rest: &[u8]) -> (u8, &[u8]) {
    match rest {
        [b'x', high, low, rest @ ..] => (digit(*high) << 4 | digit(*low), rest),
        [a @ b'0'..=b'3', b, c, rest @ ..] => (digit(*a) << 6 | digit(*b) << 3 | digit(*c), rest),
        [b't', rest @ ..] => (b'\t', rest),
        [b'r', rest @ ..] => (b'\r', rest),
        [b'n', rest @ ..] => (b'\n', rest),
        [b'b', rest @ ..] => (0x08, rest),
        [other, rest @ ..] => (*other, rest),
        [] => (b'\\', rest),
    }
}

/// The value of one octal or hexadecimal digit; other bytes do not reach this.
fn digit(byte: u8) -> u8 {
    char::from(byte).to_digit(16).map_or(0, |value| u8::try_from(value).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_escape_of_the_lexer_decodes() {
        assert_eq!(&*unescape(br#"a\t\r\n\b\"\\\x41\102\q\4"#), b"a\t\r\n\x08\"\\ABq4");
    }
}
