//! Fields of the original format that nothing here reads.

/// Accepted and named by `config validate`, absent from the schema: dotted paths below `spec`.
///
/// A field leaves this list when something reads it.
pub(crate) const UNREAD: [(super::Kind, &str); 14] = [
    (super::Kind::Site, "bmc.ipmi.passwordTransport"),
    (super::Kind::Site, "services.http.root"),
    (super::Kind::Site, "services.http.baseUrl"),
    (super::Kind::Site, "services.http.archive"),
    (super::Kind::Site, "services.mail"),
    (super::Kind::Site, "services.cinc.archive"),
    (super::Kind::Site, "fanout.offload"),
    (super::Kind::Site, "fanout.offloadAbove"),
    (super::Kind::Site, "fanout.hub"),
    (super::Kind::Cluster, "slurm.partitions"),
    (super::Kind::Cluster, "slurm.json"),
    (super::Kind::Workstation, "pager"),
    (super::Kind::Workstation, "description"),
    (super::Kind::Cluster, "description"),
];
