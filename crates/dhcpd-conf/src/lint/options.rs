//! Options nobody defines, and parameters written as options.

use std::collections::HashSet;

use crate::index::in_order;
use crate::lint::finding::{Finding, FindingKind};
use crate::option_statement::option_key;
use crate::setting::Setting;
use crate::statement_view::Statement;
use crate::tree::StatementKind;
use crate::words;
use crate::world::World;

pub(crate) fn check(world: World<'_>, findings: &mut Vec<Finding>) {
    let mut defined = HashSet::new();
    let mut later = Vec::new();
    let mut open = false;
    in_order(world, |id| {
        let statement = Statement::new(world, id);
        match statement.kind() {
            StatementKind::OptionDefinition => {
                defined.insert(option_key(statement.name()));
            }
            // Files that are not read may define anything.
            StatementKind::Include if world.included(id).is_none() => open = true,
            StatementKind::Option if !open => {
                let key = option_key(statement.name());
                if !is_known(&key) && !defined.contains(&key) {
                    later.push((statement, key));
                }
            }
            _ => {}
        }
    });
    for (statement, key) in later {
        let name = Setting(statement).name();
        let finding = if words::parameter(&key).is_some() {
            Finding::new(
                FindingKind::ParameterAsOption,
                statement,
                format!("{name} is no option but a parameter"),
                "write it without `option`",
            )
        } else if defined.contains(&key) {
            Finding::new(
                FindingKind::UnknownOption,
                statement,
                format!("the option {name} is used before its definition"),
                "move its `option … code …` to the beginning of the configuration",
            )
        } else {
            Finding::new(
                FindingKind::UnknownOption,
                statement,
                format!("no option is named {name}"),
                "correct the name, or define it: `option NAME code NUMBER = TYPE;`",
            )
        };
        findings.push(finding);
    }
}

/// Whether the server knows the option by itself.
fn is_known(key: &[u8]) -> bool {
    let last = key.rsplit(|byte| *byte == b'.').next().unwrap_or(key);
    let numbered = last.strip_prefix(b"unknown-");
    numbered.is_some_and(|number| number.iter().all(u8::is_ascii_digit))
        || words::option(key).is_some()
}
