//! How long this crate and `dhcpd -t` take for the same files, process against process, and what
//! memory this crate takes a byte of source: `cargo run --release --example speed`. Programs that
//! are not installed are left out.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use dhcpd_conf::Document;

#[path = "../benches/speed/configurations.rs"]
mod configurations;

use configurations::{Kind, configuration};

const RUNS: usize = 7;

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
        "{:>10} {:>7} {:>9} {:>9} {:>9} {:>6} {:>13}",
        "kind", "hosts", "bytes", "ours", "dhcpd -t", "ratio", "memory/byte"
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
            let theirs = best(|| {
                let mut dhcpd = Command::new("dhcpd");
                dhcpd.args(["-t", "-cf"]).arg(&file).stdout(Stdio::null()).stderr(Stdio::null());
                dhcpd.status().is_ok_and(|status| status.success())
            });
            let memory = measured(&file)?.saturating_sub(idle);
            #[expect(clippy::cast_precision_loss, reason = "three digits are printed")]
            let memory = memory as f64 / source.len() as f64;
            let (theirs, ratio) = theirs.map_or(("-".to_owned(), "-".to_owned()), |theirs| {
                let ratio = ours.unwrap_or_default().as_secs_f64() / theirs.as_secs_f64();
                (format!("{theirs:.1?}"), format!("{ratio:.2}"))
            });
            writeln!(
                out,
                "{:>10} {count:>7} {:>9} {:>9} {theirs:>9} {ratio:>6} {memory:>13.1}",
                kind.name(),
                source.len(),
                format!("{:.1?}", ours.unwrap_or_default()),
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
    let timed = (0..RUNS).map(|_| {
        let start = Instant::now();
        run().then(|| start.elapsed())
    });
    timed.collect::<Option<Vec<_>>>()?.into_iter().min()
}
