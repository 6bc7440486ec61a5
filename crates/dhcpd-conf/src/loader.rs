//! Follows `include` through a reader of the caller's.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::config_set::{ConfigFile, ConfigSet, chain};
use crate::document::Document;
use crate::error::ParseErrors;
use crate::include::Include;
use crate::limits::Limits;
use crate::load_error::{LoadError, LoadErrorKind, LoadErrors};
use crate::place::Place;
use crate::world::{Id, World};

/// How the files of a configuration are found and how much of them is read.
#[derive(Debug, Clone, Default)]
pub struct Loader {
    limits: Limits,
    base: Option<PathBuf>,
}

impl Loader {
    /// Default limits; relative includes are refused.
    pub fn new() -> Self {
        Self::default()
    }

    /// Bounds what is read.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Resolves relative includes against `base`. For the server that is its own working
    /// directory, never the including file's.
    #[must_use]
    pub fn relative_to(mut self, base: impl Into<PathBuf>) -> Self {
        self.base = Some(base.into());
        self
    }

    /// Reads `main` and all it includes. `read` is asked once for each path.
    pub fn load<E>(
        &self,
        main: impl Into<PathBuf>,
        mut read: impl FnMut(&Path) -> Result<Vec<u8>, E>,
    ) -> Result<ConfigSet, LoadErrors<E>> {
        self.load_batches(main, |paths| paths.iter().map(|path| read(path)).collect())
    }

    /// As [`load`](Self::load), asking for all files at once that are known to be needed: first
    /// the main file, then all it includes, then all those include. The answers stand in the order
    /// of the paths, so that a caller may fetch them side by side.
    pub fn load_batches<E>(
        &self,
        main: impl Into<PathBuf>,
        mut read: impl FnMut(&[PathBuf]) -> Vec<Result<Vec<u8>, E>>,
    ) -> Result<ConfigSet, LoadErrors<E>> {
        let mut loading = Loading::new(self);
        let main =
            Pending { path: main.into(), place: Place::Root, includer: None, order: Vec::new() };
        let mut wave = vec![main];
        while !wave.is_empty() {
            let paths = loading.unread(&wave);
            let mut answers = read(&paths).into_iter();
            for path in paths {
                loading.answers.insert(path, answers.next());
            }
            wave = wave.into_iter().flat_map(|pending| loading.open(pending)).collect();
        }
        loading.finish()
    }
}

/// A file that is still to be read.
struct Pending {
    path: PathBuf,
    place: Place,
    includer: Option<Id>,
    /// Where it is included: the offset of each `include` on the way. Sorts as the server reads.
    order: Vec<usize>,
}

struct Loading<'l, E> {
    loader: &'l Loader,
    files: Vec<ConfigFile>,
    /// Files that are read or will be, the main file not counted.
    admitted: usize,
    total_bytes: usize,
    statements: usize,
    /// What the reader said; a failure is taken out where it is reported.
    answers: HashMap<PathBuf, Option<Result<Vec<u8>, E>>>,
    problems: Vec<(Vec<usize>, LoadError<E>)>,
}

impl<'l, E> Loading<'l, E> {
    fn new(loader: &'l Loader) -> Self {
        Self {
            loader,
            files: Vec::new(),
            admitted: 0,
            total_bytes: 0,
            statements: 0,
            answers: HashMap::new(),
            problems: Vec::new(),
        }
    }

    /// The paths of `wave` that the reader has not been asked for, each once.
    fn unread(&self, wave: &[Pending]) -> Vec<PathBuf> {
        let mut paths: Vec<PathBuf> = Vec::new();
        let mut asked = std::collections::HashSet::new();
        for Pending { path, .. } in wave {
            if !self.answers.contains_key(path) && asked.insert(path) {
                paths.push(path.clone());
            }
        }
        paths
    }

