//! What a real shell assigns is what the parser reads.

use std::process::Command;

use cinc::SoloConfig;
use proptest::prelude::*;

/// What each of these shells prints for each file: the two variables, or that it stopped.
fn sourced(shell: &[&str], files: &[String]) -> Vec<Option<(String, String)>> {
    // One process a batch: every file is an argument, evaluated in a subshell of its own.
    let script = r#"
for file in "$@"; do
  ( unset CHEF_RECIPE_URL CHEF_RUN_LIST
    eval "$file" >/dev/null 2>&1 && printf '1\001%s\001%s\002' "$CHEF_RECIPE_URL" "$CHEF_RUN_LIST"
  ) || printf '0\001\001\002'
done"#;
    let output = Command::new(shell[0])
        .args(&shell[1..])
        .args(["-c", script, "sh"])
        .args(files)
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .env("LC_ALL", "C.UTF-8")
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let records = text.split_terminator('\u{2}').map(|record| {
        let mut fields = record.split('\u{1}');
        let done = fields.next() == Some("1");
        let (url, list) = (fields.next().unwrap(), fields.next().unwrap());
        done.then(|| (url.to_owned(), list.to_owned()))
    });
    let records: Vec<_> = records.collect();
    assert_eq!(records.len(), files.len(), "{shell:?}");
    records
}

fn shells() -> Vec<&'static [&'static str]> {
    let all: [&[&str]; 4] = [&["sh"], &["dash"], &["bash"], &["busybox", "sh"]];
    let (found, missing): (Vec<_>, Vec<_>) = all.into_iter().partition(|shell| {
        let mut command = Command::new(shell[0]);
        command.args(&shell[1..]).args(["-c", ":"]);
        command.output().is_ok_and(|output| output.status.success())
    });
    assert!(found.contains(&all[0]));
    for shell in missing {
        println!("skipped: {} is not installed", shell[0]);
    }
    found
}

/// Compares what is accepted, and says how many files that were.
fn agrees(files: &[String]) -> usize {
    let accepted: Vec<(String, Option<SoloConfig>)> = files
        .iter()
        .filter_map(|file| Some((file.clone(), SoloConfig::parse(file).ok()?)))
        .collect();
    let texts: Vec<String> = accepted.iter().map(|(file, _)| file.clone()).collect();
    for shell in shells() {
        for ((file, config), theirs) in accepted.iter().zip(sourced(shell, &texts)) {
            let ours = config.as_ref().map_or((String::new(), String::new()), |config| {
                let list = config.run_list().map(ToString::to_string).unwrap_or_default();
                (config.archive().to_string(), list)
            });
            assert_eq!(theirs, Some(ours), "{shell:?} {file:?}");
        }
    }
    accepted.len()
}

#[test]
fn a_shell_assigns_what_is_read() {
    let files = [
        "CHEF_RECIPE_URL='http://h/a'\nCHEF_RUN_LIST='role[exe]'\n",
        "CHEF_RECIPE_URL=\"http://h/\\$x\" CHEF_RUN_LIST=ntp::a",
        "CHEF_RECIPE_URL=http://h/a'$'b # comment\n#x\n",
        "A='it'\\''s' CHEF_RECIPE_URL=http://h/%\\~",
        "A=a#b",
        "A=\"a\\qb\" CHEF_RECIPE_URL=http://h/",
        "",
        "# only a comment",
    ];
    assert_eq!(agrees(&files.map(str::to_owned)), files.len());
}

/// Pieces that values are made of, harmless and harmful ones.
fn piece() -> impl Strategy<Value = &'static str> {
    let plain = prop::sample::select(vec![
        "role[a]",
        "ntp",
        "'ntp,x'",
        "\"ntp\"",
        "'role[exe]'",
        "\"a b\"",
        "'",
        "\"",
        "\\",
        "\\[",
        "\\\\",
        "x",
        "ü",
        "=",
        "%",
        ":",
        "#",
        "''",
        "\"\\$\"",
        "'$'",
        "\"'\"",
        "'\"'",
    ]);
    let harmful = prop::sample::select(vec![
        "$x", "`", "~", ";", "&", "*", "$(", ")", "\r", "!", "{", " x", "\n", "$'a'", "\\\n",
    ]);
    prop_oneof![20 => plain, 1 => harmful]
}

/// A file of assignments, most of them plain.
fn file() -> impl Strategy<Value = String> {
    let name =
        prop::sample::select(vec!["CHEF_RECIPE_URL=http://h/", "CHEF_RUN_LIST=", "A=", "_b2="]);
    let value = prop::collection::vec(piece(), 0..4).prop_map(|pieces| pieces.concat());
    let end = prop::sample::select(vec!["\n", " ", "\t\n", " # it's $(x)\n", "\n\n"]);
    let assignment =
        (name, value, end).prop_map(|(name, value, end)| format!("{name}{value}{end}"));
    prop::collection::vec(assignment, 0..4).prop_map(|assignments| assignments.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..Default::default() })]

    /// Batches of 200 files each: whatever is accepted, every shell assigns just that.
    #[test]
    fn generated_files_read_as_shells_read_them(files in prop::collection::vec(file(), 200)) {
        // The comparison is of worth only if many of them are accepted, and some are not.
        let accepted = agrees(&files);
        prop_assert!((20..200).contains(&accepted), "{} accepted", accepted);
    }

    /// Arbitrary printable values, quoted in each way.
    #[test]
    fn quoted_values_read_as_shells_read_them(values in prop::collection::vec("[ -~ü]{0,6}", 100)) {
        let files: Vec<String> = values
            .iter()
            .flat_map(|value| {
                [
                    format!("CHEF_RECIPE_URL=http://h/'{value}'"),
                    format!("CHEF_RECIPE_URL=http://h/\"{value}\""),
                    format!("CHEF_RECIPE_URL=http://h/{value}"),
                ]
            })
            .collect();
        prop_assert!(agrees(&files) > 20);
    }
}
