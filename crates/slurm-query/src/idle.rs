//! Are these nodes free of jobs?

use std::collections::HashMap;

use crate::error::ParseError;
use crate::frame::{Frame, text};
use crate::job::node_list;
use crate::names::NodeNames;
use crate::query::Query;
use crate::state::{JobRisk, NodeState};

/// Asks whether exactly these nodes are free of jobs.
///
/// Both the nodes' states and the jobs themselves are asked for, because neither is enough (see
/// [`JobRisk`]); hidden partitions are included; what Slurm does not report is not idle. One shell
/// command asks both and says when it is through, so that a lost tail is noticed.
///
/// Jobs of other users are seen by root, `SlurmUser` and operators; where `PrivateData=jobs` is set
/// and somebody else asks, only the states speak.
#[derive(Debug, Clone)]
pub struct IdleCheck {
    frame: Frame,
    nodes: NodeNames,
}

/// What Slurm says of the nodes. Each is in at most one of the lists, in the order asked for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[must_use]
pub struct IdleReport {
    busy: Vec<Occupied>,
    unclear: Vec<(String, NodeState)>,
    unreported: Vec<String>,
}

/// A node in use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Occupied {
    /// Its name.
    pub node: String,
    /// Its state; `None` if only a job names it.
    pub state: Option<NodeState>,
    /// The jobs on it that Slurm lets the asking user see.
    pub jobs: Vec<String>,
}

/// What a user's environment may narrow the answers by (sinfo(1), squeue(1)).
const SCRIPT: &str = "\
unset SINFO_PARTITION SINFO_LOCAL SINFO_FEDERATION SINFO_SORT SQUEUE_ACCOUNT SQUEUE_ARRAY \
SQUEUE_FEDERATION SQUEUE_LICENSES SQUEUE_LOCAL SQUEUE_NAMES SQUEUE_PARTITION SQUEUE_QOS \
SQUEUE_SIBLING SQUEUE_SORT SQUEUE_STATES SQUEUE_USERS
sinfo -a -N -h ${4:+-n \"$4\"} -o \"$1\" &&
squeue -a -h -t \"$5\" -o \"$2\" &&
printf '%s\\n' \"$3\"";

/// Every state in which a job holds nodes (squeue(1), JOB STATE CODES).
const STATES: &str =
    "RUNNING,SUSPENDED,COMPLETING,CONFIGURING,RESIZING,SIGNALING,STOPPED,STAGE_OUT";

const NODE: [&str; 2] = ["%N", "%T"];
const JOB: [&str; 3] = ["%i", "%N", "%T"];

impl IdleCheck {
    /// Asks about these nodes.
    pub fn new(frame: Frame, nodes: NodeNames) -> IdleCheck {
        IdleCheck { frame, nodes }
    }
}

impl Query for IdleCheck {
    type Answer = IdleReport;

    fn argv(&self) -> Vec<String> {
        let words = [
            self.frame.format("node", &NODE),
            self.frame.format("job", &JOB),
            self.frame.format("end", &[]),
            // Too long for an argument: every node is asked about.
            self.nodes.argument().unwrap_or_default(),
            STATES.to_owned(),
        ];
        let shell = ["sh", "-c", SCRIPT, "sh"].map(str::to_owned);
        shell.into_iter().chain(words).collect()
    }

    fn parse(&self, stdout: &[u8]) -> Result<IdleReport, ParseError> {
        let output = text(stdout);
        let records = self.frame.records(&output, |kind| match kind {
            "node" => Some(NODE.len()),
            "job" => Some(JOB.len()),
            "end" => Some(0),
            _ => None,
        })?;
        if records.last().is_none_or(|record| record.kind != "end") {
            return Err(ParseError::Incomplete);
        }
        let mut states: HashMap<&str, NodeState> = HashMap::new();
        let mut jobs: HashMap<String, Vec<String>> = HashMap::new();
        for record in &records {
            match record.fields[..] {
                [name, state] => {
                    let Ok(state) = state.parse::<NodeState>();
                    // Listed once for each partition; the state that speaks against it counts.
                    let known = states.entry(name).or_insert_with(|| state.clone());
                    if state.job_risk() > known.job_risk() {
                        *known = state;
                    }
                }
                [id, nodes, _] => {
                    for node in node_list(nodes)? {
                        jobs.entry(node).or_default().push(id.to_owned());
                    }
                }
                _ => {}
            }
        }
        Ok(self.judge(&mut states, &mut jobs))
    }
}

impl IdleCheck {
    fn judge(
        &self,
        states: &mut HashMap<&str, NodeState>,
        jobs: &mut HashMap<String, Vec<String>>,
    ) -> IdleReport {
        let mut report = IdleReport::default();
        for name in self.nodes.iter() {
            let node = name.to_owned();
            let state = states.remove(name);
            let jobs = jobs.remove(name).unwrap_or_default();
            match state.as_ref().map(NodeState::job_risk) {
                _ if !jobs.is_empty() => report.busy.push(Occupied { node, state, jobs }),
                Some(JobRisk::Busy) => report.busy.push(Occupied { node, state, jobs }),
                Some(JobRisk::Unclear) => {
                    report.unclear.extend(state.map(|state| (node, state)));
                }
                Some(JobRisk::Idle) => {}
                None => report.unreported.push(node),
            }
        }
        report
    }
}

impl IdleReport {
    /// True if every node is known to be free of jobs.
    pub fn is_idle(&self) -> bool {
        self.busy.is_empty() && self.unclear.is_empty() && self.unreported.is_empty()
    }

    /// Nodes that run a job, complete one, or are about to start one.
    pub fn busy(&self) -> &[Occupied] {
        &self.busy
    }

    /// Nodes in a state that does not tell.
    pub fn unclear(&self) -> &[(String, NodeState)] {
        &self.unclear
    }

    /// Nodes that Slurm did not report: unknown to it, in no partition, or the name of something
    /// else.
    pub fn unreported(&self) -> &[String] {
        &self.unreported
    }
}
