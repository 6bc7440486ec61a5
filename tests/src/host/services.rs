//! The daemons of a host, all in the foreground, all children of its first process.

use crate::error::{Doing, Error};
use crate::requirements::PATH;
use crate::wire::Service;
use rustix::process::{Pid, Signal, WaitOptions};
use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The daemons a host has and those that run.
#[derive(Debug, Default, Clone)]
pub(super) struct Services {
    known: Vec<Service>,
    /// Process ids by name. Held while a daemon is started, so that its end is not missed.
    running: Arc<Mutex<BTreeMap<String, Pid>>>,
}

/// How long a daemon may take to be ready, and to end.
const PATIENCE: Duration = Duration::from_secs(10);
/// Between two looks.
const PAUSE: Duration = Duration::from_millis(3);

impl Services {
    /// Starts all of them, each once the one before is ready.
    pub(super) fn start(known: &[Service]) -> Result<Services, Error> {
        let services = Services { known: known.to_vec(), ..Services::default() };
        for service in known {
            services.spawn(service)?;
        }
        for service in known {
            wait_until_ready(service)?;
        }
        Ok(services)
    }

    /// Collects every child that ends, orphans included, as process 1 must.
    pub(super) fn collect_in_background(&self) {
        let running = Arc::clone(&self.running);
        std::thread::spawn(move || {
            loop {
                match rustix::process::wait(WaitOptions::empty()) {
                    Ok(Some((pid, _))) => lock(&running).retain(|_, known| *known != pid),
                    // No child at the moment.
                    _ => std::thread::sleep(Duration::from_millis(20)),
                }
            }
        });
    }

    /// Starts one that does not run; running already is well.
    pub(super) fn start_one(&self, name: &str) -> Result<(), Error> {
        let service = self.named(name)?;
        if !lock(&self.running).contains_key(name) {
            self.spawn(service)?;
        }
        wait_until_ready(service)
    }

    /// Ends one and everything it started; not running is well.
    pub(super) fn stop_one(&self, name: &str) -> Result<(), Error> {
        self.named(name)?;
        let Some(pid) = lock(&self.running).get(name).copied() else { return Ok(()) };
        // Its children are in its group, sessions of sshd and the like included.
        let _ = rustix::process::kill_process_group(pid, Signal::KILL);
        let start = Instant::now();
        while lock(&self.running).contains_key(name) {
            if start.elapsed() > PATIENCE {
                return Err(timeout(format!("the end of {name}")));
            }
            std::thread::sleep(PAUSE);
        }
        Ok(())
    }

    fn named(&self, name: &str) -> Result<&Service, Error> {
        let found = self.known.iter().find(|service| service.name == name);
        found.ok_or_else(|| Error::Refused(format!("this host has no service {name}")))
    }

    fn spawn(&self, service: &Service) -> Result<(), Error> {
        let what = || format!("starting {}", service.name);
        let Some((program, arguments)) = service.command.split_first() else {
            return Err(Error::Refused(format!("service {} has no command", service.name)));
        };
        if let Some(path) = &service.ready_path {
            let _ = std::fs::remove_file(path);
        }
        let log = std::fs::File::create(format!("/var/log/{}.out", service.name)).doing(what)?;
        let mut running = lock(&self.running);
        let child = Command::new(program)
            .args(arguments)
            .env_clear()
            .env("PATH", PATH)
            .stdin(Stdio::null())
            .stdout(log.try_clone().doing(what)?)
            .stderr(log)
            .process_group(0)
            .spawn()
            .doing(what)?;
        running.insert(service.name.clone(), Pid::from_child(&child));
        Ok(())
    }
}

fn wait_until_ready(service: &Service) -> Result<(), Error> {
    let start = Instant::now();
    let ready = || {
        service.ready_path.as_ref().is_none_or(|path| path.exists())
            && service.ready_port.is_none_or(|port| {
                TcpStream::connect(SocketAddr::from((Ipv4Addr::LOCALHOST, port))).is_ok()
            })
    };
    while !ready() {
        if start.elapsed() > PATIENCE {
            return Err(timeout(format!("the start of {}", service.name)));
        }
        std::thread::sleep(PAUSE);
    }
    Ok(())
}

fn timeout(waiting: String) -> Error {
    Error::Timeout { waiting, seconds: PATIENCE.as_secs() }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
