//! Options that every command takes are written in one place: before the command or behind it.

use std::ffi::OsStr;
use std::sync::{Arc, Mutex, PoisonError};

use clap::builder::TypedValueParser;
use clap::error::ErrorKind;
use clap::{Arg, Command, Error};

/// Reads values as the inner parser does, and refuses an option that was read for another level of
/// the command line before: clap would drop what stands further up.
#[derive(Debug, Clone)]
pub(crate) struct OnePlace<P> {
    inner: P,
    level: Arc<Mutex<Option<String>>>,
}

impl<P: TypedValueParser> OnePlace<P> {
    pub(crate) fn new(inner: P) -> OnePlace<P> {
        OnePlace { inner, level: Arc::default() }
    }
}

impl<P: TypedValueParser> TypedValueParser for OnePlace<P> {
    type Value = P::Value;

    fn parse_ref(
        &self,
        command: &Command,
        option: Option<&Arg>,
        value: &OsStr,
    ) -> Result<P::Value, Error> {
        let here = command.get_name();
        let mut level = self.level.lock().unwrap_or_else(PoisonError::into_inner);
        if level.get_or_insert_with(|| here.to_owned()) != here {
            let option = option.map(ToString::to_string).unwrap_or_default();
            let message = format!("{option} is given twice, before and behind a command\n");
            return Err(Error::raw(ErrorKind::ArgumentConflict, message).with_cmd(command));
        }
        self.inner.parse_ref(command, option, value)
    }
}
