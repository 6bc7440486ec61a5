//! Every dependency is under a licence that ours may carry.

use serde_json::Value;

use crate::program::{Failure, cargo, output, root};

const LIST: &str = "deny.toml";

pub(crate) fn violations() -> Result<Vec<String>, Failure> {
    let list = std::fs::read_to_string(root().join(LIST))
        .map_err(|error| Failure::new(format!("{LIST}: {error}")))?;
    let allowed = allowed(&list);
    let text = output(cargo().args(["metadata", "--format-version", "1", "--all-features"]))?;
    let metadata: Value = serde_json::from_str(&text)
        .map_err(|error| Failure::new(format!("cargo metadata: {error}")))?;
    let mut violations = Vec::new();
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let name = package["name"].as_str().unwrap_or_default();
        let licence = package["license"].as_str().unwrap_or_default();
        if !is_allowed(licence, &allowed) {
            violations.push(format!("{name}: {licence:?}"));
        }
    }
    Ok(violations)
}

/// The strings of the list `allow`, a line each.
fn allowed(list: &str) -> Vec<&str> {
    let lines = list.lines().skip_while(|line| !line.starts_with("allow = ["));
    let lines = lines.take_while(|line| !line.starts_with(']'));
    lines.filter_map(|line| line.trim().strip_prefix('"')?.split('"').next()).collect()
}

/// An SPDX expression holds when one side of each `OR` does, and both of each `AND`.
///
/// Older manifests write a slash for `OR`. Parentheses appear around alternatives only.
fn is_allowed(expression: &str, allowed: &[&str]) -> bool {
    let expression = expression.replace('/', " OR ");
    let conjunction = |text: &str| {
        text.split(" AND ").all(|part| {
            let part = part.trim().trim_matches(['(', ')']).trim();
            part.split(" OR ")
                .any(|licence| allowed.contains(&licence.trim().trim_matches(['(', ')'])))
        })
    };
    if expression.contains('(') {
        return conjunction(&expression);
    }
    expression.split(" OR ").any(conjunction)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_read_as_spdx_means_them() {
        let list = "version = 2\nallow = [\n  \"MIT\",\n  \"Apache-2.0\",\n  \"Unicode-3.0\",\n]\nx = [\n\"GPL-3.0\",\n]\n";
        let allowed = allowed(list);
        assert_eq!(allowed, ["MIT", "Apache-2.0", "Unicode-3.0"]);
        for (expression, holds) in [
            ("MIT OR GPL-3.0", true),
            ("MIT/Apache-2.0", true),
            ("(MIT OR Apache-2.0) AND Unicode-3.0", true),
            ("Apache-2.0 WITH LLVM-exception OR Apache-2.0 OR MIT", true),
            ("GPL-3.0-only", false),
            ("MIT AND GPL-3.0", false),
            ("", false),
        ] {
            assert_eq!(is_allowed(expression, &allowed), holds, "{expression}");
        }
    }
}
