//! age files.

use age::armor::ArmoredReader;
use age::{DecryptError as AgeError, Decryptor};
use thiserror::Error;

use crate::identity::Identities;
use crate::plaintext::{Buffer, Plaintext};

/// Why an age file does not open. Nothing of its content is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DecryptError {
    /// It is not encrypted to any of the keys.
    #[error("the file is not encrypted to any of the keys at hand")]
    NoMatchingKey,
    /// It is encrypted with a passphrase, which would have to be asked for.
    #[error("the file is encrypted with a passphrase, not to a key")]
    Passphrase,
    /// It is no age file.
    #[error("the file is not an age file")]
    NotAge,
    /// It was changed, or its end is missing.
    #[error("the file is damaged")]
    Damaged,
    /// Its content is larger than 16 MiB.
    #[error("the content is larger than 16 MiB")]
    TooLarge,
}

/// Opens an age file, binary or armored, with one of the keys.
///
/// Nothing is returned before the whole file has been read and authenticated.
pub fn decrypt_age(ciphertext: &[u8], identities: &Identities) -> Result<Plaintext, DecryptError> {
    let decryptor =
        Decryptor::new_buffered(ArmoredReader::new(ciphertext)).map_err(|error| reason(&error))?;
    if decryptor.is_scrypt() {
        return Err(DecryptError::Passphrase);
    }
    let reader = decryptor.decrypt(identities.as_age()).map_err(|error| reason(&error))?;
    match Buffer::read(reader) {
        Ok(Some(plaintext)) => Ok(plaintext.into_plaintext()),
        Ok(None) => Err(DecryptError::TooLarge),
        Err(_) => Err(DecryptError::Damaged),
    }
}

fn reason(error: &AgeError) -> DecryptError {
    match error {
        AgeError::NoMatchingKeys => DecryptError::NoMatchingKey,
        AgeError::ExcessiveWork { .. } | AgeError::KeyDecryptionFailed => DecryptError::Passphrase,
        AgeError::DecryptionFailed | AgeError::InvalidMac => DecryptError::Damaged,
        // A damaged armor is an I/O error as well, and a header of the future an unknown format.
        _ => DecryptError::NotAge,
    }
}
