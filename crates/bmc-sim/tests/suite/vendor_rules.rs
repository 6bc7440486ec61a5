//! Every row of the table of vendors is enforced: a scenario sees it, and sees it gone when the row
//! is dropped.

use std::collections::BTreeSet;
use std::ops::Deref;
use std::sync::Arc;

use bmc_sim::{Bmc, Builder, Make, MemoryMachine, vendor_rules};

use crate::client::Bench as Served;
use crate::vendor_scenarios::SCENARIOS;

/// What a scenario shows with the row, and what without it.
pub(crate) struct Scenario {
    pub(crate) row: &'static str,
    pub(crate) make: Make,
    pub(crate) look: fn(&Bench) -> String,
    pub(crate) with: &'static str,
    pub(crate) without: &'static str,
}

/// A BMC of a make, and its machine.
pub(crate) struct Bench {
    served: Served,
    pub(crate) machine: Arc<MemoryMachine>,
}

impl Deref for Bench {
    type Target = Served;

    fn deref(&self) -> &Served {
        &self.served
    }
}

pub(crate) fn bench(make: Make, set: impl FnOnce(Builder) -> Builder) -> Bench {
    let machine = Arc::new(MemoryMachine::default());
    let builder = Bmc::builder().make(make).machine(Arc::clone(&machine) as _);
    Bench { served: Served::of(set(builder)), machine }
}

#[test]
fn dropping_any_row_turns_its_scenario_red() {
    for scenario in SCENARIOS {
        let Scenario { row, make, look, with, without } = scenario;
        let kept = look(&bench(*make, |builder| builder.with_rule(row)));
        assert_eq!(kept, *with, "{row} on {make:?}");
        let dropped = look(&bench(*make, |builder| builder.without_rule(row)));
        assert_eq!(dropped, *without, "{row} dropped from {make:?}");
        assert_ne!(with, without, "{row}");
    }
}

#[test]
fn every_row_has_a_scenario() {
    let rows: BTreeSet<&str> = vendor_rules().map(|row| row.name).collect();
    let covered: BTreeSet<&str> = SCENARIOS.iter().map(|scenario| scenario.row).collect();
    assert_eq!(rows, covered);
}

#[test]
fn a_make_has_its_rows_without_asking() {
    for scenario in SCENARIOS {
        let row = vendor_rules().find(|row| row.name == scenario.row).unwrap();
        let plain = (scenario.look)(&bench(scenario.make, |builder| builder));
        let expected = if row.always { scenario.with } else { scenario.without };
        assert_eq!(plain, expected, "{} on {:?}", row.name, scenario.make);
    }
}
