//! The service root, read tolerantly.

use serde_json::Value;

use crate::property::text;

/// What a BMC says about itself (schema `ServiceRoot`). Nothing in it can be counted on: old services
/// name neither vendor nor product.
#[derive(Clone, Debug, PartialEq)]
pub struct Service(Value);

impl Service {
    /// Takes the resource that was read from `/redfish/v1/`.
    pub fn new(resource: Value) -> Self {
        Self(resource)
    }

    /// The resource as read.
    pub fn as_json(&self) -> &Value {
        &self.0
    }

    /// `Vendor`, or the first vendor extension where that is missing (Supermicro).
    pub fn vendor(&self) -> Option<String> {
        text(&self.0, "Vendor").or_else(|| self.oem().next().map(str::to_owned))
    }

    /// `Product`.
    pub fn product(&self) -> Option<String> {
        text(&self.0, "Product")
    }

    /// `RedfishVersion`.
    pub fn redfish_version(&self) -> Option<String> {
        text(&self.0, "RedfishVersion")
    }

    /// `UUID`.
    pub fn uuid(&self) -> Option<String> {
        text(&self.0, "UUID")
    }

    /// Whether the query `only` is announced.
    pub fn knows_only(&self) -> bool {
        self.feature("OnlyMemberQuery").and_then(Value::as_bool) == Some(true)
    }

    pub(crate) fn feature(&self, name: &str) -> Option<&Value> {
        self.0.get("ProtocolFeaturesSupported")?.get(name)
    }

    /// Names of the vendor extensions.
    pub(crate) fn oem(&self) -> impl Iterator<Item = &str> {
        let oem = self.0.get("Oem").and_then(Value::as_object);
        oem.into_iter().flat_map(|oem| oem.keys().map(String::as_str))
    }
}
