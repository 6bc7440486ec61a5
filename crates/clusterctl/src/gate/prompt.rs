//! The question, and how an answer is read: the only place that reads from the person.

use std::io::{self, IsTerminal as _, Write};
use std::os::fd::AsFd as _;

use zeroize::Zeroizing;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::interrupt::Interrupt;

/// Somebody who can be asked.
pub trait Person: Send + Sync {
    /// Whether there is anybody at a terminal.
    fn is_present(&self) -> bool;
    /// Shows a text.
    fn tell(&self, text: &str);
    /// Asks for one line; `None` when there is no answer: end of input, or an interrupt.
    fn ask(&self, question: &str) -> Option<String>;
    /// As [`Person::ask`], for an answer that is not shown.
    fn ask_hidden(&self, question: &str) -> Option<Zeroizing<String>>;
}

/// The person at the terminal of this process: asked on standard error, answering on standard
/// input.
#[derive(Debug)]
pub struct Terminal {
    interrupt: Interrupt,
}

impl Terminal {
    /// The terminal; an interrupt ends a question.
    pub fn new(interrupt: Interrupt) -> Terminal {
        Terminal { interrupt }
    }

    /// Reads a line without blocking for longer than a moment, so that Ctrl-C is noticed.
    fn read_line(&self) -> Option<String> {
        const MOMENT: Timespec = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };
        let stdin = io::stdin();
        let mut line = Vec::new();
        loop {
            if self.interrupt.is_raised() {
                return None;
            }
            let fd = stdin.as_fd();
            let mut waiting = [PollFd::new(&fd, PollFlags::IN)];
            match poll(&mut waiting, Some(&MOMENT)) {
                Ok(0) | Err(rustix::io::Errno::INTR) => continue,
                Ok(_) => {}
                Err(_) => return None,
            }
            // One byte at a time: what follows the line belongs to whoever reads next.
            let mut byte = [0u8];
            match rustix::io::read(fd, &mut byte) {
                Ok(0) => return None,
                Ok(_) if byte[0] == b'\n' => break,
                Ok(_) => line.push(byte[0]),
                Err(rustix::io::Errno::INTR) => {}
                Err(_) => return None,
            }
        }
        Some(String::from_utf8_lossy(&line).into_owned())
    }
}

impl Person for Terminal {
    fn is_present(&self) -> bool {
        io::stdin().is_terminal()
    }

    fn tell(&self, text: &str) {
        // A closed standard error leaves nobody to tell.
        let _ = io::stderr().lock().write_all(text.as_bytes());
    }

    fn ask(&self, question: &str) -> Option<String> {
        self.tell(question);
        let line = self.read_line();
        if line.is_none() {
            // The cursor stands behind the question.
            self.tell("\n");
        }
        line
    }

    fn ask_hidden(&self, question: &str) -> Option<Zeroizing<String>> {
        use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};
        let stdin = io::stdin();
        let shown = tcgetattr(&stdin).ok()?;
        let mut hidden = shown.clone();
        hidden.local_modes.remove(LocalModes::ECHO);
        tcsetattr(&stdin, OptionalActions::Flush, &hidden).ok()?;
        let answer = self.ask(question);
        // Whatever happened, the terminal echoes again.
        let _ = tcsetattr(&stdin, OptionalActions::Flush, &shown);
        if answer.is_some() {
            self.tell("\n");
        }
        answer.map(Zeroizing::new)
    }
}
