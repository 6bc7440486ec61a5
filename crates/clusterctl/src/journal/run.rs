//! Writing a run down while it goes on.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use jiff::Timestamp;

use crate::exit::ExitClass;
use crate::journal::directory::{self, JournalError, io_error};
use crate::journal::event::{Event, Line, Status};
use crate::session::Session;

/// The journal of one run.
///
/// A line that cannot be written is not allowed to stop a change half way: the first failure is
/// kept and told at the end.
#[derive(Debug)]
pub struct Journal {
    file: Mutex<File>,
    failure: Mutex<Option<std::io::Error>>,
}

impl Journal {
    /// Begins a run: the file is made before anything is changed, or the run does not begin.
    pub fn begin(
        state: &Path,
        command: &str,
        context: &str,
        cluster: &str,
        nodes: &[String],
    ) -> Result<Journal, JournalError> {
        let folder = directory::runs(state)?;
        let now = Timestamp::now();
        let run = format!("{}-{}", now.strftime("%Y%m%dT%H%M%S%.6fZ"), std::process::id());
        let path = folder.join(format!("{run}.jsonl"));
        let file = OpenOptions::new()
            .append(true)
            .create_new(true)
            .mode(0o600)
            .open(&path)
            .map_err(|error| io_error(&path, error))?;
        let journal = Journal { file: Mutex::new(file), failure: Mutex::new(None) };
        journal.write(Event::Start {
            version: 1,
            run,
            command: command.to_owned(),
            context: context.to_owned(),
            cluster: cluster.to_owned(),
            nodes: nodes.to_vec(),
        });
        match journal.failure() {
            Some(error) => Err(io_error(&path, error)),
            None => Ok(journal),
        }
    }

    /// Begins the run of a session.
    pub fn of(session: &Session, nodes: &[String]) -> Result<Journal, JournalError> {
        let site = session.site();
        let state = &site.resolved().state_directory;
        let (context, cluster) = (site.context().to_string(), site.cluster().to_string());
        Journal::begin(state, session.command(), &context, &cluster, nodes)
    }

    /// Ends the run of a session; a journal that could not be kept is told, and changes nothing.
    pub fn finish(self, session: &Session, class: ExitClass) {
        if let Err(error) = self.end(class) {
            let text = format!("note: the journal of this run is incomplete: {error}\n");
            session.person().tell(&crate::output::escape::lines(&text));
        }
    }

    /// A step on a node came to something.
    pub fn step(&self, node: &str, step: &str, status: &str) {
        self.write(Event::Step {
            node: node.to_owned(),
            step: step.to_owned(),
            status: status.to_owned(),
        });
    }

    /// What became of a node; `None` means that nothing was tried on it.
    pub fn node(&self, node: &str, class: Option<ExitClass>, error: Option<&str>) {
        let status = match class {
            None => Status::NotTried,
            Some(ExitClass::Success) => Status::Ok,
            Some(ExitClass::Unreachable) => Status::Unreachable,
            Some(_) => Status::Failed,
        };
        let error = error.map(str::to_owned);
        self.write(Event::Node { node: node.to_owned(), status, error });
    }

    /// The run is over. The error is the first line that could not be written.
    pub fn end(self, class: ExitClass) -> Result<(), std::io::Error> {
        self.write(Event::End { exit_code: class.code() });
        self.failure().map_or(Ok(()), Err)
    }

    fn failure(&self) -> Option<std::io::Error> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn write(&self, event: Event) {
        let line = Line { time: Timestamp::now().to_string(), event };
        let written =
            serde_json::to_vec(&line).map_err(std::io::Error::from).and_then(|mut text| {
                text.push(b'\n');
                // One write a line, so that a killed run leaves whole lines.
                self.file.lock().unwrap_or_else(PoisonError::into_inner).write_all(&text)
            });
        if let Err(error) = written {
            let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
            failure.get_or_insert(error);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::{Last, LastGroup};
    use std::os::unix::fs::MetadataExt as _;

    fn nodes(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn a_run_is_private_and_the_newest_is_last() {
        let state = tempfile::tempdir().unwrap();
        let first =
            Journal::begin(state.path(), "bmc power reset", "c", "k", &nodes(&["a"])).unwrap();
        first.end(ExitClass::Success).unwrap();
        let all = nodes(&["a", "b", "c", "d"]);
        let run = Journal::begin(state.path(), "provision reinstall", "c", "k", &all).unwrap();
        run.step("a", "boot link", "set");
        run.node("a", Some(ExitClass::Success), None);
        run.node("b", Some(ExitClass::Failed), Some("refused"));
        run.node("c", Some(ExitClass::Unreachable), Some("no route"));
        // Killed here: d has no line, and there is no end.
        drop(run);
        let last = Last::read(state.path()).unwrap().unwrap();
        assert_eq!(last.nodes(LastGroup::All), all);
        assert_eq!(last.nodes(LastGroup::Failed), ["b", "c"]);
        assert_eq!(last.nodes(LastGroup::Unreachable), ["c"]);
        assert_eq!(last.nodes(LastGroup::NotTried), ["d"]);
        let file = directory::newest(state.path()).unwrap().unwrap();
        assert_eq!(file.metadata().unwrap().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_directory_that_others_may_write_is_refused() {
        use std::os::unix::fs::PermissionsExt as _;
        let state = tempfile::tempdir().unwrap();
        let runs = state.path().join("runs");
        std::fs::create_dir(&runs).unwrap();
        std::fs::set_permissions(&runs, std::fs::Permissions::from_mode(0o777)).unwrap();
        let refused = Journal::begin(state.path(), "x", "c", "k", &nodes(&["a"])).unwrap_err();
        assert!(matches!(refused, JournalError::NotPrivate { .. }));
    }
}
