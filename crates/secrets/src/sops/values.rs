//! A document after it was opened.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use zeroize::Zeroize as _;

use crate::plaintext::{Buffer, Plaintext};
use crate::sops::document::Section;
use crate::sops::json::Json;

/// The values of a document by key, `binaryData` decoded.
#[derive(Debug)]
pub struct Values {
    values: Vec<(String, Plaintext)>,
}

impl Values {
    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Plaintext> {
        self.values.iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// Every key and value, in the document's order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Plaintext)> {
        self.values.iter().map(|(key, value)| (key.as_str(), value))
    }

    /// Reads sops' JSON. It has to hold exactly the values that were seen before; `None` otherwise.
    pub(crate) fn read(text: &[u8], expected: &[(Section, String)]) -> Option<Values> {
        let mut found: Vec<(Section, String, Plaintext)> = Vec::new();
        let mut json = Json::new(text);
        json.object(|json, section| {
            let section = match section {
                "data" => Section::Data,
                "binaryData" => Section::BinaryData,
                _ => return json.skip(),
            };
            json.object(|json, key| {
                found.push((section, key.to_owned(), json.string()?));
                Some(())
            })
        })?;
        if !json.at_end() || found.len() != expected.len() {
            return None;
        }
        let values = expected.iter().map(|(section, key)| {
            let same =
                |(its, name, _): &(Section, String, Plaintext)| its == section && name == key;
            let position = found.iter().position(same)?;
            let (_, key, value) = found.swap_remove(position);
            let value = if *section == Section::Data { value } else { decoded(&value)? };
            Some((key, value))
        });
        Some(Values { values: values.collect::<Option<_>>()? })
    }
}

/// Base64 with or without line breaks.
fn decoded(value: &Plaintext) -> Option<Plaintext> {
    let mut compact = Buffer::with_capacity(value.len());
    for byte in value.expose().iter().filter(|byte| !byte.is_ascii_whitespace()) {
        compact.extend(&[*byte]);
    }
    let mut bytes = vec![0; compact.as_slice().len()];
    if let Ok(length) = STANDARD.decode_slice(compact.as_slice(), &mut bytes) {
        bytes.truncate(length);
        return Some(Plaintext::from(bytes));
    }
    bytes.zeroize();
    None
}
