//! Reading the configuration from the DHCP host, includes followed.

use std::path::PathBuf;
use std::sync::Arc;

use dhcpd_conf::{ConfigSet, LoadErrorKind, LoadErrors, Loader};
use thiserror::Error;

use crate::cause::Cause;
use crate::exit::{Classify, ExitClass, Stop};
use crate::output::escape;
use crate::reach::{self, ReachError, Request, Target};
use crate::session::Session;

/// How many files one request reads: their paths fit into the longest command there is.
const AT_ONCE: usize = 64;

/// Why one file could not be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FetchError {
    /// The host was not reached.
    #[error("{host}")]
    Reach {
        /// The host.
        host: String,
        /// Why.
        #[source]
        source: Arc<ReachError>,
    },
    /// The host answered and did not give the file.
    #[error("{host}: {why}")]
    Refused {
        /// The host.
        host: String,
        /// Its words.
        why: String,
    },
}

impl Classify for FetchError {
    fn exit_class(&self) -> ExitClass {
        match self {
            Self::Reach { source, .. } => source.exit_class(),
            Self::Refused { .. } => ExitClass::Failed,
        }
    }
}

/// The configuration of the DHCP host: read once a command, the files of one include depth in one
/// request, so that a host that is the PXE host as well sees a single login. A relative include is
/// refused: it is relative to a directory that only the running server knows.
pub fn fetch(session: &Session) -> Result<ConfigSet, Stop> {
    read(session)?.1.map_err(|errors| stop(&errors))
}

/// As [`fetch`], with the main file's path and every problem as a value.
pub(super) fn read(
    session: &Session,
) -> Result<(PathBuf, Result<ConfigSet, LoadErrors<FetchError>>), Stop> {
    let settings = &session.site().settings().services.dhcp;
    let target = session.role("services.dhcp.role", settings.role.as_deref())?;
    let main = PathBuf::from(&settings.config_path);
    let read = |paths: &[PathBuf]| {
        paths.chunks(AT_ONCE).flat_map(|paths| files(session, &target, paths)).collect()
    };
    let set = Loader::new().load_batches(main.clone(), read);
    Ok((main, set))
}

/// Each file with what `cat` said, then the mark `$1` and its status.
const SCRIPT: &str = r#"
mark=$1; shift
for file do cat -- "$file" 2>&1; printf '\n%s %s\n' "$mark" "$?"; done
"#;

fn files(
    session: &Session,
    target: &Target,
    paths: &[PathBuf],
) -> Vec<Result<Vec<u8>, FetchError>> {
    let host = &target.name;
    let mark = reach::mark();
    let words = std::iter::once(mark.clone());
    let words = words.chain(paths.iter().map(|path| path.display().to_string()));
    let answer = match session.ask(target, Request::script_with(SCRIPT, words)) {
        Ok(answer) => answer,
        Err(source) => {
            let source = Arc::new(source);
            let lost = || FetchError::Reach { host: host.clone(), source: Arc::clone(&source) };
            return paths.iter().map(|_| Err(lost())).collect();
        }
    };
    let mut files = pieces(&answer.stdout, &mark).into_iter();
    let silence = Cause::of_answer(&answer)
        .map_or_else(|| "it did not say what became of the file".to_owned(), |cause| cause.detail);
    let refused = |why| FetchError::Refused { host: host.clone(), why };
    let one = |_| files.next().unwrap_or_else(|| Err(silence.clone())).map_err(refused);
    paths.iter().map(one).collect()
}

/// The files of an answer, each with its text or the words of `cat`.
fn pieces(answer: &[u8], mark: &str) -> Vec<Result<Vec<u8>, String>> {
    let mark = format!("\n{mark} ");
    let mut rest = answer;
    let mut files = Vec::new();
    while let Some(end) = rest.windows(mark.len()).position(|window| window == mark.as_bytes()) {
        let (text, tail) = (&rest[..end], &rest[end + mark.len()..]);
        let Some(line) = tail.iter().position(|&byte| byte == b'\n') else { break };
        files.push(if &tail[..line] == b"0" { Ok(text.to_vec()) } else { Err(last_line(text)) });
        rest = &tail[line + 1..];
    }
    files
}

fn last_line(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    escape::line(text.lines().next_back().unwrap_or("cat failed without a word"))
}

/// A host that was not reached decides the exit code.
pub(super) fn class(errors: &LoadErrors<FetchError>) -> ExitClass {
    ExitClass::worst(errors.iter().map(|error| match error.kind() {
        LoadErrorKind::Read(error) => error.exit_class(),
        LoadErrorKind::Relative => ExitClass::Usage,
        _ => ExitClass::Failed,
    }))
}

/// Every problem of every file.
pub(super) fn stop(errors: &LoadErrors<FetchError>) -> Stop {
    let class = class(errors);
    let reports: Vec<String> = errors.iter().map(|error| error.report().to_string()).collect();
    let text = format!("the DHCP configuration cannot be read:\n{}", reports.join("\n"));
    Stop::with_class(class, escape::lines(&text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_file_is_whole_and_a_failure_is_its_own() {
        let answer = b"a\n\n\nM 0\n\nM 0\ncat: b: No such file or directory\n\nM 1\nc\nM 0\ncut";
        let files = pieces(answer, "M");
        assert_eq!(
            files,
            [
                Ok(b"a\n\n".to_vec()),
                Ok(Vec::new()),
                Err("cat: b: No such file or directory".to_owned()),
                Ok(b"c".to_vec()),
            ]
        );
    }
}
