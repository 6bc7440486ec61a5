//! The `sops` command.

use std::ffi::OsString;
use std::fmt;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::plaintext::Buffer;
use crate::sops::policy::Permitted;
use crate::sops::values::Values;

/// How to run sops: which program, with which key, for how long.
///
/// The document goes in by standard input and comes out by standard output; no file is written and
/// no secret is an argument or a variable. The environment is emptied but for `PATH`, the path of
/// the key file and what [`Sops::passing`] names, so that no variable adds a key, a key service or
/// an option.
#[derive(Debug, Clone)]
pub struct Sops {
    program: PathBuf,
    key: Option<KeyFile>,
    passed: Vec<OsString>,
    timeout: Duration,
}

/// The file with the private key, which sops reads itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyFile {
    /// An age identity file.
    Age(PathBuf),
    /// An OpenSSH private key without a passphrase. sops 3.10 or later.
    Ssh(PathBuf),
}

/// The version of sops.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    /// 3 in 3.11.0.
    pub major: u32,
    /// 11 in 3.11.0.
    pub minor: u32,
    /// 0 in 3.11.0.
    pub patch: u32,
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

/// Why sops did not open a document. What sops printed is repeated only where it failed before it
/// had a key.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SopsError {
    /// The program cannot be run.
    #[error("cannot run {program:?}")]
    Run {
        /// The program.
        program: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It did not end in time and was killed.
    #[error("sops did not answer within {} s and was ended", .timeout.as_secs())]
    Timeout {
        /// How long it was given.
        timeout: Duration,
    },
    /// The key file does not open the document, or cannot be read.
    #[error("no key opens the document: {detail}")]
    NoKey {
        /// What sops says about each key, in one line.
        detail: String,
    },
    /// The document was changed after it was encrypted.
    #[error("the document was changed after it was encrypted")]
    Tampered,
    /// It ended with another failure.
    #[error("sops failed with {status}")]
    Failed {
        /// Its exit status.
        status: ExitStatus,
    },
    /// What it printed is not what it should print.
    #[error("sops printed something unexpected")]
    Output,
}

/// Failures of sops that mean a changed document: 51 MAC mismatch; 25 a value that does not
/// decrypt (sops' exit codes; observed with 3.11).
const TAMPERED: [i32; 2] = [25, 51];
/// The data key could not be had.
const NO_KEY: i32 = 128;

impl Sops {
    /// A program by its name, looked up in `PATH`, or by its path.
    pub fn new(program: impl Into<PathBuf>) -> Sops {
        let timeout = Duration::from_secs(30);
        Sops { program: program.into(), key: None, passed: Vec::new(), timeout }
    }

    /// Lets sops use the key in this file.
    #[must_use]
    pub fn with_key_file(self, key: KeyFile) -> Sops {
        Sops { key: Some(key), ..self }
    }

    /// Hands on variables of this process beside `PATH`, for keys that need them: `HOME` and
    /// `GNUPGHOME` for gpg.
    #[must_use]
    pub fn passing<S: Into<OsString>>(self, variables: impl IntoIterator<Item = S>) -> Sops {
        Sops { passed: variables.into_iter().map(Into::into).collect(), ..self }
    }

    /// Ends sops after this time, 30 s by default.
    #[must_use]
    pub fn with_timeout(self, timeout: Duration) -> Sops {
        Sops { timeout, ..self }
    }

    /// The program.
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// Which version it is.
    pub fn version(&self) -> Result<Version, SopsError> {
        let run = self.run(&["--version", "--disable-version-check"], b"")?;
        if !run.status.success() {
            return Err(SopsError::Failed { status: run.status });
        }
        version(run.stdout.as_slice()).ok_or(SopsError::Output)
    }

    /// Opens the bytes that were inspected.
    pub fn decrypt(&self, document: &Permitted) -> Result<Values, SopsError> {
        // Age first: a key at hand is used before any service is asked.
        let arguments = [
            "decrypt",
            "--decryption-order",
            "age,pgp",
            "--input-type",
            "yaml",
            "--output-type",
            "json",
            "/dev/stdin",
        ];
        let run = self.run(&arguments, document.text())?;
        match run.status.code() {
            Some(0) => {
                Values::read(run.stdout.as_slice(), document.values()).ok_or(SopsError::Output)
            }
            Some(NO_KEY) => Err(SopsError::NoKey { detail: detail(run.stderr.as_slice()) }),
            Some(code) if TAMPERED.contains(&code) => Err(SopsError::Tampered),
            _ => Err(SopsError::Failed { status: run.status }),
        }
    }

