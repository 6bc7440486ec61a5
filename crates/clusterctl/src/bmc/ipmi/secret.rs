//! The password, in the form each program reads it from a file.

use redfish::Account;
use thiserror::Error;
use zeroize::Zeroizing;

use crate::config::kinds::IpmiDriver;

/// An account that IPMI cannot carry.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SecretError {
    /// IPMI 2.0 takes 20 bytes, IPMI 1.5 takes 16 (section 22.30).
    #[error("the password of {user} is longer than the {most} bytes that IPMI takes")]
    Password {
        /// The account.
        user: String,
        /// How many bytes there may be.
        most: usize,
    },
    /// IPMI takes 16 bytes of ASCII (section 22.28).
    #[error("the user {0:?} is not 1 to 16 characters of ASCII, as IPMI wants it")]
    User(String),
}

/// Refuses what IPMI cannot carry.
pub(super) fn check(account: &Account, driver: IpmiDriver) -> Result<(), SecretError> {
    let user = account.user();
    if user.is_empty() || user.len() > 16 || !user.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(SecretError::User(user.to_owned()));
    }
    let most = match driver {
        IpmiDriver::Lan20 => 20,
        IpmiDriver::Lan => 16,
    };
    if account.password().expose().len() > most {
        return Err(SecretError::Password { user: user.to_owned(), most });
    }
    Ok(())
}

/// For `ipmitool -f`: the password on the first line (ipmitool(1)). An account holds no line feed.
pub(super) fn ipmitool(account: &Account) -> Zeroizing<Vec<u8>> {
    let mut text = Zeroizing::new(Vec::with_capacity(32));
    text.extend_from_slice(account.password().expose().as_bytes());
    text.push(b'\n');
    text
}

/// For `ipmipower --config-file`: freeipmi.conf(5). An argument may stand in quotation marks; `\`,
/// `#` and `"` stand behind a `\`, in quotation marks too (seen with FreeIPMI 1.6).
pub(super) fn freeipmi(account: &Account) -> Zeroizing<Vec<u8>> {
    let mut text = Zeroizing::new(Vec::with_capacity(128));
    for (keyword, value) in
        [("username", account.user()), ("password", account.password().expose())]
    {
        text.extend_from_slice(keyword.as_bytes());
        text.extend_from_slice(b" \"");
        for byte in value.bytes() {
            if matches!(byte, b'\\' | b'#' | b'"') {
                text.push(b'\\');
            }
            text.push(byte);
        }
        text.extend_from_slice(b"\"\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use redfish::Password;

    use super::*;

    fn account(user: &str, password: &str) -> Account {
        Account::new(user, Password::new(password.to_owned())).unwrap()
    }

    #[test]
    fn ip06_every_character_of_a_password_is_quoted_for_freeipmi() {
        let file = freeipmi(&account("admin", r#"a#b "c\d"#));
        let text = String::from_utf8(file.to_vec()).unwrap();
        assert_eq!(text, "username \"admin\"\npassword \"a\\#b \\\"c\\\\d\"\n");
        assert_eq!(ipmitool(&account("admin", " a#b ")).as_slice(), b" a#b \n");
    }

    #[test]
    fn what_ipmi_cannot_carry_is_refused() {
        let check = |user: &str, password: &str, driver| check(&account(user, password), driver);
        let (new, old) = (IpmiDriver::Lan20, IpmiDriver::Lan);
        assert_eq!(check("admin", &"x".repeat(20), new), Ok(()));
        assert!(check("admin", &"x".repeat(21), new).is_err());
        assert!(check("admin", &"x".repeat(17), old).is_err());
        assert!(check(&"u".repeat(17), "x", new).is_err());
        assert!(check("with blank", "x", new).is_err());
        assert!(check("admin", "ä".repeat(11).as_str(), new).is_err());
        let message = check("admin", &"geheim".repeat(4), new).unwrap_err().to_string();
        assert!(!message.contains("geheim"));
    }
}
