//! Checks that need no running component.

mod all;
mod dependencies;
mod documents;
mod layering;
mod licences;
mod lints;
mod properties;
mod sizes;
mod sources;

pub(crate) use all::all;
