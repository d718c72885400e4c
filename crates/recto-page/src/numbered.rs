//! Figures, tables and sections that a document numbers: what a line names, and where it stands. So that `Figure 3` or
//! `section 2.1` leads to a place. Not what text says about them.

use crate::{BlockKind, Page, Region};

/// A numbered thing.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Numbered {
    /// `figure`, `table`, `chart`, `exhibit` or `section`.
    pub kind: &'static str,
    /// Its number as printed, such as `3`, `2.1` or `A-1`.
    pub number: String,
}

/// What captions begin with, and the kind of thing that they name.
const OPENINGS: &[(&str, &str)] = &[
    ("table", "table"),
    ("tab", "table"),
    ("figure", "figure"),
    ("fig", "figure"),
    ("chart", "chart"),
    ("exhibit", "exhibit"),
    ("表", "table"),
    ("图", "figure"),
    ("圖", "figure"),
];

/// In characters.
const LONGEST_OPENING: usize = 7;

impl Numbered {
    /// What a caption names: `Table 3: Costs`, `Fig. 2`, `表 1`. `None` for text that only mentions a figure or table.
    pub fn of_caption(line: &str) -> Option<Self> {
        let line = line.trim_start();
        let lower: String = line.chars().take(LONGEST_OPENING).flat_map(char::to_lowercase).collect();
        let (opening, kind) = OPENINGS.iter().find(|(opening, _)| lower.starts_with(opening))?;
        // Lower case may be longer than what it was made of, but not in these words.
        let rest = line.get(opening.len()..)?.trim_start_matches('.');
        let number = rest.trim_start();
        let is_spaced = rest.len() > number.len() || !opening.is_ascii();
        let length = number.find(|c: char| !(c.is_alphanumeric() || ".-–".contains(c))).unwrap_or(number.len());
        let (number, rest) = number.split_at_checked(length)?;
        let bare = number.trim_end_matches(['.', '-', '–']);
        let is_number = bare.chars().any(|c| c.is_ascii_digit()) || is_roman(bare) || bare.len() == 1;
        let is_named = is_spaced && is_number && bare.len() <= 8 && !goes_on_as_sentence(number, rest);
        is_named.then(|| Self { kind, number: bare.to_owned() })
    }

    /// What a heading names: `2.1 Methods`, `Section 4`, `3. Results`.
    pub fn of_heading(line: &str) -> Option<Self> {
        let mut words = line.split_whitespace();
        let first = words.next()?;
        let is_spelt = matches!(first.to_lowercase().as_str(), "section" | "chapter");
        let number = if is_spelt { words.next()? } else { first }.trim_end_matches(['.', ':', ')']);
        let is_number = number.starts_with(|c: char| c.is_ascii_digit())
            && number.len() <= 8
            && number
                .split('.')
                .all(|part| !part.is_empty() && part.len() <= 3 && part.chars().all(|c| c.is_ascii_digit()));
        let is_titled = is_spelt || words.next().is_some_and(|word| word.starts_with(char::is_uppercase));
        (is_number && is_titled).then(|| Self { kind: "section", number: number.to_owned() })
    }

    /// All that captions and headings of a page name, with the place of the caption or heading, in reading order.
    pub fn on(page: &Page) -> Vec<(Self, Region)> {
        let layer = page.reading();
        let named = |block: &crate::Block| {
            let first = layer.lines_of(block).first().map(|line| layer.line_text(line))?;
            match block.kind {
                BlockKind::Caption => Self::of_caption(&first),
                BlockKind::Heading => Self::of_heading(&first),
                _ => None,
            }
            .map(|numbered| (numbered, block.region))
        };
        layer.blocks.iter().filter_map(named).collect()
    }
}

fn is_roman(text: &str) -> bool {
    !text.is_empty() && text.len() <= 5 && text.chars().all(|c| "IVX".contains(c))
}

/// True if what follows the number is no title: `Table 3 shows`, `Figure 2, in which`.
fn goes_on_as_sentence(number: &str, rest: &str) -> bool {
    let is_closed =
        number.ends_with('.') || rest.starts_with([':', '|']) || rest.trim_start().starts_with(['—', '–', '-', '|']);
    let next = rest.trim_start().chars().next();
    !is_closed && next.is_some_and(|c| c.is_lowercase() || ",;)".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn captions_and_headings_name_their_number() {
        let caption = |line: &str| Numbered::of_caption(line).map(|n| format!("{} {}", n.kind, n.number));
        let table = [
            ("Table 3: Costs", Some("table 3")),
            ("TABLE II", Some("table II")),
            ("Fig. 2.1 Two mills", Some("figure 2.1")),
            ("Figure A-1. A dam", Some("figure A-1")),
            ("表 1 费用", Some("table 1")),
            ("Table 3 shows the costs", None),
            ("Figure 2, which is new", None),
            ("Tables are made of wood", None),
            ("Table", None),
            ("Figures 2019", None),
        ];
        for (line, want) in table {
            assert_eq!(caption(line).as_deref(), want, "{line}");
        }
        let heading = |line: &str| Numbered::of_heading(line).map(|n| n.number);
        let table = [
            ("2.1 Methods", Some("2.1")),
            ("3. Results", Some("3")),
            ("Section 4", Some("4")),
            ("2019 was a good year", None),
            ("1984 Apple", None),
            ("Methods", None),
        ];
        for (line, want) in table {
            assert_eq!(heading(line).as_deref(), want, "{line}");
        }
    }
}
