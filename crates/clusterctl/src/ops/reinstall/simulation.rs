//! The steps against a world that fails at will.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr};
use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::time::Duration;

use proptest::prelude::*;

use crate::cause::Cause;
use crate::exit::ExitClass;
use crate::interrupt::Interrupt;
use crate::ops::reinstall::outcome::{Actions, Clear, Machine, Once, Remove, Reset, Write};
use crate::ops::reinstall::report;
use crate::ops::reinstall::run::{Pace, Run, Step, run};

/// What goes wrong on one machine, and the truth behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    None,
    NotSent,
    Refused,
    /// No answer, and it acted.
    LostAfter,
    /// No answer, and it did not act.
    LostBefore,
}

#[derive(Debug, Clone)]
struct Script {
    write: Vec<Fault>,
    once: Vec<Fault>,
    clear: Vec<Fault>,
    remove: Vec<Fault>,
    reset: Vec<Fault>,
    host_keys_fail: bool,
    /// The interrupt comes with the nth action.
    interrupt_at: Option<usize>,
}

#[derive(Debug, Default, Clone)]
struct Truth {
    link: bool,
    once: bool,
    resets: u32,
    keys_forgotten: bool,
}

struct World {
    script: Script,
    truth: Mutex<HashMap<String, Truth>>,
    actions: Mutex<usize>,
    interrupt: Interrupt,
}

fn index(machine: &Machine) -> usize {
    machine.node.trim_start_matches('n').parse::<usize>().unwrap() - 1
}

fn cause(class: ExitClass, short: &str) -> Cause {
    Cause::new(class, short, short)
}

impl World {
    fn change(&self, machine: &Machine, change: impl FnOnce(&mut Truth)) {
        let mut count = self.actions.lock().unwrap();
        *count += 1;
        if self.script.interrupt_at == Some(*count) {
            self.interrupt.raise();
        }
        change(self.truth.lock().unwrap().entry(machine.node.clone()).or_default());
    }

    fn attempt(
        &self,
        fault: Fault,
        machine: &Machine,
        act: impl FnOnce(&mut Truth),
    ) -> Result<(), Fault> {
        match fault {
            Fault::None => self.change(machine, act),
            Fault::LostAfter => {
                self.change(machine, act);
                return Err(fault);
            }
            _ => {
                self.change(machine, |_| ());
                return Err(fault);
            }
        }
        Ok(())
    }
}

impl Actions for World {
    fn write_links(&self, machines: &[Machine]) -> Vec<Write> {
        machines
            .iter()
            .map(|m| match self.attempt(self.script.write[index(m)], m, |t| t.link = true) {
                Ok(()) => Write::Written,
                Err(Fault::NotSent) => Write::Failed(cause(ExitClass::Unreachable, "unreachable")),
                Err(Fault::Refused) => Write::Failed(cause(ExitClass::Failed, "failed")),
                Err(_) => Write::Unknown(cause(ExitClass::Unreachable, "unknown")),
            })
            .collect()
    }

    fn remove_links(&self, machines: &[&Machine]) -> Vec<Remove> {
        machines
            .iter()
            .map(|m| {
                let mut was = false;
                let act = |t: &mut Truth| was = std::mem::take(&mut t.link);
                match self.attempt(self.script.remove[index(m)], m, act) {
                    Ok(()) if was => Remove::Removed,
                    Ok(()) => Remove::Absent,
                    Err(_) => Remove::Failed(cause(ExitClass::Unreachable, "unreachable")),
                }
            })
            .collect()
    }

    fn links_present(&self, machines: &[&Machine]) -> Vec<Option<bool>> {
        machines.iter().map(|m| Some(self.truth.lock().unwrap()[&m.node].link)).collect()
    }

    fn boot_once(&self, m: &Machine) -> Once {
        match self.attempt(self.script.once[index(m)], m, |t| t.once = true) {
            Ok(()) => Once::Set(None),
            Err(Fault::NotSent) => Once::NotSent(cause(ExitClass::Unreachable, "unreachable")),
            Err(Fault::Refused) => Once::Refused(cause(ExitClass::Failed, "refused")),
            Err(_) => Once::Unknown(cause(ExitClass::Unreachable, "unknown")),
        }
    }

    fn clear_boot_once(&self, m: &Machine) -> Clear {
        self.attempt(self.script.clear[index(m)], m, |t| t.once = false)
            .map_err(|_| cause(ExitClass::Unreachable, "unreachable"))
    }

    fn forget_host_keys(&self, machines: &[Machine]) -> Result<(), Cause> {
        if self.script.host_keys_fail {
            return Err(cause(ExitClass::Failed, "locked"));
        }
        machines.iter().for_each(|m| self.change(m, |t| t.keys_forgotten = true));
        Ok(())
    }

