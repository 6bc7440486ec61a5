//! Changes to links: one script for all of them, one outcome for each.

use std::net::IpAddr;

use crate::arm::Link;
use crate::layout::Layout;
use crate::path::BootPath;
use crate::place::Place;
use crate::report::{Record, reason, records};
use crate::script::{HELD, Script};

/// Changes in the order they were asked for.
///
/// [`Changes::arm`] and [`GrubTree::set`](crate::grub::GrubTree::set) write links, the other
/// constructors remove them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Changes {
    changes: Vec<Change>,
}

/// One link written or removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    pub(crate) place: Place,
    pub(crate) directory: BootPath,
    pub(crate) name: String,
    pub(crate) action: Action,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Action {
    /// Write a link that holds `content`, if `file` is a regular file and `unless` is not there.
    Write { content: String, file: BootPath, unless: Option<BootPath> },
    /// Remove the link, if it holds `only`.
    Remove { only: Option<String> },
}

/// What became of one change.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
#[must_use = "a link whose outcome is not looked at may be armed"]
pub enum Outcome {
    /// Written, or removed.
    Done,
    /// There was nothing to remove. A once link that was written and is absent now has been
    /// consumed: the machine has asked for it.
    Absent,
    /// A link that holds something else is there. It was left alone.
    Replaced {
        /// What it holds, unprintable bytes replaced.
        target: String,
    },
    /// Not done. The place is as it was before.
    Failed {
        /// Why, in one line.
        reason: String,
    },
    /// Not reported: the host was lost on the way. The change may have been made or not; only
    /// reading the link again tells.
    Unknown,
}

impl Change {
    /// Whose link.
    pub fn place(&self) -> Place {
        self.place
    }

    /// Where the link is.
    pub fn path(&self) -> BootPath {
        self.directory.child(&self.name)
    }

    /// What a written link holds; `None` for a removal.
    pub fn target(&self) -> Option<&str> {
        match &self.action {
            Action::Write { content, .. } => Some(content),
            Action::Remove { .. } => None,
        }
    }
}

impl Changes {
    pub(crate) fn new(changes: Vec<Change>) -> Changes {
        Changes { changes }
    }

    /// Removes every link of these clients, once before persistent, whatever it holds.
    pub fn disarm(layout: &Layout, clients: impl IntoIterator<Item = IpAddr>) -> Changes {
        let mut changes = Vec::new();
        for client in clients {
            let client = client.to_canonical();
            for lifetime in layout.lifetimes() {
                if let Some((directory, name)) = layout.link_place(client, *lifetime) {
                    let place = Place::Pxe(client, *lifetime);
                    let action = Action::Remove { only: None };
                    changes.push(Change { place, directory, name, action });
                }
            }
        }
        Changes { changes }
    }

