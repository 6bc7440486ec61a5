//! `sshd_config(5)` of every host.

/// Root by key only. One key exchange everywhere, so that speed is compared like with like.
pub(crate) const SSHD_CONFIG: &str = "\
Port 22
AddressFamily inet
HostKey /etc/ssh/ssh_host_ed25519_key
PidFile /run/sshd.pid
KexAlgorithms curve25519-sha256
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
