//! What is refused, where, and in which words.

use nodeset::{Error, ErrorKind, NodeSet};

fn refusal(text: &str) -> Error {
    text.parse::<NodeSet>().expect_err(text)
}

#[track_caller]
fn refuses(kind: ErrorKind, texts: &[&str]) {
    for text in texts {
        assert_eq!(refusal(text).kind(), kind, "{text}");
    }
}

/// A shell variable that was empty must not turn an intersection into a whole rack.
#[test]
fn an_operator_without_a_set_on_either_side_is_refused() {
    refuses(
        ErrorKind::MissingOperand,
        &[
            "A&&B",
            "A!,B",
            "A,!B",
            "!A",
            "^A",
            "&A",
            "A!",
            "A&",
            "A^ ",
            "A& &B",
            "A & , B",
            "A!!B",
            ",!A",
            "A,&B",
            "A^,",
            "exe[1-3]&",
            "!",
            "&",
        ],
    );
}

#[test]
fn ranges_with_a_number_missing_are_refused() {
    refuses(
        ErrorKind::MissingNumber,
        &[
            "exe[1-]",
            "exe[1-,5]",
            "exe[]",
            "exe[,1]",
            "exe[1,]",
            "exe[1,,2]",
            "exe[-5]",
            "exe[1-3/]",
        ],
    );
}

#[test]
fn groups_without_a_name_are_refused() {
    refuses(ErrorKind::EmptyGroup, &["@", "@rack:", "@:r1", "@:", "exe1,@", "@ rack", "@rack: r1"]);
}

#[test]
fn group_forms_that_are_not_supported_are_refused() {
    refuses(
        ErrorKind::UnsupportedGroup,
        &["@@rack", "@@", "@rack*", "@rack:R0*", "@*x", "@ra?k:x"],
    );
}

#[test]
fn numbers_that_can_be_read_in_two_ways_are_refused() {
    refuses(ErrorKind::PaddingMismatch, &["exe[01-100]", "exe[1-010]", "exe[0-05]", "exe[001-10]"]);
    refuses(
        ErrorKind::GluedDigits,
        &["exe1[8-12]", "exe0[8-12]", "exe00[1-128]", "exe1[8-12/2]", "exe0[9,10]", "exe0[1,02]"],
    );
    refuses(ErrorKind::AdjacentBrackets, &["exe[1-2][3-4]", "exe[1-2]0[3-4]"]);
    refuses(ErrorKind::ReversedRange, &["exe[3-1]", "exe[10-9]", "exe[010-009]"]);
    refuses(ErrorKind::InvalidStep, &["exe[1-9/0]", "exe[1/2]"]);
    refuses(
        ErrorKind::NumberTooLarge,
        &["exe[1-18446744073709551616]", "exe[1-2/99999999999999999999]"],
    );
}

#[test]
fn brackets_that_do_not_match_are_refused() {
    refuses(
        ErrorKind::UnclosedBracket,
        &["exe[", "exe[1", "exe[1-", "exe[1-2", "exe[1-2/", "a,exe[1,"],
    );
    refuses(ErrorKind::StrayBracket, &["exe1]", "exe[1]]", "]", "@rack]"]);
    refuses(
        ErrorKind::UnexpectedCharacter,
        &["exe[[1]]", "exe[1 2]", "exe[1-2-3]", "exe[a]", "exe[+1]"],
    );
}

#[test]
fn the_range_syntax_of_other_tools_is_refused_and_not_taken_for_names() {
    refuses(ErrorKind::LeadingHyphen, &["exe[1-3],-exe2", "-oProxyCommand=x"]);
    refuses(
        ErrorKind::UnexpectedCharacter,
        &["exe1:exe3", "exe10+2", "/exe.*/", "root@exe1", "exe%d"],
    );
    refuses(ErrorKind::MissingOperand, &["^hosts"]);
}

#[test]
fn names_beyond_any_host_name_are_refused() {
    let long = "n".repeat(256);
    refuses(
        ErrorKind::NameLength,
        &[&long, &format!("{}[1-10]", "n".repeat(254)), &format!("@{long}")],
    );
}

