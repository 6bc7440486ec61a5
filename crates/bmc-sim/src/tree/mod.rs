//! The resources a BMC serves: built in, or a recording of a real one.

mod resources;
mod shape;

pub use resources::Tree;
pub(crate) use resources::{link, merge};
pub(crate) use shape::SystemShape;
