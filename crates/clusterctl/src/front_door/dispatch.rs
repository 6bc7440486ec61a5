//! Which operation a command is.

use std::path::{Path, PathBuf};

use crate::cli::{
    BmcBootCommand, BmcCommand, BootCommand, Command, DhcpCommand, EventsCommand, ExecArgs, Global,
    HostkeyCommand, MediaCommand, NodeCommand, NodeSet, ProvisionCommand, RedfishCommand,
    SlurmCommand, SlurmNodeCommand,
};
use crate::config::Inputs;
use crate::config::kinds::SshTransport;
use crate::exit::Stop;
use crate::ops;
use crate::ops::slurm::JobLoss;
use crate::output::Outcome;
use crate::reach::{Settings, Transport};
use crate::session::Session;
use crate::site::Site;

/// The command's words, for the journal.
pub(super) fn name(command: &Command) -> &'static str {
    match command {
        Command::Provision(ProvisionCommand::Reinstall(_)) => "provision reinstall",
        Command::Provision(ProvisionCommand::Status { .. }) => "provision status",
        Command::Boot(BootCommand::Set(_)) => "boot set",
        Command::Boot(BootCommand::Unset { .. }) => "boot unset",
        Command::Boot(_) => "boot",
        Command::Bmc(BmcCommand::Power(_)) => "bmc power",
        Command::Bmc(BmcCommand::Boot(BmcBootCommand::Set { .. })) => "bmc boot set",
        Command::Bmc(BmcCommand::Boot(BmcBootCommand::Unset { .. })) => "bmc boot unset",
        Command::Bmc(BmcCommand::Redfish(RedfishCommand::Post { .. })) => "bmc redfish post",
        Command::Bmc(BmcCommand::Forget { .. }) => "bmc forget",
        Command::Bmc(BmcCommand::Led { .. }) => "bmc led",
        Command::Bmc(BmcCommand::Events(EventsCommand::Clear { .. })) => "bmc events clear",
        Command::Bmc(BmcCommand::Media(MediaCommand::Insert { .. })) => "bmc media insert",
        Command::Bmc(BmcCommand::Media(MediaCommand::Eject { .. })) => "bmc media eject",
        Command::Bmc(_) => "bmc",
        Command::Dhcp(_) => "dhcp",
        Command::Slurm(SlurmCommand::Node(SlurmNodeCommand::Drain { .. })) => "slurm node drain",
        Command::Slurm(SlurmCommand::Node(SlurmNodeCommand::Resume { .. })) => "slurm node resume",
        Command::Slurm(_) => "slurm",
        Command::Node(_) => "node",
        Command::Hostkey(HostkeyCommand::Refresh { .. }) => "hostkey refresh",
        Command::Hostkey(HostkeyCommand::Remove { .. }) => "hostkey remove",
        Command::Hostkey(_) => "hostkey",
        Command::Exec(_) => "exec",
        Command::Config(_) => "config",
    }
}

/// The node set a command was given.
pub(super) fn node_set(
    command: &Command,
    global: &Global,
    inputs: &Inputs,
) -> Result<NodeSet, Stop> {
    let argument = match command {
        Command::Provision(ProvisionCommand::Reinstall(args)) => args.nodeset.as_deref(),
        Command::Boot(BootCommand::Set(args)) => args.split().0,
        Command::Bmc(BmcCommand::Power(args)) => args.nodeset.as_deref(),
        Command::Provision(ProvisionCommand::Status { nodeset })
        | Command::Boot(BootCommand::Status { nodeset } | BootCommand::Unset { nodeset })
        | Command::Bmc(
            BmcCommand::Status { nodeset, .. }
            | BmcCommand::Led { nodeset, .. }
            | BmcCommand::Sensors { nodeset, .. }
            | BmcCommand::Firmware { nodeset }
            | BmcCommand::Ping { nodeset }
            | BmcCommand::Doctor { nodeset }
            | BmcCommand::Events(
                EventsCommand::List { nodeset, .. } | EventsCommand::Clear { nodeset },
            )
            | BmcCommand::Media(
                MediaCommand::Status { nodeset }
                | MediaCommand::Insert { nodeset, .. }
                | MediaCommand::Eject { nodeset, .. },
            )
            | BmcCommand::Redfish(
                RedfishCommand::Get { nodeset, .. }
                | RedfishCommand::Post { nodeset, .. }
                | RedfishCommand::Info { nodeset },
            )
            | BmcCommand::Boot(
                BmcBootCommand::Show { nodeset, .. }
                | BmcBootCommand::Set { nodeset, .. }
                | BmcBootCommand::Unset { nodeset, .. },
            ),
        )
        | Command::Dhcp(DhcpCommand::Hosts { nodeset, .. })
        | Command::Slurm(SlurmCommand::Node(
            SlurmNodeCommand::List { nodeset, .. }
            | SlurmNodeCommand::Drain { nodeset, .. }
            | SlurmNodeCommand::Resume { nodeset },
        ))
        | Command::Node(NodeCommand::List { nodeset } | NodeCommand::Fqdn { nodeset, .. })
        | Command::Hostkey(
            HostkeyCommand::Scan { nodeset }
            | HostkeyCommand::Verify { nodeset }
            | HostkeyCommand::Refresh { nodeset }
            | HostkeyCommand::Remove { nodeset },
        ) => nodeset.as_deref(),
        Command::Node(NodeCommand::Select { expression, .. }) => expression.as_deref(),
        Command::Exec(args) => args.nodeset.as_deref(),
        Command::Bmc(BmcCommand::Forget { names }) if names.is_empty() => None,
        Command::Boot(BootCommand::List | BootCommand::Log { .. })
        | Command::Dhcp(
            DhcpCommand::Config { .. }
            | DhcpCommand::Check { .. }
            | DhcpCommand::Log { .. }
            | DhcpCommand::Capture { .. },
        )
        | Command::Node(
            NodeCommand::Attrs { .. }
            | NodeCommand::Rack { .. }
            | NodeCommand::Groups { .. }
            | NodeCommand::Describe { .. },
        )
        | Command::Bmc(BmcCommand::Forget { .. } | BmcCommand::Web { .. })
        | Command::Hostkey(HostkeyCommand::List)
        | Command::Config(_) => {
            global.refuse_node_set()?;
            return Ok(NodeSet::default());
        }
    };
    super::nodes(global, argument, inputs)
}

