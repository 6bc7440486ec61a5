//! Resets.

use std::time::Duration;

use super::{Make, VendorRule};
use crate::Precondition;

const DELL: [Make; 3] = [Make::Idrac8, Make::Idrac9, Make::Idrac10];
const HPE: [Make; 3] = [Make::Ilo4, Make::Ilo5, Make::Ilo7];

pub(super) const ROWS: &[VendorRule] = &[
    VendorRule {
        name: "dell-refuses-the-state-it-has",
        makes: &DELL,
        always: true,
        observed: "on while on, and off while off, is refused: 409 PSU501",
        source: "dellemc-openmanage-ansible-modules issue 132, infra-operator issue 434",
        apply: |_, rules| rules.repeated_power = Precondition::refuse(409, "IDRAC.2.7.PSU501"),
    },
    VendorRule {
        name: "hpe-refuses-the-state-it-has",
        makes: &HPE,
        always: true,
        observed: "on while on, and off while off, is refused: 400 InvalidOperationForSystemState",
        source: "cloudstack issue 12921",
        apply: |_, rules| {
            rules.repeated_power =
                Precondition::refuse(400, "iLO.2.15.InvalidOperationForSystemState");
        },
    },
    VendorRule {
        name: "dell-restarts-only-what-is-on",
        makes: &DELL,
        always: true,
        observed: "a restart of a machine that is off is refused: 409 PSU501",
        source: "assumed from dellemc-openmanage-ansible-modules issue 132",
        apply: |_, rules| rules.restart_when_off = Precondition::refuse(409, "IDRAC.2.7.PSU501"),
    },
    VendorRule {
        name: "hpe-restarts-only-what-is-on",
        makes: &HPE,
        always: true,
        observed: "a restart of a machine that is off is refused: 400, power is off",
        source: "ansible-ilo issue 1",
        apply: |_, rules| {
            rules.restart_when_off =
                Precondition::refuse(400, "iLO.2.15.InvalidOperationForSystemState");
        },
    },
    VendorRule {
        name: "openbmc-restarts-what-is-off",
        makes: &[Make::OpenBmc],
        always: true,
        observed: "a restart of a machine that is off powers it on",
        source: "assumed: some power on, and bmcweb refuses no state",
        apply: |_, rules| rules.restart_when_off = Precondition::Accept,
    },
    VendorRule {
        name: "idrac8-restarts-by-force",
        makes: &[Make::Idrac8],
        always: true,
        observed: "GracefulRestart is a hard reset",
        source: "iDRAC-Redfish-Scripting issue 29",
        apply: |_, rules| rules.graceful_restart_is_forced = true,
    },
    VendorRule {
        name: "idrac10-rests-after-off",
        makes: &[Make::Idrac10],
        always: false,
        observed: "On straight after an off is refused, 409 ActionParameterValueConflict, for up to a minute",
        source: "NVIDIA infra-controller, six attempts ten seconds apart",
        apply: |_, rules| rules.rest_after_off = Duration::from_secs(2),
    },
    VendorRule {
        name: "power-cycle-stays-off",
        makes: &[Make::Plain],
        always: false,
        observed: "PowerCycle by itself leaves machines off",
        source: "powerman issue 148, pull request 149",
        apply: |_, rules| rules.power_cycle_stays_off = true,
    },
    VendorRule {
        name: "cray-falls-back-to-off",
        makes: &[Make::CrayEx],
        always: false,
        observed: "a machine on its way on falls back to off",
        source: "powerman issue 67",
        apply: |_, rules| rules.power_on_falls_back = true,
    },
    VendorRule {
        name: "cray-needs-the-chassis",
        makes: &[Make::CrayEx],
        always: true,
        observed: "a node can be on only while its blade and chassis are",
        source: "powerman issue 81, pull requests 154 and 164",
        apply: |_, rules| rules.power_needs_chassis = true,
    },
    VendorRule {
        name: "cray-takes-its-time",
        makes: &[Make::CrayEx],
        always: false,
        observed: "off takes about 6 seconds and on about 46; here a second each",
        source: "powerman issue 67",
        apply: |_, rules| rules.power_delay = Duration::from_secs(1),
    },
];
