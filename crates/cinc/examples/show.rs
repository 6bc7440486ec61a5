//! Shows what a client would be started with: `show FILE`.

use std::error::Error;

use cinc::{ClientRun, SoloConfig};

#[expect(clippy::print_stdout, reason = "an example shows what it does")]
fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().nth(1).ok_or("usage: show FILE")?;
    match SoloConfig::parse(&std::fs::read_to_string(&file)?)? {
        Some(config) => println!("{}", ClientRun::new("cinc-solo", &config).argv().join(" ")),
        None => println!("not configured"),
    }
    Ok(())
}