/// Carries a command out.
pub(super) fn carry_out(
    session: &Session,
    command: Command,
    nodes: &NodeSet,
    working_directory: &Path,
) -> Result<Outcome, Stop> {
    match command {
        Command::Provision(ProvisionCommand::Reinstall(args)) => {
            let options = ops::reinstall::Options {
                boot_path: args.boot_path,
                keep_host_keys: args.keep_host_keys,
                no_reset: args.no_reset,
                loss: loss(args.lose_jobs),
            };
            ops::reinstall::reinstall(session, session.select(nodes)?, &options)
        }
        Command::Provision(ProvisionCommand::Status { .. }) => {
            ops::provision_status::provision_status(session, &session.select(nodes)?)
        }
        Command::Boot(command) => boot(session, &command, nodes),
        Command::Bmc(command) => super::bmc::carry_out(session, command, nodes),
        Command::Dhcp(command) => dhcp(session, &command, nodes, working_directory),
        Command::Slurm(SlurmCommand::Node(command)) => slurm(session, command, nodes),
        Command::Node(command) => node(session, &command, nodes),
        Command::Hostkey(command) => hostkey(session, &command, nodes),
        Command::Exec(args) => exec(session, args, nodes),
        // Handled before there is a session.
        Command::Config(_) => Ok(Outcome::default()),
    }
}

fn dhcp(
    session: &Session,
    command: &DhcpCommand,
    nodes: &NodeSet,
    working_directory: &Path,
) -> Result<Outcome, Stop> {
    match command {
        DhcpCommand::Hosts { file, .. } => {
            let nodes = ops::dhcp::Wanted::of(&session.select(nodes)?);
            let set = match file {
                Some(file) => ops::dhcp::read_file(file, working_directory)?,
                None => ops::dhcp::fetch(session)?,
            };
            Ok(ops::dhcp::hosts(&set, &nodes))
        }
        DhcpCommand::Config { .. } => Ok(ops::dhcp::config(&ops::dhcp::fetch(session)?)),
        DhcpCommand::Check { .. } => ops::dhcp::check(session),
        DhcpCommand::Log { lines } => ops::logs::dhcp(session, *lines),
        DhcpCommand::Capture { interface, seconds } => {
            ops::dhcp::capture(session, interface.as_deref(), *seconds)
        }
    }
}

fn boot(session: &Session, command: &BootCommand, nodes: &NodeSet) -> Result<Outcome, Stop> {
    match command {
        BootCommand::Status { .. } => {
            ops::boot::status(session, session.select_if_any(nodes)?.as_ref())
        }
        BootCommand::Set(args) => {
            ops::boot::set(session, session.select(nodes)?, args.split().1, args.persistent)
        }
        BootCommand::Unset { .. } => ops::boot::unset(session, session.select(nodes)?),
        BootCommand::List => ops::boot::list(session),
        BootCommand::Log { lines } => ops::logs::boot(session, *lines),
    }
}

fn slurm(session: &Session, command: SlurmNodeCommand, nodes: &NodeSet) -> Result<Outcome, Stop> {
    match command {
        SlurmNodeCommand::List { state, .. } => {
            let selection = session.select_if_any(nodes)?;
            ops::slurm::list(session, selection.as_ref(), state.as_deref())
        }
        SlurmNodeCommand::Drain { reason, .. } => {
            ops::slurm::drain(session, session.select(nodes)?, &reason)
        }
        SlurmNodeCommand::Resume { .. } => ops::slurm::resume(session, session.select(nodes)?),
    }
}

