//! Writes of the boot override.

use std::time::Duration;

use super::{Make, VendorRule};
use crate::{BootMode, BootWrites, Disabling, PartialUpdates, ReadBack};

const HPE: [Make; 3] = [Make::Ilo4, Make::Ilo5, Make::Ilo7];

pub(super) const ROWS: &[VendorRule] = &[
    VendorRule {
        name: "settings-object-takes-the-override",
        makes: &[],
        always: true,
        observed: "where the settings object carries the target, the system is read-only; it shows the new value after the next boot",
        source: "community.general issue 11297 (iDRAC10), Redfish-Tacklebox issue 111 (AMI); recordings of GB200, GH200, BlueField",
        apply: |tree, rules| {
            if tree.settings_carry_the_override() {
                rules.boot_writes = BootWrites::Settings;
            }
        },
    },
    VendorRule {
        name: "ami-names-the-future-state",
        makes: &[Make::MegaRac],
        always: true,
        observed: "a write to the system is refused, 400 OperationSupportedInFutureStateURI, with the settings object's address in MessageArgs",
        source: "Redfish-Tacklebox issues 111 and 144, metal-operator issue 188",
        apply: |tree, rules| {
            if tree.settings_carry_the_override() {
                rules.boot_writes = BootWrites::SettingsNamed;
            }
        },
    },
    VendorRule {
        name: "ibm-has-no-writable-override",
        makes: &[Make::OpenBmcIbm],
        always: true,
        observed: "IBM's build of OpenBMC has removed the writes of the boot source",
        source: "ibm-openbmc bmcweb pull requests 522 and 939",
        apply: |_, rules| rules.boot_writes = BootWrites::None,
    },
    VendorRule {
        name: "mode-is-refused",
        makes: &[Make::Ilo5, Make::Ilo7, Make::Idrac10, Make::SupermicroX10],
        always: true,
        observed: "an override with BootSourceOverrideMode is refused, even with the value it has",
        source: "community.general issues 3509 and 3690 (iLO5), metal-operator issue 982 (Supermicro), community.general issue 11297 (iDRAC10)",
        apply: |_, rules| rules.boot_mode = BootMode::Refused,
    },
    VendorRule {
        name: "mode-queues-a-job",
        makes: &[Make::Idrac9],
        always: true,
        observed: "an override with the mode queues a BIOS configuration job, even with the value it has: the machine boots twice, and the second boot is from disk; a pending job blocks the next",
        source: "metal-operator issues 80 and 81",
        apply: |_, rules| rules.boot_mode = BootMode::QueuesJob,
    },
    VendorRule {
        name: "whole-override-or-none",
        makes: &[Make::MegaRac, Make::Gigabyte, Make::AsrockRack, Make::Kaytus],
        always: true,
        observed: "target, enabled and mode have to come together",
        source: "ironic, VENDORS_REQUIRING_FULL_BOOT_REQUEST; kaytus-bmc-sdk 2.2.0",
        apply: |_, rules| rules.boot_mode = BootMode::Required,
    },
    VendorRule {
        name: "what-is-left-out-falls-back",
        makes: &[Make::Supermicro],
        always: true,
        observed: "what an override leaves out gets its default: the mode Legacy, enabled Disabled",
        source: "Redfishtool pull request 106, OpenStack story 2008547, metal-operator pull request 607",
        apply: |_, rules| rules.boot_mode = BootMode::FallsToLegacy,
    },
    VendorRule {
        name: "idrac8-does-a-part-and-refuses",
        makes: &[Make::Idrac8],
        always: true,
        observed: "the mode is read-only while enabled changes: the rest is written and the answer is 400",
        source: "community.general issue 5091",
        apply: |_, rules| {
            rules.boot_mode = BootMode::Refused;
            rules.partial_updates = PartialUpdates::AppliedAndRefused;
        },
    },
    VendorRule {
        name: "idrac8-does-a-part-and-says-200",
        makes: &[Make::Idrac8],
        always: false,
        observed: "newer firmware answers such a write with 200 and errors beside the data",
        source: "community.general issue 5091",
        apply: |_, rules| {
            rules.boot_mode = BootMode::Refused;
            rules.partial_updates = PartialUpdates::AppliedWithMessages;
        },
    },
    VendorRule {
        name: "openbmc-writes-one-by-one",
        makes: &[Make::OpenBmc],
        always: true,
        observed: "target, enabled and mode are separate writes on D-Bus: one that is refused does not take the others back",
        source: "openbmc bmcweb, systems.hpp",
        apply: |_, rules| rules.partial_updates = PartialUpdates::AppliedAndRefused,
    },
    VendorRule {
        name: "hpe-disables-with-a-target-only",
        makes: &HPE,
        always: true,
        observed: "a change of enabled is refused while the target is None",
        source: "metal-operator issue 997, pull request 998",
        apply: |_, rules| rules.disabling = Disabling::WithTarget,
    },
    VendorRule {
        name: "disabling-needs-target-none",
        makes: &[Make::Plain],
        always: false,
        observed: "Disabled alone is refused: the target has to become None with it",
        source: "community.general issue 11542",
        apply: |_, rules| rules.disabling = Disabling::WithTargetNone,
    },
    VendorRule {
        name: "disabling-needs-the-mode-too",
        makes: &[Make::Plain],
        always: false,
        observed: "Disabled with the target None is refused: the mode has to come along",
        source: "community.general issue 11542",
        apply: |_, rules| rules.disabling = Disabling::WithTargetNoneAndMode,
    },
    VendorRule {
        name: "continuous-is-refused-in-uefi",
        makes: &[Make::LenovoXcc],
        always: true,
        observed: "in UEFI mode an override for every boot is refused",
        source: "baremetal-operator pull request 493; recording of XCC 2.83",
        apply: |_, rules| rules.continuous_in_uefi = false,
    },
    VendorRule {
        name: "no-http-boot-uri",
        makes: &[Make::Idrac8, Make::Idrac9, Make::Idrac10, Make::Ilo5, Make::Ilo7],
        always: true,
        observed: "Boot has no HttpBootUri: the address is a BIOS attribute",
        source: "NVIDIA libredfish pull requests 75 and 76",
        apply: |_, rules| rules.http_boot_uri = false,
    },
    VendorRule {
        name: "gh200-takes-an-unlisted-target",
        makes: &[Make::NvidiaGh200],
        always: true,
        observed: "UefiHttp is taken although it is not listed",
        source: "NVIDIA libredfish, nvidia_gh200.rs and pull request 104",
        apply: |_, rules| rules.unlisted_targets = vec!["UefiHttp".to_owned()],
    },
    VendorRule {
        name: "no-boot-writes-during-self-test",
        makes: &HPE,
        always: false,
        observed: "boot settings are refused while the machine is in its power-on self test: UnableToModifyDuringSystemPOST",
        source: "metal-operator issue 997, ironic bug 2136275",
        apply: |_, rules| rules.self_test = Duration::from_secs(2),
    },
    VendorRule {
        name: "pxe-reads-as-uefi-boot-next",
        makes: &[Make::Supermicro],
        always: true,
        observed: "in UEFI mode Pxe reads back as UefiBootNext",
        source: "NVIDIA libredfish, supermicro.rs",
        apply: |_, rules| rules.read_back = ReadBack::UefiBootNext,
    },
    VendorRule {
        name: "pxe-reads-as-uefi-target",
        makes: &[Make::Idrac9],
        always: false,
        observed: "in UEFI mode Pxe may read back as UefiTarget",
        source: "ansible issue 52658, ironic bug 2162995",
        apply: |_, rules| rules.read_back = ReadBack::UefiTarget,
    },
    VendorRule {
        name: "once-reads-as-continuous",
        makes: &[Make::Virtual],
        always: true,
        observed: "Once reads back as Continuous",
        source: "sushy-tools 2.2.0, fake driver",
        apply: |_, rules| rules.read_back = ReadBack::Continuous,
    },
    VendorRule {
        name: "supermicro-does-not-store",
        makes: &[Make::Supermicro],
        always: false,
        observed: "the write is answered with 200 and not stored",
        source: "bmclib issue 459",
        apply: |_, rules| rules.read_back = ReadBack::NotStored,
    },
];
