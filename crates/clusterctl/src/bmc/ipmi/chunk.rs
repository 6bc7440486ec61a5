//! Lists of hosts that fit a command line.

use std::ops::Range;

/// How many bytes of host names go into one request; the login shell takes 131,071 in all.
const ROOM: usize = 90_000;

/// Ranges of the hosts, in order, each of which fits.
pub(super) fn chunks(hosts: &[&str]) -> Vec<Range<usize>> {
    let mut chunks = Vec::new();
    let (mut start, mut used) = (0, 0);
    for (index, host) in hosts.iter().enumerate() {
        // A blank between two, or a comma.
        let size = host.len() + 1;
        if used + size > ROOM && index > start {
            chunks.push(start..index);
            (start, used) = (index, 0);
        }
        used += size;
    }
    if start < hosts.len() {
        chunks.push(start..hosts.len());
    }
    chunks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ns12_every_host_is_in_one_chunk_and_no_chunk_is_too_long() {
        let names: Vec<String> =
            (0..4600).map(|n| format!("exe{n:04}.r{:02}.mgmt.hpc.example.org", n / 72)).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let chunks = chunks(&names);
        assert_eq!(chunks.len(), 2);
        assert_eq!(
            chunks.iter().cloned().flatten().collect::<Vec<_>>(),
            (0..4600).collect::<Vec<_>>()
        );
        assert!(chunks.iter().all(|range| names[range.clone()].join(",").len() <= ROOM));
        assert!(super::chunks(&[]).is_empty());
    }
}
