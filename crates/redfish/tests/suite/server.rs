//! BMCs on real TLS: a plain server, and the simulator.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{IpAddr, Ipv4Addr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use redfish::https::{Client, Resolver, Trust};
use redfish::{Bmc, Endpoint};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};

use crate::site::account;

/// What a TLS server saw.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    pub(crate) connections: AtomicUsize,
    requests: Mutex<Vec<String>>,
    stop: AtomicBool,
    /// Sent in place of every answer, where there is one; then the connection ends.
    pub(crate) instead: Mutex<Option<Vec<u8>>>,
}

impl Seen {
    pub(crate) fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }
}

/// A server on a port of this machine that answers every request with a system.
pub(crate) struct Server {
    pub(crate) port: u16,
    address: std::net::SocketAddr,
    pub(crate) seen: Arc<Seen>,
    pub(crate) certificate: String,
}

impl Server {
    pub(crate) fn start(names: &[&str]) -> Self {
        Self::start_on(TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap(), names)
    }

    pub(crate) fn start_on(listener: TcpListener, names: &[&str]) -> Self {
        let names: Vec<_> = names.iter().map(ToString::to_string).collect();
        let key = rcgen::generate_simple_self_signed(names).unwrap();
        let certificate = key.cert.pem();
        let chain = vec![CertificateDer::from_pem_slice(certificate.as_bytes()).unwrap()];
        let private =
            PrivateKeyDer::from_pem_slice(key.signing_key.serialize_pem().as_bytes()).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = rustls::ServerConfig::builder_with_provider(provider)
            .with_protocol_versions(&[&rustls::version::TLS12])
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(chain, private)
            .unwrap();
        let (config, seen) = (Arc::new(config), Arc::new(Seen::default()));
        let (port, address) =
            (listener.local_addr().unwrap().port(), listener.local_addr().unwrap());
        let watch = Arc::clone(&seen);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if watch.stop.load(Ordering::SeqCst) {
                    return;
                }
                let (config, watch) = (Arc::clone(&config), Arc::clone(&watch));
                std::thread::spawn(move || serve(stream, config, &watch));
            }
        });
        Self { port, address, seen, certificate }
    }

    pub(crate) fn endpoint(&self) -> Endpoint {
        Endpoint::new("bmc.example.org", self.port).unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.seen.stop.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(self.address);
    }
}

fn serve(stream: TcpStream, config: Arc<rustls::ServerConfig>, seen: &Seen) {
    seen.connections.fetch_add(1, Ordering::SeqCst);
    let connection = rustls::ServerConnection::new(config).unwrap();
    let mut stream = BufReader::new(rustls::StreamOwned::new(connection, stream));
    loop {
        let (mut head, mut length) = (String::new(), 0);
        loop {
            let mut line = String::new();
            match stream.read_line(&mut line) {
                Ok(0) | Err(_) => return,
                Ok(_) if line.trim().is_empty() => break,
                Ok(_) => {}
            }
            if let Some(digits) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = digits.trim().parse().unwrap();
            }
            head.push_str(&line);
        }
        stream.read_exact(&mut vec![0; length]).unwrap();
        seen.requests.lock().unwrap().push(head.clone());
        let instead = seen.instead.lock().unwrap().clone();
        if let Some(bytes) = instead {
            let _ = stream.get_mut().write_all(&bytes);
            stream.get_mut().conn.send_close_notify();
            let _ = stream.get_mut().flush();
            return;
        }
        let body = r##"{"@odata.id": "/redfish/v1/Systems/1", "PowerState": "On", "Actions": {"#ComputerSystem.Reset": {"target": "/redfish/v1/Systems/1/Actions/ComputerSystem.Reset"}}}"##;
        let answer = if head.contains("/silent") {
            std::thread::sleep(Duration::from_secs(5));
            String::new()
        } else if head.starts_with("POST") {
            // The connection ends in place of an answer.
            return;
        } else {
            format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{body}", body.len())
        };
        if stream.get_mut().write_all(answer.as_bytes()).is_err() {
            return;
        }
    }
}

/// Every name is this machine.
#[derive(Debug)]
pub(crate) struct Loopback;

impl Resolver for Loopback {
    fn resolve(&self, _host: &str) -> std::io::Result<Vec<IpAddr>> {
        Ok(vec![Ipv4Addr::LOCALHOST.into()])
    }
}

pub(crate) fn bmc(endpoint: Endpoint, trust: Trust) -> Bmc<Client> {
    let client = Client::builder(trust).resolver(Arc::new(Loopback)).build().unwrap();
    Bmc::new(endpoint, account(), client)
}

/// The simulated BMC, served.
pub(crate) struct Simulated {
    pub(crate) bmc: bmc_sim::Bmc,
    pub(crate) running: bmc_sim::Running,
}

impl Simulated {
    /// Of these resources, by the rules their vendor is known for.
    pub(crate) fn of(tree: bmc_sim::Tree) -> Self {
        let builder = bmc_sim::Bmc::builder().tree(tree);
        let bmc = builder.credentials("admin", "secret").build().unwrap();
        let running = bmc.serve(TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap()).unwrap();
        Self { bmc, running }
    }

    /// A client of it.
    pub(crate) fn client(&self) -> Bmc<Client> {
        let endpoint = Endpoint::new("bmc.example.org", self.running.address().port()).unwrap();
        bmc(endpoint, Trust::Insecure)
    }
}
