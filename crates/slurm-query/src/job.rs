//! Jobs that hold nodes or wait for some, as `squeue` lists them.

use crate::error::ParseError;
use crate::frame::{Frame, text};
use crate::hostlist::expand;
use crate::query::Query;

/// What `squeue` says of a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// Its number, with the index of an array task: `17`, `18_3`.
    pub id: String,
    /// Its owner.
    pub user: String,
    /// The account it is charged to.
    pub account: String,
    /// Its partition, or several while it is pending.
    pub partition: String,
    /// Its state in the long form: `RUNNING`.
    pub state: String,
    /// Its nodes; none while it is pending.
    pub nodes: Vec<String>,
    /// How long it has run, as `days-hours:minutes:seconds`.
    pub runtime: String,
    /// Its name, which its owner chose.
    pub name: String,
}

/// Asks for the jobs in the queue, those in hidden partitions included.
///
/// Finished jobs are left out, though Slurm remembers them for a while.
#[derive(Debug, Clone)]
pub struct JobQuery {
    frame: Frame,
}

const KIND: &str = "job";
const FIELDS: [&str; 8] = ["%i", "%u", "%a", "%P", "%T", "%N", "%M", "%j"];

impl JobQuery {
    /// Every job that waits, runs or completes.
    pub fn new(frame: Frame) -> JobQuery {
        JobQuery { frame }
    }
}

impl Query for JobQuery {
    type Answer = Vec<Job>;

    fn argv(&self) -> Vec<String> {
        let format = self.frame.format(KIND, &FIELDS);
        ["squeue", "-a", "-h", "-o", &format].map(str::to_owned).to_vec()
    }

    fn parse(&self, stdout: &[u8]) -> Result<Vec<Job>, ParseError> {
        let output = text(stdout);
        let records = self.frame.records(&output, |kind| (kind == KIND).then_some(FIELDS.len()))?;
        let jobs = records.iter().map(|record| {
            let [id, user, account, partition, state, nodes, runtime, name] = record.fields[..]
            else {
                return Err(ParseError::Form);
            };
            let [id, user, account, partition, state, runtime, name] =
                [id, user, account, partition, state, runtime, name].map(str::to_owned);
            Ok(Job { id, user, account, partition, state, nodes: node_list(nodes)?, runtime, name })
        });
        jobs.collect()
    }
}

/// A job's nodes. A list that cannot be read is an error: its nodes would pass for idle.
pub(crate) fn node_list(list: &str) -> Result<Vec<String>, ParseError> {
    expand(list).map_err(|_| ParseError::Field { field: "NODELIST", value: list.to_owned() })
}
