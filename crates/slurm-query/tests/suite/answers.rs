use slurm_query::{
    Frame, FrameError, IdleCheck, Job, JobQuery, NodeNames, NodeQuery, ParseError, Query as _,
};

const TOKEN: &str = "0123456789abcdef";

fn frame() -> Frame {
    Frame::from_token(TOKEN).unwrap()
}

fn output(text: &str) -> Vec<u8> {
    text.replace('|', TOKEN).into_bytes()
}

fn idle_check() -> IdleCheck {
    IdleCheck::new(frame(), NodeNames::new(["n1", "n2"]).unwrap())
}

#[test]
fn a_check_that_breaks_off_anywhere_says_nothing() {
    let whole = output("|node|n1|idle|\n|node|n2|idle|\n|job|7|n2|RUNNING|\n|end|\n");
    assert_eq!(idle_check().parse(&whole).unwrap().busy()[0].jobs, ["7"]);
    for length in 0..whole.len() {
        assert!(idle_check().parse(&whole[..length]).is_err(), "{length}");
    }
}

#[test]
fn the_state_that_speaks_against_a_node_counts() {
    let answer = output("|node|n1|idle|\n|node|n1|mixed|\n|node|n2|idle|\n|end|\n");
    assert_eq!(idle_check().parse(&answer).unwrap().busy().len(), 1);
}

#[test]
fn a_list_of_nodes_that_cannot_be_read_is_an_error() {
    let answer = output("|node|n1|idle|\n|node|n2|idle|\n|job|7|n[2-|RUNNING|\n|end|\n");
    let value = "n[2-".to_owned();
    assert_eq!(idle_check().parse(&answer), Err(ParseError::Field { field: "NODELIST", value }));
}

#[test]
fn an_answer_in_another_form_is_refused() {
    let query = NodeQuery::all(frame());
    assert_eq!(query.parse(b"").unwrap(), []);
    for text in [
        "slurm_load_partitions: error\n",
        "|node|n1|idle|\n",
        "|job|n1|idle|main|4|none|x|\n",
        "|node|n1|idle|main|4|none|x|",
        "|node|n1|idle|main|4|none|x|junk\n",
    ] {
        assert_eq!(query.parse(&output(text)), Err(ParseError::Form), "{text}");
    }
    let value = "4+".to_owned();
    let answer = query.parse(&output("|node|n1|idle|main|4+|none|x|\n"));
    assert_eq!(answer, Err(ParseError::Field { field: "CPUS", value }));
    // What a login shell prints before does no harm.
    let answer = query.parse(&output("Welcome\n|node|n1|idle|main|4|none|x|\n")).unwrap();
    assert_eq!(answer[0].reason, None);
}

#[test]
fn a_pending_job_has_no_nodes() {
    let answer = output(
        "|job|18_3|alice|hpc|main,gpu|PENDING||0:00|my | job|\n".replace(" | ", " / ").as_str(),
    );
    let jobs = JobQuery::new(frame()).parse(&answer).unwrap();
    let expected = Job {
        id: "18_3".into(),
        user: "alice".into(),
        account: "hpc".into(),
        partition: "main,gpu".into(),
        state: "PENDING".into(),
        nodes: vec![],
        runtime: "0:00".into(),
        name: "my / job".into(),
    };
    assert_eq!(jobs, [expected]);
}

#[test]
fn a_token_is_long_and_plain() {
    assert_eq!(Frame::from_token("abc"), Err(FrameError::Length));
    assert_eq!(Frame::from_token("0123456789abcde%"), Err(FrameError::Character));
    assert_ne!(Frame::random(), Frame::random());
}

#[test]
fn the_check_is_one_shell_command_without_text_of_others() {
    let argv =
        IdleCheck::new(frame(), NodeNames::new(["n1"]).unwrap().with_hostlist("n[1-1]").unwrap())
            .argv();
    assert_eq!(argv[..2], ["sh", "-c"]);
    assert!(!argv[2].contains("n1"));
    assert_eq!(argv[7], "n[1-1]");
}
