//! Prints the power state of a BMC: `power_state HOST USER`, the password on standard input.
//!
//! The certificate is recorded in `bmc-pins` of the working directory at the first contact.

#![allow(clippy::print_stdout, reason = "it is a program")]

use std::sync::Arc;

use redfish::https::{Client, Trust};
use redfish::{Account, Bmc, FilePins, Password};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(host), Some(user)) = (arguments.next(), arguments.next()) else {
        return Err("usage: power_state HOST USER < password".into());
    };
    let mut password = String::new();
    std::io::stdin().read_line(&mut password)?;
    password.truncate(password.trim_end_matches(['\r', '\n']).len());

    let client = Client::new(Trust::Pinned(Arc::new(FilePins::new("bmc-pins"))))?;
    let account = Account::new(user, Password::new(password))?;
    let bmc = Bmc::new(host.parse()?, account, client);
    println!("{}", bmc.power_state()?);
    Ok(())
}
