//! What a Redfish error means for a table and for the exit code.

use redfish::{Error, ErrorKind};

use crate::cause::Cause;
use crate::diagnostics;
use crate::exit::ExitClass;

/// The cause, in the words of tables: `unreachable`, `unauthorized`, `not trusted`, `refused`.
pub fn cause_of(error: &Error) -> Cause {
    let detail = diagnostics::chain(error);
    let (class, short) = match error.kind() {
        ErrorKind::NotPermitted => (ExitClass::Interrupted, "not sent"),
        ErrorKind::Certificate(_) => (ExitClass::Unreachable, "not trusted"),
        _ if error.is_unauthorized() => (ExitClass::Unreachable, "unauthorized"),
        _ if error.is_unreachable() => (ExitClass::Unreachable, "unreachable"),
        _ => (ExitClass::Failed, "refused"),
    };
    Cause::new(class, short, detail)
}
