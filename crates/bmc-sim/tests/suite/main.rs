//! The simulator as its clients see it.
