//! What the settings refer to exists, and what they hold can be used.

use crate::config::kinds::{BmcTransport, PasswordSpec, RoleSpec, SiteSpec};
use crate::config::{Problem, Resolved};
use crate::reach::check_option;
use crate::site::host_name::HostName;
use crate::site::role::{self, RoleError};

/// Every mistake that a type cannot tell.
pub(crate) fn settings(resolved: &Resolved) -> Vec<Problem> {
    let settings = &resolved.settings;
    let mut check = Check { resolved, problems: Vec::new() };
    check.roles(settings);
    check.references(settings);
    check.ipmi(settings);
    check.redfish(settings);
    check.credentials(settings);
    check.ssh(settings);
    check.secrets(settings);
    check.groups();
    check.problems
}

struct Check<'a> {
    resolved: &'a Resolved,
    problems: Vec<Problem>,
}

impl Check<'_> {
    /// A mistake of a setting, at the place where it was written.
    fn refuse(&mut self, words: &[&str], message: impl std::fmt::Display) {
        let place = self.resolved.provenance.nearest(words);
        let message = format!("{}: {message}", words.join("."));
        self.problems.push(Problem::at(place, message));
    }

    /// A mistake of the cluster's document.
    fn refuse_in_cluster(&mut self, words: &[&str], message: impl std::fmt::Display) {
        let place = &self.resolved.cluster_tree.nearest(words).place;
        let message = format!("{}: {message}", words.join("."));
        self.problems.push(Problem::at(place, message));
    }

    fn roles(&mut self, settings: &SiteSpec) {
        for (name, spec) in &settings.hosts {
            let role = ["hosts", name.as_str()];
            let field = |field| [role[0], role[1], field];
            if let Err(error) = spec.host.parse::<HostName>() {
                self.refuse(&field("host"), error);
            }
            if spec.user.as_deref().is_some_and(|user| !is_account(user)) {
                self.refuse(&field("user"), "this is no account name");
            }
            if let Err(error) = role::target(&settings.hosts, name) {
                self.refuse(&field("proxyJump"), error);
            }
            self.options(&field("options"), spec.options.iter());
            let mut keywords = spec.options.keys();
            if spec.proxy_jump.is_some()
                && let Some(keyword) = keywords.find(|k| k.eq_ignore_ascii_case("proxycommand"))
            {
                self.refuse(
                    &[role[0], role[1], "options", keyword],
                    "proxyJump says how to get there already; leave one of them out",
                );
            }
            let same = settings.hosts.iter().find(|(other, first)| {
                *other < name && first.host.eq_ignore_ascii_case(&spec.host)
            });
            if let Some((other, first)) = same
                && !agree(first, spec)
            {
                self.refuse(
                    &role,
                    format!("it shares its host with {other:?}, and they do not agree"),
                );
            }
        }
        let user = self.resolved.context.user.clone();
        if user.is_some_and(|user| !is_account(&user)) {
            self.problems.push(Problem::of(format!(
                "the user of the context {:?} is no account name",
                self.resolved.context.name
            )));
        }
    }

    fn references(&mut self, settings: &SiteSpec) {
        let services = &settings.services;
        let roles: [(&[&str], &Option<String>); 6] = [
            (&["services", "dhcp", "role"], &services.dhcp.role),
            (&["services", "pxesrv", "role"], &services.pxesrv.role),
            (&["services", "tftp", "role"], &services.tftp.role),
            (&["services", "fabric", "role"], &services.fabric.role),
            (&["services", "http", "role"], &services.http.role),
            (&["bmc", "ipmi", "via"], &settings.bmc.ipmi.via),
        ];
        for (path, role) in roles {
            if let Some(error) = self.unknown_role(role.as_deref()) {
                self.refuse(path, error);
            }
        }
        if let Some(error) = self.unknown_role(self.resolved.cluster.slurm.role.as_deref()) {
            self.refuse_in_cluster(&["slurm", "role"], error);
        }
        let unknown = |credential: &Option<String>| match credential {
            Some(name) if !settings.credentials.contains_key(name) => {
                Some(format!("there is no credential {name:?}"))
            }
            _ => None,
        };
        if let Some(message) = unknown(&settings.bmc.credential) {
            self.refuse(&["bmc", "credential"], message);
        }
        for (name, vendor) in &settings.bmc.vendors {
            if let Some(message) = unknown(&vendor.credential) {
                self.refuse(&["bmc", "vendors", name, "credential"], message);
            }
            if vendor.order.as_ref().is_some_and(Vec::is_empty) {
                self.refuse(&["bmc", "vendors", name, "order"], "it is empty");
            }
        }
        if settings.bmc.order.is_empty() {
            self.refuse(&["bmc", "order"], "it is empty");
        }
    }

    /// Who asks for IPMI says from where.
    fn redfish(&mut self, settings: &SiteSpec) {
        let redfish = &settings.bmc.redfish;
        if redfish.insecure && redfish.ca_bundle.is_some() {
            let message = "insecure checks nothing, and caBundle says what to check: leave one out";
            self.refuse(&["bmc", "redfish", "insecure"], message);
        }
    }

    fn ipmi(&mut self, settings: &SiteSpec) {
        let bmc = &settings.bmc;
        let is_written = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            self.resolved.provenance.place(&words).is_some()
        };
        let missing = "ipmi needs bmc.ipmi.via, the role of the host that speaks it";
        let mut problems: Vec<Vec<&str>> = Vec::new();
        if bmc.ipmi.via.is_none() {
            // The built-in order is the wish of nobody.
            let site: [&str; 2] = ["bmc", "order"];
            if is_written(&site) && bmc.order.contains(&BmcTransport::Ipmi) {
                problems.push(site.to_vec());
            }
            for (name, vendor) in &bmc.vendors {
                if vendor.order.iter().flatten().any(|way| *way == BmcTransport::Ipmi) {
                    problems.push(vec!["bmc", "vendors", name, "order"]);
                }
            }
        }
        for path in problems {
            self.refuse(&path, missing);
        }
        let is_name = |flag: &String| {
            !flag.is_empty() && flag.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        };
        if let Some(flag) = bmc.ipmi.workaround_flags.iter().find(|flag| !is_name(flag)) {
            let path = ["bmc", "ipmi", "workaroundFlags"];
            self.refuse(&path, format!("{flag:?} is no name of a workaround"));
        }
        for (field, path) in
            [("ipmipowerPath", &bmc.ipmi.ipmipower_path), ("ipmitoolPath", &bmc.ipmi.ipmitool_path)]
        {
            if path.is_empty() || path.starts_with('-') || path.chars().any(char::is_control) {
                self.refuse(&["bmc", "ipmi", field], "this is no path of a program");
            }
        }
    }

    fn unknown_role(&self, role: Option<&str>) -> Option<RoleError> {
        role::target(&self.resolved.settings.hosts, role?).err()
    }

    fn credentials(&mut self, settings: &SiteSpec) {
        for (name, spec) in &settings.credentials {
            if let PasswordSpec::SecretRef(reference) = &spec.password
                && !self.resolved.secrets.contains_key(&reference.name)
            {
                let message = format!("there is no Secret {:?}", reference.name);
                self.refuse(&["credentials", name, "password", "secretRef"], message);
            }
        }
    }

    fn options<'o>(
        &mut self,
        path: &[&str],
        options: impl Iterator<Item = (&'o String, &'o String)>,
    ) {
        for (keyword, value) in options {
            if let Err(error) = check_option(keyword, value) {
                let path: Vec<&str> = path.iter().copied().chain([keyword.as_str()]).collect();
                self.refuse(&path, error);
            }
        }
    }

    /// Values that are written into a configuration of ssh, a line each.
    fn ssh(&mut self, settings: &SiteSpec) {
        let ssh = &settings.ssh;
        let paths = [("knownHostsFile", &ssh.known_hosts_file), ("controlPath", &ssh.control_path)];
        let mut values: Vec<(&str, &str)> = Vec::new();
        values.extend(paths.iter().filter_map(|(field, path)| Some((*field, path.as_deref()?))));
        values.extend(ssh.include.iter().flatten().map(|path| ("include", path.as_str())));
        values.extend(ssh.send_env.iter().map(|name| ("sendEnv", name.as_str())));
        values.push(("binary", &ssh.binary));
        values.push(("scpBinary", &ssh.scp_binary));
        for (field, value) in values {
            if value.chars().any(char::is_control) || value.contains('"') {
                let message = "a control character or quotation mark cannot be written into a configuration of ssh";
                self.refuse(&["ssh", field], message);
            }
        }
        if let Some(path) = &ssh.control_path
            && !(path == "none" || ["/", "~/", "%d/"].iter().any(|start| path.starts_with(start)))
        {
            let message =
                "ssh looks for a relative path where it is started; begin it with / or ~/";
            self.refuse(&["ssh", "controlPath"], message);
        }
        self.options(&["ssh", "options"], ssh.options.iter());
    }

    fn secrets(&mut self, settings: &SiteSpec) {
        for (index, secret) in settings.services.cinc.secrets.iter().enumerate() {
            let index = index.to_string();
            let path = ["services", "cinc", "secrets", index.as_str()];
            match (&secret.source, &secret.secret_ref) {
                (Some(_), Some(_)) | (None, None) => {
                    self.refuse(&path, "exactly one of source and secretRef has to be there");
                }
                (None, Some(reference)) if !self.resolved.secrets.contains_key(&reference.name) => {
                    self.refuse(&path, format!("there is no Secret {:?}", reference.name));
                }
                _ => {}
            }
            if !secret.target.starts_with('/') {
                self.refuse(&path, "the target has to be an absolute path");
            }
        }
    }

    fn groups(&mut self) {
        let groups = &self.resolved.cluster.groups;
        if let Some(source) = &groups.default_source
            && !groups.sources.contains_key(source)
        {
            let message = format!("there is no source {source:?}");
            self.refuse_in_cluster(&["groups", "defaultSource"], message);
        }
        for (name, source) in &groups.sources {
            let path = ["groups", "sources", name.as_str()];
            let kinds = [source.fixed.is_some(), source.attribute.is_some(), source.exec.is_some()];
            if kinds.iter().filter(|kind| **kind).count() != 1 {
                let message = "exactly one of static, attribute and exec has to be there";
                self.refuse_in_cluster(&path, message);
            }
            if let Some(exec) = &source.exec {
                if let Some(error) = self.unknown_role(Some(&exec.role)) {
                    self.refuse_in_cluster(&[&path[..], &["exec", "role"]].concat(), error);
                }
                if exec.map.is_empty() {
                    self.refuse_in_cluster(&[&path[..], &["exec", "map"]].concat(), "it is empty");
                }
            }
        }
    }
}

/// Whether two roles of one host are reached in the same way.
fn agree(one: &RoleSpec, other: &RoleSpec) -> bool {
    one.user == other.user
        && one.port == other.port
        && one.proxy_jump == other.proxy_jump
        && one.options == other.options
        && one.legacy_algorithms == other.legacy_algorithms
}

/// The portable alphabet of account names, without what ssh or a shell could take for something
/// else.
fn is_account(user: &str) -> bool {
    !user.is_empty()
        && !user.starts_with('-')
        && user.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-'))
}
