//! The JSON that sops prints, read without leaving copies of a secret behind.
//!
//! An ordinary reader unescapes into a scratch buffer of its own, which nobody wipes.

use crate::plaintext::{Buffer, Plaintext};

/// Deeper than any document is.
const DEEPEST: usize = 64;

/// A reader at some place of a text. `None` from any of its functions: this is not the JSON that
/// was expected.
pub(crate) struct Json<'a> {
    rest: &'a [u8],
    depth: usize,
}

impl<'a> Json<'a> {
    pub(crate) fn new(text: &'a [u8]) -> Json<'a> {
        Json { rest: text, depth: 0 }
    }

    /// Reads an object; `member` reads the value of each key.
    pub(crate) fn object(
        &mut self,
        mut member: impl FnMut(&mut Json<'a>, &str) -> Option<()>,
    ) -> Option<()> {
        self.nested(|json| {
            json.expect(b'{')?;
            if json.take(b'}') {
                return Some(());
            }
            loop {
                let key = json.string()?;
                json.expect(b':')?;
                member(json, str::from_utf8(key.expose()).ok()?)?;
                if json.take(b'}') {
                    return Some(());
                }
                json.expect(b',')?;
            }
        })
    }

    /// Reads a string.
    pub(crate) fn string(&mut self) -> Option<Plaintext> {
        self.expect(b'"')?;
        // No escape is shorter than what it stands for, so the buffer never grows.
        let end = self.closing_quote()?;
        let mut text = Buffer::with_capacity(end);
        let mut raw = &self.rest[..end];
        while let Some((first, tail)) = raw.split_first() {
            if *first == b'\\' {
                raw = unescape(tail, &mut text)?;
            } else if *first < 0x20 {
                return None;
            } else {
                text.extend(&[*first]);
                raw = tail;
            }
        }
        self.rest = &self.rest[end + 1..];
        Some(text.into_plaintext())
    }

    /// Steps over any value.
    pub(crate) fn skip(&mut self) -> Option<()> {
        self.blanks();
        match self.rest.first()? {
            b'"' => self.string().map(|_| ()),
            b'{' => self.object(|json, _| json.skip()),
            b'[' => self.nested(|json| {
                json.expect(b'[')?;
                if json.take(b']') {
                    return Some(());
                }
                loop {
                    json.skip()?;
                    if json.take(b']') {
                        return Some(());
                    }
                    json.expect(b',')?;
                }
            }),
            _ => {
                let word = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
                let length = self.rest.iter().take_while(|byte| word(byte)).count();
                self.rest = &self.rest[length..];
                (length > 0).then_some(())
            }
        }
    }

    /// True at the end of the text.
    pub(crate) fn at_end(&mut self) -> bool {
        self.blanks();
        self.rest.is_empty()
    }

    fn nested(&mut self, read: impl FnOnce(&mut Json<'a>) -> Option<()>) -> Option<()> {
        if self.depth == DEEPEST {
            return None;
        }
        self.depth += 1;
        let done = read(self);
        self.depth -= 1;
        done
    }

    fn blanks(&mut self) {
        self.rest = self.rest.trim_ascii_start();
    }

    fn take(&mut self, byte: u8) -> bool {
        self.blanks();
        let taken = self.rest.first() == Some(&byte);
        if taken {
            self.rest = &self.rest[1..];
        }
        taken
    }

    fn expect(&mut self, byte: u8) -> Option<()> {
        self.take(byte).then_some(())
    }

    fn closing_quote(&self) -> Option<usize> {
        let mut escaped = false;
        self.rest.iter().position(|byte| {
            let closes = *byte == b'"' && !escaped;
            escaped = *byte == b'\\' && !escaped;
            closes
        })
    }
}

/// Reads what stands behind a backslash (RFC 8259, section 7).
fn unescape<'a>(raw: &'a [u8], text: &mut Buffer) -> Option<&'a [u8]> {
    let (kind, tail) = raw.split_first()?;
    let byte = match kind {
        b'"' | b'\\' | b'/' => *kind,
        b'b' => 0x08,
        b'f' => 0x0c,
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        b'u' => return unicode(tail, text),
        _ => return None,
    };
    text.extend(&[byte]);
    Some(tail)
}

fn unicode<'a>(raw: &'a [u8], text: &mut Buffer) -> Option<&'a [u8]> {
    let (first, mut tail) = unit(raw)?;
    let code = if (0xd800..0xdc00).contains(&first) {
        let (second, rest) = unit(tail.strip_prefix(b"\\u")?)?;
        tail = rest;
        0x1_0000
            + ((first - 0xd800) << 10)
            + second.checked_sub(0xdc00).filter(|low| *low < 0x400)?
    } else {
        first
    };
    let mut utf8 = [0; 4];
    text.extend(char::from_u32(code)?.encode_utf8(&mut utf8).as_bytes());
    zeroize::Zeroize::zeroize(&mut utf8);
    Some(tail)
}

fn unit(raw: &[u8]) -> Option<(u32, &[u8])> {
    let (digits, tail) = raw.split_at_checked(4)?;
    let value = digits
        .iter()
        .try_fold(0, |value, digit| Some(value * 16 + char::from(*digit).to_digit(16)?))?;
    Some((value, tail))
}
