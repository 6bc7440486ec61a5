//! `config init`: the first documents of a site, all of them or none.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use serde::Serialize;
use thiserror::Error;

use crate::config::{ConfigError, Distrust, Inputs, SYSTEM_DIRECTORY, check_directory};
use crate::exit::{Classify, ExitClass, Stop};
use crate::output::{Outcome, Output, Table};
use crate::reach::quote_word;
use crate::site::HostName;

/// The documents, with `{{…}}` where a name belongs.
const DOCUMENTS: [(&str, &str, &str); 4] = [
    ("config.yaml", "Config", include_str!("scaffold/config.yaml")),
    ("site.yaml", "Site", include_str!("scaffold/site.yaml")),
    ("cluster.yaml", "Cluster", include_str!("scaffold/cluster.yaml")),
    ("inventory.yaml", "NodeInventory", include_str!("scaffold/inventory.yaml")),
];

/// The file that vouches for hosts; it begins empty, so that nothing is connected to.
const HOST_KEYS: &str = "ssh_known_hosts";

/// The names that the first documents hold.
#[derive(Debug, Clone)]
pub struct Names {
    /// The site.
    pub site: String,
    /// Its first cluster, its inventory and its context.
    pub cluster: String,
    /// The domain of the hosts.
    pub domain: HostName,
    /// The account on hosts.
    pub user: String,
    /// The host of the role `login`; `login` in the domain without it.
    pub login: Option<HostName>,
}

/// A directory that is to hold the first documents.
#[derive(Debug)]
pub struct Scaffold {
    folder: PathBuf,
    /// Not the place where documents are looked for.
    is_named: bool,
    names: Names,
}

/// What is written, for programs.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    file: String,
    kind: &'static str,
    name: String,
}

/// Why no documents were written.
#[derive(Debug, Error)]
pub enum ScaffoldError {
    /// The place is taken.
    #[error("{} is not empty; name another directory, or edit what is there", .0.display())]
    NotEmpty(PathBuf),
    /// Documents here would stand on those of the machine.
    #[error(
        "{SYSTEM_DIRECTORY} has documents that those in {} would be merged with; name the directory that is meant",
        .0.display()
    )]
    Shadows(PathBuf),
    /// Documents here would not be read.
    #[error(
        "--config or CLUSTERCTL_CONFIG names other documents than those in {}; name the directory that is meant",
        .0.display()
    )]
    Elsewhere(PathBuf),
    /// Not this user's alone.
    #[error(transparent)]
    Distrusted(#[from] Distrust),
    /// The file system refused.
    #[error("cannot write {}", .path.display())]
    Write {
        /// What was to be written.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// Neither `HOME` nor `XDG_CONFIG_HOME` is set.
    #[error("no home directory is set; name the directory that is meant")]
    NoHome,
    /// An address is no domain.
    #[error("{0} is an address; --domain is the domain of the nodes")]
    Domain(String),
    /// A name that cannot stand in a document.
    #[error(
        "{0:?} is no name: letters, digits, \"-\", \"_\" and \".\", beginning with a letter or digit"
    )]
    Name(String),
}

impl Classify for ScaffoldError {
    fn exit_class(&self) -> ExitClass {
        ExitClass::Usage
    }
}

