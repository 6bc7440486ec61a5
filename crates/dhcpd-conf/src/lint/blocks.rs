//! Blocks that lack what the server wants in them.

use crate::index::in_order;
use crate::lint::finding::{Finding, FindingKind};
use crate::statement_view::Statement;
use crate::subnet::{Pool, SharedNetwork};
use crate::world::World;

pub(crate) fn check(world: World<'_>, findings: &mut Vec<Finding>) {
    in_order(world, |id| {
        let statement = Statement::new(world, id);
        // What an include that was not followed holds is not known.
        if statement.content().iter().any(|child| child.is_named("include")) {
            return;
        }
        if let Some(wire) = SharedNetwork::of(statement)
            && wire.subnets().is_empty()
        {
            let name = wire.name();
            findings.push(Finding::new(
                FindingKind::EmptySharedNetwork,
                statement,
                format!("the shared network {} has no subnet", name.escape_ascii()),
                "declare its subnets inside it",
            ));
        }
        if let Some(pool) = Pool::of(statement)
            && pool.ranges().is_empty()
        {
            findings.push(Finding::new(
                FindingKind::PoolWithoutRange,
                statement,
                "the pool has no range".to_owned(),
                "add a `range` or remove the pool",
            ));
        }
    });
}
