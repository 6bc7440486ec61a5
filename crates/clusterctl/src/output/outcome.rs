//! What a command ends with, and its rendering.

use serde::Serialize;
use serde_json::Value;

use crate::exit::{ExitClass, Stop};
use crate::output::format::{Format, FormatError};
use crate::output::table::Table;
use crate::output::yaml;

/// The end of a command that ran: a result, notes, and perhaps what made it fail.
#[derive(Debug, Default)]
pub struct Outcome {
    /// For standard output.
    pub output: Option<Output>,
    /// For standard error, one sentence a line, printed after the result.
    pub notes: Vec<String>,
    /// What makes the command fail; decides the exit code.
    pub stop: Option<Stop>,
}

impl Outcome {
    /// A success that prints this.
    pub fn of(output: Output) -> Outcome {
        Outcome { output: Some(output), ..Outcome::default() }
    }

    /// The same with a note for standard error.
    #[must_use]
    pub fn with_note(mut self, note: impl Into<String>) -> Outcome {
        self.notes.push(note.into());
        self
    }

    /// The same with a failure, if there is one.
    #[must_use]
    pub fn with_stop(mut self, stop: Option<Stop>) -> Outcome {
        self.stop = stop;
        self
    }

    /// The class that decides the exit code.
    pub fn class(&self) -> ExitClass {
        self.stop.as_ref().map_or(ExitClass::Success, Stop::class)
    }
}

/// A result in all its forms.
#[derive(Debug, Clone)]
pub struct Output {
    human: Human,
    value: Value,
    nodes: Option<Vec<String>>,
}

#[derive(Debug, Clone)]
enum Human {
    Table { table: Table, caption: Option<String> },
    Text(String),
}

impl Output {
    /// A table for people, and the same rows as values for programs.
    ///
    /// The rows must serialise; a type that cannot is a mistake of the program and shows as null.
    pub fn table(table: Table, rows: &impl Serialize) -> Output {
        let value = serde_json::to_value(rows).unwrap_or(Value::Null);
        Output { human: Human::Table { table, caption: None }, value, nodes: None }
    }

    /// A text for people, already escaped, and a value for programs.
    pub fn text(text: impl Into<String>, value: &impl Serialize) -> Output {
        let value = serde_json::to_value(value).unwrap_or(Value::Null);
        Output { human: Human::Text(text.into()), value, nodes: None }
    }

    /// The same with a caption under the table.
    #[must_use]
    pub fn with_caption(mut self, text: impl Into<String>) -> Output {
        if let Human::Table { caption, .. } = &mut self.human {
            *caption = Some(text.into());
        }
        self
    }

    /// The same with the nodes that `-o nodeset` and `-o name` print, in order.
    #[must_use]
    pub fn with_nodes<S: Into<String>>(mut self, nodes: impl IntoIterator<Item = S>) -> Output {
        self.nodes = Some(nodes.into_iter().map(Into::into).collect());
        self
    }

    /// The value for programs.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// The text in a format, with its final line feed; empty when there is nothing to print.
    pub fn render(&self, format: &Format) -> Result<String, FormatError> {
        match format {
            Format::Table => Ok(self.human_text(false)),
            Format::Wide => Ok(self.human_text(true)),
            Format::Json => {
                let mut text = serde_json::to_string_pretty(&self.value).unwrap_or_default();
                text.push('\n');
                Ok(text)
            }
            Format::Yaml => Ok(yaml::document(&self.value)),
            Format::Name => {
                let nodes = self.nodes.as_ref().ok_or(FormatError::NoNodes)?;
                Ok(nodes.iter().flat_map(|node| [node.as_str(), "\n"]).collect())
            }
            Format::Nodeset => {
                let nodes = self.nodes.as_ref().ok_or(FormatError::NoNodes)?;
                if nodes.is_empty() {
                    return Ok(String::new());
                }
                Ok(format!("{}\n", crate::selection::fold(nodes)))
            }
            Format::Jq(program) => program.run(&self.value).map_err(FormatError::Run),
        }
    }

    fn human_text(&self, wide: bool) -> String {
        match &self.human {
            Human::Text(text) => text.clone(),
            Human::Table { table, caption } => {
                let mut text = table.render(wide);
                if let Some(caption) = caption {
                    text.push_str(caption);
                    text.push('\n');
                }
                text
            }
        }
    }
}
