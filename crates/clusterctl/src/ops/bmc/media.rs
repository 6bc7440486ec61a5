//! `bmc media`: images that a service processor shows to its machine as a drive.

use redfish::{Media, MediaRequest};
use serde::Serialize;

use crate::exit::Stop;
use crate::ops::bmc::change::{Change, Done, change, of_change};
use crate::ops::bmc::fan_out;
use crate::ops::bmc::listing::{cell, listing};
use crate::output::{Column, Outcome};
use crate::selection::Selection;
use crate::session::Session;

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    slot: String,
    types: Vec<String>,
    inserted: Option<bool>,
    image: Option<String>,
    write_protected: Option<bool>,
}

/// The slots of every machine.
pub fn media_status(session: &Session, selection: &Selection) -> Result<Outcome, Stop> {
    let credentials = fan_out::credentials(session);
    let connections = fan_out::connections(session, &credentials);
    let answers = fan_out::ask(session, &connections, selection.nodes(), |bmc| {
        Ok(bmc.media()?.iter().map(row).collect::<Vec<_>>())
    });
    let done = selection.names().into_iter().zip(answers).collect();
    Ok(report(&done, "reading the virtual media"))
}

/// Inserts an image at every machine, and reads the slot back.
pub fn insert_media(
    session: &Session,
    selection: Selection,
    image: &str,
    slot: Option<&str>,
) -> Result<Outcome, Stop> {
    let scheme = image.split_once("://").map(|(scheme, _)| scheme);
    if scheme.is_none_or(str::is_empty)
        || image.chars().any(|c| c.is_whitespace() || c.is_control())
    {
        return Err(Stop::usage(format!(
            "{image:?} is no address of an image, such as https://…/x.iso"
        )));
    }
    let mut request = MediaRequest::new(image);
    if let Some(slot) = slot {
        request = request.in_slot(slot);
    }
    let plan = Change::harmless(format!("insert {image} at"));
    let act = |bmc: &redfish::Bmc<_>| slot_of(bmc, bmc.insert_media(&request));
    change(session, selection, plan, act, |done| report(&done, "inserting the image"))
}

/// Ejects what is inserted at every machine, and reads the slot back.
pub fn eject_media(
    session: &Session,
    selection: Selection,
    slot: Option<&str>,
) -> Result<Outcome, Stop> {
    let plan = Change::harmless("eject the virtual media of");
    let act = |bmc: &redfish::Bmc<_>| slot_of(bmc, bmc.eject_media(slot));
    change(session, selection, plan, act, |done| report(&done, "ejecting the image"))
}

fn slot_of<T: redfish::Transport>(
    bmc: &redfish::Bmc<T>,
    result: Result<redfish::Change<Media>, redfish::Error>,
) -> Result<Vec<Row>, crate::cause::Cause> {
    let shown = |media: &Media| match media.image() {
        Some(image) => format!("slot {} reads back {image}", media.id()),
        None => format!("slot {} reads back empty", media.id()),
    };
    of_change(bmc, result, shown).map(|media| vec![row(&media)])
}

fn report(done: &Done<Vec<Row>>, doing: &str) -> Outcome {
    let columns = [
        Column::new("SLOT"),
        Column::new("TYPES"),
        Column::new("INSERTED"),
        Column::new("IMAGE"),
        Column::wide("WRITE PROTECTED"),
    ];
    let word = |value: Option<bool>| match value {
        Some(true) => "yes".to_owned(),
        Some(false) => "no".to_owned(),
        None => "unknown".to_owned(),
    };
    listing(done, doing, &columns, |row| {
        vec![
            row.slot.clone(),
            row.types.join(","),
            word(row.inserted),
            cell(row.image.as_ref()),
            word(row.write_protected),
        ]
    })
}

fn row(media: &Media) -> Row {
    Row {
        slot: media.id().to_owned(),
        types: media.kinds().to_vec(),
        inserted: media.is_inserted(),
        image: media.image().map(str::to_owned),
        write_protected: media.write_protected(),
    }
}
