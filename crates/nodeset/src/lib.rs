//! Node sets in ClusterShell syntax: parse, fold, expand, set algebra.
