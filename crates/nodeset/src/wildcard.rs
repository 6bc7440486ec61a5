//! `*` and `?` in names.

/// Whether the mask matches the whole name: `*` stands for any characters, `?` for one.
pub(crate) fn matches(mask: &str, name: &str) -> bool {
    let (mask, name) = (mask.as_bytes(), name.as_bytes());
    let (mut at, mut next) = (0, 0);
    // Where to go on when the characters after the last `*` do not fit: one name byte further.
    let mut retry = None;
    while next < name.len() {
        match mask.get(at) {
            Some(b'*') => {
                retry = Some((at, next));
                at += 1;
            }
            Some(byte) if *byte == b'?' || *byte == name[next] => (at, next) = (at + 1, next + 1),
            _ => {
                let Some((star, from)) = retry else { return false };
                retry = Some((star, from + 1));
                (at, next) = (star + 1, from + 1);
            }
        }
    }
    mask[at..].iter().all(|byte| *byte == b'*')
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn a_mask_covers_the_whole_name() {
        for (mask, name) in [
            ("*", "exe1"),
            ("exe*", "exe"),
            ("exe?", "exe1"),
            ("*1*2", "a1b1c2"),
            ("e*e*1", "exeexe1"),
            ("***", "x"),
        ] {
            assert!(matches(mask, name), "{mask} {name}");
        }
        for (mask, name) in [("exe?", "exe"), ("exe?", "exe10"), ("xe*", "exe1"), ("*2", "exe1")] {
            assert!(!matches(mask, name), "{mask} {name}");
        }
    }
}
