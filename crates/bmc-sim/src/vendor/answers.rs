//! The shape of answers, sessions, virtual media, lights.

use std::time::Duration;

use super::{Make, VendorRule};
use crate::{ErrorShape, Lockout, Refusal, Reply};

const HPE: [Make; 3] = [Make::Ilo4, Make::Ilo5, Make::Ilo7];

pub(super) const ROWS: &[VendorRule] = &[
    VendorRule {
        name: "hpe-answers-with-an-error-of-success",
        makes: &HPE,
        always: true,
        observed: "a write that was done is answered 200 with an error object whose code is Success",
        source: "reports without a public link",
        apply: |_, rules| {
            rules.patch_reply = Reply::Message;
            rules.action_reply = Reply::Message;
        },
    },
    VendorRule {
        name: "updates-answer-without-a-body",
        makes: &[Make::MegaRac, Make::Gigabyte, Make::OpenBmc, Make::OpenBmcIbm],
        always: true,
        observed: "a PATCH that was done is answered 204",
        source: "openbmc bmcweb; for AMI and Gigabyte assumed",
        apply: |_, rules| rules.patch_reply = Reply::NoContent,
    },
    VendorRule {
        name: "resets-answer-with-a-task",
        makes: &[Make::MegaRac, Make::Gigabyte, Make::Ibmc],
        always: true,
        observed: "a reset is answered 202 with a task",
        source: "python-ibmcclient (Huawei), community.general issue 6434 (AMI)",
        apply: |_, rules| rules.action_reply = Reply::Task,
    },
    VendorRule {
        name: "ilo4-messages-at-the-top",
        makes: &[Make::Ilo4],
        always: true,
        observed: "a refusal has Messages at the top, each with a MessageID, and no error object",
        source: "ilorest python library issue 123, ansible-ilo issue 1",
        apply: |_, rules| rules.error_shape = ErrorShape::Messages,
    },
    VendorRule {
        name: "idrac8-message-is-no-list",
        makes: &[Make::Idrac8],
        always: true,
        observed: "@Message.ExtendedInfo is an object in place of a list",
        source: "sushy, the single message among its samples",
        apply: |_, rules| rules.error_shape = ErrorShape::Object,
    },
    VendorRule {
        name: "ilo4-redirects-to-the-slash",
        makes: &[Make::Ilo4],
        always: true,
        observed: "the root without its final slash answers 308",
        source: "ansible issues 45513 and 48296",
        apply: |_, rules| rules.root_redirects = true,
    },
    VendorRule {
        name: "supermicro-redirects-the-login",
        makes: &[Make::SupermicroX10],
        always: true,
        observed: "the POST of a session is redirected to the address with a final slash",
        source: "check_redfish pull request 187",
        apply: |_, rules| rules.login_redirects = true,
    },
    VendorRule {
        name: "hpe-registries-are-compressed",
        makes: &[Make::Ilo5, Make::Ilo7],
        always: true,
        observed: "a registry that is asked for without compression is refused: 406",
        source: "reports without a public link",
        apply: |_, rules| rules.registries_are_compressed = true,
    },
    VendorRule {
        name: "dell-has-eight-sessions",
        makes: &[Make::Idrac8, Make::Idrac9, Make::Idrac10],
        always: true,
        observed: "about eight sessions at a time, then 503 RAC0218",
        source: "badfish issue 447, check_redfish issue 89",
        apply: |_, rules| {
            rules.session_limit = 8;
            rules.session_refusal = Refusal::new(503, "IDRAC.2.7.RAC0218");
        },
    },
    VendorRule {
        name: "hpe-session-timeout-in-minutes",
        makes: &HPE,
        always: true,
        observed: "SessionTimeout is in minutes",
        source: "recordings of iLO5 and iLO6: 30",
        apply: |_, rules| rules.session_timeout *= 60,
    },
    VendorRule {
        name: "openbmc-locks-out",
        makes: &[Make::OpenBmc, Make::OpenBmcIbm],
        always: true,
        observed: "five wrong passwords lock for five minutes",
        source: "Redfish-Protocol-Validator issue 12",
        apply: |_, rules| {
            rules.lockout = Some(Lockout { failures: 5, duration: Duration::from_mins(5) });
        },
    },
    VendorRule {
        name: "one-indicator-at-a-time",
        makes: &[Make::Plain],
        always: false,
        observed: "IndicatorLED and LocationIndicatorActive in one PATCH are refused",
        source: "confluent commit 836ab7e8",
        apply: |_, rules| rules.one_indicator_at_a_time = true,
    },
    VendorRule {
        name: "supermicro-keeps-the-image-name",
        makes: &[Make::Supermicro, Make::SupermicroX10],
        always: true,
        observed: "ImageName stays after EjectMedia",
        source: "community.general issue 6969",
        apply: |_, rules| rules.eject_keeps_image_name = true,
    },
    VendorRule {
        name: "media-need-the-protocol",
        makes: &[Make::Plain],
        always: false,
        observed: "InsertMedia without TransferProtocolType is refused",
        source: "sushy, the transfer protocol errors among its samples",
        apply: |_, rules| rules.insert_needs_protocol = true,
    },
    VendorRule {
        name: "media-refuse-an-empty-user",
        makes: &[Make::Plain],
        always: false,
        observed: "InsertMedia with an empty UserName is refused",
        source: "reports without a public link",
        apply: |_, rules| rules.insert_refuses_empty_user = true,
    },
];
