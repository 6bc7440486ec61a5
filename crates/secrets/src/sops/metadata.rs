//! The `sops` section of a document.

use std::fmt;

use crate::recipient::Recipient;
use crate::sops::document::InspectError;
use crate::yaml::Yaml;

/// What kinds of keys a document can be encrypted to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum KeyKind {
    /// age, with X25519 and ssh keys. Works without a network.
    Age,
    /// `OpenPGP`, by gpg and its agent.
    Pgp,
    /// AWS KMS, over the network.
    Kms,
    /// Google Cloud KMS, over the network.
    GcpKms,
    /// Azure Key Vault, over the network.
    AzureKv,
    /// Hashicorp Vault, over the network.
    HcVault,
    /// Huawei Cloud KMS, over the network.
    HcKms,
}

impl KeyKind {
    const ALL: [KeyKind; 7] = [
        KeyKind::Age,
        KeyKind::Pgp,
        KeyKind::Kms,
        KeyKind::GcpKms,
        KeyKind::AzureKv,
        KeyKind::HcVault,
        KeyKind::HcKms,
    ];

    /// The name sops gives it in a document.
    pub fn name(self) -> &'static str {
        match self {
            KeyKind::Age => "age",
            KeyKind::Pgp => "pgp",
            KeyKind::Kms => "kms",
            KeyKind::GcpKms => "gcp_kms",
            KeyKind::AzureKv => "azure_kv",
            KeyKind::HcVault => "hc_vault",
            KeyKind::HcKms => "hckms",
        }
    }

    /// The kind sops calls by this name.
    pub fn from_name(name: &str) -> Option<KeyKind> {
        KeyKind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

impl fmt::Display for KeyKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Metadata {
    pub(crate) kinds: Vec<KeyKind>,
    pub(crate) recipients: Vec<Recipient>,
}

/// Fields that say how sops encrypted, and nothing about who can open (sops 3.11).
const KNOWN: [&str; 10] = [
    "lastmodified",
    "mac",
    "version",
    "shamir_threshold",
    "unencrypted_suffix",
    "encrypted_suffix",
    "unencrypted_regex",
    "encrypted_regex",
    "unencrypted_comment_regex",
    "encrypted_comment_regex",
];

impl Metadata {
    pub(crate) fn read(section: &Yaml) -> Result<Metadata, InspectError> {
        let entries = section.entries().ok_or(InspectError::NotEncrypted)?;
        let mut metadata = Metadata { kinds: Vec::new(), recipients: Vec::new() };
        for (field, value) in entries {
            match field.as_str() {
                "key_groups" => {
                    let groups = value.items().ok_or_else(|| malformed(field))?;
                    for (field, value) in
                        groups.iter().filter_map(Yaml::entries).flat_map(<[_]>::iter)
                    {
                        metadata.keys(field, value)?;
                    }
                }
                // The MAC would leave the names of keys and every plain value unprotected.
                "mac_only_encrypted" => {
                    if value.scalar() != Some("false") {
                        return Err(InspectError::MacOnlyEncrypted);
                    }
                }
                known if KNOWN.contains(&known) => {
                    value.scalar().ok_or_else(|| malformed(field))?;
                }
                _ => metadata.keys(field, value)?,
            }
        }
        if section.get("mac").and_then(Yaml::scalar).is_none_or(str::is_empty) {
            return Err(malformed("mac"));
        }
        metadata.kinds.sort_unstable();
        metadata.kinds.dedup();
        Ok(metadata)
    }

    fn keys(&mut self, field: &str, value: &Yaml) -> Result<(), InspectError> {
        let kind = KeyKind::from_name(field)
            .ok_or_else(|| InspectError::UnknownField { field: field.to_owned() })?;
        // Older versions of sops write every kind, the unused ones as null or an empty list.
        if value.scalar().is_some_and(|text| matches!(text, "" | "null" | "~")) {
            return Ok(());
        }
        for key in value.items().ok_or_else(|| malformed(field))? {
            self.kinds.push(kind);
            if kind == KeyKind::Age {
                let recipient = key.get("recipient").and_then(Yaml::scalar);
                self.recipients.push(Recipient::new(recipient.ok_or_else(|| malformed(field))?));
            }
        }
        Ok(())
    }
}

fn malformed(field: &str) -> InspectError {
    InspectError::Malformed { field: format!("sops.{field}") }
}
