//! What can be edited: a document, or all files of a configuration.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use crate::config_set::ConfigSet;
use crate::document::Document;
use crate::edit::error::EditError;
use crate::edit::splice::Splices;
use crate::world::World;

/// What an [`Edit`](crate::Edit) changes. Only this crate's types are.
pub trait Editable: Sealed {
    /// What the edit results in.
    type Changed;
}

/// Keeps [`Editable`] to this crate.
pub trait Sealed: Sized {
    #[doc(hidden)]
    #[expect(private_interfaces, reason = "the trait is sealed: nobody outside calls it")]
    fn world(&self) -> World<'_>;

    #[doc(hidden)]
    #[expect(private_interfaces, reason = "the trait is sealed: nobody outside calls it")]
    fn changed(
        &self,
        splices: &BTreeMap<u32, Splices>,
        names: &[String],
    ) -> Result<<Self as Editable>::Changed, EditError>
    where
        Self: Editable;
}

/// A document results in its changed source.
impl Editable for Document {
    type Changed = Vec<u8>;
}

impl Sealed for Document {
    #[expect(private_interfaces, reason = "the trait is sealed: nobody outside calls it")]
    fn world(&self) -> World<'_> {
        World::Document(self)
    }

    #[expect(private_interfaces, reason = "the trait is sealed: nobody outside calls it")]
    fn changed(
        &self,
        splices: &BTreeMap<u32, Splices>,
        names: &[String],
    ) -> Result<Vec<u8>, EditError> {
        let Some(splices) = splices.values().next() else { return Ok(self.source().to_vec()) };
        let changed = self.reread(splices.apply(self.source())?).map_err(EditError::Syntax)?;
        unique(names, |name| (self.hosts_named(name).count(), changed.hosts_named(name).count()))?;
        Ok(changed.into_source())
    }
}

/// A file of a configuration whose content is another now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedFile {
    path: PathBuf,
    source: Vec<u8>,
}

impl ChangedFile {
    /// Its path, as the reader was asked for it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its new content.
    pub fn source(&self) -> &[u8] {
        &self.source
    }

    /// Its new content.
    pub fn into_source(self) -> Vec<u8> {
        self.source
    }
}

/// A configuration results in the files that are to be written, in the order the server reads
/// them; all others stay.
impl Editable for ConfigSet {
    type Changed = Vec<ChangedFile>;
}

impl Sealed for ConfigSet {
    #[expect(private_interfaces, reason = "the trait is sealed: nobody outside calls it")]
    fn world(&self) -> World<'_> {
        World::Set(self)
    }

    #[expect(private_interfaces, reason = "the trait is sealed: nobody outside calls it")]
    fn changed(
        &self,
        splices: &BTreeMap<u32, Splices>,
        names: &[String],
    ) -> Result<Vec<ChangedFile>, EditError> {
        let mut files = Vec::new();
        for (file, splices) in splices {
            let file = self.file(*file);
            let source = splices.apply(file.document().source())?;
            if source != file.document().source() {
                files.push(ChangedFile { path: file.path().into(), source });
            }
        }
        let kept = self.files().map(|file| (file.path(), file.document().source()));
        let mut sources: HashMap<&Path, &[u8]> = kept.collect();
        sources.extend(files.iter().map(|file| (file.path(), file.source())));
        let read = |path: &Path| {
            let source = sources.get(path).map(|source| source.to_vec());
            source.ok_or_else(|| "the edit includes a new file".to_owned())
        };
        let set = self.loader().load(self.file(0).path(), read).map_err(EditError::Load)?;
        unique(names, |name| (self.hosts_named(name).count(), set.hosts_named(name).count()))?;
        Ok(files)
    }
}

/// Refuses names that more hosts have than before; `counts` gives the number before and after.
fn unique(names: &[String], counts: impl Fn(&str) -> (usize, usize)) -> Result<(), EditError> {
    let duplicate = names.iter().find(|name| {
        let (before, after) = counts(name);
        after > before.max(1)
    });
    duplicate.map_or(Ok(()), |name| Err(EditError::DuplicateHost(name.clone())))
}
