//! Writes of the boot override.

use serde::{Deserialize, Serialize};

/// Which resource takes a write of the boot override.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BootWrites {
    /// The system itself.
    System,
    /// Only its `@Redfish.Settings` object; the system says read-only.
    Settings,
    /// Only the settings object; the system names its address in `MessageArgs` (`OperationSupportedInFutureStateURI`).
    SettingsNamed,
    /// Either.
    Both,
    /// Neither: read-only.
    None,
}

/// What a write of the boot override must say about the mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BootMode {
    /// May be there.
    Optional,
    /// Target, enabled and mode must come together: else 400.
    Required,
    /// Must not be there: else 400.
    Refused,
    /// What is missing gets its default: the mode `Legacy` where it is shown, enabled `Disabled`.
    FallsToLegacy,
    /// Makes a configuration job (`Location`), which takes the next boot, and the override, for
    /// itself; the machine then boots again, as its order says. A second one meanwhile: 400.
    QueuesJob,
}

/// What a read of the override shows after a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ReadBack {
    /// What was written.
    AsWritten,
    /// `Continuous` for `Once`; the next boot consumes it all the same.
    Continuous,
    /// `UefiBootNext` for `Pxe`.
    UefiBootNext,
    /// `UefiTarget` for `Pxe`.
    UefiTarget,
    /// What it was before: the write was answered with success and dropped.
    NotStored,
}

impl ReadBack {
    /// The target that is shown in place of `Pxe`.
    pub(crate) fn pxe(self) -> &'static str {
        match self {
            Self::UefiBootNext => "UefiBootNext",
            Self::UefiTarget => "UefiTarget",
            _ => "Pxe",
        }
    }
}

/// What a write of `BootSourceOverrideEnabled: Disabled` must look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Disabling {
    /// It may come alone.
    Alone,
    /// Refused where the target is, or becomes, `None`.
    WithTarget,
    /// Refused without `BootSourceOverrideTarget: None`.
    WithTargetNone,
    /// Refused without `BootSourceOverrideTarget: None` and the mode.
    WithTargetNoneAndMode,
}

/// What becomes of a PATCH of which some members cannot be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PartialUpdates {
    /// Nothing is written: 400.
    Refused,
    /// The others are written: 200, with messages beside the data (DSP0266, "PATCH").
    AppliedWithMessages,
    /// The others are written, and the answer is 400 all the same.
    AppliedAndRefused,
}
