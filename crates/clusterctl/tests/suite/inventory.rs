//! The inventory: one spelling a node, one node an address.

use crate::workplace::Workplace;

fn refused(entries: &str) -> String {
    let place = Workplace::new();
    place.inventory(&format!("nodes:\n{entries}"));
    place.refuses(&["node", "list"]);
    place.refuses(&["config", "validate"])
}

#[test]
fn names_that_differ_in_padding_only_are_refused_with_both_entries() {
    for (first, second) in [
        ("exe[0001-0010]", "exe1"),
        ("exe1", "exe[0001-0010]"),
        ("lab1", "lab01"),
        ("lab01", "lab1"),
    ] {
        let message = refused(&format!("  - nodes: {first}\n  - nodes: {second}\n"));
        assert!(
            message.contains("inventory.yaml:7:") && message.contains("inventory.yaml:6:"),
            "{message}"
        );
        assert!(message.contains("write "), "the spelling to use is named: {message}");
    }
    let place = Workplace::new();
    place.inventory("nodes:\n  - nodes: exe[0001-0010]\n  - nodes: exe1\n");
    let written = place.refuses(&["node", "list"]);
    assert!(written.contains("write exe0001"), "{written}");
}

#[test]
fn one_entry_may_not_hold_two_paddings_of_a_node() {
    refused("  - nodes: lab[1,01]\n");
    refused("  - nodes: lab1,lab001\n");
}

#[test]
fn capitals_are_refused_with_the_spelling_to_use() {
    let message = refused("  - nodes: WLM01\n");
    assert!(message.contains("\"wlm01\""), "{message}");
    refused("  - nodes: exe[1-2].HPC\n");
}

#[test]
fn what_belongs_to_one_machine_belongs_to_no_other() {
    for (first, second) in [
        ("address: 10.0.0.1", "address: 10.0.0.1"),
        ("address: 'fd00::1'", "address: 'fd00:0:0::1'"),
        ("macs: ['aa:bb:cc:dd:ee:ff']", "macs: [AA-BB-CC-DD-EE-FF]"),
        ("macs: ['aa:bb:cc:dd:ee:ff']", "macs: [aabb.ccdd.eeff]"),
        ("macs: ['aa:bb:cc:dd:ee:01', 'aa:bb:cc:dd:ee:ff']", "macs: [aabbccddeeff]"),
        ("cid: '01:02'", "cid: '01:02'"),
        ("bmcAddress: 10.2.0.1", "bmcAddress: 10.2.0.1"),
        ("bmcAddress: bmc1.example.org", "bmcAddress: BMC1.example.org."),
        ("address: 10.0.0.1", "bmcAddress: 10.0.0.1"),
        ("bmcAddress: 10.0.0.1", "address: 10.0.0.1"),
    ] {
        let message =
            refused(&format!("  - {{nodes: a1, {first}}}\n  - {{nodes: a2, {second}}}\n"));
        let both = message.contains("inventory.yaml:7:") && message.contains("inventory.yaml:6:");
        assert!(
            both && message.contains("a1") && message.contains("a2"),
            "{first} {second}: {message}"
        );
    }
    refused("  - {nodes: a1, address: 10.0.0.1, bmcAddress: 10.0.0.1}\n");
    refused("  - {nodes: 'a[1-2]', address: 10.0.0.1}\n");
    refused("  - {nodes: 'a[1-2]', bmcAddress: 10.0.0.1}\n");
}

#[test]
fn nothing_is_changed_while_two_machines_share_a_service_processor() {
    let entries = [
        // By rule the first one's service processor is called so.
        "  - {nodes: exe0001}\n  - {nodes: exe0002, bmcAddress: exe0001.mgmt.hpc.example.org}\n",
        "  - {nodes: exe0001}\n  - {nodes: exe0002, bmcAddress: exe0001.hpc.example.org}\n",
        "  - {nodes: exe0001}\n  - {nodes: exe0002, bmcAddress: exe0002.hpc.example.org}\n",
    ];
    for entry in entries {
        let place = Workplace::new();
        place.inventory(&format!("nodes:\n{entry}"));
        for command in [
            &["config", "validate"][..],
            &["-y", "--force", "bmc", "power", "off", "exe0001"],
            &["--dry-run", "bmc", "power", "off", "exe0001"],
        ] {
            let message = place.refuses(command);
            assert!(message.contains("inventory.yaml:7:"), "{entry}: {message}");
        }
        place.prints(&["node", "list"]);
    }
}

#[test]
fn the_rack_is_one_value_wherever_it_is_written() {
    let place = Workplace::new();
    place.inventory("nodes:\n  - {nodes: 'exe[0001-0003]', rack: R02}\n  - {nodes: exe0002, attributes: {rack: R09}}\n");
    assert_eq!(place.prints(&["node", "select", "@rack:R02"]), "exe[0001,0003]\n");
    assert_eq!(place.prints(&["node", "select", "@rack:R09"]), "exe0002\n");
    assert_eq!(place.prints(&["-o", "nodeset", "node", "rack", "R02"]), "exe[0001,0003]\n");
    assert_eq!(place.prints(&["-o", "nodeset", "node", "rack", "R09"]), "exe0002\n");
    assert!(place.prints(&["node", "rack"]).contains("R09"));
    assert!(place.prints(&["node", "list", "exe0002"]).contains("R09"));
    let message = refused("  - {nodes: a1, rack: R01, attributes: {rack: R02}}\n");
    assert!(message.contains("R01") && message.contains("R02"), "{message}");
}

#[test]
fn a_rack_and_its_group_follow_one_rule_of_case() {
    let place = Workplace::new();
    place.inventory("nodes:\n  - {nodes: a1, rack: R02}\n  - {nodes: a2, rack: r02}\n");
    for rack in ["R02", "r02"] {
        let group = format!("@rack:{rack}");
        assert_eq!(
            place.prints(&["-o", "nodeset", "node", "rack", rack]),
            place.prints(&["node", "select", &group]),
        );
    }
    place.refuses(&["node", "rack", "R2"]);
    place.refuses(&["node", "select", "@rack:R2"]);
}

#[test]
fn nodes_stand_in_natural_order_with_and_without_a_set() {
    let place = Workplace::new();
    place.inventory("nodes:\n  - nodes: exe10,exe9,exe2,a100,a20\n");
    let names = "a20\na100\nexe2\nexe9\nexe10\n";
    assert_eq!(place.prints(&["-o", "name", "node", "list"]), names);
    assert_eq!(place.prints(&["-o", "name", "node", "list", "exe10,exe9,a100,exe2,a20"]), names);
    assert_eq!(place.prints(&["node", "select", "-e", "@*"]), names);
}

#[test]
fn a_name_of_the_inventory_is_never_taken_over_by_an_alias() {
    let place = Workplace::new();
    place.inventory(
        "nodes:\n  - {nodes: exe0003, bmcAddress: bmc3.example.org}\n  - {nodes: exe0004}\n",
    );
    for name in ["exe4", "exe0004", "EXE04"] {
        assert_eq!(place.prints(&["node", "select", name]), "exe0004\n");
    }
    assert_eq!(place.prints(&["node", "select", "bmc3.example.org"]), "exe0003\n");
    place.inventory("nodes:\n  - {nodes: exe0003, bmcAddress: exe4}\n  - {nodes: exe0004}\n");
    assert_eq!(place.prints(&["node", "select", "exe4"]), "exe0004\n");
}
