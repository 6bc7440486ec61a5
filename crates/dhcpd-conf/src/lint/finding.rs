//! Findings: what, where, and the way out.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::span::{Position, Span};
use crate::statement_view::Statement;

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum Severity {
    /// The server refuses the configuration.
    Error,
    /// The server starts, and does not do what was probably meant.
    Warning,
}

/// What a finding is about. The names of these, in lower case with dashes, stay as they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum FindingKind {
    /// A syntax error: see [`ParseError`](crate::ParseError).
    Syntax,
    /// A file that could not be read, or includes that loop or have no end.
    Include,
    /// Several hosts of one name.
    DuplicateHost,
    /// Several hosts with one hardware address.
    SharedHardware,
    /// Several hosts with one fixed address.
    SharedAddress,
    /// Several hosts with one client identifier.
    SharedClientId,
    /// A fixed address that no subnet holds.
    OutsideSubnets,
    /// A host inside a subnet that does not hold its address.
    ForeignSubnet,
    /// A fixed address inside a range the server gives away.
    AddressInRange,
    /// A range that its subnet, or its shared network up to there, does not hold.
    RangeOutsideSubnet,
    /// An address in two ranges.
    OverlappingRanges,
    /// A shared network without a subnet.
    EmptySharedNetwork,
    /// A pool without a range.
    PoolWithoutRange,
    /// An option nobody defines.
    UnknownOption,
    /// A server parameter written as an option.
    ParameterAsOption,
    /// An option space nobody defines.
    UnknownOptionSpace,
    /// A group that is not declared.
    UnknownGroup,
    /// A class that is not declared.
    UnknownClass,
    /// A key that is not declared.
    UnknownKey,
    /// A failover peer that is not declared, is declared twice, or lacks a setting.
    FailoverPeer,
    /// An expression as a statement, which may be a misspelt word.
    WithoutEffect,
    /// Octets in quotes: `"ff:00"` is five characters.
    OctetsAsText,
    /// An address in quotes behind `=`: its characters, not the address.
    AddressAsText,
    /// A number with a leading zero, which the server reads as octal.
    OctalNumber,
    /// A client identifier that identifies nobody.
    UnusedClientId,
    /// 1,500 or more blanks in a row.
    LongBlanks,
    /// An `include` relative to a directory that only the running server knows.
    RelativeInclude,
}

impl FindingKind {
    /// Its name, in lower case with dashes: `duplicate-host`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Syntax => "syntax",
            Self::Include => "include",
            Self::DuplicateHost => "duplicate-host",
            Self::SharedHardware => "shared-hardware",
            Self::SharedAddress => "shared-address",
            Self::SharedClientId => "shared-client-id",
            Self::OutsideSubnets => "outside-subnets",
            Self::ForeignSubnet => "foreign-subnet",
            Self::AddressInRange => "address-in-range",
            Self::RangeOutsideSubnet => "range-outside-subnet",
            Self::OverlappingRanges => "overlapping-ranges",
            Self::EmptySharedNetwork => "empty-shared-network",
            Self::PoolWithoutRange => "pool-without-range",
            Self::UnknownOption => "unknown-option",
            Self::ParameterAsOption => "parameter-as-option",
            Self::UnknownOptionSpace => "unknown-option-space",
            Self::UnknownGroup => "unknown-group",
            Self::UnknownClass => "unknown-class",
            Self::UnknownKey => "unknown-key",
            Self::FailoverPeer => "failover-peer",
            Self::WithoutEffect => "without-effect",
            Self::OctetsAsText => "octets-as-text",
            Self::AddressAsText => "address-as-text",
            Self::OctalNumber => "octal-number",
            Self::UnusedClientId => "unused-client-id",
            Self::LongBlanks => "long-blanks",
            Self::RelativeInclude => "relative-include",
        }
    }

    /// Whether the server refuses the configuration for it.
    pub fn severity(self) -> Severity {
        match self {
            Self::Syntax
            | Self::Include
            | Self::DuplicateHost
            | Self::RangeOutsideSubnet
            | Self::OverlappingRanges
            | Self::EmptySharedNetwork
            | Self::PoolWithoutRange
            | Self::UnknownOption
            | Self::ParameterAsOption
            | Self::UnknownOptionSpace
            | Self::UnknownGroup
            | Self::UnknownClass
            | Self::UnknownKey
            | Self::FailoverPeer
            | Self::LongBlanks => Severity::Error,
            _ => Severity::Warning,
        }
    }
}

/// A place in a file.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Site {
    pub(crate) file: Option<PathBuf>,
    pub(crate) position: Position,
    pub(crate) span: Span,
    /// The number of its file: sorts as the files were read.
    pub(crate) order: u32,
}

impl Site {
    pub(crate) fn of(statement: Statement<'_>) -> Self {
        Self {
            file: statement.file().map(Path::to_owned),
            position: statement.position(),
            span: statement.span(),
            order: statement.id.file,
        }
    }

    /// The file; none for a document on its own.
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// Line and column.
    pub fn position(&self) -> Position {
        self.position
    }

    /// The bytes in the file.
    pub fn span(&self) -> Span {
        self.span
    }
}

/// `FILE:LINE:COLUMN`, or `LINE:COLUMN` for a document on its own.
impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{}:", file.display())?;
        }
        write!(f, "{}:{}", self.position.line(), self.position.column())
    }
}

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    pub(crate) kind: FindingKind,
    pub(crate) sites: Vec<Site>,
    pub(crate) message: String,
    pub(crate) help: String,
}

impl Finding {
    pub(crate) fn new(kind: FindingKind, at: Statement<'_>, message: String, help: &str) -> Self {
        Self { kind, sites: vec![Site::of(at)], message, help: help.to_owned() }
    }

    /// What it is about.
    pub fn kind(&self) -> FindingKind {
        self.kind
    }

    /// How bad it is.
    pub fn severity(&self) -> Severity {
        self.kind.severity()
    }

    /// Where it is, one place at least: for what stands twice, all places, in the order the server
    /// reads them. The main file has no place where it cannot be read.
    pub fn sites(&self) -> &[Site] {
        &self.sites
    }

    /// What is wrong, in one line without the place.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The way out, in one line; empty where there is none to name.
    pub fn help(&self) -> &str {
        &self.help
    }
}

/// `FILE:LINE:COLUMN: MESSAGE`, then a line for each further place, then the way out.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut sites = self.sites.iter();
        if let Some(site) = sites.next() {
            write!(f, "{site}: ")?;
        }
        write!(f, "{} [{}]", self.message, self.kind.name())?;
        for site in sites {
            write!(f, "\n  also {site}")?;
        }
        if self.help.is_empty() { Ok(()) } else { write!(f, "\n  help: {}", self.help) }
    }
}
