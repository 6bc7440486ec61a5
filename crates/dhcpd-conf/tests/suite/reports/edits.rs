//! Reports about files that were changed.

use dhcpd_conf::Edit;

use super::parsed;

/// xcat2/xcat-core 7777: removing a block by its marker lines ate the rest of the file.
#[test]
fn removing_a_host_between_marker_comments_leaves_the_rest() {
    let source =
        "#xCAT begin a\nhost a { uid 1; } #xCAT end a\n#xCAT begin b\n\nhost b { uid 2; }\n";
    let document = parsed(source);
    let changed =
        Edit::new(&document).remove_host(document.hosts_named("a").next().unwrap()).finish();
    assert_eq!(changed.unwrap(), b"#xCAT begin b\n\nhost b { uid 2; }\n");
}

/// xcat2/xcat-core 7777 too: the closing brace stood on the line of the end marker.
#[test]
fn an_end_marker_behind_the_closing_brace_ends_nothing_else() {
    let source = "#definition for host a start\nhost a {\n  uid 1;\n} #definition for host a end\n\
                  #definition for host b start\nhost b {\n  uid 2;\n} #definition for host b end\n";
    let document = parsed(source);
    let changed =
        Edit::new(&document).remove_host(document.hosts_named("a").next().unwrap()).finish();
    let rest = source.split_inclusive('\n').skip(4).collect::<String>();
    assert_eq!(changed.unwrap(), rest.as_bytes());
}
