use cinc::{ConfigError, SoloConfig};

const URL: &str = "CHEF_RECIPE_URL=http://h/a.tgz";

fn parsed(text: &str) -> SoloConfig {
    SoloConfig::parse(text).unwrap().unwrap()
}

fn refused(text: &str) -> String {
    match SoloConfig::parse(text).unwrap_err() {
        ConfigError::Assignments(error) => error.to_string(),
        other => panic!("{other}"),
    }
}

#[test]
fn plain_assignments_are_read_however_they_are_quoted() {
    for text in [
        "CHEF_RECIPE_URL=http://h/a.tgz",
        "  CHEF_RECIPE_URL='http://h/a.tgz'  ",
        "\tCHEF_RECIPE_URL=\"http://h/a.tgz\"\n",
        "CHEF_RECIPE_URL=ht'tp:'\"//h\"/a.tgz # the archive",
        "CHEF_RECIPE_URL=http:\\//h/a.tgz",
        "# comment $(rm -rf /)\n\nOTHER=x CHEF_RECIPE_URL=http://h/a.tgz EDITOR='a b'\n#",
        "CHEF_RECIPE_URL=http://old/\nCHEF_RECIPE_URL=http://h/a.tgz\n",
    ] {
        assert_eq!(parsed(text).archive().as_str(), "http://h/a.tgz", "{text}");
        assert_eq!(parsed(text).run_list(), None);
    }
    let config = parsed(&format!("{URL}\nCHEF_RUN_LIST='role[exe], recipe[ntp]'"));
    assert_eq!(config.run_list().unwrap().as_str(), "role[exe], recipe[ntp]");
}

#[test]
fn a_file_without_an_archive_is_not_configured() {
    for text in ["", "\n\n", "# nothing", "EDITOR=vi", "CHEF_RECIPE_URL=", "CHEF_RECIPE_URL=''"] {
        assert_eq!(SoloConfig::parse(text), Ok(None), "{text:?}");
    }
    assert_eq!(SoloConfig::parse("CHEF_RUN_LIST=ntp"), Err(ConfigError::NoArchive));
}

#[test]
fn whatever_a_shell_would_expand_or_run_refuses_the_file() {
    for line in [
        "CHEF_RECIPE_URL=$(curl x)",
        "A=$(id)",
        "A=`id`",
        "A=\"$(id)\"",
        "A=\"`id`\"",
        "A=$HOME",
        "A=\"${HOME}\"",
        "A=$((1+1))",
        "A=~",
        "A=~/x",
        "A=x:~",
        "A=$'x'",
        "A=*",
        "A=[a]",
        "A={a,b}",
        "A=a;id",
        "A=a&id",
        "A=a|id",
        "A=a>f",
        "A=<f",
        "A=(a b)",
        "A=a!b",
        "id",
        "export A=b",
        "A=b id",
        "A =b",
        "A+=b",
        "A[0]=b",
        "1A=b",
        "=b",
        "-x",
        ". /etc/profile",
        "if true; then",
        "A='open",
        "A=\"open",
        "A=b\\\nid",
        "A=\"b\\\nc\"",
        "A='a\nb'",
        "A=a\u{1b}",
        "A='a\0'",
        "A=b\r",
        "\u{feff}A=b",
        "PATH=/evil",
        "IFS=x",
        "UID=7",
        "A=b\\",
        "Ä=b",
        "A=a\u{a0}\u{85}",
    ] {
        for text in [line.to_owned(), format!("{URL}\n{line}\n"), format!("{line}\n{URL}\n")] {
            refused(&text);
        }
    }
}

#[test]
fn the_line_is_named() {
    assert_eq!(refused("A=b\n\n# c\nB=$(id)\n"), "line 4: a shell would expand or run this");
    let error = SoloConfig::parse("A=b\nid").unwrap_err();
    let source = std::error::Error::source(&error).unwrap().to_string();
    assert_eq!(error.to_string(), "the file does more than assign plain text");
    assert_eq!(source, "line 2: only assignments are read, and this is none");
}

#[test]
fn values_that_are_not_what_they_should_be_are_refused() {
    for (text, message) in [
        ("CHEF_RECIPE_URL=/srv/a.tgz", "CHEF_RECIPE_URL is not usable"),
        ("CHEF_RECIPE_URL='file:///etc/shadow'", "CHEF_RECIPE_URL is not usable"),
        ("CHEF_RECIPE_URL=http://h/\nCHEF_RUN_LIST='role[exe'", "CHEF_RUN_LIST is not usable"),
        ("CHEF_RECIPE_URL=http://h/\nCHEF_RUN_LIST='a;b'", "CHEF_RUN_LIST is not usable"),
    ] {
        assert_eq!(SoloConfig::parse(text).unwrap_err().to_string(), message);
    }
}
