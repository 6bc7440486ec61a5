//! The word that was probably meant.

/// The known word nearest to a misspelt one, if it is near enough to be meant.
pub fn closest<'a>(found: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let found = found.to_ascii_lowercase();
    let limit = (found.chars().count() / 3).max(1);
    known
        .into_iter()
        .map(|word| (distance(&found, &word.to_ascii_lowercase()), word))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, word)| word)
}

/// Insertions, deletions, replacements and swaps of neighbours between two words (optimal string
/// alignment).
fn distance(left: &str, right: &str) -> usize {
    let left: Vec<char> = left.chars().collect();
    let right: Vec<char> = right.chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=right.len()).collect();
    for (row, from) in left.iter().enumerate() {
        let mut line = vec![row + 1];
        for (column, to) in right.iter().enumerate() {
            let replaced = above[column] + usize::from(from != to);
            let mut best = replaced.min(above[column + 1] + 1).min(line[column] + 1);
            let swapped =
                row > 0 && column > 0 && *from == right[column - 1] && left[row - 1] == *to;
            if swapped {
                best = best.min(before[column - 1] + 1);
            }
            line.push(best);
        }
        before = std::mem::replace(&mut above, line);
    }
    above[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_recognised_and_another_word_is_not() {
        let known = ["knownHostsFile", "connectTimeout", "role", "roles"];
        assert_eq!(closest("knownHostFile", known), Some("knownHostsFile"));
        assert_eq!(closest("conectTimeuot", known), Some("connectTimeout"));
        assert_eq!(closest("rloe", known), Some("role"));
        assert_eq!(closest("password", known), None);
    }
}
