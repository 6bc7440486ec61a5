//! age files and sops documents decrypted into memory that is wiped.
