//! Serves one BMC until it is interrupted: `serve ADDRESS [RECORDING]`. User `admin`, password `password`.

#![expect(clippy::print_stdout, reason = "a program, not a library")]

use std::error::Error;
use std::net::TcpListener;

use bmc_sim::{Bmc, Tree};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let address = arguments.next().unwrap_or_else(|| "127.0.0.1:8443".to_owned());
    let mut builder = Bmc::builder();
    if let Some(recording) = arguments.next() {
        builder = builder.tree(Tree::recording(recording)?);
    }
    let bmc = builder.build()?;
    let running = bmc.serve(TcpListener::bind(address)?)?;
    println!("https://{}/redfish/v1/ certificate {}", running.address(), bmc.fingerprint());
    loop {
        std::thread::park();
    }
}
