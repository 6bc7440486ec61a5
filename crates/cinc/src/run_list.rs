//! What a client converges.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// A run list: roles and recipes, separated by commas.
///
/// ```
/// use cinc::RunList;
///
/// let list: RunList = "role[exe],recipe[ntp::default],base@1.2.0".parse()?;
/// assert_eq!(list.items().collect::<Vec<_>>(), ["role[exe]", "recipe[ntp::default]", "base@1.2.0"]);
/// assert!("role[exe".parse::<RunList>().is_err());
/// # Ok::<(), cinc::RunListError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RunList(String);

/// Why a text is no run list.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RunListError {
    /// There is no item, or an empty one between commas.
    #[error("the run list has an empty item")]
    Empty,
    /// Neither `role[NAME]`, `recipe[NAME]` nor a recipe's name.
    #[error("{item:?} is neither role[NAME], recipe[NAME] nor the name of a recipe")]
    Item {
        /// The item.
        item: String,
    },
}

impl RunList {
    /// The list as it was given.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Its items.
    pub fn items(&self) -> impl Iterator<Item = &str> {
        self.0.split(',').map(str::trim)
    }
}

impl FromStr for RunList {
    type Err = RunListError;

    /// Blanks around items are allowed and kept.
    fn from_str(text: &str) -> Result<RunList, RunListError> {
        for item in text.split(',') {
            if item.contains(|c: char| c != ' ' && c.is_whitespace()) {
                return Err(RunListError::Item { item: item.to_owned() });
            }
            let item = item.trim_matches(' ');
            if item.is_empty() {
                return Err(RunListError::Empty);
            }
            let inner = ["role[", "recipe["].iter().find_map(|kind| item.strip_prefix(kind));
            let name = match inner {
                Some(inner) => inner.strip_suffix(']').unwrap_or_default(),
                None => item,
            };
            // Names of roles and cookbooks, `::` before a recipe, `@` before a version.
            let plain = |c: char| c.is_ascii_alphanumeric() || "_-.:@".contains(c);
            if name.is_empty() || name.starts_with('-') || !name.chars().all(plain) {
                return Err(RunListError::Item { item: item.to_owned() });
            }
        }
        Ok(RunList(text.to_owned()))
    }
}

impl fmt::Display for RunList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
