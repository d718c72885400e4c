//! Ruled tables: a header row that is repeated on each page, numbers on the right of their cells.

use super::flow::Flow;
use super::line::{Line, wrap};
use super::style::{Script, Style};

const PAD: f32 = 5.0;

/// The height that must be free for a table to begin: all of it, or less where it is longer than a third of a page.
pub(crate) fn kept(flow: &Flow<'_>, rows: &[Vec<String>]) -> f32 {
    let size = flow.style.size * 0.92;
    let widths = widths(rows, flow.style, size, flow.width);
    let heights = rows.iter().map(|row| Row::new(row, &flow.style.bold, size, &widths).height(flow.style, size));
    heights.sum::<f32>().min(flow.style.page[1] / 3.0)
}

/// Draws a table across the column.
pub(crate) fn draw(flow: &mut Flow<'_>, rows: &[Vec<String>]) {
    let Some((header, body)) = rows.split_first() else { return };
    let style = flow.style;
    let size = style.size * 0.92;
    let widths = widths(rows, style, size, flow.width);
    let right: Vec<bool> =
        (0..widths.len()).map(|column| body.iter().all(|row| is_number(cell(row, column)))).collect();
    let header = Row::new(header, &style.bold, size, &widths);
    let body = body.iter().map(|row| Row::new(row, &style.regular, size, &widths));
    header.draw(flow, size, &widths, &right, true);
    for row in body {
        let (page, x) = (flow.pages.len(), flow.x);
        flow.need(row.height(style, size));
        if (page, x) != (flow.pages.len(), flow.x) {
            header.draw(flow, size, &widths, &right, true);
        }
        row.draw(flow, size, &widths, &right, false);
    }
    flow.y += style.size * 0.6;
}

struct Row<'a> {
    cells: Vec<Vec<Line>>,
    script: &'a Script,
}

impl<'a> Row<'a> {
    fn new(cells: &[String], script: &'a Script, size: f32, widths: &[f32]) -> Self {
        let lines = |(column, width): (usize, &f32)| wrap(cell(cells, column), script, size, width - 2.0 * PAD, false);
        Self { cells: widths.iter().enumerate().map(lines).collect(), script }
    }

    fn height(&self, style: &Style, size: f32) -> f32 {
        let lines = self.cells.iter().map(Vec::len).max().unwrap_or(1);
        lines as f32 * size * leading(style) + 2.0 * PAD * 0.8
    }

    fn draw(&self, flow: &mut Flow<'_>, size: f32, widths: &[f32], right: &[bool], header: bool) {
        let height = self.height(flow.style, size);
        let (bottom, accent) = (flow.up(flow.y + height), flow.style.accent);
        let mut x = flow.x;
        for (column, (lines, &width)) in self.cells.iter().zip(widths).enumerate() {
            if header {
                let tint = accent.map(|c| 0.86 + c * 0.14);
                flow.draw(|page| page.fill(tint).rect(x, bottom, width, height).content("0 g"));
            }
            flow.draw(|page| page.content(&format!("0.6 G 0.5 w {x:.2} {bottom:.2} {width:.2} {height:.2} re S 0 G")));
            for (n, line) in (1..).zip(lines) {
                let shift = if right.get(column) == Some(&true) { width - PAD - line.width } else { PAD };
                let y = flow.y + PAD * 0.8 + n as f32 * size * leading(flow.style) - size * 0.32;
                flow.draw_text(&line.text, self.script, size, x + shift, y);
            }
            x += width;
        }
        flow.y += height;
    }
}

fn leading(style: &Style) -> f32 {
    style.leading.min(1.3)
}

fn cell(row: &[String], column: usize) -> &str {
    row.get(column).map_or("", String::as_str)
}

fn is_number(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit() || "-–+".contains(c)) && !text.contains(' ') || text.is_empty()
}

/// Natural widths, stretched or squeezed so that the table fills `total`; narrow columns are not squeezed.
fn widths(rows: &[Vec<String>], style: &Style, size: f32, total: f32) -> Vec<f32> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let natural = |column| {
        let cells = rows
            .iter()
            .map(|row| style.bold.width(cell(row, column), size).max(style.regular.width(cell(row, column), size)));
        cells.fold(0.0, f32::max) + 2.0 * PAD + 1.0
    };
    let widths: Vec<f32> = (0..columns).map(natural).collect();
    let sum: f32 = widths.iter().sum();
    if sum <= total {
        return widths.iter().map(|width| width + (total - sum) / columns as f32).collect();
    }
    let fair = total / columns as f32;
    let (narrow, wide): (Vec<f32>, Vec<f32>) = widths.iter().partition(|width| **width <= fair);
    let factor = (total - narrow.iter().sum::<f32>()) / wide.iter().sum::<f32>();
    widths.iter().map(|&width| if width <= fair { width } else { width * factor }).collect()
}
