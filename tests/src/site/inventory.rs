//! The node inventory for as many nodes as the lab has.

use crate::plan::Plan;
use std::fmt::Write;

/// Nodes a rack holds.
const RACK: u16 = 8;

/// The example site's `inventory.yaml`, for this number of nodes. Boot addresses are not in it:
/// DHCP has them.
pub(crate) fn inventory(plan: &Plan) -> String {
    let last = plan.nodes().filter_map(|host| host.number).max().unwrap_or(1);
    let mut text = String::from(
        "\
apiVersion: clusterctl/v1alpha1
kind: NodeInventory
metadata:
  name: cluster1
spec:
  defaults:
    attributes: {os: el9}
  nodes:
    - nodes: wlm01
      attributes: {class: wlm, vendor: generic}
      rack: R01
",
    );
    for (rack, first) in (1..=last).step_by(usize::from(RACK)).enumerate() {
        let nodes = range(first, last.min(first + RACK - 1));
        let _ = write!(
            text,
            "    - nodes: {nodes}\n      attributes: {{class: exe, vendor: generic}}\n      rack: R{:02}\n",
            rack + 2
        );
    }
    text
}

fn range(first: u16, last: u16) -> String {
    if first == last { Plan::node_name(first) } else { format!("exe[{first:04}-{last:04}]") }
}
