//! The installer's syslog.

/// `rsyslog.conf(5)`: everything into `/var/log/syslog`, in the traditional format.
pub(crate) const RSYSLOG_CONF: &str = r#"module(load="imuxsock" SysSock.Use="off")
input(type="imuxsock" Socket="/dev/log" CreatePath="on")
global(workDirectory="/var/spool/rsyslog")
module(load="builtin:omfile" Template="RSYSLOG_TraditionalFileFormat")
*.* /var/log/syslog
"#;
