//! The transport's settings, from the configuration.

use std::path::PathBuf;

use crate::config::Inputs;
use crate::config::kinds::SshTransport;
use crate::reach::{Settings, Transport};
use crate::site::Site;

/// The transport's settings from the configuration.
pub(super) fn ssh_settings(site: &Site, inputs: &Inputs) -> Settings {
    let settings = site.settings();
    let ssh = &settings.ssh;
    let known_hosts = ssh.known_hosts_file.as_ref().map(PathBuf::from);
    let mut own = Settings::new(known_hosts, site.resolved().state_directory.join("ssh"));
    own.strict = ssh.strict_host_key_checking;
    if let Some(home) = inputs.home() {
        home.clone_into(&mut own.home);
        own.include = vec![home.join(".ssh/config"), PathBuf::from("/etc/ssh/ssh_config")];
    }
    if let Some(include) = &ssh.include {
        own.include = include.iter().map(PathBuf::from).collect();
    }
    own.transport = match ssh.transport {
        SshTransport::Libssh2 => Transport::Ssh2,
        SshTransport::Openssh => Transport::Openssh,
    };
    own.connect_timeout = ssh.connect_timeout.min(settings.fanout.connect_timeout);
    own.connection_attempts = ssh.connection_attempts.get();
    own.keepalive = ssh.server_alive_interval;
    own.keepalive_count = ssh.server_alive_count_max.get();
    own.options = ssh.options.iter().map(|(k, v)| (k.clone(), v.clone())).collect();
    own.ssh = PathBuf::from(&ssh.binary);
    if ssh.legacy_key_types {
        own.legacy_key_types = vec!["ssh-rsa".to_owned()];
    }
    own
}
