//! A workplace of its own for every test: a home, a configuration, a clean environment, and the
//! real program.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// The site's settings where a test wants no others.
pub(crate) const SITE: &str = r#"
domains: {hpc: hpc.example.org, mgmt: mgmt.hpc.example.org}
naming:
  rules:
    - match: {prefixes: [exe]}
      fqdn: "{name}.{domains.hpc}"
      bmc: "{name}.{domains.mgmt}"
    - fqdn: "{name}.{domains.hpc}"
hosts:
  login: {host: login.hpc.example.org, user: root}
ssh: {knownHostsFile: known_hosts}
"#;

/// The inventory where a test wants no other.
pub(crate) const INVENTORY: &str = r"
nodes:
  - {nodes: 'exe[0001-0010]', attributes: {class: exe}, rack: R02}
  - {nodes: wlm01, attributes: {class: wlm}, rack: R01}
";

/// The cluster where a test wants no other.
pub(crate) const CLUSTER: &str = r"
site: here
groups:
  defaultSource: class
  sources:
    class: {attribute: class}
    rack: {attribute: rack}
";

/// How long a command without a host may take.
const LIMIT: Duration = Duration::from_mins(1);

/// A home, a configuration, a working directory; gone when the test ends.
pub(crate) struct Workplace {
    root: TempDir,
}

/// How a run of the program ended.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Everything below a directory: modes, contents, targets of links.
type Snapshot = BTreeMap<PathBuf, (u32, Vec<u8>)>;

impl Workplace {
    /// A valid configuration of one site, one cluster, eleven nodes.
    pub(crate) fn new() -> Workplace {
        let place = Workplace::bare();
        place.write(
            "config.yaml",
            "apiVersion: clusterctl/v1alpha1\nkind: Config\ncurrentContext: one\ncontexts:\n  - {name: one, cluster: one}\n",
        );
        place.site(SITE);
        place.cluster(CLUSTER);
        place.inventory(INVENTORY);
        place
    }

    /// No configuration at all.
    pub(crate) fn bare() -> Workplace {
        let place = Workplace { root: tempfile::tempdir().unwrap() };
        for folder in ["home", "home/.config", "home/.config/clusterctl", "desk"] {
            place.folder(&place.root().join(folder));
        }
        place
    }

