//! How much a document may ask of its reader.

/// Bounds on what is read. The defaults hold any real configuration and stop hostile ones.
///
/// ```
/// let mut limits = dhcpd_conf::Limits::default();
/// limits.depth = 16;
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Longest source in bytes: 256 MiB. Values of 4 GiB and more count as just below 4 GiB.
    pub source_bytes: usize,
    /// Deepest nesting of blocks, and of parentheses within one expression: 64.
    pub depth: usize,
    /// Most statements in one source, and in all files of a configuration together: 20 million,
    /// which take 720 MB.
    pub statements: usize,
    /// Errors after which the rest of a source is not read: 100.
    pub errors: usize,
    /// Most files one configuration may include, each inclusion counted: 10,000.
    pub files: usize,
    /// Longest chain of files that include each other: 64.
    pub include_depth: usize,
    /// Most bytes in all files of a configuration together: 1 GiB.
    pub total_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            source_bytes: 256 << 20,
            depth: 64,
            statements: 20_000_000,
            errors: 100,
            files: 10_000,
            include_depth: 64,
            total_bytes: 1 << 30,
        }
    }
}
