//! A target with everything known that a login needs: configuration first, then the person's
//! ssh_config, then the defaults of ssh.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::reach::ssh_config::{
    Effect, Question, SshConfig, Values, effect, expand_host, under_home,
};
use crate::reach::{Delivery, ReachError, ReachErrorKind, Settings, Target};

/// Where and as whom to log in.
#[derive(Debug, Clone)]
pub(super) struct Login {
    /// The name or address that is connected to.
    pub host: String,
    /// The port.
    pub port: u16,
    /// The account.
    pub user: String,
    /// The name whose keys vouch for the host: `HostKeyAlias`, which stands without a port.
    pub alias: Option<String>,
    /// Identity files, in order.
    pub identities: Vec<PathBuf>,
    /// Whether an agent may offer only keys of the identity files.
    pub identities_only: bool,
    /// The agent's socket.
    pub agent: Agent,
    /// How long an attempt to connect may take.
    pub connect_timeout: Duration,
    /// How often a connection is tried.
    pub attempts: u32,
    /// How often a silent host is asked.
    pub keepalive: Duration,
    /// How many answers may be missing.
    pub keepalive_count: u32,
    /// The host to go through.
    pub jump: Option<Target>,
    /// Lists of algorithms as `ssh_config` gives them.
    pub algorithms: Algorithms,
    /// `AddressFamily`: `inet`, `inet6` or `any`.
    pub address_family: Option<String>,
    /// Why only ssh can reach the host.
    pub only_openssh: Option<String>,
    /// What ssh could try when libssh2 was not let in.
    pub openssh_may_help: Option<String>,
}

/// Which agent is asked for keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Agent {
    /// `SSH_AUTH_SOCK`, if it is set.
    Environment,
    /// A socket.
    Socket(PathBuf),
    /// None.
    None,
}

/// Lists of algorithms from `ssh_config`.
#[derive(Debug, Clone, Default)]
pub(super) struct Algorithms {
    pub kex: Option<String>,
    pub ciphers: Option<String>,
    pub macs: Option<String>,
    pub host_keys: Option<String>,
}

/// Options that count only where this program's own configuration sets them: a person's
/// `ForwardAgent` or `ControlMaster` is meant for terminals.
const ONLY_FROM_CONFIGURATION: &[&str] =
    &["controlmaster", "forwardagent", "forwardx11", "setenv", "tunnel"];

const DEFAULT_IDENTITIES: &[&str] = &["id_rsa", "id_ecdsa", "id_ed25519"];
const DEFAULT_HARDWARE_IDENTITIES: &[&str] = &["id_ecdsa_sk", "id_ed25519_sk"];

