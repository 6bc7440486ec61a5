//! A table that does not wait for its slowest row.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Shows one line of the result as it comes; what is hidden in it is made visible.
pub type Live = Arc<dyn Fn(&str) + Send + Sync>;

/// How long rows are held back, so that a run that is quick prints its rows in order and as narrow as
/// they are.
pub const PATIENCE: Duration = Duration::from_secs(1);

/// Rows that are held back for a while, then shown in order, and from then on as they come.
pub struct LiveTable {
    shared: Arc<Shared>,
    timer: JoinHandle<()>,
}

struct Shared {
    show: Live,
    columns: Vec<(&'static str, usize)>,
    state: Mutex<State>,
    ended: Condvar,
}

#[derive(Default)]
struct State {
    begun: bool,
    over: bool,
    waiting: BTreeMap<usize, Vec<String>>,
    shown: BTreeSet<usize>,
}

impl fmt::Debug for LiveTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LiveTable").field("columns", &self.shared.columns).finish_non_exhaustive()
    }
}

impl LiveTable {
    /// A table with these columns, each at least this wide.
    pub fn new(show: Live, columns: Vec<(&'static str, usize)>, patience: Duration) -> LiveTable {
        let shared =
            Arc::new(Shared { show, columns, state: Mutex::default(), ended: Condvar::new() });
        let timer = {
            let shared = Arc::clone(&shared);
            thread::spawn(move || {
                let state = shared.state();
                let waited = shared.ended.wait_timeout_while(state, patience, |it| !it.over);
                let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
                if !state.over {
                    shared.begin(&mut state);
                }
            })
        };
        LiveTable { shared, timer }
    }

    /// A row that is final. `place` is where it stands among all rows.
    pub fn push(&self, place: usize, cells: Vec<String>) {
        let mut state = self.shared.state();
        if state.begun {
            self.shared.print(&cells);
            state.shown.insert(place);
        } else {
            state.waiting.insert(place, cells);
        }
    }

    /// The end, with all rows in order: those that were not shown follow. `false` when the run was
    /// quick and nothing was shown.
    pub fn finish(self, rows: impl IntoIterator<Item = Vec<String>>) -> bool {
        self.shared.state().over = true;
        self.shared.ended.notify_all();
        // It does nothing that could panic but show lines.
        let _ = self.timer.join();
        let state = self.shared.state();
        if state.begun {
            for (place, cells) in rows.into_iter().enumerate() {
                if !state.shown.contains(&place) {
                    self.shared.print(&cells);
                }
            }
        }
        state.begun
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin(&self, state: &mut State) {
        state.begun = true;
        let titles: Vec<String> =
            self.columns.iter().map(|(title, _)| (*title).to_owned()).collect();
        self.print(&titles);
        for (place, cells) in std::mem::take(&mut state.waiting) {
            self.print(&cells);
            state.shown.insert(place);
        }
    }

    fn print(&self, cells: &[String]) {
        let mut line = String::new();
        for ((title, width), cell) in self.columns.iter().zip(cells) {
            let width = (*width).max(title.chars().count()) + 2;
            line.push_str(cell);
            let padding = width.saturating_sub(cell.chars().count()).max(2);
            line.extend(std::iter::repeat_n(' ', padding));
        }
        (self.show)(line.trim_end());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(patience: Duration) -> (LiveTable, Arc<Mutex<Vec<String>>>) {
        let shown = Arc::new(Mutex::new(Vec::new()));
        let sink = Arc::clone(&shown);
        let show = Arc::new(move |line: &str| sink.lock().unwrap().push(line.to_owned()));
        (LiveTable::new(show, vec![("NODE", 4), ("STATE", 5)], patience), shown)
    }

    fn row(node: &str) -> Vec<String> {
        vec![node.to_owned(), "On".to_owned()]
    }

    #[test]
    fn a_quick_run_shows_nothing_here() {
        let (table, shown) = table(Duration::from_mins(1));
        table.push(0, row("a"));
        assert!(!table.finish([row("a"), row("b")]));
        assert!(shown.lock().unwrap().is_empty());
    }

    #[test]
    fn rows_that_are_there_come_in_order_and_later_ones_as_they_come() {
        let (table, shown) = table(Duration::from_millis(50));
        table.push(2, row("c"));
        table.push(0, row("a"));
        while shown.lock().unwrap().len() < 3 {
            thread::yield_now();
        }
        table.push(3, row("d"));
        assert!(table.finish([row("a"), row("b"), row("c"), row("d")]));
        let lines = ["NODE  STATE", "a     On", "c     On", "d     On", "b     On"];
        assert_eq!(*shown.lock().unwrap(), lines);
    }
}
