//! What each keyword of ssh_config(5) means for a command that runs in batch mode.

use thiserror::Error;

/// What a keyword asks of a transport.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::reach) enum Effect {
    /// libssh2 honours it.
    Honoured,
    /// It changes nothing for a command without a terminal, or this program decides it itself.
    Without,
    /// Only ssh can do it; `none`, `no` and an empty value ask for nothing.
    OnlyOpenssh,
    /// Not a keyword we know; ssh may, and says so if not.
    Unknown,
}

/// The effect of a keyword in lower case.
pub(in crate::reach) fn effect(keyword: &str) -> Effect {
    if HONOURED.contains(&keyword) {
        Effect::Honoured
    } else if WITHOUT_EFFECT.contains(&keyword) || DECIDES_TRUST.contains(&keyword) {
        Effect::Without
    } else if ONLY_OPENSSH.contains(&keyword) {
        Effect::OnlyOpenssh
    } else {
        Effect::Unknown
    }
}

/// An option of a role or of the site that must not be set there.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RefusedOption {
    /// It opens a block, so everything after it would mean something else.
    #[error("ssh option {0:?} cannot be set here: it selects hosts or files")]
    Block(String),
    /// It decides which host keys count, and the site's one file does.
    #[error(
        "ssh option {0:?} cannot be set here: the host key file of the site decides about trust"
    )]
    Trust(String),
    /// It is no keyword.
    #[error("ssh option {0:?} is not a keyword of ssh_config(5)")]
    Shape(String),
    /// Its value cannot stand on one line.
    #[error("the value of ssh option {0:?} holds a control character")]
    Control(String),
}

/// Whether an option may be set for a role or a site.
pub fn check_option(keyword: &str, value: &str) -> Result<(), RefusedOption> {
    let owned = || keyword.to_owned();
    let lower = keyword.to_ascii_lowercase();
    if keyword.is_empty() || !keyword.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return Err(RefusedOption::Shape(owned()));
    }
    if ["host", "match", "include"].contains(&lower.as_str()) {
        return Err(RefusedOption::Block(owned()));
    }
    if DECIDES_TRUST.contains(&lower.as_str()) {
        return Err(RefusedOption::Trust(owned()));
    }
    if value.chars().any(char::is_control) {
        return Err(RefusedOption::Control(owned()));
    }
    Ok(())
}

const HONOURED: &[&str] = &[
    "addressfamily",
    "ciphers",
    "connectionattempts",
    "connecttimeout",
    "hostkeyalgorithms",
    "hostkeyalias",
    "hostname",
    "identitiesonly",
    "identityagent",
    "identityfile",
    "kexalgorithms",
    "macs",
    "port",
    "proxyjump",
    "serveralivecountmax",
    "serveraliveinterval",
    "user",
];

/// Set by this program alone, whatever a file says.
const DECIDES_TRUST: &[&str] = &[
    "globalknownhostsfile",
    "knownhostscommand",
    "nohostauthenticationforlocalhost",
    "revokedhostkeys",
    "stricthostkeychecking",
    "updatehostkeys",
    "userknownhostsfile",
    "verifyhostkeydns",
];

const ONLY_OPENSSH: &[&str] = &[
    "bindaddress",
    "bindinterface",
    "canonicaldomains",
    "canonicalizehostname",
    "certificatefile",
    "controlmaster",
    "forwardagent",
    "forwardx11",
    "hostbasedauthentication",
    "pkcs11provider",
    "proxycommand",
    "proxyusefdpass",
    "pubkeyacceptedkeytypes",
    "securitykeyprovider",
    "setenv",
    "tunnel",
];

const WITHOUT_EFFECT: &[&str] = &[
    "addkeystoagent",
    "batchmode",
    "canonicalizefallbacklocal",
    "canonicalizemaxdots",
    "canonicalizepermittedcnames",
    "casignaturealgorithms",
    "channeltimeout",
    "checkhostip",
    "clearallforwardings",
    "compression",
    "controlpath",
    "controlpersist",
    "dynamicforward",
    "enableescapecommandline",
    "enablesshkeysign",
    "escapechar",
    "exitonforwardfailure",
    "fingerprinthash",
    "forkafterauthentication",
    "forwardx11timeout",
    "forwardx11trusted",
    "gatewayports",
    "gssapiauthentication",
    "gssapidelegatecredentials",
    "gssapikeyexchange",
    "gssapikexalgorithms",
    "gssapiclientidentity",
    "gssapirenewalforcesrekey",
    "gssapiserveridentity",
    "gssapitrustdns",
    "hashknownhosts",
    "hostbasedacceptedalgorithms",
    "hostbasedkeytypes",
    "ignoreunknown",
    "ipqos",
    "kbdinteractiveauthentication",
    "kbdinteractivedevices",
    "challengeresponseauthentication",
    "localcommand",
    "localforward",
    "loglevel",
    "logverbose",
    "numberofpasswordprompts",
    "obscurekeystroketiming",
    "passwordauthentication",
    "permitlocalcommand",
    "permitremoteopen",
    "preferredauthentications",
    "pubkeyacceptedalgorithms",
    "pubkeyauthentication",
    "rekeylimit",
    "remotecommand",
    "remoteforward",
    "requesttty",
    "requiredrsasize",
    "rsaminsize",
    "sendenv",
    "sessiontype",
    "stdinnull",
    "streamlocalbindmask",
    "streamlocalbindunlink",
    "syslogfacility",
    "tag",
    "tcpkeepalive",
    "tunneldevice",
    "visualhostkey",
    "xauthlocation",
];