    fn run(&self, arguments: &[&str], input: &[u8]) -> Result<Run, SopsError> {
        let failed = |source| self.failed(source);
        let mut command = Command::new(self.located().map_err(failed)?);
        command.args(arguments).env_clear().current_dir("/");
        for name in self.passed.iter().map(OsString::as_os_str).chain(["PATH".as_ref()]) {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        if let Some(key) = &self.key {
            let (variable, path) = match key {
                KeyFile::Age(path) => ("SOPS_AGE_KEY_FILE", path),
                KeyFile::Ssh(path) => ("SOPS_AGE_SSH_PRIVATE_KEY_FILE", path),
            };
            command.env(variable, std::path::absolute(path).map_err(failed)?);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(failed)?;
        let run = self.attend(&mut child, input);
        if run.is_err() {
            // It may have ended by itself; either way nothing of it stays.
            let _ = child.kill();
            let _ = child.wait();
        }
        run
    }

    /// A path is taken from the working directory of this process, as a shell would.
    fn located(&self) -> io::Result<PathBuf> {
        if self.program.components().count() > 1 {
            std::path::absolute(&self.program)
        } else {
            Ok(self.program.clone())
        }
    }

    /// Feeds the program and reads it to its end, no longer than the time it has. The threads are
    /// not waited for: a child of the program that keeps a pipe open holds up nobody.
    fn attend(&self, child: &mut Child, input: &[u8]) -> Result<Run, SopsError> {
        let deadline = Instant::now() + self.timeout;
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(mut stdin), Some(stdout), Some(stderr)) = (stdin, stdout, stderr) else {
            return Err(SopsError::Output);
        };
        let input = input.to_owned();
        thread::spawn(move || {
            // A program that reads no further says why by its status.
            let _ = stdin.write_all(&input);
        });
        let (stdout, stderr) = (collect(stdout), collect(stderr));
        let stdout = self.receive(&stdout, deadline)?;
        let stderr = self.receive(&stderr, deadline)?;
        loop {
            if let Some(status) = child.try_wait().map_err(|source| self.failed(source))? {
                return Ok(Run { status, stdout, stderr });
            }
            if Instant::now() >= deadline {
                return Err(SopsError::Timeout { timeout: self.timeout });
            }
            thread::sleep(Duration::from_millis(1));
        }
    }

    fn receive(&self, output: &Receiver<Output>, deadline: Instant) -> Result<Buffer, SopsError> {
        match output.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(Ok(Some(buffer))) => Ok(buffer),
            Ok(Ok(None)) | Err(RecvTimeoutError::Disconnected) => Err(SopsError::Output),
            Ok(Err(source)) => Err(self.failed(source)),
            Err(RecvTimeoutError::Timeout) => Err(SopsError::Timeout { timeout: self.timeout }),
        }
    }

    fn failed(&self, source: io::Error) -> SopsError {
        SopsError::Run { program: self.program.clone(), source }
    }
}

type Output = io::Result<Option<Buffer>>;

fn collect(pipe: impl io::Read + Send + 'static) -> Receiver<Output> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        // Nobody receives what comes too late; it is wiped with the buffer.
        let _ = sender.send(Buffer::read(pipe));
    });
    receiver
}

struct Run {
    status: ExitStatus,
    stdout: Buffer,
    stderr: Buffer,
}

/// `sops 3.11.0`, and whatever may follow.
fn version(output: &[u8]) -> Option<Version> {
    let text = str::from_utf8(output).ok()?;
    let mut numbers = text.strip_prefix("sops ")?.split_whitespace().next()?.split('.');
    let mut number = || numbers.next()?.parse().ok();
    Some(Version { major: number()?, minor: number()?, patch: number()? })
}

/// What sops says about the keys, in one printable line of bounded length.
fn detail(stderr: &[u8]) -> String {
    let text = String::from_utf8_lossy(stderr);
    let printable = text.chars().map(|c| if c.is_control() || c == '|' { ' ' } else { c });
    let printable: String = printable.collect();
    let words: Vec<&str> = printable.split_whitespace().collect();
    words.join(" ").chars().take(600).collect()
}
