//! The light markup: text to blocks. Knows nothing of pages.

/// One block of a document.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Block {
    Heading(u8, String),
    Paragraph(String),
    Item { marker: String, text: String },
    Fact { key: String, value: String },
    Table(Vec<Vec<String>>),
    Caption(String),
    Chart(Chart),
    Title(String),
    Subtitle(String),
    Big(String),
    Note(String),
    Space(f32),
    Page,
    Columns,
    Contents,
}

/// A chart of labelled values.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Chart {
    pub(crate) line: bool,
    pub(crate) title: String,
    pub(crate) points: Vec<Point>,
}

/// A value of a chart, and how it is written.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Point {
    pub(crate) label: String,
    pub(crate) value: f32,
    pub(crate) written: String,
}

/// The blocks of `markup`.
pub(crate) fn parse(markup: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut lines = markup.lines().map(str::trim).peekable();
    while let Some(line) = lines.next() {
        let mut following = |wanted: fn(&str) -> bool| {
            let mut taken = Vec::new();
            while let Some(line) = lines.next_if(|line| wanted(line)) {
                taken.push(line);
            }
            taken
        };
        if line.is_empty() {
            continue;
        }
        blocks.push(if line.starts_with('|') {
            let rest = following(|line| line.starts_with('|'));
            Block::Table([line].into_iter().chain(rest).map(cells).collect())
        } else if let Some((line, title)) = chart_head(line) {
            Block::Chart(Chart {
                line,
                title,
                points: following(|line| line.contains(':') && !line.starts_with('^')).into_iter().map(point).collect(),
            })
        } else if let Some(block) = single(line) {
            block
        } else {
            let rest =
                following(|line| !line.is_empty() && !line.starts_with(['|', '!', '#', '^']) && item(line).is_none());
            Block::Paragraph(join(line, &rest))
        });
    }
    blocks
}

/// A block of one line.
fn single(line: &str) -> Option<Block> {
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    let text = rest.trim().to_owned();
    Some(match word {
        "#" => Block::Heading(1, text),
        "##" => Block::Heading(2, text),
        "###" => Block::Heading(3, text),
        "^" => Block::Caption(text),
        "!title" => Block::Title(text),
        "!subtitle" => Block::Subtitle(text),
        "!big" => Block::Big(text),
        "!note" => Block::Note(text),
        "!space" => Block::Space(text.parse().unwrap_or(12.0)),
        "!page" => Block::Page,
        "!columns" => Block::Columns,
        "!contents" => Block::Contents,
        "=" => {
            let (key, value) = text.split_once(": ").unwrap_or((&text, ""));
            Block::Fact { key: format!("{key}:"), value: value.to_owned() }
        }
        _ => return item(line),
    })
}

fn item(line: &str) -> Option<Block> {
    let (marker, text) = line.split_once(' ')?;
    let number = marker.strip_suffix('.').is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()));
    let marker = if marker == "-" { "•" } else { marker };
    (number || marker == "•").then(|| Block::Item { marker: marker.to_owned(), text: text.trim().to_owned() })
}

fn chart_head(line: &str) -> Option<(bool, String)> {
    let bar = line.strip_prefix("!bar ").map(|title| (false, title.to_owned()));
    bar.or_else(|| line.strip_prefix("!line ").map(|title| (true, title.to_owned())))
}

fn point(line: &str) -> Point {
    let (label, value) = line.rsplit_once(':').unwrap_or((line, ""));
    let written = value.trim().to_owned();
    Point { label: label.trim().to_owned(), value: written.replace(',', "").parse().unwrap_or(0.0), written }
}

fn cells(line: &str) -> Vec<String> {
    let inner = line.trim_start_matches('|').trim_end_matches('|');
    inner.split('|').map(|cell| cell.trim().to_owned()).collect()
}

/// Joins lines with a space, or with nothing where Chinese text runs on.
fn join(first: &str, rest: &[&str]) -> String {
    rest.iter().fold(first.to_owned(), |mut text, line| {
        if text.is_ascii() || !text.ends_with(super::line::is_wide) {
            text.push(' ');
        }
        text + line
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks() {
        let text = |s: &str| s.to_owned();
        for (markup, right) in [
            (
                "# A\nb\nc\n\nd",
                vec![Block::Heading(1, text("A")), Block::Paragraph(text("b c")), Block::Paragraph(text("d"))],
            ),
            (
                "- x\n2. y",
                vec![
                    Block::Item { marker: text("•"), text: text("x") },
                    Block::Item { marker: text("2."), text: text("y") },
                ],
            ),
            ("| a | b |\n| 1 | |", vec![Block::Table(vec![vec![text("a"), text("b")], vec![text("1"), text("")]])]),
            ("= Head: 12 m", vec![Block::Fact { key: text("Head:"), value: text("12 m") }]),
            (
                "!bar T\nMay: 1,200",
                vec![Block::Chart(Chart {
                    line: false,
                    title: text("T"),
                    points: vec![Point { label: text("May"), value: 1200.0, written: text("1,200") }],
                })],
            ),
            ("水资源\n管理", vec![Block::Paragraph(text("水资源管理"))]),
        ] {
            assert_eq!(parse(markup), right, "{markup}");
        }
    }
}
