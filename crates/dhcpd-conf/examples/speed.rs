//! How long this crate and `dhcpd -t` take for the same file of 10,000 hosts, process start of
//! dhcpd included: `cargo run --release --example speed`.

use std::fmt::Write as _;
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use dhcpd_conf::Document;

const HOSTS: usize = 10_000;
const RUNS: usize = 7;

fn main() -> std::io::Result<()> {
    let source = configuration();
    let mut out = std::io::stdout().lock();
    writeln!(out, "{HOSTS} hosts, {} bytes, best of {RUNS}", source.len())?;

    let parse = best(|| Document::parse(source.clone()).is_ok());
    writeln!(out, "parse       {parse:>10.1?}")?;
    let views = best(|| {
        let Ok(document) = Document::parse(source.clone()) else { return false };
        document.hosts_with_hardware(&[0xaa, 0xbb, 0xcc, 0, 0, 7]).count() == 1
    });
    writeln!(out, "and index   {views:>10.1?}")?;

    let file = std::env::temp_dir().join(format!("dhcpd-conf-speed-{}.conf", std::process::id()));
    std::fs::write(&file, &source)?;
    let server = best(|| {
        let mut dhcpd = Command::new("dhcpd");
        dhcpd.arg("-t").arg("-cf").arg(&file).stdout(Stdio::null()).stderr(Stdio::null());
        dhcpd.status().is_ok_and(|status| status.success())
    });
    std::fs::remove_file(&file)?;
    writeln!(out, "dhcpd -t    {server:>10.1?}")?;
    writeln!(out, "ratio       {:>10.2}", parse.as_secs_f64() / server.as_secs_f64())
}

/// The shortest of some runs; forever if a run fails.
fn best(mut run: impl FnMut() -> bool) -> Duration {
    let timed = (0..RUNS).map(|_| {
        let start = Instant::now();
        let good = run();
        if good { start.elapsed() } else { Duration::MAX }
    });
    timed.min().unwrap_or(Duration::MAX)
}

fn configuration() -> String {
    let mut text =
        String::from("subnet 10.0.0.0 netmask 255.0.0.0 { option routers 10.0.0.1; }\ngroup {\n");
    for index in 0..HOSTS {
        let (high, low) = (index / 250, index % 250 + 1);
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "  # rack {}, owner hpc\n  host exe{index:05} {{\n    hardware ethernet aa:bb:cc:00:{:02x}:{:02x};\n    \
             fixed-address 10.1.{high}.{low};\n    option host-name \"exe{index:05}\";\n    \
             filename \"/srv/pxesrv/boot/exe/ipxe.net2\";\n    next-server 10.0.0.2;\n    option routers 10.0.0.1;\n  }}\n",
            index / 40,
            index >> 8,
            index & 0xff,
        );
    }
    text.push_str("}\n");
    text
}
