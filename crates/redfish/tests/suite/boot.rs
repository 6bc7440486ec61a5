use redfish::fake::FakeBmc;
use redfish::{BootRequest, BootSource, PowerAction};

use crate::site::client;

#[test]
fn a_one_time_boot_with_its_reset_takes_three_requests_when_the_bmc_is_known() {
    let fake = FakeBmc::new();
    let first = client(&fake);
    let _written = first.set_boot_override(&BootRequest::once(BootSource::PXE)).unwrap();
    fake.forget_requests();

    let bmc = client(&fake).with_known(first.known());
    let written = bmc.set_boot_override(&BootRequest::once(BootSource::PXE)).unwrap();
    assert!(written.read_back.is_set());
    let _sent = bmc.power(PowerAction::ResetOrOn).unwrap();
    assert_eq!(
        fake.lines(),
        [
            r#"PATCH /redfish/v1/Systems/1 {"Boot":{"BootSourceOverrideTarget":"Pxe","BootSourceOverrideEnabled":"Once"}}"#,
            "GET /redfish/v1/Systems/1",
            r#"POST /redfish/v1/Systems/1/Actions/ComputerSystem.Reset {"ResetType":"ForceRestart"}"#,
        ]
    );
}
