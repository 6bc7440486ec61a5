//! Which slot takes an image, and what is sent to insert and to eject it.

use serde_json::{Map, Value, json};

use crate::{ErrorKind, Media, MediaRequest, Message, quirk};

/// Sent once, and again after refusals that each name one property.
pub(crate) const MOST_WRITES: usize = 3;

/// The slot for an image.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Slot<'a> {
    Free(&'a Media),
    /// The image is there already.
    Holds(&'a Media),
}

/// The slot that is named, or the first free one that takes the kind of the image.
///
/// Slots with an insert action go before those that are patched; of Lenovo's, that have none, the
/// external ones (`EXT1` to `EXT4`) take images from a server.
pub(crate) fn slot<'a>(all: &'a [Media], request: &MediaRequest) -> Result<Slot<'a>, ErrorKind> {
    let holds = |media: &Media| {
        media.is_inserted() == Some(true) && media.image() == Some(request.image.as_str())
    };
    if let Some(wanted) = &request.slot {
        let media = named(all, wanted)?;
        return match media.is_inserted() {
            _ if holds(media) => Ok(Slot::Holds(media)),
            Some(true) => Err(ErrorKind::MediaInUse { slot: media.id().to_owned() }),
            _ => Ok(Slot::Free(media)),
        };
    }
    if let Some(media) = all.iter().find(|media| holds(media)) {
        return Ok(Slot::Holds(media));
    }
    let kinds = kinds(&request.image);
    let takes = |media: &&Media| {
        media.is_inserted() != Some(true)
            && media.kinds().iter().any(|kind| kinds.contains(&kind.as_str()))
    };
    let rank = |media: &&Media| {
        let is_external = media.id().starts_with("EXT");
        (media.insert.is_none(), !is_external, media.is_inserted().is_none())
    };
    let free = all.iter().filter(takes).min_by_key(rank);
    free.map(Slot::Free).ok_or_else(|| ErrorKind::NoFreeMedia { slots: ids(all) })
}

/// The slot to eject: the one that is named, or the only one with something in it. Nothing where
/// none has.
pub(crate) fn occupied<'a>(
    all: &'a [Media],
    wanted: Option<&str>,
) -> Result<Option<&'a Media>, ErrorKind> {
    if let Some(wanted) = wanted {
        let media = named(all, wanted)?;
        return Ok(Some(media).filter(|media| media.is_inserted() != Some(false)));
    }
    let mut inserted = all.iter().filter(|media| media.is_inserted() == Some(true));
    match (inserted.next(), inserted.next()) {
        (only, None) => Ok(only),
        (Some(first), Some(second)) => {
            let slots = [first, second].into_iter().chain(inserted);
            Err(ErrorKind::SeveralMedia { slots: slots.map(|it| it.id().to_owned()).collect() })
        }
        (None, Some(_)) => Ok(None),
    }
}

pub(crate) fn named<'a>(all: &'a [Media], wanted: &str) -> Result<&'a Media, ErrorKind> {
    all.iter()
        .find(|media| media.id() == wanted)
        .ok_or_else(|| ErrorKind::NoSuchMedia { wanted: wanted.to_owned(), offered: ids(all) })
}

fn ids(all: &[Media]) -> Vec<String> {
    all.iter().map(|media| media.id().to_owned()).collect()
}

/// What an image is put in as: by its name a disk image is a stick, anything else a disc.
fn kinds(image: &str) -> &'static [&'static str] {
    let path = image.split(['?', '#']).next().unwrap_or(image);
    let ending = path.rsplit('.').next().unwrap_or_default();
    if ending.eq_ignore_ascii_case("img") { &["USBStick", "Floppy"] } else { &["CD", "DVD"] }
}

/// Insert: the image alone. What else is needed the BMC says; the schema has defaults for all of it.
pub(crate) fn insert_body(media: &Media, request: &MediaRequest) -> Map<String, Value> {
    let mut body = Map::new();
    body.insert("Image".to_owned(), json!(request.image));
    // Where there is no action the property itself is set.
    if media.insert.is_none() {
        body.insert("Inserted".to_owned(), json!(true));
    }
    if let Some(account) = &request.account {
        body.extend(account.session_request().as_object().cloned().unwrap_or_default());
    }
    body
}

/// Eject: an action without parameters, or the properties set back.
pub(crate) fn eject_body(media: &Media) -> Map<String, Value> {
    let mut body = Map::new();
    if media.eject.is_none() {
        body.insert("Image".to_owned(), Value::Null);
        body.insert("Inserted".to_owned(), json!(false));
    }
    body
}

/// The body put right after a refusal: with the transfer protocol or method that is missed, or
/// without the property that is not writable. Nothing where the refusal says neither.
pub(crate) fn amended(
    body: &Map<String, Value>,
    messages: &[Message],
) -> Option<Map<String, Value>> {
    let is_missed = |name: &str| {
        let is_about = |m: &&Message| m.is_about(name) && m.key().contains("Missing");
        !body.contains_key(name) && messages.iter().any(|message| is_about(&message))
    };
    let image = body.get("Image").and_then(Value::as_str);
    let mut amended = body.clone();
    if let (true, Some(protocol)) = (is_missed("TransferProtocolType"), image.and_then(protocol)) {
        amended.insert("TransferProtocolType".to_owned(), json!(protocol));
    }
    if is_missed("TransferMethod") {
        amended.insert("TransferMethod".to_owned(), json!("Stream"));
    }
    let refuses = |m: &Message| {
        (quirk::is_not_writable(m) || m.key() == "PropertyUnknown") && m.is_about("Inserted")
    };
    if messages.iter().any(refuses) {
        amended.remove("Inserted");
    }
    (amended != *body).then_some(amended)
}

/// `TransferProtocolType` of an address.
fn protocol(image: &str) -> Option<&'static str> {
    let (scheme, _) = image.split_once("://")?;
    Some(match scheme.to_ascii_lowercase().as_str() {
        "http" => "HTTP",
        "https" => "HTTPS",
        "nfs" => "NFS",
        "cifs" | "smb" => "CIFS",
        "ftp" => "FTP",
        "sftp" => "SFTP",
        "scp" => "SCP",
        "tftp" => "TFTP",
        _ => return None,
    })
}
