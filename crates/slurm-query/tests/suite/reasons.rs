use slurm_query::{NameError, NodeNames, Reason, ReasonError};

#[test]
fn a_reason_is_one_printable_line_without_a_bar() {
    let refused = |text: &str| text.parse::<Reason>().unwrap_err();
    assert_eq!(refused(""), ReasonError::Empty);
    assert_eq!(refused("  "), ReasonError::Empty);
    assert_eq!(refused("a\tb"), ReasonError::Control);
    assert_eq!(refused("a\nb"), ReasonError::Control);
    assert_eq!(refused("bad \u{1b}[31m"), ReasonError::Control);
    assert_eq!(refused("bad\u{2028}dimm"), ReasonError::Control);
    assert_eq!(refused("bad | dimm"), ReasonError::Bar);
    assert_eq!(refused("\"bad dimm\""), ReasonError::Quote);
    assert_eq!(refused(&"ü".repeat(201)), ReasonError::TooLong);
    "ü".repeat(200).parse::<Reason>().unwrap();
}

#[test]
fn a_reason_that_reads_as_nodes_is_refused() {
    for text in [
        "exe0007",
        "exe[1-3]",
        "exe1,exe2",
        "exe1.hpc.example.org",
        "@rack:R02",
        "@idle",
        "ALL",
        "all",
        "exe1 exe2",
        "!@broken",
        "exe1&@idle",
    ] {
        assert_eq!(text.parse::<Reason>(), Err(ReasonError::Nodes), "{text}");
    }
    for text in ["maintenance", "dimm3 is bad", "ticket 4711", "4711", "re-cabling", "all dimms"] {
        assert_eq!(text.parse::<Reason>().unwrap().to_string(), text);
    }
}

#[test]
fn a_name_that_means_more_than_one_node_is_refused() {
    for name in ["ALL", "all", "All"] {
        let refused = NodeNames::new([name]);
        assert_eq!(refused, Err(NameError::All { name: name.to_owned() }));
    }
    for name in ["exe[1-2]", "exe1,exe2", "", "-n", "exe 1", "exe1\n", "ü", "a=b", "exe*"] {
        let refused = NodeNames::new([name]);
        assert!(matches!(refused, Err(NameError::Character { .. })), "{name:?}");
    }
    assert_eq!(NodeNames::new(Vec::<String>::new()), Err(NameError::Empty));
}

#[test]
fn a_folded_list_has_to_stand_for_the_same_nodes() {
    let names = NodeNames::new(["exe1", "exe2", "exe3"]).unwrap();
    names.clone().with_hostlist("exe[1-3]").unwrap();
    for folded in ["exe[1-4]", "exe[1-2]", "ALL", "evens", "exe[1-3", ""] {
        assert!(names.clone().with_hostlist(folded).is_err(), "{folded}");
    }
}
