//! The numbers of built-in options: `unknown-12` is `host-name` for the server.
//!
//! Numbers are those IANA lists for BOOTP, DHCP and DHCPv6; names and what there is are dhcpd's, probed with `dhcpd -t` 4.4.3.

/// The built-in option of a number in the space that `prefix` names: empty, or `agent.`.
pub(crate) fn name_of(prefix: &[u8], code: u16) -> Option<&'static str> {
    let space = |name: &str| name.find('.').map_or("", |dot| &name[..=dot]).as_bytes() == prefix;
    let named = OPTIONS.iter().find(|(known, name)| *known == code && space(name));
    named.map(|(_, name)| *name)
}

#[rustfmt::skip]
static OPTIONS: &[(u16, &str)] = &[
    (1, "subnet-mask"), (2, "time-offset"), (3, "routers"), (4, "time-servers"), (5, "ien116-name-servers"),
    (6, "domain-name-servers"), (7, "log-servers"), (8, "cookie-servers"), (9, "lpr-servers"),
    (10, "impress-servers"), (11, "resource-location-servers"), (12, "host-name"), (13, "boot-size"),
    (14, "merit-dump"), (15, "domain-name"), (16, "swap-server"), (17, "root-path"), (18, "extensions-path"),
    (19, "ip-forwarding"), (20, "non-local-source-routing"), (21, "policy-filter"),
    (22, "max-dgram-reassembly"), (23, "default-ip-ttl"), (24, "path-mtu-aging-timeout"),
    (25, "path-mtu-plateau-table"), (26, "interface-mtu"), (27, "all-subnets-local"),
    (28, "broadcast-address"), (29, "perform-mask-discovery"), (30, "mask-supplier"),
    (31, "router-discovery"), (32, "router-solicitation-address"), (33, "static-routes"),
    (34, "trailer-encapsulation"), (35, "arp-cache-timeout"), (36, "ieee802-3-encapsulation"),
    (37, "default-tcp-ttl"), (38, "tcp-keepalive-interval"), (39, "tcp-keepalive-garbage"),
    (40, "nis-domain"), (41, "nis-servers"), (42, "ntp-servers"), (43, "vendor-encapsulated-options"),
    (44, "netbios-name-servers"), (45, "netbios-dd-server"), (46, "netbios-node-type"),
    (47, "netbios-scope"), (48, "font-servers"), (49, "x-display-manager"), (50, "dhcp-requested-address"),
    (51, "dhcp-lease-time"), (52, "dhcp-option-overload"), (53, "dhcp-message-type"),
    (54, "dhcp-server-identifier"), (55, "dhcp-parameter-request-list"), (56, "dhcp-message"),
    (57, "dhcp-max-message-size"), (58, "dhcp-renewal-time"), (59, "dhcp-rebinding-time"),
    (60, "vendor-class-identifier"), (61, "dhcp-client-identifier"), (62, "nwip-domain"),
    (63, "nwip-suboptions"), (64, "nisplus-domain"), (65, "nisplus-servers"), (66, "tftp-server-name"),
    (67, "bootfile-name"), (68, "mobile-ip-home-agent"), (69, "smtp-server"), (70, "pop-server"),
    (71, "nntp-server"), (72, "www-server"), (73, "finger-server"), (74, "irc-server"),
    (75, "streettalk-server"), (76, "streettalk-directory-assistance-server"), (77, "user-class"),
    (78, "slp-directory-agent"), (79, "slp-service-scope"), (81, "fqdn"), (82, "relay-agent-information"),
    (85, "nds-servers"), (86, "nds-tree-name"), (87, "nds-context"), (88, "bcms-controller-names"),
    (89, "bcms-controller-address"), (91, "client-last-transaction-time"), (92, "associated-ip"),
    (93, "pxe-system-type"), (94, "pxe-interface-id"), (97, "pxe-client-id"), (98, "uap-servers"),
    (99, "geoconf-civic"), (100, "pcode"), (101, "tcode"), (108, "v6-only-preferred"),
    (112, "netinfo-server-address"), (113, "netinfo-server-tag"), (114, "default-url"), (116, "auto-config"),
    (117, "name-service-search"), (118, "subnet-selection"), (119, "domain-search"), (124, "vivco"),
    (125, "vivso"), (136, "pana-agent"), (137, "v4-lost"), (138, "capwap-ac-v4"), (141, "sip-ua-cs-domains"),
    (142, "ipv4-address-andsf"), (146, "rdnss-selection"), (150, "tftp-server-address"),
    (159, "v4-portparams"), (160, "v4-captive-portal"), (209, "loader-configfile"),
    (210, "loader-pathprefix"), (211, "loader-reboottime"), (212, "option-6rd"), (213, "v4-access-domain"),
    (1, "dhcp6.client-id"), (2, "dhcp6.server-id"), (3, "dhcp6.ia-na"), (4, "dhcp6.ia-ta"),
    (5, "dhcp6.ia-addr"), (6, "dhcp6.oro"), (7, "dhcp6.preference"), (8, "dhcp6.elapsed-time"),
    (9, "dhcp6.relay-msg"), (12, "dhcp6.unicast"), (13, "dhcp6.status-code"), (14, "dhcp6.rapid-commit"),
    (17, "dhcp6.vendor-opts"), (18, "dhcp6.interface-id"), (19, "dhcp6.reconf-msg"),
    (20, "dhcp6.reconf-accept"), (21, "dhcp6.sip-servers-names"), (22, "dhcp6.sip-servers-addresses"),
    (23, "dhcp6.name-servers"), (24, "dhcp6.domain-search"), (25, "dhcp6.ia-pd"), (26, "dhcp6.ia-prefix"),
    (27, "dhcp6.nis-servers"), (28, "dhcp6.nisp-servers"), (29, "dhcp6.nis-domain-name"),
    (30, "dhcp6.nisp-domain-name"), (31, "dhcp6.sntp-servers"), (32, "dhcp6.info-refresh-time"),
    (33, "dhcp6.bcms-server-d"), (34, "dhcp6.bcms-server-a"), (36, "dhcp6.geoconf-civic"),
    (37, "dhcp6.remote-id"), (38, "dhcp6.subscriber-id"), (39, "dhcp6.fqdn"), (40, "dhcp6.pana-agent"),
    (41, "dhcp6.new-posix-timezone"), (42, "dhcp6.new-tzdb-timezone"), (43, "dhcp6.ero"),
    (44, "dhcp6.lq-query"), (45, "dhcp6.client-data"), (46, "dhcp6.clt-time"), (47, "dhcp6.lq-relay-data"),
    (48, "dhcp6.lq-client-link"), (51, "dhcp6.v6-lost"), (52, "dhcp6.capwap-ac-v6"), (53, "dhcp6.relay-id"),
    (57, "dhcp6.v6-access-domain"), (58, "dhcp6.sip-ua-cs-list"), (59, "dhcp6.bootfile-url"),
    (60, "dhcp6.bootfile-param"), (61, "dhcp6.client-arch-type"), (62, "dhcp6.nii"), (64, "dhcp6.aftr-name"),
    (65, "dhcp6.erp-local-domain-name"), (74, "dhcp6.rdnss-selection"), (79, "dhcp6.client-linklayer-addr"),
    (80, "dhcp6.link-address"), (82, "dhcp6.solmax-rt"), (83, "dhcp6.inf-max-rt"), (87, "dhcp6.dhcpv4-msg"),
    (88, "dhcp6.dhcp4-o-dhcp6-server"), (103, "dhcp6.v6-captive-portal"), (135, "dhcp6.relay-source-port"),
    (143, "dhcp6.ipv6-address-andsf"),
    (1, "agent.circuit-id"), (2, "agent.remote-id"), (3, "agent.agent-id"), (4, "agent.docsis-device-class"),
    (5, "agent.link-selection"), (19, "agent.relay-port"),
    (1, "fqdn.no-client-update"), (2, "fqdn.server-update"), (3, "fqdn.encoded"), (4, "fqdn.rcode1"),
    (5, "fqdn.rcode2"), (6, "fqdn.hostname"), (7, "fqdn.domainname"), (8, "fqdn.fqdn"),
    (1, "nwip.illegal-1"), (2, "nwip.illegal-2"), (3, "nwip.illegal-3"), (4, "nwip.illegal-4"),
    (5, "nwip.nsq-broadcast"), (6, "nwip.preferred-dss"), (7, "nwip.nearest-nwip-server"),
    (8, "nwip.autoretries"), (9, "nwip.autoretry-secs"), (10, "nwip.nwip-1-1"), (11, "nwip.primary-dss"),
    (1, "isc.media"), (2, "isc.update-assist"),
    (1, "isc6.media"), (2, "isc6.update-assist"), (60000, "isc6.4o6-interface"),
    (60001, "isc6.4o6-source-address"),
    (2495, "vendor.isc"),
    (2495, "vendor-class.isc"),
    (2495, "vsio.isc"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_with_a_number_has_a_type() {
        for (_, name) in OPTIONS {
            assert!(crate::words::option(name.as_bytes()).is_some(), "{name}");
        }
    }

    #[test]
    fn numbers_are_told_apart_by_space() {
        assert_eq!(name_of(b"", 12), Some("host-name"));
        assert_eq!(name_of(b"agent.", 1), Some("agent.circuit-id"));
        assert_eq!(name_of(b"", 222), None);
    }
}
