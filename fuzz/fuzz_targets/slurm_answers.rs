//! Arbitrary answers of Slurm: none panics, and no node is idle that was not said to be.
//!
//! The byte 0xFF stands for the token between fields.

#![no_main]

use libfuzzer_sys::fuzz_target;
use slurm_query::{
    Frame, IdleCheck, JobQuery, JobRisk, NodeNames, NodeQuery, NodeState, Query as _, Reason,
    expand,
};

const TOKEN: &str = "0123456789abcdef";

fuzz_target!(|data: &[u8]| {
    let frame = || Frame::from_token(TOKEN).unwrap();
    let mut answer = Vec::new();
    for byte in data {
        match byte {
            0xff => answer.extend(TOKEN.bytes()),
            byte => answer.push(*byte),
        }
    }
    let check = IdleCheck::new(frame(), NodeNames::new(["n1", "n2"]).unwrap());
    if let Ok(report) = check.parse(&answer)
        && report.is_idle()
    {
        let text = String::from_utf8_lossy(&answer);
        assert!(text.contains(&format!("{TOKEN}n1{TOKEN}")));
        assert!(text.contains(&format!("{TOKEN}n2{TOKEN}")));
        assert!(text.contains(&format!("{TOKEN}end{TOKEN}")));
    }
    if let Ok(nodes) = NodeQuery::all(frame()).parse(&answer) {
        let mut names: Vec<_> = nodes.iter().map(|node| &node.name).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), nodes.len());
    }
    let _ = JobQuery::new(frame()).parse(&answer);
    let Ok(text) = str::from_utf8(data) else { return };
    let Ok(state) = text.parse::<NodeState>();
    assert_eq!(state.as_str(), text.trim());
    if text.contains('+') && text.trim().ends_with('+') {
        assert_eq!(state.job_risk(), JobRisk::Busy);
    }
    let _ = expand(text);
    if let Ok(reason) = text.parse::<Reason>() {
        assert!(!reason.as_str().contains(['|', '\n']));
        assert_eq!(reason.to_string().parse::<Reason>(), Ok(reason));
    }
});
