//! Errors of reading, as findings: so that a check has one list of all that is wrong.

use std::fmt;
use std::path::Path;

use crate::error::{ParseError, ParseErrors};
use crate::lint::finding::{Finding, FindingKind, Site};
use crate::load_error::{LoadError, LoadErrorKind, LoadErrors};

impl ParseErrors {
    /// The errors as findings in `file`, each with its way out where one is known.
    pub fn findings(&self, file: Option<&Path>) -> Vec<Finding> {
        let finding = |error: &ParseError| Finding {
            kind: FindingKind::Syntax,
            sites: vec![Site {
                file: file.map(Path::to_owned),
                position: error.position(),
                span: error.span(),
                order: 0,
            }],
            message: error.to_string(),
            help: help(error),
        };
        self.iter().map(finding).collect()
    }
}

impl<E: fmt::Display> LoadErrors<E> {
    /// The errors as findings, in the order the server reads the files.
    pub fn findings(&self) -> Vec<Finding> {
        self.iter().flat_map(findings).collect()
    }
}

/// The way out: a known one, else what the grammar wants.
fn help(error: &ParseError) -> String {
    let wanted = || error.expected().first().map(|wanted| format!("write {wanted} here"));
    let known = error.help().map(str::to_owned);
    known.or_else(wanted).unwrap_or_else(|| "see dhcpd.conf(5)".to_owned())
}

fn findings<E: fmt::Display>(error: &LoadError<E>) -> Vec<Finding> {
    let path = error.path().display();
    let (message, help) = match error.kind() {
        LoadErrorKind::Syntax(errors) => return errors.findings(Some(error.path())),
        LoadErrorKind::Read(cause) => (format!("cannot read {path}: {cause}"), ""),
        LoadErrorKind::Unread => (format!("{path} was not read"), ""),
        LoadErrorKind::Relative => (
            format!("{path} is relative to wherever the server was started"),
            "write the whole path, or say where relative includes count from",
        ),
        LoadErrorKind::Loop => {
            (format!("{path} includes itself"), "remove the include: the server crashes of it")
        }
        LoadErrorKind::TooDeep => {
            (format!("{path}: too many files include each other"), "include less deeply")
        }
        LoadErrorKind::TooManyFiles => {
            (format!("{path}: too many files"), "include fewer files, or allow more")
        }
        LoadErrorKind::TooLarge => {
            (format!("{path}: the files are too large together"), "allow more bytes")
        }
    };
    let site = error.chain().first().map(|include| Site {
        file: Some(include.file().to_owned()),
        position: include.position(),
        span: crate::span::Span::new(0, 0),
        order: 0,
    });
    let sites = site.into_iter().collect();
    vec![Finding { kind: FindingKind::Include, sites, message, help: help.to_owned() }]
}
