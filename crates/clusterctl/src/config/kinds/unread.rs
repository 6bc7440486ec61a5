//! Fields that nothing here reads: `config validate` says so where one is set.

use super::Kind;

/// Accepted and absent from the schema, since what they were for is not built: dotted paths below
/// `spec`. Fields of the original format.
///
/// A field leaves this list when something reads it.
pub(crate) const UNREAD: [(Kind, &str); 15] = [
    (Kind::Site, "bmc.ipmi.passwordTransport"),
    (Kind::Site, "services.dhcp.cacheTtl"),
    (Kind::Site, "services.http.root"),
    (Kind::Site, "services.http.baseUrl"),
    (Kind::Site, "services.http.archive"),
    (Kind::Site, "services.mail"),
    (Kind::Site, "services.cinc.archive"),
    (Kind::Site, "fanout.offload"),
    (Kind::Site, "fanout.offloadAbove"),
    (Kind::Site, "fanout.hub"),
    (Kind::Cluster, "slurm.partitions"),
    (Kind::Cluster, "slurm.json"),
    (Kind::Workstation, "pager"),
    (Kind::Workstation, "description"),
    (Kind::Cluster, "description"),
];

/// Checked as any other field, although no command reads them yet. `*` is any key or item; what is
/// below a path belongs to it.
///
/// A test compares this list with the sources, both ways.
pub(crate) const AWAITED: [(Kind, &str); 20] = [
    (Kind::Site, "hosts.*.forwardAgent"),
    (Kind::Site, "hosts.*.forwardX11"),
    (Kind::Site, "hosts.*.controlMaster"),
    (Kind::Site, "networks"),
    (Kind::Site, "bmc.pdu"),
    (Kind::Site, "ssh.controlPersist"),
    (Kind::Site, "tunnels"),
    (Kind::Site, "services.pxesrv.repoPath"),
    (Kind::Site, "services.tftp.root"),
    (Kind::Site, "services.tftp.grubPath"),
    (Kind::Site, "services.tftp.logPath"),
    (Kind::Site, "services.cinc.soloConfigPath"),
    (Kind::Site, "services.cinc.secrets"),
    (Kind::Site, "services.dns"),
    (Kind::Cluster, "slurm.organization"),
    (Kind::Cluster, "slurm.defaultAccount"),
    (Kind::Cluster, "slurm.lookBack"),
    (Kind::Cluster, "groups.sources.*.exec.reverse"),
    (Kind::Cluster, "groups.sources.*.cacheTtl"),
    (Kind::Workstation, "sopsKeyTypes"),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use serde_json::Value as Json;

    use super::{AWAITED, Kind};
    use crate::config::schema;

    /// The sources outside the definitions themselves, without their tests.
    fn sources(folder: &Path, found: &mut Vec<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                if !path.ends_with("config/kinds") {
                    sources(&path, found);
                }
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                found.push(text.split("#[cfg(test)]").next().unwrap().to_owned());
            }
        }
    }

    /// As Rust writes a field.
    fn snake(field: &str) -> String {
        let mut name = String::new();
        for c in field.chars() {
            if c.is_ascii_uppercase() {
                name.push('_');
            }
            name.push(c.to_ascii_lowercase());
        }
        name
    }

    /// As Rust writes an enum's variant.
    fn variant(field: &str) -> String {
        let mut letters = field.chars();
        letters
            .next()
            .map_or(String::new(), |c| c.to_ascii_uppercase().to_string() + letters.as_str())
    }

    fn has_word(text: &str, word: &str) -> bool {
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        text.match_indices(word).any(|(at, _)| {
            (word.starts_with(':') || !text[..at].ends_with(is_name))
                && !text[at + word.len()..].starts_with(is_name)
        })
    }

    /// Walks the schema of a kind; `read` is told the path of every field and what its owner is
    /// called in sources: its type, or the field that holds it.
    fn fields(
        schema: &Json,
        defs: &Json,
        path: &str,
        owners: &[String],
        read: &mut impl FnMut(&str, &[String], &[String]),
    ) {
        if let Some(name) = schema["$ref"].as_str().and_then(|name| name.rsplit('/').next()) {
            let mut owners = owners.to_vec();
            owners.push(name.to_owned());
            return fields(&defs[name], defs, path, &owners, read);
        }
        for choice in ["anyOf", "allOf", "oneOf"] {
            for one in schema[choice].as_array().into_iter().flatten() {
                fields(one, defs, path, owners, read);
            }
        }
        for inner in ["items", "additionalProperties"] {
            if schema[inner].is_object() {
                fields(&schema[inner], defs, &format!("{path}*."), owners, read);
            }
        }
        for (field, below) in schema["properties"].as_object().into_iter().flatten() {
            let name = snake(field);
            let path = format!("{path}{field}");
            let names = [name.clone(), format!("::{}", variant(field))];
            read(&path, &names, owners);
            let one = name.strip_suffix('s').unwrap_or(&name).to_owned();
            fields(below, defs, &format!("{path}."), &[name, variant(field), one], read);
        }
    }

    /// Whether a path of the schema is one of a list's or below one.
    fn is_at(path: &str, listed: &str) -> bool {
        path == listed || path.strip_prefix(listed).is_some_and(|rest| rest.starts_with('.'))
    }

    #[test]
    fn tr24_every_setting_is_read_or_said_to_be_awaited() {
        let mut texts = Vec::new();
        sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut texts);
        let mut unread = BTreeSet::new();
        let mut all = BTreeSet::new();
        // Values of a Secret are read after decryption, by the secrets crate.
        for kind in Kind::ALL.into_iter().filter(|kind| *kind != Kind::Secret) {
            let schema = schema(kind);
            let defs = &schema["$defs"];
            let top = if kind == Kind::Config { &schema } else { &schema["properties"]["spec"] };
            let owners = ["spec".to_owned(), format!("{}Spec", kind.name())];
            fields(top, defs, "", &owners, &mut |path, names, owners| {
                let is_read = texts.iter().any(|text| {
                    let has = |words: &[String]| words.iter().any(|word| has_word(text, word));
                    has(names) && has(owners)
                });
                // For people.
                let is_note = path.ends_with("description");
                let is_head = kind == Kind::Config
                    && ["apiVersion", "kind", "metadata"].iter().any(|head| is_at(path, head));
                all.insert((kind, path.to_owned()));
                if !is_read && !is_note && !is_head {
                    unread.insert((kind, path.to_owned()));
                }
            });
        }
        assert!(all.len() > 150, "the schema was walked: {}", all.len());
        for (kind, path) in &unread {
            let is_listed = AWAITED.iter().any(|(of, listed)| of == kind && is_at(path, listed));
            // Read through the whole section that it is.
            let is_section = all.iter().any(|(of, other)| {
                of == kind
                    && other != path
                    && is_at(other, path)
                    && !unread.contains(&(*of, other.clone()))
            });
            assert!(is_listed || is_section, "nothing reads {} {path}", kind.name());
        }
        for (kind, listed) in AWAITED {
            let is_unread = unread.iter().any(|(of, path)| *of == kind && is_at(path, listed));
            assert!(is_unread, "{} {listed} is read, or is none", kind.name());
        }
    }
}
