//! Values that are written as text and mean more.

use std::time::Duration;

use serde::{Deserializer, Serializer};

/// A duration such as `30s`, `5m`, `1h30m`, `500ms`; for `#[serde(with)]`.
pub mod duration {
    use super::{Deserializer, Duration, Serializer, parse_duration, print_duration};
    use serde::Deserialize as _;

    /// Reads the text.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        let text = String::deserialize(deserializer)?;
        parse_duration(&text).map_err(serde::de::Error::custom)
    }

    /// Writes the text.
    pub fn serialize<S: Serializer>(value: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&print_duration(*value))
    }
}

/// As [`duration`], where there may be none.
pub mod optional_duration {
    use super::{Deserializer, Duration, Serializer, parse_duration, print_duration};

    /// Reads the text.
    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Duration>, D::Error> {
        let text = <String as serde::Deserialize>::deserialize(deserializer)?;
        parse_duration(&text).map(Some).map_err(serde::de::Error::custom)
    }

    /// Writes the text.
    pub fn serialize<S: Serializer>(
        value: &Option<Duration>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match value {
            Some(value) => serializer.serialize_str(&print_duration(*value)),
            None => serializer.serialize_none(),
        }
    }
}

/// Numbers with the units `h`, `m`, `s`, `ms`, from great to small, without blanks; or `0`.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let refuse = || format!("{text:?} is no duration: write it as 30s, 5m, 1h30m or 500ms");
    if text == "0" {
        return Ok(Duration::ZERO);
    }
    let mut rest = text;
    let mut total = Duration::ZERO;
    let mut last = u64::MAX;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit()).ok_or_else(refuse)?;
        let number: u64 = rest[..digits].parse().map_err(|_| refuse())?;
        rest = &rest[digits..];
        let letters = rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len());
        let milliseconds = match &rest[..letters] {
            "h" => 3_600_000,
            "m" => 60_000,
            "s" => 1_000,
            "ms" => 1,
            _ => return Err(refuse()),
        };
        rest = &rest[letters..];
        if milliseconds >= last {
            return Err(refuse());
        }
        last = milliseconds;
        let part = number.checked_mul(milliseconds).ok_or_else(refuse)?;
        total = total.checked_add(Duration::from_millis(part)).ok_or_else(refuse)?;
    }
    if last == u64::MAX { Err(refuse()) } else { Ok(total) }
}

/// The shortest text that reads back as the same duration.
pub(crate) fn print_duration(value: Duration) -> String {
    let total = value.as_millis();
    let parts = [
        (total / 3_600_000, "h"),
        (total / 60_000 % 60, "m"),
        (total / 1_000 % 60, "s"),
        (total % 1_000, "ms"),
    ];
    let text: String =
        parts.iter().filter(|(n, _)| *n > 0).map(|(n, unit)| format!("{n}{unit}")).collect();
    if text.is_empty() { "0s".to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_duration_reads_back_as_printed(milliseconds in 0u64..1_000_000_000) {
            let value = Duration::from_millis(milliseconds);
            prop_assert_eq!(parse_duration(&print_duration(value)), Ok(value));
        }
    }

    #[test]
    fn what_is_no_duration_is_refused() {
        for text in ["", "30", "1m1h", "-5s", "1.5h", "5 s", "1d", "s", "99999999999999999999s"] {
            assert!(parse_duration(text).is_err(), "{text}");
        }
    }
}
