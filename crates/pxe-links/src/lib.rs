//! Boot links of a PXE service and of GRUB: plan, script, report.
//!
//! A PXE service such as [pxesrv] keeps one symbolic link per client, named after the client's
//! address. A *once* link is read and deleted by the service at the client's next request; a
//! *persistent* link stays. GRUB over TFTP asks for a file named after the client's address or
//! hardware address, which stays too.
//!
//! This crate decides what to look at ([`Reading`]), what to change ([`Changes`]), and writes each
//! as one POSIX `sh` script for all clients together. It opens no connection: run the script on
//! the host that keeps the links (`ssh host sh -s`, the script on standard input) and hand what it
//! printed back to [`Reading::parse`] or [`Changes::parse_report`]. A program that runs on that
//! host uses [`Reading::read_local`] and [`Changes::apply_local`] instead.
//!
//! ```
//! use pxe_links::{BootPath, Changes, Layout, Lifetime, Link, Outcome, Reading, UnderPersistent};
//!
//! let layout = Layout::suffixed(&"/srv/pxesrv/links".parse()?, ".static")?;
//! let link = Link {
//!     client: "10.0.2.7".parse()?,
//!     lifetime: Lifetime::Once,
//!     target: "/srv/pxesrv/boot/exe/ipxe.net2".parse()?,
//! };
//!
//! // One session: the links of these clients, and whether the targets are files.
//! let reading = Reading::of(&layout, [link.client]).with_targets([link.target.clone()]);
//! # fn run(script: &str) -> Vec<u8> {
//! #     if script.contains("ln -s") { b"pxe-links 0 done 0:\npxe-links end ok 0:\n".to_vec() } else {
//! #         b"pxe-links 0 none 0:\npxe-links 1 none 0:\npxe-links 2 file 0:\npxe-links end ok 0:\n".to_vec() }
//! # }
//! let present = reading.parse(&run(&reading.script()))?;
//!
//! // Nothing is planned where a link would not do what it says.
//! let changes = Changes::arm(&layout, &[link], &present, UnderPersistent::Refuse)?;
//! let outcomes = changes.parse_report(&run(&changes.script()));
//! assert_eq!(outcomes, [Outcome::Done]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What the scripts need
//!
//! `sh` as POSIX describes it, `ln`, `mv`, `rm`, `mkdir`, `rmdir` and `readlink` (with `-f` where a
//! TFTP root is checked). GNU coreutils and busybox have them all.
//!
//! [pxesrv]: https://github.com/pxesrv/pxesrv

mod arm;
mod changes;
pub mod grub;
mod layout;
mod local;
mod path;
mod place;
mod reading;
mod report;
mod script;

pub use arm::{Conflict, Link, Refused, UnderPersistent};
pub use changes::{Change, Changes, Outcome};
pub use layout::{Layout, LayoutError, Lifetime};
pub use path::{BootPath, PathError};
pub use place::{Entry, Place, Target};
pub use reading::{Present, ReadError, Reading};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
