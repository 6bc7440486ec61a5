//! The words dhcpd knows: statements with the blocks that hold them, parameters and options with
//! their types. Names and types are what `dhcpd -t` 4.4.3 accepts, probed name by name.

use std::sync::LazyLock;

use crate::format::{Field, Format, Item, one};
use crate::place::{Place, Places};
use crate::tree::Operator;

/// What a statement's first word stands for.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Rule {
    Include,
    Host,
    Group,
    SharedNetwork,
    Subnet,
    Subnet6,
    Pool,
    Pool6,
    Class,
    /// `vendor-class` and `user-class`: subclasses of classes the server makes itself.
    ImplicitClass,
    Subclass,
    Failover,
    Zone,
    Key,
    Range,
    Range6,
    Prefix6,
    Interface,
    Match,
    Spawn,
    Lease,
    Marker,
    Hardware,
    FixedAddress,
    FixedAddress6,
    FixedPrefix6,
    HostIdentifier,
    Uid,
    Authoritative,
    Not,
    Option,
    Modifier(Operator),
    Parameter(&'static Format),
    ServerDuid,
    LeaseIdFormat,
    Permit,
    If,
    Switch,
    On,
    Set,
    Unset,
    Define,
    Eval,
    Return,
    Log,
    Execute,
    Add,
    Bare,
    DbTimeFormat,
}

/// The rule for the statement that begins with `word`, and the places that may hold it.
pub(crate) fn statement(word: &[u8]) -> Option<(Rule, Places)> {
    static TABLE: LazyLock<Table<(Rule, Places)>> = LazyLock::new(|| {
        let statements = STATEMENTS.iter().flat_map(|(names, rule, places)| {
            names.split_ascii_whitespace().map(|name| (name, (*rule, *places)))
        });
        let parameters = PARAMETERS.iter().flat_map(|(format, names)| {
            names
                .split_ascii_whitespace()
                .map(move |name| (name, (Rule::Parameter(format), Places::ALL)))
        });
        Table::new(statements.chain(parameters))
    });
    TABLE.find(word).copied()
}

/// The type of a server parameter.
pub(crate) fn parameter(name: &[u8]) -> Option<&'static Format> {
    match statement(name) {
        Some((Rule::Parameter(format), _)) => Some(format),
        // In a declaration it takes no value.
        Some((Rule::Authoritative, _)) => Some(&FLAG),
        _ => None,
    }
}

/// The type of a built-in option by `NAME` or `SPACE.NAME`.
pub(crate) fn option(name: &[u8]) -> Option<&'static Format> {
    static TABLE: LazyLock<Table<&'static Format>> = LazyLock::new(|| {
        Table::new(OPTIONS.iter().flat_map(|(format, names)| {
            names.split_ascii_whitespace().map(move |name| (name, format))
        }))
    });
    let plain = match name.split_at_checked(5) {
        Some((space, plain)) if space.eq_ignore_ascii_case(b"dhcp.") => plain,
        Some((b"serve", rest)) => return parameter(rest.strip_prefix(b"r.")?),
        _ => name,
    };
    TABLE.find(plain).copied()
}

const R: Places = Places::of(&[Place::Root]);
const DECLARATIONS: Places = Places::of(&[
    Place::Root,
    Place::Group,
    Place::SharedNetwork,
    Place::IncludedSharedNetwork,
    Place::Subnet,
    Place::IncludedSubnet,
    Place::Pool,
    Place::Pool6,
    Place::IncludedPool,
    Place::Class,
    Place::IncludedClass,
    Place::Subclass,
]);
const HOSTS: Places = Places::of(&[
    Place::Root,
    Place::Group,
    Place::SharedNetwork,
    Place::IncludedSharedNetwork,
    Place::Subnet,
    Place::IncludedSubnet,
    Place::Pool,
    Place::Pool6,
    Place::IncludedPool,
]);
const CLASSES: Places = HOSTS.and(&[Place::Host, Place::IncludedHost]);
const OUTSIDE_BODIES: Places = DECLARATIONS.and(&[Place::Host, Place::IncludedHost]);
const IN_HOST: Places = Places::of(&[Place::Host]);
const IN_CLASS: Places = Places::of(&[Place::Class]);
// A pool inside of which a subnet begins is read, and the subnet is one of the pool's network.
const NETWORKS: Places =
    Places::of(&[Place::Root, Place::Group, Place::Pool, Place::Pool6, Place::IncludedPool]);
