//! Virtual media (`VirtualMedia` schema): inserted by an action or by PATCH of `Image`.

use serde_json::{Map, Value, json};

/// Whether a client may set this when it inserts.
pub(super) fn is_parameter(name: &str) -> bool {
    matches!(
        name,
        "Image"
            | "Inserted"
            | "WriteProtected"
            | "UserName"
            | "Password"
            | "TransferMethod"
            | "TransferProtocolType"
    )
}

/// The members that change when these parameters are given: a null image ejects.
pub(super) fn change(mut parameters: Map<String, Value>, keeps_name: bool) -> Map<String, Value> {
    parameters.remove("Password");
    let Some(image) = parameters.get("Image") else {
        return parameters;
    };
    let Some(image) = image.as_str().filter(|image| !image.is_empty()) else {
        return ejected(keeps_name);
    };
    let name = image.rsplit('/').next().unwrap_or_default();
    let mut members = Map::new();
    members.insert("ImageName".to_owned(), json!(name));
    members.insert("ConnectedVia".to_owned(), json!("URI"));
    members.insert("Inserted".to_owned(), json!(true));
    members.extend(parameters);
    members
}

/// The members of a drive without a medium.
pub(super) fn ejected(keeps_name: bool) -> Map<String, Value> {
    let mut members = Map::new();
    members.insert("Image".to_owned(), Value::Null);
    if !keeps_name {
        members.insert("ImageName".to_owned(), Value::Null);
    }
    members.insert("ConnectedVia".to_owned(), json!("NotConnected"));
    members.insert("Inserted".to_owned(), json!(false));
    members
}
