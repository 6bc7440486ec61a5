//! Slurm's folded lists of nodes, as `squeue` prints them.

use thiserror::Error;

/// More names than any cluster has: a list that expands to more is refused, not expanded.
const MOST: usize = 1 << 20;

/// Why a list of nodes cannot be expanded.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum HostlistError {
    /// A bracket without its pair, an empty name, or a range that is none.
    #[error("{list:?} is not a list of nodes as Slurm writes it")]
    Form {
        /// The list.
        list: String,
    },
    /// It stands for more than 1,048,576 names.
    #[error("the list of nodes stands for more than {MOST} names")]
    TooMany,
}

/// The names a folded list stands for, in its order, repeated names kept.
///
/// ```
/// let names = slurm_query::expand("exe[08-10,0012],login1,r[1-2]n[1-2]")?;
/// assert_eq!(names[..4], ["exe08", "exe09", "exe10", "exe0012"]);
/// assert_eq!(names[4..], ["login1", "r1n1", "r1n2", "r2n1", "r2n2"]);
/// # Ok::<(), slurm_query::HostlistError>(())
/// ```
pub fn expand(list: &str) -> Result<Vec<String>, HostlistError> {
    let malformed = || HostlistError::Form { list: list.to_owned() };
    let mut names = Vec::new();
    if list.is_empty() {
        return Ok(names);
    }
    for item in items(list).ok_or_else(malformed)? {
        let mut expanded = vec![String::new()];
        let mut rest = item;
        while let Some(open) = rest.find('[') {
            let close = rest.find(']').ok_or_else(malformed)?;
            let ranges = rest.get(open + 1..close).ok_or_else(malformed)?;
            let numbers = numbers(ranges, MOST / expanded.len().max(1));
            let numbers = numbers.ok_or_else(malformed)??;
            expanded = expanded
                .iter()
                .flat_map(|head| {
                    let prefix = &rest[..open];
                    numbers.iter().map(move |number| format!("{head}{prefix}{number}"))
                })
                .collect();
            rest = &rest[close + 1..];
        }
        if item.is_empty() || rest.contains(']') || names.len() + expanded.len() > MOST {
            let many = names.len() + expanded.len() > MOST;
            return Err(if many { HostlistError::TooMany } else { malformed() });
        }
        names.extend(expanded.into_iter().map(|head| head + rest));
    }
    Ok(names)
}

/// The items between the commas that are in no bracket; `None` if brackets are not paired.
fn items(list: &str) -> Option<Vec<&str>> {
    let mut items = Vec::new();
    let (mut start, mut inside) = (0, false);
    for (at, byte) in list.bytes().enumerate() {
        match byte {
            b'[' if inside => return None,
            b'[' => inside = true,
            b']' if !inside => return None,
            b']' => inside = false,
            b',' if !inside => {
                items.push(&list[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    items.push(&list[start..]);
    (!inside).then_some(items)
}

/// The numbers in a bracket, padded as its lower ends are; `None` if it holds anything else.
fn numbers(ranges: &str, most: usize) -> Option<Result<Vec<String>, HostlistError>> {
    let mut numbers = Vec::new();
    for range in ranges.split(',') {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        if !digits(first) || !digits(last) {
            return None;
        }
        let (from, to): (u64, u64) = (first.parse().ok()?, last.parse().ok()?);
        if from > to {
            return None;
        }
        let count = usize::try_from(to - from).unwrap_or(usize::MAX);
        if count >= most.saturating_sub(numbers.len()) {
            return Some(Err(HostlistError::TooMany));
        }
        let width = first.len();
        numbers.extend((from..=to).map(|number| format!("{number:0width$}")));
    }
    Some(Ok(numbers))
}
