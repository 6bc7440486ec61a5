//! Query parameters (DSP0266, "Query parameters").

use serde_json::Value;

use crate::tree::link;

/// The parameters this service knows.
#[derive(Debug, Default)]
pub(super) struct Query {
    pub(super) only: bool,
    pub(super) select: Option<Vec<String>>,
    pub(super) expand: Option<Expand>,
}

impl Query {
    pub(super) fn parse(text: &str) -> Result<Self, QueryError> {
        let mut query = Self::default();
        for parameter in text.split('&').filter(|parameter| !parameter.is_empty()) {
            let decoded = percent_decode(parameter);
            let (name, value) = decoded.split_once('=').unwrap_or((&decoded, ""));
            match name {
                "only" if value.is_empty() => query.only = true,
                "only" => return Err(QueryError::Value(name.to_owned())),
                "$select" => {
                    let first = |path: &str| path.split('/').next().unwrap_or(path).to_owned();
                    query.select = Some(value.split(',').map(first).collect());
                }
                "$expand" => query.expand = Some(Expand::parse(value)),
                unknown if unknown.starts_with('$') => {
                    return Err(QueryError::Unknown(unknown.to_owned()));
                }
                _ => {}
            }
        }
        Ok(query)
    }
}

/// A parameter, by its name, that makes the whole request fail.
#[derive(Debug)]
pub(super) enum QueryError {
    /// It has a dollar sign, and this service does not know it.
    Unknown(String),
    /// It has a value it cannot have.
    Value(String),
}

/// `$expand`: links replaced by what they lead to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Expand {
    /// Members outside of `Links`.
    subordinate: bool,
    /// Members of `Links`.
    links: bool,
    levels: u32,
}

/// More levels than any service announces.
const MOST_LEVELS: u32 = 6;

impl Expand {
    fn parse(value: &str) -> Self {
        let levels = value.split_once("$levels=").map_or("", |(_, levels)| levels);
        let levels = levels.trim_end_matches(')').parse().unwrap_or(1);
        Self {
            subordinate: !value.starts_with('~'),
            links: !value.starts_with('.'),
            levels: levels.clamp(1, MOST_LEVELS),
        }
    }

    pub(super) fn apply(self, body: &mut Value, render: &impl Fn(&str) -> Option<Value>) {
        if let Value::Object(members) = body {
            for (name, member) in members {
                let wanted = if name == "Links" { self.links } else { self.subordinate };
                if wanted {
                    self.expand(member, render);
                }
            }
        }
    }

    fn expand(self, value: &mut Value, render: &impl Fn(&str) -> Option<Value>) {
        match value {
            Value::Array(items) => items.iter_mut().for_each(|item| self.expand(item, render)),
            Value::Object(members) if members.len() == 1 && members.contains_key("@odata.id") => {
                let Some(mut body) = link(value).and_then(render) else { return };
                if self.levels > 1 {
                    Self { levels: self.levels - 1, ..self }.apply(&mut body, render);
                }
                *value = body;
            }
            Value::Object(members) => {
                members.values_mut().for_each(|member| self.expand(member, render));
            }
            _ => {}
        }
    }
}

fn percent_decode(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let digits = after.get(..2).filter(|_| *first == b'%');
        let decoded = digits
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(decoded.unwrap_or(*first));
        rest = if decoded.is_some() { &after[2..] } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
