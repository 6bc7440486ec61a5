//! All documents of all files, each checked against its kind.

use std::path::PathBuf;

use crate::config::decode::{DecodeError, closest, decode};
use crate::config::error::ConfigError;
use crate::config::kinds::{
    API_VERSION, AWAITED, ClusterSpec, ConfigDocument, InventorySpec, Kind, Metadata,
    SecretDocument, SiteSpec, UNREAD, WorkstationSpec,
};
use crate::config::place::Place;
use crate::config::problem::Problem;
use crate::config::search::Inputs;
use crate::config::yaml::{self, Node, Value};

/// A document: its kind, its name, its tree.
#[derive(Debug, Clone)]
pub struct Document {
    /// The kind.
    pub kind: Kind,
    /// Name and notes.
    pub metadata: Metadata,
    /// The file.
    pub file: PathBuf,
    /// Where it begins.
    pub place: Place,
    /// What the kind defines: `spec`, or the whole document for Config and Secret.
    pub spec: Node,
    /// Fields that are known and read by nothing, with their places.
    pub unread: Vec<(String, Place)>,
    /// The fields in it that are checked, although no command reads them yet.
    pub awaited: Vec<(String, Place)>,
}

/// The documents, in the order they were read.
#[derive(Debug, Clone, Default)]
pub struct Documents {
    list: Vec<Document>,
}

impl Documents {
    /// Reads all files. Every mistake of every file is in the error.
    pub fn read(inputs: &Inputs) -> Result<Documents, ConfigError> {
        let mut documents = Documents::default();
        let mut problems = Vec::new();
        for file in inputs.files()? {
            let text = match std::fs::read_to_string(&file) {
                Ok(text) => text,
                Err(source) => return Err(ConfigError::Read { path: file, source }),
            };
            match yaml::read(&file.display().to_string(), &text) {
                Ok(nodes) => {
                    let alone = nodes.len() == 1;
                    for node in nodes {
                        documents.add(&file, node, alone, &mut problems);
                    }
                }
                Err(error) => problems.push(error.into()),
            }
        }
        documents.duplicates(&mut problems);
        if problems.is_empty() {
            return Ok(documents);
        }
        Problem::sort(&mut problems);
        Err(ConfigError::Problems(problems))
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Document> {
        self.list.iter()
    }

    /// Those of a kind.
    pub fn of(&self, kind: Kind) -> impl Iterator<Item = &Document> {
        self.list.iter().filter(move |document| document.kind == kind)
    }

    /// The one of a kind with a name.
    pub fn named(&self, kind: Kind, name: &str) -> Option<&Document> {
        self.of(kind).find(|document| document.metadata.name == name)
    }

    fn add(
        &mut self,
        file: &std::path::Path,
        root: Node,
        alone: bool,
        problems: &mut Vec<Problem>,
    ) {
        let (kind, metadata) = match head(&root) {
            Ok(head) => head,
            Err(problem) => return problems.push(problem),
        };
        if kind == Kind::Secret && !alone {
            let message = "a Secret has to be alone in its file, since sops encrypts whole files";
            return problems.push(Problem::at(&root.place, message));
        }
        let place = root.place.clone();
        let mut spec = match body(kind, root) {
            Ok(spec) => spec,
            Err(problem) => return problems.push(problem),
        };
        let mut unread = Vec::new();
        for (_, path) in UNREAD.iter().filter(|(of, _)| *of == kind) {
            let words: Vec<&str> = path.split('.').collect();
            unread.extend(take(&mut spec, &words).map(|place| ((*path).to_owned(), place)));
        }
        if let Err(found) = check(kind, &spec) {
            problems.extend(found);
        }
        let mut awaited = Vec::new();
        for (_, path) in AWAITED.iter().filter(|(of, _)| *of == kind) {
            let words: Vec<&str> = path.split('.').collect();
            find(&spec, &words, &mut Vec::new(), &mut awaited);
        }
        let file = file.to_owned();
        self.list.push(Document { kind, metadata, file, place, spec, unread, awaited });
    }

    /// Two documents of one kind and name are refused; a Config has no name.
    fn duplicates(&self, problems: &mut Vec<Problem>) {
        for (index, document) in self.list.iter().enumerate() {
            if document.kind == Kind::Config {
                continue;
            }
            let name = &document.metadata.name;
            let first = self.list[..index]
                .iter()
                .find(|other| other.kind == document.kind && other.metadata.name == *name);
            if let Some(first) = first {
                let kind = document.kind.name();
                let message =
                    format!("{kind} {name:?} stands here a second time, first at {}", first.place);
                problems.push(Problem::at(&document.place, message));
            }
        }
    }
}

/// Kind and name.
fn head(root: &Node) -> Result<(Kind, Metadata), Problem> {
    if !matches!(root.value, Value::Mapping(_)) {
        let message = format!("expected a document, found {}", root.kind());
        return Err(Problem::at(&root.place, message));
    }
    let missing = |field: &str| Problem::at(&root.place, format!("the field {field:?} is missing"));
    let version = root.child("apiVersion").ok_or_else(|| missing("apiVersion"))?;
    match version.text() {
        Some(API_VERSION) => {}
        Some(other) if other.starts_with("clusterctl/") => {
            let message = format!(
                "{other:?} is a version this program does not know; it reads {API_VERSION}"
            );
            return Err(Problem::at(&version.place, message));
        }
        _ => {
            let message = format!("expected {API_VERSION:?}");
            return Err(Problem::at(&version.place, message));
        }
    }
    let kind = root.child("kind").ok_or_else(|| missing("kind"))?;
    let word = kind.text().unwrap_or_default();
    let Some(known) = Kind::ALL.into_iter().find(|known| known.name() == word) else {
        let names = Kind::ALL.map(Kind::name);
        let message = match closest(word, names) {
            Some(meant) => format!("unknown kind {word:?}: did you mean {meant:?}?"),
            None => format!("unknown kind {word:?}: known are {}", names.join(", ")),
        };
        return Err(Problem::at(&kind.place, message));
    };
    let metadata = match root.child("metadata") {
        Some(node) => decode::<Metadata>(node)?,
        None => Metadata::default(),
    };
    if metadata.name.is_empty() && known != Kind::Config {
        return Err(missing("metadata.name"));
    }
    Ok((known, metadata))
}

/// What the kind defines, without the fields that every document has.
fn body(kind: Kind, root: Node) -> Result<Node, Problem> {
    let Node { value: Value::Mapping(entries), place } = root else {
        return Err(Problem::at(&root.place, "expected a document"));
    };
    let is_head = |key: &str| matches!(key, "apiVersion" | "kind" | "metadata");
    if matches!(kind, Kind::Config | Kind::Secret) {
        let rest = entries.into_iter().filter(|(key, _)| !is_head(&key.text)).collect();
        return Ok(Node { value: Value::Mapping(rest), place });
    }
    let mut spec = None;
    for (key, node) in entries {
        match key.text.as_str() {
            "spec" => spec = Some(node),
            word if is_head(word) => {}
            word => {
                let message = match closest(word, ["apiVersion", "kind", "metadata", "spec"]) {
                    Some(meant) => format!("unknown field {word:?}: did you mean {meant:?}?"),
                    None => format!("unknown field {word:?}: it may belong below \"spec\""),
                };
                return Err(Problem::at(&key.place, message));
            }
        }
    }
    spec.ok_or_else(|| Problem::at(&place, "the field \"spec\" is missing"))
}

/// Removes a field and gives its place.
fn take(node: &mut Node, words: &[&str]) -> Option<Place> {
    let Value::Mapping(entries) = &mut node.value else { return None };
    let (first, rest) = words.split_first()?;
    let index = entries.iter().position(|(key, _)| key.text == *first)?;
    if rest.is_empty() {
        Some(entries.remove(index).0.place)
    } else {
        take(&mut entries[index].1, rest)
    }
}

/// Finds the fields at a path, in which `*` stands for any key or item, and says where they stand.
fn find<'a>(
    node: &'a Node,
    words: &[&str],
    way: &mut Vec<&'a str>,
    found: &mut Vec<(String, Place)>,
) {
    let Some((first, rest)) = words.split_first() else { return };
    match &node.value {
        Value::Sequence(items) if *first == "*" => {
            for item in items {
                find(item, rest, way, found);
            }
        }
        Value::Mapping(entries) => {
            for (key, below) in
                entries.iter().filter(|(key, _)| *first == "*" || key.text == *first)
            {
                way.push(&key.text);
                if rest.is_empty() {
                    found.push((way.join("."), key.place.clone()));
                }
                find(below, rest, way, found);
                way.pop();
            }
        }
        _ => {}
    }
}

