use proptest::prelude::*;
use secrets::sops::{Document, InspectError, KeyKind, Policy, PolicyError};

const VALUE: &str = "ENC[AES256_GCM,data:AA==,iv:AA==,tag:AA==,type:str]";

fn document(data: &str, sops: &str) -> String {
    format!(
        "# comment\napiVersion: v1\nkind: Secret\nmetadata:\n  name: example\n{data}\nsops:\n  \
         mac: {VALUE}\n  version: 3.11.0\n{sops}"
    )
}

const AGE: &str = "  age:\n  - recipient: age1abc\n    enc: |\n      x\n  - recipient: ssh-ed25519 AAAA comment\n    enc: y\n";

fn inspect(data: &str, sops: &str) -> Result<Document, InspectError> {
    Document::inspect(document(data, sops).as_bytes())
}

fn data() -> String {
    format!("data:\n  munge-key: {VALUE}\n  empty: \"\"\nbinaryData:\n  keytab: {VALUE}")
}

#[test]
fn names_keys_and_recipients_are_read_without_a_key() {
    let document = inspect(&data(), AGE).unwrap();
    assert_eq!(document.name(), "example");
    assert_eq!(document.keys().collect::<Vec<_>>(), ["munge-key", "empty", "keytab"]);
    let recipients: Vec<_> = document.recipients().map(|r| r.as_str().to_owned()).collect();
    assert_eq!(recipients, ["age1abc", "ssh-ed25519 AAAA"]);
    assert_eq!(document.key_kinds().collect::<Vec<_>>(), [KeyKind::Age]);
    document.permitted_by(&Policy::age_only()).unwrap();
}

#[test]
fn kinds_of_keys_that_are_not_allowed_are_named() {
    let groups = "  key_groups:\n  - age:\n    - recipient: age1x\n      enc: x\n    hc_vault:\n    - vault_address: x\n";
    let kms = "  kms:\n  - arn: x\n  pgp: []\n  gcp_kms: null\n  azure_kv:\n";
    for (sops, message) in [
        (groups.to_owned(), "hc_vault"),
        (format!("{AGE}{kms}"), "kms"),
        ("  gcp_kms:\n  - resource_id: x\n  kms:\n  - arn: x\n".to_owned(), "kms, gcp_kms"),
    ] {
        let refused = inspect(&data(), &sops).unwrap().permitted_by(&Policy::age_only());
        let expected =
            format!("the document is encrypted to {message} keys, which are not allowed");
        assert_eq!(refused.unwrap_err().to_string(), expected);
    }
    let allowing = Policy::allowing([KeyKind::Age, KeyKind::Kms]);
    inspect(&data(), &format!("{AGE}{kms}")).unwrap().permitted_by(&allowing).unwrap();
    let nobody = inspect(&data(), "").unwrap().permitted_by(&Policy::age_only());
    assert_eq!(nobody.unwrap_err(), PolicyError::NoKey);
}

#[test]
fn a_document_that_could_mislead_is_refused() {
    let integer = VALUE.replace("str]", "int]");
    let cases = [
        ("data: {a: hunter2}".to_owned(), AGE.to_owned()),
        (format!("data: {{a: '{integer}'}}"), AGE.to_owned()),
        (format!("data: {{a: '{VALUE}'}}\nbinaryData: {{a: '{VALUE}'}}"), AGE.to_owned()),
        (format!("data: {{a: '{VALUE}', a: '{VALUE}'}}"), AGE.to_owned()),
        (format!("data: {{a: ['{VALUE}']}}"), AGE.to_owned()),
        (format!("data: {{a: &x '{VALUE}', b: *x}}"), AGE.to_owned()),
        (format!("data: {{a: !!str '{VALUE}'}}"), AGE.to_owned()),
        (format!("{}\nstringData: {{}}", data()), AGE.to_owned()),
        (format!("spec: '{VALUE}'"), AGE.to_owned()),
        (data(), format!("{AGE}  mac_only_encrypted: true\n")),
        (data(), format!("{AGE}  new_kms:\n  - x: y\n")),
        (data(), "  age:\n  - enc: x\n".to_owned()),
        (data(), "  age: age1abc\n".to_owned()),
        (data(), format!("{AGE}---\nkind: Secret\n")),
        ("metadata: {name: other}".to_owned(), AGE.to_owned()),
    ];
    let messages: Vec<String> =
        cases.iter().map(|(data, sops)| inspect(data, sops).unwrap_err().to_string()).collect();
    insta::assert_snapshot!(messages.join("\n"), @r#"
    the value of "a" is not encrypted
    the value of "a" is not a string; quote it and encrypt it again
    "a" is in data and in binaryData
    line 6: a key is given twice or merges another mapping
    the field "data.a" is missing or malformed
    line 6: anchors are not allowed
    line 6: tags are not allowed
    there is no field "stringData" in such a document
    there is no field "spec" in such a document
    the document was encrypted with mac_only_encrypted, which leaves key names unprotected
    there is no field "new_kms" in such a document
    the field "sops.age" is missing or malformed
    the field "sops.age" is missing or malformed
    line 20: there is more than one document
    line 6: a key is given twice or merges another mapping
    "#);
    for (text, error) in [
        ("", "line 1: there is no document"),
        ("- a", "the field \"the document\" is missing or malformed"),
        ("kind: Secret", "the document is not encrypted by sops"),
        ("a: {b: [", "line 2: this is not YAML"),
        ("\u{feff}x: 1", "there is no field \"x\" in such a document"),
    ] {
        assert_eq!(Document::inspect(text.as_bytes()).unwrap_err().to_string(), error, "{text:?}");
    }
    let encrypted_name = document(&data(), AGE).replace("name: example", &format!("name: {VALUE}"));
    let error = Document::inspect(encrypted_name.as_bytes()).unwrap_err();
    assert_eq!(error, InspectError::EncryptedField { field: "metadata.name".into() });
    let no_mac = document(&data(), AGE).replace("mac:", "version2:");
    assert!(Document::inspect(no_mac.as_bytes()).is_err());
}

#[test]
fn depth_is_bounded() {
    let deep = format!("a: {}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(Document::inspect(deep.as_bytes()).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_text_is_a_document_or_an_error(text in "(?s).{0,80}", cut in any::<prop::sample::Index>()) {
        let _ = Document::inspect(text.as_bytes());
        let whole = document(&data(), AGE);
        let _ = Document::inspect(&whole.as_bytes()[..cut.index(whole.len())]);
        let mut mixed = whole.into_bytes();
        let at = cut.index(mixed.len());
        mixed.splice(at..at, text.bytes());
        let _ = Document::inspect(&mixed);
    }
}
