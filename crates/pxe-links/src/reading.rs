//! What is on the host before anything is changed.

use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;

use thiserror::Error;

use crate::layout::Layout;
use crate::path::BootPath;
use crate::place::{Entry, Place, Target};
use crate::report::{END, reason, records};
use crate::script::{HELD, Script};

/// A question to the host: which links are there, and what are these boot paths?
///
/// One script asks for everything, so that one session suffices.
#[derive(Debug, Clone)]
pub struct Reading {
    /// The directories the answer depends on. A missing one below `root` holds no links.
    pub(crate) root: BootPath,
    pub(crate) scope: Scope,
    pub(crate) targets: Vec<(BootPath, Option<BootPath>)>,
}

#[derive(Debug, Clone)]
pub(crate) enum Scope {
    These(Vec<(Place, BootPath, String)>),
    All(Layout),
}

/// Why nothing is known. A partial answer is no answer: a link that was not seen may be there.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The output ends before the script did, or is not that of this script.
    #[error("the host stopped before it had reported every link")]
    Incomplete,
    /// A directory of links cannot be looked into.
    #[error("the directory {path:?} of links cannot be read: {reason}")]
    Directory {
        /// The directory.
        path: String,
        /// What the host says about it.
        reason: String,
    },
}

impl Reading {
    /// Asks for every link the layout has a place for, of exactly these clients.
    pub fn of(layout: &Layout, clients: impl IntoIterator<Item = IpAddr>) -> Reading {
        let clients = clients.into_iter().map(|client| client.to_canonical());
        let places = clients
            .flat_map(|client| layout.lifetimes().iter().map(move |lifetime| (client, *lifetime)))
            .filter_map(|(client, lifetime)| {
                let (directory, name) = layout.link_place(client, lifetime)?;
                Some((Place::Pxe(client, lifetime), directory, name))
            });
        Reading::places(layout.root(), places.collect())
    }

    /// Asks for every link there is, whoever's it may be.
    pub fn all(layout: &Layout) -> Reading {
        let root = layout.root().clone();
        Reading { root, scope: Scope::All(layout.clone()), targets: Vec::new() }
    }

    pub(crate) fn places(root: &BootPath, mut places: Vec<(Place, BootPath, String)>) -> Reading {
        let mut seen = BTreeSet::new();
        places.retain(|(place, ..)| seen.insert(*place));
        Reading { root: root.clone(), scope: Scope::These(places), targets: Vec::new() }
    }

    /// Asks as well what these boot paths are; each is asked about once.
    #[must_use]
    pub fn with_targets(self, targets: impl IntoIterator<Item = BootPath>) -> Reading {
        self.with_targets_within(targets.into_iter().map(|target| (target, None)))
    }

    pub(crate) fn with_targets_within(
        mut self,
        targets: impl IntoIterator<Item = (BootPath, Option<BootPath>)>,
    ) -> Reading {
        let mut seen: BTreeSet<_> = self.targets.iter().map(|(path, _)| path.clone()).collect();
        for (path, root) in targets {
            if seen.insert(path.clone()) {
                self.targets.push((path, root));
            }
        }
        self
    }

    /// The script to run as `sh -s` with this text on standard input.
    pub fn script(&self) -> String {
        let mut script = Script::new(&[HELD, FUNCTIONS]);
        let root = self.root.as_str();
        match &self.scope {
            Scope::These(places) => {
                let directories: BTreeSet<_> = places.iter().map(|place| &place.1).collect();
                for directory in directories {
                    script.call("room", [root, directory.as_str()]);
                }
                let numbered: Vec<_> = places.iter().enumerate().collect();
                script.side_by_side(&numbered, |script, (number, (_, directory, name))| {
                    script.call("look", [&*number.to_string(), directory.child(name).as_str()]);
                });
            }
            Scope::All(layout) => {
                for (number, directory) in directories(layout).iter().enumerate() {
                    script.call("room", [root, directory.as_str()]);
                    script.call("list", [&*number.to_string(), directory.as_str()]);
                }
            }
        }
        let first = self.first_target();
        for (number, (path, within)) in self.targets.iter().enumerate() {
            let within = within.as_ref().map_or("", BootPath::as_str);
            script.call("check", [&*(first + number).to_string(), path.as_str(), within]);
        }
        script.finish()
    }

