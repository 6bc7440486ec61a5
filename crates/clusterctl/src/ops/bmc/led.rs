//! `bmc led`: the lamp that shows which machine is meant.

use redfish::{Indicator, IndicatorAction};
use serde::Serialize;

use crate::cause::Cause;
use crate::exit::{ExitClass, Stop};
use crate::ops::bmc::change::{Change, Done, change, failures, of_change};
use crate::ops::bmc::fan_out;
use crate::output::{Outcome, Output, Table};
use crate::selection::Selection;
use crate::session::Session;

#[derive(Debug, Serialize)]
struct Row {
    node: String,
    led: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// What the lamp of every machine shows.
pub fn led_status(session: &Session, selection: &Selection) -> Result<Outcome, Stop> {
    let credentials = fan_out::credentials(session);
    let connections = fan_out::connections(session, &credentials);
    let answers = fan_out::ask(session, &connections, selection.nodes(), redfish::Bmc::indicator);
    Ok(report(selection.names().into_iter().zip(answers).collect(), "reading the LED"))
}

/// Switches the lamp of every machine, and reads it back.
pub fn led(
    session: &Session,
    selection: Selection,
    action: IndicatorAction,
) -> Result<Outcome, Stop> {
    let plan = Change::harmless(format!("switch the LED to {} at", action.as_str()));
    let act = |bmc: &redfish::Bmc<_>| {
        let shown = |led: &Indicator| format!("it reads back {}", led.state());
        of_change(bmc, bmc.set_indicator(action), shown)
    };
    change(session, selection, plan, act, |done| report(done, "switching the LED"))
}

fn report(done: Done<Indicator>, doing: &str) -> Outcome {
    let failures = failures(&done);
    let row = |(node, result): (String, Result<Indicator, Cause>)| match result {
        Ok(led) => Row { node, led: led.state().to_string(), error: None },
        Err(cause) => Row { node, led: cause.short, error: Some(cause.detail) },
    };
    let rows: Vec<Row> = done.into_iter().map(row).collect();
    let mut table = Table::titled(&["NODE", "LED", "ERROR"]);
    for row in &rows {
        table.push([row.node.as_str(), row.led.as_str(), row.error.as_deref().unwrap_or("")]);
    }
    let nodes: Vec<String> = rows.iter().map(|row| row.node.clone()).collect();
    let output = Output::table(table, &rows).with_nodes(nodes);
    Outcome::of(output).with_stop(fan_out::stop_for(doing, &failures))
}

/// The action of a word: `on`, `off` or `blink`.
pub fn led_action(word: &str) -> Result<IndicatorAction, Stop> {
    word.parse().map_err(|error: redfish::IndicatorActionError| {
        Stop::with_class(ExitClass::Usage, format!("{error}; or status, which only reads"))
    })
}
