//! Libraries know nothing of each other, of terminals, or of command lines.

use serde_json::Value;

use crate::program::{Failure, cargo, output};

/// The libraries, and the third-party crates each may use in its public build.
const LIBRARIES: [(&str, &[&str]); 8] = [
    ("dhcpd-conf", &["nom", "thiserror", "serde", "schemars"]),
    ("clusterctl-nodeset", &["thiserror"]),
    (
        "clusterctl-redfish",
        &[
            "http",
            "serde_json",
            "thiserror",
            "zeroize",
            "base64",
            "reqwest",
            "rustls",
            "sha2",
            "rustix",
        ],
    ),
    (
        "clusterctl-bmc-sim",
        &[
            "serde_json",
            "serde",
            "thiserror",
            "rcgen",
            "rustls",
            "rustix",
            "base64",
            "httparse",
            "sha2",
        ],
    ),
    ("pxe-links", &["thiserror"]),
    ("slurm-query", &["thiserror"]),
    ("clusterctl-secrets", &["age", "base64", "saphyr-parser", "thiserror", "zeroize"]),
    ("clusterctl-cinc", &["thiserror"]),
];

pub(crate) fn violations() -> Result<Vec<String>, Failure> {
    let text = output(cargo().args(["metadata", "--format-version", "1", "--no-deps"]))?;
    let metadata: Value = serde_json::from_str(&text)
        .map_err(|error| Failure::new(format!("cargo metadata: {error}")))?;
    let mut violations = Vec::new();
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let name = package["name"].as_str().unwrap_or_default();
        let Some((_, allowed)) = LIBRARIES.iter().find(|(library, _)| *library == name) else {
            continue;
        };
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            let to = dependency["name"].as_str().unwrap_or_default();
            let for_tests = dependency["kind"].as_str() == Some("dev");
            if dependency["path"].is_string() && !for_tests {
                violations.push(format!("{name} depends on {to}: libraries know nobody here"));
            } else if !for_tests && !allowed.contains(&to) {
                violations.push(format!("{name} depends on {to}, which its row does not name"));
            }
        }
    }
    Ok(violations)
}
