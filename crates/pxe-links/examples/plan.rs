//! Arms one client on this host and takes the link back: `plan ROOT CLIENT BOOT-PATH`.

use std::error::Error;

use pxe_links::{Changes, Layout, Lifetime, Link, Reading, UnderPersistent};

#[expect(clippy::print_stdout, reason = "an example shows what it does")]
fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [root, client, target] = arguments.as_slice() else {
        return Err("usage: plan ROOT CLIENT BOOT-PATH".into());
    };
    let layout = Layout::directories(&root.parse()?);
    let link = Link { client: client.parse()?, lifetime: Lifetime::Once, target: target.parse()? };
    let reading = Reading::of(&layout, [link.client]).with_targets([link.target.clone()]);
    let present = reading.read_local()?;
    let changes = Changes::arm(&layout, &[link], &present, UnderPersistent::Refuse)?;
    println!("{}", changes.script());
    println!("armed: {:?}", changes.apply_local());
    println!("taken back: {:?}", changes.undo().apply_local());
    Ok(())
}
