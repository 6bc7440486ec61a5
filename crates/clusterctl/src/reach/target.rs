//! Where a request runs.

/// A host to log in to, with everything the configuration says about reaching it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Target {
    /// How the person calls it: a node's name or a role's name; shown in messages.
    pub name: String,
    /// The host name or address that is connected to and looked up among the host keys.
    pub host: String,
    /// The account; `None` leaves it to the user's ssh configuration, then the local user.
    pub user: Option<String>,
    /// The port; `None` leaves it to the user's ssh configuration, then 22.
    pub port: Option<u16>,
    /// The host to jump through, with its own account and its own checked key.
    pub jump: Option<Box<Target>>,
    /// Extra `ssh_config` options of the role, in order (`ssh_config(5)` keyword, value).
    pub options: Vec<(String, String)>,
}

impl Target {
    /// A target with nothing but a name and a host.
    pub fn new(name: impl Into<String>, host: impl Into<String>) -> Target {
        Target {
            name: name.into(),
            host: host.into(),
            user: None,
            port: None,
            jump: None,
            options: Vec::new(),
        }
    }
}
