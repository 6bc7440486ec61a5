//! The configuration for one context.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::config::decode::{closest, decode};
use crate::config::documents::{Document, Documents};
use crate::config::error::ConfigError;
use crate::config::kinds::{
    ClusterSpec, ConfigDocument, ContextSpec, DefaultsSpec, EntrySpec, Kind, SiteSpec,
    WorkstationSpec,
};
use crate::config::layers::{self, merge};
use crate::config::paths::{self, Bases};
use crate::config::place::{Layer, Place};
use crate::config::problem::Problem;
use crate::config::provenance::Provenance;
use crate::config::search::Inputs;
use crate::config::yaml::{Key, Node, Value};

/// Settings of a document that are merged into the site's.
const OVERRIDES: &str = "overrides";

/// An entry of an inventory and its place.
#[derive(Debug, Clone)]
pub struct InventoryEntry {
    /// Where it stands.
    pub place: Place,
    /// What it says.
    pub entry: EntrySpec,
    /// The defaults of its document.
    pub defaults: std::sync::Arc<DefaultsSpec>,
}

/// Everything that is configured, for one context.
#[derive(Debug, Clone)]
pub struct Resolved {
    /// The context.
    pub context: ContextSpec,
    /// How many contexts are loaded.
    pub contexts_loaded: usize,
    /// The cluster's document and its place.
    pub cluster: ClusterSpec,
    /// The tree of the cluster's document, for places.
    pub cluster_tree: Node,
    /// The site's name.
    pub site: String,
    /// The settings, all layers merged, paths absolute.
    pub settings: SiteSpec,
    /// Where each setting comes from.
    pub provenance: Provenance,
    /// The entries of the cluster's inventories, in order.
    pub inventory: Vec<InventoryEntry>,
    /// This machine, if a document is named after it.
    pub workstation: WorkstationSpec,
    /// The Secret documents' files by name.
    pub secrets: BTreeMap<String, PathBuf>,
    /// The directory of the Site document.
    pub directory: PathBuf,
    /// The state directory of this user.
    pub state_directory: PathBuf,
}

/// A context and its tree.
type Context = (ContextSpec, Node);

/// The name of the current context, and where it is named.
type Current = (String, Place);

/// The contexts, a later document's in place of an earlier one's.
pub fn contexts(documents: &Documents) -> Result<Vec<ContextSpec>, ConfigError> {
    let (contexts, _) = contexts_and_current(documents).map_err(ConfigError::Problems)?;
    Ok(contexts.into_iter().map(|(context, _)| context).collect())
}

fn contexts_and_current(
    documents: &Documents,
) -> Result<(Vec<Context>, Option<Current>), Vec<Problem>> {
    let mut contexts: Vec<(ContextSpec, Node)> = Vec::new();
    let mut current = None;
    for document in documents.of(Kind::Config) {
        let config: ConfigDocument =
            decode(&document.spec).map_err(|error| vec![Problem::from(error)])?;
        if let Some(name) = config.current_context {
            let node = document.spec.child("currentContext").unwrap_or(&document.spec);
            current = Some((name, node.place.clone()));
        }
        let nodes = match document.spec.child("contexts").map(|node| &node.value) {
            Some(Value::Sequence(nodes)) => nodes.clone(),
            _ => Vec::new(),
        };
        let mut here: Vec<String> = Vec::new();
        for (context, node) in config.contexts.into_iter().zip(nodes) {
            if here.contains(&context.name) {
                let message = format!("the context {:?} stands here twice", context.name);
                return Err(vec![Problem::at(&node.place, message)]);
            }
            here.push(context.name.clone());
            match contexts.iter_mut().find(|(known, _)| known.name == context.name) {
                Some(known) => *known = (context, node),
                None => contexts.push((context, node)),
            }
        }
    }
    Ok((contexts, current))
}

