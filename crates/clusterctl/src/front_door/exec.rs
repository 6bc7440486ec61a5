//! Running a command on nodes, with what standard input holds.

use crate::cli::{ExecArgs, NodeSet};
use crate::exit::Stop;
use crate::ops;
use crate::output::Outcome;
use crate::session::Session;

/// Carries the command out.
pub(super) fn carry_out(
    session: &Session,
    args: ExecArgs,
    nodes: &NodeSet,
) -> Result<Outcome, Stop> {
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
pub(super) fn standard_input(session: &Session) -> Result<Vec<u8>, Stop> {
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
