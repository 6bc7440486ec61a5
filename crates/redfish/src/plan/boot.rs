//! Where a boot override is written, and with which properties.

use serde_json::{Map, Value, json};

use super::tag::{self, IfMatch, Reread, TagRule, TagStep};
use crate::answer::Answer;
use crate::boot::Boot;
use crate::quirk::{self, Quirk};
use crate::{
    BootOverride, BootRequest, BootSource, ErrorKind, Lifetime, Message, ModeOption,
    OverrideEnabled, ResourcePath, System,
};

const TARGET: &str = "BootSourceOverrideTarget";
const ENABLED: &str = "BootSourceOverrideEnabled";
const MODE: &str = "BootSourceOverrideMode";

/// A first write, and each decision in it put right once: resource, mode, and four forms of tag.
const MOST_WRITES: usize = 7;

/// What is known about the boot override of a system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BootRoute {
    /// Takes the write.
    pub(crate) resource: ResourcePath,
    /// The other one of System and Settings object.
    pub(crate) other: Option<ResourcePath>,
    pub(crate) sources: Option<Vec<BootSource>>,
    /// Words that are listed for `BootSourceOverrideEnabled`.
    pub(crate) lifetimes: Option<Vec<String>>,
    /// Words that are listed for `BootSourceOverrideMode`.
    pub(crate) modes: Option<Vec<String>>,
    pub(crate) tag_rule: Option<TagRule>,
    /// The mode property exists.
    pub(crate) carries_mode: bool,
    /// The mode the resource reports, or the only one it allows.
    pub(crate) mode: Option<String>,
    /// The mode belongs into the request.
    pub(crate) needs_mode: bool,
}

/// Where to write: the Settings object where it carries the target, else the System where that
/// does. The allowable values may be listed in either.
pub(crate) fn route(
    system: &System,
    settings: Option<(&ResourcePath, &Value)>,
    quirks: &[Quirk],
) -> Option<BootRoute> {
    let active = system.boot();
    let pending = settings.map(|(path, resource)| (path, Boot::of(resource)));
    let (resource, other, boot) = match pending {
        Some((path, boot)) if boot.carries_source() => {
            (path.clone(), Some(system.path().clone()), boot)
        }
        _ if active.carries_source() => {
            (system.path().clone(), settings.map(|(path, _)| path.clone()), active)
        }
        _ => return None,
    };
    let pending_sources = pending.and_then(|(_, boot)| boot.sources());
    let mode = boot.mode().or_else(|| active.mode()).or_else(|| boot.only_mode());
    Some(BootRoute {
        resource,
        other,
        sources: boot.sources().or_else(|| active.sources()).or(pending_sources),
        lifetimes: boot.listed(ENABLED).or_else(|| active.listed(ENABLED)),
        modes: boot.listed(MODE).or_else(|| active.listed(MODE)),
        tag_rule: None,
        carries_mode: boot.carries_mode(),
        mode: mode.map(str::to_owned),
        needs_mode: boot.carries_mode() && quirks.contains(&Quirk::WholeBootObject),
    })
}

impl BootRoute {
    /// Refuses what is not in a list the service shows, unless it is asked for all the same.
    pub(crate) fn check(&self, request: &BootRequest) -> Result<(), ErrorKind> {
        if request.unlisted {
            return Ok(());
        }
        if let Some(offered) = &self.sources
            && !offered.contains(&request.source)
        {
            let (wanted, offered) = (request.source.clone(), offered.clone());
            return Err(ErrorKind::BootSourceNotOffered { wanted, offered });
        }
        let lifetime = request.lifetime;
        let lacks = |list: &Vec<String>, word: &str| !list.iter().any(|known| known == word);
        if let Some(offered) = self.lifetimes.as_ref().filter(|list| lacks(list, lifetime.as_str()))
        {
            return Err(ErrorKind::BootSettingNotOffered {
                wanted: lifetime.as_str(),
                offered: offered.clone(),
            });
        }
        if let ModeOption::Set(mode) = request.mode
            && let Some(offered) = self.modes.as_ref().filter(|list| lacks(list, mode.as_str()))
        {
            let offered = offered.clone();
            return Err(ErrorKind::BootSettingNotOffered { wanted: mode.as_str(), offered });
        }
        Ok(())
    }

