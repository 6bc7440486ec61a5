//! Firmware faults: one table, each with what was observed.
//!
//! Nothing here replaces the read-back; a quirk saves a refused request or reads an answer that
//! would otherwise be taken for a failure.

use crate::{BootSource, Message, ResourcePath, System};

/// A way in which a firmware departs from the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Quirk {
    /// Target, lifetime and mode have to be sent together, where the mode is reported.
    WholeBootObject,
    /// A connection that carried a request is reset at the next one.
    NoConnectionReuse,
    /// An override for `Pxe` reads back as `UefiBootNext`.
    PxeReadsAsUefiBootNext,
    /// An override for `Pxe` reads back as `UefiTarget`.
    PxeReadsAsUefiTarget,
    /// The Settings object takes an override, whatever else it shows.
    SettingsTakeOverride,
    /// There is no other mode than UEFI.
    OnlyUefi,
    /// A write needs If-Match, and takes `*`.
    WantsAnyTag,
    /// An override for `Cd` boots the drive of the machine and never a virtual one.
    CdIsThePhysicalDrive,
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Observation {
    /// The fault.
    pub quirk: Quirk,
    /// Where and how it was seen.
    pub observed: &'static str,
    applies: fn(&Firmware) -> bool,
}

/// Every quirk this crate knows.
pub const QUIRKS: &[Observation] = &[
    Observation {
        quirk: Quirk::WholeBootObject,
        observed: "AMI MegaRAC and ASRock Rack refuse an override without its mode; \
                   ironic sends them all three properties",
        applies: |firmware| firmware.is_any(&["ami", "asrock"]),
    },
    Observation {
        quirk: Quirk::WholeBootObject,
        observed: "Supermicro X11 to X14 set what is left out back to its default (Legacy); \
                   Redfishtool pull request 106. Boards that do not report the mode refuse it",
        applies: |firmware| firmware.is_any(&["supermicro"]),
    },
    Observation {
        quirk: Quirk::WholeBootObject,
        observed: "Inspur and Kaytus: all three properties, as the maker's own client sends them",
        applies: |firmware| firmware.is_any(&["inspur", "kaytus", "ieisystem"]),
    },
    Observation {
        quirk: Quirk::NoConnectionReuse,
        observed: "iLO before 7 sends RST on a connection that is used again; \
                   infra-controller pull request 465, fwupd pull request 7611",
        applies: |firmware| firmware.extends_as(&["hpe", "hp"]),
    },
    Observation {
        quirk: Quirk::PxeReadsAsUefiBootNext,
        observed: "Supermicro in UEFI mode; libredfish, supermicro.rs",
        applies: |firmware| firmware.is_any(&["supermicro"]),
    },
    Observation {
        quirk: Quirk::PxeReadsAsUefiTarget,
        observed: "iDRAC 9 in UEFI mode; ansible issue 52658",
        applies: |firmware| firmware.is_any(&["dell"]),
    },
    Observation {
        quirk: Quirk::SettingsTakeOverride,
        observed: "GB200, GH200 and BlueField-3 show the override in their Settings object; recordings",
        applies: |firmware| firmware.extends_as(&["nvidia"]),
    },
    Observation {
        quirk: Quirk::SettingsTakeOverride,
        observed: "DGX H100 names its Settings object when the system is written; \
                   Redfish-Tacklebox issue 144",
        applies: is_dgx_h100,
    },
    Observation {
        quirk: Quirk::OnlyUefi,
        observed: "DGX H100 lists UEFI as its only mode and shows none; recording",
        applies: is_dgx_h100,
    },
    Observation {
        quirk: Quirk::WantsAnyTag,
        observed: "DGX H100; libredfish, nvidia_viking.rs",
        applies: is_dgx_h100,
    },
    Observation {
        quirk: Quirk::CdIsThePhysicalDrive,
        observed: "iDRAC boots the drive of the machine for Cd; virtual media need its own \
                   attribute ServerBoot.1.FirstBootDevice; iDRAC-Redfish-Scripting issue 90",
        applies: |firmware| firmware.is_any(&["dell"]),
    },
];

fn is_dgx_h100(firmware: &Firmware) -> bool {
    firmware.is_any(&["ami"]) && firmware.model.starts_with("dgxh100")
}

/// The rows that apply to the firmware of this system.
pub fn observations(system: &System) -> impl Iterator<Item = &'static Observation> {
    let firmware = Firmware::of(system);
    QUIRKS.iter().filter(move |row| (row.applies)(&firmware))
}

