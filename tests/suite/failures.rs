//! What a failed reinstall leaves, step by fault.
