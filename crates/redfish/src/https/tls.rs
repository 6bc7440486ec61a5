//! What a BMC's certificate has to be, and which TLS.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::ServerCertVerifier;
use rustls::crypto::CryptoProvider;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use rustls::{ClientConfig, RootCertStore, SupportedProtocolVersion};

use super::client::ClientError;
use super::verify::{Bundle, Pins, TakeAny};
use crate::PinStore;

/// Why a BMC's certificate is accepted.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Trust {
    /// It is the one that was seen at the first contact. Name and validity are not looked at:
    /// certificates of BMCs are self-signed, expired and named after anything.
    Pinned(Arc<dyn PinStore>),
    /// An authority of this bundle (PEM) vouches for it, for the name it is asked by.
    CaBundle(Vec<u8>),
    /// It is accepted whatever it is. Anyone on the path can read the password.
    Insecure,
}

/// The oldest TLS version that is spoken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MinTls {
    /// TLS 1.2.
    #[default]
    V1_2,
    /// TLS 1.3.
    V1_3,
}

impl FromStr for MinTls {
    type Err = MinTlsError;

    fn from_str(text: &str) -> Result<Self, MinTlsError> {
        match text {
            "1.2" => Ok(Self::V1_2),
            "1.3" => Ok(Self::V1_3),
            _ => Err(MinTlsError { text: text.to_owned() }),
        }
    }
}

impl fmt::Display for MinTls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::V1_2 => "1.2",
            Self::V1_3 => "1.3",
        })
    }
}

/// The text is no TLS version that can be the oldest.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is no TLS version to begin with: 1.2 or 1.3")]
pub struct MinTlsError {
    text: String,
}

/// The configuration for BMCs on this port.
pub(super) fn config(
    trust: &Trust,
    port: u16,
    oldest: MinTls,
) -> Result<ClientConfig, ClientError> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let versions: &[&SupportedProtocolVersion] = match oldest {
        MinTls::V1_2 => &[&rustls::version::TLS13, &rustls::version::TLS12],
        MinTls::V1_3 => &[&rustls::version::TLS13],
    };
    let verifier = verifier(trust, port, &provider)?;
    let builder = ClientConfig::builder_with_provider(provider)
        .with_protocol_versions(versions)
        .map_err(|unusable| ClientError::Tls(unusable.to_string()))?;
    Ok(builder.dangerous().with_custom_certificate_verifier(verifier).with_no_client_auth())
}

fn verifier(
    trust: &Trust,
    port: u16,
    provider: &Arc<CryptoProvider>,
) -> Result<Arc<dyn ServerCertVerifier>, ClientError> {
    let algorithms = provider.signature_verification_algorithms;
    Ok(match trust {
        Trust::Pinned(store) => Arc::new(Pins { store: Arc::clone(store), port, algorithms }),
        Trust::Insecure => Arc::new(TakeAny { algorithms }),
        Trust::CaBundle(pem) => {
            let mut roots = RootCertStore::empty();
            for certificate in CertificateDer::pem_slice_iter(pem) {
                let certificate =
                    certificate.map_err(|bad| ClientError::Bundle(bad.to_string()))?;
                roots.add(certificate).map_err(|bad| ClientError::Bundle(bad.to_string()))?;
            }
            let inner =
                WebPkiServerVerifier::builder_with_provider(roots.into(), Arc::clone(provider))
                    .build()
                    .map_err(|empty| ClientError::Bundle(empty.to_string()))?;
            Arc::new(Bundle { inner })
        }
    })
}