impl Login {
    /// What is known of a target's login.
    pub(super) fn of(
        target: &Target,
        settings: &Settings,
        config: &SshConfig,
    ) -> Result<Login, ReachError> {
        check_name(&target.host)?;
        if let Some(user) = &target.user {
            check_user(user)?;
        }
        let mut values = Values::default();
        for (keyword, value) in target.options.iter().chain(&settings.options) {
            super::ssh_config::check_option(keyword, value)
                .map_err(|error| configuration(error.to_string()))?;
            let lower = keyword.to_ascii_lowercase();
            values.set(&lower, super::ssh_config::arguments(value));
        }
        let mut only_openssh = asks_for_openssh(&values, &[]);
        for identity in &settings.identities {
            values.set("identityfile", vec![identity.display().to_string()]);
        }
        let local_user = settings.local_user.as_str();
        let question = Question { host: &target.host, user: target.user.as_deref(), local_user };
        config.apply(&question, &mut values);
        only_openssh = only_openssh
            .or_else(|| asks_for_openssh(&values, ONLY_FROM_CONFIGURATION))
            .or_else(|| values.undecided.clone());

        let user = target.user.clone().or_else(|| values.one("user").map(str::to_owned));
        let user = user.unwrap_or_else(|| local_user.to_owned());
        check_user(&user)?;
        let host = values
            .one("hostname")
            .map_or_else(|| target.host.clone(), |name| expand_host(name, &target.host));
        check_name(&host)?;
        let port = match target.port {
            Some(port) => port,
            None => number(&values, "port")?.unwrap_or(22),
        };
        let identities = identities(&values, settings, &host, &user);
        let openssh_may_help = may_help(&values, &identities, &settings.home);
        Ok(Login {
            port,
            alias: values.one("hostkeyalias").filter(|a| !is_none(a)).map(str::to_ascii_lowercase),
            identities_only: values.one("identitiesonly").is_some_and(is_yes),
            agent: agent(&values, &settings.home),
            connect_timeout: number(&values, "connecttimeout")?
                .filter(|&seconds: &u64| seconds > 0)
                .map_or(settings.connect_timeout, Duration::from_secs)
                .min(settings.connect_timeout),
            attempts: number(&values, "connectionattempts")?
                .unwrap_or(settings.connection_attempts)
                .min(settings.connection_attempts)
                .max(1),
            keepalive: settings.keepalive,
            keepalive_count: settings.keepalive_count.max(1),
            jump: match &target.jump {
                Some(jump) => Some(jump.as_ref().clone()),
                None => values.one("proxyjump").map(jump).transpose()?.flatten(),
            },
            algorithms: Algorithms {
                kex: values.one("kexalgorithms").map(str::to_owned),
                ciphers: values.one("ciphers").map(str::to_owned),
                macs: values.one("macs").map(str::to_owned),
                host_keys: values.one("hostkeyalgorithms").map(str::to_owned),
            },
            address_family: values.one("addressfamily").map(str::to_ascii_lowercase),
            host,
            user,
            identities,
            only_openssh,
            openssh_may_help,
        })
    }
}

/// The first setting that only ssh can honour.
fn asks_for_openssh(values: &Values, skipped: &[&str]) -> Option<String> {
    let ignored = values.all("ignoreunknown").unwrap_or_default();
    let mut reasons: Vec<String> = Vec::new();
    for (keyword, words) in values.each() {
        if skipped.contains(&keyword) {
            continue;
        }
        let value = words.first().map_or("", String::as_str);
        match effect(keyword) {
            Effect::OnlyOpenssh if !is_none(value) => reasons.push(keyword.to_owned()),
            Effect::Unknown if !names(ignored, keyword) => reasons.push(keyword.to_owned()),
            _ if keyword == "pubkeyauthentication" && is_none(value) => {
                reasons.push(keyword.to_owned());
            }
            _ => {}
        }
    }
    reasons.into_iter().min()
}

fn names(ignored: &[String], keyword: &str) -> bool {
    ignored.iter().flat_map(|list| list.split(',')).any(|pattern| {
        crate::hostkeys::wildcard(pattern.to_ascii_lowercase().as_bytes(), keyword.as_bytes())
    })
}

/// What ssh can do beyond public keys in files and agents, where the person has set it up.
fn may_help(values: &Values, identities: &[PathBuf], home: &Path) -> Option<String> {
    if values.one("gssapiauthentication").is_some_and(is_yes) {
        return Some("GSSAPIAuthentication".to_owned());
    }
    let beside = |path: &PathBuf| {
        let mut name = path.clone().into_os_string();
        name.push("-cert.pub");
        Path::new(&name).exists()
    };
    if identities.iter().any(beside) {
        return Some("a certificate beside an identity file".to_owned());
    }
    let hardware = |name: &&str| home.join(".ssh").join(name).exists();
    if DEFAULT_HARDWARE_IDENTITIES.iter().any(hardware) {
        return Some("a FIDO identity file".to_owned());
    }
    None
}

