//! Others' Redfish clients as judges: sushy and the DMTF's library must reach the same end state.
//!
//! They are Python packages, so they take part only where `LAB_PYTHON` names a Python that has them.

use std::sync::Arc;

use bmc_sim::{Action, Bmc, BootWrites, IfMatch, MemoryMachine, Power, Tree};

use crate::client::Bench;
use crate::python::python;

const SUSHY: &str = "
import sys, sushy, urllib3
urllib3.disable_warnings()
url, kind = sys.argv[1:]
auth = sushy.auth.BasicAuth if kind == 'basic' else sushy.auth.SessionAuth
root = sushy.Sushy(url, verify=False, auth=auth('admin', 'password'))
system = root.get_system('/redfish/v1/Systems/1')
system.set_system_boot_options(target=sushy.BOOT_SOURCE_TARGET_PXE, enabled=sushy.BOOT_SOURCE_ENABLED_ONCE)
system.reset_system(sushy.RESET_TYPE_FORCE_RESTART)
system.reset_system(sushy.RESET_TYPE_FORCE_OFF)
if kind == 'session':
    root._conn._auth.close()
";

const DMTF: &str = "
import sys, redfish
url, kind = sys.argv[1:]
client = redfish.redfish_client(base_url=url, username='admin', password='password', max_retry=1)
client.login(auth=kind)
system = client.get('/redfish/v1/Systems/1')
boot = {'Boot': {'BootSourceOverrideTarget': 'Pxe', 'BootSourceOverrideEnabled': 'Once'}}
target = system.dict.get('@Redfish.Settings', {}).get('SettingsObject', {}).get('@odata.id', '/redfish/v1/Systems/1')
tag = client.get(target).getheader('ETag')
assert client.patch(target, body=boot, headers={'If-Match': tag}).status == 200
reset = system.dict['Actions']['#ComputerSystem.Reset']['target']
assert client.post(reset, body={'ResetType': 'ForceRestart'}).status == 204
assert client.post(reset, body={'ResetType': 'ForceOff'}).status == 204
client.logout()
";

#[test]
fn peers_reach_the_same_end_state() {
    if python("sushy").is_none() || python("redfish").is_none() {
        return;
    }
    for (peer, script) in [("sushy", SUSHY), ("redfish", DMTF)] {
        for kind in ["basic", "session"] {
            for settings in [false, true] {
                let machine = Arc::new(MemoryMachine::default());
                let tree = Tree::built_in();
                let tree = if settings { tree.with_settings_object() } else { tree };
                let bench = Bench::of(Bmc::builder().tree(tree).machine(Arc::clone(&machine) as _));
                bench.bmc.change_rules(|rules| rules.tags.if_match = IfMatch::Required);
                let expected = if settings { BootWrites::Settings } else { BootWrites::System };
                assert_eq!(bench.bmc.rules().boot_writes, expected);
                let output = python(peer)
                    .unwrap()
                    .args(["-c", script, &format!("https://{}", bench.running.address()), kind])
                    .output()
                    .unwrap();
                let told = String::from_utf8_lossy(&output.stderr);
                assert!(output.status.success(), "{peer} {kind} {settings}: {told}");
                let actions = machine.actions();
                assert!(
                    matches!(&actions[..], [Action::ForceRestart(boot), Action::ForceOff] if boot.is_pxe()),
                    "{peer} {kind} {settings}: {actions:?}"
                );
                let state = bench.bmc.state();
                assert_eq!(state.systems[0].power, Some(Power::Off));
                assert_eq!(state.sessions, 0, "{peer} {kind} {settings}");
            }
        }
    }
}
