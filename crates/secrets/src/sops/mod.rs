//! Documents encrypted by sops: looked at without a key, opened by the `sops` command.
//!
//! A document is a mapping with `apiVersion`, `kind`, `metadata.name` and the values of a secret in
//! `data` (text) and `binaryData` (base64), which sops has encrypted, and `sops`, which says to
//! whom. What a [`Policy`] permits can be decrypted, and nothing else:
//!
//! ```
//! use secrets::sops::{Document, Policy};
//!
//! let text = "\
//! apiVersion: example/v1
//! kind: Secret
//! metadata: {name: example}
//! data:
//!   munge-key: ENC[AES256_GCM,data:Jk+K,iv:0o2Z3A==,tag:bhga0Q==,type:str]
//! sops:
//!   age:
//!   - recipient: age1ft60ftklpgcskhqrff5qyk20wd0003sdrj08zhyjlkdwxlhdmgasc2f38t
//!     enc: a wrapped key
//!   lastmodified: '2026-11-30T23:00:46Z'
//!   mac: ENC[AES256_GCM,data:j1dW,iv:bd7rKA==,tag:losQdQ==,type:str]
//!   version: 3.11.0
//! ";
//! let document = Document::inspect(text.as_bytes())?;
//! assert_eq!(document.name(), "example");
//! assert_eq!(document.keys().collect::<Vec<_>>(), ["munge-key"]);
//! let permitted = document.permitted_by(&Policy::age_only())?;
//! # let _ = permitted;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! and then `Sops::new("sops").with_key_file(…).decrypt(&permitted)`.

mod command;
mod document;
mod json;
mod metadata;
mod policy;
mod values;

pub use command::{KeyFile, Sops, SopsError, Version};
pub use document::{Document, InspectError, Section};
pub use metadata::KeyKind;
pub use policy::{Permitted, Policy, PolicyError};
pub use values::Values;
