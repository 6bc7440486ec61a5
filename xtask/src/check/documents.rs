//! Links between documents lead somewhere.

use std::path::Path;

use crate::program::{Failure, output, program, root};

pub(crate) fn violations() -> Result<Vec<String>, Failure> {
    let listed = output(program("git").args(["ls-files", "*.md"]))?;
    let mut violations = Vec::new();
    for file in listed.lines() {
        let path = root().join(file);
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        for link in links(&text) {
            let folder = path.parent().unwrap_or(Path::new("/"));
            let file_part = link.split('#').next().unwrap_or_default();
            if !file_part.is_empty() && !folder.join(file_part).exists() {
                violations.push(format!("{file}: {link} leads nowhere"));
            }
        }
    }
    Ok(violations)
}

/// The targets of `[text](target)` that are paths.
fn links(text: &str) -> Vec<&str> {
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    targets.filter(|target| !target.contains("://") && !target.contains(' ')).collect()
}
