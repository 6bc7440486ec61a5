//! The boot override of one system (`ComputerSystem` schema, `Boot`).

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// `Boot.BootSourceOverrideEnabled`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum OverrideEnabled {
    /// No override.
    #[default]
    Disabled,
    /// For the next boot only.
    Once,
    /// For every boot until changed.
    Continuous,
}

impl OverrideEnabled {
    /// The word of the schema.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Disabled => "Disabled",
            Self::Once => "Once",
            Self::Continuous => "Continuous",
        }
    }

    pub(crate) fn from_word(word: &str) -> Option<Self> {
        Some(match word {
            "Disabled" => Self::Disabled,
            "Once" => Self::Once,
            "Continuous" => Self::Continuous,
            _ => return None,
        })
    }
}

/// The boot override as the BMC holds it, whatever a read-back shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BootOverride {
    /// Whether and for how long it applies.
    pub enabled: OverrideEnabled,
    /// `BootSourceOverrideTarget`, as written: `Pxe`, `Hdd`, `None` …
    pub target: String,
    /// `BootSourceOverrideMode`, where the BMC reports one.
    pub mode: Option<String>,
    /// `HttpBootUri`, where one was written.
    pub http_boot_uri: Option<String>,
}

impl BootOverride {
    /// `target` for the next boot only.
    pub fn once(target: impl Into<String>) -> Self {
        Self { enabled: OverrideEnabled::Once, target: target.into(), ..Self::default() }
    }

    /// `target` for every boot.
    pub fn continuous(target: impl Into<String>) -> Self {
        Self { enabled: OverrideEnabled::Continuous, ..Self::once(target) }
    }

    /// The override a recorded `Boot` object shows; `None` where it has none (Cray EX).
    pub(crate) fn recorded(boot: &Value) -> Option<Self> {
        let word = |name: &str| boot.get(name).and_then(Value::as_str);
        boot.get("BootSourceOverrideTarget")?;
        Some(Self {
            enabled: word("BootSourceOverrideEnabled")
                .and_then(OverrideEnabled::from_word)
                .unwrap_or_default(),
            target: word("BootSourceOverrideTarget").unwrap_or("None").to_owned(),
            mode: word("BootSourceOverrideMode").map(str::to_owned),
            http_boot_uri: word("HttpBootUri").map(str::to_owned),
        })
    }

    /// Writes the override into the members a `Boot` object already has.
    pub(crate) fn render(&self, boot: &mut Map<String, Value>) {
        let mut set = |name: &str, value: Value| {
            if let Some(place) = boot.get_mut(name) {
                *place = value;
            }
        };
        set("BootSourceOverrideEnabled", json!(self.enabled.as_str()));
        set("BootSourceOverrideTarget", json!(self.target));
        if self.mode.is_some() {
            set("BootSourceOverrideMode", json!(self.mode));
        }
        if self.http_boot_uri.is_some() {
            boot.insert("HttpBootUri".to_owned(), json!(self.http_boot_uri));
        }
    }

    /// What the machine boots from now. A `Once` override is gone afterwards.
    pub(crate) fn consume(&mut self) -> BootSource {
        let in_force = self.enabled != OverrideEnabled::Disabled && self.target != "None";
        let source = BootSource {
            target: in_force.then(|| self.target.clone()),
            mode: self.mode.clone(),
            http_boot_uri: self.http_boot_uri.clone().filter(|_| in_force),
        };
        if self.enabled == OverrideEnabled::Once {
            self.enabled = OverrideEnabled::Disabled;
            "None".clone_into(&mut self.target);
            self.http_boot_uri = None;
        }
        source
    }
}

impl Default for BootOverride {
    fn default() -> Self {
        Self {
            enabled: OverrideEnabled::Disabled,
            target: "None".to_owned(),
            mode: None,
            http_boot_uri: None,
        }
    }
}

/// What a machine boots from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BootSource {
    /// The override's target; `None`: the machine's own boot order.
    pub target: Option<String>,
    /// `UEFI` or `Legacy`, where the BMC knows.
    pub mode: Option<String>,
    /// Where to load from, with the target `UefiHttp`.
    pub http_boot_uri: Option<String>,
}

impl BootSource {
    /// Whether an override asks for a network boot by PXE.
    pub fn is_pxe(&self) -> bool {
        self.target.as_deref() == Some("Pxe")
    }
}
