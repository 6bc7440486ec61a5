//! What the settings refer to exists, and what they hold can be used.

use crate::config::kinds::{PasswordSpec, SiteSpec};
use crate::config::{Problem, Resolved};
use crate::site::host_name::HostName;
use crate::site::role;

/// ssh keywords that a role or the options may not hold: they open other blocks, or decide whom to
/// trust.
const REFUSED_OPTIONS: [&str; 10] = [
    "host",
    "match",
    "include",
    "stricthostkeychecking",
    "userknownhostsfile",
    "globalknownhostsfile",
    "knownhostscommand",
    "verifyhostkeydns",
    "nohostauthenticationforlocalhost",
    "updatehostkeys",
];

/// Every mistake that a type cannot tell.
pub(crate) fn settings(resolved: &Resolved) -> Vec<Problem> {
    let settings = &resolved.settings;
    let mut check = Check { resolved, problems: Vec::new() };
    check.roles(settings);
    check.references(settings);
    check.credentials(settings);
    check.options("ssh.options", settings.ssh.options.iter());
    check.secrets(settings);
    check.groups();
    check.problems
}

struct Check<'a> {
    resolved: &'a Resolved,
    problems: Vec<Problem>,
}

impl Check<'_> {
    /// A mistake at the place where the setting was written.
    fn refuse(&mut self, path: &str, message: impl Into<String>) {
        let words: Vec<String> = path.split('.').map(str::to_owned).collect();
        let message = format!("{path}: {}", message.into());
        self.problems.push(match self.resolved.provenance.place(&words) {
            Some(place) => Problem::at(place, message),
            None => Problem::of(message),
        });
    }

    fn roles(&mut self, settings: &SiteSpec) {
        for (name, spec) in &settings.hosts {
            let path = format!("hosts.{name}");
            if let Err(error) = spec.host.parse::<HostName>() {
                self.refuse(&format!("{path}.host"), error.to_string());
            }
            if spec.user.as_deref().is_some_and(|user| !is_account(user)) {
                self.refuse(&format!("{path}.user"), "this is no account name");
            }
            if let Err(error) = role::target(&settings.hosts, name) {
                self.refuse(&format!("{path}.proxyJump"), error.to_string());
            }
            self.options(&format!("{path}.options"), spec.options.iter());
            let same = settings.hosts.iter().find(|(other, spec2)| {
                *other < name && spec2.host.eq_ignore_ascii_case(&spec.host)
            });
            if let Some((other, first)) = same
                && (first.user != spec.user
                    || first.port != spec.port
                    || first.proxy_jump != spec.proxy_jump
                    || first.options != spec.options)
            {
                self.refuse(
                    &path,
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
        let roles = [
            ("services.dhcp.role", &services.dhcp.role),
            ("services.pxesrv.role", &services.pxesrv.role),
            ("services.tftp.role", &services.tftp.role),
            ("services.fabric.role", &services.fabric.role),
            ("services.http.role", &services.http.role),
            ("bmc.ipmi.via", &settings.bmc.ipmi.via),
            ("slurm.role", &self.resolved.cluster.slurm.role),
        ];
        let named = roles.map(|(path, role)| (path, role.clone()));
        for (path, role) in named {
            if let Some(error) = role.and_then(|role| role::target(&settings.hosts, &role).err()) {
                self.refuse(path, error.to_string());
            }
        }
        let vendors = settings.bmc.vendors.iter();
        let vendors =
            vendors.map(|(name, v)| (format!("bmc.vendors.{name}.credential"), &v.credential));
        let all =
            [("bmc.credential".to_owned(), &settings.bmc.credential)].into_iter().chain(vendors);
        for (path, credential) in all.collect::<Vec<_>>() {
            if let Some(name) = credential
                && !settings.credentials.contains_key(name)
            {
                self.refuse(&path, format!("there is no credential {name:?}"));
            }
        }
        if settings.bmc.order.is_empty() {
            self.refuse("bmc.order", "it is empty");
        }
    }

    fn credentials(&mut self, settings: &SiteSpec) {
        for (name, spec) in &settings.credentials {
            if let PasswordSpec::SecretRef(reference) = &spec.password
                && !self.resolved.secrets.contains_key(&reference.name)
            {
                let message = format!("there is no Secret {:?}", reference.name);
                self.refuse(&format!("credentials.{name}.password.secretRef"), message);
            }
        }
    }

    fn options<'o>(&mut self, path: &str, options: impl Iterator<Item = (&'o String, &'o String)>) {
        for (keyword, value) in options {
            let lower = keyword.to_ascii_lowercase();
            if REFUSED_OPTIONS.contains(&lower.as_str()) {
                self.refuse(path, format!("{keyword} cannot be set here"));
            }
            if !keyword.chars().all(|c| c.is_ascii_alphanumeric())
                || value.chars().any(char::is_control)
            {
                self.refuse(
                    path,
                    format!("{keyword:?} cannot be written into a configuration of ssh"),
                );
            }
        }
    }

    fn secrets(&mut self, settings: &SiteSpec) {
        for (index, secret) in settings.services.cinc.secrets.iter().enumerate() {
            let path = format!("services.cinc.secrets.{index}");
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
        let groups = self.resolved.cluster.groups.clone();
        if let Some(source) = &groups.default_source
            && !groups.sources.contains_key(source)
        {
            self.problems
                .push(Problem::of(format!("groups.defaultSource: there is no source {source:?}")));
        }
        for (name, source) in &groups.sources {
            let kinds = [source.fixed.is_some(), source.attribute.is_some(), source.exec.is_some()];
            if kinds.iter().filter(|kind| **kind).count() != 1 {
                let message = format!(
                    "groups.sources.{name}: exactly one of static, attribute and exec has to be there"
                );
                self.problems.push(Problem::of(message));
            }
            if let Some(exec) = &source.exec
                && let Err(error) = role::target(&self.resolved.settings.hosts, &exec.role)
            {
                self.problems
                    .push(Problem::of(format!("groups.sources.{name}.exec.role: {error}")));
            }
        }
    }
}

/// The portable alphabet of account names, without what ssh or a shell could take for something
/// else.
fn is_account(user: &str) -> bool {
    !user.is_empty()
        && !user.starts_with('-')
        && user.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-'))
}
