//! Which log is the system event log.

use serde_json::{Value, json};

use crate::ResourcePath;
use crate::property::{linked, text};

/// Ids of system event logs, the surest first: most BMCs; Lenovo XCC, whose `SEL` shows no entries;
/// Supermicro; HPE; `OpenBMC`.
const IDS: [&str; 5] = ["sel", "platformlog", "log1", "iml", "eventlog"];
/// More logs than this are not read to find the one.
const MOST_READ: usize = 8;

/// The logs of a collection that may be the one, the likeliest first.
///
/// Logs of other kinds (audit, dump, journal, POST codes, the security log of HPE) are no
/// candidates: some of them can be cleared too (confluent commit 233fc9ec wiped dumps). The BIOS log
/// of DGX H100 and the fault list of iDRAC say they are of type `SEL` and are not it.
pub(crate) fn candidates(logs: &[ResourcePath]) -> Vec<ResourcePath> {
    let rank = |log: &ResourcePath| {
        let id = log.id().to_ascii_lowercase();
        IDS.iter().position(|known| *known == id)
    };
    let mut ranked: Vec<_> = logs.iter().filter_map(|log| Some((rank(log)?, log))).collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    ranked.into_iter().map(|(_, log)| log.clone()).take(MOST_READ).collect()
}

/// A log service, as far as this crate goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LogRoute {
    pub(crate) log: ResourcePath,
    pub(crate) entries: ResourcePath,
    pub(crate) clear: Option<ResourcePath>,
    /// The only `ClearType` that is listed.
    pub(crate) clear_type: Option<String>,
}

/// The log, where the service that was read is the system event log and shows entries: `Log1` only where it says that
/// its entries are of type `SEL`, for Supermicro calls its maintenance log the same.
pub(crate) fn route(path: &ResourcePath, service: &Value) -> Option<LogRoute> {
    let says_sel = text(service, "LogEntryType").as_deref() == Some("SEL");
    if !says_sel && path.id().eq_ignore_ascii_case("log1") {
        return None;
    }
    let action = service.get("Actions").and_then(|actions| actions.get("#LogService.ClearLog"));
    let types = action.and_then(|action| action.get("ClearType@Redfish.AllowableValues"));
    let types = types.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let clear_type = match types {
        [only] => only.as_str().map(str::to_owned),
        several if several.contains(&json!("ClearAll")) => Some("ClearAll".to_owned()),
        _ => None,
    };
    Some(LogRoute {
        log: path.clone(),
        entries: linked(service, "Entries")?,
        clear: crate::property::action(service, "#LogService.ClearLog"),
        clear_type,
    })
}

impl LogRoute {
    /// The body of the action.
    pub(crate) fn clear_body(&self) -> Value {
        match &self.clear_type {
            Some(kind) => json!({ "ClearType": kind }),
            None => json!({}),
        }
    }
}
