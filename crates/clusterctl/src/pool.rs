//! Bounded, ordered, interruptible work on many targets.

use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::interrupt::Interrupt;

/// Does `work` for every item, at most `width` at a time, and gives the results in the order of
/// the items. An item that had not been started when the interrupt was raised has `None`.
///
/// What was started is waited for: `work` itself has to end early when the interrupt is raised.
pub fn run<T, R, F>(
    items: &[T],
    width: NonZeroUsize,
    interrupt: &Interrupt,
    work: F,
) -> Vec<Option<R>>
where
    T: Sync,
    R: Send,
    F: Fn(&T) -> R + Sync,
{
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<Option<R>>> = Mutex::new(items.iter().map(|_| None).collect());
    std::thread::scope(|scope| {
        for _ in 0..width.get().min(items.len()) {
            scope.spawn(|| {
                loop {
                    if interrupt.is_raised() {
                        return;
                    }
                    let index = next.fetch_add(1, Ordering::SeqCst);
                    let Some(item) = items.get(index) else { return };
                    let result = work(item);
                    results.lock().unwrap_or_else(PoisonError::into_inner)[index] = Some(result);
                }
            });
        }
    });
    results.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Batches of even size: ten machines at most eight at a time are two batches of five.
pub fn batch_size(items: usize, at_most: NonZeroUsize) -> usize {
    let batches = items.div_ceil(at_most.get()).max(1);
    items.div_ceil(batches).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        let items: Vec<u32> = (0..100).collect();
        let width = NonZeroUsize::new(7).unwrap();
        let doubled = run(&items, width, &Interrupt::new(), |item| item * 2);
        assert_eq!(doubled, items.iter().map(|item| Some(item * 2)).collect::<Vec<_>>());
    }

    #[test]
    fn batches_are_of_even_size() {
        let at_most = NonZeroUsize::new(8).unwrap();
        assert_eq!(batch_size(10, at_most), 5);
        assert_eq!(batch_size(8, at_most), 8);
        assert_eq!(batch_size(17, at_most), 6);
        assert_eq!(batch_size(0, at_most), 1);
    }

    #[test]
    fn nothing_new_starts_after_the_interrupt() {
        let interrupt = Interrupt::new();
        let width = NonZeroUsize::new(1).unwrap();
        let done = run(&[1, 2, 3], width, &interrupt, |item| {
            interrupt.raise();
            *item
        });
        assert_eq!(done, [Some(1), None, None]);
    }
}
