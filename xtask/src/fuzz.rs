//! Fuzz targets: built, replayed on their corpus, and run for a bounded count, on the stable toolchain.

use std::path::Path;

use crate::program::{Failure, cargo, program, root, say, step, target};

/// Runs a target gets unless more are asked for.
const RUNS: &str = "20000";
/// Seconds a target gets at most, unless a number of runs is asked for.
const SECONDS: &str = "15";

/// What `cargo fuzz build --sanitizer none` asks of the compiler: coverage counters alone, which
/// stable rustc can do, so that nobody needs a nightly toolchain or an extra program.
const FLAGS: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
    -Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares \
    --cfg fuzzing -Cdebug-assertions -Ccodegen-units=1";

/// Builds and runs all targets.
pub(crate) fn all(args: &[String]) -> Result<(), Failure> {
    let runs = args.first().map_or(RUNS, String::as_str);
    let folder = root().join("fuzz");
    if !folder.join("Cargo.toml").exists() {
        say("no fuzz targets");
        return Ok(());
    }
    let built = target().join("fuzz");
    let triple = host_triple()?;
    let mut build = cargo();
    build.current_dir(&folder).args(["build", "--release", "--bins", "--target", &triple]);
    build.env("RUSTFLAGS", FLAGS).env("CARGO_TARGET_DIR", &built);
    step("build the fuzz targets", &mut build)?;
    for name in names(&folder)? {
        let corpus = folder.join("corpus").join(&name);
        let work = built.join("corpus").join(&name);
        create(&corpus)?;
        create(&work)?;
        let mut run = program(built.join(&triple).join("release").join(&name));
        run.arg(&work).arg(&corpus);
        run.arg(format!("-runs={runs}"));
        if args.is_empty() {
            run.arg(format!("-max_total_time={SECONDS}"));
        }
        run.args(["-max_len=4096", "-timeout=10", "-rss_limit_mb=2048", "-verbosity=0"]);
        run.arg(format!("-artifact_prefix={}/", built.display()));
        step(&format!("fuzz {name}"), &mut run)?;
    }
    Ok(())
}

fn names(folder: &Path) -> Result<Vec<String>, Failure> {
    let entries = std::fs::read_dir(folder.join("fuzz_targets"))
        .map_err(|error| Failure::new(format!("fuzz_targets: {error}")))?;
    let mut names: Vec<String> = entries
        .flatten()
        .filter_map(|entry| Some(entry.file_name().to_str()?.strip_suffix(".rs")?.to_owned()))
        .collect();
    names.sort();
    Ok(names)
}

fn create(folder: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(folder)
        .map_err(|error| Failure::new(format!("{}: {error}", folder.display())))
}

fn host_triple() -> Result<String, Failure> {
    let text = crate::program::output(program("rustc").arg("-vV"))?;
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| Failure::new("rustc -vV names no host"))
}
