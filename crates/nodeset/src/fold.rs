//! From names back to brackets.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::{self, Write as _};

use crate::name::same_shape;
use crate::range::is_padded;
use crate::set::NodeSet;

impl NodeSet {
    /// The set as folded names with at most `brackets` brackets each, in natural order of their
    /// first names. 0 gives the plain names. Programs that read one bracket per name, such as
    /// Slurm's, take the answer for 1.
    ///
    /// ```
    /// use nodeset::NodeSet;
    ///
    /// let set: NodeSet = "r[1-2]n[01-18].hpc1".parse()?;
    /// assert_eq!(set.folded(1), ["r1n[01-18].hpc1", "r2n[01-18].hpc1"]);
    /// assert_eq!(set.folded(2), ["r[1-2]n[01-18].hpc1"]);
    /// # Ok::<(), nodeset::Error>(())
    /// ```
    pub fn folded(&self, brackets: usize) -> Vec<String> {
        let names: Vec<&str> = self.iter().map(AsRef::as_ref).collect();
        // Names of one shape stand together in natural order.
        names
            .chunk_by(|left, right| same_shape(left, right))
            .flat_map(|names| fold(names, brackets))
            .collect()
    }
}

impl fmt::Display for NodeSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.folded(usize::MAX).join(","))
    }
}

/// Several names that agree in `head` but for its last number, on the way to one folded name.
struct Row<'a> {
    /// What has not been folded yet.
    head: &'a str,
    /// What has, from the right.
    tail: Cow<'a, str>,
    brackets: usize,
}

/// Folds names of one shape, number by number from the right: rows with the same text before a
/// number and the same folded text after it become one row.
fn fold(names: &[&str], brackets: usize) -> Vec<String> {
    let mut rows: Vec<Row<'_>> =
        names.iter().map(|name| Row { head: name, tail: Cow::Borrowed(""), brackets: 0 }).collect();
    while rows.first().is_some_and(|row| row.head.bytes().any(|byte| byte.is_ascii_digit())) {
        rows = fold_last_number(&rows, brackets);
    }
    rows.into_iter().map(|row| format!("{}{}", row.head, row.tail)).collect()
}

fn fold_last_number<'a>(rows: &[Row<'a>], brackets: usize) -> Vec<Row<'a>> {
    let mut folded = Vec::new();
    for chunk in rows.chunk_by(|left, right| peel(left.head).before == peel(right.head).before) {
        // The numbers of each tail, in order of the tails' first appearance.
        let mut tails: Vec<(&Row<'a>, Vec<&'a str>)> = Vec::new();
        let mut known: HashMap<&str, usize> = HashMap::new();
        for row in chunk {
            let number = peel(row.head).number;
            if row.brackets >= brackets {
                tails.push((row, vec![number]));
                continue;
            }
            // Most rows share the tail of the row before: no need to hash it.
            if let Some((last, numbers)) = tails.last_mut()
                && last.tail == row.tail
                && last.brackets < brackets
            {
                numbers.push(number);
                continue;
            }
            let at = *known.entry(&row.tail).or_insert_with(|| {
                tails.push((row, Vec::new()));
                tails.len() - 1
            });
            tails[at].1.push(number);
        }
        let Peeled { before, after, .. } = peel(chunk[0].head);
        folded.extend(tails.into_iter().map(|(row, numbers)| Row {
            head: before,
            brackets: row.brackets + usize::from(numbers.len() > 1),
            tail: Cow::Owned(fold_numbers(&numbers) + after + &row.tail),
        }));
    }
    folded
}

/// A head cut around its last number.
struct Peeled<'a> {
    before: &'a str,
    number: &'a str,
    after: &'a str,
}

fn peel(head: &str) -> Peeled<'_> {
    let is_digit = |char: char| char.is_ascii_digit();
    let through = head.trim_end_matches(|char: char| !is_digit(char));
    let before = through.trim_end_matches(is_digit);
    Peeled { before, number: &through[before.len()..], after: &head[through.len()..] }
}

/// `[1-3,0010]` for ascending numbers, `7` for one.
fn fold_numbers(numbers: &[&str]) -> String {
    if let [number] = numbers {
        return (*number).to_owned();
    }
    let mut text = String::from("[");
    let mut start = 0;
    while start < numbers.len() {
        let end = start + run_length(&numbers[start..]);
        let (first, last) = (numbers[start], numbers[end - 1]);
        let comma = if start > 0 { "," } else { "" };
        let _ = if first == last {
            write!(text, "{comma}{first}") // a String takes everything
        } else {
            write!(text, "{comma}{first}-{last}")
        };
        start = end;
    }
    text.push(']');
    text
}

/// How many numbers from the first on make one range that reads back as exactly these spellings.
fn run_length(numbers: &[&str]) -> usize {
    let padded = is_padded(numbers[0]);
    let follows = |pair: &[&str]| {
        let (before, number) = (pair[0], pair[1]);
        let widens = !padded && !is_padded(number);
        let next = before.parse::<u64>().ok().and_then(|before| before.checked_add(1));
        next.is_some() && next == number.parse().ok() && (before.len() == number.len() || widens)
    };
    1 + numbers.windows(2).take_while(|pair| follows(pair)).count()
}
