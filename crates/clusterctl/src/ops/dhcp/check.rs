//! `dhcp check`: what is wrong with configurations.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use dhcpd_conf::shape::Findings;
use dhcpd_conf::{ConfigSet, Finding, LoadErrors, Severity};

use crate::exit::{ExitClass, Stop};
use crate::ops::dhcp::{fetch, file};
use crate::output::{Outcome, Output, escape, plural};
use crate::session::Session;

/// What is known of the configurations that were read.
#[derive(Default)]
struct Checked {
    files: Vec<String>,
    hosts: usize,
    findings: Vec<Finding>,
    /// Findings for people; of syntax errors the lines they are in, too.
    texts: Vec<String>,
}

impl Checked {
    /// One more configuration.
    fn add<E: Display>(&mut self, main: &Path, read: Result<ConfigSet, LoadErrors<E>>) {
        match read {
            Ok(set) => {
                self.files.extend(set.files().map(|file| file.path().display().to_string()));
                self.hosts += set.hosts().len();
                let findings = set.lint();
                self.texts.extend(findings.iter().map(ToString::to_string));
                self.findings.extend(findings);
            }
            Err(errors) => {
                self.files.push(main.display().to_string());
                self.texts.extend(errors.iter().map(|error| error.report().to_string()));
                self.findings.extend(errors.findings());
            }
        }
    }

    fn outcome(&self) -> Outcome {
        let shape = Findings::new(self.files.iter().cloned(), &self.findings);
        let mut text = String::new();
        for finding in &self.texts {
            text.push_str(&escape::lines(finding.trim_end()));
            text.push('\n');
        }
        text.push_str(&self.summary());
        text.push('\n');
        let count = plural::count(self.findings.len(), "finding");
        let stop = (!self.findings.is_empty())
            .then(|| Stop::failed(format!("the DHCP configuration has {count}")));
        Outcome::of(Output::text(text, &shape)).with_stop(stop)
    }

    fn summary(&self) -> String {
        let files = plural::count(self.files.len(), "file");
        if self.findings.is_empty() {
            return format!("no findings: {files}, {}", plural::count(self.hosts, "host"));
        }
        let errors = self.findings.iter().filter(|it| it.severity() == Severity::Error).count();
        let warnings = self.findings.len() - errors;
        let (errors, warnings) =
            (plural::count(errors, "error"), plural::count(warnings, "warning"));
        format!("{errors} and {warnings} in {files}")
    }
}

/// Checks the server's configuration. A server that is not reached is no finding.
pub fn check(session: &Session) -> Result<Outcome, Stop> {
    let (main, read) = fetch::read(session)?;
    if let Err(errors) = &read
        && fetch::class(errors) >= ExitClass::Unreachable
    {
        return Err(fetch::stop(errors));
    }
    let mut checked = Checked::default();
    checked.add(&main, read);
    Ok(checked.outcome())
}

/// Checks files of this machine.
pub fn check_files(files: &[PathBuf], working_directory: &Path) -> Outcome {
    let mut checked = Checked::default();
    for path in files {
        checked.add(path, file::read(path, working_directory));
    }
    checked.outcome()
}
