//! Which links may be written, judged by what is there.

use std::collections::HashMap;
use std::net::IpAddr;

use thiserror::Error;

use crate::changes::{Action, Change, Changes};
use crate::layout::{Layout, Lifetime};
use crate::path::BootPath;
use crate::place::{Entry, Place, Target};
use crate::reading::Present;

/// A link somebody wants.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Link {
    /// The client's address.
    pub client: IpAddr,
    /// How long it lives.
    pub lifetime: Lifetime,
    /// What the client shall load.
    pub target: BootPath,
}

/// What to do with a once link whose client has a persistent one as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UnderPersistent {
    /// Refuse it: once its one request is served, the machine boots whatever the persistent link
    /// says, at every boot, which nobody confirmed.
    Refuse,
    /// Write it; the persistent link was asked for.
    Allow,
}

/// Why a link is not written.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Conflict {
    /// Two links for one place: one would be lost.
    #[error("{client} is the address of two clients")]
    SameAddress {
        /// The address.
        client: IpAddr,
        /// Where in the list the first of them is.
        first: usize,
        /// Where in the list the second of them is.
        second: usize,
    },
    /// A once link was asked for and a persistent entry is there.
    #[error("{client} has a persistent link")]
    UnderPersistent {
        /// The client.
        client: IpAddr,
        /// What is there.
        persistent: Entry,
    },
    /// Something that is not a symbolic link is at the link's place.
    #[error("{path:?} is there and is not a symbolic link")]
    NotALink {
        /// The client.
        client: IpAddr,
        /// The link's place.
        path: String,
    },
    /// The boot path is not a regular file.
    #[error("the boot path {target:?} is {found}")]
    Target {
        /// The client.
        client: IpAddr,
        /// The boot path.
        target: BootPath,
        /// What it is.
        found: Target,
    },
    /// The layout has no place for a link of this lifetime.
    #[error("there is no place for a persistent link of {client}")]
    NoPlace {
        /// The client.
        client: IpAddr,
    },
    /// What is there was not read, so nothing can be promised.
    #[error("nothing was read about {client} or its boot path")]
    NotRead {
        /// The client.
        client: IpAddr,
    },
}

impl Conflict {
    /// The client it is about.
    pub fn client(&self) -> IpAddr {
        match self {
            Conflict::SameAddress { client, .. }
            | Conflict::UnderPersistent { client, .. }
            | Conflict::NotALink { client, .. }
            | Conflict::Target { client, .. }
            | Conflict::NoPlace { client }
            | Conflict::NotRead { client } => *client,
        }
    }
}

/// No link is planned, because of these. At least one.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}", summary(.conflicts))]
pub struct Refused {
    conflicts: Vec<Conflict>,
}

impl Refused {
    /// Every conflict, in the order of the wanted links.
    pub fn conflicts(&self) -> &[Conflict] {
        &self.conflicts
    }
}

fn summary(conflicts: &[Conflict]) -> String {
    match conflicts {
        [] => "nothing is refused".to_owned(),
        [one] => one.to_string(),
        [first, rest @ ..] => format!("{first}, and {} more", rest.len()),
    }
}

impl Changes {
    /// Plans the links in the order given, all of them or none.
    ///
    /// The script asks the two questions that can change between reading and writing once more
    /// (is the boot path a file, is there a persistent link), for each link on its own.
    pub fn arm(
        layout: &Layout,
        wanted: &[Link],
        present: &Present,
        under_persistent: UnderPersistent,
    ) -> Result<Changes, Refused> {
        let mut seen: HashMap<Place, usize> = HashMap::new();
        let mut changes = Vec::with_capacity(wanted.len());
        let mut conflicts = Vec::new();
        for (position, link) in wanted.iter().enumerate() {
            let client = link.client.to_canonical();
            if let Some(first) = seen.insert(Place::Pxe(client, link.lifetime), position) {
                conflicts.push(Conflict::SameAddress { client, first, second: position });
                continue;
            }
            match judge(layout, client, link, present, under_persistent) {
                Ok(change) => changes.push(change),
                Err(conflict) => conflicts.push(conflict),
            }
        }
        if under_persistent == UnderPersistent::Refuse {
            conflicts.extend(wanted_under_persistent(wanted));
        }
        if conflicts.is_empty() { Ok(Changes::new(changes)) } else { Err(Refused { conflicts }) }
    }
}

fn judge(
    layout: &Layout,
    client: IpAddr,
    link: &Link,
    present: &Present,
    under_persistent: UnderPersistent,
) -> Result<Change, Conflict> {
    let place = Place::Pxe(client, link.lifetime);
    let (directory, name) =
        layout.link_place(client, link.lifetime).ok_or(Conflict::NoPlace { client })?;
    match present.entry(place).ok_or(Conflict::NotRead { client })? {
        Entry::None | Entry::Link(_) => {}
        Entry::NotALink => {
            let path = directory.child(&name).to_string();
            return Err(Conflict::NotALink { client, path });
        }
    }
    let mut unless = None;
    if link.lifetime == Lifetime::Once && under_persistent == UnderPersistent::Refuse {
        unless = layout.link_path(client, Lifetime::Persistent);
        if unless.is_some() {
            let persistent = present.entry(Place::Pxe(client, Lifetime::Persistent));
            let persistent = persistent.ok_or(Conflict::NotRead { client })?;
            if *persistent != Entry::None {
                let persistent = persistent.clone();
                return Err(Conflict::UnderPersistent { client, persistent });
            }
        }
    }
    match present.target(&link.target).ok_or(Conflict::NotRead { client })? {
        Target::File => {}
        found => return Err(Conflict::Target { client, target: link.target.clone(), found }),
    }
    let content = link.target.to_string();
    let action = Action::Write { content, file: link.target.clone(), unless };
    Ok(Change { place, directory, name, action })
}

/// Once links whose client gets a persistent link by the same list.
fn wanted_under_persistent(wanted: &[Link]) -> impl Iterator<Item = Conflict> {
    let of = |lifetime| move |link: &&Link| link.lifetime == lifetime;
    let persistent: HashMap<IpAddr, &Link> = wanted
        .iter()
        .filter(of(Lifetime::Persistent))
        .map(|link| (link.client.to_canonical(), link))
        .collect();
    wanted.iter().filter(of(Lifetime::Once)).filter_map(move |once| {
        let client = once.client.to_canonical();
        let persistent = Entry::Link(persistent.get(&client)?.target.to_string().into_bytes());
        Some(Conflict::UnderPersistent { client, persistent })
    })
}