    /// A private directory, whatever the umask is.
    pub(crate) fn folder(&self, path: &Path) {
        assert!(path.starts_with(self.root()));
        fs::create_dir_all(path).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o700)).unwrap();
    }

    /// Everything of this workplace lies below.
    pub(crate) fn root(&self) -> &Path {
        self.root.path()
    }

    /// The directory the program is started in.
    pub(crate) fn working_directory(&self) -> PathBuf {
        self.root().join("desk")
    }

    /// The configuration's directory.
    pub(crate) fn configuration(&self) -> PathBuf {
        self.root().join("home/.config/clusterctl")
    }

    /// The state directory.
    pub(crate) fn state(&self) -> PathBuf {
        self.root().join("state/clusterctl")
    }

    /// Writes a file of the configuration, private to the user.
    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.configuration().join(name);
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    }

    /// The settings of the Site document.
    pub(crate) fn site(&self, spec: &str) {
        self.write("site.yaml", &document("Site", "here", spec));
    }

    /// The Cluster document.
    pub(crate) fn cluster(&self, spec: &str) {
        self.write("cluster.yaml", &document("Cluster", "one", spec));
    }

    /// The NodeInventory document.
    pub(crate) fn inventory(&self, spec: &str) {
        self.write("inventory.yaml", &document("NodeInventory", "one", spec));
    }

    /// A program that leaves a mark when it is started, and the mark's place.
    pub(crate) fn trap(&self) -> (PathBuf, PathBuf) {
        let (program, mark) = (self.root().join("trap"), self.root().join("started"));
        fs::write(&program, format!("#!/bin/sh\necho \"$@\" >>{}\n", mark.display())).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o700)).unwrap();
        (program, mark)
    }

    /// Runs the program.
    pub(crate) fn run(&self, words: &[&str]) -> Ran {
        self.run_with(&[], words)
    }

    /// Runs the program with more variables.
    pub(crate) fn run_with(&self, variables: &[(&str, &str)], words: &[&str]) -> Ran {
        let mut command = Command::new(env!("CARGO_BIN_EXE_clusterctl"));
        command
            .args(words)
            .current_dir(self.working_directory())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.root().join("home"))
            .env("XDG_STATE_HOME", self.root().join("state"))
            .env("XDG_CACHE_HOME", self.root().join("cache"))
            // The system's own configuration is none of these tests' business.
            .env("CLUSTERCTL_CONFIG", self.configuration())
            .envs(variables.iter().copied());
        finish(command)
    }

    /// What the program prints when all is well.
    pub(crate) fn prints(&self, words: &[&str]) -> String {
        self.prints_with(&[], words)
    }

    /// What the program prints with more variables when all is well.
    pub(crate) fn prints_with(&self, variables: &[(&str, &str)], words: &[&str]) -> String {
        let ran = self.run_with(variables, words);
        assert_eq!(ran.code, 0, "{words:?}: {ran:?}");
        ran.stdout
    }

    /// A refusal: exit 2, nothing on standard output, nothing changed. Gives the message, the
    /// workplace's path left out.
    pub(crate) fn refuses(&self, words: &[&str]) -> String {
        self.refuses_with(&[], words)
    }

    /// A refusal with more variables.
    pub(crate) fn refuses_with(&self, variables: &[(&str, &str)], words: &[&str]) -> String {
        let before = snapshot(self.root());
        let ran = self.run_with(variables, words);
        assert_eq!(ran.code, 2, "{words:?} is not refused: {ran:?}");
        assert_eq!(ran.stdout, "", "{words:?}: a refusal prints no result: {ran:?}");
        assert!(!ran.stderr.is_empty(), "{words:?}: a refusal says why");
        assert!(before == snapshot(self.root()), "{words:?}: a refusal changes nothing");
        self.masked(&ran.stderr)
    }

    /// A text without this workplace's path.
    pub(crate) fn masked(&self, text: &str) -> String {
        let configuration = format!("{}/", self.configuration().display());
        let root = self.root().display().to_string();
        text.replace(&configuration, "").replace(&root, "ROOT")
    }
}

/// A document of a kind.
pub(crate) fn document(kind: &str, name: &str, spec: &str) -> String {
    let spec: String = spec.trim().lines().map(|line| format!("  {line}\n")).collect();
    format!(
        "apiVersion: clusterctl/v1alpha1\nkind: {kind}\nmetadata: {{name: {name}}}\nspec:\n{spec}"
    )
}

/// Starts a command and waits for its end, which has to come.
fn finish(mut command: Command) -> Ran {
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let (mut stdout, mut stderr) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
    let reader = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        stdout.read_to_end(&mut bytes).unwrap();
        bytes
    });
    let errors = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        stderr.read_to_end(&mut bytes).unwrap();
        bytes
    });
    let started = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if started.elapsed() > LIMIT {
            child.kill().unwrap();
            panic!("{command:?} does not end");
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    Ran {
        code: status.code().unwrap_or_else(|| panic!("{command:?} was killed: {status}")),
        stdout: String::from_utf8(reader.join().unwrap()).unwrap(),
        stderr: String::from_utf8(errors.join().unwrap()).unwrap(),
    }
}

fn snapshot(root: &Path) -> Snapshot {
    let mut found = Snapshot::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for path in entries.map(|entry| entry.unwrap().path()) {
            let metadata = path.symlink_metadata().unwrap();
            let content = if metadata.is_symlink() {
                fs::read_link(&path).unwrap().into_os_string().into_encoded_bytes()
            } else if metadata.is_dir() {
                folders.push(path.clone());
                Vec::new()
            } else {
                fs::read(&path).unwrap_or_default()
            };
            found.insert(path, (metadata.permissions().mode(), content));
        }
    }
    found
}