const SUBNETS: Places = NETWORKS.and(&[Place::SharedNetwork, Place::IncludedSharedNetwork]);
const POOLS6: Places = Places::of(&[Place::Subnet, Place::IncludedSubnet]);
const POOLS: Places = POOLS6.and(&[Place::SharedNetwork, Place::IncludedSharedNetwork]);
const RANGES: Places = POOLS6.and(&[Place::Pool]);
const RANGES6: Places = POOLS6.and(&[Place::Pool6]);
const ALL: Places = Places::ALL;

#[rustfmt::skip]
static STATEMENTS: &[(&str, Rule, Places)] = &[
    ("include", Rule::Include, OUTSIDE_BODIES),
    ("host", Rule::Host, HOSTS),
    ("group", Rule::Group, HOSTS.and(&[Place::Host])),
    ("shared-network", Rule::SharedNetwork, NETWORKS),
    ("subnet", Rule::Subnet, SUBNETS),
    ("subnet6", Rule::Subnet6, SUBNETS),
    ("pool", Rule::Pool, POOLS),
    ("pool6", Rule::Pool6, POOLS6),
    ("class", Rule::Class, CLASSES),
    ("vendor-class user-class", Rule::ImplicitClass, CLASSES),
    ("subclass", Rule::Subclass, CLASSES),
    ("failover", Rule::Failover, R.and(&[Place::SharedNetwork, Place::IncludedSharedNetwork, Place::Pool])),
    ("zone", Rule::Zone, ALL),
    ("key", Rule::Key, ALL),
    ("range", Rule::Range, RANGES),
    ("range6", Rule::Range6, RANGES6),
    ("prefix6", Rule::Prefix6, RANGES6),
    ("interface", Rule::Interface, Places::of(&[Place::Subnet, Place::SharedNetwork])),
    ("match", Rule::Match, IN_CLASS),
    ("spawn", Rule::Spawn, IN_CLASS),
    ("lease", Rule::Lease, IN_CLASS.and(&[Place::Subclass])),
    ("dynamic deleted", Rule::Marker, Places::of(&[Place::Host, Place::Group, Place::Class, Place::Subclass])),
    ("static", Rule::Marker, Places::of(&[Place::Group])),
    ("hardware", Rule::Hardware, IN_HOST),
    ("fixed-address", Rule::FixedAddress, IN_HOST),
    ("fixed-address6", Rule::FixedAddress6, IN_HOST),
    ("fixed-prefix6", Rule::FixedPrefix6, IN_HOST),
    ("host-identifier", Rule::HostIdentifier, IN_HOST),
    ("uid", Rule::Uid, IN_HOST),
    ("authoritative", Rule::Authoritative, DECLARATIONS.and(&[Place::Body])),
    ("not", Rule::Not, DECLARATIONS),
    ("option", Rule::Option, ALL),
    ("supersede", Rule::Modifier(Operator::Supersede), ALL),
    ("send", Rule::Modifier(Operator::Send), ALL),
    ("default", Rule::Modifier(Operator::Default), ALL),
    ("append", Rule::Modifier(Operator::Append), ALL),
    ("prepend", Rule::Modifier(Operator::Prepend), ALL),
    ("server-identifier", Rule::Parameter(&ADDRESS), OUTSIDE_BODIES),
    ("server-duid", Rule::ServerDuid, OUTSIDE_BODIES),
    ("lease-id-format", Rule::LeaseIdFormat, OUTSIDE_BODIES),
    ("allow deny ignore", Rule::Permit, ALL),
    ("if", Rule::If, ALL),
    ("switch", Rule::Switch, ALL),
    ("on", Rule::On, ALL),
    ("set", Rule::Set, ALL),
    ("unset", Rule::Unset, ALL),
    ("define", Rule::Define, ALL),
    ("eval", Rule::Eval, ALL),
    ("return", Rule::Return, ALL),
    ("log", Rule::Log, ALL),
    ("execute", Rule::Execute, ALL),
    ("add", Rule::Add, ALL),
    ("break parse-vendor-option", Rule::Bare, ALL),
    ("db-time-format", Rule::DbTimeFormat, ALL),
];

const fn array(item: Item) -> Field {
    Field { item, array: true }
}

static ADDRESS: Format = Format::of(&[one(Item::Address)]);
pub(crate) static FLAG: Format = Format::of(&[one(Item::Flag)]);

const UPDATE_STYLES: Item =
    Item::OneOf(&["none", "interim", "standard"], "`none`, `interim` and `standard`");
