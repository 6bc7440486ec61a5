//! Changing what the administrator of a lab has: configuration, ssh settings, host key file.

use std::fs;
use std::path::PathBuf;

use lab::Lab;

/// Replaces one text in a file of the workstation's `/etc/clusterctl`.
#[track_caller]
pub(crate) fn edit(lab: &Lab, file: &str, from: &str, to: &str) {
    let path = lab.directories().config().join(file);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{file} has no {from:?}");
    fs::write(&path, text.replacen(from, to, 1)).unwrap();
}

/// Puts lines before all others of the administrator's `~/.ssh/config`.
pub(crate) fn put_into_ssh_config(lab: &Lab, lines: &str) {
    let path = lab.directories().home().join(".ssh/config");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(path, format!("{lines}\n{text}")).unwrap();
}

/// The public key that a host has now, its type and base64.
pub(crate) fn key_of(lab: &Lab, host: &str) -> String {
    let path = lab.path_on(host, "/etc/ssh/ssh_host_ed25519_key.pub").unwrap();
    let text = fs::read_to_string(path).unwrap();
    text.split_whitespace().take(2).collect::<Vec<_>>().join(" ")
}

/// Gives a host another key, as a reinstall does, and has its sshd use it.
pub(crate) fn change_key(lab: &Lab, host: &str) {
    let key = lab.path_on(host, "/etc/ssh/ssh_host_ed25519_key").unwrap();
    fs::remove_file(&key).unwrap();
    let mut keygen = lab.command_on(host, "ssh-keygen").unwrap();
    keygen.args(["-q", "-t", "ed25519", "-N", "", "-f", "/etc/ssh/ssh_host_ed25519_key"]);
    assert!(keygen.stdin(std::process::Stdio::null()).status().is_ok());
    fs::remove_file(key.with_extension("pub")).ok();
    let mut keygen = lab.command_on(host, "sh").unwrap();
    let public =
        "ssh-keygen -y -f /etc/ssh/ssh_host_ed25519_key >/etc/ssh/ssh_host_ed25519_key.pub";
    assert!(keygen.args(["-c", public]).status().unwrap().success());
    restart_sshd(lab, host);
}

/// Has the sshd of a host read its settings anew.
pub(crate) fn restart_sshd(lab: &Lab, host: &str) {
    lab.service(host, "sshd", false).unwrap();
    lab.service(host, "sshd", true).unwrap();
}

/// A host key file of a test's own in the administrator's home, and the setting that names it.
pub(crate) fn known_hosts(lab: &Lab, name: &str, text: &str) -> (PathBuf, String) {
    let path = lab.directories().home().join(name);
    fs::write(&path, text).unwrap();
    let setting = format!("ssh.knownHostsFile={}", path.display());
    (path, setting)
}
