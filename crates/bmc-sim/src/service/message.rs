//! Error bodies (DSP0266, "Error responses"; Base message registry).

use serde_json::{Value, json};

use crate::http::Response;
use crate::rules::ErrorShape;

/// An error response with one message of the Base registry, or of a vendor's own (`Ami.1.0.…`).
pub(crate) fn refusal(status: u16, id: &str, message: &str, args: &[&str]) -> Response {
    Response::json(status, &body(id, message, args, "Critical"))
}

impl Response {
    /// A refusal in the form this BMC writes them.
    pub(super) fn in_shape(self, shape: ErrorShape) -> Self {
        if self.status < 400 || shape == ErrorShape::Standard {
            return self;
        }
        let Ok(mut body) = serde_json::from_slice::<Value>(&self.body) else { return self };
        let Some(mut message) = body.pointer_mut("/error/@Message.ExtendedInfo/0").map(Value::take)
        else {
            return self;
        };
        match (shape, &mut message) {
            (ErrorShape::Messages, Value::Object(members)) => {
                let id = members.remove("MessageId").unwrap_or_default();
                let id = id.as_str().unwrap_or_default();
                let word = id.rsplit('.').next().unwrap_or_default();
                members.insert("MessageID".to_owned(), json!(format!("iLO.0.10.{word}")));
                body = json!({ "Messages": [message], "Name": "Extended Error Information" });
            }
            _ => body["error"]["@Message.ExtendedInfo"] = message,
        }
        self.with_body(body.to_string().into_bytes())
    }
}

/// A success that has the shape of an error, as HPE answers.
pub(super) fn success() -> Response {
    Response::json(200, &body("Success", "The request completed successfully.", &[], "OK"))
}

fn body(id: &str, message: &str, args: &[&str], severity: &str) -> Value {
    let id = if id.contains('.') { id.to_owned() } else { format!("Base.1.18.{id}") };
    json!({ "error": {
        "code": id,
        "message": message,
        "@Message.ExtendedInfo": [{
            "@odata.type": "#Message.v1_2_1.Message",
            "MessageId": id,
            "Message": message,
            "MessageArgs": args,
            "Severity": severity,
            "MessageSeverity": severity,
        }],
    }})
}

pub(super) fn not_found(path: &str) -> Response {
    let message = format!("The requested resource of type Resource named '{path}' was not found.");
    refusal(404, "ResourceMissingAtURI", &message, &[path])
}

pub(super) fn method_not_allowed(allow: &str) -> Response {
    let message = "The operation is not allowed on this resource.";
    refusal(405, "OperationNotAllowed", message, &[]).with("Allow", allow)
}

pub(super) fn unauthorized() -> Response {
    let message = "There is no valid session established with the implementation.";
    refusal(401, "NoValidSession", message, &[]).with("WWW-Authenticate", "Basic realm=\"Redfish\"")
}

pub(super) fn password_change_required(account: &str) -> Response {
    let message = format!(
        "The password provided for this account must be changed before access is granted. PATCH the Password property at '{account}'."
    );
    refusal(403, "PasswordChangeRequired", &message, &[account])
}

pub(super) fn malformed() -> Response {
    let message = "The request body was malformed JSON, or not an object.";
    refusal(400, "MalformedJSON", message, &[])
}

pub(super) fn property_unknown(name: &str) -> Response {
    let message =
        format!("The property {name} is not in the list of valid properties for the resource.");
    refusal(400, "PropertyUnknown", &message, &[name])
}

pub(super) fn property_not_writable(name: &str) -> Response {
    let message =
        format!("The property {name} is a read-only property and cannot be assigned a value.");
    refusal(400, "PropertyNotWritable", &message, &[name])
}

pub(super) fn property_missing(name: &str) -> Response {
    let message =
        format!("The property {name} is a required property and must be included in the request.");
    refusal(400, "PropertyMissing", &message, &[name])
}

pub(super) fn value_not_in_list(value: &Value, name: &str) -> Response {
    let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let message = format!(
        "The value '{value}' for the property {name} is not in the list of acceptable values."
    );
    refusal(400, "PropertyValueNotInList", &message, &[&value, name])
}

pub(super) fn parameter_missing(action: &str, name: &str) -> Response {
    let message = format!(
        "The action {action} requires the parameter {name} to be present in the request body."
    );
    refusal(400, "ActionParameterMissing", &message, &[action, name])
}

pub(super) fn parameter_not_in_list(action: &str, name: &str, value: &Value) -> Response {
    let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let message = format!(
        "The value '{value}' for the parameter {name} in the action {action} is not in the list of acceptable values."
    );
    refusal(400, "ActionParameterValueNotInList", &message, &[&value, name, action])
}

pub(super) fn parameter_unknown(action: &str, name: &str) -> Response {
    let message = format!("The action {action} was submitted with the invalid parameter {name}.");
    refusal(400, "ActionParameterUnknown", &message, &[action, name])
}
