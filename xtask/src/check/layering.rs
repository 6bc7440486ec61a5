//! Inside clusterctl a module imports only what its row names, and only some touch the outside.

use crate::check::sources::{self, Source};
use crate::program::Failure;

/// What each top module of clusterctl may import of its neighbours.
const IMPORTS: [(&str, &[&str]); 4] = [
    ("exit", &[]),
    ("interrupt", &[]),
    ("pool", &["interrupt"]),
    ("output", &["exit", "selection"]),
];

/// Code that reaches outside, and the modules that may hold it.
const OUTSIDE: [(&str, &str, &[&str]); 5] = [
    // reach: ssh finds its agent through SSH_AUTH_SOCK, and the person through USER.
    ("std::env::var", "reads the environment", &["front_door", "reach"]),
    ("Command::new", "starts a process", &["browser", "credentials", "reach"]),
    ("print!(", "prints", &[]),
    ("println!(", "prints", &[]),
    ("std::process::exit", "ends the process", &[]),
];

pub(crate) fn violations() -> Result<Vec<String>, Failure> {
    let mut violations = Vec::new();
    for source in sources::below(&["crates/clusterctl/src"])? {
        let module = top_module(&source);
        for (number, line) in source.lines_without_tests().enumerate() {
            let place = format!("{}:{}", source.path.display(), number + 1);
            if line.trim_start().starts_with("//") {
                continue;
            }
            if let Some((_, allowed)) = IMPORTS.iter().find(|(name, _)| *name == module) {
                for imported in imports(line) {
                    if imported != module && !allowed.contains(&imported) {
                        violations.push(format!("{place}: {module} imports {imported}"));
                    }
                }
            }
            for (code, what, allowed) in OUTSIDE {
                if line.contains(code) && !allowed.contains(&module.as_str()) {
                    violations.push(format!("{place}: {module} {what}"));
                }
            }
        }
    }
    Ok(violations)
}

fn top_module(source: &Source) -> String {
    let inside = source.path.strip_prefix("crates/clusterctl/src").unwrap_or(&source.path);
    let first = inside.components().next().map(|part| part.as_os_str().to_string_lossy());
    first.unwrap_or_default().trim_end_matches(".rs").to_owned()
}

/// The modules named by `crate::…` in a line.
fn imports(line: &str) -> Vec<&str> {
    let after = line.split("crate::").skip(1);
    after
        .map(|rest| {
            let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
            &rest[..end.unwrap_or(rest.len())]
        })
        .filter(|name| !name.is_empty())
        .collect()
}
