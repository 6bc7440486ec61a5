//! Entity tags.

use bmc_sim::IfMatch;
use serde_json::json;

use crate::client::{Bench, SYSTEM};

fn patch(bench: &Bench, if_match: Option<&str>) -> u16 {
    let client = bench.client();
    let mut client = match if_match {
        Some(tag) => client.with("If-Match", tag),
        None => client,
    };
    client.patch(SYSTEM, &json!({"AssetTag": "x"})).status
}

fn tag(bench: &Bench) -> String {
    bench.client().get(SYSTEM).header("ETag").unwrap().to_owned()
}

#[test]
fn the_header_and_the_body_name_the_same_tag_and_a_change_makes_a_new_one() {
    let bench = Bench::new();
    let before = bench.client().get(SYSTEM);
    assert_eq!(before.header("ETag").unwrap(), before.json()["@odata.etag"]);
    assert_eq!(tag(&bench), tag(&bench));
    assert_eq!(patch(&bench, None), 200);
    assert_ne!(before.header("ETag").unwrap(), tag(&bench));
}

#[test]
fn what_a_client_has_already_is_not_sent_again() {
    let bench = Bench::new();
    let known = tag(&bench);
    let read = |tag: &str| bench.client().with("If-None-Match", tag).get(SYSTEM);
    assert_eq!((read(&known).status, read(&known).body.len()), (304, 0));
    assert_eq!(read(&known).header("ETag"), Some(known.as_str()));
    assert_eq!(read(known.trim_start_matches("W/")).status, 304);
    assert_eq!((read("*").status, read("\"other\"").status), (304, 200));
    patch(&bench, None);
    assert_eq!(read(&known).status, 200);
}

#[test]
fn a_boot_that_consumes_the_override_changes_the_tag() {
    let bench = Bench::new();
    bench.bmc.set_boot_override(bmc_sim::BootOverride::once("Pxe"));
    let before = tag(&bench);
    bench.bmc.boot();
    assert_ne!(tag(&bench), before);
}

/// `(rule, tag sent, status)`; `current` is the resource's own tag.
#[test]
fn if_match_is_judged_by_the_rule() {
    use IfMatch::{Ignored, Optional, Refused, Required};
    for (rule, sent, status) in [
        (Ignored, None, 200),
        (Ignored, Some("\"wrong\""), 200),
        (Optional, None, 200),
        (Optional, Some("current"), 200),
        (Optional, Some("\"wrong\""), 412),
        (Optional, Some("*"), 200),
        (Required, None, 428),
        (Required, Some("current"), 200),
        (Required, Some("\"wrong\""), 412),
        (Required, Some("*"), 200),
        (Refused, None, 200),
        (Refused, Some("current"), 412),
        (Refused, Some("*"), 412),
    ] {
        let bench = Bench::new();
        bench.bmc.change_rules(|rules| rules.tags.if_match = rule);
        let current = tag(&bench);
        let sent = sent.map(|sent| if sent == "current" { current.as_str() } else { sent });
        assert_eq!(patch(&bench, sent), status, "{rule:?} {sent:?}");
        let stored = bench.bmc.resource(SYSTEM).unwrap()["AssetTag"] == "x";
        assert_eq!(stored, status == 200, "{rule:?} {sent:?}");
    }
}

#[test]
fn a_service_may_refuse_any_tag_and_compare_strongly() {
    let bench = Bench::new();
    bench.bmc.change_rules(|rules| (rules.tags.any, rules.tags.weak) = (false, false));
    assert_eq!(patch(&bench, Some("*")), 412);
    let weak = tag(&bench);
    assert_eq!(patch(&bench, Some(&weak)), 412);
    assert_eq!(patch(&bench, weak.strip_prefix("W/")), 200);
}

#[test]
fn an_action_with_a_tag_is_refused_where_the_rule_says_so() {
    let bench = Bench::new();
    assert_eq!(bench.client().with("If-Match", "*").reset("Nmi").status, 204);
    bench.bmc.change_rules(|rules| rules.tags.on_actions = false);
    assert_eq!(bench.client().with("If-Match", "*").reset("ForceOff").status, 412);
    assert_eq!(bench.bmc.power(), Some(bmc_sim::Power::On));
    assert_eq!(bench.client().reset("ForceOff").status, 204);
}
