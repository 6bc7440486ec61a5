//! All rules of one BMC together.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{
    BootMode, BootWrites, Disabling, ErrorShape, Lockout, PartialUpdates, Precondition, ReadBack,
    Refusal, Reply, SessionLocation, TagRules,
};

/// Standing behaviour of one BMC. The default is a plain, permissive service, but for a restart of a
/// machine that is off, which it refuses as Dell and HPE do; a tree brings the rules of its make along
/// ([`Tree::rules`](crate::Tree::rules), [`vendor_rules`](crate::vendor_rules)).
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
    /// What a write that disables the override must look like.
    pub disabling: Disabling,
    /// Whether `Continuous` is taken while the mode is UEFI.
    pub continuous_in_uefi: bool,
    /// Whether `Boot.HttpBootUri` can be written.
    pub http_boot_uri: bool,
    /// Targets that are taken although they are not listed.
    pub unlisted_targets: Vec<String>,
    /// How long after a boot the override cannot be written (power-on self test).
    pub self_test: Duration,
    /// How a PATCH that was done is answered.
    pub patch_reply: Reply,
    /// How an action that was done is answered.
    pub action_reply: Reply,
    /// The form of refusals.
    pub error_shape: ErrorShape,
    /// A reset that asks for the power state the machine has already.
    pub repeated_power: Precondition,
    /// A restart, or an NMI, of a machine that is off.
    pub restart_when_off: Precondition,
    /// How long after an off `On` is refused: 409 `ActionParameterValueConflict`.
    pub rest_after_off: Duration,
    /// `GracefulRestart` does not ask the operating system.
    pub graceful_restart_is_forced: bool,
    /// `PowerCycle` leaves the machine off.
    pub power_cycle_stays_off: bool,
    /// A machine on its way on falls back to off.
    pub power_on_falls_back: bool,
    /// `On` is refused while a chassis of the BMC is off.
    pub power_needs_chassis: bool,
    /// Time between a reset's reply and its effect.
    pub power_delay: Duration,
    /// Whether `PowerState` reads `PoweringOn` and `PoweringOff` during that time, or the old state.
    pub transitional_states: bool,
    /// `IndicatorLED` and `LocationIndicatorActive` in one PATCH are refused.
    pub one_indicator_at_a_time: bool,
    /// `ImageName` stays after `EjectMedia`.
    pub eject_keeps_image_name: bool,
    /// `InsertMedia` needs `TransferProtocolType`.
    pub insert_needs_protocol: bool,
    /// `InsertMedia` refuses an empty `UserName`.
    pub insert_refuses_empty_user: bool,
    /// Registries are refused with 406 where the request wants no compression.
    pub registries_are_compressed: bool,
    /// The service root without its final slash answers 308.
    pub root_redirects: bool,
    /// The POST of a session without a final slash answers 308.
    pub login_redirects: bool,
    /// Sessions at a time.
    pub session_limit: usize,
    /// How one session more is refused.
    pub session_refusal: Refusal,
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
            disabling: Disabling::Alone,
            continuous_in_uefi: true,
            http_boot_uri: true,
            unlisted_targets: Vec::new(),
            self_test: Duration::ZERO,
            patch_reply: Reply::Resource,
            action_reply: Reply::NoContent,
            error_shape: ErrorShape::Standard,
            repeated_power: Precondition::Accept,
            restart_when_off: Precondition::refuse(409, "Base.1.18.ResourceInStandby"),
            rest_after_off: Duration::ZERO,
            graceful_restart_is_forced: false,
            power_cycle_stays_off: false,
            power_on_falls_back: false,
            power_needs_chassis: false,
            power_delay: Duration::ZERO,
            transitional_states: true,
            one_indicator_at_a_time: false,
            eject_keeps_image_name: false,
            insert_needs_protocol: false,
            insert_refuses_empty_user: false,
            registries_are_compressed: false,
            root_redirects: false,
            login_redirects: false,
            session_limit: 16,
            session_refusal: Refusal::new(503, "Base.1.18.SessionLimitExceeded"),
            session_timeout: Duration::from_mins(30),
            session_location: SessionLocation::Path,
            lockout: None,
        }
    }
}