    /// What the script found.
    pub fn parse(&self, stdout: &[u8]) -> Result<Present, ReadError> {
        let records = records(stdout);
        if let Some(record) = records.iter().find(|record| record.key == "room") {
            let text = String::from_utf8_lossy(record.text).into_owned();
            let reason = reason(record.word.replace('-', " ").as_bytes());
            return Err(ReadError::Directory { path: text, reason });
        }
        if records.last().is_none_or(|record| record.key != END) {
            return Err(ReadError::Incomplete);
        }
        let mut found: Vec<(usize, &str, &[u8])> = Vec::new();
        for record in &records[..records.len() - 1] {
            let number = record.key.parse().map_err(|_| ReadError::Incomplete)?;
            found.push((number, record.word, record.text));
        }
        let first = self.first_target();
        let targets = found.iter().filter(|(number, ..)| *number >= first);
        let links = found.iter().filter(|(number, ..)| *number < first);
        Ok(Present {
            complete: matches!(self.scope, Scope::All(_)),
            entries: self.entries(links)?,
            targets: self.target_kinds(first, targets)?,
        })
    }

    /// Targets are numbered from here: behind the places, or behind the directories of a listing.
    fn first_target(&self) -> usize {
        match &self.scope {
            Scope::These(places) => places.len(),
            Scope::All(layout) => directories(layout).len(),
        }
    }

    fn entries<'a>(
        &self,
        found: impl Iterator<Item = &'a (usize, &'a str, &'a [u8])>,
    ) -> Result<BTreeMap<Place, Entry>, ReadError> {
        let mut entries = BTreeMap::new();
        match &self.scope {
            Scope::These(places) => {
                for (number, word, text) in found {
                    let (place, ..) = places.get(*number).ok_or(ReadError::Incomplete)?;
                    entries.insert(*place, entry(word, text).ok_or(ReadError::Incomplete)?);
                }
                if entries.len() != places.len() {
                    return Err(ReadError::Incomplete);
                }
            }
            Scope::All(layout) => {
                let directories = directories(layout);
                for (number, word, text) in found {
                    let directory = directories.get(*number).ok_or(ReadError::Incomplete)?;
                    let slash = text.iter().position(|byte| *byte == b'/');
                    let (name, target) = text.split_at(slash.ok_or(ReadError::Incomplete)?);
                    let entry = entry(word, &target[1..]).ok_or(ReadError::Incomplete)?;
                    if let Some(place) = owner(layout, directory, name) {
                        entries.insert(place, entry);
                    }
                }
            }
        }
        Ok(entries)
    }

    fn target_kinds<'a>(
        &self,
        first: usize,
        found: impl Iterator<Item = &'a (usize, &'a str, &'a [u8])>,
    ) -> Result<BTreeMap<BootPath, Target>, ReadError> {
        let mut targets = BTreeMap::new();
        for (number, word, _) in found {
            let (path, _) = self.targets.get(*number - first).ok_or(ReadError::Incomplete)?;
            let kind = match *word {
                "file" => Target::File,
                "missing" => Target::Missing,
                "other" => Target::NotAFile,
                "outside" => Target::Outside,
                _ => return Err(ReadError::Incomplete),
            };
            targets.insert(path.clone(), kind);
        }
        if targets.len() == self.targets.len() { Ok(targets) } else { Err(ReadError::Incomplete) }
    }
}

/// The directories a listing looks into, one for a layout that tells lifetimes by name.
pub(crate) fn directories(layout: &Layout) -> Vec<BootPath> {
    let each = layout.lifetimes().iter().filter_map(|lifetime| layout.directory(*lifetime));
    each.collect::<BTreeSet<_>>().into_iter().collect()
}

