//! The indicator LED.

use std::fmt;
use std::str::FromStr;

use serde_json::Value;

use crate::ResourcePath;
use crate::property::text;

/// What the indicator LED shows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum IndicatorState {
    /// Lit.
    On,
    /// Dark.
    Off,
    /// Blinking.
    Blinking,
    /// A word outside the schema, as the BMC says it.
    Other(String),
    /// Missing or null. Never read as any other state.
    Unknown,
}

impl fmt::Display for IndicatorState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::On => "on",
            Self::Off => "off",
            Self::Blinking => "blinking",
            Self::Other(word) => word,
            Self::Unknown => "unknown",
        })
    }
}

/// What the indicator LED is to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IndicatorAction {
    /// Be lit.
    On,
    /// Be dark.
    Off,
    /// Blink: only the older property `IndicatorLED` can say so.
    Blink,
}

impl IndicatorAction {
    /// The word on a command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::On => "on",
            Self::Off => "off",
            Self::Blink => "blink",
        }
    }
}

impl fmt::Display for IndicatorAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for IndicatorAction {
    type Err = IndicatorActionError;

    fn from_str(word: &str) -> Result<Self, IndicatorActionError> {
        [Self::On, Self::Off, Self::Blink]
            .into_iter()
            .find(|action| action.as_str() == word)
            .ok_or_else(|| IndicatorActionError { word: word.to_owned() })
    }
}

/// The word is nothing an indicator LED does.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{word:?} is nothing an indicator LED does: on, off or blink")]
pub struct IndicatorActionError {
    word: String,
}

/// The indicator LED of a system or a chassis: `LocationIndicatorActive`, or `IndicatorLED` of older
/// services, or both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Indicator {
    resource: ResourcePath,
    etag: Option<String>,
    /// `LocationIndicatorActive`.
    pub(crate) active: Option<bool>,
    /// `IndicatorLED`.
    pub(crate) led: Option<String>,
    /// The words that are listed for `IndicatorLED`.
    pub(crate) words: Option<Vec<String>>,
}

impl Indicator {
    /// The indicator of a resource. A null is none: parts without an LED show it so (DGX H100).
    pub(crate) fn of(path: &ResourcePath, resource: &Value, etag: Option<&str>) -> Option<Self> {
        let active = resource.get("LocationIndicatorActive").and_then(Value::as_bool);
        let led = text(resource, "IndicatorLED");
        let words = resource.get("IndicatorLED@Redfish.AllowableValues").and_then(Value::as_array);
        let words = words.map(|words| {
            words.iter().filter_map(Value::as_str).map(str::to_owned).collect::<Vec<_>>()
        });
        if active.is_none() && led.is_none() {
            return None;
        }
        let words = words.filter(|words| !words.is_empty());
        let etag = etag.map(str::to_owned);
        Some(Self { resource: path.clone(), etag, active, led, words })
    }

    /// The resource that shows it.
    pub fn resource(&self) -> &ResourcePath {
        &self.resource
    }

    /// What it shows. `LocationIndicatorActive` counts, but it cannot say that the LED blinks.
    pub fn state(&self) -> IndicatorState {
        match (self.active, self.led.as_deref()) {
            (_, Some("Blinking")) => IndicatorState::Blinking,
            (Some(true), _) | (None, Some("Lit")) => IndicatorState::On,
            (Some(false), _) | (None, Some("Off")) => IndicatorState::Off,
            // `Unknown` is a word of the schema.
            (None, Some("Unknown") | None) => IndicatorState::Unknown,
            (None, Some(other)) => IndicatorState::Other(other.to_owned()),
        }
    }

    /// Whether it shows what an action is for. `OpenBMC` says of an LED that is active that it blinks.
    pub(crate) fn shows(&self, action: IndicatorAction) -> bool {
        match action {
            IndicatorAction::On => self.active == Some(true) || self.state() == IndicatorState::On,
            IndicatorAction::Off => self.state() == IndicatorState::Off,
            IndicatorAction::Blink => self.state() == IndicatorState::Blinking,
        }
    }

    pub(crate) fn etag(&self) -> Option<&str> {
        self.etag.as_deref()
    }
}
