//! Where a boot override is written before the Settings object of a known firmware was read.

use super::boot::BootRoute;
use super::tag::TagRule;
use crate::quirk::Quirk;
use crate::{BootRequest, BootSource, ModeOption, System};

/// The route of firmware whose Settings object is known to take the override: it saves a read, and
/// what it leads to is read back. Nothing where more has to be known first: a source that is not
/// listed, another mode than the usual one, a mode that is needed and not known.
pub(crate) fn route(system: &System, request: &BootRequest, quirks: &[Quirk]) -> Option<BootRoute> {
    let knows = |quirk| quirks.contains(&quirk);
    if !knows(Quirk::SettingsTakeOverride) || request.mode != ModeOption::AsNeeded {
        return None;
    }
    let active = system.boot();
    let sources = active.sources();
    let is_listed = match &sources {
        Some(listed) => listed.contains(&request.source),
        None => request.source == BootSource::PXE,
    };
    if !is_listed || request.unlisted {
        return None;
    }
    let needs_mode = knows(Quirk::WholeBootObject) && active.carries_mode();
    let only_mode = knows(Quirk::OnlyUefi).then_some("UEFI");
    let mode = active.mode().or(only_mode).map(str::to_owned);
    if needs_mode && mode.is_none() {
        return None;
    }
    Some(BootRoute {
        resource: system.settings()?,
        other: Some(system.path().clone()),
        sources,
        lifetimes: None,
        modes: None,
        tag_rule: knows(Quirk::WantsAnyTag).then_some(TagRule::Any),
        carries_mode: active.carries_mode(),
        mode,
        needs_mode,
    })
}
