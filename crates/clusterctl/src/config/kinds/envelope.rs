//! What every document begins with.

use serde::Deserialize;
use std::collections::BTreeMap;

/// The version of all documents.
pub const API_VERSION: &str = "clusterctl/v1alpha1";

/// The kinds of documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[expect(clippy::exhaustive_enums, reason = "the kinds of this version of the format")]
pub enum Kind {
    /// Contexts, and which one is current.
    Config,
    /// What all clusters of a site share.
    Site,
    /// One cluster.
    Cluster,
    /// The nodes.
    NodeInventory,
    /// One administrator's machine.
    Workstation,
    /// Values encrypted with sops.
    Secret,
}

impl Kind {
    /// All of them, in the order of the manual.
    pub const ALL: [Kind; 6] = [
        Kind::Config,
        Kind::Site,
        Kind::Cluster,
        Kind::NodeInventory,
        Kind::Workstation,
        Kind::Secret,
    ];

    /// The name in documents.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Config => "Config",
            Kind::Site => "Site",
            Kind::Cluster => "Cluster",
            Kind::NodeInventory => "NodeInventory",
            Kind::Workstation => "Workstation",
            Kind::Secret => "Secret",
        }
    }
}

/// What is read of a document before its kind is known.
#[derive(Debug, Clone)]
pub struct Envelope {
    /// The kind.
    pub kind: Kind,
    /// Its name; a Config needs none.
    pub metadata: Metadata,
}

/// A document's name and notes.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Metadata {
    /// The name, unique among the documents of its kind.
    #[serde(default)]
    pub name: String,
    /// For people.
    #[serde(default)]
    pub description: Option<String>,
    /// For people and other programs.
    #[serde(default)]
    pub labels: BTreeMap<String, String>,
    /// For people and other programs.
    #[serde(default)]
    pub annotations: BTreeMap<String, String>,
}
