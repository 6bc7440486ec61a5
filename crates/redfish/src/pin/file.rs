//! Pins in a file.

use std::collections::BTreeMap;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use super::{Fingerprint, PinError, PinStore};
use crate::Endpoint;

/// A [`PinStore`] in one file of lines `HOST sha256:FINGERPRINT`.
///
/// Changes are made under a lock (a file beside it with the suffix `.lock`), so that programs may
/// share it: a first contact appends its line, forgetting replaces the file whole. The file is
/// readable for its owner only. A line that was cut off, by a crash of the machine, refuses every
/// certificate until it is removed by hand.
#[derive(Debug)]
pub struct FilePins {
    path: PathBuf,
    /// Pins of first contacts of this process, in order; with `keep` unset they are nowhere else.
    first_contacts: Mutex<Vec<(Endpoint, Fingerprint)>>,
    keep: bool,
    /// The file as last read: thousands of handshakes ask for it.
    cache: Mutex<Option<(Stamp, Pins)>>,
}

type Pins = BTreeMap<String, Fingerprint>;

/// Tells one content of the file from another; every change makes a new file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    modified: Option<SystemTime>,
    length: u64,
    inode: u64,
}

impl FilePins {
    /// Pins in this file, which the first contact creates along with its directory.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            first_contacts: Mutex::default(),
            keep: true,
            cache: Mutex::default(),
        }
    }

    /// Pins of this file for a rehearsal: a first contact is remembered by this value alone and
    /// the file is not written.
    pub fn read_only(path: impl Into<PathBuf>) -> Self {
        let mut pins = Self::new(path);
        pins.keep = false;
        pins
    }

    /// Where the pins are.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The certificates this value recorded, in the order of the first contacts.
    pub fn first_contacts(&self) -> Vec<(Endpoint, Fingerprint)> {
        self.contacts().clone()
    }

    /// All pins, by endpoint as printed.
    pub fn pins(&self) -> Result<BTreeMap<String, Fingerprint>, PinError> {
        self.with_pins(Clone::clone)
    }

    /// Removes the pin of a BMC and gives it, if there was one. In a rehearsal it is only given.
    pub fn forget(&self, endpoint: &Endpoint) -> Result<Option<Fingerprint>, PinError> {
        if !self.keep || !self.path.exists() {
            return self.recorded(endpoint);
        }
        let _lock = self.lock()?;
        let mut pins = read(&self.path)?;
        let removed = pins.remove(&endpoint.to_string());
        if removed.is_some() {
            self.replace(&pins)?;
        }
        Ok(removed)
    }

    fn with_pins<R>(&self, look: impl FnOnce(&Pins) -> R) -> Result<R, PinError> {
        let first = self.refresh(&mut self.cache());
        // The file's lock is always taken before the cache's.
        let _lock = match first {
            // Another program may be in the middle of appending a line.
            Err(PinError::Malformed { .. }) if self.keep => Some(self.lock()?),
            _ => None,
        };
        let mut cache = self.cache();
        self.refresh(&mut cache)?;
        let none = Pins::new();
        Ok(look(cache.as_ref().map_or(&none, |(_, pins)| pins)))
    }

    /// Reads the file unless the cache holds it; without a file the cache is empty.
    fn refresh(&self, cache: &mut Option<(Stamp, Pins)>) -> Result<(), PinError> {
        let stamp = match std::fs::metadata(&self.path) {
            Ok(metadata) => Stamp::of(&metadata),
            Err(missing) if missing.kind() == io::ErrorKind::NotFound => {
                *cache = None;
                return Ok(());
            }
            Err(source) => return Err(PinError::Io { action: "read", source }),
        };
        if cache.as_ref().is_none_or(|(cached, _)| *cached != stamp) {
            *cache = Some((stamp, read(&self.path)?));
        }
        Ok(())
    }

    /// Adds a line. It is not synced here: handshakes of other BMCs wait meanwhile.
    fn append(&self, endpoint: &Endpoint, pin: &Fingerprint) -> Result<Stamp, PinError> {
        let write = || -> io::Result<Stamp> {
            let mut options = OpenOptions::new();
            let mut file =
                private(options.read(true).append(true).create(true)).open(&self.path)?;
            let length = file.metadata()?.len();
            let mut last = [b'\n'];
            if length > 0 {
                file.seek(SeekFrom::Start(length - 1))?;
                file.read_exact(&mut last)?;
            }
            let start = if last == [b'\n'] { "" } else { "\n" };
            file.write_all(format!("{start}{endpoint} sha256:{pin}\n").as_bytes())?;
            Ok(Stamp::of(&file.metadata()?))
        };
        write().map_err(|source| PinError::Io { action: "written", source })
    }

    fn cache(&self) -> MutexGuard<'_, Option<(Stamp, Pins)>> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn contacts(&self) -> MutexGuard<'_, Vec<(Endpoint, Fingerprint)>> {
        self.first_contacts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The lock ends when the file is closed.
    fn lock(&self) -> Result<File, PinError> {
        let failed = |source| PinError::Io { action: "locked", source };
        let mut name = self.path.clone().into_os_string();
        name.push(".lock");
        let file =
            private(OpenOptions::new().write(true).create(true)).open(name).map_err(failed)?;
        file.lock().map_err(failed)?;
        Ok(file)
    }

    fn replace(&self, pins: &Pins) -> Result<(), PinError> {
        let mut name = self.path.clone().into_os_string();
        name.push(".new");
        let write = || -> io::Result<()> {
            let mut options = OpenOptions::new();
            let mut file = private(options.write(true).create(true).truncate(true)).open(&name)?;
            for (host, fingerprint) in pins {
                writeln!(file, "{host} sha256:{fingerprint}")?;
            }
            file.sync_all()?;
            std::fs::rename(&name, &self.path)
        };
        write().map_err(|source| PinError::Io { action: "written", source })
    }
}

