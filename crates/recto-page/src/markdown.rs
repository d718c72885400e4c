//! Tables as Markdown, and a page's text with its tables so. For reading; search and quotes use the text as it is.

use crate::{BlockKind, Page, Table, TextLayer};

impl Table {
    /// The table in the Markdown of GitHub. Headings of several rows become one, a heading over several columns stands in
    /// each of them, and so does a label beside several rows in each of those.
    pub fn to_markdown(&self) -> String {
        let mut grid = vec![vec![String::new(); self.columns]; self.rows];
        for cell in &self.cells {
            let wide = if cell.row < self.header_rows { cell.column_span } else { 1 };
            for row in grid.iter_mut().skip(cell.row).take(cell.row_span.max(1)) {
                row.iter_mut().skip(cell.column).take(wide).for_each(|place| *place = escaped(&cell.text));
            }
        }
        let body = grid.split_off(self.header_rows.min(grid.len()));
        let mut head = vec![String::new(); self.columns];
        for (name, text) in grid.iter().flat_map(|row| head_places(row)) {
            if let Some(name) = head.get_mut(name).filter(|held| *held != text) {
                name.push_str(if name.is_empty() { "" } else { " " });
                name.push_str(text);
            }
        }
        let mut text = line(&head);
        text.push_str(&line(&vec!["---".to_owned(); self.columns]));
        body.iter().for_each(|row| text.push_str(&line(row)));
        text
    }
}

fn head_places(row: &[String]) -> impl Iterator<Item = (usize, &String)> {
    row.iter().enumerate().filter(|(_, text)| !text.is_empty())
}

fn line(cells: &[String]) -> String {
    format!("| {} |\n", cells.join(" | "))
}

/// Line breaks and bars would end a cell.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('|', "\\|").replace(['\n', '\r'], " ")
}

impl Page {
    /// The page's text with its tables as Markdown where they stand.
    pub fn to_markdown(&self) -> String {
        let layer = self.reading();
        if self.tables.is_empty() || layer.is_empty() {
            return self.text();
        }
        let parts: Vec<String> = layer.blocks.iter().map(|block| self.block_text(&layer, block)).collect();
        parts.join("\n")
    }

    fn block_text(&self, layer: &TextLayer, block: &crate::Block) -> String {
        let holds = |table: &&Table| table.region.overlaps(&block.region);
        let shared = |table: &Table| {
            let (a, b) = (table.region, block.region);
            let width = a.right().min(b.right()) - a.left().max(b.left());
            width * (a.bottom().min(b.bottom()) - a.top().max(b.top()))
        };
        let table = self.tables.iter().filter(holds).max_by(|a, b| shared(a).total_cmp(&shared(b)));
        match table.filter(|_| block.kind == BlockKind::Table) {
            Some(table) => table.to_markdown(),
            None => layer.lines_of(block).iter().map(|line| layer.line_text(line) + "\n").collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cell, Region};

    fn cell(row: usize, column: usize, row_span: usize, column_span: usize, text: &str) -> Cell {
        Cell { row, column, row_span, column_span, text: text.into(), region: Region::FULL }
    }

    #[test]
    fn spans_are_repeated_where_a_reader_needs_them() {
        let table = Table {
            region: Region::FULL,
            rows: 4,
            columns: 3,
            header_rows: 2,
            cells: vec![
                cell(0, 1, 1, 2, "Year ended"),
                cell(1, 1, 1, 1, "2024"),
                cell(1, 2, 1, 1, "2023"),
                cell(2, 0, 2, 1, "North | South"),
                cell(2, 1, 1, 1, "12"),
                cell(2, 2, 1, 1, "11"),
                cell(3, 1, 1, 2, "none"),
            ],
            caption: None,
            continued: false,
        };
        let want = "|  | Year ended 2024 | Year ended 2023 |\n| --- | --- | --- |\n\
                    | North \\| South | 12 | 11 |\n| North \\| South | none |  |\n";
        assert_eq!(table.to_markdown(), want);
    }
}
