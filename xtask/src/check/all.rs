//! All checks, one after another.

use crate::check::{dependencies, documents, layering, licences, lints, properties, sizes};
use crate::program::{Failure, say};

/// All of them; every violation of one check is listed before it fails.
pub(crate) fn all() -> Result<(), Failure> {
    lints::format()?;
    verdict("sizes and names of files", &sizes::violations()?)?;
    verdict("layering between crates", &dependencies::violations()?)?;
    verdict("layering inside clusterctl", &layering::violations()?)?;
    verdict("licences", &licences::violations()?)?;
    verdict("documents", &documents::violations()?)?;
    verdict("properties", &properties::violations()?)?;
    lints::clippy()?;
    lints::rustdoc()
}

fn verdict(title: &str, violations: &[String]) -> Result<(), Failure> {
    if violations.is_empty() {
        say(&format!("── {title}: clean"));
        return Ok(());
    }
    Err(Failure::new(format!("{title}:\n   {}", violations.join("\n   "))))
}
