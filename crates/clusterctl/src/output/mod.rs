//! What a command prints, as a value; rendering is one step at the end.

pub mod escape;
