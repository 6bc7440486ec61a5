//! Where lines begin, and how far along long ones characters have been counted.

use crate::span::Position;

/// Bytes between two marks: what is counted anew for each position.
const STEP: usize = 4096;

/// The lines of a source.
#[derive(Debug, Clone)]
pub(crate) struct LineIndex {
    /// Where each line begins.
    begins: Vec<u32>,
    /// On lines longer than [`STEP`], as far as they are UTF-8: offsets between two characters, and
    /// how many characters of the line stand before.
    marks: Vec<(u32, u32)>,
}

impl LineIndex {
    pub(crate) fn new(source: &[u8]) -> Self {
        let newlines = source.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        let begins: Vec<u32> =
            std::iter::once(0).chain(newlines.map(|(at, _)| narrow(at + 1))).collect();
        let ends = begins.iter().skip(1).map(|begin| *begin as usize).chain([source.len()]);
        let mut marks = Vec::new();
        for (begin, end) in begins.iter().map(|begin| *begin as usize).zip(ends) {
            if end - begin > STEP {
                mark(&source[begin..end], begin, &mut marks);
            }
        }
        Self { begins, marks }
    }

    /// The position of `offset` in `source`, which it is the index of.
    pub(crate) fn position(&self, source: &[u8], offset: usize) -> Position {
        let line = self.begins.partition_point(|begin| *begin as usize <= offset);
        let begin = self.begins.get(line.wrapping_sub(1)).map_or(0, |begin| *begin as usize);
        let marks = self.marks.partition_point(|(at, _)| *at as usize <= offset);
        let mark = self.marks.get(marks.wrapping_sub(1)).filter(|(at, _)| *at as usize > begin);
        let (from, counted) =
            mark.map_or((begin, 0), |(at, count)| (*at as usize, *count as usize));
        // As far as a mark the line is UTF-8, so what stands behind it decides.
        let column = match std::str::from_utf8(&source[from..offset]) {
            Ok(text) => counted + text.chars().count(),
            Err(_) => offset - begin,
        };
        Position::new(line, column + 1)
    }
}

/// Marks a line that begins at `begin`.
fn mark(line: &[u8], begin: usize, marks: &mut Vec<(u32, u32)>) {
    let text = line.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    let (mut from, mut counted) = (0, 0);
    while text.len() - from > STEP {
        let to = text.floor_char_boundary(from + STEP);
        counted += text[from..to].chars().count();
        from = to;
        marks.push((narrow(begin + to), narrow(counted)));
    }
}

/// Offsets of a source are 32 bits wide.
fn narrow(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Long and short lines, with characters of several bytes and bytes that are none.
    #[test]
    fn a_position_is_what_counting_from_the_beginning_of_the_line_gives() {
        let mut source = "a\n".repeat(3).into_bytes();
        source.extend("x\u{e4}\u{20ac}".repeat(STEP).bytes());
        source.extend(b"\nshort \xff\n");
        source.extend("y".repeat(2 * STEP + 1).bytes());
        source.extend(b"\xff");
        source.extend("z".repeat(2 * STEP).bytes());
        let index = LineIndex::new(&source);
        for offset in (0..=source.len()).step_by(7).chain([source.len()]) {
            let before = &source[..offset];
            let begin = crate::span::line_start(before);
            let line = before.split(|byte| *byte == b'\n').count();
            let counted = Position::on_line(line, &source[begin..offset]);
            assert_eq!(index.position(&source, offset), counted, "{offset}");
        }
    }
}
