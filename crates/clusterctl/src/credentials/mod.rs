//! Passwords: where they come from, read once a run, forgotten after it.

mod error;
mod secret;
mod source;
mod store;

pub use error::CredentialError;
pub use store::Credentials;
