//! Resources by path.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::Error;

/// The resources a BMC starts with. Cheap to clone: what is not changed is shared, so that many
/// BMCs can serve one large recording.
///
/// ```
/// use bmc_sim::Tree;
/// use serde_json::json;
///
/// let tree = Tree::built_in()
///     .with("/redfish/v1/Systems/1", &json!({"SerialNumber": "S1", "HostName": "exe0001"}))
///     .with_settings_object();
/// assert_eq!(tree.resource("/redfish/v1/Systems/1").unwrap()["HostName"], "exe0001");
/// ```
#[derive(Clone, Debug)]
pub struct Tree {
    base: Arc<BTreeMap<String, Value>>,
    /// What differs from the base; `None`: removed.
    changed: BTreeMap<String, Option<Value>>,
    /// Counts changes: the newest number is part of a changed resource's tag.
    revision: u64,
    revisions: BTreeMap<String, u64>,
}

const BUILT_IN: &str = include_str!("built_in.json");

impl Tree {
    /// A plain BMC with one system, one chassis and one manager, each with the id `1`.
    pub fn built_in() -> Self {
        // A test reads the constant: it is JSON.
        let resources = serde_json::from_str(BUILT_IN).unwrap_or_default();
        Self::new(resources)
    }

    /// A recording: a JSON file `{"resources": {path: body, …}}`; other members are ignored.
    pub fn recording(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref().to_owned();
        let bytes = fs::read(&path).map_err(|source| Error::Read { path: path.clone(), source })?;
        let mut recording: Value = serde_json::from_slice(&bytes)
            .map_err(|source| Error::Json { path: path.clone(), source })?;
        match recording.get_mut("resources").map(Value::take) {
            Some(Value::Object(resources)) if !resources.is_empty() => {
                Ok(Self::new(resources.into_iter().collect()))
            }
            _ => Err(Error::Shape { path }),
        }
    }

    fn new(resources: BTreeMap<String, Value>) -> Self {
        let resources = resources
            .into_iter()
            .map(|(path, body)| (path.trim_end_matches('/').to_owned(), body))
            .collect();
        Self {
            base: Arc::new(resources),
            changed: BTreeMap::new(),
            revision: 0,
            revisions: BTreeMap::new(),
        }
    }

    /// Merges `members` into the resource at `path`, or adds it as a resource: objects are merged
    /// member by member, anything else replaces.
    #[must_use]
    pub fn with(mut self, path: &str, members: &Value) -> Self {
        self.merge(path.trim_end_matches('/'), members);
        self
    }

    /// Gives each system a settings object at `<system>/Settings` that carries the boot override, as
    /// AMI, NVIDIA and iDRAC10 have it, unless it has one.
    #[must_use]
    pub fn with_settings_object(mut self) -> Self {
        for system in self.systems() {
            if system.settings.is_some() {
                continue;
            }
            let Some(body) = self.get(&system.path) else { continue };
            let path = format!("{}/Settings", system.path);
            let settings = json!({
                "@odata.type": body.get("@odata.type"),
                "@odata.id": path,
                "@odata.etag": "W/\"100\"",
                "Id": "Settings",
                "Name": "Pending settings",
                "Boot": body.get("Boot"),
            });
            let link = json!({ "@Redfish.Settings": {
                "@odata.type": "#Settings.v1_3_5.Settings",
                "SettingsObject": { "@odata.id": path },
            }});
            self = self.with(&path, &settings).with(&system.path, &link);
        }
        self
    }

    /// The resource at this path, a trailing slash or none.
    pub fn resource(&self, path: &str) -> Option<&Value> {
        self.get(path.trim_end_matches('/'))
    }

    pub(crate) fn get(&self, path: &str) -> Option<&Value> {
        match self.changed.get(path) {
            Some(changed) => changed.as_ref(),
            None => self.base.get(path),
        }
    }

    /// The members of a resource, to be changed: its tag changes too.
    pub(crate) fn change(&mut self, path: &str) -> Option<&mut Map<String, Value>> {
        if !self.changed.contains_key(path) {
            let body = self.base.get(path)?.clone();
            self.changed.insert(path.to_owned(), Some(body));
        }
        self.revision += 1;
        self.revisions.insert(path.to_owned(), self.revision);
        let members = self.changed.get_mut(path)?.as_mut()?.as_object_mut()?;
        if let Some(Value::String(tag)) = members.get_mut("@odata.etag") {
            let weak = if tag.starts_with("W/") { "W/" } else { "" };
            *tag = format!("{weak}\"{:x}\"", 0x100 + self.revision);
        }
        Some(members)
    }

