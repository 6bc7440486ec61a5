//! Boot sources over IPMI: what is written, and what counts as set.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use lab::Lab;

use crate::ipmi::{ipmi_lab, with};
use crate::ipmi_ways::edit;

#[test]
fn a_boot_source_over_ipmi_counts_only_as_far_as_it_reads_back() {
    let Some(lab) = ipmi_lab(1) else { return };
    lab.bmc("exe0001").listening(false).unwrap();
    let show = with(&lab, &[], &["bmc", "boot", "show", "exe0001"]).ended_with(0);
    assert_eq!(show.row("exe0001")[1..], ["none", "ipmi"], "{show:#?}");
    let dry = with(&lab, &[], &["--dry-run", "bmc", "boot", "set", "pxe", "exe0001"]);
    let ways =
        "\nthrough Redfish, or where it is not reached IPMI from the host of the role login\n";
    assert!(dry.stdout.ends_with(ways), "{dry:#?}");
    assert!(lab.ipmi("exe0001").changes().unwrap().is_empty());
    // ipmi_sim takes the device and never marks its flags as valid.
    let set = with(&lab, &[], &["-y", "bmc", "boot", "set", "pxe", "exe0001"]).ended_with(1);
    assert_eq!(set.row("exe0001")[1], "not taken", "{set:#?}");
    assert!(set.stderr.contains("reads back Pxe, once, legacy, not valid"), "{set:#?}");
    assert_eq!(lab.ipmi("exe0001").changes().unwrap(), ["set boot pxe"]);
    let unset = with(&lab, &[], &["-y", "bmc", "boot", "unset", "exe0001"]).ended_with(0);
    assert_eq!(unset.row("exe0001")[1..], ["none", "ipmi"], "{unset:#?}");
    assert_eq!(lab.ipmi("exe0001").changes().unwrap(), ["set boot pxe", "set boot none"]);
    // What IPMI has no number for.
    let said = with(&lab, &[], &["-y", "bmc", "boot", "set", "UefiHttp", "exe0001", "--ipmi"]);
    assert!(said.ended_with(2).stderr.contains("Pxe, Hdd, Cd"));
    assert_eq!(lab.ipmi("exe0001").changes().unwrap().len(), 2);
}

/// A service processor on the workstation that keeps boot flags; it ends with the test.
struct Keeper {
    process: Child,
    lines: Receiver<String>,
}

impl Keeper {
    /// `None`, said aloud, where there is no Python for it. Under CI that is a failure.
    fn start(lab: &Lab) -> Option<Keeper> {
        let Some(python) = std::env::var_os("LAB_PYTHON") else {
            assert!(std::env::var_os("CI").is_none(), "LAB_PYTHON names no Python with pyghmi");
            eprintln!("skipped: LAB_PYTHON names no Python with pyghmi");
            return None;
        };
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/suite/boot_flags.py");
        let mut keeper = lab.workstation().command(python);
        keeper.args([script, ADDRESS, "admin", "lab-bmc-password"]);
        let mut process = keeper.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
        let output = BufReader::new(process.stdout.take().unwrap());
        let (sender, lines) = mpsc::channel();
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                let _ = sender.send(line);
            }
        });
        let keeper = Keeper { process, lines };
        assert_eq!(keeper.next(), "up");
        Some(keeper)
    }

    fn next(&self) -> String {
        self.lines.recv_timeout(Duration::from_secs(20)).unwrap()
    }

    /// The boot flags that were written since the last look, and what was said of their time.
    fn written(&self) -> Vec<String> {
        let wanted = |line: &String| line.starts_with("set 5 ") || line.starts_with("set 3 ");
        self.lines.try_iter().filter(wanted).collect()
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The workstation's, which keeps the machine's own programs.
const ADDRESS: &str = "10.0.0.10";

#[test]
fn flags_that_are_kept_are_set_for_uefi_once_or_always_and_stay_until_the_next_boot() {
    let Some(lab) = ipmi_lab(2) else { return };
    let Some(keeper) = Keeper::start(&lab) else { return };
    edit(
        &lab,
        "inventory.yaml",
        "    - nodes: exe[0001",
        &format!("    - nodes: exe0002\n      bmcAddress: {ADDRESS}\n    - nodes: exe[0001"),
    );
    let boot = |words: &[&str]| {
        let all = [&["-y", "bmc", "boot"], words, &["--ipmi", "exe0002"]].concat();
        with(&lab, &[], &all).ended_with(0)
    };
    // It speaks suite 3 to whoever asks for 17, and ipmitool sees that.
    let tool = ["bmc.ipmi.backend=ipmitool"];
    let status = with(&lab, &tool, &["bmc", "status", "--ipmi", "exe0002"]).ended_with(0);
    assert_eq!(status.row("exe0002")[1..], ["On", "ipmi"]);
    assert_eq!(boot(&["set", "Pxe"]).row("exe0002")[1..], ["Pxe", "once", "ipmi"]);
    // Valid, once, UEFI, the network; and no 60 seconds after which they are void.
    assert_eq!(keeper.written(), ["set 3 08", "set 5 a004000000"]);
    assert_eq!(boot(&["show"]).row("exe0002")[1..], ["Pxe", "once", "ipmi"]);
    let always = boot(&["set", "Pxe", "--persistent"]);
    assert_eq!(always.row("exe0002")[1..], ["Pxe", "continuous", "ipmi"]);
    assert_eq!(keeper.written(), ["set 3 08", "set 5 e004000000"]);
    let legacy = boot(&["set", "Pxe", "--mode", "legacy"]);
    assert_eq!(legacy.row("exe0002")[1..], ["Pxe", "once", "ipmi"]);
    assert_eq!(keeper.written(), ["set 3 08", "set 5 8004000000"]);
    for (source, bytes) in [
        ("Hdd", "a008000000"),
        ("Cd", "a014000000"),
        ("BiosSetup", "a018000000"),
        ("Diags", "a010000000"),
        ("Floppy", "a03c000000"),
    ] {
        assert_eq!(boot(&["set", source]).row("exe0002")[1..], [source, "once", "ipmi"]);
        assert_eq!(keeper.written()[1..], [format!("set 5 {bytes}")]);
    }
    assert_eq!(boot(&["unset"]).row("exe0002")[1..], ["none", "ipmi"]);
    assert_eq!(keeper.written(), ["set 5 a000000000"]);
    assert_eq!(boot(&["show"]).row("exe0002")[1..], ["none", "ipmi"]);
}
