//! Boot overrides, in the words of the schema.

use std::borrow::Cow;
use std::fmt;

use serde_json::Value;

/// A value of `BootSourceOverrideTarget`. Services add their own (`CD/DVD`, `UsbHdd`), so any word
/// is one.
///
/// ```
/// use redfish::BootSource;
/// assert_eq!(BootSource::from("pxe"), BootSource::PXE);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BootSource(Cow<'static, str>);

impl BootSource {
    /// No override.
    pub const NONE: Self = Self(Cow::Borrowed("None"));
    /// The network.
    pub const PXE: Self = Self(Cow::Borrowed("Pxe"));
    /// A hard disk.
    pub const HDD: Self = Self(Cow::Borrowed("Hdd"));
    /// A CD or DVD.
    pub const CD: Self = Self(Cow::Borrowed("Cd"));
    /// A USB device.
    pub const USB: Self = Self(Cow::Borrowed("Usb"));
    /// The firmware's setup.
    pub const BIOS_SETUP: Self = Self(Cow::Borrowed("BiosSetup"));
    /// The network over HTTP.
    pub const UEFI_HTTP: Self = Self(Cow::Borrowed("UefiHttp"));

    /// The word of the service.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Words of the schema (`ComputerSystem.BootSource`).
const BOOT_SOURCES: [&str; 17] = [
    "None",
    "Pxe",
    "Floppy",
    "Cd",
    "Usb",
    "Hdd",
    "BiosSetup",
    "Utilities",
    "Diags",
    "UefiShell",
    "UefiTarget",
    "SDCard",
    "UefiHttp",
    "RemoteDrive",
    "UefiBootNext",
    "Recovery",
    "UsbCd",
];

impl From<&str> for BootSource {
    /// Any word; those of the schema are recognised in any case.
    fn from(word: &str) -> Self {
        match BOOT_SOURCES.iter().find(|known| known.eq_ignore_ascii_case(word)) {
            Some(known) => Self(Cow::Borrowed(known)),
            None => Self(Cow::Owned(word.to_owned())),
        }
    }
}

impl fmt::Display for BootSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// `BootSourceOverrideEnabled`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OverrideEnabled {
    /// No override.
    Disabled,
    /// For the next boot.
    Once,
    /// Until it is changed.
    Continuous,
    /// A word outside the schema.
    Other(String),
}

impl OverrideEnabled {
    /// The word of the schema.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Disabled => "Disabled",
            Self::Once => "Once",
            Self::Continuous => "Continuous",
            Self::Other(word) => word,
        }
    }

    fn read(word: &str) -> Self {
        match word {
            "Disabled" => Self::Disabled,
            "Once" => Self::Once,
            "Continuous" => Self::Continuous,
            other => Self::Other(crate::excerpt::one_line(other, 40)),
        }
    }
}

impl fmt::Display for OverrideEnabled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// For how long an override is set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Lifetime {
    /// For the next boot.
    #[default]
    Once,
    /// Until it is cleared. Several BMCs refuse this in UEFI mode.
    Continuous,
}

impl Lifetime {
    /// The word of the schema.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Once => "Once",
            Self::Continuous => "Continuous",
        }
    }

    pub(crate) fn enabled(self) -> OverrideEnabled {
        match self {
            Self::Once => OverrideEnabled::Once,
            Self::Continuous => OverrideEnabled::Continuous,
        }
    }
}

/// `BootSourceOverrideMode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BootMode {
    /// `UEFI`.
    Uefi,
    /// `Legacy`: BIOS.
    Legacy,
}

impl BootMode {
    /// The word of the schema.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Uefi => "UEFI",
            Self::Legacy => "Legacy",
        }
    }
}

impl fmt::Display for BootMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Whether a boot override says its mode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ModeOption {
    /// Only where the BMC needs it.
    #[default]
    AsNeeded,
    /// This mode. It is left out where the BMC reports it already and does not need it: on iDRAC 9
    /// a mode in the request makes a BIOS job and a second reboot even when it is unchanged.
    Set(BootMode),
    /// Never.
    LeaveOut,
}

/// What a boot override is to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BootRequest {
    pub(crate) source: BootSource,
    pub(crate) lifetime: Lifetime,
    pub(crate) mode: ModeOption,
    pub(crate) unlisted: bool,
}

impl BootRequest {
    /// From this source at the next boot.
    pub fn once(source: BootSource) -> Self {
        Self { source, lifetime: Lifetime::Once, mode: ModeOption::AsNeeded, unlisted: false }
    }

    /// From this source until it is cleared.
    pub fn continuous(source: BootSource) -> Self {
        Self { lifetime: Lifetime::Continuous, ..Self::once(source) }
    }