const FACILITIES: Item = Item::OneOf(
    &[
        "kern", "user", "mail", "daemon", "auth", "syslog", "lpr", "news", "uucp", "cron",
        "authpriv", "ftp", "local0", "local1", "local2", "local3", "local4", "local5", "local6",
        "local7",
    ],
    "the facilities of syslog(3) in lower case, `daemon` or `local7` for example",
);
const STATUS_CODES: Item = Item::OneOf(
    &[
        "success",
        "UnspecFail",
        "NoAddrsAvail",
        "NoBinding",
        "NotOnLink",
        "UseMulticast",
        "NoPrefixAvail",
        "UnknownQueryType",
        "MalformedQuery",
        "NotConfigured",
        "NotAllowed",
        "QueryTerminated",
    ],
    "the status codes of RFC 3315 and RFC 5007, `success` or `NoAddrsAvail` for example",
);
const MESSAGES6: Item = Item::OneOf(
    &[
        "SOLICIT",
        "ADVERTISE",
        "REQUEST",
        "CONFIRM",
        "RENEW",
        "REBIND",
        "REPLY",
        "RELEASE",
        "DECLINE",
        "RECONFIGURE",
    ],
    "the messages of RFC 3315 in capitals, `RENEW` for example",
);
const PREFIX_MODES: Item = Item::OneOf(
    &["ignore", "prefer", "exact", "minimum", "maximum"],
    "`ignore`, `prefer`, `exact`, `minimum` and `maximum`",
);

#[rustfmt::skip]
static PARAMETERS: &[(Format, &str)] = &[
    (Format::of(&[one(Item::Flag)]),
     "allow-booting allow-bootp always-broadcast always-reply-rfc1048 bind-local-address6 boot-unknown-clients \
      check-secs-byte-order client-updates ddns-dual-stack-mixed-mode ddns-guard-id-must-match \
      ddns-other-guard-is-dynamic ddns-updates declines dhcpv6-set-tee-times do-forward-updates do-reverse-updates \
      dont-use-fsync duplicates dynamic-bootp echo-client-id fqdn-reply get-lease-hostnames ignore-client-uids \
      infinite-is-reserved leasequery one-lease-per-client ping-check release-on-roam \
      server-id-check stash-agent-options update-conflict-detection update-optimization update-static-leases \
      use-host-decl-names use-lease-addr-for-default-route"),
    // Builds with support for EUI-64 addresses only.
    (Format::of(&[one(Item::Flag)]), "persist-eui-64-leases use-eui-64"),
    (Format::of(&[one(Item::Text)]),
     "ddns-domainname ddns-hostname ddns-rev-domainname dhcpv6-lease-file-name dhcpv6-pid-file-name filename \
      lease-file-name pid-file-name server-name"),
    (Format::of(&[one(Item::Address)]),
     "ddns-local-address4 limited-broadcast-address local-address next-server"),
    (Format::of(&[one(Item::Address6)]), "ddns-local-address6 local-address6"),
    (Format::of(&[one(Item::Integer(8))]),
     "adaptive-lease-time-threshold dhcp-cache-threshold log-threshold-high log-threshold-low min-secs"),
    (Format::of(&[one(Item::Integer(16))]), "delayed-ack local-port omapi-port remote-port"),
    (Format::of(&[one(Item::Integer(32))]),
     "dynamic-bootp-lease-length limit-addrs-per-ia limit-prefs-per-ia max-ack-delay"),
    (Format::of(&[one(Item::Time)]),
     "abandon-lease-time ddns-ttl default-lease-time dynamic-bootp-lease-cutoff max-lease-time min-lease-time ping-cltt-secs \
      ping-timeout ping-timeout-ms preferred-lifetime"),
    (Format::of(&[one(Item::Octets)]), "site-option-space"),
    (Format::of(&[one(Item::Word)]), "vendor-option-space"),
    (Format::of(&[one(Item::Key)]), "omapi-key"),
    (Format::of(&[one(UPDATE_STYLES)]), "ddns-update-style"),
    (Format::of(&[one(FACILITIES)]), "log-facility"),
    (Format::of(&[one(PREFIX_MODES)]), "prefix-length-mode"),
    // Builds with LDAP only.
    (Format::of(&[one(Item::Any)]),
     "ldap-server ldap-port ldap-username ldap-password ldap-base-dn ldap-method ldap-dhcp-server-cn \
      ldap-debug-file ldap-referrals ldap-ssl ldap-tls-reqcert ldap-tls-ca-file ldap-tls-ca-dir ldap-tls-cert \
      ldap-tls-key ldap-tls-crlcheck ldap-tls-ciphers ldap-tls-randfile ldap-gssapi-keytab ldap-gssapi-principal \
      ldap-init-retry"),
];

