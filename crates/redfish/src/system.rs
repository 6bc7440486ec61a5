//! A computer system, read tolerantly.

use serde_json::Value;

use crate::answer::Answer;
use crate::boot::Boot;
use crate::excerpt::one_line;
use crate::plan::tag::tag_of;
use crate::{BootOverride, BootSource, PowerState, ResetType, ResourcePath};

/// What a BMC shows of a system (schema `ComputerSystem`). Missing and null properties are absent,
/// never defaults.
#[derive(Clone, Debug)]
pub struct System {
    path: ResourcePath,
    resource: Value,
    etag: Option<String>,
}

impl System {
    /// Takes the resource that was read from `path`. The path the resource says it has wins, for
    /// `Systems?only` answers with a system.
    pub fn new(path: &ResourcePath, resource: Value) -> Self {
        let own = resource.get("@odata.id").and_then(Value::as_str);
        let own = own.and_then(|link| ResourcePath::from_link(link).ok());
        let etag = tag_of(None, Some(&resource));
        Self { path: own.unwrap_or_else(|| path.clone()), resource, etag }
    }

    /// From an answer, whose tag wins over that of the body.
    pub(crate) fn read(path: &ResourcePath, answer: Answer) -> Self {
        let etag = tag_of(answer.header(http::header::ETAG), answer.resource());
        Self { etag, ..Self::new(path, answer.into_value().unwrap_or_default()) }
    }

    /// Its path.
    pub fn path(&self) -> &ResourcePath {
        &self.path
    }

    /// The resource as read.
    pub fn as_json(&self) -> &Value {
        &self.resource
    }

    /// `PowerState`; unknown where missing.
    pub fn power_state(&self) -> PowerState {
        PowerState::read(self.resource.get("PowerState"))
    }

    /// `Status.Health`, or `Status.HealthRollup` where only that is given.
    pub fn health(&self) -> Option<String> {
        let status = self.resource.get("Status")?;
        let word = |name: &str| status.get(name)?.as_str().map(|word| one_line(word, 40));
        word("Health").or_else(|| word("HealthRollup"))
    }

    /// `Manufacturer`.
    pub fn manufacturer(&self) -> Option<String> {
        self.text("Manufacturer")
    }

    /// `Model`.
    pub fn model(&self) -> Option<String> {
        self.text("Model")
    }

    /// `SerialNumber`.
    pub fn serial_number(&self) -> Option<String> {
        self.text("SerialNumber")
    }

    /// `UUID`.
    pub fn uuid(&self) -> Option<String> {
        self.text("UUID")
    }

    /// `BiosVersion`.
    pub fn bios_version(&self) -> Option<String> {
        self.text("BiosVersion")
    }

    /// The reset types listed in the resource. Many BMCs list them elsewhere
    /// ([`reset_action_info`](Self::reset_action_info)).
    pub fn reset_types(&self) -> Option<Vec<ResetType>> {
        reset_types(self.reset()?.get("ResetType@Redfish.AllowableValues")?)
    }

    /// Where the reset types are listed (`@Redfish.ActionInfo`).
    pub fn reset_action_info(&self) -> Option<ResourcePath> {
        ResourcePath::from_link(self.reset()?.get("@Redfish.ActionInfo")?.as_str()?).ok()
    }

    /// Where a reset is posted to. Nothing where the system cannot be reset, as the baseboard of an
    /// HGX system.
    pub fn reset_target(&self) -> Option<ResourcePath> {
        ResourcePath::from_link(self.reset()?.get("target")?.as_str()?).ok()
    }

    /// The boot override this resource shows. Where the Settings object takes it, a pending one is
    /// shown there: see [`Bmc::boot_override`](crate::Bmc::boot_override).
    pub fn boot_override(&self) -> BootOverride {
        self.boot().read_override()
    }

    /// The boot sources listed here.
    pub fn boot_sources(&self) -> Option<Vec<BootSource>> {
        self.boot().sources()
    }

    /// The Settings object (`@Redfish.Settings`).
    pub fn settings(&self) -> Option<ResourcePath> {
        let link = self.resource.get("@Redfish.Settings")?.get("SettingsObject")?;
        ResourcePath::from_link(link.get("@odata.id")?.as_str()?).ok()
    }

    /// Whether this is a data processing unit, by its `SystemType` or `Id`, or a GPU baseboard.
    pub fn is_auxiliary(&self) -> bool {
        self.resource.get("SystemType").and_then(Value::as_str) == Some("DPU")
            || crate::plan::system::is_auxiliary_id(self.path.id())
    }

    pub(crate) fn etag(&self) -> Option<&str> {
        self.etag.as_deref()
    }

    pub(crate) fn boot(&self) -> Boot<'_> {
        Boot::of(&self.resource)
    }

    /// Names of the vendor extensions.
    pub(crate) fn oem(&self) -> impl Iterator<Item = &str> {
        let oem = self.resource.get("Oem").and_then(Value::as_object);
        oem.into_iter().flat_map(|oem| oem.keys().map(String::as_str))
    }

    fn reset(&self) -> Option<&Value> {
        self.resource.get("Actions")?.get("#ComputerSystem.Reset")
    }

    fn text(&self, name: &str) -> Option<String> {
        let text = one_line(self.resource.get(name)?.as_str()?, 120);
        (!text.is_empty()).then_some(text)
    }
}

/// The reset types of an `ActionInfo` resource.
pub(crate) fn action_info_types(resource: &Value) -> Option<Vec<ResetType>> {
    let parameters = resource.get("Parameters")?.as_array()?;
    let is_reset_type =
        |parameter: &&Value| parameter.get("Name").and_then(Value::as_str) == Some("ResetType");
    reset_types(parameters.iter().find(is_reset_type)?.get("AllowableValues")?)
}

/// An empty list says nothing. Observed on Supermicro: one text with all values glued by commas.
fn reset_types(list: &Value) -> Option<Vec<ResetType>> {
    let words = list.as_array()?.iter().filter_map(Value::as_str);
    let types: Vec<_> = words
        .flat_map(|word| word.split(','))
        .map(str::trim)
        .filter(|word| !word.is_empty())
        .map(|word| ResetType::from(one_line(word, 40).as_str()))
        .collect();
    (!types.is_empty()).then_some(types)
}
