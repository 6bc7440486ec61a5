//! From a selection to a permission: the only way to change anything.

use crate::exit::{Classify, ExitClass};
use crate::gate::preview::{Mood, Preview};
use crate::gate::prompt::Person;
use crate::output::{Output, plural};
use crate::selection::{Selection, Sources, fold};
use crate::site::{Protected, Site};

use thiserror::Error;

/// What the person decided beforehand.
#[derive(Debug, Clone, Copy, Default)]
pub struct Switches {
    /// `--dry-run`: nothing is changed, everything is looked up.
    pub dry_run: bool,
    /// `--yes`: the question is answered.
    pub yes: bool,
    /// `--force`: protected hosts and unknown names are let through.
    pub force: bool,
}

/// Why a change does not happen.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum GateError {
    /// Hosts that `safety.protectedHosts` names.
    #[error("{set} {is} protected: name {it} with --force to let {it} through",
        set = fold(.0), is = plural::of(.0.len(), "is", "are"), it = plural::of(.0.len(), "it", "them"))]
    Protected(Vec<String>),
    /// Names that no inventory entry holds.
    #[error("{set} {is} not in the inventory: correct the name, or let {it} through with --force",
        set = fold(.0), is = plural::of(.0.len(), "is", "are"), it = plural::of(.0.len(), "it", "them"))]
    Unknown(Vec<String>),
    /// The protected hosts themselves could not be resolved.
    #[error("the protected hosts cannot be resolved, so nothing is changed without --force")]
    Unresolved(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// Two machines share a service processor: a reset could reach the wrong one.
    #[error(transparent)]
    Shared(crate::config::ConfigError),
    /// Nobody can be asked.
    #[error("there is no terminal to ask at: say --yes to go ahead, or --dry-run to look")]
    NoTerminal,
    /// The person said no, or interrupted.
    #[error("not confirmed; nothing was changed")]
    Declined,
}

impl Classify for GateError {
    fn exit_class(&self) -> ExitClass {
        match self {
            Self::Declined => ExitClass::Interrupted,
            _ => ExitClass::Usage,
        }
    }
}

/// A selection without a protected host or an unknown name, unless the person forced it.
#[derive(Debug, Clone)]
pub struct Admitted {
    selection: Selection,
}

impl Admitted {
    /// The nodes.
    pub fn selection(&self) -> &Selection {
        &self.selection
    }
}

/// The permission to change what a preview said; only [`Gate::approve`] gives it.
#[derive(Debug)]
pub struct Permit(());

/// How a question ended without an error.
#[derive(Debug)]
#[expect(clippy::exhaustive_enums, reason = "a change is rehearsed or approved")]
pub enum Approval {
    /// Go ahead.
    Granted(Permit),
    /// A dry run: this is its result, and nothing may be changed.
    Rehearsed(Output),
}

/// The gate of one run.
pub struct Gate<'a> {
    site: &'a Site,
    sources: Sources<'a>,
    switches: Switches,
    person: &'a dyn Person,
}

impl std::fmt::Debug for Gate<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Gate").field("switches", &self.switches).finish_non_exhaustive()
    }
}

impl<'a> Gate<'a> {
    /// The gate in front of a site; the sources resolve protected groups.
    pub fn new(
        site: &'a Site,
        sources: Sources<'a>,
        switches: Switches,
        person: &'a dyn Person,
    ) -> Gate<'a> {
        Gate { site, sources, switches, person }
    }

    /// Whether machines can be told apart and the protected ones are known, whichever are selected.
    pub fn check_site(&self) -> Result<(), GateError> {
        self.site.check_distinct().map_err(GateError::Shared)?;
        let resolved = Protected::resolve(self.site, &self.sources);
        resolved.map(drop).map_err(|error| GateError::Unresolved(Box::new(error)))
    }

    /// Refuses protected hosts first, then names that nobody knows. `--force` lets both through
    /// and says which.
    pub fn admit(&self, selection: Selection) -> Result<Admitted, GateError> {
        self.site.check_distinct().map_err(GateError::Shared)?;
        let protected = match self.protected(&selection) {
            Ok(protected) => protected,
            Err(error) if self.switches.force => {
                self.person.tell(&format!("note: {error}; --force goes ahead\n"));
                Vec::new()
            }
            Err(error) => return Err(error),
        };
        self.let_through(protected, "protected", GateError::Protected)?;
        let unknown = selection.nodes().iter().filter(|node| !node.is_known());
        let unknown = unknown.map(|node| node.name().to_string()).collect();
        self.let_through(unknown, "not in the inventory", GateError::Unknown)?;
        Ok(Admitted { selection })
    }

    /// Shows the preview and asks, as far as the switches and the count want it.
    pub fn approve(&self, mut preview: Preview) -> Result<Approval, GateError> {
        self.name_context(&mut preview);
        if self.switches.dry_run {
            return Ok(Approval::Rehearsed(preview.rehearsal()));
        }
        if !self.switches.yes && !self.person.is_present() {
            return Err(GateError::NoTerminal);
        }
        self.person.tell(&preview.text(Mood::AboutTo));
        if self.switches.yes || self.confirmed(preview.hosts.len()) {
            return Ok(Approval::Granted(Permit(())));
        }
        Err(GateError::Declined)
    }

    /// For what never asks: the permission that the person gave by typing the command. A dry run
    /// is a rehearsal all the same.
    pub fn without_question(&self, mut preview: Preview) -> Approval {
        self.name_context(&mut preview);
        if self.switches.dry_run {
            return Approval::Rehearsed(preview.rehearsal());
        }
        Approval::Granted(Permit(()))
    }

    fn name_context(&self, preview: &mut Preview) {
        if self.site.contexts() > 1 {
            let context = self.site.context().to_string();
            preview.context = Some((context, self.site.cluster().to_string()));
        }
    }

    fn protected(&self, selection: &Selection) -> Result<Vec<String>, GateError> {
        let protected = Protected::resolve(self.site, &self.sources)
            .map_err(|error| GateError::Unresolved(Box::new(error)))?;
        let hit = selection.nodes().iter().filter(|node| protected.contains(node));
        Ok(hit.map(|node| node.name().to_string()).collect())
    }

    fn let_through(
        &self,
        names: Vec<String>,
        what: &str,
        refuse: impl FnOnce(Vec<String>) -> GateError,
    ) -> Result<(), GateError> {
        if names.is_empty() {
            return Ok(());
        }
        if !self.switches.force {
            return Err(refuse(names));
        }
        let is = plural::of(names.len(), "is", "are");
        self.person.tell(&format!("note: {} {is} {what}; --force lets through\n", fold(&names)));
        Ok(())
    }

    /// Up to `safety.confirmAbove` hosts yes or no; above it the count has to be typed.
    fn confirmed(&self, hosts: usize) -> bool {
        if hosts <= self.site.settings().safety.confirm_above {
            let answer = self.person.ask("Continue? [y/N] ");
            return answer.is_some_and(|answer| {
                matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes")
            });
        }
        let answer = self.person.ask(&format!("Type the number of hosts ({hosts}) to continue: "));
        answer.is_some_and(|answer| answer.trim() == hosts.to_string())
    }
}
