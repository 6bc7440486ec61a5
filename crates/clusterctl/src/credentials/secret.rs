//! Values of Secret documents and age files, opened in memory.

use std::path::{Path, PathBuf};

use redfish::Password;
use secrets::Identities;
use secrets::sops::{Document, KeyFile, KeyKind, Policy, Sops};

use crate::credentials::error::SourceError;
use crate::credentials::source::{Context, one_line};

/// One value of a Secret document.
pub(crate) fn secret(
    name: &str,
    key: &str,
    context: &Context<'_>,
) -> Result<Password, SourceError> {
    let failed = |why: String| SourceError::Decryption(why);
    let path = context
        .resolved
        .secrets
        .get(name)
        .ok_or_else(|| failed(format!("there is no Secret document {name:?}")))?;
    let place = path.display();
    let yaml =
        std::fs::read(path).map_err(|source| SourceError::File { path: path.clone(), source })?;
    let document = Document::inspect(&yaml).map_err(|error| failed(format!("{place}: {error}")))?;
    let workstation = &context.resolved.workstation;
    let kinds = workstation.sops_key_types.iter().filter_map(|name| KeyKind::from_name(name));
    let permitted = document
        .permitted_by(&Policy::allowing(kinds))
        .map_err(|error| failed(format!("{place}: {error}")))?;
    let mut sops = Sops::new(&workstation.sops_binary);
    if let Some(identity) = context.identities.first() {
        sops = sops.with_key_file(KeyFile::Age(PathBuf::from(identity)));
    }
    let values = sops.decrypt(&permitted).map_err(|error| failed(format!("{place}: {error}")))?;
    let value =
        values.get(key).ok_or_else(|| failed(format!("{place}: there is no value {key:?}")))?;
    one_line(value.expose())
}

/// All identities of the workstation.
pub(crate) fn identities(paths: &[String]) -> Result<Identities, SourceError> {
    let mut all: Option<Identities> = None;
    for path in paths {
        let failed = |source| SourceError::File { path: PathBuf::from(path), source };
        let bytes = zeroize::Zeroizing::new(std::fs::read(Path::new(path)).map_err(failed)?);
        let these = Identities::from_bytes(path, &bytes)
            .map_err(|error| SourceError::Decryption(format!("{path}: {error}")))?;
        all = Some(match all {
            Some(known) => known.join(these),
            None => these,
        });
    }
    all.ok_or_else(|| {
        SourceError::Decryption(
            "no identities are configured in the Workstation document".to_owned(),
        )
    })
}
