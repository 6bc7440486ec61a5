//! age files and sops documents decrypted into memory that is wiped.
//!
//! [`decrypt_age`] opens a file that was encrypted with `age` to an X25519 or an ssh key. The module
//! [`sops`] looks at an encrypted document without any key, decides whether it is one that may be
//! opened, and has the `sops` command open exactly the bytes that were looked at. A [`Plaintext`]
//! is zeroed when it is dropped and is not printed by accident.
//!
//! ```
//! use secrets::{Identities, decrypt_age};
//!
//! # let key = "AGE-SECRET-KEY-1GQ9778VQXMMJVE8SK7J6VT8UJ4HDQAJUVSFCWCM02D8GEWQ72PVQ2Y5J33";
//! # let file = {
//! #     let identity: age::x25519::Identity = key.parse()?;
//! #     age::encrypt(&identity.to_public(), b"s3cret\n")?
//! # };
//! let identities = Identities::from_bytes("~/.config/age/key.txt", key.as_bytes())?;
//! let plaintext = decrypt_age(&file, &identities)?;
//! assert_eq!(plaintext.expose_line()?, "s3cret");
//! assert_eq!(format!("{plaintext:?}"), "Plaintext(7 bytes)");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod decrypt;
mod identity;
mod plaintext;
mod recipient;
pub mod sops;
mod yaml;

pub use decrypt::{DecryptError, decrypt_age};
pub use identity::{Identities, IdentityError};
pub use plaintext::{NotOneLine, Plaintext};
pub use recipient::Recipient;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
