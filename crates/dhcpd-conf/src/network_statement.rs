//! Statements about networks: subnets, prefixes, ranges, and the server's own identifier.

use crate::error::ParseErrorKind;
use crate::expected::Expected;
use crate::fault::Fault;
use crate::lex::{Input, Parsed, at, at_keyword, expected, keyword, punctuation, string, word};
use crate::value::{decimal, hardware, ipv4, ipv6, number};

/// `ADDRESS netmask MASK`
pub(crate) fn subnet(input: Input<'_>) -> Result<Input<'_>, nom::Err<Fault<'_>>> {
    let (rest, address) = ipv4(input)?;
    let (rest, ()) = keyword("netmask")(rest)?;
    let (end, mask) = ipv4(rest)?;
    if address.to_bits() & !mask.to_bits() != 0 {
        return Err(nom::Err::Error(Fault::new(input, ParseErrorKind::BadNetwork)));
    }
    Ok(end)
}

/// `ADDRESS6/LENGTH`
pub(crate) fn subnet6(input: Input<'_>) -> Result<Input<'_>, nom::Err<Fault<'_>>> {
    let (rest, address) = ipv6(input)?;
    let (end, length) = prefix_length(rest)?;
    let hosts = u128::MAX.checked_shr(u32::from(length)).unwrap_or(0);
    if address.to_bits() & hosts != 0 {
        return Err(nom::Err::Error(Fault::new(input, ParseErrorKind::BadNetwork)));
    }
    Ok(end)
}

/// `/LENGTH` of an IPv6 prefix.
pub(crate) fn prefix_length(input: Input<'_>) -> Parsed<'_, u8> {
    let (rest, ()) = punctuation(b'/', Expected::Slash)(input)?;
    let (end, length) = decimal(rest, 128)?;
    Ok((end, u8::try_from(length).unwrap_or(128)))
}

pub(crate) fn range6(input: Input<'_>) -> Parsed<'_, ()> {
    let (rest, _) = ipv6(input)?;
    if at_keyword(rest, "temporary") {
        return keyword("temporary")(rest);
    }
    if at(rest, b'/') {
        let (end, _) = prefix_length(rest)?;
        let temporary = at_keyword(end, "temporary");
        return if temporary { keyword("temporary")(end) } else { Ok((end, ())) };
    }
    ipv6(rest).map(|(rest, _)| (rest, ()))
}

pub(crate) fn server_duid(input: Input<'_>) -> Parsed<'_, ()> {
    let Ok((rest, name)) = word(input) else {
        return expected(input, Expected::OneOf("`ll`, `llt`, `en` and a number"));
    };
    if name.eq_ignore_ascii_case(b"ll") || name.eq_ignore_ascii_case(b"llt") {
        if at(rest, b';') {
            return Ok((rest, ()));
        }
        if name.len() == 2 {
            return hardware(rest).map(|(rest, _)| (rest, ()));
        }
        let (time, kind) = word(rest)?;
        if crate::hardware::HardwareType::parse(kind).is_none() {
            return expected(rest, Expected::HardwareType);
        }
        return crate::value::octets(number(time, 32)?.0);
    }
    if name.eq_ignore_ascii_case(b"en") {
        return string(number(rest, 32)?.0).map(|(rest, _)| (rest, ()));
    }
    string(number(input, 16)?.0).map(|(rest, _)| (rest, ()))
}
