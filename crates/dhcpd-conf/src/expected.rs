//! What the parser would have accepted where it stopped.

use std::fmt;

/// What would have been right at the place of an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Expected {
    /// `;`
    Semicolon,
    /// `,`
    Comma,
    /// `.`
    Dot,
    /// `:`
    Colon,
    /// `=`
    Equals,
    /// `/`
    Slash,
    /// `{`
    OpenBrace,
    /// `}`
    CloseBrace,
    /// `(`
    OpenParenthesis,
    /// `)`
    CloseParenthesis,
    /// One particular word.
    Keyword(&'static str),
    /// One of several words, listed in the text.
    OneOf(&'static str),
    /// A declaration, parameter or other statement.
    Statement,
    /// A bare name.
    Name,
    /// A quoted string.
    String,
    /// A quoted string or a bare name.
    StringOrName,
    /// A quoted string, or octets such as `ff:00:1a`.
    StringOrOctets,
    /// Hexadecimal octets such as `ff:00:1a`.
    Octets,
    /// A number.
    Number,
    /// An IPv4 address.
    Ipv4Address,
    /// An IPv6 address.
    Ipv6Address,
    /// An IPv4 address or a host name.
    AddressOrName,
    /// A domain name: labels of 1 to 63 bytes with dots between them.
    DomainName,
    /// `true`, `false`, `on`, `off` or `ignore`.
    Flag,
    /// `ethernet`, `infiniband`, `token-ring`, `fddi` or `unknown-N`.
    HardwareType,
    /// A date as `allow after` takes it.
    Date,
    /// A condition that is true or false.
    Condition,
    /// An expression that gives bytes.
    Data,
    /// An expression that gives a number.
    NumericExpression,
    /// An expression of any kind.
    Expression,
    /// The type of an option in its definition.
    OptionType,
    /// Base64 as a key's secret holds it.
    Base64,
    /// The value of an option whose type this document does not define.
    Value,
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Semicolon => "`;`",
            Self::Comma => "`,`",
            Self::Dot => "`.`",
            Self::Colon => "`:`",
            Self::Equals => "`=`",
            Self::Slash => "`/`",
            Self::OpenBrace => "`{`",
            Self::CloseBrace => "`}`",
            Self::OpenParenthesis => "`(`",
            Self::CloseParenthesis => "`)`",
            Self::Keyword(word) => return write!(f, "`{word}`"),
            Self::OneOf(words) => return write!(f, "one of {words}"),
            Self::Statement => "a statement",
            Self::Name => "a name",
            Self::String => "a quoted string",
            Self::StringOrName => "a quoted string or a name",
            Self::StringOrOctets => "a quoted string or octets such as `ff:00:1a`",
            Self::Octets => "octets such as `ff:00:1a`",
            Self::Number => "a number",
            Self::Ipv4Address => "an IPv4 address",
            Self::Ipv6Address => "an IPv6 address",
            Self::AddressOrName => "an IPv4 address or a host name",
            Self::DomainName => "a domain name with labels of 1 to 63 bytes",
            Self::Flag => "`true`, `false`, `on`, `off` or `ignore`",
            Self::HardwareType => {
                "`ethernet`, `infiniband`, `token-ring`, `fddi` or `unknown-` and a number"
            }
            Self::Date => "`never`, `epoch` and a number, or a date",
            Self::Condition => "a condition",
            Self::Data => "an expression that gives bytes",
            Self::NumericExpression => "an expression that gives a number",
            Self::Expression => "an expression",
            Self::OptionType => "an option type",
            Self::Base64 => "a quoted string or base64",
            Self::Value => "a value",
        })
    }
}