#[rustfmt::skip]
static OPTIONS: &[(Format, &str)] = &[
    (Format::of(&[array(Item::Address)]),
     "associated-ip bcms-controller-address capwap-ac-v4 cookie-servers domain-name-servers finger-server \
      font-servers ien116-name-servers impress-servers ipv4-address-andsf irc-server log-servers lpr-servers \
      mobile-ip-home-agent nds-servers netbios-dd-server netbios-name-servers netinfo-server-address nis-servers \
      nisplus-servers nntp-server ntp-servers pana-agent pop-server resource-location-servers routers smtp-server \
      streettalk-directory-assistance-server streettalk-server tftp-server-address time-servers www-server \
      x-display-manager nwip.nearest-nwip-server nwip.preferred-dss"),
    (Format::of(&[one(Item::Address)]),
     "broadcast-address dhcp-requested-address dhcp-server-identifier router-solicitation-address subnet-mask \
      subnet-selection swap-server agent.agent-id agent.link-selection nwip.primary-dss"),
    (Format::of(&[one(Item::Domain)]),
     "v4-access-domain v4-lost dhcp6.aftr-name dhcp6.erp-local-domain-name dhcp6.v6-access-domain dhcp6.v6-lost"),
    (Format::repeated(&[one(Item::Address), one(Item::Address)]), "policy-filter static-routes"),
    (Format::of(&[one(Item::Flag)]),
     "all-subnets-local ieee802-3-encapsulation ip-forwarding mask-supplier non-local-source-routing \
      perform-mask-discovery router-discovery tcp-keepalive-garbage trailer-encapsulation fqdn.encoded \
      fqdn.no-client-update fqdn.server-update nwip.nsq-broadcast nwip.nwip-1-1"),
    (Format::of(&[one(Item::Flag), array(Item::Address)]), "slp-directory-agent"),
    (Format::of(&[one(Item::Flag), one(Item::OptionalText)]), "slp-service-scope"),
    (Format::of(&[one(Item::Integer(8))]),
     "auto-config default-ip-ttl default-tcp-ttl dhcp-message-type dhcp-option-overload netbios-node-type \
      dhcp6.preference fqdn.rcode1 fqdn.rcode2 nwip.autoretries nwip.autoretry-secs"),
    (Format::of(&[one(Item::Integer(16))]),
     "boot-size dhcp-max-message-size interface-mtu max-dgram-reassembly dhcp6.elapsed-time dhcp6.relay-source-port"),
    (Format::of(&[array(Item::Integer(16))]),
     "name-service-search path-mtu-plateau-table pxe-system-type dhcp6.client-arch-type dhcp6.ero dhcp6.oro"),
    (Format::of(&[one(Item::Integer(32))]),
     "arp-cache-timeout client-last-transaction-time dhcp-lease-time dhcp-rebinding-time dhcp-renewal-time \
      loader-reboottime path-mtu-aging-timeout tcp-keepalive-interval time-offset v6-only-preferred dhcp6.clt-time \
      dhcp6.inf-max-rt dhcp6.solmax-rt agent.docsis-device-class"),
    (Format::of(&[one(Item::Time)]), "dhcp6.info-refresh-time"),
    (Format::of(&[array(Item::Integer(8))]), "dhcp-parameter-request-list"),
    (Format::of(&[one(Item::Integer(8)), one(Item::Octets)]), "pxe-client-id"),
    (Format::of(&[one(Item::Integer(8)), one(Item::Integer(8)), one(Item::Integer(8))]),
     "pxe-interface-id dhcp6.nii"),
    (Format::of(&[one(Item::Integer(8)), one(Item::Integer(8)), one(Item::Integer(16))]), "v4-portparams"),
    (Format::of(&[one(Item::Integer(8)), one(Item::Integer(8)), one(Item::Address6), array(Item::Address)]),
     "option-6rd"),
    (Format::of(&[one(Item::Integer(8)), one(Item::Address), one(Item::Address), one(Item::Domains)]),
     "rdnss-selection"),
    (Format::of(&[one(Item::Address6), one(Item::Integer(8)), one(Item::Domains)]), "dhcp6.rdnss-selection"),
    (Format::of(&[one(Item::Address6), one(Item::Octets)]), "dhcp6.lq-relay-data"),
    (Format::of(&[one(STATUS_CODES), one(Item::OptionalText)]), "dhcp6.status-code"),
    (Format::of(&[one(MESSAGES6)]), "dhcp6.reconf-msg"),
    // Numbers that are no options: only an expression can be set.
    (Format::of(&[one(Item::Nothing)]), "nwip.illegal-1 nwip.illegal-2 nwip.illegal-3 nwip.illegal-4"),
    (Format::of(&[one(Item::Octets)]),
     "dhcp-client-identifier fqdn geoconf-civic nwip-suboptions relay-agent-information vendor-class-identifier \
      vendor-encapsulated-options vivco vivso agent.circuit-id agent.remote-id dhcp6.bootfile-param \
      dhcp6.client-data dhcp6.client-id dhcp6.client-linklayer-addr dhcp6.dhcpv4-msg dhcp6.fqdn dhcp6.geoconf-civic \
      dhcp6.ia-addr dhcp6.ia-na dhcp6.ia-pd dhcp6.ia-prefix dhcp6.ia-ta dhcp6.interface-id dhcp6.lq-query \
      dhcp6.relay-id dhcp6.relay-msg dhcp6.remote-id dhcp6.server-id dhcp6.subscriber-id dhcp6.vendor-opts \
      isc.update-assist isc6.update-assist vendor.isc vendor-class.isc vsio.isc"),
    (Format::of(&[one(Item::Domains)]),
     "bcms-controller-names domain-search sip-ua-cs-domains dhcp6.bcms-server-d dhcp6.domain-search \
      dhcp6.nis-domain-name dhcp6.nisp-domain-name dhcp6.sip-servers-names dhcp6.sip-ua-cs-list"),
    (Format::of(&[one(Item::Text)]),
     "bootfile-name default-url dhcp-message domain-name extensions-path host-name loader-configfile \
      loader-pathprefix merit-dump nds-context nds-tree-name netbios-scope netinfo-server-tag nis-domain \
      nisplus-domain nwip-domain pcode root-path tcode tftp-server-name uap-servers user-class v4-captive-portal \
      dhcp6.bootfile-url dhcp6.new-posix-timezone dhcp6.new-tzdb-timezone dhcp6.v6-captive-portal fqdn.domainname \
      fqdn.fqdn fqdn.hostname isc.media isc6.4o6-interface isc6.media"),
    (Format::of(&[one(Item::Address6)]), "dhcp6.link-address dhcp6.unicast isc6.4o6-source-address"),
    (Format::of(&[array(Item::Address6)]),
     "dhcp6.bcms-server-a dhcp6.capwap-ac-v6 dhcp6.dhcp4-o-dhcp6-server dhcp6.ipv6-address-andsf \
      dhcp6.lq-client-link dhcp6.name-servers dhcp6.nis-servers dhcp6.nisp-servers dhcp6.pana-agent \
      dhcp6.sip-servers-addresses dhcp6.sntp-servers"),
    (Format::of(&[one(Item::Empty)]), "agent.relay-port dhcp6.rapid-commit dhcp6.reconf-accept"),
];

