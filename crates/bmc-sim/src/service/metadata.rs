//! The metadata document (DSP0266, "`OData` `$metadata`").

use std::fmt::Write as _;

use serde_json::Value;

use super::state::Service;
use crate::http::Response;

impl Service {
    /// An entity container that names what the root links to. The schemas themselves are left out.
    pub(super) fn metadata(&self) -> Response {
        let root = self.tree.get("/redfish/v1").and_then(Value::as_object);
        let mut singletons = String::new();
        for (name, value) in root.into_iter().flatten() {
            let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric());
            if is_name && value.get("@odata.id").is_some() {
                let _ = write!(singletons, "<Singleton Name=\"{name}\" Type=\"Service.{name}\"/>");
            }
        }
        let document = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <edmx:Edmx xmlns:edmx=\"http://docs.oasis-open.org/odata/ns/edmx\" Version=\"4.0\">\
             <edmx:DataServices>\
             <Schema xmlns=\"http://docs.oasis-open.org/odata/ns/edm\" Namespace=\"Service\">\
             <EntityContainer Name=\"Service\">{singletons}</EntityContainer>\
             </Schema></edmx:DataServices></edmx:Edmx>\n"
        );
        Response::empty(200)
            .with("Content-Type", "application/xml")
            .with_body(document.into_bytes())
    }
}
