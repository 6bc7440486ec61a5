//! A list of changes.

use std::collections::BTreeMap;
use std::net::Ipv6Addr;
use std::ops::Range;
use std::path::Path;

use crate::config_set::ConfigSet;
use crate::document::Document;
use crate::edit::editable::{Editable, Sealed as _};
use crate::edit::error::EditError;
use crate::edit::insertion::{Insertion, at_end, host_at_end, host_behind};
use crate::edit::lines::whole;
use crate::edit::snippet;
use crate::edit::splice::Splices;
use crate::hardware::HardwareAddress;
use crate::host::Host;
use crate::place::Place;
use crate::setting::{Scope, Setting, Wanted};
use crate::statement_view::Statement;
use crate::tree::{ROOT, StatementKind};
use crate::world::Id;

/// A list of changes to one document, or to all files of a configuration.
///
/// Each change names a few bytes to replace; [`finish`](Self::finish) applies them all and reads
/// the result again, so that a change that breaks the syntax is an error and never a file. What is
/// handed in is checked to be one name, one value or one statement: `"b { } host c"` is no name.
/// New statements take the indentation and line ends of their neighbours.
///
/// ```
/// use dhcpd_conf::{Document, Edit};
/// let document = Document::parse("# exe1, rack 7\nhost exe1 { }\nhost exe2 {\n\tfilename \"a\";\n}\n")?;
/// let mut edit = Edit::new(&document);
/// edit.remove_host(document.hosts_named("exe1").next().unwrap());
/// edit.set_parameter(document.hosts_named("exe2").next().unwrap(), "next-server", "10.0.0.2");
/// assert_eq!(edit.finish().unwrap(), b"host exe2 {\n\tfilename \"a\";\n\tnext-server 10.0.0.2;\n}\n");
/// # Ok::<(), dhcpd_conf::ParseErrors>(())
/// ```
///
/// Across includes, the result is the files to write:
///
/// ```
/// use dhcpd_conf::{ConfigSet, Edit};
/// let read = |path: &std::path::Path| match path.to_str() {
///     Some("/main") => Ok("include \"/hosts\";"),
///     Some("/hosts") => Ok("host exe1 { }\n"),
///     _ => Err("no such file"),
/// };
/// let set = ConfigSet::load("/main", |path| read(path).map(Vec::from))?;
/// let mut edit = Edit::new(&set);
/// edit.rename_host(set.hosts_named("exe1").next().unwrap(), "exe2");
/// let files = edit.finish().unwrap();
/// assert_eq!(files.len(), 1);
/// assert_eq!((files[0].path().to_str(), files[0].source()), (Some("/hosts"), &b"host exe2 { }\n"[..]));
/// # Ok::<(), dhcpd_conf::LoadErrors<&str>>(())
/// ```
#[derive(Debug)]
pub struct Edit<'d, C = Document> {
    of: &'d C,
    /// By file; a file that is there twice has one list, under its first number.
    splices: BTreeMap<u32, Splices>,
    /// Names that hosts get.
    names: Vec<String>,
    /// The first change that cannot be made.
    refused: Option<EditError>,
}

impl<'d, C: Editable> Edit<'d, C> {
    /// No changes yet, to a [`Document`] or a [`ConfigSet`](crate::ConfigSet). The views that the
    /// changes name have to come from it.
    pub fn new(of: &'d C) -> Self {
        Self { of, splices: BTreeMap::new(), names: Vec::new(), refused: None }
    }

    /// Removes a host with the comment lines directly above it and what is left of its lines.
    pub fn remove_host(&mut self, host: Host<'d>) -> &mut Self {
        self.remove(host.statement())
    }

    /// Gives a host another name.
    pub fn rename_host(&mut self, host: Host<'d>, name: &str) -> &mut Self {
        self.names_host(name);
        let node = host.statement().node();
        let range = node.name_start as usize..node.name_end as usize;
        self.splice(host.into(), range, name.into())
    }

