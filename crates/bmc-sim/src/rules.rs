//! How a BMC of some make behaves: which writes it takes, and in which shape it answers.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Standing behaviour of one BMC. The default is a plain, permissive service, but for a restart of a
/// machine that is off, which it refuses as Dell and HPE do; a recording brings the rules of its vendor
/// along ([`Tree::rules`](crate::Tree::rules)).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Rules {
    /// Entity tags.
    pub tags: TagRules,
    /// Which resource takes the boot override.
    pub boot_writes: BootWrites,
    /// What `BootSourceOverrideMode` must be in a write.
    pub boot_mode: BootMode,
    /// What a read shows after a write.
    pub read_back: ReadBack,
    /// What becomes of a PATCH of which some members cannot be written.
    pub partial_updates: PartialUpdates,
    /// HPE: `Disabled` is refused while the target is `None`.
    pub disabling_needs_target: bool,
    /// How a PATCH that was done is answered.
    pub patch_reply: Reply,
    /// How an action that was done is answered.
    pub action_reply: Reply,
    /// A reset that asks for the power state the machine has already.
    pub repeated_power: Precondition,
    /// A restart, or an NMI, of a machine that is off.
    pub restart_when_off: Precondition,
    /// Time between a reset's reply and its effect.
    pub power_delay: Duration,
    /// Whether `PowerState` reads `PoweringOn` and `PoweringOff` during that time, or the old state.
    pub transitional_states: bool,
    /// Sessions at a time; one more is refused with 503.
    pub session_limit: usize,
    /// A session not used for so long is gone.
    pub session_timeout: Duration,
    /// What `Location` of a new session holds.
    pub session_location: SessionLocation,
    /// After so many wrong passwords every request is 401 for a while.
    pub lockout: Option<Lockout>,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            tags: TagRules::default(),
            boot_writes: BootWrites::System,
            boot_mode: BootMode::Optional,
            read_back: ReadBack::AsWritten,
            partial_updates: PartialUpdates::Refused,
            disabling_needs_target: false,
            patch_reply: Reply::Resource,
            action_reply: Reply::NoContent,
            repeated_power: Precondition::Accept,
            restart_when_off: Precondition::Refuse {
                status: 409,
                message_id: "Base.1.18.ResourceInStandby".to_owned(),
            },
            power_delay: Duration::ZERO,
            transitional_states: true,
            session_limit: 16,
            session_timeout: Duration::from_mins(30),
            session_location: SessionLocation::Path,
            lockout: None,
        }
    }
}

/// What is made of `If-Match` (DSP0266, "Property update"; RFC 9110, section 13.1.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TagRules {
    /// What a PATCH needs.
    pub if_match: IfMatch,
    /// Whether `If-Match: *` is taken; some services refuse it with 412.
    pub any: bool,
    /// Whether a weak tag (`W/"…"`) sent back matches; a service that compares strongly says 412.
    pub weak: bool,
    /// Whether an action with `If-Match` is taken; iDRAC10 refuses it with 412.
    pub on_actions: bool,
}

impl Default for TagRules {
    fn default() -> Self {
        Self { if_match: IfMatch::Optional, any: true, weak: true, on_actions: true }
    }
}

/// Whether a PATCH needs the tag of what it changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum IfMatch {
    /// Never looked at.
    Ignored,
    /// Without: done. A wrong one: 412.
    Optional,
    /// Without: 428. A wrong one: 412.
    Required,
    /// With: 412, whatever it says.
    Refused,
}

/// Which resource takes a write of the boot override.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BootWrites {
    /// The system itself.
    System,
    /// Only its `@Redfish.Settings` object; the system says read-only (iDRAC10).
    Settings,
    /// Only the settings object; the system names its address in `MessageArgs` (AMI, `OperationSupportedInFutureStateURI`).
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
    /// Target, enabled and mode must come together (AMI, `ASRock` Rack): else 400.
    Required,
    /// Must not be there (iLO5 and later): else 400.
    Refused,
    /// Where it is missing, it becomes `Legacy` (Supermicro).
    FallsToLegacy,
}

/// What a read of the override shows after a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ReadBack {
    /// What was written.
    AsWritten,
    /// `Continuous` for `Once`; the next boot consumes it all the same.
    Continuous,
    /// `UefiBootNext` for `Pxe` (Supermicro in UEFI mode).
    UefiBootNext,
    /// What it was before: the write was answered with success and dropped.
    NotStored,
}

/// What becomes of a PATCH of which some members cannot be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PartialUpdates {
    /// Nothing is written: 400.
    Refused,
    /// The others are written: 200, with messages beside the data (DSP0266, "PATCH"; 13th generation Dell).
    AppliedWithMessages,
    /// The others are written, and the answer is 400 all the same (13th generation Dell).
    AppliedAndRefused,
}

/// How a request that was done is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reply {
    /// 200 with the resource; for an action 200 with a success message.
    Resource,
    /// 204.
    NoContent,
    /// 200 without a body.
    Empty,
    /// 200 with an `error` object whose code is `Success` (HPE).
    Message,
    /// 202 with the `Location` of a task that is finished already.
    Task,
}

/// What becomes of a reset that the machine's state does not allow.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Precondition {
    /// Answered with success. A repeated one does nothing; a restart of an off machine powers it on.
    Accept,
    /// Refused.
    Refuse {
        /// HTTP status, 400 or 409.
        status: u16,
        /// What the error's `MessageId` says.
        message_id: String,
    },
}

/// What `Location` of a new session holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SessionLocation {
    /// A path.
    Path,
    /// A URL with a host name that only the BMC knows.
    Absolute,
    /// The header is missing: the body's `@odata.id` counts.
    Absent,
}

/// Refusal after wrong passwords (`AccountService`'s `AccountLockoutThreshold`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lockout {
    /// Wrong passwords in a row that lock.
    pub failures: u32,
    /// How long it stays locked.
    pub duration: Duration,
}
