//! A small HTTPS client that believes any certificate and remembers which it saw.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bmc_sim::{Bmc, Builder, Running};
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::ring::default_provider;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{
    ClientConfig, ClientConnection, DigitallySignedStruct, Error, SignatureScheme, StreamOwned,
};
use serde_json::Value;

pub(crate) const USER: &str = "admin";
pub(crate) const PASSWORD: &str = "password";
pub(crate) const SYSTEM: &str = "/redfish/v1/Systems/1";
pub(crate) const RESET: &str = "/redfish/v1/Systems/1/Actions/ComputerSystem.Reset";

/// A BMC that is served, and a client that knows its password.
pub(crate) struct Bench {
    pub(crate) bmc: Bmc,
    pub(crate) running: Running,
}

impl Bench {
    pub(crate) fn new() -> Self {
        Self::of(Bmc::builder())
    }

    pub(crate) fn of(builder: Builder) -> Self {
        let bmc = builder.build().unwrap();
        let running = bmc.serve(listener()).unwrap();
        Self { bmc, running }
    }

    pub(crate) fn client(&self) -> Client {
        Client::new(self.running.address()).with_basic(USER, PASSWORD)
    }
}

pub(crate) fn listener() -> TcpListener {
    TcpListener::bind("127.0.0.1:0").unwrap()
}

#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or(Value::Null)
    }

    /// The first message's id, without registry and version.
    pub(crate) fn message_id(&self) -> String {
        let body = self.json();
        let id = body.pointer("/error/@Message.ExtendedInfo/0/MessageId").cloned();
        let id = id.unwrap_or_default().as_str().unwrap_or_default().to_owned();
        id.rsplit('.').next().unwrap_or_default().to_owned()
    }
}

/// Keeps one connection open as long as the server does.
pub(crate) struct Client {
    address: SocketAddr,
    headers: Vec<(String, String)>,
    stream: Option<StreamOwned<ClientConnection, TcpStream>>,
}

impl Client {
    pub(crate) fn new(address: SocketAddr) -> Self {
        Self { address, headers: Vec::new(), stream: None }
    }

    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.retain(|(known, _)| known != name);
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn with_basic(self, user: &str, password: &str) -> Self {
        let encoded = STANDARD.encode(format!("{user}:{password}"));
        self.with("Authorization", &format!("Basic {encoded}"))
    }

    pub(crate) fn get(&mut self, path: &str) -> Reply {
        self.send("GET", path, "").unwrap()
    }

    pub(crate) fn patch(&mut self, path: &str, body: &Value) -> Reply {
        self.send("PATCH", path, &body.to_string()).unwrap()
    }

    pub(crate) fn post(&mut self, path: &str, body: &Value) -> Reply {
        self.send("POST", path, &body.to_string()).unwrap()
    }

    pub(crate) fn reset(&mut self, kind: &str) -> Reply {
        self.post(RESET, &serde_json::json!({ "ResetType": kind }))
    }

    /// One request; `Err` where no complete reply comes. The connection is kept only after a success.
    pub(crate) fn send(&mut self, method: &str, path: &str, body: &str) -> io::Result<Reply> {
        let lines = self.headers.iter().map(|(name, value)| format!("{name}: {value}\r\n"));
        let lines: String = lines.collect();
        let (address, length) = (self.address, body.len());
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {address}\r\n{lines}Content-Length: {length}\r\n\r\n{body}"
        );
        self.raw(head.as_bytes(), method == "HEAD")
    }

    pub(crate) fn raw(&mut self, bytes: &[u8], head_only: bool) -> io::Result<Reply> {
        let mut stream = match self.stream.take() {
            Some(stream) => stream,
            None => connect(self.address)?,
        };
        stream.write_all(bytes)?;
        stream.flush()?;
        let reply = read_reply(&mut stream, head_only)?;
        if reply.header("Connection") != Some("close") {
            self.stream = Some(stream);
        }
        Ok(reply)
    }

    /// Sends without waiting for a reply, and closes.
    pub(crate) fn write_and_leave(mut self, bytes: &[u8]) {
        let mut stream = self.stream.take().unwrap();
        stream.write_all(bytes).unwrap();
        stream.flush().unwrap();
    }

    /// The certificate the server shows, DER.
    pub(crate) fn certificate(&mut self) -> Vec<u8> {
        self.get("/redfish/v1/");
        let stream = self.stream.as_ref().unwrap();
        stream.conn.peer_certificates().unwrap()[0].to_vec()
    }
}

pub(crate) fn connect(address: SocketAddr) -> io::Result<StreamOwned<ClientConnection, TcpStream>> {
    let config = ClientConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(Credulous))
        .with_no_client_auth();
    let name = ServerName::try_from("localhost").unwrap();
    let connection = ClientConnection::new(Arc::new(config), name).unwrap();
    let stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(Duration::from_secs(10)))?;
    stream.set_nodelay(true)?;
    Ok(StreamOwned::new(connection, stream))
}

fn read_reply(stream: &mut impl Read, head_only: bool) -> io::Result<Reply> {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break end;
        }
        fill(stream, &mut bytes)?;
    };
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let mut body = bytes[end + 4..].to_vec();
    let mut lines = head.split("\r\n");
    let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
    let headers = lines.map(|line| line.split_once(": ").unwrap());
    let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let mut reply = Reply { status, headers, body: Vec::new() };
    let length = reply.header("Content-Length").map_or(0, |length| length.parse().unwrap());
    while !head_only && body.len() < length {
        fill(stream, &mut body)?;
    }
    reply.body = body;
    Ok(reply)
}

fn fill(stream: &mut impl Read, bytes: &mut Vec<u8>) -> io::Result<()> {
    let mut chunk = [0; 4096];
    match stream.read(&mut chunk)? {
        0 => Err(io::ErrorKind::UnexpectedEof.into()),
        read => {
            bytes.extend_from_slice(&chunk[..read]);
            Ok(())
        }
    }
}

#[derive(Debug)]
struct Credulous;

impl ServerCertVerifier for Credulous {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn verify_tls13_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        default_provider().signature_verification_algorithms.supported_schemes()
    }
}
