//! Which property of which resource switches the indicator LED.

use serde_json::{Value, json};

use crate::{Indicator, IndicatorAction, IndicatorState, Message, ResourcePath, quirk};

/// One write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct IndicatorWrite {
    pub(crate) resource: ResourcePath,
    pub(crate) etag: Option<String>,
    pub(crate) body: Value,
}

/// The writes that may do it, the likeliest first: system before chassis, and in each the newer
/// property, but the older one for an LED that blinks or is to. Never both in one write, which some
/// BMCs refuse (confluent commit 836ab7e8); `false` is sent, not left out (gofish issue 539).
pub(crate) fn writes(indicators: &[Indicator], action: IndicatorAction) -> Vec<IndicatorWrite> {
    let mut writes = Vec::new();
    for indicator in indicators {
        let newer = match action {
            IndicatorAction::On => Some(true),
            IndicatorAction::Off => Some(false),
            IndicatorAction::Blink => None,
        };
        let newer = newer.filter(|_| indicator.active.is_some());
        let newer = newer.map(|lit| json!({ "LocationIndicatorActive": lit }));
        let word = word(action);
        let is_offered =
            indicator.words.as_ref().is_none_or(|words| words.iter().any(|known| known == word));
        let older =
            (indicator.led.is_some() && is_offered).then(|| json!({ "IndicatorLED": word }));
        let bodies = match indicator.state() {
            IndicatorState::Blinking => [older, newer],
            _ => [newer, older],
        };
        writes.extend(bodies.into_iter().flatten().map(|body| IndicatorWrite {
            resource: indicator.resource().clone(),
            etag: indicator.etag().map(str::to_owned),
            body,
        }));
    }
    writes
}

/// Whether a refusal says that this property is not the one: it is read-only or not known here.
pub(crate) fn is_not_the_one(status: u16, messages: &[Message]) -> bool {
    status == 405
        || messages.iter().any(|message| {
            quirk::is_not_writable(message)
                || matches!(message.key(), "PropertyUnknown" | "UnrecognizedRequestBody")
        })
}

fn word(action: IndicatorAction) -> &'static str {
    match action {
        IndicatorAction::On => "Lit",
        IndicatorAction::Off => "Off",
        IndicatorAction::Blink => "Blinking",
    }
}