    /// The mode a request for an override says.
    pub(crate) fn mode_to_send(&self, option: ModeOption) -> Option<String> {
        match option {
            ModeOption::LeaveOut => None,
            ModeOption::AsNeeded => self.mode.clone().filter(|_| self.needs_mode),
            ModeOption::Set(mode) => {
                let unchanged = self.mode.as_deref() == Some(mode.as_str());
                (self.needs_mode || !unchanged).then(|| mode.as_str().to_owned())
            }
        }
    }

    /// The writes that clear an override, the gentlest first. HPE refuses another target than the
    /// one that is set along with `Disabled`; other BMCs keep the override until the target is
    /// `None`, or take nothing without the mode.
    pub(crate) fn unset_ladder(&self) -> Vec<Override> {
        let disabled = |source, mode| Override { source, enabled: OverrideEnabled::Disabled, mode };
        let gentle = disabled(None, None);
        let plain = disabled(Some(BootSource::NONE), None);
        let whole = self.mode.clone().filter(|_| self.carries_mode);
        let whole = whole.map(|mode| disabled(Some(BootSource::NONE), Some(mode)));
        match whole {
            Some(whole) if self.needs_mode => vec![whole, gentle],
            Some(whole) => vec![gentle, plain, whole],
            None => vec![gentle, plain],
        }
    }
}

/// The properties of one write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Override {
    pub(crate) source: Option<BootSource>,
    pub(crate) enabled: OverrideEnabled,
    pub(crate) mode: Option<String>,
}

impl Override {
    pub(crate) fn of(request: &BootRequest, route: &BootRoute) -> Self {
        Self {
            source: Some(request.source.clone()),
            enabled: request.lifetime.enabled(),
            mode: route.mode_to_send(request.mode),
        }
    }

    pub(crate) fn body(&self) -> Value {
        let mut boot = Map::new();
        if let Some(source) = &self.source {
            boot.insert(TARGET.to_owned(), json!(source.as_str()));
        }
        boot.insert(ENABLED.to_owned(), json!(self.enabled.as_str()));
        if let Some(mode) = &self.mode {
            boot.insert(MODE.to_owned(), json!(mode));
        }
        json!({ "Boot": boot })
    }
}

/// One PATCH.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Write {
    pub(crate) resource: ResourcePath,
    pub(crate) properties: Override,
    pub(crate) if_match: IfMatch,
}

/// The writes of one step so far; decides on the next.
#[derive(Debug)]
pub(crate) struct Writes {
    current: Write,
    earlier: Vec<Write>,
    /// The tag as last read; `reread` where that was after a refusal.
    tag: Option<String>,
    reread: bool,
    other: Option<ResourcePath>,
    /// The mode to add where the BMC misses it.
    mode: Option<String>,
    /// The mode, or its absence, is what was asked for.
    mode_is_fixed: bool,
}

/// What to do about a refused write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reaction {
    /// Make the current write, which is another one now.
    Write,
    /// Read the resource for its tag, then ask [`Writes::with_tag`].
    ReadTag,
    /// Wait, then make the same write again.
    Wait,
    GiveUp,
}

impl Writes {
    /// The writes that bring about a request.
    pub(crate) fn of(route: &BootRoute, request: &BootRequest, tag: Option<String>) -> Self {
        Self::begin(route, Override::of(request, route), request.mode, tag)
    }

    pub(crate) fn begin(
        route: &BootRoute,
        properties: Override,
        mode: ModeOption,
        tag: Option<String>,
    ) -> Self {
        let if_match = tag::first(route.tag_rule, tag.as_deref());
        Self {
            current: Write { resource: route.resource.clone(), properties, if_match },
            earlier: Vec::new(),
            tag,
            reread: false,
            other: route.other.clone(),
            mode: route.mode.clone(),
            mode_is_fixed: mode != ModeOption::AsNeeded,
        }
    }

    pub(crate) fn current(&self) -> &Write {
        &self.current
    }

    pub(crate) fn tag(&self) -> Option<&str> {
        self.tag.as_deref()
    }

    /// Whether the mode was added or left out after a refusal.
    pub(crate) fn mode_was_put_right(&self) -> bool {
        self.earlier.iter().any(|write| write.properties.mode != self.current.properties.mode)
    }

