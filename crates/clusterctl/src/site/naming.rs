//! Host names and service processors' names from node names.

use std::collections::BTreeMap;

use regex_lite::Regex;

use crate::config::kinds::{NamingSpec, RuleSpec};
use crate::site::host_name::HostName;
use crate::site::node::NoBmc;

/// The rules, ready to use.
#[derive(Debug, Default)]
pub struct Naming {
    rules: Vec<Rule>,
}

#[derive(Debug)]
struct Rule {
    prefixes: Vec<String>,
    pattern: Option<Regex>,
    fqdn: Option<String>,
    bmc: Option<String>,
}

impl Naming {
    /// Reads the rules; templates are checked and everything but `{name}` is filled in. The error
    /// holds the index of every rule that is wrong, and why.
    pub fn new(
        spec: &NamingSpec,
        domains: &BTreeMap<String, String>,
    ) -> Result<Naming, Vec<(usize, String)>> {
        let mut rules = Vec::new();
        let mut problems = Vec::new();
        for (index, rule) in spec.rules.iter().enumerate() {
            match read(rule, spec, domains) {
                Ok(rule) => rules.push(rule),
                Err(why) => problems.push((index, why)),
            }
        }
        if problems.is_empty() { Ok(Naming { rules }) } else { Err(problems) }
    }

    /// The host name of a node; its own name where no rule says otherwise, and for addresses and
    /// names that have a domain already.
    pub fn host(&self, name: &HostName) -> HostName {
        if name.address().is_some() || !name.domain().is_empty() {
            return name.clone();
        }
        let template = self.rule(name).and_then(|rule| rule.fqdn.as_ref());
        let filled =
            template.and_then(|template| template.replace("{name}", name.as_str()).parse().ok());
        filled.unwrap_or_else(|| name.clone())
    }

    /// The service processor's name by the rules.
    pub fn bmc(&self, name: &HostName, host: &HostName) -> Result<HostName, NoBmc> {
        if name.address().is_some() {
            return Err(NoBmc::Address);
        }
        let short: HostName = name.short().parse().map_err(NoBmc::Invalid)?;
        let template =
            self.rule(&short).and_then(|rule| rule.bmc.as_ref()).ok_or(NoBmc::NotNamed)?;
        let bmc: HostName =
            template.replace("{name}", short.as_str()).parse().map_err(NoBmc::Invalid)?;
        if bmc == *name || bmc == *host || bmc == short {
            return Err(NoBmc::OwnName);
        }
        Ok(bmc)
    }

    fn rule(&self, name: &HostName) -> Option<&Rule> {
        let short = name.short();
        self.rules.iter().find(|rule| match &rule.pattern {
            Some(pattern) => pattern.is_match(short),
            None => {
                rule.prefixes.is_empty()
                    || rule.prefixes.iter().any(|prefix| short.starts_with(prefix.as_str()))
            }
        })
    }
}

fn read(
    rule: &RuleSpec,
    spec: &NamingSpec,
    domains: &BTreeMap<String, String>,
) -> Result<Rule, String> {
    let matches = rule.matches.clone().unwrap_or_default();
    if !matches.prefixes.is_empty() && matches.pattern.is_some() {
        return Err("prefixes and a pattern: give one of them".to_owned());
    }
    let pattern = match &matches.pattern {
        // Names are in lower case: a pattern with capitals could never match.
        Some(text) if text.chars().any(|c| c.is_ascii_uppercase()) => {
            return Err(format!("the pattern {text:?} has capitals; names are in lower case"));
        }
        Some(text) => Some(
            // The whole name, whatever the writer anchored.
            Regex::new(&format!("^(?:{text})$"))
                .map_err(|error| format!("the pattern {text:?}: {error}"))?,
        ),
        None => None,
    };
    let fill = |template: &Option<String>| match template {
        Some(template) => fill(template, spec, domains).map(Some),
        None => Ok(None),
    };
    Ok(Rule {
        prefixes: matches.prefixes.iter().map(|prefix| prefix.to_ascii_lowercase()).collect(),
        pattern,
        fqdn: fill(&rule.fqdn)?,
        bmc: fill(&rule.bmc)?,
    })
}

/// Fills everything in but `{name}`.
fn fill(
    template: &str,
    spec: &NamingSpec,
    domains: &BTreeMap<String, String>,
) -> Result<String, String> {
    let mut text = String::new();
    let mut rest = template;
    while let Some(start) = rest.find('{') {
        text.push_str(&rest[..start]);
        let end = rest[start..]
            .find('}')
            .ok_or_else(|| format!("{template:?}: a brace is not closed"))?;
        let word = &rest[start + 1..start + end];
        match word {
            "name" => text.push_str("{name}"),
            "bmcPrefix" => text.push_str(&spec.bmc_prefix),
            _ => match word.strip_prefix("domains.").and_then(|name| domains.get(name)) {
                Some(domain) => text.push_str(domain),
                None => return Err(format!("{template:?}: {{{word}}} is not known")),
            },
        }
        rest = &rest[start + end + 1..];
    }
    text.push_str(rest);
    if text.replace("{name}", "x").parse::<HostName>().is_err() {
        return Err(format!("{template:?} gives no host name"));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::kinds::RuleMatchSpec;

    fn naming(pattern: &str, bmc: &str) -> Naming {
        let rule = RuleSpec {
            matches: Some(RuleMatchSpec {
                prefixes: Vec::new(),
                pattern: Some(pattern.to_owned()),
            }),
            fqdn: Some("{name}.{domains.hpc}".to_owned()),
            bmc: Some(bmc.to_owned()),
        };
        let spec = NamingSpec { rules: vec![rule], bmc_prefix: "ipmi-".to_owned() };
        let domains = [("hpc".to_owned(), "hpc.example.org".to_owned())].into();
        Naming::new(&spec, &domains).unwrap()
    }

    #[test]
    fn a_pattern_matches_the_whole_short_name_only() {
        let naming = naming("gpu[0-9]+", "{bmcPrefix}{name}.{domains.hpc}");
        let login: HostName = "login-gpu01".parse().unwrap();
        assert_eq!(naming.host(&login).as_str(), "login-gpu01");
        let gpu: HostName = "gpu01".parse().unwrap();
        assert_eq!(naming.host(&gpu).as_str(), "gpu01.hpc.example.org");
        assert_eq!(
            naming.bmc(&gpu, &naming.host(&gpu)).unwrap().as_str(),
            "ipmi-gpu01.hpc.example.org"
        );
    }

    #[test]
    fn the_machines_own_name_is_no_service_processor() {
        let naming = naming("gpu[0-9]+", "{name}.{domains.hpc}");
        let gpu: HostName = "gpu01".parse().unwrap();
        assert_eq!(naming.bmc(&gpu, &naming.host(&gpu)), Err(NoBmc::OwnName));
        let address: HostName = "10.0.2.7".parse().unwrap();
        assert_eq!(naming.bmc(&address, &address), Err(NoBmc::Address));
    }
}
