//! Lossless parser and editor for ISC dhcpd.conf.
//!
#![doc = include_str!("../docs/guide.md")]
//!
#![doc = include_str!("../docs/differences.md")]

mod address_range;
mod block_words;
mod config_set;
mod declarations;
mod document;
mod edit;
mod error;
mod expected;
mod expression;
mod fault;
mod format;
mod group;
mod guid;
mod hardware;
mod hint;
mod host;
mod include;
mod index;
mod indexes;
mod layout;
mod lex;
mod limits;
mod line_index;
mod lint;
mod load_error;
mod loader;
mod network;
mod network_index;
mod network_statement;
mod operand;
mod option_codes;
mod option_statement;
mod parser;
mod place;
mod recovery;
mod report;
mod reserved;
mod resolve;
mod setting;
#[cfg(feature = "serde")]
pub mod shape;
#[cfg(feature = "serde")]
mod shape_of;
mod span;
mod statement;
mod statement_view;
mod subnet;
mod text;
mod token;
mod tree;
mod value;
mod words;
mod world;

pub use address_range::AddressRange;
pub use config_set::{ConfigFile, ConfigSet};
pub use document::Document;
pub use edit::{ChangedFile, Edit, EditError, Editable, quoted};
pub use error::{ParseError, ParseErrorKind, ParseErrors};
pub use expected::Expected;
pub use group::{Class, Group, Subclass};
pub use guid::{Guid, NotAGuid};
pub use hardware::{HardwareAddress, HardwareType};
pub use host::Host;
pub use include::Include;
pub use layout::{Layout, LayoutError};
pub use limits::Limits;
pub use lint::{Finding, FindingKind, Severity, Site};
pub use load_error::{IncludeSite, LoadError, LoadErrorKind, LoadErrors};
pub use loader::Loader;
pub use network::Network;
pub use setting::{Effective, Scope, Setting};
pub use span::{Position, Span};
pub use statement_view::Statement;
pub use subnet::{Pool, SharedNetwork, Subnet};
pub use tree::{Operator, StatementKind};
pub use value::{FixedAddress, Identifier};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
