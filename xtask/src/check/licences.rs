//! Every dependency is under a licence that ours may carry.

use serde_json::Value;

use crate::program::{Failure, cargo, output};

const ALLOWED: [&str; 13] = [
    "MIT",
    "MIT-0",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "0BSD",
    "ISC",
    "Zlib",
    "Unicode-3.0",
    "CC0-1.0",
    "CDLA-Permissive-2.0",
    "MPL-2.0",
];

pub(crate) fn violations() -> Result<Vec<String>, Failure> {
    let text = output(cargo().args(["metadata", "--format-version", "1", "--all-features"]))?;
    let metadata: Value = serde_json::from_str(&text)
        .map_err(|error| Failure::new(format!("cargo metadata: {error}")))?;
    let mut violations = Vec::new();
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let name = package["name"].as_str().unwrap_or_default();
        let licence = package["license"].as_str().unwrap_or_default();
        if !is_allowed(licence) {
            violations.push(format!("{name}: {licence:?}"));
        }
    }
    Ok(violations)
}

/// An SPDX expression holds when one side of each `OR` does, and both of each `AND`.
///
/// Older manifests write a slash for `OR`. Parentheses appear around alternatives only.
fn is_allowed(expression: &str) -> bool {
    let expression = expression.replace('/', " OR ");
    let conjunction = |text: &str| {
        text.split(" AND ").all(|part| {
            let part = part.trim().trim_matches(['(', ')']).trim();
            part.split(" OR ")
                .any(|licence| ALLOWED.contains(&licence.trim().trim_matches(['(', ')'])))
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
        assert!(is_allowed("MIT OR GPL-3.0"));
        assert!(is_allowed("MIT/Apache-2.0"));
        assert!(is_allowed("(MIT OR Apache-2.0) AND Unicode-3.0"));
        assert!(is_allowed("Apache-2.0 WITH LLVM-exception OR Apache-2.0 OR MIT"));
        assert!(!is_allowed("GPL-3.0-only"));
        assert!(!is_allowed("MIT AND GPL-3.0"));
        assert!(!is_allowed(""));
    }
}
