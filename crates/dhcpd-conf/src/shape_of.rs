//! Shapes out of views.

use crate::address_range::AddressRange;
use crate::group::{Class, Group};
use crate::host::Host;
use crate::lint::{Finding, Site};
use crate::setting::{Effective, Setting};
use crate::shape::{self, all};
use crate::statement_view::Statement;
use crate::subnet::{Pool, SharedNetwork, Subnet};
use crate::tree::{Operator, StatementKind};
use crate::value::{FixedAddress, Identifier};

fn text(bytes: impl AsRef<[u8]>) -> String {
    String::from_utf8_lossy(bytes.as_ref()).into_owned()
}

impl From<Statement<'_>> for shape::Place {
    fn from(statement: Statement<'_>) -> Self {
        let position = statement.position();
        Self {
            file: statement.file().map(|file| file.display().to_string()),
            line: position.line(),
            column: position.column(),
        }
    }
}

impl From<&Site> for shape::Place {
    fn from(site: &Site) -> Self {
        Self {
            file: site.file().map(|file| file.display().to_string()),
            line: site.position().line(),
            column: site.position().column(),
        }
    }
}

impl From<&Finding> for shape::Finding {
    fn from(finding: &Finding) -> Self {
        Self {
            kind: finding.kind(),
            severity: finding.severity(),
            message: finding.message().to_owned(),
            help: finding.help().to_owned(),
            places: all(finding.sites()),
        }
    }
}

impl From<Host<'_>> for shape::Host {
    fn from(host: Host<'_>) -> Self {
        let address = |address| match address {
            FixedAddress::Ip(address) => address.to_string(),
            FixedAddress::Name(name) => name.into_owned(),
        };
        Self {
            name: host.name().to_owned(),
            place: host.statement().into(),
            comments: host.comments().map(text).collect(),
            hardware: host.hardware().map(|hardware| shape::Hardware {
                r#type: hardware.hardware_type().to_string(),
                address: hardware.to_string(),
            }),
            client_id: host.client_id().map(Into::into),
            guid: host.guid().map(|guid| guid.to_string()),
            fixed_addresses: host.fixed_addresses().into_iter().map(address).collect(),
            settings: all(host.settings()),
            effective: all(host.effective()),
        }
    }
}

impl From<Identifier<'_>> for shape::ClientId {
    fn from(id: Identifier<'_>) -> Self {
        let (kind, value) = match id {
            Identifier::Text(bytes) => ("text", text(bytes)),
            Identifier::Octets(octets) => {
                let octets: Vec<String> = octets.iter().map(|o| format!("{o:02x}")).collect();
                ("octets", octets.join(":"))
            }
            Identifier::Expression(written) => ("expression", text(written)),
        };
        Self { kind: kind.to_owned(), value }
    }
}

impl From<Setting<'_>> for shape::Setting {
    fn from(setting: Setting<'_>) -> Self {
        let operator = match setting.operator() {
            Operator::Set => "set",
            Operator::Supersede => "supersede",
            Operator::Send => "send",
            Operator::Default => "default",
            Operator::Append => "append",
            Operator::Prepend => "prepend",
        };
        Self {
            name: setting.name().into_owned(),
            option: setting.is_option(),
            operator: operator.to_owned(),
            value: text(setting.raw()),
            text: setting.text().map(text),
            condition: setting.condition().map(|condition| text(condition.name())),
            scope: scope(setting.scope().block()).to_owned(),
            place: setting.statement().into(),
        }
    }
}

fn scope(block: Option<Statement<'_>>) -> &'static str {
    match block.map(Statement::kind) {
        None => "global",
        Some(StatementKind::Host) => "host",
        Some(StatementKind::Group) => "group",
        Some(StatementKind::SharedNetwork) => "shared-network",
        Some(StatementKind::Subnet) => "subnet",
        Some(StatementKind::Pool) => "pool",
        Some(StatementKind::Class) => "class",
        Some(StatementKind::Subclass) => "subclass",
        Some(_) => "other",
    }
}

impl From<Effective<'_>> for shape::Effective {
    fn from(effective: Effective<'_>) -> Self {
        let (name, option) = effective.key().unwrap_or_default();
        Self {
            name,
            option,
            certain: effective.certain().is_some(),
            value: effective.fixed().map(Into::into),
            changes: all(effective.changes().iter().copied()),
        }
    }
}

impl From<AddressRange<'_>> for shape::Range {
    fn from(range: AddressRange<'_>) -> Self {
        Self {
            first: range.first().to_string(),
            last: range.last().to_string(),
            delegated_length: range.delegated_length(),
        }
    }
}

impl From<Subnet<'_>> for shape::Subnet {
    fn from(subnet: Subnet<'_>) -> Self {
        Self {
            network: subnet.network().to_string(),
            place: subnet.statement().into(),
            shared_network: subnet.shared_network().map(|wire| text(wire.name())),
            ranges: all(subnet.ranges()),
            settings: all(subnet.settings()),
        }
    }
}

impl From<SharedNetwork<'_>> for shape::SharedNetwork {
    fn from(wire: SharedNetwork<'_>) -> Self {
        let subnets = wire.subnets();
        Self {
            name: text(wire.name()),
            place: wire.statement().into(),
            subnets: subnets.iter().map(|subnet| subnet.network().to_string()).collect(),
            ranges: all(wire.pools().flat_map(Pool::ranges)),
            settings: all(wire.settings()),
        }
    }
}

impl From<Group<'_>> for shape::Group {
    fn from(group: Group<'_>) -> Self {
        Self {
            name: group.name().map(text),
            place: group.statement().into(),
            hosts: group.hosts().map(|host| host.name().to_owned()).collect(),
            settings: all(group.settings()),
        }
    }
}

impl From<Class<'_>> for shape::Class {
    fn from(class: Class<'_>) -> Self {
        Self {
            name: text(class.name()),
            place: class.statement().into(),
            matches: class.matches().map(text).collect(),
            settings: all(class.settings()),
        }
    }
}