    /// Adds a host at the end of a scope. `statements` are written one a line, as they are; on one
    /// line, if the last host of the scope stands on one.
    ///
    /// ```
    /// use dhcpd_conf::{Document, Edit, HardwareAddress, HardwareType};
    /// let document = Document::parse("group {\n\thost exe1 {\n\t\tuid 1;\n\t}\n}\n")?;
    /// let mut edit = Edit::new(&document);
    /// edit.add_host(document.groups()[0], "exe2", &["hardware ethernet 2:0:0:0:0:2;"]);
    /// let changed = String::from_utf8(edit.finish().unwrap()).unwrap();
    /// assert!(changed.ends_with("\t}\n\thost exe2 {\n\t\thardware ethernet 2:0:0:0:0:2;\n\t}\n}\n"));
    /// # Ok::<(), dhcpd_conf::ParseErrors>(())
    /// ```
    pub fn add_host(
        &mut self,
        scope: impl Into<Scope<'d>>,
        name: &str,
        statements: &[&str],
    ) -> &mut Self {
        self.add(scope.into(), name, statements)
    }

    /// As [`add_host`](Self::add_host), behind another statement.
    pub fn add_host_behind(
        &mut self,
        before: Statement<'d>,
        name: &str,
        statements: &[&str],
    ) -> &mut Self {
        self.names_host(name);
        self.checks(statements);
        self.insert(Scope::of(before), host_behind(before, name, statements))
    }

    fn add(&mut self, scope: Scope<'d>, name: &str, statements: &[&str]) -> &mut Self {
        self.names_host(name);
        self.checks(statements);
        self.insert(scope, host_at_end(scope, name, statements))
    }

    /// Sets a host's hardware address.
    pub fn set_hardware(&mut self, host: Host<'d>, address: &HardwareAddress) -> &mut Self {
        let value = format!("{} {address}", address.hardware_type());
        self.set_own(host, StatementKind::Hardware, "hardware", &value)
    }

    /// Sets a host's fixed addresses: addresses of one family, or names for IPv4, written with commas
    /// between them.
    pub fn set_fixed_addresses(&mut self, host: Host<'d>, addresses: &[&str]) -> &mut Self {
        let six = addresses.iter().any(|address| address.parse::<Ipv6Addr>().is_ok());
        let keyword = if six { "fixed-address6" } else { "fixed-address" };
        self.set_own(host, StatementKind::FixedAddress, keyword, &addresses.join(", "))
    }

    /// Sets a server parameter of a host or another scope: its last unconditional statement that is
    /// no `default`, `append` or `prepend` gets the new value, or a new statement is added at the
    /// end of the scope. `value` is written as it is, so text has to stand in quotes: see
    /// [`quoted`](crate::quoted). An expression begins with its `=`.
    pub fn set_parameter(
        &mut self,
        scope: impl Into<Scope<'d>>,
        name: &str,
        value: &str,
    ) -> &mut Self {
        let scope = scope.into();
        let statement = format!("{name} {value};");
        self.check(&statement, Place::Group, StatementKind::Parameter);
        self.set(scope, Wanted::Parameter(name), &statement, value)
    }

    /// As [`set_parameter`](Self::set_parameter), for an option.
    pub fn set_option(
        &mut self,
        scope: impl Into<Scope<'d>>,
        name: &str,
        value: &str,
    ) -> &mut Self {
        let scope = scope.into();
        let statement = format!("option {name} {value};");
        self.check(&statement, Place::Group, StatementKind::Option);
        self.set(scope, Wanted::Option(name), &statement, value)
    }

    /// Removes a server parameter from a scope: all statements that set it right there, not those
    /// under a condition.
    pub fn remove_parameter(&mut self, scope: impl Into<Scope<'d>>, name: &str) -> &mut Self {
        self.remove_own(scope.into(), Wanted::Parameter(name))
    }

    /// As [`remove_parameter`](Self::remove_parameter), for an option.
    pub fn remove_option(&mut self, scope: impl Into<Scope<'d>>, name: &str) -> &mut Self {
        self.remove_own(scope.into(), Wanted::Option(name))
    }

    /// Removes a statement with the comment lines directly above it.
    pub fn remove(&mut self, statement: Statement<'d>) -> &mut Self {
        self.splice(Scope::of(statement), whole(statement), Vec::new())
    }

    /// What the changes result in: for a document its changed source, for a configuration the
    /// files to write.
    pub fn finish(&self) -> Result<C::Changed, EditError> {
        match &self.refused {
            Some(refused) => Err(refused.clone()),
            None => self.of.changed(&self.splices, &self.names),
        }
    }

