//! Whether the members of a collection may be asked for along with it.

use serde_json::Value;

use crate::Service;

/// Firmware whose `$expand` on collections is trusted where it is announced, each with the reason.
/// Others were seen to drop required properties (DGX H100, GB300) or to refuse the query after an
/// update (iRMC, `check_redfish` issue 20), so that nobody is trusted by default.
const TRUSTED: &[(&str, &str)] = &[
    ("dell", "iDRAC documents it for collections, with one level"),
    ("hpe", "iLO 5 and later document it for collections, with one level"),
    ("lenovo", "XCC announces two levels; confluent expands there"),
    ("supermicro", "X13 announces two levels and has 106 firmware components"),
];

/// The query, where the service announces it and its maker is trusted with it.
///
/// `.` leaves `Links` alone, so that no answer grows beyond the collection (DSP0266, "The $expand
/// query parameter").
pub(crate) fn query(service: &Service) -> Option<&'static str> {
    let vendor = service.vendor()?.to_ascii_lowercase();
    let is_trusted = TRUSTED.iter().any(|(name, _)| vendor.split_whitespace().next() == Some(name));
    let announced = service.feature("ExpandQuery")?;
    let announces = |name: &str| announced.get(name).and_then(Value::as_bool) == Some(true);
    if !is_trusted || !announces("NoLinks") {
        return None;
    }
    Some(if announces("Levels") { "$expand=.($levels=1)" } else { "$expand=." })
}

/// Whether a member came along with these properties, so that it need not be read. An expanded
/// member that lacks one is read on its own.
pub(crate) fn is_whole(member: &Value, needed: &[&str]) -> bool {
    needed.iter().all(|name| member.get(name).is_some())
}
