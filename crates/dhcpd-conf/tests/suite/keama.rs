//! A second reader: keama, ISC's own parser turned into a translator to Kea's JSON.
//!
//! `cargo xtask install` builds it from the distribution's source. Where that cannot be had the
//! tests that ask it say that they skip.

use std::net::IpAddr;
use std::path::{Path, PathBuf};

use dhcpd_conf::{FixedAddress, HardwareType, Host, Identifier, StatementKind};
use serde_json::Value;

use crate::desk::Desk;
use crate::judge::{Family, Verdict};

/// The program, where it was built.
pub(crate) struct Keama(PathBuf);

/// What it makes of a configuration.
pub(crate) enum Translation {
    Read(Vec<Reservation>),
    Refused(String),
    Crashed,
}

impl Translation {
    pub(crate) fn verdict(&self) -> Verdict {
        match self {
            Self::Read(_) => Verdict::Accepted,
            Self::Refused(_) => Verdict::Refused,
            Self::Crashed => Verdict::Crashed,
        }
    }
}

/// What a host declaration reserves, as keama writes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reservation {
    pub(crate) name: String,
    /// The octets; before them the type where it is not `ethernet`.
    hardware: Option<String>,
    addresses: Vec<String>,
    prefixes: Vec<String>,
    uid: Option<String>,
}

impl Keama {
    /// Looked for in the directory that cargo builds into.
    pub(crate) fn find(test: &str) -> Option<Self> {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("tools").join("keama");
        if path.is_file() {
            return Some(Self(path));
        }
        println!("SKIPPED {test}: {} was not built", path.display());
        None
    }

    /// Translates the configuration on `desk`; looks up no name.
    pub(crate) fn translate(&self, desk: &Desk, family: Family) -> Translation {
        let out = desk.path().join("kea.json");
        let mut keama = desk.command(&self.0);
        keama.args([family.option(), "-r", "pass", "-i"]).arg(desk.main()).arg("-o").arg(&out);
        let output = keama.output().unwrap();
        // Its exit code is the number of things it cannot translate, which may be 255 too.
        let json = std::fs::read(&out).unwrap();
        match output.status.code() {
            None => Translation::Crashed,
            Some(_) if json.is_empty() => {
                Translation::Refused(String::from_utf8_lossy(&output.stderr).into_owned())
            }
            Some(_) => Translation::Read(reservations(&String::from_utf8_lossy(&json))),
        }
    }
}

fn reservations(json: &str) -> Vec<Reservation> {
    let text = whole(json);
    let root: Value =
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error} in {text}"));
    let mut found = Vec::new();
    collect(&root, &mut found);
    found
}

fn collect(value: &Value, found: &mut Vec<Reservation>) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                match value {
                    Value::Array(list) if name == "reservations" => {
                        found.extend(list.iter().map(Reservation::of_json));
                    }
                    _ => collect(value, found),
                }
            }
        }
        Value::Array(list) => list.iter().for_each(|value| collect(value, found)),
        _ => {}
    }
}

/// The JSON together with what Kea could not take over: that stands in lines behind `//`. Other
/// lines are remarks, and comments of the configuration. Commas are set anew, because they count
/// the former only or both.
fn whole(json: &str) -> String {
    let lines = json.lines().map(|line| line.strip_prefix("//").unwrap_or(line).trim());
    let lines = lines.filter(|line| line.starts_with(['{', '}', '[', ']', '"']));
    let lines: Vec<&str> = lines.map(|line| line.trim_end_matches(',')).collect();
    let mut text = String::new();
    for (index, line) in lines.iter().enumerate() {
        text.push_str(line);
        let ends = lines.get(index + 1).is_none_or(|next| next.starts_with(['}', ']']));
        text.push_str(if ends || line.ends_with(['{', '[']) { "\n" } else { ",\n" });
    }
    text
}

impl Reservation {
    fn of_json(value: &Value) -> Self {
        let text = |name: &str| value.get(name).map(|it| it.as_str().unwrap().to_owned());
        let list = |name: &str| -> Vec<String> {
            let list = value.get(name).map(|it| it.as_array().unwrap().as_slice());
            let texts = list.unwrap_or_default().iter();
            texts.map(|it| it.as_str().unwrap().to_owned()).collect()
        };
        let mut addresses: Vec<String> = text("ip-address").into_iter().collect();
        addresses.extend(list("extra-ip-addresses"));
        addresses.extend(list("ip-addresses"));
        Self {
            name: text("hostname").unwrap(),
            hardware: text("hw-address").map(|text| text.to_ascii_lowercase()),
            addresses,
            prefixes: list("prefixes"),
            uid: text("client-id"),
        }
    }

    /// What this crate finds in a host declaration.
    pub(crate) fn of_host(host: Host<'_>) -> Self {
        let hardware = host.hardware().map(|address| match address.hardware_type() {
            HardwareType::Ethernet => address.to_string(),
            other => format!("{other} {address}"),
        });
        let address = |address: FixedAddress<'_>| match address {
            FixedAddress::Ip(address) => address.to_string(),
            FixedAddress::Name(name) => name.into_owned(),
            _ => panic!("{address:?}"),
        };
        let own = |kind| host.statement().children().filter(move |child| child.kind() == kind);
        let prefix = |value: &[u8]| {
            let text = String::from_utf8_lossy(value).into_owned();
            let (address, length) = text.split_once('/').unwrap();
            let address: IpAddr = address.trim().parse().unwrap();
            format!("{address}/{}", length.trim())
        };
        let uid = || match host.client_id()? {
            Identifier::Text(text) => Some(String::from_utf8_lossy(&text).into_owned()),
            Identifier::Octets(octets) => {
                let octets: Vec<_> = octets.iter().map(|octet| format!("{octet:02x}")).collect();
                Some(octets.join(":"))
            }
            _ => None,
        };
        Self {
            name: host.name().to_owned(),
            hardware,
            addresses: host.fixed_addresses().into_iter().map(address).collect(),
            prefixes: own(StatementKind::FixedPrefix).map(|it| prefix(it.value())).collect(),
            uid: own(StatementKind::Uid).next().and_then(|_| uid()),
        }
    }
}
