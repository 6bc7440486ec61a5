//! Everything that is looked up before anybody is asked: it changes nothing, and one item that
//! cannot be settled refuses the whole set.

use crate::bmc::Connections;
use crate::exit::Stop;
use crate::ops::bmc::fan_out;
use crate::ops::boot::{Planned, PxeHost, Wish, plan};
use crate::ops::reinstall::spine::Options;
use crate::ops::slurm::refuse_busy;
use crate::selection::Selection;
use crate::session::Session;
use crate::site::Node;

/// What is known of the machines.
#[derive(Debug)]
pub(crate) struct Facts {
    /// The nodes, in order.
    pub(crate) nodes: Vec<Node>,
    /// Their links.
    pub(crate) planned: Planned,
}

/// Asks the DHCP host, the PXE host, the name service and Slurm.
pub(crate) fn gather(
    session: &Session,
    connections: &Connections<'_>,
    pxe: &PxeHost<'_>,
    selection: &Selection,
    options: &Options,
) -> Result<Facts, Stop> {
    fan_out::check_all(selection, |node| connections.check_redfish_first(node))?;
    if !options.keep_host_keys && session.site().settings().ssh.known_hosts_file.is_none() {
        return Err(Stop::usage(
            "ssh.knownHostsFile is not set: there is no file to forget host keys in; leave it alone \
             with --keep-host-keys",
        ));
    }
    let wish = Wish { path: options.boot_path.as_deref(), persistent: false };
    let planned = plan(session, pxe, selection, wish)?;
    if !options.no_reset {
        refuse_busy(session, selection, options.loss)?;
    }
    Ok(Facts { nodes: selection.nodes().to_vec(), planned })
}
