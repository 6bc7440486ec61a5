//! Virtual media.

use serde_json::Value;

use crate::property::{action, items, text};
use crate::{Account, ResourcePath};

/// A slot for virtual media (schema `VirtualMedia`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Media {
    resource: ResourcePath,
    id: String,
    kinds: Vec<String>,
    inserted: Option<bool>,
    connected: Option<String>,
    image: Option<String>,
    write_protected: Option<bool>,
    pub(crate) insert: Option<ResourcePath>,
    pub(crate) eject: Option<ResourcePath>,
    pub(crate) etag: Option<String>,
}

impl Media {
    pub(crate) fn read(path: &ResourcePath, resource: &Value, etag: Option<String>) -> Self {
        let kinds = items(resource.get("MediaTypes")).iter().filter_map(Value::as_str);
        Self {
            resource: path.clone(),
            id: text(resource, "Id").unwrap_or_else(|| path.id().to_owned()),
            kinds: kinds.map(|kind| crate::excerpt::one_line(kind, 40)).collect(),
            inserted: resource.get("Inserted").and_then(Value::as_bool),
            connected: text(resource, "ConnectedVia"),
            image: text(resource, "Image"),
            write_protected: resource.get("WriteProtected").and_then(Value::as_bool),
            insert: action(resource, "#VirtualMedia.InsertMedia"),
            eject: action(resource, "#VirtualMedia.EjectMedia"),
            etag,
        }
    }

    /// Its resource.
    pub fn resource(&self) -> &ResourcePath {
        &self.resource
    }

    /// `Id`.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// `MediaTypes`: `CD`, `DVD`, `Floppy`, `USBStick`.
    pub fn kinds(&self) -> &[String] {
        &self.kinds
    }

    /// `Image`, unless missing, null or empty.
    pub fn image(&self) -> Option<&str> {
        self.image.as_deref()
    }

    /// `WriteProtected`, where the BMC says so.
    pub fn write_protected(&self) -> Option<bool> {
        self.write_protected
    }

    /// Whether something is inserted. `NotConnected` means no, whatever names are left behind
    /// (Supermicro keeps them after an eject, community.general issue 6969). `None` where the BMC
    /// does not say.
    pub fn is_inserted(&self) -> Option<bool> {
        match (self.inserted, self.connected.as_deref()) {
            (Some(false), _) | (_, Some("NotConnected")) => Some(false),
            (Some(true), _) | (None, Some(_)) => Some(true),
            (None, None) => None,
        }
    }
}

/// An image to be inserted.
#[derive(Clone, Debug)]
pub struct MediaRequest {
    pub(crate) image: String,
    pub(crate) slot: Option<String>,
    pub(crate) account: Option<Account>,
}

impl MediaRequest {
    /// The image at this address (`https://images.example.org/rescue.iso`), in the first free slot
    /// that takes its kind.
    pub fn new(image: impl Into<String>) -> Self {
        Self { image: image.into(), slot: None, account: None }
    }

    /// In the slot of this id.
    #[must_use]
    pub fn in_slot(self, id: impl Into<String>) -> Self {
        Self { slot: Some(id.into()), ..self }
    }

    /// As this account of the server that has the image.
    #[must_use]
    pub fn with_account(self, account: Account) -> Self {
        Self { account: Some(account), ..self }
    }
}
