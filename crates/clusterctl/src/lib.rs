//! Administers HPC clusters from a workstation.