pub(crate) fn quirks(system: &System) -> Vec<Quirk> {
    observations(system).map(|row| row.quirk).collect()
}

/// Who wrote the firmware: the names of the vendor extensions tell, else the manufacturer.
struct Firmware {
    names: Vec<String>,
    /// The names are those of vendor extensions.
    are_extensions: bool,
    model: String,
}

impl Firmware {
    fn of(system: &System) -> Self {
        let mut names: Vec<String> = system.oem().map(str::to_ascii_lowercase).collect();
        let are_extensions = !names.is_empty();
        if names.is_empty() {
            let manufacturer = system.manufacturer().unwrap_or_default().to_ascii_lowercase();
            names.extend(manufacturer.split_whitespace().next().map(str::to_owned));
        }
        let model = system.model().unwrap_or_default().to_ascii_lowercase();
        Self { names, are_extensions, model }
    }

    /// Whether a vendor extension has one of these names: Cray EX says HPE and is no iLO.
    fn extends_as(&self, known: &[&str]) -> bool {
        self.are_extensions && self.is_any(known)
    }

    fn is_any(&self, known: &[&str]) -> bool {
        self.names.iter().any(|name| known.contains(&name.as_str()))
    }
}

/// Whether an override for `asked` shows as `read`.
pub(crate) fn reads_as(quirks: &[Quirk], asked: &BootSource, read: &BootSource) -> bool {
    let shown_as = |word: &str| read.as_str() == word;
    *asked == BootSource::PXE
        && ((quirks.contains(&Quirk::PxeReadsAsUefiBootNext) && shown_as("UefiBootNext"))
            || (quirks.contains(&Quirk::PxeReadsAsUefiTarget) && shown_as("UefiTarget")))
}

/// What has to be known about an override for this source although it is in place.
pub(crate) fn cautions(quirks: &[Quirk], source: &BootSource) -> Vec<&'static Observation> {
    let applies = |row: &&Observation| {
        row.quirk == Quirk::CdIsThePhysicalDrive
            && quirks.contains(&row.quirk)
            && *source == BootSource::CD
    };
    QUIRKS.iter().filter(applies).collect()
}

/// Messages of refusals that pass: HPE during the power-on self test, Dell while the BMC is
/// getting ready.
const REFUSED_FOR_NOW: [&str; 5] = [
    "UnableToModifyDuringSystemPOST",
    "ServiceTemporarilyUnavailable",
    "ServiceInUnknownState",
    "SYS518",
    "ResourceInUse",
];

/// Whether the same request may succeed a little later.
pub(crate) fn is_refused_for_now(status: u16, messages: &[Message]) -> bool {
    matches!(status, 429 | 503)
        || (status >= 400 && messages.iter().any(|m| REFUSED_FOR_NOW.contains(&m.key())))
}

/// Whether the machine was switched off too short a time ago to be switched on: iDRAC 10 says so with
/// 409 for up to a minute (libredfish).
pub(crate) fn is_too_soon(status: Option<u16>, messages: &[Message]) -> bool {
    status == Some(409) && messages.iter().any(|m| m.key() == "ActionParameterValueConflict")
}

/// Where AMI `MegaRAC` says the write belongs (`Ami.1.0.OperationSupportedInFutureStateURI`).
pub(crate) fn future_state(message: &Message) -> Option<ResourcePath> {
    let is_future_state = message.key() == "OperationSupportedInFutureStateURI";
    let mut paths =
        message.arguments().iter().filter_map(|text| ResourcePath::from_link(text).ok());
    is_future_state.then(|| paths.next_back()).flatten()
}

/// Whether a property was refused because it cannot be written in this resource.
pub(crate) fn is_not_writable(message: &Message) -> bool {
    matches!(message.key(), "PropertyNotWritable" | "PropertyNotUpdatable")
        || message.text().to_ascii_lowercase().contains("read-only")
        || message.text().to_ascii_lowercase().contains("read only")
}

/// Whether a login failed because no session is left, rather than for the password: iDRAC says
/// RAC0218 with 503 or 400.
pub(crate) fn is_out_of_sessions(status: u16, messages: &[Message]) -> bool {
    const KEYS: [&str; 3] = ["RAC0218", "SessionLimitExceeded", "CreateLimitReachedForResource"];
    status == 503 || (status >= 400 && messages.iter().any(|message| KEYS.contains(&message.key())))
}
