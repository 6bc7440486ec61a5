//! Tasks: a monitor is read until the task ends or the time is up.

use std::sync::Arc;
use std::time::Duration;

use http::Method;
use redfish::fake::{FakeBmc, FakeClock, Fault};
use redfish::{ErrorKind, ResourcePath, TaskState};

use crate::site::client_by;

const LIMIT: Duration = Duration::from_mins(1);

fn monitor() -> ResourcePath {
    "/redfish/v1/TaskService/TaskMonitors/1".parse().unwrap()
}

/// The state after these answers, and how long was waited.
fn waited(answers: &[(u16, Option<&str>, &str)]) -> (Result<TaskState, ErrorKind>, Duration) {
    let fake = FakeBmc::new();
    for (status, retry_after, body) in answers {
        let headers = retry_after.map(|time| ("Retry-After", time.to_owned()));
        let headers = headers.into_iter().collect();
        fake.fail_next(Method::GET, Fault::AnswerWith(*status, headers, (*body).to_owned()));
    }
    let clock = Arc::new(FakeClock::default());
    let state = client_by(&fake, clock.clone()).wait_for_task(&monitor(), LIMIT);
    (state.map_err(|error| error.kind().clone()), clock.waited())
}

#[test]
fn a_monitor_is_read_until_the_task_is_done_and_no_faster_than_the_bmc_asks() {
    let (state, time) = waited(&[
        (202, None, ""),
        (202, Some("7"), r#"{"TaskState": "Running"}"#),
        (200, None, r#"{"TaskState": "Completed", "TaskStatus": "OK"}"#),
    ]);
    assert_eq!((state, time), (Ok(TaskState::Completed), Duration::from_secs(9)));
}

#[test]
fn a_date_in_retry_after_is_a_short_wait_for_clocks_of_bmcs_are_not_set() {
    let date = Some("Thu, 01 Jan 1970 00:00:10 GMT");
    let (state, time) = waited(&[(202, date, ""), (204, None, "")]);
    assert_eq!((state, time), (Ok(TaskState::Completed), Duration::from_secs(5)));
}

#[test]
fn a_task_that_ended_without_success_has_failed_whatever_the_status() {
    for (status, body) in [
        (200, r#"{"TaskState": "Exception"}"#),
        (200, r#"{"TaskState": "Completed", "TaskStatus": "Critical"}"#),
        (202, r#"{"TaskState": "Cancelled"}"#),
        (400, "{}"),
        (500, ""),
    ] {
        assert_eq!(waited(&[(status, None, body)]).0, Ok(TaskState::Failed), "{status} {body}");
    }
}

#[test]
fn a_monitor_that_aged_out_is_gone_and_neither_done_nor_failed() {
    assert_eq!(waited(&[(404, None, "")]).0, Ok(TaskState::Gone));
    assert_eq!(waited(&[(202, None, ""), (410, None, "")]).0, Ok(TaskState::Gone));
}

#[test]
fn the_answer_to_the_operation_itself_ends_a_task() {
    assert_eq!(waited(&[(200, None, r#"{"@odata.id": "/x"}"#)]).0, Ok(TaskState::Completed));
    // A word outside the schema is no end.
    let strange = (200, None, r#"{"TaskState": "Nearly"}"#);
    assert_eq!(waited(&[strange; 40]).0, Ok(TaskState::Running));
}

#[test]
fn a_task_without_an_end_is_left_when_the_time_is_up() {
    let (state, time) = waited(&[(202, None, ""); 100]);
    assert_eq!(state, Ok(TaskState::Running));
    assert!(time < LIMIT, "{time:?}");
}

#[test]
fn a_refused_password_is_no_failed_task() {
    assert_eq!(waited(&[(401, None, "")]).0, Err(ErrorKind::Unauthorized));
}
