//! A document before it is opened.

use thiserror::Error;

use crate::recipient::Recipient;
use crate::sops::metadata::{KeyKind, Metadata};
use crate::yaml::Yaml;

/// An encrypted document, read without any key.
#[derive(Debug, Clone)]
pub struct Document {
    pub(crate) text: Vec<u8>,
    name: String,
    pub(crate) values: Vec<(Section, String)>,
    pub(crate) metadata: Metadata,
}

/// Which map a value is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Section {
    /// `data`: the value is the text.
    Data,
    /// `binaryData`: the value is base64 of the bytes.
    BinaryData,
}

/// Why a text is not a document that can be opened safely.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum InspectError {
    /// It is not the plain kind of YAML that every reader understands alike.
    #[error("line {line}: {what}")]
    Yaml {
        /// Which line, from 1.
        line: usize,
        /// What is wrong there.
        what: &'static str,
    },
    /// It has no `sops` section.
    #[error("the document is not encrypted by sops")]
    NotEncrypted,
    /// A field that does not belong there.
    #[error("there is no field {field:?} in such a document")]
    UnknownField {
        /// The field.
        field: String,
    },
    /// A field is missing or not of its type.
    #[error("the field {field:?} is missing or malformed")]
    Malformed {
        /// The field.
        field: String,
    },
    /// The message authentication code covers encrypted values only.
    #[error(
        "the document was encrypted with mac_only_encrypted, which leaves key names unprotected"
    )]
    MacOnlyEncrypted,
    /// A value of the secret is readable by everybody.
    #[error("the value of {key:?} is not encrypted")]
    PlainValue {
        /// Its key.
        key: String,
    },
    /// Encrypted, and not a string: sops would give back something else than was put in.
    #[error("the value of {key:?} is not a string; quote it and encrypt it again")]
    NotAString {
        /// Its key.
        key: String,
    },
    /// Something that has to be readable without a key is encrypted.
    #[error("{field:?} is encrypted; only values of data and binaryData may be")]
    EncryptedField {
        /// The field.
        field: String,
    },
    /// The key is in `data` and in `binaryData`.
    #[error("{key:?} is in data and in binaryData")]
    Twice {
        /// The key.
        key: String,
    },
}

impl Document {
    /// Reads one document. No key is used and nothing is decrypted.
    pub fn inspect(yaml: &[u8]) -> Result<Document, InspectError> {
        let text = str::from_utf8(yaml)
            .map_err(|_| InspectError::Yaml { line: 1, what: "this is not UTF-8" })?;
        let tree = Yaml::read(text)
            .map_err(|refusal| InspectError::Yaml { line: refusal.line, what: refusal.what })?;
        let entries = tree.entries().ok_or_else(|| malformed("the document"))?;
        let mut values = Vec::new();
        for (field, value) in entries {
            match field.as_str() {
                "data" => collect(Section::Data, value, &mut values)?,
                "binaryData" => collect(Section::BinaryData, value, &mut values)?,
                "sops" => {}
                "apiVersion" | "kind" | "metadata" => readable(field, value)?,
                _ => return Err(InspectError::UnknownField { field: field.clone() }),
            }
        }
        let metadata = Metadata::read(tree.get("sops").ok_or(InspectError::NotEncrypted)?)?;
        let name = tree.get("metadata").and_then(|metadata| metadata.get("name"));
        let name = name.and_then(Yaml::scalar).filter(|name| !name.is_empty());
        let name = name.ok_or_else(|| malformed("metadata.name"))?.to_owned();
        Ok(Document { text: yaml.to_owned(), name, values, metadata })
    }

    /// `metadata.name`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The keys of the values, in the document's order.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.values.iter().map(|(_, key)| key.as_str())
    }

    /// The age recipients it is encrypted to.
    pub fn recipients(&self) -> impl Iterator<Item = &Recipient> {
        self.metadata.recipients.iter()
    }

    /// The kinds of keys it is encrypted to, each once.
    pub fn key_kinds(&self) -> impl Iterator<Item = KeyKind> {
        self.metadata.kinds.iter().copied()
    }
}

fn collect(
    section: Section,
    value: &Yaml,
    values: &mut Vec<(Section, String)>,
) -> Result<(), InspectError> {
    let name = if section == Section::Data { "data" } else { "binaryData" };
    for (key, value) in value.entries().ok_or_else(|| malformed(name))? {
        let text = value.scalar().ok_or_else(|| malformed(&format!("{name}.{key}")))?;
        // sops leaves the empty string as it is.
        if !text.is_empty() {
            let Some(inner) = encrypted(text) else {
                return Err(InspectError::PlainValue { key: key.clone() });
            };
            if !inner.ends_with(",type:str") {
                return Err(InspectError::NotAString { key: key.clone() });
            }
        }
        if values.iter().any(|(_, known)| known == key) {
            return Err(InspectError::Twice { key: key.clone() });
        }
        values.push((section, key.clone()));
    }
    Ok(())
}

/// What is between the brackets of an encrypted value.
fn encrypted(text: &str) -> Option<&str> {
    text.strip_prefix("ENC[AES256_GCM,")?.strip_suffix(']')
}

fn readable(field: &str, value: &Yaml) -> Result<(), InspectError> {
    let inside = |entries: &[(String, Yaml)]| {
        entries.iter().try_for_each(|(name, value)| readable(&format!("{field}.{name}"), value))
    };
    match value {
        Yaml::Scalar(text) if encrypted(text).is_some() => {
            Err(InspectError::EncryptedField { field: field.to_owned() })
        }
        Yaml::Scalar(_) => Ok(()),
        Yaml::Sequence(items) => items.iter().try_for_each(|item| readable(field, item)),
        Yaml::Mapping(entries) => inside(entries),
    }
}

fn malformed(field: &str) -> InspectError {
    InspectError::Malformed { field: field.to_owned() }
}