fn node(session: &Session, command: &NodeCommand, nodes: &NodeSet) -> Result<Outcome, Stop> {
    match command {
        NodeCommand::Select { expand, count, .. } => {
            let form = match (expand, count) {
                (true, _) => ops::node::Form::Expanded,
                (_, true) => ops::node::Form::Count,
                _ => ops::node::Form::Folded,
            };
            Ok(ops::node::select(&session.select(nodes)?, form))
        }
        NodeCommand::List { .. } => {
            ops::node::list(session, session.select_if_any(nodes)?.as_ref())
        }
        NodeCommand::Fqdn { bmc, .. } => {
            ops::node::fqdn(session, session.select_if_any(nodes)?.as_ref(), *bmc)
        }
        NodeCommand::Attrs { key } => ops::inventory::attributes(session, key.as_deref()),
        NodeCommand::Rack { rack } => ops::inventory::racks(session, rack.as_deref()),
        NodeCommand::Groups { node: Some(name) } => {
            ops::node::groups(session, Some(&session.node(name)?))
        }
        NodeCommand::Groups { node: None } => ops::node::groups(session, None),
        NodeCommand::Describe { node } => ops::node::describe(session, &session.node(node)?),
    }
}

fn hostkey(session: &Session, command: &HostkeyCommand, nodes: &NodeSet) -> Result<Outcome, Stop> {
    match command {
        HostkeyCommand::List => ops::hostkey::list(session),
        HostkeyCommand::Scan { .. } => ops::hostkey::scan(session, &session.select(nodes)?),
        HostkeyCommand::Verify { .. } => ops::hostkey::verify(session, &session.select(nodes)?),
        HostkeyCommand::Refresh { .. } => ops::hostkey::refresh(session, session.select(nodes)?),
        HostkeyCommand::Remove { .. } => ops::hostkey::remove(session, session.select(nodes)?),
    }
}

fn exec(session: &Session, args: ExecArgs, nodes: &NodeSet) -> Result<Outcome, Stop> {
    if args.stdin && args.confirm && !session.is_confirmed() && !session.is_dry_run() {
        return Err(Stop::usage(
            "--stdin takes the answer's place: --confirm needs --yes beside it",
        ));
    }
    let selection = session.select(nodes)?;
    let input = if args.stdin { standard_input(session)? } else { Vec::new() };
    let options = ops::exec::Options {
        words: args.command,
        script: args.script,
        input,
        user: if args.root { Some("root".to_owned()) } else { args.user },
        dedup: args.dedup,
        confirm: args.confirm,
        timeout: args.timeout,
    };
    ops::exec::exec(session, selection, &options)
}

/// All of standard input, or nothing is sent to anybody. Ctrl-C ends the wait.
fn standard_input(session: &Session) -> Result<Vec<u8>, Stop> {
    use std::io::Read as _;
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = std::io::stdin().lock().read_to_end(&mut bytes);
        // Nobody listens any more after Ctrl-C.
        let _ = sender.send(read.map(|_| bytes));
    });
    loop {
        match receiver.recv_timeout(std::time::Duration::from_millis(100)) {
            Ok(Ok(bytes)) => return Ok(bytes),
            Ok(Err(error)) => {
                return Err(Stop::usage(format!("standard input cannot be read: {error}")));
            }
            Err(_) if session.interrupt().is_raised() => {
                let class = crate::exit::ExitClass::Interrupted;
                return Err(Stop::with_class(class, "interrupted; nothing was sent"));
            }
            Err(_) => {}
        }
    }
}

pub(super) fn loss(accepted: bool) -> JobLoss {
    if accepted { JobLoss::Accepted } else { JobLoss::Refused }
}

/// The transport's settings from the configuration.
pub(super) fn ssh_settings(site: &Site, inputs: &Inputs) -> Settings {
    let settings = site.settings();
    let ssh = &settings.ssh;
    let known_hosts = ssh.known_hosts_file.as_ref().map(PathBuf::from);
    let mut own = Settings::new(known_hosts, site.resolved().state_directory.join("ssh"));
    own.strict = ssh.strict_host_key_checking;
    if let Some(home) = inputs.home() {
        home.clone_into(&mut own.home);
        own.include = vec![home.join(".ssh/config"), PathBuf::from("/etc/ssh/ssh_config")];
    }
    if let Some(include) = &ssh.include {
        own.include = include.iter().map(PathBuf::from).collect();
    }
    own.transport = match ssh.transport {
        SshTransport::Libssh2 => Transport::Ssh2,
        SshTransport::Openssh => Transport::Openssh,
    };
    own.connect_timeout = ssh.connect_timeout.min(settings.fanout.connect_timeout);
    own.connection_attempts = ssh.connection_attempts.get();
    own.keepalive = ssh.server_alive_interval;
    own.keepalive_count = ssh.server_alive_count_max.get();
    own.options = ssh.options.iter().map(|(k, v)| (k.clone(), v.clone())).collect();
    own.ssh = PathBuf::from(&ssh.binary);
    if ssh.legacy_key_types {
        own.legacy_key_types = vec!["ssh-rsa".to_owned()];
    }
    own
}
