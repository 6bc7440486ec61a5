//! The records a script prints: `pxe-links <key> <word> <length>:<bytes>` and a newline.
//!
//! The length in front makes a record unforgeable: whatever a link or an error text holds, a
//! reader that counts bytes steps over it. A record that is cut off is no record.

/// What every record begins with.
pub(crate) const MAGIC: &str = "pxe-links";

/// The key of the record that says everything was asked or tried.
pub(crate) const END: &str = "end";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Record<'a> {
    pub(crate) key: &'a str,
    pub(crate) word: &'a str,
    pub(crate) text: &'a [u8],
}

/// The records of an output, in order. Lines before and between them (a login banner, a shell's
/// own complaint) are stepped over; behind a record that is cut off or garbled nothing is read,
/// since what follows may be the inside of its text.
pub(crate) fn records(output: &[u8]) -> Vec<Record<'_>> {
    let mut rest = output;
    let mut records = Vec::new();
    loop {
        if let Some((head, body)) = head(rest) {
            let Some((record, after)) = head.record(body) else { return records };
            records.push(record);
            rest = after;
        } else {
            match rest.iter().position(|byte| *byte == b'\n') {
                Some(end) => rest = &rest[end + 1..],
                None => return records,
            }
        }
    }
}

struct Head<'a> {
    key: &'a str,
    word: &'a str,
    length: usize,
}

/// The head of a record at the start of `input`, and what follows its colon.
fn head(input: &[u8]) -> Option<(Head<'_>, &[u8])> {
    let colon = input.iter().take(80).position(|byte| *byte == b':')?;
    let text = str::from_utf8(&input[..colon]).ok()?;
    let mut fields = text.strip_prefix(MAGIC)?.strip_prefix(' ')?.split(' ');
    let (key, word, length) = (fields.next()?, fields.next()?, fields.next()?);
    if fields.next().is_some() || text.contains('\n') {
        return None;
    }
    Some((Head { key, word, length: length.parse().ok()? }, &input[colon + 1..]))
}

impl<'a> Head<'a> {
    fn record(&self, body: &'a [u8]) -> Option<(Record<'a>, &'a [u8])> {
        let text = body.get(..self.length)?;
        let after = body[self.length..].strip_prefix(b"\n")?;
        Some((Record { key: self.key, word: self.word, text }, after))
    }
}

/// An error text for people: one line, printable, at most 400 characters.
pub(crate) fn reason(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let mut line: String =
        text.trim().chars().map(|c| if c.is_control() { ' ' } else { c }).take(400).collect();
    if line.is_empty() {
        line.push_str("the command failed without a word");
    }
    line
}