impl Scaffold {
    /// In a directory, or in the user's own place.
    ///
    /// # Errors
    ///
    /// When the place is taken, somebody else's, or would add to the machine's own documents
    /// without having been named.
    pub fn new(
        folder: Option<&Path>,
        names: Names,
        inputs: &Inputs,
    ) -> Result<Scaffold, ScaffoldError> {
        for name in [&names.site, &names.cluster, &names.user] {
            if !is_name(name) {
                return Err(ScaffoldError::Name(name.clone()));
            }
        }
        if names.domain.address().is_some() {
            return Err(ScaffoldError::Domain(names.domain.as_str().to_owned()));
        }
        let is_named = folder.is_some();
        let folder = match folder {
            Some(folder) => inputs.working_directory.join(folder),
            None => {
                let folder = inputs.user_directory().ok_or(ScaffoldError::NoHome)?;
                if !inputs.config.is_empty() || inputs.variable("CLUSTERCTL_CONFIG").is_some() {
                    return Err(ScaffoldError::Elsewhere(folder));
                }
                if fs::read_dir(SYSTEM_DIRECTORY).is_ok_and(|mut entries| entries.next().is_some())
                {
                    return Err(ScaffoldError::Shadows(folder));
                }
                folder
            }
        };
        let failed = |source| ScaffoldError::Write { path: folder.clone(), source };
        match fs::read_dir(&folder) {
            Ok(mut entries) => {
                check_directory(&folder).map_err(failed)??;
                if entries.next().is_some() {
                    return Err(ScaffoldError::NotEmpty(folder));
                }
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(failed(error)),
        }
        Ok(Scaffold { folder, is_named, names })
    }

    /// Writes the documents, unless it is a dry run, after `check` has found them right.
    ///
    /// They are written into a hidden directory of it first and moved when all are there.
    ///
    /// # Errors
    ///
    /// When something cannot be written; then nothing is.
    pub fn write(
        &self,
        dry_run: bool,
        check: impl Fn(&Path) -> Result<(), ConfigError>,
    ) -> Result<Outcome, Stop> {
        if dry_run {
            return Ok(self.outcome(true));
        }
        let failed = |path: &Path| {
            let path = path.to_owned();
            |source| ScaffoldError::Write { path, source }
        };
        let mut made = Made::default();
        made.directory(&self.folder)?;
        // Goes when it is dropped, which is before what was made.
        let hidden = tempfile::Builder::new()
            .prefix(".clusterctl-")
            .tempdir_in(&self.folder)
            .map_err(failed(&self.folder))?;
        let texts = DOCUMENTS.map(|(file, _, text)| (file, self.filled(text)));
        let files = texts.into_iter().chain([(HOST_KEYS, String::new())]);
        let files: Vec<_> =
            files.map(|(file, text)| (self.folder.join(file), file, text)).collect();
        for (place, file, text) in &files {
            put(&hidden.path().join(file), text).map_err(failed(place))?;
        }
        check(hidden.path())?;
        for (place, file, _) in &files {
            fs::rename(hidden.path().join(file), place).map_err(failed(place))?;
            made.files.push(place.clone());
        }
        made.keep();
        Ok(self.outcome(false))
    }

    fn filled(&self, text: &str) -> String {
        let Names { site, cluster, domain, user, login } = &self.names;
        let usual = format!("login.{}", domain.as_str());
        let login = login.as_ref().map_or(usual.as_str(), HostName::as_str);
        text.replace("{{site}}", site)
            .replace("{{cluster}}", cluster)
            .replace("{{domain}}", domain.as_str())
            .replace("{{user}}", user)
            .replace("{{login}}", login)
    }

    fn outcome(&self, dry_run: bool) -> Outcome {
        let mut table = Table::titled(&["FILE", "KIND", "NAME"]);
        let mut rows = Vec::new();
        for (file, kind, _) in DOCUMENTS {
            let name = match kind {
                "Config" => String::new(),
                "Site" => self.names.site.clone(),
                _ => self.names.cluster.clone(),
            };
            let row = Row { file: self.folder.join(file).display().to_string(), kind, name };
            table.push([row.file.as_str(), row.kind, row.name.as_str()]);
            rows.push(row);
        }
        let place = self.folder.display();
        let done = if dry_run { "would be written" } else { "written" };
        let config = if self.is_named {
            format!("--config {} ", quote_word(&place.to_string()))
        } else {
            String::new()
        };
        let caption = format!(
            "{done}; next: edit them, put the public keys of your hosts into {place}/{HOST_KEYS}, \
             and run \"clusterctl {config}config validate\""
        );
        Outcome::of(Output::table(table, &rows).with_caption(caption))
    }
}

/// What did not exist before, removed again unless it is kept.
#[derive(Debug, Default)]
struct Made {
    directories: Vec<PathBuf>,
    files: Vec<PathBuf>,
}

impl Made {
    /// A directory and those above it, as far as they are missing.
    fn directory(&mut self, folder: &Path) -> Result<(), ScaffoldError> {
        let missing: Vec<&Path> = folder.ancestors().take_while(|path| !path.exists()).collect();
        for path in missing.into_iter().rev() {
            let failed = |source| ScaffoldError::Write { path: path.to_owned(), source };
            DirBuilder::new().mode(0o755).create(path).map_err(failed)?;
            self.directories.push(path.to_owned());
        }
        Ok(())
    }

    fn keep(&mut self) {
        self.directories.clear();
        self.files.clear();
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        for path in &self.files {
            let _ = fs::remove_file(path);
        }
        for path in self.directories.iter().rev() {
            // What somebody else has put there meanwhile stays.
            let _ = fs::remove_dir(path);
        }
    }
}

/// A new file that others may read and nobody else may write, whatever the umask is.
fn put(path: &Path, text: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o644).open(path)?;
    file.write_all(text.as_bytes())?;
    file.set_permissions(fs::Permissions::from_mode(0o644))?;
    file.sync_all()
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
}