/// The configuration for the context that the inputs name.
pub fn resolve(documents: &Documents, inputs: &Inputs) -> Result<Resolved, ConfigError> {
    let (contexts, current) = contexts_and_current(documents).map_err(ConfigError::Problems)?;
    let (context, context_node) = choose(&contexts, current, inputs)?;
    let cluster_node = context_node.child("cluster").unwrap_or(&context_node);
    let cluster_document = named(documents, Kind::Cluster, &context.cluster, &cluster_node.place)?;
    let cluster: ClusterSpec = decode(&cluster_document.spec).map_err(problem)?;
    let site_node = cluster_document.spec.child("site").unwrap_or(&cluster_document.spec);
    let site = named(documents, Kind::Site, &cluster.site, &site_node.place)?;
    let directory = site.file.parent().unwrap_or(Path::new("/")).to_owned();
    let workstation_document = documents.of(Kind::Workstation).find(|document| {
        let host = document.spec.child("host").and_then(Node::text);
        let host = host.unwrap_or(&document.metadata.name);
        short(host) == short(&inputs.host_name)
    });
    let bases = Bases { site: &directory, working: &inputs.working_directory, home: inputs.home() };

    // The overrides of every context are checked, not of the chosen one only.
    let mut problems = Vec::new();
    for (_, node) in &contexts {
        let checked = layers::overrides(node.child(OVERRIDES), Layer::Context);
        problems.extend(checked.err().into_iter().flatten());
    }
    let mut tree = layers::site(site);
    let above = [
        layers::overrides(cluster_document.spec.child(OVERRIDES), Layer::Cluster),
        layers::overrides(
            workstation_document.and_then(|document| document.spec.child(OVERRIDES)),
            Layer::Workstation,
        ),
        layers::overrides(context_node.child(OVERRIDES), Layer::Context),
        layers::environment(inputs).map(Some),
        layers::flags(inputs).map(Some),
    ];
    for layer in above {
        match layer {
            Ok(layer) => layer.into_iter().for_each(|layer| merge(&mut tree, layer)),
            Err(found) => problems.extend(found),
        }
    }
    problems.extend(paths::resolve(&mut tree, bases).err().into_iter().flatten());
    let workstation = match workstation_document {
        Some(document) => workstation(document, bases, inputs, &mut problems),
        None => with_variables(WorkstationSpec::default(), inputs),
    };
    let inventory = inventory(documents, &cluster, cluster_document, &mut problems);
    if !problems.is_empty() {
        problems.dedup();
        Problem::sort(&mut problems);
        return Err(ConfigError::Problems(problems));
    }
    let settings: SiteSpec = decode(&tree).map_err(problem)?;
    let secrets = documents.of(Kind::Secret);
    let secrets = secrets.map(|d| (d.metadata.name.clone(), d.file.clone())).collect();
    let mut provenance = Provenance::new(tree);
    let mut own = cluster_document.spec.clone();
    own.set_layer(Layer::Cluster);
    if let Value::Mapping(entries) = own.value {
        provenance.beside(entries.into_iter().filter(|(key, _)| key.text != OVERRIDES));
    }
    let workstation_node = workstation_document.map(|document| document.spec.clone());
    for (name, layer, node) in [
        ("context", Layer::Context, Some(context_node)),
        ("workstation", Layer::Workstation, workstation_node),
    ] {
        let Some(mut node) = node else { continue };
        node.set_layer(layer);
        provenance.beside([(Key { text: name.to_owned(), place: node.place.clone() }, node)]);
    }
    let state_directory = inputs.state_directory().ok_or_else(|| {
        Problem::of("neither XDG_STATE_HOME nor HOME is set: there is no place for state")
    })?;
    Ok(Resolved {
        contexts_loaded: contexts.len(),
        context,
        cluster,
        cluster_tree: cluster_document.spec.clone(),
        site: site.metadata.name.clone(),
        settings,
        provenance,
        inventory,
        workstation,
        secrets,
        directory,
        state_directory,
    })
}

fn problem(error: crate::config::decode::DecodeError) -> ConfigError {
    Problem::from(error).into()
}

fn choose(
    contexts: &[(ContextSpec, Node)],
    current: Option<(String, Place)>,
    inputs: &Inputs,
) -> Result<(ContextSpec, Node), ConfigError> {
    let from_variable = inputs.variable("CLUSTERCTL_CONTEXT").map(str::to_owned);
    let asked = inputs
        .context
        .clone()
        .map(|name| (name, Place::of("--context", Layer::Flag)))
        .or_else(|| {
            let place = Place::of("$CLUSTERCTL_CONTEXT", Layer::Environment);
            from_variable.map(|name| (name, place))
        })
        .or(current);
    let names: Vec<&str> = contexts.iter().map(|(context, _)| context.name.as_str()).collect();
    let Some((name, place)) = asked else {
        return match contexts {
            [only] => Ok(only.clone()),
            [] => Err(Problem::of("there is no context: a Config document has to name one").into()),
            _ => {
                let message = format!(
                    "several contexts and none is current: name one of {} with --context",
                    names.join(", ")
                );
                Err(Problem::of(message).into())
            }
        };
    };
    if let Some(found) = contexts.iter().find(|(context, _)| context.name == name) {
        return Ok(found.clone());
    }
    let message = match closest(&name, names.iter().copied()) {
        Some(meant) => format!("there is no context {name:?}: did you mean {meant:?}?"),
        None if names.is_empty() => {
            format!("there is no context {name:?}: a Config document has to name it")
        }
        None => format!("there is no context {name:?}: known are {}", names.join(", ")),
    };
    Err(Problem::at(&place, message).into())
}

