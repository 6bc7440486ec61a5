//! `config init`: the first documents of a site.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;

use crate::workplace::Workplace;

const NAMES: [&str; 10] = [
    "--site",
    "north",
    "--cluster",
    "n1",
    "--domain",
    "hpc.example.net",
    "--user",
    "admin",
    "--login",
    "wlm.hpc.example.net",
];

fn files(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn the_first_documents_are_valid_as_they_are() {
    let place = Workplace::bare();
    let init = [&["config", "init", "new"][..], &NAMES].concat();
    let told = place.masked(&place.prints(&init));
    // The table is as wide as the path of this workplace.
    insta::assert_snapshot!(told.lines().last().unwrap(), @r#"written; next: edit them, put the public keys of your hosts into ROOT/desk/new/ssh_known_hosts, and run "clusterctl --config ROOT/desk/new config validate""#);
    let folder = place.working_directory().join("new");
    assert_eq!(
        files(&folder),
        ["cluster.yaml", "config.yaml", "inventory.yaml", "site.yaml", "ssh_known_hosts"]
    );
    let told = place.prints(&["--config", "new", "config", "validate"]);
    assert!(told.contains("4 documents are valid; context n1 resolves"), "{told}");
    let explain = |path| place.prints(&["--config", "new", "config", "explain", path]);
    assert!(explain("slurm.role").contains("login"), "a node's jobs are asked for");
    assert!(explain("safety.slurmAware").contains("true"));
    assert!(explain("hosts.login.host").contains("wlm.hpc.example.net"));
    assert!(explain("domains.bmc").contains("bmc.hpc.example.net"));
    assert!(explain("context.user").contains("admin"), "{}", explain("context.user"));
}

#[test]
fn in15_the_first_cluster_lists_its_own_inventory() {
    let place = Workplace::bare();
    for (folder, cluster) in [("a", "one"), ("b", "two")] {
        place.prints(&["config", "init", folder, "--site", folder, "--cluster", cluster]);
    }
    // Two sites loaded together: each cluster has the nodes it lists.
    fs::remove_file(place.working_directory().join("b/config.yaml")).unwrap();
    place.prints(&["--config", "a", "--config", "b", "config", "validate"]);
}

#[test]
fn the_users_own_place_is_made_where_it_is_missing() {
    let place = Workplace::bare();
    let home = place.root().join("fresh");
    place.folder(&home);
    let own = [("HOME", home.to_str().unwrap()), ("CLUSTERCTL_CONFIG", "")];
    let made = home.join(".config/clusterctl");
    if fs::read_dir("/etc/clusterctl").is_ok_and(|mut entries| entries.next().is_some()) {
        place.refuses_with(&own, &["config", "init"]);
        eprintln!("skipped: this machine has documents in /etc/clusterctl");
        return;
    }
    place.prints_with(&own, &["config", "init"]);
    assert!(made.join("site.yaml").is_file());
    place.prints_with(&own, &["config", "validate"]);
    assert!(place.refuses_with(&own, &["config", "init"]).contains("is not empty"));

    let elsewhere = [("XDG_CONFIG_HOME", "/nowhere"), ("CLUSTERCTL_CONFIG", "/some/file")];
    assert!(place.refuses_with(&elsewhere, &["config", "init"]).contains("CLUSTERCTL_CONFIG"));
}

#[test]
fn documents_are_what_others_may_read_and_not_write() {
    let place = Workplace::bare();
    place.prints(&["config", "init", "new"]);
    for file in files(&place.working_directory().join("new")) {
        let path = place.working_directory().join("new").join(file);
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o644);
    }
}

#[test]
fn a_directory_that_is_there_stays_the_same_one() {
    let place = Workplace::bare();
    let ran = place.prints(&["config", "init", "."]);
    assert!(ran.contains("site.yaml"));
    place.prints(&["--config", ".", "config", "validate"]);

    let target = place.root().join("target");
    place.folder(&target);
    symlink(&target, place.working_directory().join("link")).unwrap();
    place.prints(&["config", "init", "link"]);
    assert!(target.join("site.yaml").is_file());
}

#[test]
fn cf17_a_place_that_is_taken_or_not_ones_own_is_refused_and_left_alone() {
    let place = Workplace::bare();
    let at = |name: &str| place.working_directory().join(name);
    fs::create_dir(at("taken")).unwrap();
    fs::write(at("taken/notes"), "").unwrap();
    assert!(place.refuses(&["config", "init", "taken"]).contains("is not empty"));

    fs::create_dir(at("loose")).unwrap();
    fs::set_permissions(at("loose"), fs::Permissions::from_mode(0o777)).unwrap();
    assert!(place.refuses(&["config", "init", "loose"]).contains("may be written by others"));

    fs::write(at("file"), "").unwrap();
    place.refuses(&["config", "init", "file"]);
    place.refuses(&["config", "init", "file/below"]);
    place.refuses(&["config", "init", "/proc/new/deep"]);

    // Nothing can be made in a directory that holds no names of this length.
    let long = "x".repeat(300);
    place.refuses(&["config", "init", &format!("new/deep/{long}")]);
    assert!(!at("new").exists(), "what was made on the way is gone");
}

#[test]
fn a_dry_run_says_what_would_be_written_and_writes_nothing() {
    let place = Workplace::bare();
    let told = place.prints(&["--dry-run", "config", "init", "a/b"]);
    assert!(told.contains("would be written"), "{told}");
    assert!(!place.working_directory().join("a").exists());
}

#[test]
fn names_are_names_and_never_yaml() {
    let place = Workplace::bare();
    for option in ["--site", "--cluster", "--user"] {
        for name in ["", "a b", "a\"b", "a: b", "a\nb", "-a", "{a}", "é"] {
            let word = format!("{option}={name}");
            place.refuses(&["config", "init", "new", &word]);
        }
    }
    for option in ["--domain", "--login"] {
        for name in ["", "a b", "a\"b", "{a}", "a_b", "-a"] {
            place.refuses(&["config", "init", "new", &format!("{option}={name}")]);
        }
    }
    assert!(place.refuses(&["config", "init", "new", "--domain", "10.0.0.1"]).contains("address"));
}
