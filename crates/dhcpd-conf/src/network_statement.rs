//! Statements about networks: subnets, prefixes, ranges, and the server's own identifier.

use std::net::Ipv6Addr;

use crate::error::ParseErrorKind;
use crate::expected::Expected;
use crate::fault::Fault;
use crate::lex::{Input, Parsed, at, at_keyword, expected, keyword, punctuation, string, word};
use crate::statement::one_of;
use crate::value::{decimal, integer, ipv4, ipv6, octets};

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
    prefix(input).map(|(end, _)| end)
}

/// `ADDRESS6/LENGTH` without host bits.
pub(crate) fn prefix(input: Input<'_>) -> Parsed<'_, u8> {
    let (rest, address) = ipv6(input)?;
    let (end, length) = prefix_length(rest)?;
    if fits(address, length) { Ok((end, length)) } else { bad_network(input) }
}

/// `/LENGTH` of an IPv6 prefix.
pub(crate) fn prefix_length(input: Input<'_>) -> Parsed<'_, u8> {
    let (rest, ()) = punctuation(b'/', Expected::Slash)(input)?;
    let (end, length) = decimal(rest, 128)?;
    Ok((end, u8::try_from(length).unwrap_or(128)))
}

/// Whether no bit of `address` is set behind the first `length`.
fn fits(address: Ipv6Addr, length: u8) -> bool {
    address.to_bits() & u128::MAX.checked_shr(u32::from(length)).unwrap_or(0) == 0
}

fn bad_network<T>(input: Input<'_>) -> Parsed<'_, T> {
    Err(nom::Err::Error(Fault::new(input, ParseErrorKind::BadNetwork)))
}

/// `ADDRESS6 ADDRESS6`, `ADDRESS6/LENGTH [temporary]` or `ADDRESS6 temporary`. Temporary addresses
/// (RFC 4941) come from the /64 that begins at the address, or from a longer prefix.
pub(crate) fn range6(input: Input<'_>) -> Parsed<'_, ()> {
    let (rest, _) = ipv6(input)?;
    if at(rest, b'/') {
        let (end, length) = prefix(input)?;
        if !at_keyword(end, "temporary") {
            return Ok((end, ()));
        }
        return if (64..128).contains(&length) {
            keyword("temporary")(end)
        } else {
            bad_network(input)
        };
    }
    if at_keyword(rest, "temporary") {
        return keyword("temporary")(rest);
    }
    ipv6(rest).map(|(rest, _)| (rest, ()))
}

/// `ADDRESS6 ADDRESS6 /LENGTH`, both addresses without bits behind the length.
pub(crate) fn prefix6(input: Input<'_>) -> Parsed<'_, ()> {
    let (next, first) = ipv6(input)?;
    let (rest, last) = ipv6(next)?;
    let (end, length) = prefix_length(rest)?;
    if !(1..128).contains(&length) || !fits(first, length) {
        return bad_network(input);
    }
    if fits(last, length) { Ok((end, ())) } else { bad_network(next) }
}

/// Types of hardware in a DUID: the server does not take all that hosts can have there.
const DUID_HARDWARE: [&str; 3] = ["ethernet", "token-ring", "fddi"];

pub(crate) fn server_duid(input: Input<'_>) -> Parsed<'_, ()> {
    let Ok((rest, name)) = word(input) else {
        return expected(input, Expected::OneOf("`ll`, `llt`, `en` and a number"));
    };
    if name.eq_ignore_ascii_case(b"ll") || name.eq_ignore_ascii_case(b"llt") {
        if at(rest, b';') {
            return Ok((rest, ()));
        }
        let (behind, ()) = one_of(rest, &DUID_HARDWARE, "`ethernet`, `token-ring` and `fddi`")?;
        return octets(if name.len() == 2 { behind } else { integer(behind)?.0 });
    }
    let number = if name.eq_ignore_ascii_case(b"en") { rest } else { input };
    string(integer(number)?.0).map(|(rest, _)| (rest, ()))
}
