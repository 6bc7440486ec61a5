//! The certificate a BMC shows.

use std::fmt;
use std::sync::Arc;

use rustls::ServerConfig;
use rustls::crypto::ring::default_provider;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::NoServerSessionStorage;
use sha2::{Digest as _, Sha256};

use crate::Error;

/// A certificate chain and its key.
#[derive(Clone)]
pub struct Identity {
    config: Arc<ServerConfig>,
    leaf: CertificateDer<'static>,
}

impl Identity {
    /// A fresh self-signed certificate with a P-256 key, for these DNS names or IP addresses.
    pub fn generate<N: Into<String>>(names: impl IntoIterator<Item = N>) -> Result<Self, Error> {
        let names: Vec<String> = names.into_iter().map(Into::into).collect();
        let signed = rcgen::generate_simple_self_signed(names)
            .map_err(|error| Error::Certificate(error.to_string()))?;
        let key = PrivateKeyDer::try_from(signed.signing_key.serialize_der())
            .map_err(|error| Error::Certificate(error.to_owned()))?;
        Self::new(vec![signed.cert.into()], key)
    }

    /// A chain (the leaf first) and its key, both PEM.
    pub fn from_pem(chain: &str, key: &str) -> Result<Self, Error> {
        let chain = CertificateDer::pem_slice_iter(chain.as_bytes())
            .collect::<Result<Vec<_>, _>>()
            .map_err(|error| Error::Certificate(error.to_string()))?;
        let key = PrivateKeyDer::from_pem_slice(key.as_bytes())
            .map_err(|error| Error::Certificate(error.to_string()))?;
        Self::new(chain, key)
    }

    fn new(
        chain: Vec<CertificateDer<'static>>,
        key: PrivateKeyDer<'static>,
    ) -> Result<Self, Error> {
        let wrong = |error: rustls::Error| Error::Certificate(error.to_string());
        let leaf = chain.first().cloned();
        let leaf =
            leaf.ok_or_else(|| Error::Certificate("no certificate in the chain".to_owned()))?;
        let mut config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(wrong)?
            .with_no_client_auth()
            .with_single_cert(chain, key)
            .map_err(wrong)?;
        // Every connection is a full handshake: a replaced certificate is seen at once, and what is
        // counted is what a BMC's processor would have to work for.
        config.session_storage = Arc::new(NoServerSessionStorage {});
        config.send_tls13_tickets = 0;
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Self { config: Arc::new(config), leaf })
    }

    /// SHA-256 of the leaf certificate, 64 lower-case hexadecimal digits.
    pub fn fingerprint(&self) -> String {
        use std::fmt::Write as _;
        Sha256::digest(self.leaf.as_ref()).iter().fold(String::new(), |mut hex, byte| {
            let _ = write!(hex, "{byte:02x}");
            hex
        })
    }

    /// The leaf certificate, DER.
    pub fn certificate(&self) -> &[u8] {
        self.leaf.as_ref()
    }

    pub(crate) fn config(&self) -> Arc<ServerConfig> {
        Arc::clone(&self.config)
    }
}

impl fmt::Debug for Identity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Identity").field("fingerprint", &self.fingerprint()).finish()
    }
}
