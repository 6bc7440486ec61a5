//! Everything one run has: the site, the way to hosts, the person, the switches.

use std::collections::BTreeMap;
use std::mem::ManuallyDrop;
use std::num::NonZeroUsize;
use std::sync::Arc;

use crate::cause::Cause;
use crate::cli::NodeSet;
use crate::exit::{Classify, ExitClass, Stop};
use crate::gate::{Gate, Permit, Person, Switches};
use crate::interrupt::Interrupt;
use crate::output::Live;
use crate::reach::{Answer, Ended, Reach, ReachError, Request, Target};
use crate::selection::{self, GroupCommands, Selection, Sources};
use crate::site::{Node, Site};

/// One run.
pub struct Session {
    /// Never taken apart: a run has one, and ten thousand nodes would take as long to free as to
    /// select from. It holds memory and nothing else.
    site: ManuallyDrop<Site>,
    reach: Arc<dyn Reach>,
    person: Arc<dyn Person>,
    interrupt: Interrupt,
    switches: Switches,
    environment: BTreeMap<String, String>,
    program: String,
    command: String,
    live: Option<Live>,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").field("command", &self.command).finish_non_exhaustive()
    }
}

/// What a session is made of.
pub struct Parts {
    /// The site, resolved for one context.
    pub site: Site,
    /// The way to hosts.
    pub reach: Arc<dyn Reach>,
    /// Whom to ask.
    pub person: Arc<dyn Person>,
    /// Ctrl-C.
    pub interrupt: Interrupt,
    /// What the person decided beforehand.
    pub switches: Switches,
    /// The environment.
    pub environment: BTreeMap<String, String>,
    /// How the person calls this program, with the options that commands in messages must repeat.
    pub program: String,
    /// The command, such as `provision reinstall`, for the journal.
    pub command: String,
    /// Standard output for lines that are shown as they come; none where the format needs the
    /// whole result.
    pub live: Option<Live>,
}

impl std::fmt::Debug for Parts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Parts").field("command", &self.command).finish_non_exhaustive()
    }
}

impl Session {
    /// A run with these parts.
    pub fn new(parts: Parts) -> Session {
        let Parts { site, reach, person, interrupt, switches, environment, program, command, live } =
            parts;
        let site = ManuallyDrop::new(site);
        Session { site, reach, person, interrupt, switches, environment, program, command, live }
    }

    /// The site.
    pub fn site(&self) -> &Site {
        &self.site
    }

    /// Ctrl-C.
    pub fn interrupt(&self) -> &Interrupt {
        &self.interrupt
    }

    /// The person.
    pub fn person(&self) -> &dyn Person {
        self.person.as_ref()
    }

    /// The person, for what outlives a borrow of the session.
    pub fn shared_person(&self) -> Arc<dyn Person> {
        Arc::clone(&self.person)
    }

    /// The environment.
    pub fn environment(&self) -> &BTreeMap<String, String> {
        &self.environment
    }

    /// Whether nothing may be changed.
    pub fn is_dry_run(&self) -> bool {
        self.switches.dry_run
    }

    /// Whether the question is answered beforehand.
    pub fn is_confirmed(&self) -> bool {
        self.switches.yes
    }

    /// How the person calls this program.
    pub fn program(&self) -> &str {
        &self.program
    }

    /// The command, for the journal.
    pub fn command(&self) -> &str {
        &self.command
    }

    /// Where lines are shown as they come, in a format that can.
    pub fn live(&self) -> Option<Live> {
        self.live.clone()
    }

    /// The gate.
    pub fn gate(&self) -> Gate<'_> {
        Gate::new(&self.site, Sources::new(&self.site, self), self.switches, self.person())
    }

    /// The way to hosts.
    pub fn reach(&self) -> &dyn Reach {
        self.reach.as_ref()
    }

    /// How many hosts at a time.
    pub fn width(&self) -> NonZeroUsize {
        self.site.settings().fanout.max
    }

    /// The host of a role, for a service that names its role in this setting.
    pub fn role(&self, setting: &str, role: Option<&str>) -> Result<Target, Stop> {
        let role = role.ok_or_else(|| {
            Stop::usage(format!("{setting} is not set: it names the role of the host"))
        })?;
        Ok(self.site.role(role)?)
    }

    /// Asks a host something that changes nothing.
    pub fn ask(&self, target: &Target, request: Request) -> Result<Answer, ReachError> {
        self.reach.run(target, &self.bounded(request))
    }

    /// Changes something on a host.
    pub fn change(
        &self,
        _permit: &Permit,
        target: &Target,
        request: Request,
    ) -> Result<Answer, ReachError> {
        self.reach.run(target, &self.bounded(request))
    }

    /// Asks a host; a failure of the host or of the command ends this command. A host that has no
    /// answer within the time limit counts as not reached.
    pub fn must_ask(&self, target: &Target, request: Request) -> Result<Vec<u8>, Stop> {
        let answer =
            self.ask(target, request).map_err(|error| self.stop_of_reach(target, &error))?;
        match Cause::of_answer(&answer) {
            None => Ok(answer.stdout),
            Some(cause) => {
                let sentence = format!("{}: {}", target.name, cause.detail);
                let class = match answer.ended {
                    Ended::TimedOut => ExitClass::Unreachable,
                    _ => ExitClass::Failed,
                };
                Err(Stop::with_class(class, sentence))
            }
        }
    }

    /// The failure of a whole command that a host could not be reached for.
    pub fn stop_of_reach(&self, target: &Target, error: &ReachError) -> Stop {
        let detail = crate::diagnostics::chain(error);
        Stop::with_class(error.exit_class(), format!("{}: {detail}", target.name))
    }

    fn bounded(&self, request: Request) -> Request {
        let limit = self.site.settings().fanout.command_timeout;
        if request.timeout == Request::TIMEOUT { request.with_timeout(limit) } else { request }
    }

    /// The nodes of a command; none is a mistake.
    pub fn select(&self, nodes: &NodeSet) -> Result<Selection, Stop> {
        self.select_if_any(nodes)?.ok_or_else(|| {
            Stop::usage("no nodes are named: give a node set with -n, or set CLUSTERCTL_NODES")
        })
    }

    /// The nodes of a command that goes without.
    pub fn select_if_any(&self, nodes: &NodeSet) -> Result<Option<Selection>, Stop> {
        let sources = Sources::new(&self.site, self);
        let selected = match (&nodes.expression, &nodes.hostfile) {
            (Some(text), _) => selection::select(&self.site, text, &sources)?,
            (None, Some(file)) => selection::select_hostfile(&self.site, file, &sources)?,
            (None, None) => return Ok(None),
        };
        match &nodes.exclude {
            Some(text) => Ok(Some(selection::exclude(&self.site, selected, text, &sources)?)),
            None => Ok(Some(selected)),
        }
    }

    /// One node by any of its names.
    pub fn node(&self, name: &str) -> Result<Node, Stop> {
        Ok(self.site.machine(name)?)
    }
}

/// Groups that commands know are asked like everything else that only reads.
impl GroupCommands for Session {
    fn run(&self, role: &str, argv: &[String]) -> Result<Vec<u8>, Stop> {
        let target = self.site.role(role)?;
        let request = Request::argv(argv.iter().cloned());
        self.must_ask(&target, request).map_err(|stop| {
            let class = stop.class();
            let words = argv.first().map_or("", String::as_str);
            let why = crate::diagnostics::chain(stop.error());
            Stop::with_class(
                class.max(ExitClass::Failed),
                format!("the group command {words}: {why}"),
            )
        })
    }
}
