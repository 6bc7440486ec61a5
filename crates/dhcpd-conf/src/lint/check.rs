//! Runs all rules.

use crate::lint::finding::Finding;
use crate::lint::{blocks, identities, options, references, subnets, text};
use crate::world::World;

/// All findings, in the order of their first places.
pub(crate) fn check(world: World<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    identities::check(world, &mut findings);
    subnets::check(world, &mut findings);
    blocks::check(world, &mut findings);
    options::check(world, &mut findings);
    references::check(world, &mut findings);
    text::check(world, &mut findings);
    findings.sort_by_cached_key(|finding| {
        finding.sites.first().map(|site| (site.order, site.span, finding.kind))
    });
    findings
}