    /// Takes links back that were written before: each is removed only if it still holds the
    /// target it was given. Whoever wrote another one in the meantime keeps it.
    ///
    /// Links of a lifetime the layout has no place for are left out.
    pub fn disarm_links<'a>(layout: &Layout, links: impl IntoIterator<Item = &'a Link>) -> Changes {
        let changes = links.into_iter().filter_map(|link| {
            let client = link.client.to_canonical();
            let (directory, name) = layout.link_place(client, link.lifetime)?;
            let action = Action::Remove { only: Some(link.target.to_string()) };
            Some(Change { place: Place::Pxe(client, link.lifetime), directory, name, action })
        });
        Changes { changes: changes.collect() }
    }

    /// Takes back what these changes write: the links are removed if they still hold what was
    /// written. Removals are left out.
    #[must_use]
    pub fn undo(&self) -> Changes {
        let written = self.changes.iter().filter_map(|change| {
            let only = Some(change.target()?.to_owned());
            Some(Change { action: Action::Remove { only }, ..change.clone() })
        });
        Changes { changes: written.collect() }
    }

    /// The changes, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Change> {
        self.changes.iter()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.changes.len()
    }

    /// True if there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// The script to run as `sh -s` with this text on standard input. It tries every change and
    /// reports each.
    ///
    /// A link is written beside its place under another name and renamed, so that the service
    /// finds the old one or the new one and never half of either. Links are prepared side by
    /// side in a hidden directory that no service looks into, and put in place in order.
    pub fn script(&self) -> String {
        let mut script = Script::new(&[HELD, FUNCTIONS]);
        let writes = self.changes.iter().any(|change| change.target().is_some());
        script.line(if writes { STOP_WHEN_CUT_OFF } else { GO_ON_WHEN_CUT_OFF });
        let mut number = 0;
        for group in self.groups() {
            if matches!(group[0].action, Action::Write { .. }) {
                write_group(&mut script, number, group);
            } else {
                remove_group(&mut script, number, group);
            }
            number += group.len();
        }
        script.finish()
    }

    /// One outcome per change, in order. A change that was not reported is
    /// [`Outcome::Unknown`], whatever the exit status of the script was.
    pub fn parse_report(&self, stdout: &[u8]) -> Vec<Outcome> {
        let mut outcomes = vec![Outcome::Unknown; self.changes.len()];
        let mut reported = vec![false; self.changes.len()];
        for record in records(stdout) {
            let Ok(number) = record.key.parse::<usize>() else { continue };
            let Some(reported) = reported.get_mut(number) else { continue };
            // Two reports of one change contradict each other, or come from two runs.
            outcomes[number] = if *reported { Outcome::Unknown } else { outcome(&record) };
            *reported = true;
        }
        outcomes
    }

    /// Runs of changes of one kind in one directory, short enough for one argument vector.
    fn groups(&self) -> impl Iterator<Item = &[Change]> {
        let alike = |a: &Change, b: &Change| {
            a.directory == b.directory
                && matches!(a.action, Action::Write { .. })
                    == matches!(b.action, Action::Write { .. })
        };
        self.changes.chunk_by(alike).flat_map(|run| run.chunks(GROUP))
    }
}

/// Paths in one `mv` or `rm`: at 4,095 bytes each well below the 2 MiB of Linux.
const GROUP: usize = 256;

fn outcome(record: &Record<'_>) -> Outcome {
    match record.word {
        "done" => Outcome::Done,
        "absent" => Outcome::Absent,
        "replaced" => {
            Outcome::Replaced { target: String::from_utf8_lossy(record.text).into_owned() }
        }
        "failed" => Outcome::Failed { reason: reason(record.text) },
        _ => Outcome::Unknown,
    }
}

fn write_group(script: &mut Script, first: usize, group: &[Change]) {
    script.call("open", [group[0].directory.as_str()]);
    let numbered: Vec<(usize, &Change)> = (first..).zip(group).collect();
    script.side_by_side(&numbered, |script, (number, change)| {
        if let Action::Write { content, file, unless } = &change.action {
            let unless = unless.as_ref().map_or("", BootPath::as_str);
            let number = number.to_string();
            script.call("stage", [&*number, &change.name, content, file.as_str(), unless]);
        }
    });
    script.line("numbers=\nset --");
    for (offset, change) in group.iter().enumerate() {
        let number = (first + offset).to_string();
        script.call("staged", [&*number, &change.name]);
        script.line("[ -z \"$path\" ] || set -- \"$@\" \"$path\"");
    }
    script.line("place \"$@\"");
}

fn remove_group(script: &mut Script, first: usize, group: &[Change]) {
    let of = |offset: usize, change: &Change| {
        let (number, directory) = ((first + offset).to_string(), change.directory.to_string());
        [number, directory, change.path().to_string()]
    };
    // One by one where it depends on what the link holds: only the status of its own `rm` tells a
    // link that was removed from one that the service consumed at the same moment.
    let conditional =
        group.iter().enumerate().filter_map(|(offset, change)| match &change.action {
            Action::Remove { only: Some(only) } => Some((of(offset, change), only)),
            _ => None,
        });
    let conditional: Vec<_> = conditional.collect();
    script.side_by_side(&conditional, |script, (words, only)| {
        script.call("take", words.iter().map(String::as_str).chain([only.as_str()]));
    });
    script.line("numbers=\nset --");
    for (offset, change) in group.iter().enumerate() {
        if matches!(change.action, Action::Remove { only: None }) {
            script.call("removable", of(offset, change).iter().map(String::as_str));
            script.line("[ -z \"$path\" ] || set -- \"$@\" \"$path\"");
        }
    }
    script.line("remove \"$@\"");
}