    fn restore_host_keys(&self, machines: &[&Machine]) -> Result<(), Cause> {
        machines.iter().for_each(|m| self.change(m, |t| t.keys_forgotten = false));
        Ok(())
    }

    fn reset(&self, m: &Machine) -> Reset {
        let act = |t: &mut Truth| {
            t.resets += 1;
            // The machine fetches its link and uses up the override.
            t.link = false;
            t.once = false;
        };
        match self.attempt(self.script.reset[index(m)], m, act) {
            Ok(()) => Reset::Sent,
            Err(Fault::NotSent) => Reset::NotSent(cause(ExitClass::Unreachable, "unreachable")),
            Err(Fault::Refused) => Reset::Refused(cause(ExitClass::Failed, "refused")),
            Err(_) => Reset::Unknown(cause(ExitClass::Unreachable, "unknown")),
        }
    }
}

const MACHINES: usize = 5;

fn carry_out(script: Script, batch: usize, no_reset: bool) -> (Run, HashMap<String, Truth>) {
    let machines: Vec<Machine> = (1..=MACHINES)
        .map(|n| Machine {
            node: format!("n{n}"),
            address: IpAddr::V4(Ipv4Addr::new(10, 0, 2, u8::try_from(n).unwrap())),
            boot_path: "/srv/x".to_owned(),
            persistent: false,
        })
        .collect();
    let truth = machines.iter().map(|m| (m.node.clone(), Truth::default())).collect();
    let interrupt = Interrupt::new();
    let world = World {
        script,
        truth: Mutex::new(truth),
        actions: Mutex::new(0),
        interrupt: interrupt.clone(),
    };
    let pace = Pace {
        width: NonZeroUsize::new(2).unwrap(),
        batch: NonZeroUsize::new(batch).unwrap(),
        stagger: Duration::ZERO,
        keep_host_keys: false,
        no_reset,
    };
    let run = run(&machines, &pace, &world, &interrupt, &|_, _, _| ());
    (run, world.truth.into_inner().unwrap())
}

fn fault() -> impl Strategy<Value = Fault> {
    prop_oneof![
        6 => Just(Fault::None),
        1 => Just(Fault::NotSent),
        1 => Just(Fault::Refused),
        1 => Just(Fault::LostAfter),
        1 => Just(Fault::LostBefore),
    ]
}

fn faults() -> impl Strategy<Value = Vec<Fault>> {
    prop_oneof![
        2 => Just(vec![Fault::None; MACHINES]),
        1 => proptest::collection::vec(fault(), MACHINES),
    ]
}

