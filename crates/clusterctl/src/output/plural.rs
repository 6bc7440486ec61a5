//! Counts with the right form of the noun.

/// `1 host`, `2 hosts`: the count and the noun, which gets an `s` unless there is one.
pub fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

/// The form of a verb or noun for this many: `is` or `are`, `it` or `they`.
pub fn of<'a>(number: usize, one: &'a str, many: &'a str) -> &'a str {
    if number == 1 { one } else { many }
}
