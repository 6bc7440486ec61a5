//! The table of verdicts in `docs/verdicts.md`: what dhcpd, keama, Augeas and this crate say of each
//! configuration of the corpus.
//!
//! `UPDATE_VERDICTS=1 cargo test -p dhcpd-conf verdicts` writes it anew.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use dhcpd_conf::{Document, Severity};

use crate::augeas;
use crate::desk::Desk;
use crate::judge::{self, Family, Verdict};
use crate::keama::Keama;
use crate::manifest::{self, Entry};

const TOOLS: [&str; 4] = ["dhcpd", "keama", "Augeas", "this crate"];

/// What each tool says of one file, in the order of `TOOLS`.
struct Row {
    verdicts: [Verdict; 4],
    /// For what this crate says the server refuses it.
    kinds: BTreeSet<String>,
}

impl Row {
    fn of(entry: &Entry, keama: &Keama) -> Self {
        let desk = entry.desk();
        let kinds = entry.found();
        let ours = if kinds.is_empty() { Verdict::Accepted } else { Verdict::Refused };
        let verdicts = [
            judge::verdict(&desk, entry.family),
            keama.translate(&desk, entry.family).verdict(),
            augeas::verdict(&desk),
            ours,
        ];
        Self { verdicts, kinds }
    }

    fn cells(&self) -> String {
        let mut cells = self.verdicts.map(Verdict::name).map(str::to_owned);
        if !self.kinds.is_empty() {
            let kinds: Vec<_> = self.kinds.iter().map(String::as_str).collect();
            cells[3] = format!("refused: {}", kinds.join(", "));
        }
        cells.join(" | ")
    }
}

/// What each tool says of several files.
fn totals(label: &str, rows: &[Row]) -> String {
    let mut text = format!("| of {} {label} | accepted | refused | crashed |", rows.len());
    text.push_str(" as dhcpd says |\n| --- | --- | --- | --- | --- |\n");
    for (tool, name) in TOOLS.iter().enumerate() {
        let said = |verdict| rows.iter().filter(|row| row.verdicts[tool] == verdict).count();
        let [accepted, refused, crashed] =
            [Verdict::Accepted, Verdict::Refused, Verdict::Crashed].map(said);
        let judged: Vec<_> =
            rows.iter().filter(|row| row.verdicts[0] != Verdict::Crashed).collect();
        let same = judged.iter().filter(|row| row.verdicts[tool] == row.verdicts[0]).count();
        let judged = judged.len();
        writeln!(text, "| {name} | {accepted} | {refused} | {crashed} | {same} of {judged} |")
            .unwrap();
    }
    text
}

const HEAD: &str = "# Verdicts

What ISC dhcpd (`dhcpd -t`, 4.4.3-P1), keama (of the same source), Augeas (1.14, lens Dhcpd) and this crate say of
configurations. A test writes this page, and fails where it is not what the programs say.

This crate refuses for syntax, or for findings by which the server refuses a configuration. Where it accepts what
dhcpd refuses, `tests/corpus/manifest.txt` says why.

keama reads with dhcpd's own parser of an earlier day. It refuses what the server writes for itself (`dynamic`,
`deleted`, `static`), `lease-id-format`, `vendor-class`, hardware without octets, names of option spaces in capitals,
a second pair of `static-routes`, `option user-class`, a second `server-duid`, and `filename` for IPv6. It accepts
hosts of one name, networks with host bits, ranges outside their subnet, pools without a range, groups that stand behind
the host that names them, and `hardware` in a file that a host includes. The hosts of every file that both read are the same: name, hardware, fixed
addresses and prefixes, `uid`.

Augeas knows a part of the grammar: no `infiniband`, lists of addresses, `switch`, `else if` or IPv6 networks. It
checks no values: host names in quotes, hardware with dashes, marks of templates and hosts in hosts are fine with it.
It follows no `include`.
";

const OWN: &str = "\n## The files of tests/corpus\n\n";
const PUBLIC: &str = "\n## Files of other projects\n\n";

fn page(keama: &Keama, committed: &str) -> String {
    let (public, own): (Vec<_>, Vec<_>) = manifest::present().partition(Entry::is_public);
    let rows = |entries: &[Entry]| -> Vec<Row> {
        entries.iter().map(|entry| Row::of(entry, keama)).collect()
    };
    let own_rows = rows(&own);
    let mut page = format!("{HEAD}{OWN}{}\n", totals("files", &own_rows));
    writeln!(
        page,
        "| file | family | {} |\n| --- | --- | --- | --- | --- | --- |",
        TOOLS.join(" | ")
    )
    .unwrap();
    for (entry, row) in own.iter().zip(&own_rows) {
        let family = entry.family.option().replace('-', "IPv");
        writeln!(page, "| {} | {family} | {} |", entry.name, row.cells()).unwrap();
    }
    page.push_str(PUBLIC);
    if manifest::public().is_some() {
        page.push_str(
            "Test inputs and examples of ISC and others, which are no part of this repository.\n\n",
        );
        page.push_str(&totals("public files", &rows(&public)));
    } else {
        page.push_str(committed.split_once(PUBLIC).map_or("", |(_, rest)| rest));
    }
    page
}

