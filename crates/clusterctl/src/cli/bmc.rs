//! `clusterctl bmc …`

use std::time::Duration;

use clap::{Args, Subcommand};

use crate::config::decode::parse_duration;

/// Service processors.
#[derive(Debug, Subcommand)]
#[expect(clippy::exhaustive_enums, reason = "the front door handles every command")]
pub enum BmcCommand {
    /// Whether machines are on.
    Status {
        /// The nodes, in place of -n.
        nodeset: Option<String>,
        /// The way.
        #[command(flatten)]
        way: WayArgs,
    },
    /// Switch machines on or off, or reset them.
    Power(PowerArgs),
    /// The boot source of the next boot.
    #[command(subcommand)]
    Boot(BmcBootCommand),
    /// Any resource read, any action sent.
    #[command(subcommand)]
    Redfish(RedfishCommand),
    /// The lamp that shows which machine is meant.
    Led {
        /// on, off, blink or status.
        action: String,
        /// The nodes, in place of -n.
        nodeset: Option<String>,
    },
    /// Temperatures, fans, voltages, power.
    Sensors {
        /// The nodes, in place of -n.
        nodeset: Option<String>,
        /// Of every chassis, not of the system's own alone.
        #[arg(long)]
        all_chassis: bool,
        /// Only what is not healthy.
        #[arg(long)]
        unhealthy: bool,
    },
    /// The system event log.
    #[command(subcommand)]
    Events(EventsCommand),
    /// The firmware and its versions.
    Firmware {
        /// The nodes, in place of -n.
        nodeset: Option<String>,
    },
    /// Images that are shown to machines as a drive.
    #[command(subcommand)]
    Media(MediaCommand),
    /// Which service processors answer.
    Ping {
        /// The nodes, in place of -n.
        nodeset: Option<String>,
    },
    /// What service processors can do, which faults of their firmware are known, what would be sent.
    Doctor {
        /// The nodes, in place of -n.
        nodeset: Option<String>,
    },
    /// Certificates that are no longer trusted: the next contact is a first contact.
    Forget {
        /// Nodes, or service processors as messages name them, in place of -n.
        names: Vec<String>,
    },
    /// The pages of a service processor, opened in the workstation's browser.
    Web {
        /// The node.
        node: String,
    },
}

/// The system event log.
#[derive(Debug, Subcommand)]
#[expect(clippy::exhaustive_enums, reason = "the front door handles every command")]
pub enum EventsCommand {
    /// Its entries.
    List {
        /// The nodes, in place of -n.
        nodeset: Option<String>,
        /// At most so many of each machine.
        #[arg(long, value_name = "N", default_value_t = 1_000,
            value_parser = clap::value_parser!(u32).range(1..=100_000))]
        most: u32,
    },
    /// Clear it.
    Clear {
        /// The nodes, in place of -n.
        nodeset: Option<String>,
    },
}

/// Virtual media.
#[derive(Debug, Subcommand)]
#[expect(clippy::exhaustive_enums, reason = "the front door handles every command")]
pub enum MediaCommand {
    /// The slots and what is in them.
    Status {
        /// The nodes, in place of -n.
        nodeset: Option<String>,
    },
    /// Insert an image.
    Insert {
        /// Where the service processor fetches it: https://…, nfs://…
        image: String,
        /// The nodes, in place of -n.
        nodeset: Option<String>,
        /// The slot's id, in place of the first free one that takes the image.
        #[arg(long)]
        slot: Option<String>,
    },
    /// Eject what is inserted.
    Eject {
        /// The nodes, in place of -n.
        nodeset: Option<String>,
        /// The slot's id, where several have something.
        #[arg(long)]
        slot: Option<String>,
    },
}

/// Redfish itself.
#[derive(Debug, Subcommand)]
#[expect(clippy::exhaustive_enums, reason = "the front door handles every command")]
pub enum RedfishCommand {
    /// A resource of every machine, as an object by node.
    Get {
        /// Its path, such as /redfish/v1/Managers.
        path: String,
        /// The nodes, in place of -n.
        nodeset: Option<String>,
    },
    /// Send an action to every machine, once.
    Post {
        /// Its target, such as /redfish/v1/Systems/1/Actions/ComputerSystem.Reset.
        path: String,
        /// Its parameters, a JSON object.
        body: String,
        /// The nodes, in place of -n.
        nodeset: Option<String>,
        /// Take machines that run jobs, or that Slurm cannot say about.
        #[arg(long)]
        lose_jobs: bool,
    },
    /// What the machines are: power, health, model, BIOS.
    Info {
        /// The nodes, in place of -n.
        nodeset: Option<String>,
    },
}

/// A firmware's way to boot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
#[expect(clippy::exhaustive_enums, reason = "the values of BootSourceOverrideMode")]
pub enum Mode {
    /// UEFI.
    Uefi,
    /// BIOS.
    Legacy,
}

/// A power action.
#[derive(Debug, Clone, Args)]
pub struct PowerArgs {
    /// on, off, soft, cycle, reset, nmi or status.
    pub action: String,
    /// The nodes, in place of -n.
    pub nodeset: Option<String>,
    /// Take machines that run jobs, or that Slurm cannot say about.
    #[arg(long)]
    pub lose_jobs: bool,
    /// How many machines at a time, for on, cycle and reset.
    #[arg(long, value_name = "N")]
    pub batch: Option<std::num::NonZeroUsize>,
    /// The pause between two batches, such as 5s; 0 for none.
    #[arg(long, value_name = "DURATION", value_parser = parse_duration)]
    pub stagger: Option<Duration>,
    /// Read the power state until it proves what was sent.
    #[arg(long)]
    pub verify: bool,
    /// How long the power state may take with --verify.
    #[arg(long, value_name = "DURATION", value_parser = parse_duration, default_value = "2m",
        requires = "verify")]
    pub within: Duration,
    /// The way.
    #[command(flatten)]
    pub way: WayArgs,
}

/// How service processors are reached.
#[derive(Debug, Clone, Copy, Args)]
pub struct WayArgs {
    /// Over IPMI only, whatever bmc.order says.
    #[arg(long)]
    pub ipmi: bool,
}

/// The boot source of the next boot.
#[derive(Debug, Subcommand)]
#[expect(clippy::exhaustive_enums, reason = "the front door handles every command")]
pub enum BmcBootCommand {
    /// What machines boot next.
    Show {
        /// The nodes, in place of -n.
        nodeset: Option<String>,
        /// The way.
        #[command(flatten)]
        way: WayArgs,
    },
    /// Boot from a source, once.
    Set {
        /// The source, as Redfish calls it: Pxe, Hdd, Cd, BiosSetup and so on.
        target: String,
        /// The nodes, in place of -n.
        nodeset: Option<String>,
        /// At every boot, not at the next one only.
        #[arg(long)]
        persistent: bool,
        /// The firmware's mode, where it is not the one the machine is in.
        #[arg(long, value_enum, ignore_case = true)]
        mode: Option<Mode>,
        /// Ask for a source that the service processor does not list.
        #[arg(long)]
        even_if_not_listed: bool,
        /// The way.
        #[command(flatten)]
        way: WayArgs,
    },
    /// Boot as usual again.
    Unset {
        /// The nodes, in place of -n.
        nodeset: Option<String>,
        /// The way.
        #[command(flatten)]
        way: WayArgs,
    },
}
