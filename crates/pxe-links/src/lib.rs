//! Boot links of a PXE service and GRUB: plan, script, report.
