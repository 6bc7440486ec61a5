//! Lists of algorithms in `ssh_config(5)`: a list of its own, or a change of the default.

use crate::hostkeys::wildcard;

/// The algorithms of a list that `known` has, in order: `+` appends to `usual`, `^` puts in front,
/// `-` takes away, anything else replaces.
pub(in crate::reach) fn adjusted(list: &str, usual: &[&str], known: &[&str]) -> Vec<String> {
    let (sign, names) = match list.as_bytes().first() {
        Some(sign @ (b'+' | b'-' | b'^')) => (Some(*sign), &list[1..]),
        _ => (None, list),
    };
    let names: Vec<&str> = names.split(',').map(str::trim).collect();
    let named =
        |algorithm: &str| names.iter().any(|name| wildcard(name.as_bytes(), algorithm.as_bytes()));
    let mut result: Vec<&str> = match sign {
        Some(b'-') => usual.iter().copied().filter(|algorithm| !named(algorithm)).collect(),
        Some(b'+') => usual.iter().chain(&names).copied().collect(),
        Some(_) => names.iter().chain(usual).copied().collect(),
        None => names,
    };
    result.retain(|algorithm| known.contains(algorithm));
    let mut seen = Vec::new();
    for algorithm in result {
        if !seen.iter().any(|name| name == algorithm) {
            seen.push(algorithm.to_owned());
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sign_changes_the_default_and_no_sign_replaces_it() {
        let usual = ["a", "b"];
        let known = ["a", "b", "c"];
        assert_eq!(adjusted("+c", &usual, &known), ["a", "b", "c"]);
        assert_eq!(adjusted("^c,b", &usual, &known), ["c", "b", "a"]);
        assert_eq!(adjusted("-b*", &usual, &known), ["a"]);
        assert_eq!(adjusted("c,unknown,a", &usual, &known), ["c", "a"]);
    }
}
