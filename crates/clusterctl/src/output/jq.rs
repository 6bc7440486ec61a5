//! jq programs over a result, run by jaq.

use std::fmt;

use jaq_core::load::{Arena, File, Loader};
use jaq_core::{Compiler, Ctx, Vars, data, unwrap_valr};
use jaq_json::Val;
use serde_json::Value;
use thiserror::Error;

type Filter = jaq_core::compile::Filter<jaq_core::Native<data::JustLut<Val>>>;

/// A compiled jq program.
pub struct Program {
    filter: Filter,
}

/// Why a jq program did not compile or run.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct JqError(String);

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Program")
    }
}

/// Filters that reach outside the value: the environment, and jaq's end of the process.
const REFUSED: [&str; 2] = ["env", "halt"];

/// jq's `halt` ends the program; here by an error that only this text raises.
const HALT: &str = "clusterctl: jq halts";
const HALT_DEFINITION: &str = "def halt(status): error(\"clusterctl: jq halts\");";

impl Program {
    /// Compiles a program; nothing of it can read files or the environment.
    pub fn compile(code: &str) -> Result<Program, JqError> {
        let halt =
            jaq_core::load::parse(HALT_DEFINITION, |parser| parser.defs()).unwrap_or_default();
        let std_defs = halt.into_iter().chain(jaq_std::defs());
        let defs = jaq_core::defs().chain(std_defs).chain(jaq_json::defs());
        let std_funs = jaq_std::funs().filter(|(name, ..)| !REFUSED.contains(name));
        let funs = jaq_core::funs().chain(std_funs).chain(jaq_json::funs());
        let arena = Arena::default();
        let modules = Loader::new(defs)
            .load(&arena, File { code, path: () })
            .map_err(|errors| JqError(load_errors(&errors)))?;
        let filter = Compiler::default()
            .with_funs(funs)
            .compile(modules)
            .map_err(|errors| JqError(compile_errors(&errors)))?;
        Ok(Program { filter })
    }

    /// The text of everything the program gives for a value: strings raw, the rest as JSON, one a
    /// line.
    pub fn run(&self, value: &Value) -> Result<String, JqError> {
        let bytes = serde_json::to_vec(value).map_err(|error| JqError(error.to_string()))?;
        let input =
            jaq_json::read::parse_single(&bytes).map_err(|error| JqError(error.to_string()))?;
        let ctx = Ctx::<data::JustLut<Val>>::new(&self.filter.lut, Vars::new([]));
        let mut text = String::new();
        for result in self.filter.id.run((ctx, input)).map(unwrap_valr) {
            let value = match result {
                Ok(value) => value,
                Err(error) if error.to_string().contains(HALT) => break,
                Err(error) => return Err(JqError(error.to_string())),
            };
            match &value {
                Val::TStr(raw) => text.push_str(&String::from_utf8_lossy(raw)),
                other => text.push_str(&other.to_string()),
            }
            text.push('\n');
        }
        Ok(text)
    }
}

fn load_errors(errors: &jaq_core::load::Errors<&str, ()>) -> String {
    let mut parts = Vec::new();
    for (_file, error) in errors {
        match error {
            jaq_core::load::Error::Io(list) => {
                parts.extend(list.iter().map(|(path, why)| format!("{path}: {why}")));
            }
            jaq_core::load::Error::Lex(list) => {
                parts.extend(list.iter().map(|(expected, at)| {
                    format!("expected {} at {:?}", expected.as_str(), start_of(at))
                }));
            }
            jaq_core::load::Error::Parse(list) => {
                parts.extend(list.iter().map(|(expected, at)| {
                    format!("expected {} at {:?}", expected.as_str(), start_of(at))
                }));
            }
        }
    }
    parts.join("; ")
}

fn compile_errors(errors: &jaq_core::compile::Errors<&str, ()>) -> String {
    let undefined = errors.iter().flat_map(|(_file, list)| list.iter());
    undefined
        .map(|(name, kind)| format!("undefined {} {name:?}", kind.as_str()))
        .collect::<Vec<_>>()
        .join("; ")
}

/// The first characters of the place, enough to find it.
fn start_of(at: &str) -> String {
    if at.is_empty() { "the end".to_owned() } else { at.chars().take(20).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn strings_print_raw_and_values_as_json() {
        let program = Program::compile(".[] | .node, .up").unwrap();
        let text = program.run(&json!([{"node": "exe<1>", "up": true}])).unwrap();
        assert_eq!(text, "exe<1>\ntrue\n");
    }

    #[test]
    fn halt_ends_the_program_not_the_process() {
        let program = Program::compile("1, halt, 2").unwrap();
        assert_eq!(program.run(&json!(null)).unwrap(), "1\n");
    }

    #[test]
    fn a_program_that_does_not_parse_or_names_nothing_is_refused() {
        for code in ["foo(", "nosuch", "env", "$ENV", "import \"x\" as x; .", "input_filename|"] {
            assert!(Program::compile(code).is_err(), "{code}");
        }
    }
}
