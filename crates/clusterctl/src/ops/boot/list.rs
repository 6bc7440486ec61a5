//! `boot list`: the boot files there are.

use serde::Serialize;

use crate::exit::Stop;
use crate::ops::boot::PxeHost;
use crate::output::{Outcome, Output, Table};
use crate::reach::Request;
use crate::session::Session;

#[derive(Debug, Serialize)]
struct Row {
    path: String,
    kind: &'static str,
}

/// iPXE scripts and GRUB configurations below the boot path.
pub fn list(session: &Session) -> Result<Outcome, Stop> {
    let pxe = PxeHost::of(session)?;
    let folder = session.site().settings().services.pxesrv.boot_path.clone();
    let find = [
        "find",
        "-H",
        folder.as_str(),
        "-type",
        "f",
        "(",
        "-name",
        "ipxe*",
        "-o",
        "-name",
        "*.ipxe",
    ];
    let words = find.into_iter().chain(["-o", "-name", "grub.cfg*", ")", "-print0"]);
    let found = session.must_ask(pxe.target(), Request::argv(words))?;
    let mut paths: Vec<String> = found
        .split(|byte| *byte == 0)
        .filter(|path| !path.is_empty())
        .map(|path| String::from_utf8_lossy(path).into_owned())
        .collect();
    paths.sort_by(|a, b| nodeset::natural_cmp(a, b));
    let mut table = Table::titled(&["PATH", "KIND"]);
    let mut rows = Vec::new();
    for path in paths {
        let name = path.rsplit('/').next().unwrap_or_default();
        let kind = if name.starts_with("grub.cfg") { "grub" } else { "ipxe" };
        table.push([path.as_str(), kind]);
        rows.push(Row { path, kind });
    }
    Ok(Outcome::of(Output::table(table, &rows)))
}
