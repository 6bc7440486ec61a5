//! Properties of a resource, read tolerantly: missing, null and of another type are all absent.

use serde_json::Value;

use crate::ResourcePath;
use crate::excerpt::one_line;

const LONGEST_TEXT: usize = 120;

/// A text that is not empty, on one bounded line.
pub(crate) fn text(resource: &Value, name: &str) -> Option<String> {
    let text = one_line(resource.get(name)?.as_str()?, LONGEST_TEXT);
    (!text.is_empty()).then_some(text)
}

/// A number. A text is none, whatever it says.
pub(crate) fn number(resource: &Value, name: &str) -> Option<f64> {
    resource.get(name)?.as_f64().filter(|number| number.is_finite())
}

/// The path a link leads to: an object with `@odata.id`, or a bare text.
pub(crate) fn link(value: &Value) -> Option<ResourcePath> {
    ResourcePath::from_link(value.get("@odata.id").unwrap_or(value).as_str()?).ok()
}

/// The path that the property `name` links to.
pub(crate) fn linked(resource: &Value, name: &str) -> Option<ResourcePath> {
    link(resource.get(name)?)
}

/// The paths of the list `name` in `Links`; a bare object counts as a list of one.
pub(crate) fn links(resource: &Value, name: &str) -> Vec<ResourcePath> {
    let list = resource.get("Links").and_then(|links| links.get(name));
    items(list).iter().filter_map(link).collect()
}

/// The items of a list; a bare object counts as a list of one.
pub(crate) fn items(list: Option<&Value>) -> &[Value] {
    match list {
        Some(Value::Array(items)) => items,
        Some(one @ Value::Object(_)) => std::slice::from_ref(one),
        _ => &[],
    }
}

/// `Status.Health`, or `Status.HealthRollup` where only that is given.
pub(crate) fn health(resource: &Value) -> Option<String> {
    let status = resource.get("Status")?;
    text(status, "Health").or_else(|| text(status, "HealthRollup"))
}

/// `Status.State`.
pub(crate) fn state(resource: &Value) -> Option<String> {
    text(resource.get("Status")?, "State")
}

/// Where an action is posted to.
pub(crate) fn action(resource: &Value, name: &str) -> Option<ResourcePath> {
    ResourcePath::from_link(resource.get("Actions")?.get(name)?.get("target")?.as_str()?).ok()
}
