//! What the firmware of each make is known for: rows with a source each.

mod answers;
mod boot;
mod dress;
mod make;
mod power;
mod rule;
mod tags;

pub use make::Make;
pub(crate) use rule::{Chosen, rules_of};
pub use rule::{VendorRule, vendor_rules};
