//! `sshd_config(5)` of every host.

/// Root by key only.
pub(crate) const SSHD_CONFIG: &str = "\
Port 22
AddressFamily inet
HostKey /etc/ssh/ssh_host_ed25519_key
PidFile /run/sshd.pid
PermitRootLogin prohibit-password
PasswordAuthentication no
KbdInteractiveAuthentication no
UsePAM no
UseDNS no
PermitUserRC no
PrintMotd no
PrintLastLog no
MaxStartups 1000
Subsystem sftp internal-sftp
";
