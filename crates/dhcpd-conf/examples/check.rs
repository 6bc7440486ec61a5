//! Reads dhcpd.conf files with all they include and prints every syntax error and
//! finding, as `dhcpd -t` does but without running anything: `check FILE…`. Relative includes count from the working directory.

use std::io::Write;
use std::process::ExitCode;

use dhcpd_conf::Loader;

fn main() -> std::io::Result<ExitCode> {
    let mut out = std::io::stdout().lock();
    let mut status = ExitCode::SUCCESS;
    for file in std::env::args().skip(1) {
        let loader = Loader::new().relative_to(std::env::current_dir()?);
        match loader.load(&file, |path| std::fs::read(path)) {
            Ok(set) => {
                writeln!(out, "{file}: {} hosts", set.hosts().len())?;
                for finding in set.lint() {
                    status = ExitCode::FAILURE;
                    writeln!(out, "{finding}")?;
                }
            }
            Err(errors) => {
                status = ExitCode::FAILURE;
                for error in &errors {
                    writeln!(out, "{}", error.report())?;
                }
            }
        }
    }
    Ok(status)
}
