//! The project's client on Redfish services that others wrote: sushy-tools' emulator and badfish's.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use redfish::https::{Client, Trust};
use redfish::{
    Account, Bmc, BootRequest, BootSource, Password, PowerAction, PowerState, Profile, ReadBack,
};

use crate::python::python;

/// A service in a process of its own; it ends with this.
struct Emulator {
    child: Child,
    port: u16,
    _folder: tempfile::TempDir,
}

impl Emulator {
    /// Started by `command`, which is told the folder and the port; waited for.
    fn start(command: impl FnOnce(&Path, u16) -> Command) -> Self {
        let folder = tempfile::tempdir().unwrap();
        // Free a moment ago: nobody else is told this number.
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut command = command(folder.path(), port);
        command.current_dir(folder.path()).env("HOME", folder.path());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let started = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(child.try_wait().unwrap().is_none(), "it ended");
            assert!(started.elapsed() < Duration::from_mins(1), "it does not listen");
            std::thread::sleep(Duration::from_millis(50));
        }
        Self { child, port, _folder: folder }
    }

    fn client(&self, user: &str, password: &str) -> Bmc<Client> {
        let account = Account::new(user, Password::new(password.to_owned())).unwrap();
        let endpoint = format!("127.0.0.1:{}", self.port).parse().unwrap();
        Bmc::new(endpoint, account, Client::new(Trust::Insecure).unwrap())
    }
}

impl Drop for Emulator {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn the_emulator_of_sushy_is_switched_and_booted_once() {
    if python("sushy_tools").is_none() {
        return;
    }
    let emulator = Emulator::start(|folder, port| {
        let signed = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        fs::write(folder.join("cert.pem"), signed.cert.pem()).unwrap();
        fs::write(folder.join("key.pem"), signed.signing_key.serialize_pem()).unwrap();
        let at = folder.display();
        let settings = format!(
            "SUSHY_EMULATOR_LISTEN_IP = '127.0.0.1'
SUSHY_EMULATOR_LISTEN_PORT = {port}
SUSHY_EMULATOR_SSL_CERT = '{at}/cert.pem'
SUSHY_EMULATOR_SSL_KEY = '{at}/key.pem'
SUSHY_EMULATOR_FAKE_DRIVER = True
SUSHY_EMULATOR_STATE_DIR = '{at}'
SUSHY_EMULATOR_FAKE_SYSTEMS = [
    {{'uuid': '00000000-0000-0000-0000-00000000000' + str(i), 'name': 'node' + str(i),
      'power_state': 'Off', 'nics': []}} for i in (1, 2)]
"
        );
        fs::write(folder.join("emulator.conf"), settings).unwrap();
        let mut python = python("sushy_tools").unwrap();
        let script = "from sushy_tools.emulator.main import main; main()";
        python.args(["-c", script, "--config"]).arg(folder.join("emulator.conf"));
        python
    });
    let id = "00000000-0000-0000-0000-000000000001";
    let profile = Profile { system: Some(id.to_owned()), ..Profile::default() };
    let bmc = emulator.client("admin", "password").with_profile(profile);
    assert_eq!(bmc.power_state().unwrap(), PowerState::Off);
    let written = bmc.set_boot_override(&BootRequest::once(BootSource::PXE)).unwrap();
    // It always says so.
    assert!(matches!(written.read_back, ReadBack::SetReadsBackContinuous(_)), "{written:?}");
    let _sent = bmc.power(PowerAction::On).unwrap();
    // Up to eleven seconds, by its dice.
    let state = bmc.wait_for(&PowerState::On, Duration::from_secs(30)).unwrap();
    assert_eq!(state, PowerState::On);
}

#[test]
fn the_emulator_of_badfish_is_switched_and_booted_once() {
    if python("badfish").is_none() {
        return;
    }
    let emulator = Emulator::start(|folder, port| {
        let mut python = python("badfish").unwrap();
        let script = "from badfish.main import main; import sys; sys.exit(main())";
        python.args(["-c", script, "--redfish-emulator", "--bind", "127.0.0.1"]);
        python.args(["--port", &port.to_string()]);
        python.env("BADFISH_EMULATOR_USER", "root").env("BADFISH_EMULATOR_PASSWORD", "calvin");
        python.env("BADFISH_EMULATOR_USERS", folder.join("users.json"));
        python.env("XDG_CACHE_HOME", folder);
        python
    });
    let bmc = emulator.client("root", "calvin");
    let before = bmc.power_state().unwrap();
    let written = bmc.set_boot_override(&BootRequest::once(BootSource::PXE)).unwrap();
    assert!(written.read_back.is_set(), "{written:?}");
    let _sent = bmc.power(PowerAction::Off).unwrap();
    assert_eq!(bmc.wait_for(&PowerState::Off, Duration::from_secs(20)).unwrap(), PowerState::Off);
    let _sent = bmc.power(PowerAction::On).unwrap();
    assert_eq!(bmc.wait_for(&PowerState::On, Duration::from_secs(20)).unwrap(), PowerState::On);
    assert!(matches!(before, PowerState::On | PowerState::Off));
    let refused = emulator.client("root", "wrong").power_state().unwrap_err();
    assert!(refused.is_unauthorized(), "{refused:?}");
}
