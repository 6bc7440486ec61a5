//! Several rows a node: what a service processor lists.

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::cause::Cause;
use crate::ops::bmc::change::{Done, failures};
use crate::ops::bmc::fan_out;
use crate::output::{Column, Outcome, Output, Table};

/// The cells of one item, in the order of the columns behind NODE.
pub(crate) type Cells = Vec<String>;

/// A table with a row an item, its node first and its node's error last, and the same as an object
/// by node. A node without an item has a row that says so.
pub(crate) fn listing<I: Serialize>(
    done: &Done<Vec<I>>,
    doing: &str,
    columns: &[Column],
    cells: impl Fn(&I) -> Cells,
) -> Outcome {
    let failures = failures(done);
    let nodes: Vec<String> = done.iter().map(|(node, _)| node.clone()).collect();
    let all = std::iter::once(Column::new("NODE")).chain(columns.iter().copied());
    let mut table = Table::new(all.chain([Column::new("ERROR")]));
    let mut object = Map::new();
    for (node, result) in done {
        object.insert(node.clone(), member(result));
        let empty = || vec![String::new(); columns.len()];
        match result {
            Ok(items) if items.is_empty() => {
                let mut row = empty();
                "none".clone_into(&mut row[0]);
                table.push([vec![node.clone()], row].concat());
            }
            Ok(items) => {
                for item in items {
                    table.push([vec![node.clone()], cells(item)].concat());
                }
            }
            Err(cause) => {
                let mut row = empty();
                row[0].clone_from(&cause.short);
                table.push([vec![node.clone()], row, vec![cause.detail.clone()]].concat());
            }
        }
    }
    let output = Output::table(table, &object).with_nodes(nodes);
    Outcome::of(output).with_stop(fan_out::stop_for(doing, &failures))
}

fn member<I: Serialize>(result: &Result<Vec<I>, Cause>) -> Value {
    match result {
        Ok(items) => json!({ "items": items }),
        Err(cause) => json!({ "error": cause.detail }),
    }
}

/// A cell that may be unknown: shown empty.
pub(crate) fn cell(value: Option<&String>) -> String {
    value.cloned().unwrap_or_default()
}
