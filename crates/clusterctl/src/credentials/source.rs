//! The sources of a password.

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use redfish::Password;
use zeroize::Zeroizing;

use crate::config::Resolved;
use crate::config::kinds::PasswordSpec;
use crate::credentials::error::SourceError;
use crate::credentials::secret;
use crate::gate::Person;

/// What a source may use.
pub(crate) struct Context<'a> {
    pub(crate) person: &'a dyn Person,
    pub(crate) environment: &'a BTreeMap<String, String>,
    pub(crate) identities: &'a [String],
    pub(crate) resolved: &'a Resolved,
    pub(crate) user: &'a str,
}

/// The password.
pub(crate) fn read(spec: &PasswordSpec, context: &Context<'_>) -> Result<Password, SourceError> {
    match spec {
        PasswordSpec::FromEnv(name) => {
            let value = context.environment.get(name).cloned();
            let value = value.ok_or_else(|| SourceError::Variable(name.clone()))?;
            one_line(&Zeroizing::new(value.into_bytes()))
        }
        PasswordSpec::File(path) => file(Path::new(path)),
        PasswordSpec::AgeFile(path) => age_file(Path::new(path), context),
        PasswordSpec::SecretRef(reference) => {
            secret::secret(&reference.name, &reference.key, context)
        }
        PasswordSpec::Command(argv) => command(argv),
        PasswordSpec::Prompt(text) => {
            if !context.person.is_present() {
                return Err(SourceError::NoTerminal);
            }
            let usual = format!("Password of {}: ", context.user);
            let question = text.as_str().unwrap_or(&usual);
            let answer = context.person.ask_hidden(question).ok_or(SourceError::NoAnswer)?;
            one_line(answer.as_bytes())
        }
    }
}

fn file(path: &Path) -> Result<Password, SourceError> {
    let failed = |source| SourceError::File { path: path.to_owned(), source };
    let mode = path.metadata().map_err(failed)?.mode() & 0o7777;
    if mode & 0o077 != 0 {
        return Err(SourceError::NotPrivate { path: path.to_owned(), mode });
    }
    let bytes = Zeroizing::new(std::fs::read(path).map_err(failed)?);
    one_line(&bytes)
}

fn age_file(path: &Path, context: &Context<'_>) -> Result<Password, SourceError> {
    let failed = |source| SourceError::File { path: path.to_owned(), source };
    let ciphertext = std::fs::read(path).map_err(failed)?;
    let identities = secret::identities(context.identities)?;
    let plaintext = secrets::decrypt_age(&ciphertext, &identities)
        .map_err(|error| SourceError::Decryption(format!("{}: {error}", path.display())))?;
    one_line(plaintext.expose())
}

/// A program that prints it; it gets no input and its messages are the person's.
fn command(argv: &[String]) -> Result<Password, SourceError> {
    let Some((program, words)) = argv.split_first() else { return Err(SourceError::Empty) };
    let failed = |source| SourceError::Program { program: program.clone(), source };
    let output = Command::new(program)
        .args(words)
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .map_err(failed)?;
    let stdout = Zeroizing::new(output.stdout);
    if !output.status.success() {
        return Err(SourceError::ProgramStatus { program: program.clone(), status: output.status });
    }
    one_line(&stdout)
}

/// The only line, without the line feed that editors add.
pub(crate) fn one_line(bytes: &[u8]) -> Result<Password, SourceError> {
    let line = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if line.is_empty() {
        return Err(SourceError::Empty);
    }
    let text = std::str::from_utf8(line).map_err(|_| SourceError::NotOneLine)?;
    if text.chars().any(char::is_control) {
        return Err(SourceError::NotOneLine);
    }
    Ok(Password::new(text.to_owned()))
}