/// A host that is cut off stops writing links, and finishes removing them.
const STOP_WHEN_CUT_OFF: &str = "trap 'exit 1' HUP INT TERM PIPE";
const GO_ON_WHEN_CUT_OFF: &str = "trap '' HUP PIPE";

/// `open`, `stage`, `staged`, `place` write links; `removable`, `remove` take them away, and `take`
/// one that holds what it should. What is done to many at once is done quietly; what is left then is tried once more, to say why.
const FUNCTIONS: &str = r#"
new= refused=
trap 'close' EXIT
close() {
  [ -z "$new" ] || rm -rf "$new"
  new= refused=
}
open() {
  place=$1
  new=$1/.pxe-links.$$
  refused=$(mkdir -m 700 "$new" 2>&1) || new=
}
stage() {
  if [ -z "$new" ]; then
    say "$1" failed "${refused:-no directory to prepare links in}"
  elif [ -n "$5" ] && { [ -e "$5" ] || [ -L "$5" ]; }; then
    say "$1" failed "there is a persistent link: $5"
  elif [ ! -f "$4" ]; then
    say "$1" failed "the boot path is not a regular file: $4"
  elif [ -e "$place/$2" ] && [ ! -L "$place/$2" ]; then
    say "$1" failed "not a symbolic link: $place/$2"
  elif ln -s "$3" "$new/$2" 2>/dev/null || why=$(ln -s "$3" "$new/$2" 2>&1); then
    :
  else
    say "$1" failed "$why"
  fi
}
staged() {
  path=
  [ -n "$new" ] && [ -L "$new/$2" ] || return 0
  path=$new/$2
  numbers="$numbers $1"
}
place() {
  [ $# -eq 0 ] || mv -f "$@" "$place/" 2>/dev/null
  for number in $numbers; do
    if [ ! -L "$1" ] || why=$(mv -f "$1" "$place/" 2>&1); then say "$number" done ''
    else say "$number" failed "$why"
    fi
    shift
  done
  close
}
absent() {
  if [ -d "$2" ] && [ ! -x "$2" ]; then
    say "$1" failed "cannot look into $2"
  elif [ -d "$2" ] || { [ ! -e "$2" ] && [ ! -L "$2" ] && [ -d "${2%/*}/" ]; }; then
    say "$1" absent ''
  else
    say "$1" failed "not a directory: $2"
  fi
}
removable() {
  path=
  if [ -L "$3" ]; then
    path=$3
    numbers="$numbers $1"
  elif [ -e "$3" ]; then say "$1" failed "not a symbolic link: $3"
  else absent "$1" "$2"
  fi
}
take() {
  if [ -L "$3" ] && held "$3"; then
    if [ "$held" != "$4" ]; then say "$1" replaced "$held"
    elif why=$(rm "$3" 2>&1); then say "$1" done ''
    elif [ -L "$3" ]; then say "$1" failed "$why"
    else absent "$1" "$2"
    fi
  elif [ -L "$3" ]; then say "$1" failed "the link cannot be read: $3"
  elif [ -e "$3" ]; then say "$1" failed "not a symbolic link: $3"
  else absent "$1" "$2"
  fi
}
remove() {
  [ $# -eq 0 ] || rm -f "$@" 2>/dev/null
  for number in $numbers; do
    if [ ! -L "$1" ] || why=$(rm -f "$1" 2>&1); then say "$number" done ''
    else say "$number" failed "$why"
    fi
    shift
  done
}
"#;
