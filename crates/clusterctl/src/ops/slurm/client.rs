//! Where Slurm's clients run.

use slurm_query::{Frame, NodeNames, Query};

use crate::cause::Cause;
use crate::exit::{ExitClass, Stop};
use crate::reach::{Request, Target};
use crate::selection::Selection;
use crate::session::Session;

/// The host of `slurm.role`.
#[derive(Debug)]
pub struct SlurmClient<'a> {
    session: &'a Session,
    target: Target,
}

impl<'a> SlurmClient<'a> {
    /// The host that the cluster's `slurm.role` names.
    pub fn of(session: &'a Session) -> Result<SlurmClient<'a>, Stop> {
        let role = session.site().cluster_spec().slurm.role.as_deref();
        let target = session.role("slurm.role", role)?;
        Ok(SlurmClient { session, target })
    }

    /// The host.
    pub fn target(&self) -> &Target {
        &self.target
    }

    /// The nodes of a selection as Slurm takes them.
    pub fn names(selection: &Selection) -> Result<NodeNames, Stop> {
        let refused = |error: slurm_query::NameError| Stop::usage(error.to_string());
        let names = NodeNames::new(selection.names()).map_err(refused)?;
        // Slurm has no folded form with several dimensions of its own: the plain list always works.
        let folded = names.clone().with_hostlist(&selection.fold());
        Ok(folded.unwrap_or(names))
    }

    /// Asks, and reads the answer. The client's own words are shown when it refuses.
    pub fn ask<Q: Query>(&self, query: &Q) -> Result<Q::Answer, Stop> {
        let stdout = self.session.must_ask(&self.target, Request::argv(query.argv()))?;
        query.parse(&stdout).map_err(|error| {
            let sentence = format!("{}: the answer cannot be read: {error}", self.target.name);
            Stop::failed(sentence)
        })
    }

    /// A frame that no field written by people can contain.
    pub fn frame() -> Frame {
        Frame::random()
    }

    /// Runs a command that changes something; the words of a refusal, or none.
    pub(crate) fn change(
        &self,
        permit: &crate::gate::Permit,
        argv: &[String],
    ) -> Result<Option<Cause>, Cause> {
        let request = Request::argv(argv.iter().cloned());
        match self.session.change(permit, &self.target, request) {
            Err(error) => {
                let cause = Cause::of_reach(&error);
                let detail = format!("{}: {}", self.target.name, cause.detail);
                Err(Cause { detail, ..cause })
            }
            Ok(answer) => {
                Ok(Cause::of_answer(&answer)
                    .map(|cause| Cause { class: ExitClass::Failed, ..cause }))
            }
        }
    }
}
