//! The indicator LED.

use super::Bmc;
use super::exchange::Run;
use crate::plan::indicator::{is_not_the_one, writes};
use crate::plan::tag::tag_of;
use crate::{Change, Delivery, Error, Indicator, IndicatorAction, ResourcePath, System, Transport};

/// Chassis of a system that are looked at.
const MOST_CHASSIS: usize = 4;

impl<T: Transport> Bmc<T> {
    /// The indicator LED: of the system, or of its chassis where the system shows none (DL360
    /// Gen12).
    pub fn indicator(&self) -> Result<Indicator, Error> {
        let run = self.begin();
        let system = self.read_system(&run)?;
        let found = match of_system(&system) {
            Some(found) => Some(found),
            None => self.chassis_indicators(&run, &system)?.into_iter().next(),
        };
        found.ok_or_else(|| self.not_there("indicator LED"))
    }

    /// Switches the indicator LED and reads it back. Nothing is sent where it shows that already.
    ///
    /// Of the properties there are one is written; another only after the BMC refused that one as
    /// not writable.
    pub fn set_indicator(&self, action: IndicatorAction) -> Result<Change<Indicator>, Error> {
        let run = self.begin();
        let system = self.read_system(&run)?;
        let mut indicators: Vec<_> = of_system(&system).into_iter().collect();
        if writes(&indicators, action).is_empty() {
            indicators.extend(self.chassis_indicators(&run, &system)?);
        }
        let Some(shown) = indicators.first() else { return Err(self.not_there("indicator LED")) };
        if shown.shows(action) {
            return Ok(Change::Already(shown.clone()));
        }
        let mut last = Err(self.not_there("indicator LED that blinks"));
        for write in writes(&indicators, action) {
            let sent = self.patch(&run, &write.resource, &write.body, write.etag.as_deref());
            match sent {
                Err(refused) if is_refused_as_the_wrong_one(&refused) => last = Err(refused),
                sent => {
                    let read = || self.read_indicator(&run, &write.resource);
                    let holds = |shown: &Indicator| shown.shows(action);
                    return self.prove(&run, sent.map(drop), read, holds);
                }
            }
        }
        last
    }

    fn chassis_indicators(&self, run: &Run, system: &System) -> Result<Vec<Indicator>, Error> {
        let mut found = Vec::new();
        for path in self.chassis_of(run, system)?.into_iter().take(MOST_CHASSIS) {
            let Some(answer) = self.resource_if_there(run, &path)? else { continue };
            let tag = tag_of(answer.header(http::header::ETAG), answer.resource());
            let resource = answer.resource();
            found.extend(resource.and_then(|it| Indicator::of(&path, it, tag.as_deref())));
        }
        Ok(found)
    }

    fn read_indicator(&self, run: &Run, path: &ResourcePath) -> Result<Indicator, Error> {
        let answer = self.resource(run, path)?;
        let shown = answer.resource().and_then(|resource| Indicator::of(path, resource, None));
        shown.ok_or_else(|| self.not_there("indicator LED"))
    }
}

fn of_system(system: &System) -> Option<Indicator> {
    Indicator::of(system.path(), system.as_json(), system.etag())
}

fn is_refused_as_the_wrong_one(error: &Error) -> bool {
    let status = error.status().unwrap_or_default();
    error.delivery() == Delivery::Answered && is_not_the_one(status, error.messages())
}