#[test]
fn every_refusal_says_where_and_what_was_expected() {
    let report = |text: &str| {
        format!("{}\n  {}\n", refusal(text), refusal(text).excerpt().replace('\n', "\n  "))
    };
    let texts = [
        "@rack:R02&",
        "A&&B",
        "!A",
        "exe[1-,5]",
        "exe[]",
        "exe[-5]",
        "exe[1",
        "exe[1-2",
        "exe1]",
        "exe[01-100]",
        "exe[30-1]",
        "exe[1-9/0]",
        "exe[5/2]",
        "exe1[8-12]",
        "exe[1-2][3-4]",
        "exe[1;2]",
        "a,-exe2",
        "exe1:exe3",
        "exe[1-3]/2",
        "root@exe1",
        "käse",
        "@",
        "@rack:",
        "@:R1",
        "@@rack",
        "@rack:R*",
        "@a@b",
        "exe[1-9999999999]",
        "n[0-99999999999999999999]",
        "a\u{7}b",
        "login @rack:R1",
    ];
    insta::assert_snapshot!(texts.map(report).concat(), @r#"
    `&` has no set after it, expected a node or a group
      @rack:R02&
               ^
    `&` has no set after it, expected a node or a group
      A&&B
       ^^
    `!` has no set before it, expected a node or a group
      !A
      ^
    the range `1-` has no end, expected a number
      exe[1-,5]
          ^^
    a range has no number, expected a number
      exe[]
          ^
    a range has no number, expected a number
      exe[-5]
          ^
    `[` is not closed, expected `]`
      exe[1
         ^
    `[` is not closed, expected `]`
      exe[1-2
         ^
    `]` has no `[` before it, expected a range, as in `exe[1-3]`
      exe1]
          ^
    the padding of `01-100` differs between its bounds, expected one width, as in `001-100`
      exe[01-100]
          ^^^^^^
    `30-1` runs backwards, expected `1-30`
      exe[30-1]
          ^^^^
    `1-9/0` has a step of zero, expected a step of at least 1
      exe[1-9/0]
          ^^^^^
    `5/2` has a step but no end, expected a range, as in `5-N/2`
      exe[5/2]
          ^^^
    digits stand before numbers of different width, expected the whole numbers inside the brackets, as in `exe[08-12]`
      exe1[8-12]
          ^^^^^^
    only digits stand between two brackets, expected one bracket for one number, or text in between as in `r[1-2]n[1-9]`
      exe[1-2][3-4]
              ^^^^^
    ';' cannot be part of a range, expected `,`, `-`, `/` or `]`
      exe[1;2]
           ^
    a name begins with `-`, expected a letter or a digit; nodes are left out with `!`, as in `exe[1-3]!exe2`
      a,-exe2
        ^
    ':' cannot be part of a name, expected a range in brackets, as in `exe[1-3]`
      exe1:exe3
          ^
    '/' cannot be part of a name, expected a name; a step stands in brackets, as in `exe[1-9/2]`
      exe[1-3]/2
              ^
    '@' cannot be part of a name, expected a name without an account; a group begins with `@`
      root@exe1
          ^
    'ä' cannot be part of a name, expected letters, digits, `-`, `_`, `.` or a range in brackets
      käse
       ^
    `@` names no group, expected `@group` or `@source:group`
      @
      ^
    the group's name is empty, expected `@group` or `@source:group`
      @rack:
      ^^^^^^
    the group's source is empty, expected `@group` or `@source:group`
      @:R1
      ^^
    the names of groups are not a set of nodes, expected `@group`, or `@source:*` for the nodes of all groups
      @@rack
      ^^
    wildcards in the names of groups are not supported, expected `@*` or `@source:*` for every node
      @rack:R*
             ^
    '@' cannot be part of a group's name, expected `@group` or `@source:group`
      @a@b
        ^
    the expression expands to too many names, expected at most 1048576, groups included
      exe[1-9999999999]
      ^^^^^^^^^^^^^^^^^
    99999999999999999999 is too large for a range, expected a number up to 18446744073709551615
      n[0-99999999999999999999]
        ^^^^^^^^^^^^^^^^^^^^^^
    '\u{7}' cannot be part of a name, expected letters, digits, `-`, `_`, `.` or a range in brackets
      a?b
       ^
    `@rack:R1` could not be resolved
      login @rack:R1
            ^^^^^^^^
    "#);
}

#[test]
fn long_texts_are_cut_around_the_place() {
    let text = format!("{},exe[1-],{}", vec!["exe"; 40].join(","), vec!["login"; 40].join(","));
    insta::assert_snapshot!(refusal(&text).excerpt(), @r#"
    ...exe,exe,exe,exe,exe,exe,exe,exe,exe,exe[1-],login,login,login,login,logi...
                                               ^^
    "#);
}
