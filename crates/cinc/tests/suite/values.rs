use cinc::{ArchiveUrl, ArchiveUrlError, ClientRun, RunList, SoloConfig};
use proptest::prelude::*;

#[test]
fn an_archive_is_an_http_or_https_url() {
    let parse = |text: &str| text.parse::<ArchiveUrl>().map(|url| url.to_string());
    for url in [
        "http://installer/cinc/latest.tgz",
        "https://user@h:8443/a?b=c#d",
        "HTTP://h",
        "http://[::1]/a",
        "http://h/a%20b'c",
        "http://h/$(x)",
    ] {
        assert_eq!(parse(url).as_deref(), Ok(url));
    }
    for (url, error) in [
        ("", ArchiveUrlError::Scheme),
        ("installer/a.tgz", ArchiveUrlError::Scheme),
        ("file:///etc/shadow", ArchiveUrlError::Scheme),
        ("ftp://h/a", ArchiveUrlError::Scheme),
        ("-http://h/a", ArchiveUrlError::Scheme),
        ("http:///a", ArchiveUrlError::Host),
        ("http://user@/a", ArchiveUrlError::Host),
        ("http://:80/a", ArchiveUrlError::Host),
        ("http://h/a b", ArchiveUrlError::Character),
        ("http://h/a\nb", ArchiveUrlError::Character),
        ("http://h/a\0", ArchiveUrlError::Character),
        ("http://h/ü", ArchiveUrlError::Character),
    ] {
        assert_eq!(parse(url), Err(error), "{url:?}");
    }
    assert_eq!(parse(&format!("http://{}", "h".repeat(2048))), Err(ArchiveUrlError::TooLong));
}

#[test]
fn a_run_list_holds_roles_and_recipes() {
    for list in
        ["role[exe]", "recipe[a::b]", "ntp", "ntp::server, role[x-y_z]", "a@1.2.3", "recipe[a@1.0]"]
    {
        assert_eq!(list.parse::<RunList>().unwrap().to_string(), list);
    }
    for list in [
        "",
        ",",
        "role[]",
        "role[a",
        "role[a]b",
        "a,,b",
        "a;b",
        "$(x)",
        "a\nb",
        "a\u{a0}b",
        "-x",
        "role[--config]",
        "ü",
        "a b",
        "a,\tb",
    ] {
        assert!(list.parse::<RunList>().is_err(), "{list:?}");
    }
}

#[test]
fn the_client_gets_the_values_as_arguments() {
    let config = SoloConfig::new("http://h/a".parse().unwrap());
    let run = ClientRun::new("/opt/cinc/bin/cinc-solo", &config);
    let plain = ["/opt/cinc/bin/cinc-solo", "--minimal-ohai", "--recipe-url", "http://h/a"];
    assert_eq!(run.argv(), plain);
    let config = config.with_run_list("role[exe]".parse().unwrap());
    let run = ClientRun::new("cinc-solo", &config).override_run_list("ntp".parse().unwrap());
    assert_eq!(run.argv()[4..], ["--override-runlist", "ntp"]);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

    #[test]
    fn what_is_written_is_read_back(url in "http://[!-~]{1,40}", list in "[a-z\\[\\]:@, ]{0,20}") {
        let Ok(url) = url.parse() else { return Ok(()) };
        let config = SoloConfig::new(url);
        let config = match list.parse() {
            Ok(list) => config.with_run_list(list),
            Err(_) => config,
        };
        prop_assert_eq!(SoloConfig::parse(&config.render()), Ok(Some(config)));
    }

    #[test]
    fn any_text_is_a_configuration_or_an_error(text in "(?s).{0,80}") {
        let _ = SoloConfig::parse(&text);
        let _ = SoloConfig::parse(&format!("CHEF_RECIPE_URL={text}"));
    }
}
