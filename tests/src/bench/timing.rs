//! How long a command takes, and how much of a processor.

use crate::error::{Doing, Error};
use std::process::{Command, Stdio};
use std::time::Duration;

/// What one run of a command cost, its children included.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Cost {
    /// From start to end.
    pub(super) wall: Duration,
    /// User and system time.
    pub(super) cpu: Duration,
}

/// Measures in bash, whose `time` knows what its children's children used.
const SCRIPT: &str = "TIMEFORMAT='%3R %3U %3S'; time \"$@\" >/dev/null 2>&1";

/// A command that measures the words it is given. `command` makes a bash.
pub(super) fn measured(mut command: Command, words: &[String]) -> Command {
    command.args(["-c", SCRIPT, "bash"]).args(words);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

/// Runs a measured command once. One that fails has no cost but an error.
pub(super) fn run(command: &mut Command) -> Result<Cost, Error> {
    let output = command.output().doing(|| format!("running {command:?}"))?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let failed = || Error::Program {
        program: format!("{command:?}"),
        status: output.status.to_string(),
        output: text.clone(),
    };
    if !output.status.success() {
        return Err(failed());
    }
    let line = text.lines().last().unwrap_or_default();
    let seconds: Vec<f64> = line.split(' ').filter_map(|word| word.parse().ok()).collect();
    let [wall, user, system] = seconds[..] else { return Err(failed()) };
    Ok(Cost { wall: Duration::from_secs_f64(wall), cpu: Duration::from_secs_f64(user + system) })
}

/// The median of what each command costs, over rounds in which all take turns.
pub(super) fn compare(commands: &mut [Command], rounds: usize) -> Result<Vec<Cost>, Error> {
    let mut costs = vec![Vec::new(); commands.len()];
    for _ in 0..rounds {
        for (command, costs) in commands.iter_mut().zip(&mut costs) {
            costs.push(run(command)?);
        }
    }
    Ok(costs.iter().map(|costs| median(costs)).collect())
}

fn median(costs: &[Cost]) -> Cost {
    let middle = |value: fn(&Cost) -> Duration| {
        let mut values: Vec<Duration> = costs.iter().map(value).collect();
        values.sort_unstable();
        values.get(values.len() / 2).copied().unwrap_or_default()
    };
    Cost { wall: middle(|cost| cost.wall), cpu: middle(|cost| cost.cpu) }
}
