//! `bmc status` of a thousand BMCs against the least that a client can do, and against other clients.

use super::fleet::{Fleet, RunOf, Site};
use super::run::{Row, program, say, table};
use super::timing::{compare, measured};
use crate::error::Error;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

const MANY: u32 = 1000;
const FEW: u32 = 50;
const SILENT: u32 = 10;
const WIDTH: &str = "256";
const ROUNDS: usize = 7;
/// What a client of ours asks a BMC that it does not know.
const PATH: &str = "/redfish/v1/Systems?only";
/// The most memory that is thought right, in MB.
const MEMORY: u64 = 150;
/// How much longer than the least is thought right.
const RATIO: f64 = 1.25;

/// All comparisons of Redfish.
pub(super) fn bmc() -> Result<(), Error> {
    least()?;
    silent()?;
    others()
}

/// A thousand BMCs that take 0.2 s a request, 256 at a time.
fn least() -> Result<(), Error> {
    let fleet = Fleet::start(MANY, &["--latency", "200ms"])?;
    let site = Site::write(&fleet)?;
    // The first contact records certificates; it is not what is compared.
    RunOf::run(&mut site.status(MANY))?;
    let load = words(&[&binary("BMC_SIM_LOAD")?, &fleet.first(), "1000", WIDTH, PATH]);
    let costs = compare(&mut [bash(&site.words(MANY)), bash(&load)], ROUNDS)?;
    say(&format!(
        "\npower of {MANY} BMCs with P-256 certificates, 0.2 s a request, {WIDTH} at a time"
    ))?;
    table(&[
        Row { name: "clusterctl bmc status".to_owned(), cost: costs[0] },
        Row { name: "one bare GET each".to_owned(), cost: costs[1] },
    ])?;
    let ratio = costs[0].wall.as_secs_f64() / costs[1].wall.as_secs_f64();
    let memory = RunOf::run(&mut site.status(MANY))?.memory;
    say(&format!(
        "clusterctl takes {ratio:.2} times the least (at most {RATIO}: {}) and {memory} MB (at most {MEMORY}: {})",
        holds(ratio <= RATIO),
        holds(memory <= MEMORY),
    ))
}

/// The same, with ten that take connections and say nothing.
fn silent() -> Result<(), Error> {
    let fault = format!("{}-{MANY}: silent", MANY - SILENT + 1);
    let fleet = Fleet::start(MANY, &["--latency", "200ms", "--fault", &fault])?;
    let site = Site::write(&fleet)?;
    let run = RunOf::run(&mut site.status(MANY))?;
    let answering = usize::try_from(MANY - SILENT).unwrap_or(usize::MAX);
    // The head of the table comes first.
    let seen = run.lines.get(answering).copied().unwrap_or(run.wall);
    say(&format!(
        "\nthe same, {SILENT} of them silent, {} s a BMC: all ended after {:.1} s, the {answering} others were printed after {:.1} s ({} as they came)",
        Site::TIMEOUT.as_secs(),
        run.wall.as_secs_f64(),
        seen.as_secs_f64(),
        if seen * 2 < run.wall { "that is," } else { "not" },
    ))
}

/// Other clients, each with all BMCs at a time.
fn others() -> Result<(), Error> {
    let fleet = Fleet::start(FEW, &["--latency", "200ms"])?;
    let site = Site::write(&fleet)?;
    RunOf::run(&mut site.status(FEW))?;
    let Some(python) = std::env::var_os("LAB_PYTHON").map(PathBuf::from) else {
        return say("\nwithout LAB_PYTHON there are no other clients to compare with");
    };
    let utilities = python.with_file_name("rf_power_reset.py");
    let list = fleet.addresses().map(|address| format!("{address}\n")).collect::<String>();
    let file = site.file("addresses", &list)?;
    let each = format!(
        "xargs -a {} -P {FEW} -I ADDRESS {} {} -u admin -p password -r https://ADDRESS -info",
        file.display(),
        python.display(),
        utilities.display(),
    );
    let sushy = words(&[&python.display().to_string(), "-c", SUSHY, &file.display().to_string()]);
    let each = words(&["bash", "-c", &each]);
    let costs = compare(&mut [bash(&site.words(FEW)), bash(&each), bash(&sushy)], ROUNDS)?;
    say(&format!("\npower of {FEW} BMCs, 0.2 s a request, all at a time"))?;
    let names = ["clusterctl bmc status", "redfish_utilities", "sushy, threads"];
    let rows: Vec<Row> = names
        .into_iter()
        .zip(costs)
        .map(|(name, cost)| Row { name: name.to_owned(), cost })
        .collect();
    table(&rows)
}

const SUSHY: &str = "
import sys, concurrent.futures, sushy, urllib3
urllib3.disable_warnings()
def power(address):
    auth = sushy.auth.BasicAuth('admin', 'password')
    root = sushy.Sushy('https://' + address, verify=False, auth=auth)
    return root.get_system('/redfish/v1/Systems/1').power_state
addresses = open(sys.argv[1]).read().split()
with concurrent.futures.ThreadPoolExecutor(50) as pool:
    assert all(state for state in pool.map(power, addresses))
";

fn holds(holds: bool) -> &'static str {
    if holds { "holds" } else { "does NOT hold" }
}

fn binary(variable: &str) -> Result<String, Error> {
    std::env::var(variable).map_err(|_| Error::Refused(format!("{variable} is not set")))
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

fn bash(words: &[String]) -> Command {
    let mut command = Command::new("bash");
    // `requests` prefers these over a certificate check that is switched off.
    command.env_remove("REQUESTS_CA_BUNDLE").env_remove("CURL_CA_BUNDLE");
    measured(command, words)
}

impl Site {
    /// The command that is measured, for the first of the nodes.
    fn words(&self, nodes: u32) -> Vec<String> {
        let (site, inventory) = (self.path("site.yaml"), self.path("inventory.yaml"));
        let set = format!("n[0001-{nodes:04}]");
        let head = [&program(), "--config", &site, "--config", &inventory];
        words(&[&head[..], &["bmc", "status", "-n", &set]].concat())
    }

    fn status(&self, nodes: u32) -> Command {
        let words = self.words(nodes);
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]);
        command
    }

    /// What a BMC may take; a silent one is given up then.
    const TIMEOUT: Duration = Duration::from_secs(5);
}
