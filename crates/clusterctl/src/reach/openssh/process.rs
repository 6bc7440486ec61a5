//! One `ssh` process, from its start to its end.

use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

use crate::interrupt::Interrupt;
use crate::reach::directory::{Directory, Hop};
use crate::reach::openssh::configuration;
use crate::reach::openssh::streams::{End, Heard, feed, listen};
use crate::reach::wire::{self, TRAILER, Wire};
use crate::reach::{Answer, Delivery, Ended, ReachError, ReachErrorKind, Request};

/// Carries requests by `ssh`.
pub(in crate::reach) struct Openssh {
    interrupt: Interrupt,
}

/// How long `ssh` may take to end after it was asked to.
const PATIENCE: Duration = Duration::from_secs(5);
const MOMENT: Duration = Duration::from_millis(20);

impl Openssh {
    pub(in crate::reach) fn new(interrupt: Interrupt) -> Openssh {
        Openssh { interrupt }
    }

    /// Runs a request at the end of a way.
    pub(in crate::reach) fn run(
        &self,
        directory: &Directory,
        way: &[Hop],
        wire: &Wire,
        request: &Request,
    ) -> Result<Answer, ReachError> {
        let settings = &directory.settings;
        let Some(hop) = way.first() else {
            return Err(unsent(ReachErrorKind::Configuration, "there is no host to reach"));
        };
        let file =
            configuration::write(settings, directory.host_key_file()?, way).map_err(|error| {
                unsent(ReachErrorKind::Configuration, "ssh's configuration cannot be written")
                    .with_source(error)
            })?;
        let started = Instant::now();
        let mut child = Command::new(&settings.ssh)
            .arg("-F")
            .arg(file.path())
            .args(["-T", "-x", "--", &hop.target.host, &wire.command])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            // A group of its own: Ctrl-C at the terminal reaches this program alone.
            .process_group(0)
            .spawn()
            .map_err(|error| {
                let what = format!("{} cannot be started", settings.ssh.display());
                unsent(ReachErrorKind::Configuration, what).with_source(error)
            })?;
        let limit = request.timeout
            + settings.connect_timeout * settings.connection_attempts.max(1)
            + PATIENCE;
        let (stdout, stderr, stopped) = self.talk(&mut child, wire, request, started + limit);
        let cut_off = stdout.cut_off || stderr.cut_off;
        let (stdout, mut stderr) = (stdout.bytes, stderr.bytes);
        match (wire.take_status(&mut stderr), stopped) {
            (_, _) if cut_off => {
                let ended = Ended::Signal("PIPE".to_owned());
                Ok(Answer { ended, stdout, stderr, cut_off })
            }
            (Some(status), _) => {
                let ended = wire::ended(status, started.elapsed(), request.timeout);
                Ok(Answer { ended, stdout, stderr, cut_off })
            }
            (None, Some(stop)) => Err(stop),
            (None, None) => Err(words_of_ssh(&stderr)),
        }
    }

    /// Feeds, listens and waits; an error is why the process was stopped.
    fn talk(
        &self,
        child: &mut Child,
        wire: &Wire,
        request: &Request,
        deadline: Instant,
    ) -> (Heard, Heard, Option<ReachError>) {
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let limit = request.output_limit;
        let end = End::default();
        thread::scope(|scope| {
            scope.spawn(|| feed(stdin, &wire.stdin, &end));
            let out = scope.spawn(|| listen(stdout, limit, request.tap.as_ref(), &end));
            let err = scope.spawn(|| listen(stderr, limit + TRAILER, None, &end));
            let stopped = self.wait(child, request, deadline);
            end.has_come();
            let heard = |thread: thread::ScopedJoinHandle<'_, Heard>| {
                thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            (heard(out), heard(err), stopped)
        })
    }

    fn wait(&self, child: &mut Child, request: &Request, deadline: Instant) -> Option<ReachError> {
        let stop = loop {
            match child.try_wait() {
                Ok(Some(_)) => return None,
                Ok(None) => {}
                Err(error) => break lost("ssh cannot be waited for").with_source(error),
            }
            if self.interrupt.is_raised() && !request.despite_interrupt {
                let delivery = Delivery::PerhapsCarriedOut;
                break ReachError::new(ReachErrorKind::Interrupted, delivery, "interrupted");
            }
            if Instant::now() >= deadline {
                break lost("no end of the command in time");
            }
            thread::sleep(MOMENT);
        };
        end(child);
        Some(stop)
    }
}

/// Asks the process and its helpers to end, then makes them.
fn end(child: &mut Child) {
    let Ok(id) = i32::try_from(child.id()) else { return };
    let Some(group) = Pid::from_raw(id) else { return };
    let _ = kill_process_group(group, Signal::TERM);
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE {
        if !matches!(child.try_wait(), Ok(None)) {
            return;
        }
        thread::sleep(MOMENT);
    }
    let _ = kill_process_group(group, Signal::KILL);
    let _ = child.wait();
}

fn unsent(kind: ReachErrorKind, what: impl Into<String>) -> ReachError {
    ReachError::new(kind, Delivery::NotSent, what)
}

fn lost(what: &str) -> ReachError {
    ReachError::new(ReachErrorKind::Lost, Delivery::PerhapsCarriedOut, what)
}

/// ssh's own failure, from what it wrote; the only place that interprets its words. What it does
/// not say to have failed before the login may have been carried out.
fn words_of_ssh(stderr: &[u8]) -> ReachError {
    let text = String::from_utf8_lossy(stderr);
    let line = |needle: &str| text.lines().map(str::trim).find(|line| line.contains(needle));
    let known = [
        ("Host key verification failed", ReachErrorKind::HostKey),
        ("host key is known", ReachErrorKind::HostKey),
        ("REVOKED", ReachErrorKind::HostKey),
        ("Permission denied", ReachErrorKind::Authentication),
        ("Could not resolve hostname", ReachErrorKind::Resolve),
        ("Connection refused", ReachErrorKind::Connect),
        ("No route to host", ReachErrorKind::Connect),
        ("Connection timed out", ReachErrorKind::Connect),
        ("Network is unreachable", ReachErrorKind::Connect),
        ("Bad configuration option", ReachErrorKind::Configuration),
    ];
    for (needle, kind) in known {
        if let Some(line) = line(needle) {
            return unsent(kind, line);
        }
    }
    let last = text.lines().map(str::trim).rfind(|line| !line.is_empty());
    lost(last.unwrap_or("ssh ended without a word"))
}
