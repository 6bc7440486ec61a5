//! Faults as a person writes them.

use std::str::FromStr;
use std::time::Duration;

use super::{Effect, Fault};

/// A text that is no fault.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FaultTextError {
    /// The first word is no effect.
    #[error("{0:?} is no effect: {words}", words = EFFECTS.join(", "))]
    Effect(String),
    /// A word is missing after this one.
    #[error("{0} needs {1}")]
    Missing(String, &'static str),
    /// A word that has no meaning here.
    #[error("{0:?} is not understood after the effect: on [METHOD] PATH, reused, after N, times N")]
    Word(String),
    /// Not a number, a status or a time.
    #[error("{0:?} is not {1}")]
    Value(String, &'static str),
}

/// The effects, as they are written.
const EFFECTS: [&str; 14] = [
    "delay TIME",
    "late TIME",
    "never",
    "drop",
    "reset",
    "lose",
    "pretend",
    "empty",
    "twice",
    "truncate BYTES",
    "STATUS",
    "refuse STATUS MESSAGEID",
    "html STATUS",
    "redirect STATUS URL",
];

/// `EFFECT [on [METHOD] PATH] [reused] [after N] [times N]`:
///
/// ```
/// use bmc_sim::{Effect, Fault};
///
/// let fault: Fault = "lose on POST */ComputerSystem.Reset times 1".parse()?;
/// assert_eq!(fault, Fault::new(Effect::LoseReply).on("POST", "*/ComputerSystem.Reset").times(1));
/// let fault: Fault = "503 after 2".parse()?;
/// assert_eq!(fault.when.skip, 2);
/// # Ok::<(), bmc_sim::FaultTextError>(())
/// ```
impl FromStr for Fault {
    type Err = FaultTextError;

    fn from_str(text: &str) -> Result<Self, FaultTextError> {
        let mut words = text.split_whitespace().peekable();
        let mut fault = Fault::new(effect(&mut words)?);
        while let Some(word) = words.next() {
            match word {
                "on" => {
                    let first = needs(word, "a path", words.next())?;
                    let path = words.next_if(|path| path.starts_with(['/', '*']));
                    fault = match path {
                        Some(path) => fault.on(first, path),
                        None => fault.on_path(first),
                    };
                }
                "reused" => fault = fault.on_reused_connections(),
                "after" => fault = fault.after(number(needs(word, "a number", words.next())?)?),
                "times" => fault = fault.times(number(needs(word, "a number", words.next())?)?),
                _ => return Err(FaultTextError::Word(word.to_owned())),
            }
        }
        Ok(fault)
    }
}

fn effect<'a>(words: &mut impl Iterator<Item = &'a str>) -> Result<Effect, FaultTextError> {
    let word = words.next().unwrap_or_default();
    let mut next = |what| needs(word, what, words.next());
    Ok(match word {
        "delay" => Effect::Delay(time(next("a time")?)?),
        "late" => Effect::DelayReply(time(next("a time")?)?),
        "never" => Effect::BlackHole,
        "drop" => Effect::LoseRequest,
        "reset" => Effect::ResetConnection,
        "lose" => Effect::LoseReply,
        "pretend" => Effect::Pretend,
        "empty" => Effect::EmptyBody,
        "twice" => Effect::TwoDocuments,
        "truncate" => Effect::Truncate(number(next("a number of bytes")?)?),
        "refuse" => {
            let status = status(next("a status")?)?;
            Effect::refuse(status, next("a MessageId")?, "The request is refused.")
        }
        "html" => Effect::html(status(next("a status")?)?),
        "redirect" => {
            let status = status(next("a status")?)?;
            Effect::redirect(status, next("a URL")?)
        }
        "503" => Effect::unavailable(Duration::from_secs(1)),
        word if word.bytes().all(|byte| byte.is_ascii_digit()) && !word.is_empty() => {
            Effect::status(status(word)?)
        }
        _ => return Err(FaultTextError::Effect(word.to_owned())),
    })
}