    /// The entity tag of a resource: its `@odata.etag`, else one made from its changes.
    pub(crate) fn tag(&self, path: &str) -> String {
        match self.get(path).and_then(|body| body.get("@odata.etag")) {
            Some(Value::String(tag)) if !tag.is_empty() => tag.clone(),
            _ => format!("\"{:x}\"", self.revisions.get(path).copied().unwrap_or(0)),
        }
    }

    /// Merges members into a resource, or adds it.
    pub(crate) fn merge(&mut self, path: &str, members: &Value) {
        let mut body = self.get(path).cloned().unwrap_or_else(|| json!({ "@odata.id": path }));
        merge(&mut body, members);
        self.insert(path, body);
    }

    pub(crate) fn insert(&mut self, path: &str, body: Value) {
        self.changed.insert(path.to_owned(), Some(body));
    }

    pub(crate) fn remove(&mut self, path: &str) {
        self.changed.insert(path.to_owned(), None);
    }

    /// Removes every resource below `path`, and its further pages.
    pub(crate) fn remove_below(&mut self, path: &str) {
        let is_below = |known: &&String| {
            known.strip_prefix(path).is_some_and(|rest| rest.starts_with(['/', '?']))
        };
        let paths: Vec<String> =
            self.base.keys().chain(self.changed.keys()).filter(is_below).cloned().collect();
        for path in paths {
            self.remove(&path);
        }
    }

    /// Sets the members of a collection.
    pub(crate) fn set_members(&mut self, path: &str, members: Vec<Value>) {
        if let Some(collection) = self.change(path) {
            collection.insert("Members@odata.count".to_owned(), json!(members.len()));
            collection.insert("Members".to_owned(), Value::Array(members));
            collection.remove("Members@odata.nextLink");
        }
    }
}

/// The path a `{"@odata.id": path}` member links to, without a trailing slash.
pub(crate) fn link(value: &Value) -> Option<&str> {
    Some(value.get("@odata.id")?.as_str()?.trim_end_matches('/'))
}

pub(crate) fn merge(into: &mut Value, from: &Value) {
    match (into, from) {
        (Value::Object(into), Value::Object(from)) => {
            for (name, value) in from {
                merge(into.entry(name.clone()).or_insert(Value::Null), value);
            }
        }
        (into, from) => *into = from.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_link_of_the_built_in_tree_leads_somewhere() {
        fn links<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
            match value {
                Value::Object(members) => {
                    found.extend(link(value));
                    members.values().for_each(|member| links(member, found));
                }
                Value::Array(items) => items.iter().for_each(|item| links(item, found)),
                _ => {}
            }
        }
        let tree = Tree::built_in();
        assert!(tree.base.len() > 30);
        for (path, body) in tree.base.iter() {
            let mut found = Vec::new();
            links(body, &mut found);
            for target in found.into_iter().filter(|target| !target.contains('#')) {
                let embedded = target.starts_with(path) && path.ends_with("/Entries");
                assert!(embedded || tree.get(target).is_some(), "{path} links to {target}");
            }
        }
    }

    #[test]
    fn a_change_keeps_the_shape_of_the_tag() {
        let mut tree = Tree::built_in();
        let before = tree.tag("/redfish/v1/Systems/1");
        tree.change("/redfish/v1/Systems/1").unwrap();
        let after = tree.tag("/redfish/v1/Systems/1");
        assert_ne!(before, after);
        assert!(after.starts_with("W/\""), "{after}");
        assert_eq!(tree.tag("/redfish/v1/Managers/1"), "\"0\"");
    }

    #[test]
    fn clones_share_what_is_not_changed() {
        let tree = Tree::built_in();
        let mut other = tree.clone();
        assert!(Arc::ptr_eq(&tree.base, &other.base));
        other.remove_below("/redfish/v1/Managers/1");
        assert!(other.get("/redfish/v1/Managers/1/LogServices").is_none());
        assert!(tree.get("/redfish/v1/Managers/1/LogServices").is_some());
    }
}
