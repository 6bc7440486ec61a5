//! The tree of statements: a flat list of nodes in file order, each a range of the source.

/// What a statement is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StatementKind {
    /// `include "FILE";`
    Include,
    /// `host NAME { … }`
    Host,
    /// `group [NAME] { … }`
    Group,
    /// `shared-network NAME { … }`
    SharedNetwork,
    /// `subnet ADDRESS netmask MASK { … }` or `subnet6 ADDRESS/LENGTH { … }`
    Subnet,
    /// `pool { … }` or `pool6 { … }`
    Pool,
    /// `class "NAME" { … }`
    Class,
    /// `subclass "NAME" DATA;` or `{ … }`
    Subclass,
    /// `failover peer NAME { … }` or a reference to one.
    Failover,
    /// `zone NAME { … }`
    Zone,
    /// `key NAME { … }`
    Key,
    /// A whole chain of `if`, `elsif` and `else`; its children are the [`Branch`](Self::Branch)es.
    Conditional,
    /// One branch of a conditional: its name is the condition, empty after `else`.
    Branch,
    /// `switch (EXPRESSION) { … }`
    Switch,
    /// `case EXPRESSION:` or `default:`
    Label,
    /// `on EVENT { … }`
    On,
    /// `define NAME (…) { … }`
    Function,
    /// `hardware TYPE OCTETS;`
    Hardware,
    /// `fixed-address …;`, `fixed-address6 …;`
    FixedAddress,
    /// `fixed-prefix6 …;`
    FixedPrefix,
    /// `uid …;`
    Uid,
    /// `host-identifier …;`
    HostIdentifier,
    /// `group NAME;` inside a host.
    GroupReference,
    /// `range …;`, `range6 …;` or `prefix6 …;`
    Range,
    /// A server parameter, such as `filename` or `next-server`.
    Parameter,
    /// `option NAME VALUE;`, also with `supersede`, `append`, `prepend`, `default` or `send`.
    Option,
    /// `option NAME code NUMBER = TYPE;`
    OptionDefinition,
    /// `option space NAME …;`
    OptionSpace,
    /// `allow …;`, `deny …;`, `ignore …;`
    Permit,
    /// `authoritative;` or `not authoritative;`
    Authoritative,
    /// Any other executable statement: `set`, `log`, `execute`, `break`, …
    Executable,
    /// Any other declaration, such as `match` in a class or `interface` in a subnet.
    Other,
    /// `% … ;`, which the server ignores.
    Ignored,
    /// A statement with a syntax error; only documents that were read in spite of errors have it.
    Invalid,
}

/// How an option statement treats a value set further out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Operator {
    /// Plain `option` or parameter: replaces it.
    #[default]
    Set,
    /// `supersede`: replaces it.
    Supersede,
    /// `send`: replaces it.
    Send,
    /// `default`: gives way to it.
    Default,
    /// `append`: goes behind it.
    Append,
    /// `prepend`: goes before it.
    Prepend,
}

impl Operator {
    /// Whether the value is what it was set to, whatever was set before.
    pub(crate) fn replaces(self) -> bool {
        matches!(self, Self::Set | Self::Supersede | Self::Send)
    }
}

/// No parent: a statement of the outermost scope.
pub(crate) const ROOT: u32 = u32::MAX;

/// One statement. Offsets are bytes of the source.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Node {
    pub(crate) kind: StatementKind,
    pub(crate) operator: Operator,
    pub(crate) start: u32,
    /// Behind the `;` or `}`.
    pub(crate) end: u32,
    pub(crate) name_start: u32,
    pub(crate) name_end: u32,
    /// Where the value begins; for a block, behind its `{`.
    pub(crate) value: u32,
    pub(crate) parent: u32,
    /// The index behind this node's last descendant.
    pub(crate) next: u32,
}
