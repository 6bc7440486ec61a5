//! `bmc doctor`: what a service processor can do, and what would be sent to it.

use redfish::{Diagnosis, ErrorKind, MachineDiagnosis, Planned};
use serde::Serialize;

use crate::exit::Stop;
use crate::ops::bmc::change::{Done, failures};
use crate::ops::bmc::fan_out;
use crate::output::{Outcome, Output, Table};
use crate::selection::Selection;
use crate::session::Session;

/// One thing that was found out.
#[derive(Debug, Serialize)]
struct Row {
    node: String,
    check: String,
    detail: String,
}

/// Looks at every service processor by reading alone.
pub fn doctor(session: &Session, selection: &Selection) -> Result<Outcome, Stop> {
    let credentials = fan_out::credentials(session);
    let connections = fan_out::connections(session, &credentials);
    let answers = fan_out::ask(session, &connections, selection.nodes(), redfish::Bmc::diagnose);
    let done: Done<Vec<(String, String)>> = selection
        .names()
        .into_iter()
        .zip(answers)
        .map(|(node, answer)| {
            let found = answer.and_then(|diagnosis| {
                let service = service(&diagnosis);
                let machine = diagnosis.machine.map_err(|error| crate::bmc::cause_of(&error))?;
                Ok([service, self::machine(&machine)].concat())
            });
            (node, found)
        })
        .collect();
    let failures = failures(&done);
    let mut table = Table::titled(&["NODE", "CHECK", "DETAIL"]);
    let mut rows = Vec::new();
    for (node, found) in done {
        let found = found.unwrap_or_else(|cause| vec![(cause.short, cause.detail)]);
        for (check, detail) in found {
            table.push([node.as_str(), check.as_str(), detail.as_str()]);
            rows.push(Row { node: node.clone(), check, detail });
        }
    }
    let output = Output::table(table, &rows).with_nodes(selection.names());
    let stop = fan_out::stop_for("looking at the service processor", &failures);
    Ok(Outcome::of(output).with_stop(stop))
}

fn row(check: &str, detail: impl Into<String>) -> (String, String) {
    (check.to_owned(), detail.into())
}

fn service(diagnosis: &Diagnosis) -> Vec<(String, String)> {
    let service = &diagnosis.service;
    let words = [service.vendor(), service.product(), service.redfish_version()];
    let words: Vec<String> = words.into_iter().flatten().collect();
    vec![row(
        "service",
        if words.is_empty() { "says nothing of itself".to_owned() } else { words.join(", ") },
    )]
}

fn machine(found: &MachineDiagnosis) -> Vec<(String, String)> {
    let mut rows = Vec::new();
    rows.push(row("system", found.system.path().to_string()));
    rows.push(row("power", found.system.power_state().to_string()));
    if let Some(version) = found.manager.as_ref().and_then(redfish::Manager::firmware_version) {
        rows.push(row("firmware", version));
    }
    for quirk in &found.quirks {
        rows.push(row("quirk", format!("{:?}: {}", quirk.quirk, quirk.observed)));
    }
    match &found.boot {
        None => rows.push(row("boot override", "none: set the boot order, or use IPMI")),
        Some(boot) => {
            rows.push(row("boot override", boot.resource.to_string()));
            let words = super::words(&boot.shown);
            rows.push(row("boots next", [words.0, words.1].join(" ").trim()));
            if let Some(sources) = &boot.sources {
                let sources: Vec<&str> = sources.iter().map(redfish::BootSource::as_str).collect();
                rows.push(row("boot sources", sources.join(",")));
            }
            let tags: Vec<&str> =
                boot.if_match.iter().map(|tag| tag.as_deref().unwrap_or("none")).collect();
            rows.push(row("If-Match", tags.join(", then ")));
            rows.push(row(
                "boot set Pxe",
                planned(boot.pxe_once.as_ref().map(std::slice::from_ref)),
            ));
        }
    }
    let types = found.reset_types.as_ref().map(|types| {
        let types: Vec<&str> = types.iter().map(redfish::ResetType::as_str).collect();
        types.join(",")
    });
    rows.push(row("reset types", types.unwrap_or_else(|| "not listed".to_owned())));
    for (action, plan) in &found.power {
        rows.push(row(&format!("power {action}"), planned(plan.as_deref())));
    }
    if found.closes_connections {
        rows.push(row("connections", "one for each request"));
    }
    rows
}

/// The requests in the order they would be sent.
fn planned(plan: Result<&[Planned], &ErrorKind>) -> String {
    match plan {
        Ok([]) => "nothing to do".to_owned(),
        Ok(requests) => {
            let one = |request: &Planned| {
                let body = &request.body;
                let tag = request.if_match.as_ref().map(|tag| format!(", If-Match: {tag}"));
                format!("{} {} {body}{}", request.method, request.path, tag.unwrap_or_default())
            };
            requests.iter().map(one).collect::<Vec<_>>().join(", then ")
        }
        Err(kind) => format!("refused: {kind}"),
    }
}
