//! The typed view as values that serialise (feature `serde`): what `-o json` of a tool prints.
//!
//! The shape is versioned: [`Configuration::VERSION`] grows when a field goes or changes its
//! meaning; new fields come without a new number, so readers ignore what they do not know. With the
//! feature `schema` every type has a JSON Schema: `schema/configuration-1.json`, and for [`Findings`]
//! `schema/findings-1.json`.
//!
//! Bytes that are not UTF-8 show as replacement characters. For the exact bytes use the views.
//!
//! ```
//! use dhcpd_conf::{Document, shape::Configuration};
//! let document = Document::parse("filename \"a\"; host exe1 { hardware ethernet 0:1:2:3:4:5; }")?;
//! let json = serde_json::to_value(Configuration::of_document(&document)).unwrap();
//! assert_eq!(json["version"], 1);
//! assert_eq!(json["hosts"][0]["hardware"]["address"], "00:01:02:03:04:05");
//! assert_eq!(json["hosts"][0]["effective"][0]["value"]["text"], "a");
//! # Ok::<(), dhcpd_conf::ParseErrors>(())
//! ```

use serde::Serialize;

use crate::config_set::ConfigSet;
use crate::document::Document;
use crate::lint::{FindingKind, Severity};

macro_rules! shapes {
    ($($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $kind:ty,)* })*) => {
        $(
            $(#[$doc])*
            #[derive(Debug, Clone, PartialEq, Eq, Serialize)]
            #[serde(rename_all = "camelCase")]
            #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
            #[non_exhaustive]
            pub struct $name {
                $($(#[$field_doc])* pub $field: $kind,)*
            }
        )*
    };
}

shapes! {
    /// A whole configuration.
    Configuration {
        /// The version of this shape.
        version: u32,
        /// The files, the main file first; empty for a document on its own.
        files: Vec<String>,
        /// The hosts, in the order the server reads them.
        hosts: Vec<Host>,
        /// The subnets.
        subnets: Vec<Subnet>,
        /// The shared networks.
        shared_networks: Vec<SharedNetwork>,
        /// The groups.
        groups: Vec<Group>,
        /// The classes.
        classes: Vec<Class>,
        /// What is set for all.
        settings: Vec<Setting>,
    }

    /// A place in a file.
    Place {
        /// The file; none for a document on its own.
        file: Option<String>,
        /// The line, from 1.
        line: u32,
        /// The column in characters, from 1.
        column: u32,
    }

    /// A host declaration.
    Host {
        /// Its name.
        name: String,
        /// Where it is declared.
        place: Place,
        /// The comment lines directly above it.
        comments: Vec<String>,
        /// Its hardware address.
        hardware: Option<Hardware>,
        /// What else identifies it.
        client_id: Option<ClientId>,
        /// The GUID of its InfiniBand port, in octets with colons.
        guid: Option<String>,
        /// Its fixed addresses: addresses or host names.
        fixed_addresses: Vec<String>,
        /// What it sets itself, also under conditions.
        settings: Vec<Setting>,
        /// What it gets from itself and the blocks around it.
        effective: Vec<Effective>,
    }

    /// A hardware address.
    Hardware {
        /// The type as dhcpd.conf writes it: `ethernet`, `infiniband`, …
        r#type: String,
        /// Octets in lower case with colons.
        address: String,
    }

    /// A client identifier. `"ff:00"` as text is five characters, `ff:00` two octets.
    ClientId {
        /// `text`, `octets` or `expression`.
        kind: String,
        /// The text, the octets with colons, or the expression as written.
        value: String,
    }

    /// A parameter or option statement.
    Setting {
        /// The name as written, with its option space if one is written.
        name: String,
        /// Whether it is an option; otherwise it is a parameter.
        option: bool,
        /// `set`, `supersede`, `send`, `default`, `append` or `prepend`.
        operator: String,
        /// The value as written.
        value: String,
        /// The value without quotes and escapes, where it is one text or word.
        text: Option<String>,
        /// The condition it stands under, as written; empty after `else`.
        condition: Option<String>,
        /// The kind of block it is set in: `host`, `group`, …, or `global`.
        scope: String,
        /// Where it is set.
        place: Place,
    }

    /// The value of a parameter or option in force.
    Effective {
        /// Its name.
        name: String,
        /// Whether it is an option.
        option: bool,
        /// Whether `value` is in force for every request.
        certain: bool,
        /// The innermost setting under no condition.
        value: Option<Setting>,
        /// Settings that may change it: under a condition, or by `append` and `prepend`.
        changes: Vec<Setting>,
    }

    /// A subnet.
    Subnet {
        /// `10.0.0.0/8`.
        network: String,
        /// Where it is declared.
        place: Place,
        /// The name of its shared network.
        shared_network: Option<String>,
        /// Its ranges and those of its pools.
        ranges: Vec<Range>,
        /// What is set in it.
        settings: Vec<Setting>,
    }

    /// A range of addresses, or of prefixes.
    Range {
        /// The lowest address.
        first: String,
        /// The highest address.
        last: String,
        /// The length of prefixes given away.
        delegated_length: Option<u8>,
    }

    /// A shared network.
    SharedNetwork {
        /// Its name.
        name: String,
        /// Where it is declared.
        place: Place,
        /// Its subnets: `10.0.0.0/8`.
        subnets: Vec<String>,
        /// The ranges of pools right in it.
        ranges: Vec<Range>,
        /// What is set in it.
        settings: Vec<Setting>,
    }

    /// A group.
    Group {
        /// Its name.
        name: Option<String>,
        /// Where it is declared.
        place: Place,
        /// The names of the hosts right in it.
        hosts: Vec<String>,
        /// What is set in it.
        settings: Vec<Setting>,
    }

    /// A class declaration.
    Class {
        /// Its name.
        name: String,
        /// Where it is declared.
        place: Place,
        /// What stands behind `match`, with its `if`, as written.
        matches: Vec<String>,
        /// What is set in it.
        settings: Vec<Setting>,
    }

    /// What is wrong with some configurations.
    Findings {
        /// The version of this shape.
        version: u32,
        /// The files that were read.
        files: Vec<String>,
        /// What is wrong, file by file as the server reads them.
        findings: Vec<Finding>,
    }

    /// One thing that is wrong.
    Finding {
        /// What it is about.
        kind: FindingKind,
        /// How bad it is.
        severity: Severity,
        /// What is wrong, in one line.
        message: String,
        /// The way out, in one line; empty where there is none to name.
        help: String,
        /// Where it is; for what stands twice, all places.
        places: Vec<Place>,
    }
}

impl Findings {
    /// The version of the shape.
    pub const VERSION: u32 = 1;

    /// Findings of these files.
    pub fn new<'f>(
        files: impl IntoIterator<Item = String>,
        findings: impl IntoIterator<Item = &'f crate::lint::Finding>,
    ) -> Self {
        Self { version: Self::VERSION, files: files.into_iter().collect(), findings: all(findings) }
    }
}

impl Configuration {
    /// The version of the shape.
    pub const VERSION: u32 = 1;

    /// A document on its own: includes are not followed.
    pub fn of_document(document: &Document) -> Self {
        Self {
            version: Self::VERSION,
            files: Vec::new(),
            hosts: document.hosts().map(Host::from).collect(),
            subnets: all(document.subnets()),
            shared_networks: all(document.shared_networks()),
            groups: all(document.groups()),
            classes: all(document.classes()),
            settings: all(document.outermost().settings()),
        }
    }

    /// All files of a configuration.
    pub fn of_set(set: &ConfigSet) -> Self {
        Self {
            version: Self::VERSION,
            files: set.files().map(|file| file.path().display().to_string()).collect(),
            hosts: all(set.hosts()),
            subnets: all(set.subnets()),
            shared_networks: all(set.shared_networks()),
            groups: all(set.groups()),
            classes: all(set.classes()),
            settings: all(set.outermost().settings()),
        }
    }
}

/// Each view as its shape.
pub(crate) fn all<V, S: From<V>>(views: impl IntoIterator<Item = V>) -> Vec<S> {
    views.into_iter().map(S::from).collect()
}
