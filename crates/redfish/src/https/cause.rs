//! Why reqwest failed, in the words of this crate.

use std::error::Error as StdError;
use std::io;

use rustls::CertificateError;

use crate::{CertificateProblem, Delivery, TransportError, TransportErrorKind};

/// Kind and delivery of a failed request. Only a failure to connect proves that nothing was sent.
pub(super) fn transport_error(error: reqwest::Error) -> TransportError {
    let error = error.without_url();
    let delivery = if error.is_connect() || error.is_builder() {
        Delivery::NotSent
    } else {
        Delivery::PerhapsCarriedOut
    };
    if let Some(problem) = find(&error, certificate_problem) {
        return TransportError::new(TransportErrorKind::Certificate(problem), Delivery::NotSent);
    }
    let tls = find(&error, |cause| cause.downcast_ref::<rustls::Error>().map(ToString::to_string));
    let kind = match &tls {
        Some(_) if error.is_connect() => TransportErrorKind::Tls,
        _ if error.is_timeout() && !error.is_connect() => TransportErrorKind::Timeout,
        _ if error.is_timeout() => TransportErrorKind::Unreachable,
        _ if error.is_connect() => TransportErrorKind::Unreachable,
        _ => TransportErrorKind::ConnectionLost,
    };
    TransportError::new(kind, delivery).caused_by(tls.unwrap_or_else(|| innermost(&error)))
}

fn certificate_problem(cause: &(dyn StdError + 'static)) -> Option<CertificateProblem> {
    match cause.downcast_ref::<rustls::Error>()? {
        rustls::Error::InvalidCertificate(CertificateError::Other(other)) => {
            other.0.downcast_ref::<CertificateProblem>().cloned()
        }
        _ => None,
    }
}

/// The first hit along the chain of causes. An `io::Error` hides what it wraps from `source`.
fn find<R>(
    error: &(dyn StdError + 'static),
    pick: impl Fn(&(dyn StdError + 'static)) -> Option<R>,
) -> Option<R> {
    let mut next = Some(error);
    while let Some(cause) = next {
        if let Some(found) = pick(cause) {
            return Some(found);
        }
        let wrapped = cause.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        next = match wrapped {
            Some(inner) => Some(inner),
            None => cause.source(),
        };
    }
    None
}

/// The last cause, which is the one that says something ("Connection refused (os error 111)").
fn innermost(error: &(dyn StdError + 'static)) -> String {
    let mut last = error;
    while let Some(cause) = last.source() {
        last = cause;
    }
    crate::excerpt::one_line(&last.to_string(), 200)
}
