//! `dhcp config`: all that a configuration declares.

use dhcpd_conf::shape::Configuration;
use dhcpd_conf::{ConfigSet, Host, Identifier};

use crate::ops::dhcp::Declaration;
use crate::output::{Column, Outcome, Output, Table, plural};

/// Every declaration for people, the whole typed view for programs.
pub fn config(set: &ConfigSet) -> Outcome {
    let mut table = Table::new([
        Column::new("DECLARATION"),
        Column::new("ADDRESS"),
        Column::new("MAC"),
        Column::wide("CLIENT ID"),
        Column::wide("GUID"),
        Column::new("BOOT FILE"),
        Column::new("PLACE"),
    ]);
    for host in set.hosts() {
        let declaration = Declaration::of(host);
        table.push([
            host.name().to_owned(),
            declaration.addresses().join(","),
            declaration.mac().unwrap_or_default(),
            host.client_id().map(|id| shown(&id)).unwrap_or_default(),
            host.guid().map(|guid| guid.to_string()).unwrap_or_default(),
            declaration.boot_file().unwrap_or_default(),
            place(host),
        ]);
    }
    let hosts = plural::count(set.hosts().len(), "host");
    let subnets = plural::count(set.subnets().len(), "subnet");
    let files = plural::count(set.files().count(), "file");
    let output = Output::table(table, &Configuration::of_set(set));
    Outcome::of(output.with_caption(format!("{hosts}, {subnets}, {files}")))
}

/// The JSON Schema of what programs get.
pub fn schema() -> Outcome {
    let schema = schemars::schema_for!(Configuration);
    let text = serde_json::to_string_pretty(&schema).unwrap_or_default() + "\n";
    Outcome::of(Output::text(text, &schema))
}

fn place(host: Host<'_>) -> String {
    let file = host.file().map(|file| file.display().to_string()).unwrap_or_default();
    format!("{file}:{}", host.position().line())
}

/// Text in quotes, octets without: they are not the same.
fn shown(id: &Identifier<'_>) -> String {
    match id {
        Identifier::Text(text) => format!("{:?}", String::from_utf8_lossy(text)),
        Identifier::Octets(octets) => {
            let octets: Vec<String> = octets.iter().map(|octet| format!("{octet:02x}")).collect();
            octets.join(":")
        }
        Identifier::Expression(written) => String::from_utf8_lossy(written).into_owned(),
        _ => String::new(),
    }
}
