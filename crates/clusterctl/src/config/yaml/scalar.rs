//! What a plain scalar means.

use crate::config::yaml::node::Value;

/// The meaning of a word without quotation marks; an error for what nobody should write.
pub(crate) fn plain(text: &str) -> Result<Value, &'static str> {
    Ok(match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        _ => match number(text) {
            Some(value) => value,
            None if is_infinite(text) => {
                return Err("infinities and NaN are no values here: write it in quotation marks");
            }
            None => Value::Text(text.to_owned()),
        },
    })
}

fn number(text: &str) -> Option<Value> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let radix = match digits.get(..2) {
        Some("0x") => 16,
        Some("0o") => 8,
        Some("0b") => 2,
        _ => 10,
    };
    if radix != 10 {
        let value = i64::from_str_radix(&digits[2..], radix).ok()?;
        let signed = digits[2..].starts_with(['+', '-']);
        return (!signed).then_some(Value::Integer(if negative { -value } else { value }));
    }
    let leading_zero = digits.len() > 1 && digits.starts_with('0') && !digits.starts_with("0.");
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let all_digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    if leading_zero || !all_digits(whole) || !all_digits(fraction) {
        return None;
    }
    if digits.contains('.') {
        return text.parse().ok().map(Value::Float);
    }
    // More than 64 bits are text: no number here needs them, and a float would lose digits.
    text.parse().ok().map(Value::Integer)
}

fn is_infinite(text: &str) -> bool {
    let word = text.trim_start_matches(['-', '+']).to_ascii_lowercase();
    matches!(word.as_str(), ".inf" | ".nan")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_numbers_are_numbers() {
        assert_eq!(plain("12"), Ok(Value::Integer(12)));
        assert_eq!(plain("-3"), Ok(Value::Integer(-3)));
        assert_eq!(plain("0"), Ok(Value::Integer(0)));
        assert_eq!(plain("0x1f"), Ok(Value::Integer(31)));
        assert_eq!(plain("0.5"), Ok(Value::Float(0.5)));
        for text in [
            "0400",
            "1e3",
            "2026-11-30",
            "99999999999999999999",
            "1_000",
            "0x",
            "+1",
            "yes",
            "1.2.3",
        ] {
            assert_eq!(plain(text), Ok(Value::Text(text.to_owned())), "{text}");
        }
        assert!(plain(".inf").is_err() && plain("-.INF").is_err() && plain(".nan").is_err());
    }
}
