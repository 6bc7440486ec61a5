//! Aligned columns, never cut off.

use crate::output::escape;

/// A column's heading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    title: &'static str,
    wide: bool,
}

impl Column {
    /// A column that every table shows.
    pub const fn new(title: &'static str) -> Column {
        Column { title, wide: false }
    }

    /// A column that only `-o wide` shows.
    pub const fn wide(title: &'static str) -> Column {
        Column { title, wide: true }
    }

    /// Whether only `-o wide` shows it.
    pub const fn is_wide(self) -> bool {
        self.wide
    }
}

/// Headings and rows.
#[derive(Debug, Clone, Default)]
pub struct Table {
    columns: Vec<Column>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// An empty table with these columns.
    pub fn new(columns: impl IntoIterator<Item = Column>) -> Table {
        Table { columns: columns.into_iter().collect(), rows: Vec::new() }
    }

    /// A table whose columns are the same in every format.
    pub fn titled(titles: &[&'static str]) -> Table {
        Table::new(titles.iter().copied().map(Column::new))
    }

    /// Adds a row: one cell a column, in their order; a missing cell is empty.
    pub fn push<S: Into<String>>(&mut self, cells: impl IntoIterator<Item = S>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    /// Whether it has no row.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The text: columns two blanks apart, no blanks at line ends, cells escaped.
    pub fn render(&self, wide: bool) -> String {
        let shown: Vec<usize> =
            (0..self.columns.len()).filter(|&index| wide || !self.columns[index].wide).collect();
        let mut lines: Vec<Vec<String>> = Vec::with_capacity(self.rows.len() + 1);
        lines.push(shown.iter().map(|&index| self.columns[index].title.to_owned()).collect());
        for row in &self.rows {
            let cell = |&index: &usize| escape::line(row.get(index).map_or("", String::as_str));
            lines.push(shown.iter().map(cell).collect());
        }
        let width_of = |column: usize| {
            lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..shown.len()).map(width_of).collect();
        let mut text = String::new();
        for line in &lines {
            let mut rendered = String::new();
            for (cell, width) in line.iter().zip(&widths) {
                rendered.push_str(cell);
                let padding = width - cell.chars().count() + 2;
                rendered.extend(std::iter::repeat_n(' ', padding));
            }
            text.push_str(rendered.trim_end());
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_and_line_ends_are_bare() {
        let mut table =
            Table::new([Column::new("NODE"), Column::wide("HOST"), Column::new("STATE")]);
        table.push(["exe0001", "exe0001.hpc", "up"]);
        table.push(["x", "x.hpc", ""]);
        assert_eq!(table.render(false), "NODE     STATE\nexe0001  up\nx\n");
        assert_eq!(
            table.render(true),
            "NODE     HOST         STATE\nexe0001  exe0001.hpc  up\nx        x.hpc\n"
        );
    }

    #[test]
    fn a_line_break_in_a_cell_makes_no_row() {
        let mut table = Table::titled(&["NODE"]);
        table.push(["a\nb"]);
        assert_eq!(table.render(false), "NODE\na\\nb\n");
    }
}
