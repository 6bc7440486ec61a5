//! Which layer and place each value comes from.

use serde_json::Value as Json;

use crate::config::place::{Layer, Place};
use crate::config::yaml::{Key, Node, Value};

/// The merged tree of the settings, for looking up where a value was written.
#[derive(Debug, Clone)]
pub struct Provenance {
    tree: Node,
}

/// A value of the settings, its path and where it comes from.
#[derive(Debug, Clone)]
pub struct Leaf {
    /// The path, its words joined by dots; a word that holds a dot is quoted.
    pub path: String,
    /// The layer.
    pub layer: Layer,
    /// The place; a default has none.
    pub place: Option<Place>,
    /// The value.
    pub value: Json,
}

impl Provenance {
    pub(crate) fn new(tree: Node) -> Provenance {
        Provenance { tree }
    }

    /// Sections of other documents beside the settings: of the cluster's document its own keys,
    /// the context and the workstation under their own.
    pub(crate) fn beside(&mut self, sections: impl IntoIterator<Item = (Key, Node)>) {
        if let Value::Mapping(entries) = &mut self.tree.value {
            entries.extend(sections);
        }
    }

    /// Where the value at a path was written; `None` where nothing was: a default.
    pub fn place(&self, words: &[String]) -> Option<&Place> {
        let mut node = &self.tree;
        for word in words {
            node = node.child(word)?;
        }
        Some(&node.place)
    }

    /// The place of a setting, or of the section around it that was written.
    pub fn nearest<W: AsRef<str>>(&self, words: &[W]) -> &Place {
        &self.tree.nearest(words).place
    }

    /// Every value of the settings, lists and scalars whole, in order.
    pub fn leaves(&self, settings: &Json) -> Vec<Leaf> {
        let mut leaves = Vec::new();
        self.collect(settings, &mut Vec::new(), &mut leaves);
        leaves
    }

    /// One value of the settings by its path, which may be a whole section.
    pub fn leaf(&self, settings: &Json, path: &str) -> Option<Leaf> {
        let words = split(path);
        let mut value = settings;
        for word in &words {
            value = value.as_object()?.get(word)?;
        }
        Some(self.leaf_at(&words, value))
    }

    fn leaf_at(&self, words: &[String], value: &Json) -> Leaf {
        let place = self.place(words).cloned();
        let layer = place.as_ref().map_or(Layer::Default, |place| place.layer);
        Leaf { path: join(words), layer, place, value: value.clone() }
    }

    fn collect(&self, value: &Json, words: &mut Vec<String>, leaves: &mut Vec<Leaf>) {
        match value {
            Json::Object(map) if !map.is_empty() => {
                for (key, value) in map {
                    words.push(key.clone());
                    self.collect(value, words, leaves);
                    words.pop();
                }
            }
            Json::Null => {}
            value => leaves.push(self.leaf_at(words, value)),
        }
    }
}

/// The words of a path; a word in quotation marks may hold dots.
pub(crate) fn split(path: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for character in path.chars() {
        match character {
            '"' => quoted = !quoted,
            '.' if !quoted => words.push(String::new()),
            other => {
                if let Some(word) = words.last_mut() {
                    word.push(other);
                }
            }
        }
    }
    words
}

fn join(words: &[String]) -> String {
    let quote = |word: &String| {
        if word.contains('.') { format!("\"{word}\"") } else { word.clone() }
    };
    words.iter().map(quote).collect::<Vec<_>>().join(".")
}
