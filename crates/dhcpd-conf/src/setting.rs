//! Parameters and options: their values, where they stand, which of them counts.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use crate::group::{Class, Group, Subclass};
use crate::host::Host;
use crate::index::is_conditional;
use crate::lex::{Quoted, string, trivia, word};
use crate::option_statement::{number, option_key};
use crate::statement_view::Statement;
use crate::subnet::{Pool, SharedNetwork, Subnet};
use crate::text::unescape;
use crate::tree::{Operator, ROOT, StatementKind};
use crate::value::{FixedAddress, Identifier, address_or_name, each_octet, ipv6};
use crate::world::{Id, World};

/// A parameter or option statement. A view, cheap to copy.
#[derive(Clone, Copy)]
pub struct Setting<'d>(pub(crate) Statement<'d>);

impl<'d> Setting<'d> {
    /// The statement itself.
    pub fn statement(self) -> Statement<'d> {
        self.0
    }

    /// Whether it is an option; otherwise it is a server parameter.
    pub fn is_option(self) -> bool {
        self.0.kind() == StatementKind::Option
    }

    /// The name as written, with its option space if one is written: `host-name`, `agent.circuit-id`.
    pub fn name(self) -> Cow<'d, str> {
        crate::value::joined(self.0.name())
    }

    /// The name in lower case, and whether it is an option: `server.` options are parameters.
    pub(crate) fn key(self) -> (String, bool) {
        let key = String::from_utf8_lossy(&option_key(self.0.name())).into_owned();
        match key.strip_prefix("server.") {
            Some(parameter) if self.is_option() => (parameter.to_owned(), false),
            _ => (key, self.is_option()),
        }
    }

    /// How it treats a value set further out.
    pub fn operator(self) -> Operator {
        self.0.operator()
    }

    /// Whether dhcpd takes a client identifier from it: not what is only added or a default.
    pub(crate) fn identifies(self) -> bool {
        matches!(self.operator(), Operator::Set | Operator::Supersede)
    }

    /// The value as written.
    pub fn raw(self) -> &'d [u8] {
        self.0.value()
    }

    /// The scope it is set in.
    pub fn scope(self) -> Scope<'d> {
        let mut id = self.0.world.parent(self.0.id);
        while id.node != ROOT && is_conditional(self.0.world.node(id).kind) {
            id = self.0.world.parent(id);
        }
        Scope { world: self.0.world, id }
    }

    /// The innermost block (`if`, `switch`, `on`, function) that decides whether it is set at
    /// all; none if it is set for every client of its scope.
    pub fn condition(self) -> Option<Statement<'d>> {
        self.0.parent().filter(|parent| is_conditional(parent.kind()))
    }

    /// The value, where it is a quoted string or one bare word.
    pub fn text(self) -> Option<Cow<'d, [u8]>> {
        let raw = self.raw();
        if let Ok((rest, Quoted(text))) = string(raw) {
            return rest.is_empty().then(|| unescape(text));
        }
        match word(raw) {
            Ok((rest, word)) if rest.is_empty() && !self.is_expression() => {
                Some(Cow::Borrowed(word))
            }
            _ => None,
        }
    }

    /// The value, where it is octets such as `ff:00:1a`.
    pub fn octets(self) -> Option<Vec<u8>> {
        let mut octets = Vec::new();
        let (rest, ()) = each_octet(self.raw(), |octet| octets.push(octet)).ok()?;
        rest.is_empty().then_some(octets)
    }

    /// The value, where it is addresses or host names; empty where it is not.
    pub fn addresses(self) -> Vec<FixedAddress<'d>> {
        if self.is_expression() { Vec::new() } else { addresses(self.raw()) }
    }

    /// The value as an identifier: text and octets kept apart.
    pub fn identifier(self) -> Identifier<'d> {
        identifier(self.raw())
    }

    /// Whether the value is an expression, set by `=`. Even `= "text"` is one: in place of an
    /// address it stands for its bytes.
    pub fn is_expression(self) -> bool {
        self.equals().is_some()
    }

    /// The offset of the `=` before an expression.
    pub(crate) fn equals(self) -> Option<usize> {
        let node = self.0.node();
        let between = self.0.document().slice(node.name_end, node.value.max(node.name_end));
        // A comment may hold one as well.
        let (rest, ()) = trivia(between).ok()?;
        rest.starts_with(b"=").then(|| node.value as usize - rest.len())
    }
}

