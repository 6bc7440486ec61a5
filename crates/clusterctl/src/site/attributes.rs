//! What is written of a node: key and value.

/// Attributes in the order of their keys. A node has few, and ten thousand nodes have a tree's empty
/// room ten thousand times: they are kept in a list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Attributes {
    list: Vec<(String, String)>,
}

impl Attributes {
    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&str> {
        let index = self.place(key).ok()?;
        Some(&self.list[index].1)
    }

    /// Sets a key.
    pub fn insert(&mut self, key: &str, value: &str) {
        match self.place(key) {
            Ok(index) => value.clone_into(&mut self.list[index].1),
            Err(index) => {
                self.list.reserve_exact(1);
                self.list.insert(index, (key.to_owned(), value.to_owned()));
            }
        }
    }

    /// All of them, by key.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.list.iter().map(|(key, value)| (key.as_str(), value.as_str()))
    }

    fn place(&self, key: &str) -> Result<usize, usize> {
        self.list.binary_search_by(|(known, _)| known.as_str().cmp(key))
    }
}

impl<'a> FromIterator<(&'a str, &'a str)> for Attributes {
    fn from_iter<I: IntoIterator<Item = (&'a str, &'a str)>>(pairs: I) -> Attributes {
        let mut attributes = Attributes::default();
        pairs.into_iter().for_each(|(key, value)| attributes.insert(key, value));
        attributes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_value_of_a_key_stays_and_keys_are_in_order() {
        let attributes: Attributes = [("b", "1"), ("a", "2"), ("b", "3")].into_iter().collect();
        assert_eq!(attributes.iter().collect::<Vec<_>>(), [("a", "2"), ("b", "3")]);
        assert_eq!((attributes.get("b"), attributes.get("c")), (Some("3"), None));
    }
}
