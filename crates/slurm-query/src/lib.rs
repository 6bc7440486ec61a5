//! Ask Slurm about nodes and jobs by argument vector, read the answers, drain and resume.
//!
//! A [`Query`] gives the argument vector to run and reads what it printed; it changes nothing. A
//! [`Change`] is another type, so that a dry run can refuse changes by type. The crate runs
//! nothing itself: run the vector here, over ssh, or not at all in a test. Look at the exit status
//! before reading an answer.
//!
//! ```
//! use slurm_query::{Frame, IdleCheck, NodeNames, Query};
//!
//! let nodes = NodeNames::new(["exe0001", "exe0002"])?;
//! let frame = Frame::from_token("3f9c51d8a7be42064d1c")?;
//! let check = IdleCheck::new(frame, nodes);
//! let argv = check.argv();
//! assert_eq!(argv[0], "sh");
//!
//! # let printed = "|node|exe0001|idle|\n|node|exe0002|drained|\n|job|17|exe0002|RUNNING|\n|end|\n"
//! #     .replace('|', "3f9c51d8a7be42064d1c");
//! let report = check.parse(printed.as_bytes())?;
//! assert!(!report.is_idle());
//! assert_eq!(report.busy()[0].node, "exe0002");
//! assert_eq!(report.busy()[0].jobs, ["17"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Versions
//!
//! Formats and states are those of `sinfo(1)`, `squeue(1)` and `scontrol(1)` from Slurm 20.11 on;
//! the tests run against a real controller. Fields are asked for with `-o`: `--json` of Slurm 22.05
//! ignores every filter, and `-O` cuts fields off.

mod change;
mod error;
mod frame;
mod hostlist;
mod idle;
mod job;
mod names;
mod node;
mod query;
mod reason;
mod state;

pub use change::Change;
pub use error::ParseError;
pub use frame::{Frame, FrameError};
pub use hostlist::{HostlistError, expand};
pub use idle::{IdleCheck, IdleReport, Occupied};
pub use job::{Job, JobQuery};
pub use names::{NameError, NodeNames};
pub use node::{Node, NodeQuery};
pub use query::Query;
pub use reason::{Reason, ReasonError};
pub use state::{BaseState, JobRisk, NodeState, StateFlag, StateGroup};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
