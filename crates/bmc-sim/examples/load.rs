//! The least a client can do: a TLS connection and one GET for each of many BMCs, so many at a time.
//!
//! `load FIRST-ADDRESS:PORT COUNT WIDTH PATH [SECONDS]`: addresses count up from the first, user `admin`,
//! password `password`. Prints how many answered 200; who does not answer in time is left.

#![allow(clippy::print_stdout, reason = "it is a program")]

use std::error::Error;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddrV4, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, ClientConnection, DigitallySignedStruct, SignatureScheme, StreamOwned};

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [first, count, width, path, rest @ ..] = &words[..] else {
        return Err("usage: load FIRST-ADDRESS:PORT COUNT WIDTH PATH [SECONDS]".into());
    };
    let (first, count): (SocketAddrV4, u32) = (first.parse()?, count.parse()?);
    let width: u32 = width.parse()?;
    let patience = Duration::from_secs(rest.first().map_or(Ok(10), |text| text.parse())?);
    let provider = Arc::new(ring::default_provider());
    let config = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(AnyCertificate(provider)))
        .with_no_client_auth();
    let config = Arc::new(config);
    let (next, answered) = (AtomicU32::new(0), AtomicU32::new(0));
    std::thread::scope(|scope| {
        for _ in 0..width {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= count {
                        return;
                    }
                    let ip = (first.ip().to_bits() + index).into();
                    let address = SocketAddrV4::new(ip, first.port());
                    if ask(&config, address, path, patience).is_ok_and(|status| status == 200) {
                        answered.fetch_add(1, Ordering::Relaxed);
                    }
                }
            });
        }
    });
    println!("{}", answered.into_inner());
    Ok(())
}

/// The status of one GET.
fn ask(
    config: &Arc<ClientConfig>,
    address: SocketAddrV4,
    path: &str,
    patience: Duration,
) -> Result<u16, Box<dyn Error>> {
    let stream = TcpStream::connect_timeout(&address.into(), patience)?;
    stream.set_read_timeout(Some(patience))?;
    stream.set_nodelay(true)?;
    let name = ServerName::IpAddress(std::net::IpAddr::V4(*address.ip()).into());
    let mut tls = StreamOwned::new(ClientConnection::new(Arc::clone(config), name)?, stream);
    let basic = STANDARD.encode("admin:password");
    let request = format!(
        "GET {path} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Basic {basic}\r\nConnection: close\r\n\r\n"
    );
    tls.write_all(request.as_bytes())?;
    let mut answer = Vec::new();
    tls.read_to_end(&mut answer)?;
    let head = String::from_utf8_lossy(&answer);
    Ok(head.split(' ').nth(1).ok_or("no status")?.parse()?)
}

/// Takes any certificate, and checks that its owner speaks.
#[derive(Debug)]
struct AnyCertificate(Arc<CryptoProvider>);

impl ServerCertVerifier for AnyCertificate {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let known = &self.0.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signed, known)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let known = &self.0.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signed, known)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}
