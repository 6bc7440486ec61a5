use proptest::prelude::*;
use slurm_query::{
    Change, Frame, IdleCheck, NodeNames, NodeQuery, NodeState, Query as _, Reason, expand,
};

const TOKEN: &str = "0123456789abcdef";

fn frame() -> Frame {
    Frame::from_token(TOKEN).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

    /// Whatever a reason holds, the fields around it stay what they are.
    #[test]
    fn fields_do_not_move(reasons in prop::collection::vec("(?s).{0,30}", 1..5)) {
        let mut output = String::new();
        for (number, reason) in reasons.iter().enumerate() {
            output.push_str(&format!("|node|n{number}|idle|main|4|{reason}|root|\n"
                ).replacen('|', TOKEN, 6).replace("|root|\n", &format!("{TOKEN}root{TOKEN}\n")));
        }
        prop_assume!(reasons.iter().all(|reason| !reason.contains("|root|\n")));
        let nodes = NodeQuery::all(frame()).parse(output.as_bytes()).unwrap();
        prop_assert_eq!(nodes.len(), reasons.len());
        for (number, (node, reason)) in nodes.iter().zip(&reasons).enumerate() {
            prop_assert_eq!(&node.name, &format!("n{number}"));
            prop_assert_eq!(node.reason.clone().unwrap_or_default(), reason.clone());
        }
    }

    #[test]
    fn any_output_is_an_answer_or_an_error(output in prop::collection::vec(any::<u8>(), 0..200)) {
        let check = IdleCheck::new(frame(), NodeNames::new(["n1"]).unwrap());
        prop_assert!(check.parse(&output).is_err());
        let _ = NodeQuery::all(frame()).parse(&output);
    }

    #[test]
    fn any_text_is_a_state_that_prints_as_it_was(text in "\\PC{0,20}") {
        let state: NodeState = text.parse().unwrap();
        prop_assert_eq!(state.to_string(), text.trim());
        let _ = state.job_risk();
    }

    #[test]
    fn a_reason_reads_back_what_it_prints(text in "[ -~äß]{0,220}") {
        if let Ok(reason) = text.parse::<Reason>() {
            prop_assert_eq!(reason.to_string().parse::<Reason>().unwrap(), reason);
        }
    }

    #[test]
    fn any_text_expands_or_is_refused(text in "[a-c0-9\\[\\],-]{0,20}") {
        if let Ok(names) = expand(&text) {
            prop_assert!(names.iter().all(|name| !name.contains(['[', ']', ','])));
        }
    }

    /// A range stands for its numbers, padded as its lower end is.
    #[test]
    fn a_range_expands_to_its_numbers(from in 0u32..2000, count in 0u32..50, width in 1usize..6) {
        let list = format!("n[{from:0width$}-{:0width$}]", from + count);
        let names = expand(&list).unwrap();
        let width = format!("{from:0width$}").len();
        let expected: Vec<String> =
            (from..=from + count).map(|number| format!("n{number:0width$}")).collect();
        prop_assert_eq!(names, expected);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, failure_persistence: None, ..Default::default() })]

    #[test]
    fn no_argument_is_too_long_and_no_name_is_lost(count in 1usize..9000, length in 1usize..40) {
        let names: Vec<String> =
            (0..count).map(|number| format!("{}{number}", "x".repeat(length))).collect();
        let nodes = NodeNames::new(names.clone()).unwrap();
        let commands = Change::Resume { nodes }.commands();
        let mut sent = Vec::new();
        for command in &commands {
            prop_assert!(command.iter().all(|argument| argument.len() < 131_072));
            sent.extend(command[2]["NodeName=".len()..].split(',').map(str::to_owned));
        }
        prop_assert_eq!(sent, names);
    }
}