fn entry(word: &str, text: &[u8]) -> Option<Entry> {
    match word {
        "none" => Some(Entry::None),
        "link" => Some(Entry::Link(text.to_vec())),
        "other" => Some(Entry::NotALink),
        _ => None,
    }
}

/// Whose place an entry of this directory is, if anyone's.
pub(crate) fn owner(layout: &Layout, directory: &BootPath, name: &[u8]) -> Option<Place> {
    let name = str::from_utf8(name).ok()?;
    layout.lifetimes().iter().rev().find_map(|lifetime| {
        let here = layout.directory(*lifetime).as_ref() == Some(directory);
        let client = here.then(|| layout.owner(*lifetime, name)).flatten()?;
        Some(Place::Pxe(client, *lifetime))
    })
}

/// What was found. It knows what it was asked for: a place outside the question is not `None`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Present {
    pub(crate) complete: bool,
    pub(crate) entries: BTreeMap<Place, Entry>,
    pub(crate) targets: BTreeMap<BootPath, Target>,
}

impl Present {
    /// What is at a place; `None` if it was not asked about.
    pub fn entry(&self, place: Place) -> Option<&Entry> {
        let place = match place {
            Place::Pxe(client, lifetime) => Place::Pxe(client.to_canonical(), lifetime),
            grub @ Place::Grub(_) => grub,
        };
        let unasked = if self.complete { Some(&Entry::None) } else { None };
        self.entries.get(&place).or(unasked)
    }

    /// Every place at which something is, by address.
    pub fn entries(&self) -> impl Iterator<Item = (Place, &Entry)> {
        let there = |(_, entry): &(&Place, &Entry)| **entry != Entry::None;
        self.entries.iter().filter(there).map(|(place, entry)| (*place, entry))
    }

    /// What a boot path is; `None` if it was not asked about.
    pub fn target(&self, path: &BootPath) -> Option<Target> {
        self.targets.get(path).copied()
    }
}

/// `room` ends the script where links could be overlooked; `look`, `list` and `check` report a
/// place, a directory's entries and a boot path.
const FUNCTIONS: &str = r#"
blind() { say room "$1" "$2"; exit 0; }
room() {
  [ -d "$1" ] || blind not-a-directory "$1"
  [ -x "$1" ] || blind not-searchable "$1"
  if [ -d "$2" ]; then
    [ -x "$2" ] || blind not-searchable "$2"
    [ -r "$2" ] || blind not-readable "$2"
  elif [ -e "$2" ] || [ -L "$2" ]; then
    blind not-a-directory "$2"
  fi
}
look() {
  if [ -L "$2" ] && held "$2"; then say "$1" link "$held"
  elif [ -L "$2" ]; then blind a-link-cannot-be-read "$2"
  elif [ -e "$2" ]; then say "$1" other ''
  else say "$1" none ''
  fi
}
list() {
  for path in "$2"/*; do
    case ${path##*/} in [0-9a-fA-F:]*) ;; *) continue ;; esac
    if [ -L "$path" ] && held "$path"; then say "$1" link "${path##*/}/$held"
    elif [ -L "$path" ]; then blind a-link-cannot-be-read "$path"
    elif [ -e "$path" ]; then say "$1" other "${path##*/}/"
    fi
  done
}
real() {
  real=$(readlink -f "$1" && printf .) || return 1
  real=${real%?.}
}
inside() {
  real "$2" && root=${real%/} && real "$1" || return 1
  case $real in "$root"/*) return 0 ;; esac
  return 1
}
check() {
  if [ -f "$2" ]; then
    if [ -z "$3" ] || inside "$2" "$3"; then say "$1" file ''; else say "$1" outside ''; fi
  elif [ -e "$2" ]; then say "$1" other ''
  else say "$1" missing ''
  fi
}
"#;
