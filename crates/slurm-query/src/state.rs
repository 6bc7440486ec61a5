//! The state of a node, as `sinfo(1)` and `scontrol(1)` write it.

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

/// The state of a node: what it does, and flags.
///
/// Reads the long form (`drained*`), the short form (`drain*`) and scontrol's
/// (`IDLE+DRAIN+NOT_RESPONDING`); every text is a state, an unknown one included.
///
/// ```
/// use slurm_query::{BaseState, JobRisk, NodeState, StateFlag};
///
/// let state: NodeState = "drng*".parse()?;
/// assert_eq!(*state.base(), BaseState::Draining);
/// assert!(state.flags().any(|flag| flag == StateFlag::NotResponding));
/// assert_eq!(state.job_risk(), JobRisk::Busy);
/// assert_eq!("IDLE+DRAIN".parse::<NodeState>()?.base(), &BaseState::Drained);
/// # Ok::<(), std::convert::Infallible>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct NodeState {
    reported: String,
    base: BaseState,
    flags: Vec<StateFlag>,
}

/// What a node does, flags left out: the states of `sinfo(1)`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[expect(missing_docs, reason = "sinfo(1) explains each under its name")]
pub enum BaseState {
    Allocated,
    Blocked,
    Completing,
    Down,
    Drained,
    Draining,
    Error,
    Fail,
    Failing,
    Future,
    Idle,
    Inval,
    Maint,
    Mixed,
    Perfctrs,
    Planned,
    PowerDown,
    PoweredDown,
    PoweringDown,
    PoweringUp,
    Reboot,
    Reserved,
    Unknown,
    /// A word this crate does not know.
    Other(String),
}

/// What is said of a node beside its state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StateFlag {
    /// `*`: it does not answer.
    NotResponding,
    /// `~`: it is powered off.
    PoweredDown,
    /// `#`: it is being powered up or configured.
    PoweringUp,
    /// `!`: it is about to be powered down.
    PowerDownPending,
    /// `%`: it is being powered down.
    PoweringDown,
    /// `$`: it is in a reservation for maintenance.
    Maintenance,
    /// `@`: a reboot is pending.
    RebootRequested,
    /// `^`: a reboot was issued.
    RebootIssued,
    /// `-`: the backfill scheduler has planned a job for it.
    Planned,
    /// `+`: some of its jobs are completing.
    Completing,
    /// A flag of scontrol this crate does not know.
    Other,
}

/// Whether a job runs on a node, as far as its state tells.
///
/// The state is not enough: Slurm reports `idle` for a node whose job is suspended, and `fail` for
/// a failed node that still runs one (observed: Slurm 22.05). [`IdleCheck`](crate::IdleCheck) asks
/// for the jobs too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum JobRisk {
    /// No job, says Slurm.
    Idle,
    /// Slurm does not say, or says something this crate does not know.
    Unclear,
    /// A job runs, completes, or was about to start.
    Busy,
}

/// Groups that administrators name nodes by.
///
/// They go by the base state: an allocated node that does not respond is in `alloc`, not in `down`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StateGroup {
    /// Allocated, mixed, completing.
    Alloc,
    /// Idle, or planned for a job.
    Idle,
    /// Drained, draining.
    Drain,
    /// Down.
    Down,
    /// What wants an administrator: drained, draining, down, error, fail, failing, invalid
    /// registration, unknown.
    Defect,
}

impl NodeState {
    /// What the node does.
    pub fn base(&self) -> &BaseState {
        &self.base
    }

    /// What is said of it beside that.
    pub fn flags(&self) -> impl Iterator<Item = StateFlag> {
        self.flags.iter().copied()
    }

    /// The word as Slurm printed it.
    pub fn as_str(&self) -> &str {
        &self.reported
    }

    /// Whether a job runs there. Fails closed: what is not known is [`JobRisk::Unclear`].
    pub fn job_risk(&self) -> JobRisk {
        if self.flags.contains(&StateFlag::Completing) {
            return JobRisk::Busy;
        }
        match self.base {
            BaseState::Allocated
            | BaseState::Completing
            | BaseState::Draining
            | BaseState::Failing
            | BaseState::Mixed
            | BaseState::Perfctrs => JobRisk::Busy,
            _ if self.flags.contains(&StateFlag::Other) => JobRisk::Unclear,
            // Shown in place of idle only: an allocated node keeps its word.
            BaseState::Down
            | BaseState::Drained
            | BaseState::Fail
            | BaseState::Future
            | BaseState::Idle
            | BaseState::Maint
            | BaseState::Planned
            | BaseState::PowerDown
            | BaseState::PoweredDown
            | BaseState::PoweringDown
            | BaseState::Reserved => JobRisk::Idle,
            BaseState::Blocked
            | BaseState::Error
            | BaseState::Inval
            | BaseState::PoweringUp
            | BaseState::Reboot
            | BaseState::Unknown
            | BaseState::Other(_) => JobRisk::Unclear,
        }
    }

    /// True if no new job is started there: drained, draining.
    pub fn is_drain(&self) -> bool {
        matches!(self.base, BaseState::Drained | BaseState::Draining)
    }
}