impl fmt::Debug for Setting<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.name(), String::from_utf8_lossy(self.raw()))
    }
}

/// Addresses or names separated by commas; empty if `raw` is anything else.
pub(crate) fn addresses(raw: &[u8]) -> Vec<FixedAddress<'_>> {
    let mut list = Vec::new();
    let mut rest = raw;
    loop {
        let parsed = ipv6(rest)
            .map(|(rest, address)| (rest, FixedAddress::Ip(address.into())))
            .or_else(|_| address_or_name(rest));
        let Ok((next, address)) = parsed else { return Vec::new() };
        list.push(address);
        match next {
            [] => return list,
            [b',', behind @ ..] => {
                let Ok((behind, ())) = trivia(behind) else { return Vec::new() };
                rest = behind;
            }
            _ => return Vec::new(),
        }
    }
}

/// A quoted string, octets, or else an expression.
pub(crate) fn identifier(raw: &[u8]) -> Identifier<'_> {
    if let Ok(([], Quoted(text))) = string(raw) {
        return Identifier::Text(unescape(text));
    }
    let mut octets = Vec::new();
    match each_octet(raw, |octet| octets.push(octet)) {
        Ok(([], ())) => Identifier::Octets(octets),
        _ => Identifier::Expression(raw),
    }
}

/// The quoted name of a class, without quotes, and the data of a subclass behind it.
pub(crate) fn class_and_data(text: &[u8]) -> (Cow<'_, [u8]>, Identifier<'_>) {
    match string(text) {
        Ok(([], Quoted(class))) => (unescape(class), Identifier::Text(unescape(class))),
        Ok((data, Quoted(class))) => (unescape(class), identifier(data)),
        Err(_) => (Cow::Borrowed(b""), Identifier::Expression(text)),
    }
}

/// A scope whose parameters and options a host inherits: a block, or the outermost level.
#[derive(Clone, Copy)]
pub struct Scope<'d> {
    pub(crate) world: World<'d>,
    pub(crate) id: Id,
}

impl<'d> Scope<'d> {
    pub(crate) fn of(block: Statement<'d>) -> Self {
        Self { world: block.world, id: block.id }
    }

    /// The block; none for the outermost level.
    pub fn block(self) -> Option<Statement<'d>> {
        (self.id.node != ROOT).then(|| Statement::new(self.world, self.id))
    }

    /// What is set in it, in the order the server runs it: also under conditions, and by files
    /// included in it.
    pub fn settings(self) -> impl DoubleEndedIterator<Item = Setting<'d>> {
        let world = self.world;
        world
            .indexes()
            .scopes(world)
            .settings(self.id)
            .map(move |id| Setting(Statement::new(world, id)))
    }
}

/// A block is the scope of what stands in it.
macro_rules! scope_of {
    ($($view:ident),*) => {
        $(
            impl<'d> From<$view<'d>> for Scope<'d> {
                fn from(view: $view<'d>) -> Self {
                    Self::of(view.statement())
                }
            }
        )*
    };
}

scope_of!(Host, Group, Class, Subclass, Subnet, SharedNetwork, Pool);

impl PartialEq for Scope<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl fmt::Debug for Scope<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.block() {
            Some(block) => write!(f, "{block:?}"),
            None => f.write_str("outermost scope"),
        }
    }
}

/// The value of a parameter or option as a host gets it from its own and the enclosing scopes.
#[derive(Debug, Clone, Default)]
pub struct Effective<'d> {
    fixed: Option<Setting<'d>>,
    changes: Vec<Setting<'d>>,
}

