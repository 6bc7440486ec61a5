//! What goes into an `ssh` process and what comes out of it. A helper that `ssh` started may hold
//! its streams open after it; nobody waits for that one.

use std::io::{ErrorKind, Read, Write};
use std::os::fd::AsFd;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::reach::Tap;

/// How long a stream may be silent before somebody looks whether the process is still there.
const SLICE: Duration = Duration::from_millis(100);

/// Whether the process has ended. What it wrote before is in its streams by then.
#[derive(Debug, Default)]
pub(super) struct End(AtomicBool);

impl End {
    pub(super) fn has_come(&self) {
        self.0.store(true, Ordering::Release);
    }

    fn is_there(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }

    /// Waits until the stream is ready; `false` when the process has ended and nothing is left.
    fn ready(&self, stream: &impl AsFd, flags: PollFlags) -> bool {
        loop {
            let ended = self.is_there();
            // A slice is far below what a Timespec can hold.
            let slice = Timespec::try_from(SLICE).ok();
            match poll(&mut [PollFd::new(stream, flags)], slice.as_ref()) {
                Ok(0) if ended => return false,
                Ok(0) | Err(rustix::io::Errno::INTR) => {}
                Ok(_) => return true,
                Err(_) => return false,
            }
        }
    }
}

/// What came over one stream.
#[derive(Debug, Default)]
pub(super) struct Heard {
    pub(super) bytes: Vec<u8>,
    pub(super) cut_off: bool,
}

/// Listens until the stream or the process ends, or more than `limit` bytes came.
pub(super) fn listen(
    stream: Option<impl Read + AsFd>,
    limit: usize,
    tap: Option<&Tap>,
    end: &End,
) -> Heard {
    let mut heard = Heard::default();
    let Some(mut stream) = stream else { return heard };
    let mut buffer = vec![0; 32 * 1024];
    while end.ready(&stream, PollFlags::IN) {
        match stream.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => {
                heard.bytes.extend_from_slice(&buffer[..count]);
                if let Some(tap) = tap {
                    tap.hear(&buffer[..count]);
                }
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => break,
        }
        if heard.bytes.len() > limit {
            heard.bytes.truncate(limit);
            heard.cut_off = true;
            break;
        }
    }
    heard
}

/// Writes everything, unless the process ends or stops reading first: its end says why.
pub(super) fn feed(stream: Option<impl Write + AsFd>, mut bytes: &[u8], end: &End) {
    let Some(mut stream) = stream else { return };
    if rustix::io::ioctl_fionbio(&stream, true).is_err() {
        return;
    }
    while !bytes.is_empty() && end.ready(&stream, PollFlags::OUT) {
        match stream.write(bytes) {
            Ok(count) => bytes = &bytes[count..],
            Err(error)
                if matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::WouldBlock) => {}
            Err(_) => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};
    use std::time::Instant;

    /// Runs a script as `ssh` is run, and says what came and how long it took.
    fn run(script: &str, input: &[u8], limit: usize) -> (Heard, Duration) {
        let begun = Instant::now();
        let mut child = Command::new("sh")
            .args(["-c", script])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (stdin, stdout, end) = (child.stdin.take(), child.stdout.take(), End::default());
        let heard = std::thread::scope(|scope| {
            scope.spawn(|| feed(stdin, input, &end));
            let out = scope.spawn(|| listen(stdout, limit, None, &end));
            child.wait().unwrap();
            end.has_come();
            out.join().unwrap()
        });
        (heard, begun.elapsed())
    }

    #[test]
    fn everything_goes_in_and_everything_comes_out() {
        let input: Vec<u8> = (0..=255).cycle().take(300_000).collect();
        let (heard, _) = run("cat", &input, 1 << 20);
        assert!(heard.bytes == input && !heard.cut_off);
    }

    #[test]
    fn more_than_the_limit_is_cut_off() {
        let (heard, _) = run("yes", b"", 1000);
        assert_eq!((heard.bytes.len(), heard.cut_off), (1000, true));
    }

    #[test]
    fn tr23_nobody_waits_for_a_helper_that_holds_the_streams() {
        // The helper neither reads nor writes, and outlives the process.
        let script = "sleep 5 & echo said; exec true";
        let (heard, took) = run(script, &vec![0; 1 << 20], 1000);
        assert_eq!(heard.bytes, b"said\n");
        assert!(took < Duration::from_secs(4), "{took:?}");
    }
}
