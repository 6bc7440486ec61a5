//! Hosts reached by the system's `ssh`, for what libssh2 cannot do.
//!
//! One process a request, on a configuration written for it: the site's host key file alone
//! vouches, nothing asks, nothing is shared with a person's own connections.

mod configuration;
mod process;
mod streams;

pub(super) use process::Openssh;
