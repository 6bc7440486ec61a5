//! A whole site on one machine: real components for the end-to-end tests.