    /// The reaction to a refusal of the current write.
    pub(crate) fn refused(&mut self, answer: &Answer) -> Reaction {
        let messages = answer.messages();
        let status = answer.status.as_u16();
        let about = |property| messages.iter().any(|message| message.is_about(property));
        if quirk::is_refused_for_now(status, &messages) {
            return Reaction::Wait;
        }
        if self.earlier.len() + 1 >= MOST_WRITES {
            return Reaction::GiveUp;
        }
        if tag::is_refusal(status, &self.current.if_match, &messages) {
            return self.another_tag();
        }
        if let Some(path) = messages.iter().find_map(quirk::future_state) {
            return self.elsewhere(path);
        }
        if about(MODE) && !self.mode_is_fixed {
            return self.other_mode();
        }
        let is_not_writable = |m: &Message| quirk::is_not_writable(m) && m.is_about("Boot");
        match self.other.clone() {
            Some(other) if status == 405 || messages.iter().any(is_not_writable) => {
                self.elsewhere(other)
            }
            _ => Reaction::GiveUp,
        }
    }

    /// The reaction to a write that was taken and does not show.
    pub(crate) fn not_taken(&mut self) -> Reaction {
        match self.other.clone() {
            Some(other) => self.elsewhere(other),
            None => Reaction::GiveUp,
        }
    }

    /// The reaction after [`Reaction::ReadTag`].
    pub(crate) fn with_tag(&mut self, tag: Option<String>) -> Reaction {
        self.tag = tag;
        self.reread = true;
        self.another_tag()
    }

    fn another_tag(&mut self) -> Reaction {
        let tried: Vec<_> = self
            .earlier
            .iter()
            .chain([&self.current])
            .filter(|write| write.resource == self.current.resource)
            .map(|write| write.if_match.clone())
            .collect();
        let reread = if self.reread { Reread::Shows(self.tag.as_deref()) } else { Reread::NotYet };
        match tag::next(&tried, reread) {
            Some(TagStep::ReadTag) => Reaction::ReadTag,
            Some(TagStep::Send(if_match)) => self.write(Write { if_match, ..self.current.clone() }),
            None => Reaction::GiveUp,
        }
    }

    /// Without the mode where it was sent, with it where it was not; each once.
    fn other_mode(&mut self) -> Reaction {
        if self.mode_was_put_right() {
            return Reaction::GiveUp;
        }
        let mode = match self.current.properties.mode {
            Some(_) => None,
            None => Some(self.mode.clone().unwrap_or_else(|| "UEFI".to_owned())),
        };
        let properties = Override { mode, ..self.current.properties.clone() };
        self.write(Write { properties, ..self.current.clone() })
    }

    /// The same on another resource, whose tag is not known.
    fn elsewhere(&mut self, resource: ResourcePath) -> Reaction {
        let is_same = |write: &Write| write.resource.is_same_resource(&resource);
        if is_same(&self.current) || self.earlier.iter().any(is_same) {
            return Reaction::GiveUp;
        }
        self.tag = None;
        self.reread = false;
        self.write(Write { resource, if_match: IfMatch::Absent, ..self.current.clone() })
    }

    fn write(&mut self, write: Write) -> Reaction {
        self.earlier.push(std::mem::replace(&mut self.current, write));
        Reaction::Write
    }
}

/// How a read-back compares with what was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
    Equal,
    /// As asked for, but `Continuous` instead of `Once`.
    Continuous,
    Different,
}

pub(crate) fn compare(request: &BootRequest, read: &BootOverride, quirks: &[Quirk]) -> Comparison {
    let Some(source) = &read.source else { return Comparison::Different };
    if *source != request.source && !quirk::reads_as(quirks, &request.source, source) {
        return Comparison::Different;
    }
    if let (ModeOption::Set(mode), Some(shown)) = (request.mode, &read.mode)
        && !shown.eq_ignore_ascii_case(mode.as_str())
    {
        return Comparison::Different;
    }
    match (request.lifetime, &read.enabled) {
        (lifetime, Some(enabled)) if *enabled == lifetime.enabled() => Comparison::Equal,
        (Lifetime::Once, Some(OverrideEnabled::Continuous)) => Comparison::Continuous,
        _ => Comparison::Different,
    }
}
