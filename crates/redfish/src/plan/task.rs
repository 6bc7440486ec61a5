//! What a task monitor says.

use serde_json::Value;

use crate::TaskState;

/// The state, from status and body of a read of the monitor (DSP0266, "Asynchronous operations").
/// A body without `TaskState` is the answer to the operation itself.
pub(crate) fn state(status: u16, body: Option<&Value>) -> TaskState {
    let text = |name: &str| body.and_then(|body| body.get(name)?.as_str());
    let said = text("TaskState").map(|state| match state {
        "Completed" if text("TaskStatus") == Some("Critical") => TaskState::Failed,
        "Completed" => TaskState::Completed,
        "Exception" | "Killed" | "Cancelled" | "Interrupted" => TaskState::Failed,
        _ => TaskState::Running,
    });
    match status {
        // Monitors of finished tasks age out.
        404 | 410 => TaskState::Gone,
        202 => said.unwrap_or(TaskState::Running),
        200..=299 => said.unwrap_or(TaskState::Completed),
        _ => TaskState::Failed,
    }
}