fn identities(values: &Values, settings: &Settings, host: &str, user: &str) -> Vec<PathBuf> {
    let home = &settings.home;
    let listed = values.identities();
    if listed.is_empty() {
        return DEFAULT_IDENTITIES.iter().map(|name| home.join(".ssh").join(name)).collect();
    }
    let named = listed.iter().filter(|text| !is_none(text)).map(|text| {
        let text = text
            .replace("%%", "\0")
            .replace("%d", &home.display().to_string())
            .replace("%h", host)
            .replace("%r", user)
            .replace("%u", &settings.local_user)
            .replace('\0', "%");
        under_home(Path::new(&text), home)
    });
    named.collect()
}

fn agent(values: &Values, home: &Path) -> Agent {
    match values.one("identityagent") {
        None | Some("SSH_AUTH_SOCK") => Agent::Environment,
        Some(text) if is_none(text) => Agent::None,
        Some(text) => match text.strip_prefix('$') {
            Some(variable) => std::env::var_os(variable.trim_matches(['{', '}']))
                .map_or(Agent::None, |path| Agent::Socket(path.into())),
            None => Agent::Socket(under_home(Path::new(text), home)),
        },
    }
}

/// The chain of `ProxyJump`, the last host nearest to the target; `none` is no jump.
fn jump(text: &str) -> Result<Option<Target>, ReachError> {
    if is_none(text) {
        return Ok(None);
    }
    let mut nearest: Option<Target> = None;
    for hop in text.split(',') {
        let hop = hop.trim();
        let hop = hop.strip_prefix("ssh://").unwrap_or(hop).trim_end_matches('/');
        let (user, address) = match hop.rsplit_once('@') {
            Some((user, address)) => (Some(user.to_owned()), address),
            None => (None, hop),
        };
        let (host, port) = split_port(address)
            .ok_or_else(|| configuration(format!("ProxyJump {text:?} is not a list of hosts")))?;
        let mut target = Target::new(host, host);
        target.user = user;
        target.port = port;
        target.jump = nearest.take().map(Box::new);
        nearest = Some(target);
    }
    Ok(nearest)
}

/// `host`, `host:port`, `[address]:port` or a bare IPv6 address.
fn split_port(address: &str) -> Option<(&str, Option<u16>)> {
    if let Some(rest) = address.strip_prefix('[') {
        let (host, rest) = rest.split_once(']')?;
        return match rest.strip_prefix(':') {
            Some(port) => Some((host, Some(port.parse().ok()?))),
            None => rest.is_empty().then_some((host, None)),
        };
    }
    match address.split_once(':') {
        Some((host, port)) if !port.contains(':') => Some((host, Some(port.parse().ok()?))),
        _ => (!address.is_empty()).then_some((address, None)),
    }
}

/// A host name or address, and nothing that ssh or a shell could take for something else.
pub(super) fn check_name(host: &str) -> Result<(), ReachError> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._:%".contains(&byte);
    if host.is_empty() || host.starts_with('-') || !host.bytes().all(plain) || host.len() > 255 {
        return Err(configuration(format!("{host:?} is not a host name or address")));
    }
    Ok(())
}

fn check_user(user: &str) -> Result<(), ReachError> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._@$\\".contains(&byte);
    if user.is_empty() || user.starts_with('-') || !user.bytes().all(plain) {
        return Err(configuration(format!("{user:?} is not an account name")));
    }
    Ok(())
}

fn number<N: std::str::FromStr>(values: &Values, keyword: &str) -> Result<Option<N>, ReachError> {
    let Some(text) = values.one(keyword) else { return Ok(None) };
    match text.parse() {
        Ok(number) => Ok(Some(number)),
        Err(_) if is_none(text) => Ok(None),
        Err(_) => Err(configuration(format!("ssh option {keyword} has the value {text:?}"))),
    }
}

fn is_none(value: &str) -> bool {
    value.is_empty() || ["none", "no", "false"].iter().any(|word| value.eq_ignore_ascii_case(word))
}

fn is_yes(value: &str) -> bool {
    value.eq_ignore_ascii_case("yes") || value.eq_ignore_ascii_case("true")
}

fn configuration(text: String) -> ReachError {
    ReachError::new(ReachErrorKind::Configuration, Delivery::NotSent, text)
}
