//! `slurm.conf(5)` of the site.

use crate::plan::{Plan, Role};

/// Where Slurm's programs look for it.
pub(crate) const SLURM_CONF: &str = "etc/slurm/slurm.conf";

/// Without munge and control groups, which a lab has no use for; `ReturnToService=1` keeps a node
/// that was set down by hand down.
pub(crate) fn slurm_conf(plan: &Plan) -> String {
    let controller = plan.role(Role::Login).map_or("login", |host| &host.name);
    let last = plan.nodes().count();
    format!(
        "\
ClusterName=cluster1
SlurmctldHost={controller}
SlurmUser=root
AuthType=auth/none
CredType=cred/none
StateSaveLocation=/var/spool/slurmctld
SlurmdSpoolDir=/var/spool/slurmd
SlurmctldPidFile=/run/slurmctld.pid
SlurmdPidFile=/run/slurmd.pid
SlurmctldLogFile=/var/log/slurmctld.log
SlurmdLogFile=/var/log/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
ReturnToService=1
SlurmdTimeout=300
SlurmdParameters=config_overrides
NodeName=exe[0001-{last:04}] CPUs=4 RealMemory=1000 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"
    )
}
