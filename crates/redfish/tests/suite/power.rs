use http::Method;
use redfish::fake::{FakeBmc, Fault};
use redfish::{Delivery, ErrorKind, PowerState, ResetType};

use crate::site::client;

#[test]
fn a_status_is_one_request() {
    let fake = FakeBmc::new();
    let bmc = client(&fake);
    assert_eq!(bmc.power_state().unwrap(), PowerState::On);
    assert_eq!(fake.lines(), ["GET /redfish/v1/Systems?only"]);
}

#[test]
fn a_reset_whose_reply_is_lost_is_not_sent_again_and_unknown() {
    for fault in [Fault::LoseReply, Fault::Silent] {
        let fake = FakeBmc::new();
        fake.fail_next(Method::POST, fault);
        let error = client(&fake).reset(&ResetType::ForceRestart).unwrap_err();
        assert_eq!(error.delivery(), Delivery::PerhapsCarriedOut);
        assert_eq!(*error.kind(), ErrorKind::Timeout);
        assert_eq!(fake.requests().iter().filter(|asked| asked.method == Method::POST).count(), 1);
    }
}
