use secrets::{NotOneLine, Plaintext};

#[test]
fn a_secret_prints_its_length_only() {
    let secret = Plaintext::from(b"hunter2".to_vec());
    assert_eq!(format!("{secret:?} {secret:#?}"), "Plaintext(7 bytes) Plaintext(7 bytes)");
    assert_eq!(secret.expose(), b"hunter2");
}

#[test]
fn one_line_is_text_without_its_newline() {
    let line = |bytes: &[u8]| Plaintext::from(bytes.to_vec()).expose_line().map(str::to_owned);
    assert_eq!(line(b"hunter2"), Ok("hunter2".into()));
    assert_eq!(line(b"hunter2\n"), Ok("hunter2".into()));
    assert_eq!(line(b"hunter2\r\n"), Ok("hunter2".into()));
    assert_eq!(line("  blanks count ü ".as_bytes()), Ok("  blanks count ü ".into()));
    let no_line: [&[u8]; 8] =
        [b"", b"\n", b"a\nb", b"a\n\n", b"\xff", b"a\tb", b"a\0", "a\u{2028}b".as_bytes()];
    for bytes in no_line {
        assert_eq!(line(bytes), Err(NotOneLine), "{bytes:?}");
    }
}
