//! The words dhcpd's lexer keeps for itself.
//!
//! They are names like others where a host, a group or an option is named, but no variables, and no
//! functions: probed word by word with `unset WORD;`.

use std::cmp::Ordering;

/// Whether `word` cannot be the name of a variable, in any case.
pub(crate) fn is_reserved(word: &[u8]) -> bool {
    WORDS.binary_search_by(|known| compare(known.as_bytes(), word)).is_ok()
}

/// As they sort in lower case.
fn compare(known: &[u8], word: &[u8]) -> Ordering {
    known.iter().copied().cmp(word.iter().map(u8::to_ascii_lowercase))
}

/// In the order of their bytes.
#[rustfmt::skip]
static WORDS: &[&str] = &[
    "abandoned", "active", "add", "address", "after", "algorithm", "alias", "all", "allow", "also",
    "and", "anycast-mac", "append", "array", "at", "atsfp", "authenticated", "authentication",
    "authoring-byte-order", "authoritative", "auto-partner-down", "backoff-cutoff", "backup",
    "balance", "big-endian", "billing", "binary-to-ascii", "binding", "boolean",
    "boot-unknown-clients", "booting", "bootp", "bound", "break", "case", "check", "ciaddr",
    "class", "client-hostname", "client-identifier", "client-state", "client-updates", "clients",
    "close", "cltt", "code", "commit", "communications-interrupted", "compressed", "concat",
    "config-option", "conflict-done", "connect", "create", "db-time-format", "debug", "declines",
    "default", "default-duid", "default-lease-time", "define", "defined", "delete", "deleted",
    "deny", "disconnect", "do-forward-update", "do-forward-updates", "domain", "domain-list",
    "domain-name", "duplicates", "dynamic", "dynamic-bootp", "dynamic-bootp-lease-cutoff",
    "dynamic-bootp-lease-length", "else", "elsif", "en", "encapsulate", "encode-int", "ends",
    "epoch", "error", "ethernet", "eval", "execute", "exists", "expire", "expired", "expiry",
    "extract-int", "failover", "fatal", "fddi", "filename", "fixed-address", "fixed-address6",
    "fixed-prefix6", "formerr", "free", "function", "get-lease-hostnames", "gethostbyname",
    "gethostname", "giaddr", "group", "hardware", "hash", "hba", "help", "hex", "host",
    "host-decl-name", "host-identifier", "hostname", "ia-na", "ia-pd", "ia-ta", "iaaddr",
    "iaprefix", "identifier", "if", "ignore", "include", "infiniband", "infinite", "info",
    "initial-delay", "initial-interval", "integer", "interface", "ip-address", "ip6-address", "is",
    "key", "key-algorithm", "known", "known-clients", "lcase", "lease", "lease-id-format",
    "lease-time", "lease6", "leased-address", "leasequery", "length", "let", "limit",
    "little-endian", "ll", "llt", "load", "local", "log", "match", "max", "max-balance",
    "max-lease-misbalance", "max-lease-ownership", "max-lease-time", "max-life",
    "max-response-delay", "max-transmit-idle", "max-unacked-updates", "mclt", "media", "medium",
    "members", "min-balance", "min-lease-time", "min-secs", "my", "nameserver", "netmask", "never",
    "new", "next", "next-server", "no", "noerror", "normal", "not", "notauth", "notimp", "notzone",
    "null", "nxdomain", "nxrrset", "octal", "of", "omapi", "on", "one-lease-per-client", "open",
    "option", "or", "owner", "packet", "parse-vendor-option", "partner", "partner-down", "paused",
    "peer", "pick", "pick-first-value", "pool", "pool6", "port", "potential-conflict",
    "preferred-life", "prefix6", "prepend", "primary", "primary6", "pseudo", "range", "range6",
    "rebind", "reboot", "recontact-interval", "recover", "recover-done", "recover-wait", "refresh",
    "refused", "reject", "release", "released", "remove", "renew", "request", "require", "reserved",
    "reset", "resolution-interrupted", "retry", "return", "reverse", "rewind", "script", "search",
    "secondary", "secondary6", "seconds", "secret", "select", "select-timeout", "send", "server",
    "server-duid", "server-identifier", "server-name", "set", "shared-network", "shutdown",
    "siaddr", "signed", "size", "space", "spawn", "split", "starts", "startup", "state", "static",
    "string", "subclass", "subnet", "subnet6", "substring", "suffix", "supersede", "switch",
    "temporary", "text", "timeout", "timestamp", "token-ring", "transmission", "tsfp", "tstp",
    "ucase", "uid", "unauthenticated", "unknown", "unknown-clients", "unknown-state", "unset",
    "unsigned", "update", "use-host-decl-names", "user-class", "v6relay", "v6relopt", "vendor",
    "vendor-class", "width", "with", "yiaddr", "yxdomain", "yxrrset", "zerolen", "zone",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_are_sorted_so_that_each_is_found() {
        assert!(WORDS.is_sorted());
        assert!(is_reserved(b"Host-Decl-Name") && !is_reserved(b"routers") && !is_reserved(b""));
    }
}
