//! Removes one host from a file in place: `remove_host FILE NAME`. Every other byte stays.

use std::error::Error;

use dhcpd_conf::{Document, Edit};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(file), Some(name)) = (arguments.next(), arguments.next()) else {
        return Err("usage: remove_host FILE NAME".into());
    };
    let document = Document::parse(std::fs::read(&file)?)?;
    let hosts: Vec<_> = document.hosts_named(&name).collect();
    let [host] = hosts.as_slice() else {
        return Err(format!("{} hosts are named {name}", hosts.len()).into());
    };
    let changed = Edit::new(&document).remove_host(*host).finish()?;
    std::fs::write(&file, changed)?;
    Ok(())
}
