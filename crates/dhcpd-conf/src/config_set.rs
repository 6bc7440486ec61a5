//! A configuration: its main file and all it includes.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::document::Document;
use crate::error::ParseError;
use crate::host::Host;
use crate::index::in_order;
use crate::indexes::Indexes;
use crate::load_error::{IncludeSite, LoadErrors};
use crate::loader::Loader;
use crate::resolve::unresolved;
use crate::statement_view::Statement;
use crate::tree::{ROOT, StatementKind};
use crate::world::{Id, World};

/// One file of a configuration. A file that is included twice is there twice.
#[derive(Debug)]
pub struct ConfigFile {
    pub(crate) path: PathBuf,
    pub(crate) document: Document,
    pub(crate) includer: Option<Id>,
}

impl ConfigFile {
    /// Its path, as the reader was asked for it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its content.
    pub fn document(&self) -> &Document {
        &self.document
    }

    pub(crate) fn includer(&self) -> Option<Id> {
        self.includer
    }
}

/// A main file and all files it includes, read as one configuration.
///
/// This crate opens no file: the caller's function reads.
///
/// ```
/// use dhcpd_conf::ConfigSet;
/// let read = |path: &std::path::Path| match path.to_str() {
///     Some("/etc/dhcp/dhcpd.conf") => Ok("group { filename \"a\"; include \"/etc/dhcp/hosts\"; }"),
///     Some("/etc/dhcp/hosts") => Ok("host exe1 { fixed-address 10.0.2.1; }"),
///     _ => Err("no such file"),
/// };
/// let set = ConfigSet::load("/etc/dhcp/dhcpd.conf", |path| read(path).map(Vec::from))?;
/// let host = set.hosts_named("exe1").next().unwrap();
/// assert_eq!(host.file().unwrap().to_str(), Some("/etc/dhcp/hosts"));
/// // The group around the `include` is the host's scope.
/// assert!(host.effective_parameter("filename").certain().is_some());
/// # Ok::<(), dhcpd_conf::LoadErrors<&str>>(())
/// ```
pub struct ConfigSet {
    loader: Loader,
    files: Vec<ConfigFile>,
    /// Which file each `include` brings in, sorted by the statement.
    includes: Vec<(Id, u32)>,
    indexes: Indexes,
}

impl ConfigSet {
    /// Reads `main` and all it includes. Relative includes are refused: see [`Loader`] for that
    /// and for limits.
    pub fn load<E>(
        main: impl Into<PathBuf>,
        read: impl FnMut(&Path) -> Result<Vec<u8>, E>,
    ) -> Result<Self, LoadErrors<E>> {
        Loader::new().load(main, read)
    }

    pub(crate) fn new(files: Vec<ConfigFile>, loader: Loader) -> Self {
        let mut includes: Vec<_> = (0u32..)
            .zip(&files)
            .filter_map(|(index, file)| Some((file.includer?, index)))
            .collect();
        includes.sort_unstable();
        Self { loader, files, includes, indexes: Indexes::default() }
    }

    /// Values that do not fit their option's definition in another file, by file.
    pub(crate) fn unresolved(&self) -> Vec<(u32, ParseError)> {
        if self.files.len() < 2 { Vec::new() } else { unresolved(World::Set(self)) }
    }

    /// All files, the main file first.
    pub fn files(&self) -> impl Iterator<Item = &ConfigFile> {
        self.files.iter()
    }

    /// The statements of the main file's outermost scope, in file order.
    pub fn statements(&self) -> impl Iterator<Item = Statement<'_>> {
        World::Set(self).children(Id { file: 0, node: ROOT })
    }

    /// All statements in the order the server reads them: those of an included file follow its
    /// `include`.
    pub fn all_statements(&self) -> Vec<Statement<'_>> {
        let mut statements = Vec::new();
        in_order(World::Set(self), |id| statements.push(Statement::new(World::Set(self), id)));
        statements
    }

    /// Host declarations of all files, in the order the server reads them.
    pub fn hosts(&self) -> Vec<Host<'_>> {
        let world = World::Set(self);
        let mut hosts = Vec::new();
        in_order(world, |id| {
            if world.node(id).kind == StatementKind::Host {
                hosts.push(Host::new(world, id));
            }
        });
        hosts
    }

    /// The includes that lead to the file of `statement`, innermost first.
    pub fn chain(&self, statement: Statement<'_>) -> Vec<IncludeSite> {
        self.chain_to(statement.id.file)
    }

    pub(crate) fn chain_to(&self, file: u32) -> Vec<IncludeSite> {
        chain(&self.files, self.files.get(file as usize).and_then(ConfigFile::includer))
    }

    /// How it was read.
    pub(crate) fn loader(&self) -> &Loader {
        &self.loader
    }

    pub(crate) fn file(&self, file: u32) -> &ConfigFile {
        &self.files[file as usize]
    }

    pub(crate) fn included(&self, include: Id) -> Option<u32> {
        let found = self.includes.binary_search_by_key(&include, |(include, _)| *include).ok()?;
        Some(self.includes[found].1)
    }

    pub(crate) fn indexes(&self) -> &Indexes {
        &self.indexes
    }
}

/// The include statement `includer` and those that lead to its file.
pub(crate) fn chain(files: &[ConfigFile], mut includer: Option<Id>) -> Vec<IncludeSite> {
    let mut sites = Vec::new();
    while let Some(Id { file, node }) = includer {
        let ConfigFile { path, document, includer: outer } = &files[file as usize];
        let start = document.nodes[node as usize].start as usize;
        let position = document.position(crate::span::Span::new(start, start));
        sites.push(IncludeSite { file: path.clone(), position });
        includer = *outer;
    }
    sites
}

impl fmt::Debug for ConfigSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.files.iter().map(ConfigFile::path)).finish()
    }
}
