//! The clusterctl program.

fn main() {}