fn named<'d>(
    documents: &'d Documents,
    kind: Kind,
    name: &str,
    place: &Place,
) -> Result<&'d Document, Problem> {
    documents.named(kind, name).ok_or_else(|| {
        let names = documents.of(kind).map(|document| document.metadata.name.as_str());
        let kind = kind.name();
        let message = match closest(name, names) {
            Some(meant) => format!("there is no {kind} {name:?}: did you mean {meant:?}?"),
            None => format!("there is no {kind} {name:?}"),
        };
        Problem::at(place, message)
    })
}

fn inventory(
    documents: &Documents,
    cluster: &ClusterSpec,
    document: &Document,
    problems: &mut Vec<Problem>,
) -> Vec<InventoryEntry> {
    let mut chosen: Vec<&Document> = Vec::new();
    if cluster.inventories.is_empty() {
        if documents.of(Kind::Site).count() > 1 {
            let message = "several sites are loaded: the cluster has to list its \"inventories\"";
            problems.push(Problem::at(&document.place, message));
        }
        chosen.extend(documents.of(Kind::NodeInventory));
    } else {
        let place = document.spec.child("inventories").unwrap_or(&document.spec).place.clone();
        for name in &cluster.inventories {
            match named(documents, Kind::NodeInventory, name, &place) {
                Ok(found) => chosen.push(found),
                Err(problem) => problems.push(problem),
            }
        }
    }
    let mut entries = Vec::new();
    for document in chosen {
        let defaults = match document.spec.child("defaults").map(decode::<DefaultsSpec>) {
            Some(Ok(defaults)) => defaults,
            _ => DefaultsSpec::default(),
        };
        let defaults = std::sync::Arc::new(defaults);
        let Some(Value::Sequence(nodes)) = document.spec.child("nodes").map(|node| &node.value)
        else {
            continue;
        };
        entries.reserve(nodes.len());
        for node in nodes {
            match decode::<EntrySpec>(node) {
                Ok(entry) => entries.push(InventoryEntry {
                    place: node.place.clone(),
                    entry,
                    defaults: std::sync::Arc::clone(&defaults),
                }),
                Err(error) => problems.push(error.into()),
            }
        }
    }
    entries
}

fn workstation(
    document: &Document,
    bases: Bases<'_>,
    inputs: &Inputs,
    problems: &mut Vec<Problem>,
) -> WorkstationSpec {
    let mut spec = document.spec.clone();
    if let Value::Mapping(entries) = &mut spec.value {
        for (key, node) in entries {
            match (&mut node.value, key.text.as_str()) {
                (Value::Sequence(items), "identities") => {
                    items.iter_mut().for_each(|item| paths::absolute(item, bases, false, problems));
                }
                (_, "sopsBinary" | "sshuttleBinary") => {
                    paths::absolute(node, bases, true, problems);
                }
                _ => {}
            }
        }
    }
    match decode::<WorkstationSpec>(&spec) {
        Ok(spec) => with_variables(spec, inputs),
        Err(error) => {
            problems.push(error.into());
            WorkstationSpec::default()
        }
    }
}

fn with_variables(mut spec: WorkstationSpec, inputs: &Inputs) -> WorkstationSpec {
    let program = |text: &str| {
        if text.contains('/') {
            inputs.working_directory.join(text).display().to_string()
        } else {
            text.to_owned()
        }
    };
    if let Some(binary) = inputs.variable("CLUSTERCTL_SOPS_BINARY") {
        spec.sops_binary = program(binary);
    }
    if let Some(binary) = inputs.variable("CLUSTERCTL_SSHUTTLE_BINARY") {
        spec.sshuttle_binary = program(binary);
    }
    if let Some(browser) = inputs.variable("CLUSTERCTL_BROWSER") {
        spec.browser = Some(browser.to_owned());
    }
    spec
}

fn short(host: &str) -> String {
    host.split('.').next().unwrap_or(host).to_ascii_lowercase()
}
