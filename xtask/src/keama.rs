//! keama, ISC's translator of dhcpd.conf: no package has it, but the source of one has.
//!
//! apt fetches that source from where the machine's packages come from, in directories of its own:
//! the machine's sources and lists stay as they are.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::program::{Failure, output, program, say, step, target};

/// The source package, and one of its binary packages, which tells where it comes from.
const SOURCE: &str = "isc-dhcp";
const BINARY: &str = "isc-dhcp-server";

/// Where the program is put.
fn keama() -> PathBuf {
    target().join("tools").join("keama")
}

/// Builds it where it is missing. Without it its tests say that they skip.
pub(crate) fn build() {
    if keama().exists() {
        return;
    }
    let folder = target().join("tools").join("keama-source");
    let built = fetch_and_compile(&folder);
    if let Err(failure) = built {
        say(&format!("keama cannot be built, its tests will be skipped: {failure}"));
    }
    // The source is large and has served; what is left of it is replaced the next time.
    let _ = fs::remove_dir_all(&folder);
}

fn fetch_and_compile(folder: &Path) -> Result<(), Failure> {
    let apt = PrivateApt::new(folder)?;
    step("apt-get update (sources)", apt.command().arg("update").stdout(Stdio::null()))?;
    let mut fetch = apt.command();
    fetch.args(["source", "--download-only", "--tar-only", SOURCE]).current_dir(folder);
    step("apt-get source", fetch.stdout(Stdio::null()))?;
    let archive = only(folder, |name| name.contains(".orig.tar."))?;
    let source = folder.join("source");
    make_directory(&source)?;
    let mut tar = program("tar");
    tar.arg("-xf")
        .arg(&archive)
        .args(["--no-same-owner", "--strip-components=1", "-C"])
        .arg(&source);
    step("tar", &mut tar)?;
    step("gcc keama", &mut compiler(&source.join("keama"))?)
}

/// Its own build wants all of dhcpd configured; its sources do not.
fn compiler(source: &Path) -> Result<Command, Failure> {
    let mut gcc = program("gcc");
    gcc.current_dir(source).args(["-O1", "-w", "-I.", "-I../includes", "-D_GNU_SOURCE"]);
    gcc.args(["-DPACKAGE_VERSION=\"debian\"", "-o"]).arg(keama());
    gcc.args(entries(source)?.into_iter().filter(|path| path.extension() == Some("c".as_ref())));
    Ok(gcc)
}

/// apt with the machine's own sources turned into sources of source packages.
struct PrivateApt(PathBuf);

impl PrivateApt {
    fn new(folder: &Path) -> Result<PrivateApt, Failure> {
        let apt = PrivateApt(folder.join("apt"));
        for name in ["sources", "lists/partial", "cache/archives/partial"] {
            make_directory(&apt.0.join(name))?;
        }
        let origins = origins()?;
        let mut files = vec![PathBuf::from("/etc/apt/sources.list")];
        files.extend(entries(Path::new("/etc/apt/sources.list.d")).unwrap_or_default());
        for file in files {
            let (Ok(text), Some(name)) = (fs::read_to_string(&file), file.file_name()) else {
                continue;
            };
            // Others have no such source, and some have no sources at all.
            if origins.iter().any(|origin| text.contains(origin)) {
                write(&apt.0.join("sources").join(name), &of_sources(&text))?;
            }
        }
        Ok(apt)
    }

    fn command(&self) -> Command {
        let mut apt = program("apt-get");
        apt.args(["-q", "-o", "Dir::Etc::SourceList=/dev/null"]);
        // Its own user of downloads may not write here.
        apt.args(["-o", "APT::Sandbox::User=root"]);
        for (option, name) in
            [("Etc::SourceParts", "sources"), ("State::Lists", "lists"), ("Cache", "cache")]
        {
            apt.arg("-o").arg(format!("Dir::{option}={}", self.0.join(name).display()));
        }
        apt
    }
}

/// Where the binary package can be had: `NAME | VERSION | URI SUITE …` a line.
fn origins() -> Result<Vec<String>, Failure> {
    let madison = output(program("apt-cache").args(["madison", BINARY]))?;
    let origin = |line: &str| line.split('|').nth(2)?.split_whitespace().next().map(str::to_owned);
    let origins: Vec<String> = madison.lines().filter_map(origin).collect();
    if origins.is_empty() {
        return Err(Failure::new(format!("apt knows no {BINARY}")));
    }
    Ok(origins)
}

/// A file of sources.list(5), of lines or of fields, for source packages.
fn of_sources(text: &str) -> String {
    let line = |line: &str| match line.strip_prefix("deb ") {
        Some(rest) => format!("deb-src {rest}\n"),
        None if line.starts_with("Types:") => "Types: deb-src\n".to_owned(),
        None => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

fn only(folder: &Path, wanted: impl Fn(&str) -> bool) -> Result<PathBuf, Failure> {
    let named = |path: &PathBuf| path.file_name().and_then(|it| it.to_str()).is_some_and(&wanted);
    let found = entries(folder)?.into_iter().find(named);
    found.ok_or_else(|| Failure::new(format!("{}: apt fetched no source", folder.display())))
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = fs::read_dir(folder).map_err(|error| failure(folder, &error))?;
    Ok(entries.flatten().map(|entry| entry.path()).collect())
}

fn make_directory(path: &Path) -> Result<(), Failure> {
    fs::create_dir_all(path).map_err(|error| failure(path, &error))
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    fs::write(path, text).map_err(|error| failure(path, &error))
}

fn failure(path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::of_sources;

    #[test]
    fn both_forms_of_sources_become_sources_of_source_packages() {
        assert_eq!(
            of_sources(
                "# deb\ndeb [signed-by=/k.gpg] http://h/debian s main\ndeb-src http://h s main\n"
            ),
            "# deb\ndeb-src [signed-by=/k.gpg] http://h/debian s main\ndeb-src http://h s main\n"
        );
        assert_eq!(
            of_sources("Types: deb\nURIs: http://h/debian\nSuites: s\n"),
            "Types: deb-src\nURIs: http://h/debian\nSuites: s\n"
        );
    }
}
