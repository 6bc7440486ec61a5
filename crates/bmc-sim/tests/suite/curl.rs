//! curl as a judge: another's HTTP and TLS.

use std::process::Command;

use bmc_sim::{Bmc, Identity, Power};

use crate::client::{Bench, RESET, SYSTEM};

/// What curl prints; `None`, and a word about it, where there is no curl.
fn curl(arguments: &[&str]) -> Option<String> {
    let output = Command::new("curl").args(["-sS", "--max-time", "10"]).args(arguments).output();
    let Ok(output) = output else {
        assert!(std::env::var_os("CI").is_none(), "curl is missing");
        println!("skipped: no curl");
        return None;
    };
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    Some(text)
}

#[test]
fn curl_reads_writes_and_resets() {
    let bench = Bench::new();
    let url = |path: &str| format!("https://{}{path}", bench.running.address());
    let basic = ["-k", "-u", "admin:password"];
    let Some(system) = curl(&[&basic[..], &[&url(SYSTEM)]].concat()) else { return };
    assert!(system.contains("\"PowerState\":\"On\""));
    let boot = r#"{"Boot":{"BootSourceOverrideTarget":"Pxe","BootSourceOverrideEnabled":"Once"}}"#;
    curl(&[&basic[..], &["-f", "-X", "PATCH", "-d", boot, &url(SYSTEM)]].concat());
    assert_eq!(bench.bmc.boot_override().unwrap().target, "Pxe");
    let off = r#"{"ResetType":"ForceOff"}"#;
    let code = curl(&[&basic[..], &["-w", "%{http_code}", "-d", off, &url(RESET)]].concat());
    assert_eq!(code.as_deref(), Some("204"));
    assert_eq!(bench.bmc.power(), Some(Power::Off));
    // Two transfers on one connection, one of them larger than a record.
    let urls = [url(SYSTEM), url("/redfish/v1/")];
    let before = bench.bmc.handshakes();
    curl(&[&basic[..], &["-f", &urls[0], &urls[1]]].concat());
    assert_eq!(bench.bmc.handshakes(), before + 1);
}

#[test]
fn curl_believes_the_certificate_for_the_names_it_was_made_for() {
    let directory = std::env::temp_dir().join(format!("bmc-sim-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let file = directory.join("certificate.pem");
    let signed =
        rcgen::generate_simple_self_signed(["localhost".to_owned(), "127.0.0.1".to_owned()])
            .unwrap();
    std::fs::write(&file, signed.cert.pem()).unwrap();
    let identity = Identity::from_pem(&signed.cert.pem(), &signed.signing_key.serialize_pem());
    let bench = Bench::of(Bmc::builder().identity(identity.unwrap()));
    let url = format!("https://{}/redfish/v1/", bench.running.address());
    let root = curl(&["-f", "--cacert", file.to_str().unwrap(), &url]);
    assert!(root.is_none_or(|root| root.contains("RedfishVersion")));
    std::fs::remove_dir_all(&directory).unwrap();
}
