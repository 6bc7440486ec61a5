//! Lines without some hosts, and the way back.

use crate::hostkeys::entry::{Entry, Marker};
use crate::hostkeys::pattern::HostName;

/// What was removed: enough to put back exactly that.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Removed {
    lines: Vec<Line>,
}

impl Removed {
    /// How many lines lost a host.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Whether nothing was removed.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }
}

/// A line that named hosts which were removed.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Line {
    /// Its place among all lines.
    index: usize,
    /// The line as it was.
    before: String,
    /// What stayed of it; `None` if nothing did.
    after: Option<String>,
    /// Each name of the line, and the node it was removed for.
    names: Vec<(String, Option<usize>)>,
}

/// The text without the nodes, and what was removed.
pub(crate) fn remove_from(text: &str, nodes: &[Vec<String>]) -> (String, Removed) {
    let mut out = String::with_capacity(text.len());
    let mut removed = Removed::default();
    for (index, line) in text.split_inclusive('\n').enumerate() {
        match without(line, nodes) {
            None => out.push_str(line),
            Some(names) => {
                let kept: Vec<&str> = names
                    .iter()
                    .filter(|(_, node)| node.is_none())
                    .map(|(name, _)| name.as_str())
                    .collect();
                let after = (!kept.is_empty()).then(|| with_hosts(line, &kept.join(",")));
                out.push_str(after.as_deref().unwrap_or_default());
                removed.lines.push(Line { index, before: line.to_owned(), after, names });
            }
        }
    }
    (out, removed)
}

/// The text with what was removed of these nodes.
pub(crate) fn restore_to(text: &str, removed: &Removed, nodes: &[usize]) -> String {
    let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    for line in &removed.lines {
        let back = |node: &Option<usize>| node.is_some_and(|node| nodes.contains(&node));
        if !line.names.iter().any(|(_, node)| back(node)) {
            continue;
        }
        let stays = |(name, node): &(String, Option<usize>)| {
            (node.is_none() || back(node)).then(|| name.clone())
        };
        let names: Vec<String> = line.names.iter().filter_map(stays).collect();
        let restored = with_hosts(&line.before, &names.join(","));
        let rest = line.after.as_ref();
        match lines.iter().position(|known| Some(known) == rest) {
            Some(at) => lines[at] = restored,
            None => lines.insert(line.index.min(lines.len()), restored),
        }
    }
    lines.concat()
}

/// The names of a line with the node each was removed for; `None` if it keeps them all.
fn without(line: &str, nodes: &[Vec<String>]) -> Option<Vec<(String, Option<usize>)>> {
    let entry = Entry::parse(line)?;
    if matches!(entry.marker, Some(Marker::CertAuthority | Marker::Revoked)) {
        return None;
    }
    let names: Vec<(String, Option<usize>)> = if entry.hosts.starts_with('|') {
        let names = |name: &String| entry.names(&HostName::new(name, 22));
        let node = nodes.iter().position(|node| node.iter().any(names));
        vec![(entry.hosts.clone(), node)]
    } else {
        let owner = |piece: &str| {
            let bare = piece.strip_prefix('[').and_then(|rest| rest.split_once("]:"));
            let bare = bare.map_or(piece, |(host, _)| host);
            nodes.iter().position(|node| node.iter().any(|name| name.eq_ignore_ascii_case(bare)))
        };
        entry.hosts.split(',').map(|piece| (piece.to_owned(), owner(piece))).collect()
    };
    // A line with a wildcard vouches for hosts that nobody named: it is left alone.
    let is_pattern = |name: &str| name.contains(['*', '?', '!']);
    let removes = names.iter().any(|(_, node)| node.is_some());
    let is_open = names.iter().any(|(name, _)| is_pattern(name));
    (removes && !is_open).then_some(names)
}

/// A line with other hosts in its first field.
fn with_hosts(line: &str, hosts: &str) -> String {
    let start = line.len() - line.trim_start().len();
    let end = line[start..].find([' ', '\t']).map_or(line.len(), |end| start + end);
    format!("{}{hosts}{}", &line[..start], &line[end..])
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str =
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIrAHLkm6KMkbYWbcJm8h9yRA3VvQhKDbzSvEcHYO3KR";

    fn file() -> String {
        format!(
            "# head\n\nexe0001,10.0.2.1 {KEY}\n# both\nexe0001.hpc,exe0002 {KEY} note\n@revoked exe0001 {KEY}\n\
             exe* {KEY}\n@cert-authority *.hpc {KEY}\nexe00011 {KEY}\n[exe0001]:2222 {KEY}\n"
        )
    }

    fn nodes() -> Vec<Vec<String>> {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        vec![names(&["exe0001", "exe0001.hpc", "10.0.2.1"]), names(&["exe0002"])]
    }

    #[test]
    fn only_the_nodes_own_names_go_and_comments_stay_in_place() {
        let (text, removed) = remove_from(&file(), &nodes()[..1]);
        assert_eq!(
            text,
            format!(
                "# head\n\n# both\nexe0002 {KEY} note\n@revoked exe0001 {KEY}\nexe* {KEY}\n\
                 @cert-authority *.hpc {KEY}\nexe00011 {KEY}\n"
            )
        );
        assert_eq!(removed.len(), 3);
    }

    #[test]
    fn putting_all_back_gives_the_same_file() {
        let (text, removed) = remove_from(&file(), &nodes());
        assert_eq!(restore_to(&text, &removed, &[0, 1]), file());
    }

    #[test]
    fn putting_one_node_back_leaves_the_other_out() {
        let (text, removed) = remove_from(&file(), &nodes());
        let restored = restore_to(&text, &removed, &[1]);
        assert!(restored.contains(&format!("\nexe0002 {KEY} note\n")), "{restored}");
        assert!(!restored.contains("10.0.2.1"), "{restored}");
    }
}
