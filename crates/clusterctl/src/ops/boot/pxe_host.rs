//! The PXE host: one session a question, one session a change, for all nodes together.

use pxe_links::{BootPath, Changes, Layout, Outcome, Present, Reading};

use crate::cause::Cause;
use crate::config::kinds::LinkLayout;
use crate::exit::{ExitClass, Stop};
use crate::gate::Permit;
use crate::reach::{Answer, Delivery, ReachError, Request, Target};
use crate::session::Session;

/// The PXE service's host and the layout of its links.
#[derive(Debug)]
pub struct PxeHost<'a> {
    session: &'a Session,
    target: Target,
    layout: Layout,
}

/// What became of a change of links, and why nothing more is known where that is so.
#[derive(Debug)]
pub struct Applied {
    /// One outcome a change, in order.
    pub outcomes: Vec<Outcome>,
    /// Why the host was not reached, or was lost.
    pub trouble: Option<Cause>,
    /// Whether the host certainly never got the script.
    pub not_sent: bool,
}

impl<'a> PxeHost<'a> {
    /// The host that `services.pxesrv` names.
    pub fn of(session: &'a Session) -> Result<PxeHost<'a>, Stop> {
        let settings = &session.site().settings().services.pxesrv;
        let target = session.role("services.pxesrv.role", settings.role.as_deref())?;
        let root: BootPath = settings
            .root
            .parse()
            .map_err(|error| Stop::usage(format!("services.pxesrv.root: {error}")))?;
        let layout = match (settings.layout, settings.static_suffix.as_deref()) {
            (LinkLayout::Directories, _) => Layout::directories(&root),
            (LinkLayout::Suffix, None) => Layout::once_only(&root),
            (LinkLayout::Suffix, Some(suffix)) => Layout::suffixed(&root, suffix)
                .map_err(|error| Stop::usage(format!("services.pxesrv.staticSuffix: {error}")))?,
        };
        Ok(PxeHost { session, target, layout })
    }

    /// The layout of links.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Whether there are persistent links at all.
    pub fn has_persistent(&self) -> bool {
        self.layout.lifetimes().len() > 1
    }

    /// The host.
    pub fn target(&self) -> &Target {
        &self.target
    }

    /// What is there.
    pub fn read(&self, reading: &Reading) -> Result<Present, Cause> {
        self.read_with(reading, Request::script(reading.script()))
    }

    /// The same on the way back, which goes on after Ctrl-C.
    pub fn read_despite_interrupt(&self, reading: &Reading) -> Result<Present, Cause> {
        self.read_with(reading, Request::script(reading.script()).even_when_interrupted())
    }

    fn read_with(&self, reading: &Reading, request: Request) -> Result<Present, Cause> {
        let answer = self.session.ask(&self.target, request).map_err(|error| self.cause(&error))?;
        let refused = Cause::of_answer(&answer);
        reading.parse(&answer.stdout).map_err(|error| {
            let detail = match refused {
                Some(cause) => format!("{}: {error}: {}", self.target.name, cause.detail),
                None => format!("{}: {error}", self.target.name),
            };
            Cause::new(ExitClass::Failed, "failed", detail)
        })
    }

    /// As [`PxeHost::read`], where a failure ends the command.
    pub fn must_read(&self, reading: &Reading) -> Result<Present, Stop> {
        self.read(reading).map_err(|cause| Stop::with_class(cause.class, cause.detail))
    }

    /// Carries changes out; every change has an outcome, whatever happens.
    pub fn apply(&self, changes: &Changes, permit: &Permit) -> Applied {
        self.apply_with(changes, permit, Request::script(changes.script()))
    }

    /// The same on the way back, which goes on after Ctrl-C.
    pub fn apply_despite_interrupt(&self, changes: &Changes, permit: &Permit) -> Applied {
        self.apply_with(changes, permit, Request::script(changes.script()).even_when_interrupted())
    }

    fn apply_with(&self, changes: &Changes, permit: &Permit, request: Request) -> Applied {
        match self.session.change(permit, &self.target, request) {
            Ok(answer) => {
                let outcomes = changes.parse_report(&answer.stdout);
                Applied { outcomes, trouble: self.trouble(&answer), not_sent: false }
            }
            Err(error) => Applied {
                outcomes: changes.iter().map(|_| Outcome::Unknown).collect(),
                not_sent: error.delivery() == Delivery::NotSent,
                trouble: Some(self.cause(&error)),
            },
        }
    }

    /// A script that did not run to its end leaves the rest of its report open.
    fn trouble(&self, answer: &Answer) -> Option<Cause> {
        let cause = Cause::of_answer(answer)?;
        let detail = format!("{}: {}", self.target.name, cause.detail);
        Some(Cause::new(ExitClass::Unreachable, "unknown", detail))
    }

    fn cause(&self, error: &ReachError) -> Cause {
        let cause = Cause::of_reach(error);
        let detail = format!("{}: {}", self.target.name, cause.detail);
        Cause { detail, ..cause }
    }
}
