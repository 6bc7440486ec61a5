//! The part of iPXE's script language that boot scripts here use (<https://ipxe.org/scripting>).

/// How a script ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// `boot` with a kernel chosen before: the installer runs.
    Boot,
    /// `exit`, or the end of the script: on to the next boot device.
    Exit,
}

/// What a script does, or why iPXE would stop in it.
pub(super) fn run(script: &str) -> Result<Ending, String> {
    let mut lines = script.lines();
    if lines.next().map(str::trim_end) != Some("#!ipxe") {
        return Err("it does not begin with #!ipxe".to_owned());
    }
    let mut kernel = false;
    for line in lines {
        let mut words = line.split_whitespace();
        match words.next() {
            None | Some("echo" | "initrd" | "dhcp" | "set" | "sleep") => {}
            Some("kernel") => kernel = words.next().is_some(),
            Some("boot") if kernel => return Ok(Ending::Boot),
            Some("boot") => return Err("boot without a kernel".to_owned()),
            Some("exit") => return Ok(Ending::Exit),
            Some(comment) if comment.starts_with('#') => {}
            Some(other) => return Err(format!("{other}: command not found")),
        }
    }
    Ok(Ending::Exit)
}

/// Replaces `${next-server}`, the one setting that scripts here use.
pub(super) fn expand(script: &str, next_server: &str) -> String {
    script.replace("${next-server}", next_server)
}

/// The files the script loads, in order.
pub(super) fn files(script: &str) -> Vec<String> {
    let mut files = Vec::new();
    for line in script.lines() {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("kernel" | "initrd") => files.extend(words.next().map(str::to_owned)),
            Some("exit" | "boot") => break,
            _ => {}
        }
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_with_a_kernel_installs_and_exit_goes_on_to_the_disk() {
        assert_eq!(
            run("#!ipxe\nkernel http://x/vmlinuz a=b\ninitrd http://x/i\nboot\n"),
            Ok(Ending::Boot)
        );
        assert_eq!(run("#!ipxe\necho disk\nexit\nkernel x\nboot\n"), Ok(Ending::Exit));
    }

    #[test]
    fn what_ipxe_would_not_run_stops_the_boot() {
        assert!(run("kernel x\nboot\n").is_err());
        assert!(run("#!ipxe\nboot\n").is_err());
        assert!(run("#!ipxe\nfrobnicate\n").is_err());
    }
}
