//! What the administrator has on the workstation: configuration, keys, credentials.

use super::inventory::inventory;
use crate::command;
use crate::error::{Doing, Error};
use crate::options::{Layout, Options};
use crate::plan::Plan;
use crate::wire::Directories;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

/// The account of the service processors.
pub(crate) const BMC_USER: &str = "admin";
/// Its password. Not a secret: it opens simulators only.
pub(crate) const BMC_PASSWORD: &str = "lab-bmc-password";

/// The example configuration, as it stands in `examples/site`.
const CONFIG: &str = include_str!("../../../examples/site/config.yaml");
const SITE: &str = include_str!("../../../examples/site/site.yaml");
const CLUSTER: &str = include_str!("../../../examples/site/cluster.yaml");
const WORKSTATION: &str = include_str!("../../../examples/site/workstation.yaml");

/// The administrator's ssh settings: the lab's one key exchange, the site's
/// host keys, and nothing that asks.
const SSH_CONFIG: &str = "\
Host *
  User root
  IdentityFile ~/.ssh/id_ed25519
  KexAlgorithms curve25519-sha256
  UserKnownHostsFile /etc/clusterctl/ssh_known_hosts
  StrictHostKeyChecking yes
  UpdateHostKeys no
";

/// The administrator's ssh key.
#[derive(Debug)]
pub(crate) struct UserKey {
    /// The public half, one line.
    pub public: String,
}

impl UserKey {
    /// Makes a key in this `.ssh` directory.
    pub(crate) fn generate(directory: &Path) -> Result<UserKey, Error> {
        fs::create_dir_all(directory).doing(|| format!("creating {}", directory.display()))?;
        protect(directory, 0o700)?;
        let key = directory.join("id_ed25519");
        let mut keygen = Command::new("ssh-keygen");
        keygen.args(["-q", "-t", "ed25519", "-N", "", "-C", "admin@workstation", "-f"]);
        command::run(keygen.arg(&key))?;
        let path = key.with_extension("pub");
        let public = fs::read_to_string(&path).doing(|| format!("reading {}", path.display()))?;
        Ok(UserKey { public })
    }
}

/// Writes `/etc/clusterctl` and the home directory. The host key file comes once the keys are known.
pub(crate) fn write_workstation(
    plan: &Plan,
    directories: &Directories,
    options: &Options,
) -> Result<(), Error> {
    let (config, home) = (directories.config(), directories.home());
    write(&config.join("config.yaml"), CONFIG, 0o644)?;
    write(&config.join("site.yaml"), &site(options), 0o644)?;
    write(&config.join("cluster.yaml"), CLUSTER, 0o644)?;
    write(&config.join("workstation.yaml"), WORKSTATION, 0o644)?;
    write(&config.join("inventory.yaml"), &inventory(plan), 0o644)?;
    write(&config.join("secrets/bmc-password"), &format!("{BMC_PASSWORD}\n"), 0o600)?;
    write(&home.join(".ssh/config"), SSH_CONFIG, 0o600)?;
    encrypted_secret(&config.join("secrets/nslcd.keytab.age"), &home.join(".config/clusterctl"))?;
    protect(&config.join("secrets"), 0o700)
}

/// The example's Site document; a site with upstream's link layout differs in one line, and one
/// whose service processors speak IPMI in two: `ipmi_sim` wants a workaround of FreeIPMI's.
fn site(options: &Options) -> String {
    let mut site = SITE.to_owned();
    if options.layout == Layout::Directories {
        site = site.replace("layout: suffix", "layout: directories");
    }
    if options.ipmi {
        site = site.replace("order: [redfish]", "order: [redfish, ipmi]");
        site = site.replace("workaroundFlags: []", "workaroundFlags: [opensesspriv]");
    }
    site
}

/// A secret that is encrypted to the administrator's age identity.
fn encrypted_secret(target: &Path, identities: &Path) -> Result<(), Error> {
    fs::create_dir_all(identities).doing(|| format!("creating {}", identities.display()))?;
    let identity = identities.join("identity.txt");
    command::run(Command::new("age-keygen").arg("-o").arg(&identity))?;
    let recipient = command::run(Command::new("age-keygen").arg("-y").arg(&identity))?;
    let mut age = Command::new("age");
    age.args(["--encrypt", "--recipient", recipient.trim(), "--output"]).arg(target);
    command::run_with_input(&mut age, "not really a keytab\n").map(drop)
}

fn write(path: &Path, text: &str, mode: u32) -> Result<(), Error> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).doing(|| format!("creating {}", parent.display()))?;
    }
    fs::write(path, text).doing(|| format!("writing {}", path.display()))?;
    protect(path, mode)
}

fn protect(path: &Path, mode: u32) -> Result<(), Error> {
    fs::set_permissions(path, fs::Permissions::from_mode(mode))
        .doing(|| format!("setting the mode of {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_other_layout_changes_one_line_of_the_example() {
        let other = Options { layout: Layout::Directories, ..Options::default() };
        let (suffix, directories) = (site(&Options::default()), site(&other));
        let changed: Vec<_> =
            suffix.lines().zip(directories.lines()).filter(|(a, b)| a != b).collect();
        assert_eq!(changed, [("      layout: suffix", "      layout: directories")]);
    }

    #[test]
    fn ipmi_changes_two_lines_of_the_example() {
        let ipmi = site(&Options { ipmi: true, ..Options::default() });
        let changed = SITE.lines().zip(ipmi.lines()).filter(|(a, b)| a != b).count();
        assert_eq!(changed, 2);
    }

    #[test]
    fn the_example_names_the_suffix_that_the_service_uses() {
        assert!(SITE.contains(&format!("staticSuffix: {}\n", Layout::SUFFIX)));
    }

    #[test]
    fn the_example_inventory_is_the_one_of_sixteen_nodes() {
        let example = include_str!("../../../examples/site/inventory.yaml");
        let documents: Vec<_> =
            example.lines().filter(|line| !line.trim_start().starts_with('#')).collect();
        assert_eq!(documents, inventory(&Plan::new(16)).lines().collect::<Vec<_>>());
    }
}