#[test]
fn the_table_of_verdicts_is_what_the_programs_say() {
    let test = "the_table_of_verdicts_is_what_the_programs_say";
    let there = judge::is_present(test) && augeas::is_present(test);
    let Some(keama) = Keama::find(test).filter(|_| there) else { return };
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/verdicts.md");
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    let said = page(&keama, &committed);
    if std::env::var_os("UPDATE_VERDICTS").is_some() {
        std::fs::write(&path, said).unwrap();
        return;
    }
    let new = said.lines().filter(|line| !committed.lines().any(|known| known == *line));
    let new: Vec<_> = new.collect();
    assert!(
        said == committed,
        "`UPDATE_VERDICTS=1` writes docs/verdicts.md anew; new in it: {new:#?}"
    );
}

/// Each of the differences that the page tells of: dhcpd's verdict is the one given, the peer's is the
/// other, and ours is dhcpd's.
const DIFFERENCES: &[(&str, Verdict, &str)] = &[
    ("keama", Verdict::Accepted, "host a { dynamic; }"),
    ("keama", Verdict::Accepted, "host a { deleted; }"),
    ("keama", Verdict::Accepted, "group { static; host a { } }"),
    ("keama", Verdict::Accepted, "lease-id-format hex;"),
    ("keama", Verdict::Accepted, "class \"c\" { } vendor-class \"c\" { }"),
    ("keama", Verdict::Accepted, "host a { hardware ethernet ; }"),
    ("keama", Verdict::Accepted, "option space v; option V.a code 1 = text;"),
    ("keama", Verdict::Accepted, "option static-routes 10.1.0.0 10.0.0.1, 10.2.0.0 10.0.0.1;"),
    ("keama", Verdict::Accepted, "option user-class \"u\";"),
    ("keama -6", Verdict::Accepted, "server-duid ll; server-duid llt;"),
    ("keama -6", Verdict::Accepted, "host a { filename \"x\"; }"),
    ("keama", Verdict::Refused, "host a { } host a { }"),
    ("keama", Verdict::Refused, "subnet 10.0.0.1 netmask 255.0.0.0 { }"),
    ("keama", Verdict::Refused, "subnet 10.1.0.0 netmask 255.255.0.0 { range 10.2.0.1; }"),
    ("keama", Verdict::Refused, "subnet 10.1.0.0 netmask 255.255.0.0 { pool { } }"),
    ("keama", Verdict::Refused, "host a { group g; } group g { }"),
    ("Augeas", Verdict::Accepted, "host a { hardware infiniband 1:2; }"),
    ("Augeas", Verdict::Accepted, "host a { fixed-address 10.0.0.1, 10.0.0.2; }"),
    ("Augeas", Verdict::Accepted, "switch (option host-name) { case \"a\": break; }"),
    (
        "Augeas",
        Verdict::Accepted,
        "if known { filename \"x\"; } else if static { filename \"y\"; }",
    ),
    ("Augeas -6", Verdict::Accepted, "subnet6 2001:db8::/64 { }"),
    ("Augeas", Verdict::Refused, "host \"a\" { }"),
    ("Augeas", Verdict::Refused, "host a { hardware ethernet 1-2-3-4-5-6; }"),
    ("Augeas", Verdict::Refused, "host a { next-server $next_server; }"),
    ("Augeas", Verdict::Refused, "host a { host b { } }"),
];

#[test]
fn the_differences_that_the_page_tells_of_are_there() {
    let test = "the_differences_that_the_page_tells_of_are_there";
    let there = judge::is_present(test) && augeas::is_present(test);
    let Some(keama) = Keama::find(test).filter(|_| there) else { return };
    for (peer, dhcpd, text) in DIFFERENCES {
        let family = if peer.ends_with("-6") { Family::V6 } else { Family::V4 };
        let desk = Desk::new(text.as_bytes());
        let theirs = if peer.starts_with("keama") {
            keama.translate(&desk, family).verdict()
        } else {
            augeas::verdict(&desk)
        };
        let ours = match Document::parse(*text) {
            Ok(document) if document.lint().iter().all(|it| it.severity() != Severity::Error) => {
                Verdict::Accepted
            }
            _ => Verdict::Refused,
        };
        let other = match dhcpd {
            Verdict::Accepted => Verdict::Refused,
            _ => Verdict::Accepted,
        };
        let all = (judge::verdict(&desk, family), theirs, ours);
        assert_eq!(all, (*dhcpd, other, *dhcpd), "dhcpd, {peer}, ours: {text}");
    }
}