fn needs<'a>(
    word: &str,
    what: &'static str,
    next: Option<&'a str>,
) -> Result<&'a str, FaultTextError> {
    next.ok_or_else(|| FaultTextError::Missing(word.to_owned(), what))
}

fn number<N: FromStr>(word: &str) -> Result<N, FaultTextError> {
    word.parse().map_err(|_| FaultTextError::Value(word.to_owned(), "a number"))
}

fn status(word: &str) -> Result<u16, FaultTextError> {
    let status = word.parse().ok().filter(|status| (200..600).contains(status));
    status.ok_or_else(|| FaultTextError::Value(word.to_owned(), "a status from 200 to 599"))
}

/// `1500ms`, `2s`, `5m`.
pub(crate) fn time(word: &str) -> Result<Duration, FaultTextError> {
    let refused = || FaultTextError::Value(word.to_owned(), "a time: 200ms, 2s, 5m");
    let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let count: u64 = digits.parse().map_err(|_| refused())?;
    let milliseconds = match &word[digits.len()..] {
        "ms" => Some(count),
        "s" => count.checked_mul(1000),
        "m" => count.checked_mul(60_000),
        _ => None,
    };
    milliseconds.map(Duration::from_millis).ok_or_else(refused)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_effect_has_a_text() {
        for (text, effect) in [
            ("delay 200ms", Effect::Delay(Duration::from_millis(200))),
            ("late 2s", Effect::DelayReply(Duration::from_secs(2))),
            ("never", Effect::BlackHole),
            ("drop", Effect::LoseRequest),
            ("reset", Effect::ResetConnection),
            ("lose", Effect::LoseReply),
            ("pretend", Effect::Pretend),
            ("empty", Effect::EmptyBody),
            ("twice", Effect::TwoDocuments),
            ("truncate 10", Effect::Truncate(10)),
            ("401", Effect::status(401)),
            ("503", Effect::unavailable(Duration::from_secs(1))),
            ("html 502", Effect::html(502)),
            ("redirect 302 https://other/", Effect::redirect(302, "https://other/")),
        ] {
            assert_eq!(text.parse(), Ok(Fault::new(effect)), "{text}");
        }
        assert!(matches!(
            "refuse 400 iLO.2.15.UnableToModifyDuringSystemPOST".parse::<Fault>(),
            Ok(Fault { effect: Effect::Answer(answer), .. })
                if answer.status == 400 && answer.body.contains("DuringSystemPOST")
        ));
    }

    #[test]
    fn conditions_follow_in_any_order() {
        let fault = Fault::new(Effect::BlackHole).on("PATCH", "/a/*").after(1).times(2);
        assert_eq!("never times 2 after 1 on PATCH /a/*".parse(), Ok(fault));
        let fault = Fault::new(Effect::BlackHole).on_path("*Reset").on_reused_connections();
        assert_eq!("never on *Reset reused".parse(), Ok(fault));
    }

    #[test]
    fn what_is_no_fault_is_refused_with_what_would_be() {
        for (text, message) in [
            ("", "\"\" is no effect: delay TIME, late TIME, never,"),
            ("hang", "\"hang\" is no effect"),
            ("delay", "delay needs a time"),
            ("delay 2", "\"2\" is not a time: 200ms, 2s, 5m"),
            ("delay 99999999999999999999s", "is not a time"),
            ("delay 18446744073709551615m", "is not a time"),
            ("99", "\"99\" is not a status from 200 to 599"),
            ("drop on", "on needs a path"),
            ("drop times x", "\"x\" is not a number"),
            ("drop sometimes", "\"sometimes\" is not understood after the effect"),
        ] {
            let error = text.parse::<Fault>().unwrap_err().to_string();
            assert!(error.contains(message), "{text}: {error}");
        }
    }
}