    /// Says whether the mode is sent.
    #[must_use]
    pub fn with_mode(self, mode: ModeOption) -> Self {
        Self { mode, ..self }
    }

    /// Asks for a source although the BMC does not list it (GH200 takes `UefiHttp` so).
    #[must_use]
    pub fn even_if_not_listed(self) -> Self {
        Self { unlisted: true, ..self }
    }
}

/// The boot override a resource shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BootOverride {
    pub(crate) enabled: Option<OverrideEnabled>,
    pub(crate) source: Option<BootSource>,
    pub(crate) mode: Option<String>,
}

impl BootOverride {
    pub(crate) const UNKNOWN: Self = Self { enabled: None, source: None, mode: None };

    /// `BootSourceOverrideEnabled`, unless missing or null.
    pub fn enabled(&self) -> Option<&OverrideEnabled> {
        self.enabled.as_ref()
    }

    /// `BootSourceOverrideTarget`, unless missing or null.
    pub fn source(&self) -> Option<&BootSource> {
        self.source.as_ref()
    }

    /// `BootSourceOverrideMode`, unless missing or null.
    pub fn mode(&self) -> Option<&str> {
        self.mode.as_deref()
    }

    /// Whether the next boot is overridden: not disabled, and with a target. Supermicro and GB300
    /// rest at `Disabled` with the target `Pxe`. `None` where the BMC does not say.
    pub fn is_set(&self) -> Option<bool> {
        let has_source = self.source.as_ref().map(|source| *source != BootSource::NONE);
        let is_enabled = self.enabled.as_ref().map(|word| *word != OverrideEnabled::Disabled);
        match (is_enabled, has_source) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        }
    }
}

impl fmt::Display for BootOverride {
    /// `Pxe, Once, UEFI`, or `none`, or `unknown`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.is_set(), &self.source, &self.enabled) {
            (Some(true), Some(source), Some(enabled)) => {
                write!(f, "{source}, {enabled}")?;
                self.mode.iter().try_for_each(|mode| write!(f, ", {mode}"))
            }
            (Some(false), ..) => f.write_str("none"),
            _ => f.write_str("unknown"),
        }
    }
}

/// `Boot` of a System or of its Settings object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Boot<'a>(Option<&'a Value>);

impl<'a> Boot<'a> {
    pub(crate) fn of(resource: &'a Value) -> Self {
        Self(resource.get("Boot"))
    }

    /// Whether the override is here at all: the property exists, be it null.
    pub(crate) fn carries_source(self) -> bool {
        self.property("BootSourceOverrideTarget").is_some()
    }

    pub(crate) fn carries_mode(self) -> bool {
        self.property("BootSourceOverrideMode").is_some()
    }

    pub(crate) fn mode(self) -> Option<&'a str> {
        self.property("BootSourceOverrideMode")?.as_str().filter(|mode| !mode.is_empty())
    }

    /// The only mode that is allowed.
    pub(crate) fn only_mode(self) -> Option<&'a str> {
        match self.allowed("BootSourceOverrideMode")?.as_slice() {
            [only] => Some(only),
            _ => None,
        }
    }

    pub(crate) fn sources(self) -> Option<Vec<BootSource>> {
        let words = self.allowed("BootSourceOverrideTarget")?;
        Some(words.into_iter().map(BootSource::from).collect())
    }

    /// The words that are listed for a property.
    pub(crate) fn listed(self, name: &str) -> Option<Vec<String>> {
        let words = self.allowed(name)?;
        Some(words.into_iter().map(|word| crate::excerpt::one_line(word, 40)).collect())
    }

    pub(crate) fn read_override(self) -> BootOverride {
        let word = |name: &str| self.property(name)?.as_str().filter(|word| !word.is_empty());
        BootOverride {
            enabled: word("BootSourceOverrideEnabled").map(OverrideEnabled::read),
            source: word("BootSourceOverrideTarget")
                .map(|word| BootSource::from(crate::excerpt::one_line(word, 80).as_str())),
            mode: self.mode().map(|mode| crate::excerpt::one_line(mode, 40)),
        }
    }

    fn property(self, name: &str) -> Option<&'a Value> {
        self.0?.get(name)
    }

    /// The allowable values of a property; an empty list says nothing.
    fn allowed(self, name: &str) -> Option<Vec<&'a str>> {
        let list = self.property(&format!("{name}@Redfish.AllowableValues"))?.as_array()?;
        let words: Vec<_> = list.iter().filter_map(Value::as_str).collect();
        (!words.is_empty()).then_some(words)
    }
}
