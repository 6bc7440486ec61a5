//! Certificate verifiers. Each checks that the handshake is signed with the certificate's key.

use std::sync::Arc;

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{WebPkiSupportedAlgorithms, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, DigitallySignedStruct, Error, OtherError, SignatureScheme};
use sha2::{Digest as _, Sha256};

use crate::{CertificateProblem, Endpoint, Fingerprint, PinStore};

/// The certificate on record, or the first one.
#[derive(Debug)]
pub(super) struct Pins {
    pub(super) store: Arc<dyn PinStore>,
    pub(super) port: u16,
    pub(super) algorithms: WebPkiSupportedAlgorithms,
}

impl Pins {
    /// Accepts what is on record once the store has been asked; a first contact is on record
    /// before it is accepted.
    fn check(&self, host: &str, leaf: &CertificateDer<'_>) -> Result<(), CertificateProblem> {
        let store = |reason: String| CertificateProblem::Store { reason };
        let endpoint = Endpoint::new(host, self.port).map_err(|bad| store(bad.to_string()))?;
        let presented = Fingerprint::new(Sha256::digest(leaf).into());
        let failed = |error: crate::PinError| {
            let cause = std::error::Error::source(&error).map(|cause| format!(": {cause}"));
            store(format!("{error}{}", cause.unwrap_or_default()))
        };
        let recorded = match self.store.recorded(&endpoint).map_err(failed)? {
            Some(recorded) => recorded,
            None => self.store.record(&endpoint, &presented).map_err(failed)?,
        };
        if recorded == presented {
            Ok(())
        } else {
            Err(CertificateProblem::Changed { recorded, presented })
        }
    }
}

impl ServerCertVerifier for Pins {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        match self.check(&server_name.to_str(), end_entity) {
            Ok(()) => Ok(ServerCertVerified::assertion()),
            Err(problem) => Err(refusal(problem)),
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, cert, dss, &self.algorithms).map_err(|bad| unsigned(&bad))
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, cert, dss, &self.algorithms).map_err(|bad| unsigned(&bad))
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.algorithms.supported_schemes()
    }
}

/// Any certificate.
#[derive(Debug)]
pub(super) struct TakeAny {
    pub(super) algorithms: WebPkiSupportedAlgorithms,
}

impl ServerCertVerifier for TakeAny {
    fn verify_server_cert(
        &self,
        _end_entity: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, cert, dss, &self.algorithms).map_err(|bad| unsigned(&bad))
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, cert, dss, &self.algorithms).map_err(|bad| unsigned(&bad))
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.algorithms.supported_schemes()
    }
}

/// A certificate that an authority of the bundle vouches for.
#[derive(Debug)]
pub(super) struct Bundle {
    pub(super) inner: Arc<WebPkiServerVerifier>,
}

impl ServerCertVerifier for Bundle {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let verified = self.inner.verify_server_cert(
            end_entity,
            intermediates,
            server_name,
            ocsp_response,
            now,
        );
        verified.map_err(|bad| refusal(CertificateProblem::Untrusted { reason: bad.to_string() }))
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.inner.verify_tls12_signature(message, cert, dss).map_err(|bad| unsigned(&bad))
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.inner.verify_tls13_signature(message, cert, dss).map_err(|bad| unsigned(&bad))
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.inner.supported_verify_schemes()
    }
}

/// Carries the problem through rustls and reqwest; `cause` finds it again.
fn refusal(problem: CertificateProblem) -> Error {
    Error::InvalidCertificate(CertificateError::Other(OtherError(Arc::new(problem))))
}

fn unsigned(bad: &Error) -> Error {
    refusal(CertificateProblem::Signature { reason: bad.to_string() })
}