/// Whether the tree has the shape of its kind; all mistakes, of a long list one an entry.
fn check(kind: Kind, spec: &Node) -> Result<(), Vec<Problem>> {
    let one = |result: Result<(), DecodeError>| result.map_err(|error| vec![Problem::from(error)]);
    match kind {
        Kind::Config => one(decode::<ConfigDocument>(spec).map(drop)),
        Kind::Site => sections::<SiteSpec>(spec).map_err(problems),
        Kind::Cluster => one(decode::<ClusterSpec>(spec).map(drop)),
        Kind::NodeInventory => inventory(spec),
        Kind::Workstation => one(decode::<WorkstationSpec>(spec).map(drop)),
        Kind::Secret => one(decode::<SecretDocument>(spec).map(drop)),
    }
}

/// Each section by itself, so that a mistake in one does not hide those in others.
pub(crate) fn sections<T: serde::de::DeserializeOwned>(
    spec: &Node,
) -> Result<(), Vec<DecodeError>> {
    let Value::Mapping(entries) = &spec.value else {
        return decode::<T>(spec).map(drop).map_err(|error| vec![error]);
    };
    let mut errors = Vec::new();
    for (key, node) in entries {
        let section = vec![(key.clone(), node.clone())];
        let alone = Node { value: Value::Mapping(section), place: spec.place.clone() };
        errors.extend(decode::<T>(&alone).err());
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

fn problems(errors: Vec<DecodeError>) -> Vec<Problem> {
    errors.into_iter().map(Problem::from).collect()
}

/// Each entry by itself is decoded again when the inventory is built; here only the frame is.
fn inventory(spec: &Node) -> Result<(), Vec<Problem>> {
    let Value::Mapping(entries) = &spec.value else {
        return decode::<InventorySpec>(spec).map(drop).map_err(|error| vec![error.into()]);
    };
    let frame = entries.iter().filter(|(key, _)| key.text != "nodes").cloned().collect();
    let frame = Node { value: Value::Mapping(frame), place: spec.place.clone() };
    let mut problems: Vec<Problem> =
        decode::<InventorySpec>(&frame).err().map(Problem::from).into_iter().collect();
    if let Some(nodes) = spec.child("nodes")
        && !matches!(nodes.value, Value::Sequence(_))
    {
        let message = format!("expected a list, found {}", nodes.kind());
        problems.push(Problem::at(&nodes.place, message));
    }
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}
