//! The safety gate: nothing is changed without an admitted selection and an approved preview.
//!
//! The gate is a type, not a habit. A [`Permit`] is made here alone, and everything that changes
//! a host or a file asks for one. A dry run never gets one.

mod approval;
mod preview;
mod prompt;

pub use approval::{Admitted, Approval, Gate, GateError, Permit, Switches};
pub use preview::Preview;
pub use prompt::{Person, Terminal};
