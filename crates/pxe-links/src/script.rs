//! The shell text that every script shares.
//!
//! A script is one function that is called on its last line, so that a shell which receives only
//! a part of it (a connection that breaks while it is sent) runs nothing of it.

use std::fmt::Write as _;

use crate::report::{END, MAGIC};

/// Shells side by side, and from how many items on.
const LANES: usize = 4;
const FEW: usize = 16;

/// Assembles a script out of functions and the calls that use them.
#[derive(Debug)]
pub(crate) struct Script {
    functions: &'static [&'static str],
    calls: String,
}

impl Script {
    pub(crate) fn new(functions: &'static [&'static str]) -> Script {
        Script { functions, calls: String::new() }
    }

    /// Appends a call; `words` are quoted.
    pub(crate) fn call<'a>(&mut self, function: &str, words: impl IntoIterator<Item = &'a str>) {
        self.calls.push_str(function);
        for word in words {
            self.calls.push(' ');
            quote(&mut self.calls, word);
        }
        self.calls.push('\n');
    }

    /// Appends a line as it is.
    pub(crate) fn line(&mut self, line: &str) {
        self.calls.push_str(line);
        self.calls.push('\n');
    }

    /// Appends the calls of many items. What takes the time is one process an item, so that they
    /// are split among some shells that run side by side. A record is one short write, which a
    /// pipe keeps whole.
    pub(crate) fn side_by_side<T>(&mut self, items: &[T], call: impl Fn(&mut Script, &T)) {
        if items.len() < FEW {
            return items.iter().for_each(|item| call(self, item));
        }
        for lane in 0..LANES {
            self.line("{");
            for item in items.iter().skip(lane).step_by(LANES) {
                call(self, item);
            }
            self.line("} &");
        }
        self.line("wait");
    }

    pub(crate) fn finish(self) -> String {
        let mut script = String::with_capacity(self.calls.len() + 4096);
        // LC_ALL=C: `${#text}` counts bytes, and messages are in one language.
        let _ = write!(
            script,
            "pxe_links() {{\n\
             LC_ALL=C\n\
             export LC_ALL\n\
             exec </dev/null\n\
             say() {{ printf '{MAGIC} %s %s %s:%s\\n' \"$1\" \"$2\" \"${{#3}}\" \"$3\"; }}\n\
             {}\n\
             {}\
             say {END} ok ''\n\
             }}\n\
             pxe_links\n",
            self.functions.concat(),
            self.calls
        );
        script
    }
}

/// Appends `word` so that a shell reads it as this one word.
fn quote(out: &mut String, word: &str) {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-:,+@".contains(&byte);
    if !word.is_empty() && word.bytes().all(plain) {
        out.push_str(word);
        return;
    }
    out.push('\'');
    out.push_str(&word.replace('\'', r"'\''"));
    out.push('\'');
}

/// Reads what the link `$1` holds into `held`, closing newlines included; false if it is no link.
pub(crate) const HELD: &str = r#"held() {
  held=$(readlink "$1" 2>/dev/null && printf .) || return 1
  held=${held%?.}
}
"#;