    fn set_own(
        &mut self,
        host: Host<'d>,
        kind: StatementKind,
        keyword: &str,
        value: &str,
    ) -> &mut Self {
        let statement = format!("{keyword} {value};");
        self.check(&statement, Place::Host, kind);
        match host.statement().children().find(|child| child.kind() == kind) {
            Some(own) if own.is_named(keyword) => self.replace_value(own, value),
            Some(own) => {
                let start = own.span().start();
                self.splice(host.into(), start..value_end(own), format!("{keyword} {value}").into())
            }
            None => self.insert(host.into(), at_end(host.into(), &statement)),
        }
    }

    fn set(
        &mut self,
        scope: Scope<'d>,
        wanted: Wanted<'_>,
        statement: &str,
        value: &str,
    ) -> &mut Self {
        let last = own(scope, wanted).filter(|setting| setting.operator().replaces()).last();
        match last {
            // From the `=` of the old value on, or in front of the new one's.
            Some(setting) if setting.is_expression() || value.starts_with('=') => {
                let statement = setting.statement();
                let start = setting.equals().unwrap_or(statement.node().value as usize);
                self.splice(Scope::of(statement), start..value_end(statement), value.into())
            }
            Some(setting) => self.replace_value(setting.statement(), value),
            None => self.insert(scope, at_end(scope, statement)),
        }
    }

    fn remove_own(&mut self, scope: Scope<'d>, wanted: Wanted<'_>) -> &mut Self {
        let settings: Vec<_> = own(scope, wanted).collect();
        for setting in settings {
            self.remove(setting.statement());
        }
        self
    }

    fn replace_value(&mut self, statement: Statement<'d>, value: &str) -> &mut Self {
        let range = statement.node().value as usize..value_end(statement);
        self.splice(Scope::of(statement), range, value.into())
    }

    fn insert(&mut self, near: Scope<'d>, (at, text): Insertion) -> &mut Self {
        self.splice(near, at..at, text)
    }

    /// Replaces bytes in the file of `near`.
    fn splice(&mut self, near: Scope<'d>, range: Range<usize>, text: Vec<u8>) -> &mut Self {
        let world = self.of.world();
        if !world.is(near.world) {
            self.refuse(Err(EditError::Foreign));
            return self;
        }
        let file = world.first_of_same_path(near.id.file);
        self.splices.entry(file).or_default().push(range, text);
        self
    }

    /// Remembers the name a host gets, which has to be one.
    fn names_host(&mut self, name: &str) {
        self.names.push(name.to_owned());
        self.refuse(snippet::host_name(name));
    }

    fn checks(&mut self, statements: &[&str]) {
        for statement in statements {
            self.refuse(snippet::statement(statement, Place::Host, None));
        }
    }

    fn check(&mut self, statement: &str, place: Place, kind: StatementKind) {
        self.refuse(snippet::statement(statement, place, Some(kind)));
    }

    fn refuse(&mut self, checked: Result<(), EditError>) {
        if let Err(error) = checked {
            self.refused.get_or_insert(error);
        }
    }
}

impl Edit<'_, ConfigSet> {
    /// As [`add_host`](Self::add_host), at the end of a file that is included, or of the main file;
    /// `path` as the reader was asked for it.
    pub fn add_host_to_file(
        &mut self,
        path: impl AsRef<Path>,
        name: &str,
        statements: &[&str],
    ) -> &mut Self {
        let path = path.as_ref();
        let Some(file) = self.of.files().position(|file| file.path() == path) else {
            self.refuse(Err(EditError::NoFile(path.to_owned())));
            return self;
        };
        let file = u32::try_from(file).unwrap_or(ROOT);
        let scope = Scope { world: self.of.world(), id: Id { file, node: ROOT } };
        self.add(scope, name, statements)
    }
}

/// Where the value of a statement ends.
fn value_end(statement: Statement<'_>) -> usize {
    statement.node().value as usize + statement.value().len()
}

/// The settings that stand right in `scope`, under no condition.
fn own<'d>(scope: Scope<'d>, wanted: Wanted<'_>) -> impl Iterator<Item = Setting<'d>> {
    let settings = scope.settings().filter(move |setting| wanted.is(*setting));
    settings.filter(|setting| setting.condition().is_none())
}