impl FromStr for NodeState {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<NodeState, Infallible> {
        let reported = text.trim().to_owned();
        let word = reported.trim_end_matches(|c| flag(c).is_some());
        let mut flags: Vec<StateFlag> = reported[word.len()..].chars().filter_map(flag).collect();
        let mut words = word.split('+');
        let mut base = base(words.next().unwrap_or_default());
        let (mut drain, mut fail) = (false, false);
        for word in words {
            match word.to_ascii_uppercase().as_str() {
                "DRAIN" => drain = true,
                "FAIL" => fail = true,
                "INVALID_REG" => base = BaseState::Inval,
                word => flags.push(named_flag(word)),
            }
        }
        let at_work =
            matches!(base, BaseState::Allocated | BaseState::Mixed | BaseState::Completing)
                || flags.contains(&StateFlag::Completing);
        // As sinfo composes them: drain before fail, and either before the state below.
        base = match (drain, fail, at_work) {
            (true, _, true) => BaseState::Draining,
            (true, _, false) => BaseState::Drained,
            (false, true, true) => BaseState::Failing,
            (false, true, false) => BaseState::Fail,
            (false, false, _) => base,
        };
        Ok(NodeState { reported, base, flags })
    }
}

impl fmt::Display for NodeState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reported)
    }
}

impl StateGroup {
    /// Every group, in the order of the variants.
    pub const ALL: [StateGroup; 5] = [
        StateGroup::Alloc,
        StateGroup::Idle,
        StateGroup::Drain,
        StateGroup::Down,
        StateGroup::Defect,
    ];

    /// The group's name.
    pub fn name(self) -> &'static str {
        match self {
            StateGroup::Alloc => "alloc",
            StateGroup::Idle => "idle",
            StateGroup::Drain => "drain",
            StateGroup::Down => "down",
            StateGroup::Defect => "defect",
        }
    }

    /// True if a node in this state belongs to the group.
    pub fn contains(self, state: &NodeState) -> bool {
        use BaseState as S;
        let base = state.base();
        match self {
            StateGroup::Alloc => matches!(base, S::Allocated | S::Mixed | S::Completing),
            StateGroup::Idle => matches!(base, S::Idle | S::Planned),
            StateGroup::Drain => matches!(base, S::Drained | S::Draining),
            StateGroup::Down => matches!(base, S::Down),
            StateGroup::Defect => matches!(
                base,
                S::Drained
                    | S::Draining
                    | S::Down
                    | S::Error
                    | S::Fail
                    | S::Failing
                    | S::Inval
                    | S::Unknown
            ),
        }
    }
}

impl fmt::Display for StateGroup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The characters `sinfo(1)` appends to a state.
fn flag(c: char) -> Option<StateFlag> {
    Some(match c {
        '*' => StateFlag::NotResponding,
        '~' => StateFlag::PoweredDown,
        '#' => StateFlag::PoweringUp,
        '!' => StateFlag::PowerDownPending,
        '%' => StateFlag::PoweringDown,
        '$' => StateFlag::Maintenance,
        '@' => StateFlag::RebootRequested,
        '^' => StateFlag::RebootIssued,
        '-' => StateFlag::Planned,
        '+' => StateFlag::Completing,
        _ => return None,
    })
}

/// The words `scontrol show node` appends with `+`.
fn named_flag(word: &str) -> StateFlag {
    match word {
        "NOT_RESPONDING" => StateFlag::NotResponding,
        "COMPLETING" => StateFlag::Completing,
        "MAINTENANCE" | "RESERVED" => StateFlag::Maintenance,
        "PLANNED" => StateFlag::Planned,
        "POWERED_DOWN" => StateFlag::PoweredDown,
        "POWER_DOWN" => StateFlag::PowerDownPending,
        "POWERING_DOWN" => StateFlag::PoweringDown,
        "POWERING_UP" | "POWER_UP" => StateFlag::PoweringUp,
        "REBOOT_REQUESTED" => StateFlag::RebootRequested,
        "REBOOT_ISSUED" => StateFlag::RebootIssued,
        _ => StateFlag::Other,
    }
}

/// Long and short words of `sinfo(1)`: `%T` and `%t`.
fn base(word: &str) -> BaseState {
    match word.to_ascii_lowercase().as_str() {
        "allocated" | "alloc" => BaseState::Allocated,
        "blocked" | "block" => BaseState::Blocked,
        "completing" | "comp" => BaseState::Completing,
        "down" => BaseState::Down,
        "drained" | "drain" => BaseState::Drained,
        "draining" | "drng" => BaseState::Draining,
        "error" | "err" => BaseState::Error,
        "fail" => BaseState::Fail,
        "failing" | "failg" => BaseState::Failing,
        "future" | "futr" => BaseState::Future,
        "idle" => BaseState::Idle,
        "inval" => BaseState::Inval,
        "maint" => BaseState::Maint,
        "mixed" | "mix" => BaseState::Mixed,
        "perfctrs" | "npc" => BaseState::Perfctrs,
        "planned" | "plnd" => BaseState::Planned,
        "power_down" | "pow_dn" => BaseState::PowerDown,
        "powered_down" => BaseState::PoweredDown,
        "powering_down" => BaseState::PoweringDown,
        "powering_up" | "pow_up" => BaseState::PoweringUp,
        "reboot" | "boot" => BaseState::Reboot,
        "reserved" | "resv" => BaseState::Reserved,
        "unknown" | "unk" => BaseState::Unknown,
        other => BaseState::Other(other.to_owned()),
    }
}
