//! Generated configurations: plain hosts, hosts in groups with options, InfiniBand hosts.

use std::fmt::Write as _;

/// What the hosts of a configuration look like.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind {
    /// Hardware, address and name on lines of their own.
    Plain,
    /// Groups of 40 hosts with options, a comment above each host.
    Groups,
    /// A client identifier that holds the GUID besides the hardware address.
    InfiniBand,
}

impl Kind {
    pub(crate) const ALL: [Self; 3] = [Self::Plain, Self::Groups, Self::InfiniBand];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Groups => "groups",
            Self::InfiniBand => "infiniband",
        }
    }
}

/// A configuration of `count` hosts `n0`, `n1`, …
pub(crate) fn configuration(kind: Kind, count: usize) -> String {
    let mut text = String::from("subnet 10.0.0.0 netmask 255.0.0.0 { option routers 10.0.0.1; }\n");
    for index in 0..count {
        let (high, middle, low) = (index >> 16, index >> 8 & 0xff, index & 0xff);
        let grouped = matches!(kind, Kind::Groups);
        if grouped && index % 40 == 0 {
            text.push_str(
                "group {\n  filename \"/srv/boot/ipxe.net2\";\n  next-server 10.0.0.2;\n",
            );
        }
        if grouped {
            let _ = writeln!(text, "  # rack {}, owner hpc", index / 40);
        }
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "  host n{index} {{\n    hardware ethernet 02:bb:cc:{high:02x}:{middle:02x}:{low:02x};\n    \
             fixed-address 10.{high}.{middle}.{low};\n    option host-name \"n{index}\";\n"
        );
        match kind {
            Kind::Plain => {}
            Kind::Groups => {
                text.push_str(
                    "    option routers 10.0.0.1;\n    option domain-name \"hpc.example.org\";\n",
                );
            }
            Kind::InfiniBand => {
                let _ = writeln!(
                    text,
                    "    option dhcp-client-identifier = ff:00:00:00:00:00:02:00:00:02:c9:00:\
                     00:02:c9:03:00:{high:02x}:{middle:02x}:{low:02x};"
                );
            }
        }
        text.push_str("  }\n");
        if grouped && (index % 40 == 39 || index + 1 == count) {
            text.push_str("}\n");
        }
    }
    text
}
