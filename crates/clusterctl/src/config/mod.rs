//! Configuration: documents, layers, and where every value comes from.
//!
//! Documents are read as trees that know their places ([`yaml`]), decoded into typed kinds
//! ([`kinds`]), merged layer by layer and resolved for one context ([`Resolved`]).

pub mod decode;
mod documents;
mod error;
pub mod kinds;
mod layers;
mod paths;
mod place;
mod problem;
mod provenance;
mod resolve;
mod schema;
mod search;
mod trust;
pub mod yaml;

pub use documents::{Document, Documents};
pub use error::ConfigError;
pub use place::{Layer, Place, Source};
pub use problem::Problem;
pub use provenance::{Leaf, Provenance};
pub use resolve::{InventoryEntry, Resolved, contexts, resolve};
pub use schema::{schema, schemas};
pub use search::{Inputs, SYSTEM_DIRECTORY};
pub use trust::Distrust;
pub(crate) use trust::{check_directory, check_private_directory};
