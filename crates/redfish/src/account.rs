//! Who asks.

use std::fmt;

use base64::Engine as _;
use http::HeaderValue;
use zeroize::Zeroizing;

/// A password, zeroed when dropped and never printed.
///
/// A copy inside a request that is being sent is the transport's and is not zeroed.
#[derive(Clone)]
pub struct Password(Zeroizing<String>);

impl Password {
    /// Takes the password over.
    pub fn new(secret: String) -> Self {
        Self(Zeroizing::new(secret))
    }

    /// The password itself, for another protocol than this library's.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(..)")
    }
}

/// An account of a BMC.
#[derive(Clone, Debug)]
pub struct Account {
    user: String,
    password: Password,
}

impl Account {
    /// An account. A colon in the user cannot be said in Basic authentication (RFC 7617), and
    /// control characters in neither part.
    pub fn new(user: impl Into<String>, password: Password) -> Result<Self, AccountError> {
        let user = user.into();
        if user.is_empty() || user.contains(':') || user.chars().any(char::is_control) {
            return Err(AccountError::User);
        }
        if password.expose().chars().any(char::is_control) {
            return Err(AccountError::Password);
        }
        Ok(Self { user, password })
    }

    /// The user name.
    pub fn user(&self) -> &str {
        &self.user
    }

    /// The password.
    pub fn password(&self) -> &Password {
        &self.password
    }

    pub(crate) fn basic(&self) -> Option<HeaderValue> {
        let pair = Zeroizing::new(format!("{}:{}", self.user, self.password.expose()));
        let encoded = Zeroizing::new(base64::engine::general_purpose::STANDARD.encode(&*pair));
        let header = Zeroizing::new(format!("Basic {}", *encoded));
        let mut value = HeaderValue::from_str(&header).ok()?;
        value.set_sensitive(true);
        Some(value)
    }

    pub(crate) fn session_request(&self) -> serde_json::Value {
        serde_json::json!({ "UserName": self.user, "Password": self.password.expose() })
    }
}

/// The account cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AccountError {
    /// Empty, or with a colon or a control character.
    #[error("the user is empty or holds a colon or a control character")]
    User,
    /// With a control character.
    #[error("the password holds a control character")]
    Password,
}

/// How requests are authenticated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Authentication {
    /// With each request; leaves nothing behind on the BMC.
    #[default]
    Basic,
    /// One session for the life of the [`Bmc`](crate::Bmc), deleted when it is dropped. Where the
    /// BMC has no session left, Basic is used instead.
    Session,
}