/// Words and what they mean, found in any case by hashing. The words are fixed at build time, so
/// no input can make them collide more than they do.
struct Table<T> {
    slots: Vec<Option<(&'static str, T)>>,
}

impl<T: Copy> Table<T> {
    fn new(words: impl Iterator<Item = (&'static str, T)>) -> Self {
        let words: Vec<_> = words.collect();
        let mut slots = vec![None; (words.len() * 4).next_power_of_two()];
        for (word, value) in words {
            let mut slot = hash(word.as_bytes()) & (slots.len() - 1);
            while slots[slot].is_some() {
                slot = (slot + 1) & (slots.len() - 1);
            }
            slots[slot] = Some((word, value));
        }
        Self { slots }
    }

    fn find(&self, word: &[u8]) -> Option<&T> {
        let mut slot = hash(word) & (self.slots.len() - 1);
        while let Some((known, value)) = &self.slots[slot] {
            if known.as_bytes().eq_ignore_ascii_case(word) {
                return Some(value);
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        None
    }
}

/// FNV-1a over the word in lower case; the low bits of capitals differ by one bit only.
fn hash(word: &[u8]) -> usize {
    let hash = word.iter().fold(0x811c_9dc5_u32, |hash, byte| {
        (hash ^ u32::from(*byte | 0x20)).wrapping_mul(0x0100_0193)
    });
    (hash ^ hash >> 15) as usize
}