fn scripts() -> impl Strategy<Value = Script> {
    let interrupt = prop_oneof![2 => Just(None), 1 => (1usize..25).prop_map(Some)];
    let host_keys = prop_oneof![4 => Just(false), 1 => Just(true)];
    (faults(), faults(), faults(), faults(), faults(), host_keys, interrupt).prop_map(
        |(write, once, clear, remove, reset, host_keys_fail, interrupt_at)| Script {
            write,
            once,
            clear,
            remove,
            reset,
            host_keys_fail,
            interrupt_at,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn no_machine_stays_armed_unless_the_output_names_it_and_the_way_out(
        script in scripts(), batch in 1usize..7, no_reset in any::<bool>(),
    ) {
        let (run, truth) = carry_out(script.clone(), batch, no_reset);
        let outcome = report::outcome(&run, "clusterctl");
        let said = match &outcome.stop {
            Some(stop) => stop.error().to_string(),
            None => outcome.notes.join("\n"),
        };
        for progress in &run.machines {
            let truth = &truth[&progress.machine.node];
            prop_assert!(truth.resets <= 1, "a reset is sent once");
            let cells = (progress.link_cell(), progress.once_cell(), progress.reset_cell());
            match progress.state_cell() {
                "not armed" | "disarmed" => {
                    prop_assert!(!truth.link && !truth.once, "{progress:?} {truth:?}");
                    prop_assert_eq!(truth.resets, 0);
                }
                "reinstalling" => prop_assert_eq!(truth.resets, 1),
                "armed" => {
                    prop_assert_eq!(truth.resets, 0);
                    if progress.once_may_be_set() {
                        prop_assert!(said.contains("clusterctl bmc boot unset"), "{}", said);
                    }
                    if progress.link_may_be_set() {
                        prop_assert!(said.contains("clusterctl boot unset"), "{}", said);
                    }
                    prop_assert!(!truth.link || progress.link_may_be_set(), "{cells:?}");
                    prop_assert!(!truth.once || progress.once_may_be_set(), "{cells:?}");
                }
                _ => prop_assert!(said.contains("provision status"), "{}", said),
            }
            if truth.keys_forgotten {
                prop_assert!(progress.may_be_reset() || no_reset, "keys of a machine not reset");
            }
        }
        let clean = script.write.iter().chain(&script.once).all(|f| *f == Fault::None)
            && (no_reset || script.reset.iter().all(|f| *f == Fault::None))
            && !script.host_keys_fail && script.interrupt_at.is_none();
        if clean {
            prop_assert!(outcome.stop.is_none());
        }
        if let (Some(_), None) = (&outcome.stop, script.interrupt_at) {
            prop_assert!(said.contains(" failed: "), "a failure has a cause: {}", said);
            // No answer to a change of this step: the host counts as not reached.
            let lost = |faults: &[Fault]| {
                faults.iter().any(|f| !matches!(f, Fault::None | Fault::Refused))
            };
            let decisive = match run.failed {
                Some(Step::BootLink) => Some(&script.write),
                Some(Step::BootOnce) => Some(&script.once),
                Some(Step::Reset) if batch >= MACHINES => Some(&script.reset),
                _ => None,
            };
            if decisive.is_some_and(|faults| lost(faults)) {
                prop_assert_eq!(outcome.class().code(), 3, "{}", said);
            }
        }
        if outcome.stop.is_some() && script.interrupt_at.is_none() {
            let unreachable = run.machines.iter().any(|p| p.class() == ExitClass::Unreachable);
            let expected = if unreachable { 3 } else { 1 };
            prop_assert_eq!(outcome.class().code(), expected);
        }
    }
}

fn script_with(change: impl FnOnce(&mut Script)) -> Script {
    let none = vec![Fault::None; MACHINES];
    let mut script = Script {
        write: none.clone(),
        once: none.clone(),
        clear: none.clone(),
        remove: none.clone(),
        reset: none,
        host_keys_fail: false,
        interrupt_at: None,
    };
    change(&mut script);
    script
}

fn transcript(script: Script, no_reset: bool) -> String {
    let (run, _) = carry_out(script, 8, no_reset);
    let outcome = report::outcome(&run, "clusterctl");
    let mut text = outcome.output.as_ref().unwrap().render(&crate::output::Format::Table).unwrap();
    text.extend(outcome.notes.iter().map(|note| format!("{note}\n")));
    if let Some(stop) = &outcome.stop {
        text.push_str(&format!("clusterctl: {}\nexit {}\n", stop.error(), stop.class().code()));
    }
    text
}

#[test]
fn the_failure_of_the_manual_reads_as_in_the_manual() {
    let script = script_with(|script| {
        script.once[1] = Fault::NotSent;
        script.clear[0] = Fault::NotSent;
    });
    insta::assert_snapshot!(transcript(script, false), @r#"
    NODE  BOOT LINK  BOOT ONCE    RESET  STATE
    n1    removed    set          -      armed
    n2    removed    unreachable  -      disarmed
    n3    removed    cleared      -      disarmed
    n4    removed    cleared      -      disarmed
    n5    removed    cleared      -      disarmed
    n1: its boot override could not be cleared: unreachable
    clusterctl: setting the machines to boot from the network once failed: n2: unreachable; the boot links and boot overrides of n[2-5] were removed again; n1 is left armed and reinstalls at its next network boot; disarm it with "clusterctl bmc boot unset -n n1"
    exit 3
    "#);
}

#[test]
fn without_a_reset_the_set_is_said_to_be_armed() {
    insta::assert_snapshot!(transcript(script_with(|_| ()), true), @r#"
    NODE  BOOT LINK  BOOT ONCE  RESET  STATE
    n1    set        set        -      armed
    n2    set        set        -      armed
    n3    set        set        -      armed
    n4    set        set        -      armed
    n5    set        set        -      armed
    n[1-5] are armed and reinstall at their next network boot; reset them with "clusterctl bmc power reset -n 'n[1-5]'", or disarm them with "clusterctl bmc boot unset -n 'n[1-5]'" and "clusterctl boot unset -n 'n[1-5]'"
    "#);
}

#[test]
fn an_unknown_reset_is_never_undone_blindly() {
    let script = script_with(|script| {
        script.reset[1] = Fault::LostAfter;
        script.reset[2] = Fault::LostBefore;
        script.reset[3] = Fault::Refused;
    });
    insta::assert_snapshot!(transcript(script, false), @r#"
    NODE  BOOT LINK  BOOT ONCE  RESET    STATE
    n1    set        set        sent     reinstalling
    n2    none       set        unknown  reinstalling
    n3    set        set        unknown  unknown
    n4    removed    cleared    refused  disarmed
    n5    set        set        sent     reinstalling
    clusterctl: resetting the machines failed: n[2-3]: unknown; n4: refused; n[1-2,5] are reinstalling; the boot links and boot overrides of n4 were removed again; whether n3 reinstalls is not known; look with "clusterctl provision status -n n3"; disarm it with "clusterctl bmc boot unset -n n3" and "clusterctl boot unset -n n3"
    exit 3
    "#);
}
