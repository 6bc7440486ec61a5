//! Queries.

use serde_json::{Value, json};

use super::Rule;
use super::service::Service;

impl Service {
    fn announces(&self, feature: &str) -> bool {
        let root = self.resource("/redfish/v1");
        root.is_some_and(|root| {
            root["ProtocolFeaturesSupported"].pointer(feature) == Some(&json!(true))
        })
    }

    /// What a read of this resource with this query shows.
    pub(super) fn rendered(&self, body: &Value, query: &str) -> Value {
        let members = body["Members"].as_array();
        if query == "only"
            && self.announces("/OnlyMemberQuery")
            && let Some([member]) = members.map(Vec::as_slice)
        {
            return self.linked(member).unwrap_or_else(|| body.clone());
        }
        if query.starts_with("$expand=.") && self.announces("/ExpandQuery/NoLinks") {
            let mut body = body.clone();
            if let Some(members) = members {
                let whole = |member: &Value| self.linked(member).unwrap_or_else(|| member.clone());
                body["Members"] = members.iter().map(whole).map(|it| self.cut(it)).collect();
            }
            return body;
        }
        body.clone()
    }

    fn linked(&self, link: &Value) -> Option<Value> {
        self.resource(link["@odata.id"].as_str()?).cloned()
    }

    /// Without the properties the service drops when it expands.
    fn cut(&self, mut member: Value) -> Value {
        for rule in &self.rules {
            if let (Rule::ExpandDrops(name), Value::Object(properties)) = (rule, &mut member) {
                properties.remove(*name);
            }
        }
        member
    }
}
