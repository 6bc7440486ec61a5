//! Tells how many bytes an age file holds: `open KEY-FILE AGE-FILE`.

use std::error::Error;
use std::fs;

use secrets::{Identities, decrypt_age};

#[expect(clippy::print_stdout, reason = "an example shows what it does")]
fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [key, file] = arguments.as_slice() else {
        return Err("usage: open KEY-FILE AGE-FILE".into());
    };
    let identities = Identities::from_bytes(key, &fs::read(key)?)?;
    let plaintext = decrypt_age(&fs::read(file)?, &identities)?;
    println!("{file}: {plaintext:?}");
    Ok(())
}
