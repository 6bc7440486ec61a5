//! Any text as a node set: it is refused with a place inside the text, or what it prints reads back
//! as the same ordered list of the same spellings.
#![no_main]

use libfuzzer_sys::fuzz_target;
use nodeset::{BoxError, Expression, GroupSource, Limits, Members, NodeSet};

/// Groups of a fixed text, one of them in terms of the others, one of itself.
struct Groups;

impl GroupSource for Groups {
    fn group(&self, _source: Option<&str>, group: &str) -> Result<Members, BoxError> {
        match group {
            "a" => Ok("n[1-9],n[08-11]x2".to_owned().into()),
            "b" => Ok("@a!n3 m".to_owned().into()),
            "loop" => Ok("@a,@loop".to_owned().into()),
            _ => Err("no such group".into()),
        }
    }

    fn all(&self, _source: Option<&str>) -> Result<Members, BoxError> {
        Ok("@b,n[10-12]-ib".to_owned().into())
    }
}

fuzz_target!(|text: &str| {
    let limits = Limits { names: 500, work: 500 };
    let evaluated = Expression::parse(text).and_then(|it| it.evaluate(&Groups, limits));
    let set = match evaluated {
        Ok(set) => set,
        Err(refusal) => {
            assert!(text.get(refusal.span()).is_some(), "{refusal:?}");
            assert_eq!(refusal.excerpt().lines().count(), 2, "{refusal:?}");
            return;
        }
    };
    for brackets in [0, 1, usize::MAX] {
        let printed = set.folded(brackets).join(",");
        let again: NodeSet = printed.parse().expect("what is printed is an expression");
        assert!(again.iter().eq(set.iter()), "{text:?} prints as {printed:?}");
    }
    assert!(set.iter().is_sorted_by(|left, right| left < right));
    assert!(set.iter().all(|name| set.contains(name.as_str())));
});
