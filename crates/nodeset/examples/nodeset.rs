//! A calculator for node sets: `cargo run --example nodeset -- 'exe[1-9]!exe3' 'exe[20-22]'` prints
//! the fold of all arguments together, with `-e` before them one name a line, with `-c` their count.

use std::process::ExitCode;

use nodeset::NodeSet;

#[expect(clippy::print_stdout, clippy::print_stderr, reason = "a program's output")]
fn main() -> ExitCode {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    let flag = words.first().filter(|word| word.starts_with('-')).cloned();
    words.drain(..usize::from(flag.is_some()));
    let set: NodeSet = match words.join(",").parse() {
        Ok(set) => set,
        Err(refusal) => {
            eprintln!("{refusal}\n{}", refusal.excerpt());
            return ExitCode::from(2);
        }
    };
    match flag.as_deref() {
        None => println!("{set}"),
        Some("-e") => set.iter().for_each(|name| println!("{name}")),
        Some("-c") => println!("{}", set.len()),
        Some(other) => {
            eprintln!("{other} is neither -e nor -c");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}
