//! Files are small and named after what they own.

use crate::check::sources;
use crate::program::Failure;

const LINES: usize = 600;
const MAIN_LINES: usize = 15;
const DRAWERS: [&str; 6] = ["util", "utils", "helper", "helpers", "common", "misc"];

pub(crate) fn violations() -> Result<Vec<String>, Failure> {
    let mut violations = Vec::new();
    for source in sources::below(&["crates", "tests", "xtask"])? {
        let path = source.path.display();
        let stem = source.name().trim_end_matches(".rs");
        let lines = source.lines_without_tests().count();
        let is_source = source.path.components().any(|part| part.as_os_str() == "src");
        if DRAWERS.contains(&stem) {
            violations.push(format!("{path}: named after no noun"));
        }
        if is_source && lines > LINES {
            violations.push(format!("{path}: {lines} lines without tests, at most {LINES}"));
        }
        if stem == "main" && is_source && non_blank(&source) > MAIN_LINES {
            violations.push(format!("{path}: more than {MAIN_LINES} lines of code"));
        }
        if is_source && matches!(stem, "lib" | "mod") && holds_logic(&source) {
            violations.push(format!("{path}: holds logic; it is a table of contents"));
        }
    }
    Ok(violations)
}

fn non_blank(source: &sources::Source) -> usize {
    source
        .lines_without_tests()
        .filter(|line| !line.trim().is_empty() && !line.starts_with("//"))
        .count()
}

fn holds_logic(source: &sources::Source) -> bool {
    source.lines_without_tests().any(|line| {
        let code = line.trim_start();
        !code.starts_with("//") && code.contains("fn ") && code.ends_with('{')
    })
}
