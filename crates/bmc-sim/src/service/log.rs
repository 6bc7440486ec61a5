//! The system event log: what happens to a machine is written down, until it is cleared.

use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use super::reset::{Deed, ResetKind};
use super::state::Service;
use crate::tree::link;

/// The oldest entries are dropped beyond so many (`OverWritePolicy: WrapsWhenFull`).
const KEPT: usize = 512;

impl Service {
    /// Writes a reset into the system event log of the machine's system, or of its manager.
    pub(super) fn log_reset(&mut self, deed: Deed) {
        let message = match deed.kind {
            ResetKind::On => "Power on",
            ResetKind::ForceOff => "Power off",
            ResetKind::GracefulShutdown => "Shutdown requested",
            ResetKind::ForceRestart => "Hard reset",
            ResetKind::GracefulRestart => "Restart requested",
            ResetKind::PowerCycle => "Power cycle",
            ResetKind::Nmi => "Non-maskable interrupt",
        };
        if let Some(log) = self.system_event_log(deed.system) {
            self.add_entry(&log, message);
        }
    }

    /// The entries' path of the log service whose `LogEntryType` is SEL.
    fn system_event_log(&self, system: usize) -> Option<String> {
        let body = self.tree.get(&self.systems.get(system)?.path)?;
        let managers = body.pointer("/Links/ManagedBy").and_then(Value::as_array);
        let managers = managers.into_iter().flatten().filter_map(link);
        let owners = [Some(body)].into_iter().chain(managers.map(|path| self.tree.get(path)));
        for owner in owners.flatten() {
            let logs = owner.get("LogServices").and_then(link).and_then(|path| self.tree.get(path));
            let members = logs.and_then(|logs| logs.get("Members")?.as_array());
            for log in members.into_iter().flatten().filter_map(link) {
                let log = self.tree.get(log)?;
                if log.get("LogEntryType").and_then(Value::as_str) == Some("SEL") {
                    return log.get("Entries").and_then(link).map(str::to_owned);
                }
            }
        }
        None
    }

    fn add_entry(&mut self, entries: &str, message: &str) {
        let known = self.tree.get(entries).and_then(|it| it.get("Members")?.as_array().cloned());
        let Some(mut members) = known else { return };
        let number = |entry: &Value| entry.get("Id")?.as_str()?.parse::<u64>().ok();
        let next = members.iter().filter_map(number).max().unwrap_or(0) + 1;
        let path = format!("{entries}/{next}");
        let entry = json!({
            "@odata.type": "#LogEntry.v1_16_1.LogEntry",
            "@odata.id": path,
            "Id": next.to_string(),
            "Name": "Log Entry",
            "EntryType": "SEL",
            "Created": rfc3339(SystemTime::now()),
            "Severity": "OK",
            "Message": message,
            "MessageId": "Simulated.1.0.MachineReset",
            "SensorType": "System Event",
        });
        self.tree.insert(&path, entry.clone());
        members.push(entry);
        if members.len() > KEPT {
            let oldest = members.remove(0);
            if let Some(path) = link(&oldest) {
                self.tree.remove(path);
            }
        }
        self.tree.set_members(entries, members);
    }
}

/// A moment in UTC, whole seconds (RFC 3339; the calendar from 1970 on).
fn rfc3339(at: SystemTime) -> String {
    let seconds = at.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let (mut days, clock) = (seconds / 86_400, seconds % 86_400);
    let is_leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let mut year = 1970;
    while days >= 365 + u64::from(is_leap(year)) {
        days -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let lengths = [31, 28 + u64::from(is_leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 1;
    for length in lengths {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    let (hour, minute, second) = (clock / 3600, clock / 60 % 60, clock % 60);
    format!("{year:04}-{month:02}-{:02}T{hour:02}:{minute:02}:{second:02}+00:00", days + 1)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_moment_is_written_as_date_does() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00+00:00"),
            (951_782_399, "2000-02-28T23:59:59+00:00"),
            (951_868_800, "2000-03-01T00:00:00+00:00"),
            (1_735_689_599, "2024-12-31T23:59:59+00:00"),
            (4_107_542_400, "2100-03-01T00:00:00+00:00"),
        ] {
            assert_eq!(rfc3339(UNIX_EPOCH + Duration::from_secs(seconds)), text);
        }
    }
}
