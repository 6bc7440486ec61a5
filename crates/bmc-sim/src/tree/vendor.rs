//! Which rules a tree's vendor is known for.

use std::time::Duration;

use serde_json::Value;

use super::Tree;
use crate::rules::{BootMode, BootWrites, IfMatch, Lockout, Precondition, Reply, Rules};

impl Tree {
    /// The behaviour this tree's BMC is known for. Read from the recording where it shows (settings
    /// objects, session timeouts); where recordings say nothing, since none holds a write, from public
    /// reports about the vendor's firmware.
    pub fn rules(&self) -> Rules {
        let mut rules = Rules::default();
        if self.settings_carry_the_override() {
            rules.boot_writes = BootWrites::Settings;
        }
        let seconds = self
            .get("/redfish/v1/SessionService")
            .and_then(|service| service.get("SessionTimeout"))
            .and_then(Value::as_u64);
        if let Some(seconds) = seconds {
            rules.session_timeout = Duration::from_secs(seconds);
        }
        match self.vendor() {
            Vendor::Dell => {
                rules.repeated_power = refuse(409, "IDRAC.2.7.PSU501");
                rules.restart_when_off = refuse(409, "IDRAC.2.7.PSU501");
                rules.action_reply = Reply::NoContent;
                rules.session_limit = 8;
            }
            Vendor::Hpe => {
                rules.boot_mode = BootMode::Refused;
                rules.disabling_needs_target = true;
                rules.repeated_power = refuse(400, "iLO.2.15.InvalidOperationForSystemState");
                rules.restart_when_off = refuse(400, "iLO.2.15.InvalidOperationForSystemState");
                rules.patch_reply = Reply::Message;
                rules.action_reply = Reply::Message;
                // The recorded figure behaves as minutes.
                rules.session_timeout *= 60;
            }
            Vendor::Lenovo | Vendor::Cray => rules.tags.if_match = IfMatch::Required,
            Vendor::Ami => {
                rules.tags.if_match = IfMatch::Required;
                rules.boot_mode = BootMode::Required;
                rules.patch_reply = Reply::NoContent;
                rules.action_reply = Reply::Task;
                if rules.boot_writes == BootWrites::Settings {
                    rules.boot_writes = BootWrites::SettingsNamed;
                }
            }
            Vendor::Supermicro => rules.boot_mode = BootMode::FallsToLegacy,
            Vendor::OpenBmc => {
                rules.patch_reply = Reply::NoContent;
                rules.restart_when_off = Precondition::Accept;
                rules.lockout = Some(Lockout { failures: 5, duration: Duration::from_mins(5) });
            }
            Vendor::Other => {}
        }
        rules
    }

    fn settings_carry_the_override(&self) -> bool {
        self.systems().iter().filter_map(|system| system.settings.as_ref()).any(|path| {
            self.get(path)
                .is_some_and(|body| body.pointer("/Boot/BootSourceOverrideTarget").is_some())
        })
    }

    fn vendor(&self) -> Vendor {
        let root = self.get("/redfish/v1");
        let named = root.and_then(|root| root.get("Vendor")).and_then(Value::as_str);
        let manufacturer = self.systems().iter().find_map(|system| {
            self.get(&system.path)?.get("Manufacturer")?.as_str().map(str::to_owned)
        });
        match named.or(manufacturer.as_deref()).unwrap_or_default() {
            "Dell" => return Vendor::Dell,
            "Lenovo" => return Vendor::Lenovo,
            "AMI" => return Vendor::Ami,
            "Supermicro" => return Vendor::Supermicro,
            // Cray EX controllers name no vendor in the root, and HPE in their systems.
            "HPE" if named.is_none() => return Vendor::Cray,
            "HPE" => return Vendor::Hpe,
            _ => {}
        }
        if self.get("/redfish/v1/Managers/bmc").is_some() { Vendor::OpenBmc } else { Vendor::Other }
    }
}

enum Vendor {
    Dell,
    Hpe,
    Lenovo,
    Ami,
    Supermicro,
    OpenBmc,
    Cray,
    Other,
}

fn refuse(status: u16, message_id: &str) -> Precondition {
    Precondition::Refuse { status, message_id: message_id.to_owned() }
}
