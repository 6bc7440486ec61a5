//! The layers of the settings and how they are laid on each other.

use crate::config::documents::{Document, sections};
use crate::config::kinds::SiteSpec;
use crate::config::place::{Layer, Place};
use crate::config::problem::Problem;
use crate::config::search::Inputs;
use crate::config::yaml::{Key, Node, Value, read_value};

/// Variables that set one value: the variable, and the path of the setting.
const VARIABLES: [(&str, &str); 6] = [
    ("CLUSTERCTL_FANOUT", "fanout.max"),
    ("CLUSTERCTL_CONNECT_TIMEOUT", "fanout.connectTimeout"),
    ("CLUSTERCTL_COMMAND_TIMEOUT", "fanout.commandTimeout"),
    ("CLUSTERCTL_KNOWN_HOSTS", "ssh.knownHostsFile"),
    ("CLUSTERCTL_SSH_BINARY", "ssh.binary"),
    ("CLUSTERCTL_SCP_BINARY", "ssh.scpBinary"),
];

/// The settings of a site: a tree of the shape of a Site's `spec`.
pub(crate) fn site(document: &Document) -> Node {
    let mut node = document.spec.clone();
    node.set_layer(Layer::Site);
    node
}

/// The overrides of a document, by dotted path or nested, as a tree of settings.
pub(crate) fn overrides(
    overrides: Option<&Node>,
    layer: Layer,
) -> Result<Option<Node>, Vec<Problem>> {
    let Some(overrides) = overrides else { return Ok(None) };
    let Value::Mapping(entries) = &overrides.value else {
        let message = format!("expected a mapping, found {}", overrides.kind());
        return Err(vec![Problem::at(&overrides.place, message)]);
    };
    let mut tree = Node { value: Value::Mapping(Vec::new()), place: overrides.place.clone() };
    for (key, node) in entries {
        merge(&mut tree, nested(&key.text, &key.place, node.clone()));
    }
    tree.set_layer(layer);
    checked(tree).map(Some)
}

/// What the environment sets.
pub(crate) fn environment(inputs: &Inputs) -> Result<Node, Vec<Problem>> {
    let root = Place::of("environment", Layer::Environment);
    let mut tree = Node { value: Value::Mapping(Vec::new()), place: root };
    for (variable, path) in VARIABLES {
        let Some(text) = inputs.variable(variable) else { continue };
        let place = Place::of(format!("${variable}"), Layer::Environment);
        let node = read_value(&place, text).map_err(|error| vec![error.into()])?;
        merge(&mut tree, nested(path, &place, node));
    }
    checked(tree)
}

/// What flags set: `--fanout`, then each `--set` in order.
pub(crate) fn flags(inputs: &Inputs) -> Result<Node, Vec<Problem>> {
    let mut tree =
        Node { value: Value::Mapping(Vec::new()), place: Place::of("flags", Layer::Flag) };
    if let Some(fanout) = inputs.fanout {
        let place = Place::of("--fanout", Layer::Flag);
        let number = i64::try_from(fanout.get()).unwrap_or(i64::MAX);
        let node = Node { value: Value::Integer(number), place: place.clone() };
        merge(&mut tree, nested("fanout.max", &place, node));
    }
    for text in &inputs.set {
        let place = Place::of(format!("--set {text}"), Layer::Flag);
        let Some((path, value)) = text.split_once('=').filter(|(path, _)| !path.is_empty()) else {
            return Err(vec![Problem::at(&place, "expected PATH=VALUE")]);
        };
        let node = read_value(&place, value).map_err(|error| vec![error.into()])?;
        merge(&mut tree, nested(path, &place, node));
    }
    checked(tree)
}

/// Lays one tree on another: mappings by key, everything else replaces.
pub(crate) fn merge(base: &mut Node, over: Node) {
    match (&mut base.value, over.value) {
        (Value::Mapping(entries), Value::Mapping(above)) => {
            for (key, node) in above {
                match entries.iter_mut().find(|(known, _)| known.text == key.text) {
                    Some((_, below)) => merge(below, node),
                    None => entries.push((key, node)),
                }
            }
        }
        (_, value) => *base = Node { value, place: over.place },
    }
}

/// `a.b: node` as `a: {b: node}`.
fn nested(path: &str, place: &Place, node: Node) -> Node {
    path.rsplit('.').fold(node, |node, word| {
        let key = Key { text: word.to_owned(), place: place.clone() };
        Node { value: Value::Mapping(vec![(key, node)]), place: place.clone() }
    })
}

/// A layer has to be right by itself, before anything is laid on anything; but it is a part, so
/// that what it lacks may stand below it.
fn checked(tree: Node) -> Result<Node, Vec<Problem>> {
    let errors = sections::<SiteSpec>(&tree).err().unwrap_or_default();
    let wrong = errors.into_iter().filter(|error| !error.is_missing_field());
    let problems: Vec<Problem> = wrong.map(Problem::from).collect();
    if problems.is_empty() { Ok(tree) } else { Err(problems) }
}