impl PinStore for FilePins {
    fn recorded(&self, endpoint: &Endpoint) -> Result<Option<Fingerprint>, PinError> {
        let pin = self.with_pins(|pins| pins.get(&endpoint.to_string()).copied())?;
        if pin.is_some() || self.keep {
            return Ok(pin);
        }
        Ok(self.contacts().iter().find(|(known, _)| known == endpoint).map(|(_, pin)| *pin))
    }

    fn record(&self, endpoint: &Endpoint, seen: &Fingerprint) -> Result<Fingerprint, PinError> {
        if !self.keep {
            let mut contacts = self.contacts();
            if let Some((_, pin)) = contacts.iter().find(|(known, _)| known == endpoint) {
                return Ok(*pin);
            }
            contacts.push((endpoint.clone(), *seen));
            return Ok(*seen);
        }
        if let Some(directory) = self.path.parent() {
            std::fs::create_dir_all(directory)
                .map_err(|source| PinError::Io { action: "written", source })?;
        }
        let _lock = self.lock()?;
        let mut cache = self.cache();
        self.refresh(&mut cache)?;
        let pin = cache.as_ref().and_then(|(_, pins)| pins.get(&endpoint.to_string()));
        if let Some(pin) = pin {
            return Ok(*pin);
        }
        let stamp = self.append(endpoint, seen)?;
        let mut pins = cache.take().map(|(_, pins)| pins).unwrap_or_default();
        pins.insert(endpoint.to_string(), *seen);
        *cache = Some((stamp, pins));
        self.contacts().push((endpoint.clone(), *seen));
        Ok(*seen)
    }
}

impl Drop for FilePins {
    /// What was appended reaches the disk.
    fn drop(&mut self) {
        if self.keep && !self.contacts().is_empty() {
            // The pins are in the file either way; only a crash of the machine could lose them.
            let _synced = File::open(&self.path).and_then(|file| file.sync_data());
        }
    }
}

fn read(path: &Path) -> Result<Pins, PinError> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(missing) if missing.kind() == io::ErrorKind::NotFound => return Ok(Pins::new()),
        Err(source) => return Err(PinError::Io { action: "read", source }),
    };
    let mut pins = Pins::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let malformed = || PinError::Malformed { line: index + 1 };
        let (host, fingerprint) = line.split_once(" sha256:").ok_or_else(malformed)?;
        let host: Endpoint = host.parse().map_err(|_| malformed())?;
        let pin = fingerprint.parse().map_err(|_| malformed())?;
        pins.insert(host.to_string(), pin);
    }
    Ok(pins)
}

impl Stamp {
    fn of(metadata: &Metadata) -> Self {
        #[cfg(unix)]
        let inode = std::os::unix::fs::MetadataExt::ino(metadata);
        #[cfg(not(unix))]
        let inode = 0;
        Self { modified: metadata.modified().ok(), length: metadata.len(), inode }
    }
}

fn private(options: &mut OpenOptions) -> &OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}
