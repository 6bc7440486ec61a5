//! What a script printed, taken apart by service processor.

/// What was said about one service processor.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Told {
    /// How the program ended; `None` when that was never said.
    pub(super) status: Option<u32>,
    /// Lines of standard output.
    pub(super) stdout: Vec<String>,
    /// Lines of standard error.
    pub(super) stderr: Vec<String>,
    /// What the name was resolved to; empty when it has no address.
    pub(super) address: Option<String>,
}

/// Everything a script printed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Transcript {
    /// Whether the script came to the point where it starts programs.
    pub(super) ready: bool,
    /// One a service processor, in the order of the request.
    pub(super) told: Vec<Told>,
    /// Lines of a program that speaks for all.
    pub(super) lines: Vec<String>,
}

/// Lines that begin with the mark, a number from 1 and a sign belong to that service processor: `+`
/// standard output, `!` standard error, `=` the status, `@` its address.
pub(super) fn read(stdout: &[u8], mark: &str, hosts: usize) -> Transcript {
    let mut transcript = Transcript { told: vec![Told::default(); hosts], ..Transcript::default() };
    for line in String::from_utf8_lossy(stdout).lines() {
        let Some(marked) = line.strip_prefix(mark) else {
            transcript.lines.push(line.to_owned());
            continue;
        };
        if marked == " ready" {
            transcript.ready = true;
        }
        let mut words = marked.trim_start().splitn(2, ' ');
        let index = words.next().and_then(|word| word.parse::<usize>().ok());
        let told = index.and_then(|index| transcript.told.get_mut(index.checked_sub(1)?));
        if let (Some(told), Some(text)) = (told, words.next()) {
            told.take(text);
        }
    }
    transcript
}

impl Told {
    fn take(&mut self, text: &str) {
        let Some(sign) = text.chars().next() else { return };
        let rest = &text[sign.len_utf8()..];
        match sign {
            '+' => self.stdout.push(rest.to_owned()),
            '!' => self.stderr.push(rest.to_owned()),
            '=' => self.status = rest.parse().ok(),
            '@' => self.address = Some(rest.to_owned()),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_in_any_order_and_belong_to_the_number_behind_the_mark() {
        let text = b"m ready\nm 2 +Chassis Power is on\nm 1 =1\nm 2 =0\nm 1 !Error: x\nm 9 +y\nm 0 +z\n10.0.0.1: on\nm 1 +\nn 1 +forged\n";
        let transcript = read(text, "m", 2);
        assert!(transcript.ready);
        let first = Told {
            status: Some(1),
            stdout: vec![String::new()],
            stderr: vec!["Error: x".to_owned()],
            address: None,
        };
        let second = Told {
            status: Some(0),
            stdout: vec!["Chassis Power is on".to_owned()],
            ..Told::default()
        };
        assert_eq!(transcript.told, [first, second]);
        assert_eq!(transcript.lines, ["10.0.0.1: on", "n 1 +forged"]);
    }

    #[test]
    fn nothing_said_is_nothing_known() {
        assert_eq!(read(b"", "m", 1).told, [Told::default()]);
        assert_eq!(read(b"m 1 =\nm 1\nm\nm x +y\n", "m", 1).told, [Told::default()]);
    }
}
