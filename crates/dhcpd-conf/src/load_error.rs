//! What can go wrong with the files of a configuration.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::error::ParseErrors;
use crate::span::Position;

/// An `include` statement on the way to a file: its file and where it stands in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IncludeSite {
    pub(crate) file: PathBuf,
    pub(crate) position: Position,
}

impl IncludeSite {
    /// The file with the `include`.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Where in it the `include` stands.
    pub fn position(&self) -> Position {
        self.position
    }
}

/// `FILE:LINE:COLUMN`
impl fmt::Display for IncludeSite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file.display(), self.position.line(), self.position.column())
    }
}

/// What is wrong with a file of a configuration.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum LoadErrorKind<E> {
    /// The caller's reader failed.
    Read(E),
    /// The caller's batch reader gave no answer for the file.
    Unread,
    /// The file has syntax errors.
    Syntax(ParseErrors),
    /// The `include` is relative and [`Loader::relative_to`](crate::Loader::relative_to) gives no
    /// base.
    Relative,
    /// The file includes itself, perhaps through others. dhcpd dies of that.
    Loop,
    /// Files include each other deeper than
    /// [`Limits::include_depth`](crate::Limits::include_depth).
    TooDeep,
    /// More files than [`Limits::files`](crate::Limits::files).
    TooManyFiles,
    /// More bytes in all files than [`Limits::total_bytes`](crate::Limits::total_bytes).
    TooLarge,
}

/// One problem with one file.
#[derive(Debug, Clone)]
pub struct LoadError<E> {
    pub(crate) path: PathBuf,
    pub(crate) chain: Vec<IncludeSite>,
    pub(crate) kind: LoadErrorKind<E>,
}

impl<E> LoadError<E> {
    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The includes that lead to the file, innermost first; empty for the main file.
    pub fn chain(&self) -> &[IncludeSite] {
        &self.chain
    }

    /// What is wrong.
    pub fn kind(&self) -> &LoadErrorKind<E> {
        &self.kind
    }

    /// The same, by value.
    pub fn into_kind(self) -> LoadErrorKind<E> {
        self.kind
    }

    /// The whole message: what is wrong, for syntax errors each with its source line and caret,
    /// then the chain of includes.
    pub fn report(&self) -> impl fmt::Display + '_
    where
        E: fmt::Display,
    {
        Report(self)
    }
}

/// One line, without the reader's own error, which is in [`kind`](LoadError::kind).
impl<E> fmt::Display for LoadError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        match &self.kind {
            LoadErrorKind::Read(_) => write!(f, "cannot read {path}"),
            LoadErrorKind::Unread => write!(f, "{path} was not read"),
            LoadErrorKind::Syntax(errors) => match errors.0.as_slice() {
                [one] => {
                    write!(f, "{path}:{}:{}: {one}", one.position.line(), one.position.column())
                }
                more => write!(f, "{path}: {} syntax errors", more.len()),
            },
            LoadErrorKind::Relative => write!(f, "include of {path}: relative paths are refused"),
            LoadErrorKind::Loop => write!(f, "{path} includes itself"),
            LoadErrorKind::TooDeep => {
                write!(f, "include of {path}: too many files include each other")
            }
            LoadErrorKind::TooManyFiles => write!(f, "include of {path}: too many files"),
            LoadErrorKind::TooLarge => write!(f, "{path}: the files are too large together"),
        }?;
        match self.chain.first() {
            Some(site) => write!(f, " (included at {site})"),
            None => Ok(()),
        }
    }
}

impl<E: std::error::Error + 'static> std::error::Error for LoadError<E> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.kind {
            LoadErrorKind::Read(error) => Some(error),
            _ => None,
        }
    }
}

struct Report<'a, E>(&'a LoadError<E>);

impl<E: fmt::Display> fmt::Display for Report<'_, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LoadError { path, chain, kind } = self.0;
        match kind {
            LoadErrorKind::Syntax(errors) => {
                write!(f, "{}", errors.report(&path.to_string_lossy()))?;
            }
            LoadErrorKind::Read(error) => write!(f, "cannot read {}: {error}", path.display())?,
            _ => return write!(f, "{}", self.0),
        }
        chain.iter().try_for_each(|site| write!(f, "\nincluded at {site}"))
    }
}

/// All problems of a configuration, at least one, in the order the server reads the files.
#[derive(Debug, Clone)]
pub struct LoadErrors<E>(pub(crate) Vec<LoadError<E>>);

impl<E> LoadErrors<E> {
    /// The problems in order.
    pub fn iter(&self) -> std::slice::Iter<'_, LoadError<E>> {
        self.0.iter()
    }
}

impl<'a, E> IntoIterator for &'a LoadErrors<E> {
    type Item = &'a LoadError<E>;
    type IntoIter = std::slice::Iter<'a, LoadError<E>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<E> IntoIterator for LoadErrors<E> {
    type Item = LoadError<E>;
    type IntoIter = std::vec::IntoIter<LoadError<E>>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

/// One line per problem.
impl<E> fmt::Display for LoadErrors<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, error) in self.0.iter().enumerate() {
            let separator = if index == 0 { "" } else { "\n" };
            write!(f, "{separator}{error}")?;
        }
        Ok(())
    }
}

impl<E: fmt::Debug> std::error::Error for LoadErrors<E> {}
