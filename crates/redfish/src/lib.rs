//! Redfish client for one BMC: power, reset once, one-time boot, indicator LED, sensors, system event
//! log, firmware, virtual media.
//!
//! [`Bmc`] does the operations an administrator of many machines needs, each in the fewest requests
//! and each safe to lose: what is to be sent is decided by pure functions from what the service
//! shows; an action is sent exactly once; an error says what is known about the change
//! ([`Error::delivery`]); a change is read back from the resource it was written to. What would be
//! sent is told by [`Bmc::diagnose`], which only reads.
//!
//! A [`Transport`] moves the requests. Feature `https` has one on reqwest and rustls with
//! certificate pinning (`https::Client`); feature `fake` a BMC in memory for tests (`fake::FakeBmc`).
//! [`Throttle`] bounds how many requests are under way to one BMC and to all of them.
//! Everything blocks: an async program puts a [`Bmc`] on a blocking thread.
//!
//! ```no_run
//! # #[cfg(feature = "https")] {
//! use redfish::{Account, Bmc, BootRequest, BootSource, FilePins, Password, PowerAction};
//! use redfish::https::{Client, Trust};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let pins = std::sync::Arc::new(FilePins::new("/var/lib/site/bmc-pins"));
//! let client = Client::new(Trust::Pinned(pins))?;
//! let account = Account::new("admin", Password::new("secret".to_owned()))?;
//! let bmc = Bmc::new("exe0001.mgmt.example.org".parse()?, account, client);
//!
//! let written = bmc.set_boot_override(&BootRequest::once(BootSource::PXE))?;
//! if written.read_back.is_set() {
//!     let outcome = bmc.power(PowerAction::ResetOrOn)?;
//!     println!("{outcome:?}");
//! }
//! # Ok(()) }
//! # }
//! ```
//!
//! The protocol is DSP0266; where services depart from it, [`quirk`] says which and what was
//! observed.

mod account;
mod answer;
mod bmc;
mod boot;
mod change;
mod clock;
mod diagnosis;
mod endpoint;
mod error;
mod event;
mod excerpt;
#[cfg(feature = "fake")]
pub mod fake;
mod firmware;
#[cfg(feature = "https")]
pub mod https;
mod indicator;
mod known;
mod manager;
mod media;
mod message;
mod path;
mod pin;
mod plan;
mod power;
mod property;
pub mod quirk;
mod sensor;
mod service;
mod system;
mod task;
mod throttle;
mod transport;

pub use account::{Account, AccountError, Authentication, Password};
pub use bmc::{Accepted, Bmc, BootClear, BootWrite, Info, Ping, PowerOutcome, ReadBack, Reply};
pub use boot::{
    BootMode, BootOverride, BootRequest, BootSource, Lifetime, ModeOption, OverrideEnabled,
};
pub use change::Change;
pub use clock::{Clock, Limits, SystemClock};
pub use diagnosis::{BootDiagnosis, Diagnosis, MachineDiagnosis, Planned};
pub use endpoint::{Endpoint, EndpointError};
pub use error::{Error, ErrorKind};
pub use event::{Event, EventLog, EventsCleared};
pub use firmware::Firmware;
pub use indicator::{Indicator, IndicatorAction, IndicatorActionError, IndicatorState};
pub use known::{Known, Profile};
pub use manager::Manager;
pub use media::{Media, MediaRequest};
pub use message::Message;
pub use path::{PathError, ResourcePath};
pub use pin::{CertificateProblem, FilePins, Fingerprint, PinError, PinStore};
pub use power::{PowerAction, PowerActionError, PowerState, ResetType};
pub use sensor::{Sensor, SensorScope};
pub use service::Service;
pub use system::System;
pub use task::TaskState;
pub use throttle::{Concurrency, Throttle};
pub use transport::{
    Delivery, FreshConnection, GetOnly, TimeLeft, Transport, TransportError, TransportErrorKind,
};
