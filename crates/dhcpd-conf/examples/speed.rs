//! How long this crate, `dhcpd -t`, keama and Augeas take for the same files, process against
//! process, and what memory this crate takes a byte of source:
//! `cargo run --release -p dhcpd-conf --example speed`.
//!
//! Each of the others is told by its time as a multiple of ours. Programs that are not installed
//! are left out; keama, which no distribution packages, is also found by the variable `KEAMA`.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use dhcpd_conf::Document;

#[path = "../benches/speed/configurations.rs"]
mod configurations;

use configurations::{Kind, configuration};

/// Runs of which the shortest counts, as long as they take less than [`ENOUGH`] together.
const RUNS: usize = 7;
const ENOUGH: Duration = Duration::from_secs(4);

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    let mut arguments = std::env::args_os().skip(1);
    if let Some(file) = arguments.next() {
        // The measured process: lossless tree and typed view; prints its peak of memory.
        let document = Document::parse(std::fs::read(file)?).map_err(std::io::Error::other)?;
        let found = document.hosts_named("n7").count();
        return writeln!(out, "{found} {}", peak_memory()?);
    }
    writeln!(
        out,
        "{:>10} {:>7} {:>9} {:>9} {:>8} {:>8} {:>8} {:>11}",
        "kind", "hosts", "bytes", "ours", "dhcpd -t", "keama", "augeas", "memory/byte"
    )?;
    let folder = std::env::temp_dir().join(format!("dhcpd-conf-speed-{}", std::process::id()));
    std::fs::create_dir(&folder)?;
    let file = folder.join("dhcpd.conf");
    std::fs::write(&file, "")?;
    let idle = measured(&file)?;
    for kind in Kind::ALL {
        for count in [1_000, 10_000, 100_000] {
            let source = configuration(kind, count);
            std::fs::write(&file, &source)?;
            let ours = best(|| this(&file).output().is_ok_and(|it| it.status.success()));
            let ours = ours.ok_or_else(|| std::io::Error::other("this crate refuses the file"))?;
            let peers = [dhcpd as fn(&Path) -> bool, keama, augeas].map(|peer| {
                let ratio =
                    best(|| peer(&file)).map(|time| time.as_secs_f64() / ours.as_secs_f64());
                ratio.map_or("-".to_owned(), |ratio| format!("{ratio:.1}"))
            });
            let memory = measured(&file)?.saturating_sub(idle);
            #[expect(clippy::cast_precision_loss, reason = "three digits are printed")]
            let memory = memory as f64 / source.len() as f64;
            let [dhcpd, keama, augeas] = peers;
            writeln!(
                out,
                "{:>10} {count:>7} {:>9} {:>9} {dhcpd:>8} {keama:>8} {augeas:>8} {memory:>11.1}",
                kind.name(),
                source.len(),
                format!("{ours:.1?}"),
            )?;
        }
    }
    std::fs::remove_dir_all(&folder)
}

/// This program as the process that reads `file`.
fn this(file: &Path) -> Command {
    let mut this = Command::new(std::env::current_exe().unwrap_or_default());
    this.arg(file);
    this
}

/// Whether the server takes `file`.
fn dhcpd(file: &Path) -> bool {
    let mut dhcpd = Command::new("dhcpd");
    dhcpd.args(["-t", "-cf"]).arg(file).stdout(Stdio::null()).stderr(Stdio::null());
    dhcpd.status().is_ok_and(|status| status.success())
}

/// Whether ISC's converter reads `file`. It exits with the number of things Kea has not, and with
/// 255 for a syntax error.
fn keama(file: &Path) -> bool {
    let mut keama = Command::new(std::env::var_os("KEAMA").unwrap_or_else(|| "keama".into()));
    keama.args(["-4", "-N", "-i"]).arg(file).args(["-o", "/dev/null"]);
    let status = keama.stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.code().is_some_and(|code| code != 255))
}

/// Whether the lens of Augeas reads `file`: `augtool` tells errors and exits with 0.
fn augeas(file: &Path) -> bool {
    let commands = format!(
        "set /augeas/load/Dhcpd/lens Dhcpd.lns\nset /augeas/load/Dhcpd/incl {}\nload\nprint /augeas//error\n",
        file.display()
    );
    let run = || -> std::io::Result<Output> {
        let mut augtool = Command::new("augtool");
        augtool.args(["--noload", "--noautoload"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut augtool = augtool.stderr(Stdio::null()).spawn()?;
        if let Some(mut stdin) = augtool.stdin.take() {
            stdin.write_all(commands.as_bytes())?;
        }
        augtool.wait_with_output()
    };
    run().is_ok_and(|output| output.status.success() && output.stdout.is_empty())
}

/// The peak of memory of a process that reads `file`, in bytes.
fn measured(file: &Path) -> std::io::Result<usize> {
    let text = String::from_utf8_lossy(&this(file).output()?.stdout).into_owned();
    Ok(text.split_whitespace().nth(1).and_then(|bytes| bytes.parse().ok()).unwrap_or(0))
}

/// What Linux calls the high-water mark of the resident set, in bytes.
fn peak_memory() -> std::io::Result<usize> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes = line.and_then(|line| line.split_whitespace().next()?.parse::<usize>().ok());
    Ok(kibibytes.unwrap_or(0) * 1024)
}

/// The shortest of some runs; none if a run fails.
fn best(mut run: impl FnMut() -> bool) -> Option<Duration> {
    let begin = Instant::now();
    let mut shortest: Option<Duration> = None;
    for _ in 0..RUNS {
        let start = Instant::now();
        if !run() {
            return None;
        }
        let time = start.elapsed();
        shortest = Some(shortest.map_or(time, |shortest| shortest.min(time)));
        if begin.elapsed() > ENOUGH {
            break;
        }
    }
    shortest
}
