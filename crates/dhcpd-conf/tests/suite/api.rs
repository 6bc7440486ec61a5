//! What the public types promise: threads may share them, and everything shows itself.

use std::error::Error;
use std::fmt::Debug;

use dhcpd_conf::*;

fn shared<T: Send + Sync + Debug>() {}

fn error<T: Error + Send + Sync + 'static>() {}

#[test]
fn documents_and_views_go_between_threads() {
    shared::<Document>();
    shared::<ConfigSet>();
    shared::<Loader>();
    shared::<Limits>();
    shared::<Layout>();
    shared::<Edit<'_>>();
    shared::<Edit<'_, ConfigSet>>();
    shared::<ChangedFile>();
    shared::<Statement<'_>>();
    shared::<Host<'_>>();
    shared::<Subnet<'_>>();
    shared::<SharedNetwork<'_>>();
    shared::<Pool<'_>>();
    shared::<AddressRange<'_>>();
    shared::<Group<'_>>();
    shared::<Class<'_>>();
    shared::<Subclass<'_>>();
    shared::<Include<'_>>();
    shared::<Scope<'_>>();
    shared::<Setting<'_>>();
    shared::<Effective<'_>>();
    shared::<FixedAddress<'_>>();
    shared::<Identifier<'_>>();
    shared::<HardwareAddress>();
    shared::<Guid>();
    shared::<Finding>();
}

#[test]
fn errors_are_errors_that_can_be_boxed() {
    error::<ParseErrors>();
    error::<ParseError>();
    error::<LoadErrors<std::io::Error>>();
    error::<LoadError<std::io::Error>>();
    error::<EditError>();
    error::<LayoutError>();
    error::<NotAGuid>();
}
