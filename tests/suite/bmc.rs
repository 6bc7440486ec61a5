//! What service processors answer.

use bmc_sim::{Answer, Effect, Fault};

use crate::harness::{lab_or_skip, run};

#[test]
fn w41_an_error_page_is_told_in_one_line_of_bounded_length() {
    let Some(lab) = lab_or_skip(2) else { return };
    let paragraph = "<p>\u{1b}[31mInternal\r\n error</p>\n".repeat(10_000);
    let page = Effect::Answer(Answer {
        status: 500,
        headers: vec![("Content-Type".to_owned(), "text/html".to_owned())],
        body: format!("<html><body>{paragraph}</body></html>"),
    });
    lab.bmc("exe0001").add_fault(Fault::new(page)).unwrap();
    let said = run(&lab, &["bmc", "status", "exe[0001-0002]"]).ended_with(1);
    // Both rows, the head, and no more: the page is no part of the table.
    assert_eq!(said.stdout.lines().count(), 3, "{said:#?}");
    assert_eq!(said.row("exe0002")[1], "On", "{said:#?}");
    let told = format!("{}{}", said.stdout, said.stderr);
    assert!(told.contains("500") && told.len() < 2_000, "{told}");
    assert!(!told.contains('\u{1b}') && !told.contains('\r'), "{told:?}");
}