impl<'d> Effective<'d> {
    /// The setting that counts, if no condition and no `append` or `prepend` can change it; also
    /// none where nothing is set.
    pub fn certain(&self) -> Option<Setting<'d>> {
        self.fixed.filter(|_| self.changes.is_empty())
    }

    /// The innermost setting that is set for every client.
    pub fn fixed(&self) -> Option<Setting<'d>> {
        self.fixed
    }

    /// Settings that run after [`fixed`](Self::fixed) and may change the value: those under a
    /// condition, and `append` and `prepend`. In the order the server runs them.
    pub fn changes(&self) -> &[Setting<'d>] {
        &self.changes
    }

    /// Whether nothing sets the value, not even under a condition.
    pub fn is_unset(&self) -> bool {
        self.fixed.is_none() && self.changes.is_empty()
    }

    /// What it is the value of: the name in lower case, and whether it is an option.
    #[cfg(feature = "serde")]
    pub(crate) fn key(&self) -> Option<(String, bool)> {
        self.fixed.or_else(|| self.changes.first().copied()).map(Setting::key)
    }

    /// Runs `settings`, outermost scope first: the last one wins.
    fn run(settings: impl Iterator<Item = Setting<'d>>) -> Self {
        let mut effective = Self::default();
        for setting in settings {
            let replaces = match setting.operator() {
                operator if operator.replaces() => true,
                Operator::Default if effective.fixed.is_some() => continue,
                Operator::Default => effective.changes.is_empty(),
                _ => false,
            };
            if replaces && setting.condition().is_none() {
                effective = Self { fixed: Some(setting), changes: Vec::new() };
            } else {
                effective.changes.push(setting);
            }
        }
        effective
    }
}

/// What is looked for: a parameter or an option, by name.
#[derive(Clone, Copy)]
pub(crate) enum Wanted<'n> {
    Parameter(&'n str),
    Option(&'n str),
}

impl Wanted<'_> {
    pub(crate) fn is(self, setting: Setting<'_>) -> bool {
        let written = setting.0.name();
        match self {
            // `option server.filename "x"` and `supersede server.filename …` set the parameter.
            Self::Parameter(name) if setting.is_option() => {
                let server =
                    written.get(..6).is_some_and(|space| space.eq_ignore_ascii_case(b"server"));
                server && option_key(written).strip_prefix(b"server.") == Some(name.as_bytes())
            }
            Self::Parameter(name) => written.eq_ignore_ascii_case(name.as_bytes()),
            Self::Option(name) => {
                let same = |written: &[u8]| written.eq_ignore_ascii_case(name.as_bytes());
                setting.is_option() && (same(written) || names_option(written, name.as_bytes()))
            }
        }
    }
}

/// Whether two spellings name one option: with the default space or without, with blanks around
/// the dot, by name or by number.
fn names_option(one: &[u8], other: &[u8]) -> bool {
    // Most names have one spelling only, and most options are not the one that is looked for.
    let plain = |name: &[u8]| !name.contains(&b'.') && number(name).is_none();
    !(plain(one) && plain(other)) && option_key(one) == option_key(other)
}

/// All that is set for a host, in the order of the names.
pub(crate) fn all_effective(host: Host<'_>) -> Vec<Effective<'_>> {
    let scopes: Vec<_> = host.scopes().collect();
    let mut by_key: BTreeMap<(String, bool), Vec<Setting<'_>>> = BTreeMap::new();
    for setting in scopes.into_iter().rev().flat_map(Scope::settings) {
        by_key.entry(setting.key()).or_default().push(setting);
    }
    by_key.into_values().map(|settings| Effective::run(settings.into_iter())).collect()
}

pub(crate) fn effective<'d>(host: Host<'d>, wanted: Wanted<'_>) -> Effective<'d> {
    let scopes: Vec<_> = host.scopes().collect();
    let settings = scopes.into_iter().rev().flat_map(Scope::settings);
    Effective::run(settings.filter(|setting| wanted.is(*setting)))
}
