//! The way out of the mistakes people make: after the reports of other tools' users.

use crate::error::{ParseError, ParseErrorKind};
use crate::expected::Expected;
use crate::words;

impl ParseError {
    /// The way out, where the mistake is a known one.
    ///
    /// ```
    /// let errors = dhcpd_conf::Document::parse("host a { } ;").unwrap_err();
    /// let help = errors.iter().next().unwrap().help().unwrap();
    /// assert_eq!(help, "remove the `;`: a block ends with its `}`");
    /// ```
    pub fn help(&self) -> Option<&'static str> {
        match self.kind() {
            ParseErrorKind::Unexpected => unexpected(self),
            ParseErrorKind::UnknownStatement => unknown(self.found()),
            ParseErrorKind::NotAllowedHere => not_allowed(self.found()),
            ParseErrorKind::BadNetwork => Some("clear the bits that the mask does not cover"),
            ParseErrorKind::StrayBrace => Some("remove it, or look for a `{` missing above"),
            ParseErrorKind::TokenTooLong => {
                Some("shorten it: the server holds 1499 bytes of a name or string")
            }
            _ => None,
        }
    }
}

fn unexpected(error: &ParseError) -> Option<&'static str> {
    let found = error.found();
    let wants = |expected| error.expected().contains(&expected);
    match found {
        ";" if wants(Expected::Statement) => Some("remove the `;`: a block ends with its `}`"),
        "/" if wants(Expected::Statement) => Some("begin comments with `#`"),
        "/" if wants(Expected::Keyword("netmask")) => {
            Some("write `subnet ADDRESS netmask MASK`: the server takes no prefix lengths here")
        }
        "<" | "$" | "@" | "{" if !wants(Expected::Semicolon) => {
            Some("if this is the mark of a template, the file was not rendered")
        }
        "'" => Some("strings stand in double quotes"),
        "or" | "and" if wants(Expected::OpenBrace) => {
            Some("put the whole condition in parentheses: `if ((A) or (B))`")
        }
        "==" | "=" => Some("compare with one `=`"),
        "." if wants(Expected::Semicolon) => Some("put text with dots in quotes"),
        "ad-hoc" => Some("`ad-hoc` is gone since dhcpd 4.3: use `interim` or `standard`"),
        _ if found.starts_with('"') && wants(Expected::Name) => {
            Some("write the name without quotes")
        }
        _ if wants(Expected::Octets) || wants(Expected::StringOrOctets) => {
            Some("write octets in hexadecimal with colons: `00:11:22:aa:bb:cc`")
        }
        _ if wants(Expected::Flag) => Some("`yes`, `no` and numbers are no flags"),
        _ => None,
    }
}

fn unknown(word: &str) -> Option<&'static str> {
    match word {
        "elif" | "elseif" => Some("write `elsif` or `else if`"),
        "request" | "require" | "timeout" | "retry" | "reject" | "alias" | "script" | "media"
        | "pseudo" => Some("this belongs into dhclient.conf"),
        "starts" | "ends" | "cltt" | "binding" | "ia-na" | "ia-ta" | "ia-pd" => {
            Some("this belongs into the lease file")
        }
        _ if words::option(word.as_bytes()).is_some() => {
            Some("this is an option: write `option` before it")
        }
        _ => None,
    }
}

fn not_allowed(word: &str) -> Option<&'static str> {
    match word {
        "hardware" | "fixed-address" | "uid" => Some("write it inside a `host`"),
        "range" | "range6" => Some("write it inside a `subnet` or a `pool`"),
        "include" => Some("include the file outside of conditions"),
        "lease" => Some("it belongs into a class, as `lease limit`, or into the lease file"),
        "interface" => Some("it belongs into a subnet, a shared network, or dhclient.conf"),
        _ => None,
    }
}
