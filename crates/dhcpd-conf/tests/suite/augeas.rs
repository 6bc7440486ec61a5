//! A peer: Augeas with its lens for dhcpd.conf, where it is installed.

use std::io::Write as _;
use std::process::Stdio;

use crate::desk::Desk;
use crate::judge::Verdict;

/// Whether Augeas reads the configuration on `desk`. It follows no include.
pub(crate) fn verdict(desk: &Desk) -> Verdict {
    let script = "set /augeas/load/Dhcpd/lens Dhcpd.lns\n\
                  set /augeas/load/Dhcpd/incl /dhcpd.conf\n\
                  load\n\
                  match /augeas/files/dhcpd.conf/error\n\
                  match /augeas/files/dhcpd.conf/lens\n";
    let mut augtool = desk.command("augtool");
    augtool.args(["--noload", "--noautoload", "--root"]).arg(desk.path());
    augtool.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = augtool.spawn().unwrap();
    child.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    match output.status.code() {
        None => Verdict::Crashed,
        Some(_) if said.contains("/augeas/files/dhcpd.conf/error = ") => Verdict::Refused,
        Some(_) => {
            assert!(said.contains("/augeas/files/dhcpd.conf/lens = "), "augtool says {said:?}");
            Verdict::Accepted
        }
    }
}

/// Whether it is there. In CI it has to be.
pub(crate) fn is_present(test: &str) -> bool {
    crate::judge::is_installed("augtool", test)
}
