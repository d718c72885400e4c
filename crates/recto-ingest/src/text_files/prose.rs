//! Plain text and Markdown. The text stays as it is written; Markdown's headings and tables are told apart.

use crate::laid_out::{Draft, Part, Shape, Table};

/// Reads a text.
pub(super) fn read(text: &str) -> Draft {
    let mut draft = Draft::default();
    for page in text.split('\u{c}') {
        draft.start(Shape::Flow);
        let mut reader = Reader::default();
        for line in page.lines() {
            reader.line(line, &mut draft);
        }
        reader.end_paragraph(&mut draft);
    }
    draft
}

/// True if the text has a heading, a table, a link or code as Markdown writes them.
pub(super) fn is_markdown(text: &str) -> bool {
    text.lines().any(|line| {
        let is_rule = line.starts_with('|') && line.contains("--");
        heading(line).is_some() || is_rule || line.contains("](") || line.trim_start().starts_with("```")
    })
}

#[derive(Default)]
struct Reader {
    lines: Vec<String>,
    in_code: bool,
}

impl Reader {
    fn line(&mut self, line: &str, draft: &mut Draft) {
        if line.trim_start().starts_with("```") {
            self.in_code = !self.in_code;
        }
        let heading = if self.in_code { None } else { heading(line) };
        if let Some((level, title)) = heading {
            self.end_paragraph(draft);
            draft.push(Part::Heading(level, title.into()));
        } else if line.trim().is_empty() && !self.in_code {
            self.end_paragraph(draft);
        } else {
            self.lines.push(line.to_owned());
        }
    }

    fn end_paragraph(&mut self, draft: &mut Draft) {
        let lines = std::mem::take(&mut self.lines);
        draft.push(table(&lines).map_or_else(|| Part::Text(lines.join("\n")), Part::Table));
    }
}

/// A heading of Markdown: its level and its title.
fn heading(line: &str) -> Option<(u8, &str)> {
    let title = line.trim_start_matches('#');
    let level = u8::try_from(line.len() - title.len()).ok().filter(|level| (1..=6).contains(level))?;
    let title = title.strip_prefix(' ')?.trim().trim_end_matches('#').trim_end();
    (!title.is_empty()).then_some((level, title))
}

/// A table of Markdown: the second line rules the first off.
fn table(lines: &[String]) -> Option<Table> {
    let rule = lines.get(1)?;
    let is_rule = rule.contains('-') && rule.contains('|') && rule.chars().all(|c| "|-: ".contains(c));
    let all_cells = lines.iter().all(|line| line.contains('|'));
    (is_rule && all_cells).then(|| {
        let rows = lines.iter().enumerate().filter(|(index, _)| *index != 1).map(|(_, line)| cells(line));
        Table { rows: rows.collect(), has_head: true }
    })
}

fn cells(line: &str) -> Vec<String> {
    let inner = line.trim().trim_start_matches('|');
    let inner = inner.strip_suffix('|').unwrap_or(inner).replace("\\|", "\u{0}");
    inner.split('|').map(|cell| cell.trim().replace('\u{0}', "|")).collect()
}