    /// Parses a file that has been read; gives what it includes.
    fn open(&mut self, pending: Pending) -> Vec<Pending> {
        let limits = &self.loader.limits;
        let source = match self.answers.get_mut(&pending.path) {
            Some(Some(Ok(source))) => source.clone(),
            // A failure is reported once, at the first place that needs the file.
            Some(answer @ Some(Err(_))) => {
                if let Some(Err(error)) = answer.take() {
                    self.problem(pending, LoadErrorKind::Read(error));
                }
                return Vec::new();
            }
            Some(None) | None => {
                if !self.problems.iter().any(|(_, problem)| problem.path == pending.path) {
                    self.problem(pending, LoadErrorKind::Unread);
                }
                return Vec::new();
            }
        };
        self.total_bytes = self.total_bytes.saturating_add(source.len());
        if self.total_bytes > limits.total_bytes {
            self.problem(pending, LoadErrorKind::TooLarge);
            return Vec::new();
        }
        let left = limits.statements.saturating_sub(self.statements);
        let limits = Limits { statements: left, ..*limits };
        let (document, errors) = Document::read(source, pending.place, &limits);
        self.statements += document.nodes.len();
        let file = u32::try_from(self.files.len()).unwrap_or(u32::MAX);
        let Pending { path, place, includer, order } = pending;
        self.files.push(ConfigFile { path: path.clone(), document, includer });
        if let Some(errors) = errors {
            let first = errors.iter().next().map_or(0, |error| error.span().start());
            let chain = chain(&self.files, includer);
            let kind = LoadErrorKind::Syntax(errors);
            self.problems
                .push(([order.clone(), vec![first]].concat(), LoadError { path, chain, kind }));
        }
        self.includes(file, place, &order)
    }

    /// The files that `file` includes.
    fn includes(&mut self, file: u32, place: Place, order: &[usize]) -> Vec<Pending> {
        let document = &self.files[file as usize].document;
        let includes: Vec<_> = World::Document(document)
            .all(0)
            .filter_map(Include::of)
            .take(self.loader.limits.files.saturating_add(1))
            .map(|include| {
                let statement = include.statement();
                Pending {
                    path: include.path(),
                    place: include.place(place),
                    includer: Some(Id { file, node: statement.id.node }),
                    order: [order, &[statement.span().start()]].concat(),
                }
            })
            .collect();
        let mut admitted = Vec::new();
        for pending in includes {
            if self.admitted > self.loader.limits.files {
                break;
            }
            admitted.extend(self.admit(pending));
        }
        admitted
    }

    /// The file of an `include` with its whole path, if it may be read.
    fn admit(&mut self, mut pending: Pending) -> Option<Pending> {
        if pending.path.is_relative() {
            if let Some(base) = &self.loader.base {
                pending.path = base.join(&pending.path);
            } else {
                self.problem(pending, LoadErrorKind::Relative);
                return None;
            }
        }
        let mut depth = 0;
        let mut outer = pending.includer;
        while let Some(Id { file, .. }) = outer {
            let includer = &self.files[file as usize];
            if includer.path == pending.path {
                self.problem(pending, LoadErrorKind::Loop);
                return None;
            }
            depth += 1;
            outer = includer.includer;
        }
        if depth > self.loader.limits.include_depth {
            self.problem(pending, LoadErrorKind::TooDeep);
            return None;
        }
        self.admitted += 1;
        // The first file too many is told, those behind it are not: a hostile file has millions.
        if self.admitted > self.loader.limits.files {
            self.problem(pending, LoadErrorKind::TooManyFiles);
            return None;
        }
        Some(pending)
    }

    fn problem(&mut self, pending: Pending, kind: LoadErrorKind<E>) {
        if self.problems.len() > self.loader.limits.errors {
            return;
        }
        let chain = chain(&self.files, pending.includer);
        self.problems.push((pending.order, LoadError { path: pending.path, chain, kind }));
    }

    fn finish(mut self) -> Result<ConfigSet, LoadErrors<E>> {
        if !self.problems.is_empty() {
            self.problems.sort_by(|(one, _), (other, _)| one.cmp(other));
            return Err(LoadErrors(
                self.problems.into_iter().map(|(_, problem)| problem).collect(),
            ));
        }
        let set = ConfigSet::new(self.files, self.loader.clone());
        let errors = set.unresolved();
        if errors.is_empty() {
            return Ok(set);
        }
        let problems = errors.into_iter().map(|(file, error)| LoadError {
            path: set.file(file).path().into(),
            chain: set.chain_to(file),
            kind: LoadErrorKind::Syntax(ParseErrors(vec![error])),
        });
        Err(LoadErrors(problems.collect()))
    }
}
