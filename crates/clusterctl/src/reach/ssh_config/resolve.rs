//! What the files say of one host.

use std::collections::HashMap;

use crate::hostkeys::wildcard;
use crate::reach::ssh_config::file::{Item, SshConfig};

/// Whom the files are asked about.
#[derive(Debug, Clone)]
pub(in crate::reach) struct Question<'a> {
    /// The host as the caller names it.
    pub host: &'a str,
    /// The account, if the caller names one.
    pub user: Option<&'a str>,
    /// The account of the person here.
    pub local_user: &'a str,
}

/// Settings of one host: the first value of a keyword counts, some keywords collect.
#[derive(Debug, Clone, Default)]
pub(in crate::reach) struct Values {
    first: HashMap<String, Vec<String>>,
    identities: Vec<String>,
    /// A criterion of `Match` that only ssh can decide.
    pub undecided: Option<String>,
}

impl Values {
    /// The arguments of a keyword, given in lower case.
    pub(in crate::reach) fn all(&self, keyword: &str) -> Option<&[String]> {
        self.first.get(keyword).map(Vec::as_slice)
    }

    /// The first argument of a keyword, given in lower case.
    pub(in crate::reach) fn one(&self, keyword: &str) -> Option<&str> {
        self.all(keyword)?.first().map(String::as_str)
    }

    /// The identity files, in order.
    pub(in crate::reach) fn identities(&self) -> &[String] {
        &self.identities
    }

    /// Every keyword that has a value.
    pub(in crate::reach) fn each(&self) -> impl Iterator<Item = (&str, &[String])> {
        self.first.iter().map(|(keyword, words)| (keyword.as_str(), words.as_slice()))
    }

    /// Sets a keyword unless it has a value already.
    pub(in crate::reach) fn set(&mut self, keyword: &str, words: Vec<String>) {
        if keyword == "identityfile" {
            for word in words {
                if !self.identities.contains(&word) {
                    self.identities.push(word);
                }
            }
        } else {
            self.first.entry(keyword.to_owned()).or_insert(words);
        }
    }
}

impl SshConfig {
    /// Adds to `values` what the files say; what stands there already wins.
    pub(in crate::reach) fn apply(&self, question: &Question<'_>, values: &mut Values) {
        let mut walk = Walk { question, values, is_final: false, wants_final: false };
        for items in &self.files {
            walk.items(items, true);
        }
        if walk.wants_final {
            walk.is_final = true;
            for items in &self.files {
                walk.items(items, true);
            }
        }
    }
}

struct Walk<'a> {
    question: &'a Question<'a>,
    values: &'a mut Values,
    is_final: bool,
    wants_final: bool,
}

impl Walk<'_> {
    fn items(&mut self, items: &[Item], outer: bool) {
        let mut active = outer;
        for item in items {
            match item {
                Item::Host(patterns) => active = outer && is_listed(patterns, &self.host_pattern()),
                Item::Match(criteria) => active = outer && self.matches(criteria),
                Item::Include(files) => {
                    for file in files {
                        self.items(file, active);
                    }
                }
                Item::Set(keyword, words) if active => self.values.set(keyword, words.clone()),
                Item::Set(..) => {}
            }
        }
    }

    /// What `Host` compares with: the name as given, in the final pass the name connected to.
    fn host_pattern(&self) -> String {
        if self.is_final { self.host_name() } else { self.question.host.to_owned() }
    }

    fn host_name(&self) -> String {
        let host = self.question.host;
        self.values.one("hostname").map_or_else(|| host.to_owned(), |name| expand_host(name, host))
    }

    fn matches(&mut self, criteria: &[String]) -> bool {
        let mut result = true;
        let mut rest = criteria.iter();
        while let Some(word) = rest.next() {
            let (negated, word) =
                word.strip_prefix('!').map_or((false, word.as_str()), |w| (true, w));
            let (name, inline) = word.split_once('=').map_or((word, None), |(n, v)| (n, Some(v)));
            let name = name.to_ascii_lowercase();
            let holds = match name.as_str() {
                "all" => true,
                "canonical" => self.is_final,
                "final" => {
                    self.wants_final = true;
                    self.is_final
                }
                _ => {
                    let list = match inline {
                        Some(list) => list,
                        None => rest.next().map_or("", String::as_str),
                    };
                    let text = match name.as_str() {
                        "host" => self.host_name(),
                        "originalhost" => self.question.host.to_owned(),
                        "user" => self.user(),
                        "localuser" => self.question.local_user.to_owned(),
                        _ => {
                            if result {
                                self.values.undecided.get_or_insert(format!("Match {name}"));
                            }
                            return false;
                        }
                    };
                    is_listed(&list.split(',').map(str::to_owned).collect::<Vec<_>>(), &text)
                }
            };
            result &= holds != negated;
        }
        result
    }

    fn user(&self) -> String {
        let user = self.question.user.or_else(|| self.values.one("user"));
        user.unwrap_or(self.question.local_user).to_owned()
    }
}

/// `%h` is the name as given, `%%` a percent sign (ssh_config(5), TOKENS).
pub(in crate::reach) fn expand_host(name: &str, host: &str) -> String {
    name.replace("%%", "\0").replace("%h", host).replace('\0', "%")
}

/// Whether a list of patterns names a text: one matches and none behind `!` does.
fn is_listed(patterns: &[String], text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    let mut found = false;
    for pattern in patterns {
        let pattern = pattern.to_ascii_lowercase();
        match pattern.strip_prefix('!') {
            Some(negated) if wildcard(negated.as_bytes(), text.as_bytes()) => return false,
            Some(_) => {}
            None => found |= wildcard(pattern.as_bytes(), text.as_bytes()),
        }
    }
    found
}
