//! Tables, figures and charts on a page: where each stands with its caption, and the words in it. Not which are shown.

use recto_page::{Block, BlockKind, Numbered, Page, Region, TextLayer};

/// Parts of a figure stand no further from each other, in fractions of the page.
const NEAR: f32 = 0.025;
/// A caption stands no further from its figure.
const BESIDE: f32 = 0.08;
/// Smaller pictures are marks and lines.
const LEAST: f32 = 0.006;
/// A picture of the whole page is no part of it.
const MOST: f32 = 0.8;
/// Above a caption whose figure has no words: the least height of that figure.
const LEAST_HEIGHT: f32 = 0.06;
/// What is shown around a table or figure.
const MARGIN: f32 = 0.012;
/// Bytes of the words of a table or figure.
const WORDS: usize = 3_000;

/// A table or figure on a page.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Element {
    /// Whether it is a table.
    pub(super) is_table: bool,
    /// What its caption calls it.
    pub(super) numbered: Option<Numbered>,
    /// Where it stands, with its caption and a margin.
    pub(super) region: Region,
    /// The words in it; of a table as Markdown.
    pub(super) words: String,
    /// The height of its letters in points; 0 if it has none.
    pub(super) letters: f32,
}

impl Element {
    /// Tables first, then figures from the top to the bottom.
    pub(super) fn on(page: &Page) -> Vec<Self> {
        let layer = page.reading();
        let captions = captions(page, &layer);
        let mut elements: Vec<Self> = page.tables.iter().map(|table| Self::table(table, page, &layer)).collect();
        let figures = figures(page, &layer, &captions);
        elements.extend(figures.into_iter().map(|(region, numbered)| Self::figure(region, numbered, page, &layer)));
        elements.retain(|element| (LEAST..MOST).contains(&area(&element.region)));
        elements
    }

    fn table(table: &recto_page::Table, page: &Page, layer: &TextLayer) -> Self {
        let caption = table.caption.as_deref();
        let is_it =
            |block: &&Block| block.kind == BlockKind::Caption && Some(first_line(layer, block).as_str()) == caption;
        let around = layer.blocks.iter().find(is_it).map_or(table.region, |block| table.region.union(&block.region));
        let words = [caption.unwrap_or_default(), &table.to_markdown()].join("\n");
        let letters = letters(page, layer, &around);
        let numbered = caption.and_then(Numbered::of_caption);
        Self { is_table: true, numbered, region: wider(&around), words: bounded(words.trim()), letters }
    }

    fn figure(region: Region, numbered: Option<Numbered>, page: &Page, layer: &TextLayer) -> Self {
        let inside = layer.lines.iter().filter(|line| holds(&region, &line.region));
        let words: Vec<String> = inside.map(|line| layer.line_text(line)).collect();
        let letters = letters(page, layer, &region);
        Self { is_table: false, numbered, region: wider(&region), words: bounded(&words.join("\n")), letters }
    }
}

/// What captions of figures name, and where they stand.
fn captions(page: &Page, layer: &TextLayer) -> Vec<(Numbered, Region)> {
    let named = |block: &Block| {
        let numbered = Numbered::of_caption(&first_line(layer, block)).filter(|numbered| numbered.kind != "table")?;
        let is_table = page.tables.iter().any(|table| table.region.overlaps(&block.region));
        (block.kind == BlockKind::Caption && !is_table).then_some((numbered, block.region))
    };
    layer.blocks.iter().filter_map(named).collect()
}

fn first_line(layer: &TextLayer, block: &Block) -> String {
    layer.lines_of(block).first().map(|line| layer.line_text(line)).unwrap_or_default()
}

/// Figures with what their captions call them; a caption without anything drawn beside it stands under its figure.
fn figures(page: &Page, layer: &TextLayer, captions: &[(Numbered, Region)]) -> Vec<(Region, Option<Numbered>)> {
    let mut figures: Vec<(Region, Option<Numbered>)> =
        drawn(page, layer).into_iter().map(|region| (region, None)).collect();
    for (numbered, caption) in captions {
        let distance = |region: &Region| gap(region, caption);
        let free = figures.iter_mut().filter(|(region, known)| known.is_none() && distance(region) <= BESIDE);
        match free.min_by(|(a, _), (b, _)| distance(a).total_cmp(&distance(b))) {
            Some((region, known)) => (*region, *known) = (region.union(caption), Some(numbered.clone())),
            None => figures.extend(above(caption, layer).map(|region| (region, Some(numbered.clone())))),
        }
    }
    figures.sort_by(|(a, _), (b, _)| a.top().total_cmp(&b.top()).then(a.left().total_cmp(&b.left())));
    figures
}

/// Pictures and labels of drawings, those beside each other as one.
fn drawn(page: &Page, layer: &TextLayer) -> Vec<Region> {
    let labels = layer.blocks.iter().filter(|block| block.kind == BlockKind::Figure).map(|block| block.region);
    let mut parts: Vec<Region> = page.pictures.iter().copied().chain(labels).filter(|part| area(part) < MOST).collect();
    let mut whole: Vec<Region> = Vec::new();
    while let Some(mut part) = parts.pop() {
        // What a part is joined with may reach others that were apart from it.
        while let Some(at) = parts.iter().position(|other| gap(other, &part) <= NEAR) {
            part = part.union(&parts.swap_remove(at));
        }
        match whole.iter_mut().find(|other| gap(other, &part) <= NEAR) {
            Some(other) => *other = other.union(&part),
            None => whole.push(part),
        }
    }
    whole.retain(|region| area(region) >= LEAST);
    whole
}

/// The place between a caption and the text above it, as wide as its column.
fn above(caption: &Region, layer: &TextLayer) -> Option<Region> {
    let is_text = |kind: BlockKind| !matches!(kind, BlockKind::Figure | BlockKind::Formula | BlockKind::Annotation);
    let over = |block: &&Block| {
        let region = block.region;
        is_text(block.kind)
            && region.bottom() <= caption.top() + 0.005
            && region.left() < caption.right()
            && caption.left() < region.right()
    };
    let top = layer.blocks.iter().filter(over).map(|block| block.region.bottom()).fold(0.04, f32::max);
    let half = |from: f32, to: f32| caption.left() >= from && caption.right() <= to && caption.width() > 0.25;
    let (left, right) = match (half(0.0, 0.52), half(0.48, 1.0)) {
        (true, _) => (caption.left().min(0.06), 0.5),
        (_, true) => (0.5, caption.right().max(0.94)),
        _ => (caption.left().min(0.06), caption.right().max(0.94)),
    };
    let [left, top, right, bottom] = [left, top, right, caption.bottom()].map(f64::from);
    (caption.top() - top as f32 >= LEAST_HEIGHT).then(|| Region::new(left, top, right, bottom))
}

/// How far two regions are apart, across or down, whichever is more; 0 if they overlap.
fn gap(a: &Region, b: &Region) -> f32 {
    let across = (a.left() - b.right()).max(b.left() - a.right());
    let down = (a.top() - b.bottom()).max(b.top() - a.bottom());
    across.max(down).max(0.0)
}

fn area(region: &Region) -> f32 {
    region.width() * region.height()
}

fn wider(region: &Region) -> Region {
    let [left, top, right, bottom] = region.ltrb();
    Region::new((left - MARGIN).into(), (top - MARGIN).into(), (right + MARGIN).into(), (bottom + MARGIN).into())
}

fn holds(region: &Region, other: &Region) -> bool {
    let (x, y) = other.center();
    (region.left()..=region.right()).contains(&x) && (region.top()..=region.bottom()).contains(&y)
}

/// The middle one of the heights of words, in points.
fn letters(page: &Page, layer: &TextLayer, region: &Region) -> f32 {
    let inside = layer.words.iter().filter(|word| holds(region, &word.region));
    let mut heights: Vec<f32> = inside.map(|word| word.region.height() * page.size.height).collect();
    heights.sort_by(f32::total_cmp);
    heights.get(heights.len() / 2).copied().unwrap_or(0.0)
}

fn bounded(text: &str) -> String {
    text.get(..text.floor_char_boundary(WORDS)).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use recto_page::{Line, PageNumber, PageSize, Table, TextSource, Turn, Word};

    use super::*;

    /// A page of blocks, each a line of text at a place.
    fn page(blocks: &[(BlockKind, &str, [f64; 4])]) -> Page {
        let mut page = Page::empty(PageNumber::FIRST, PageSize { width: 600.0, height: 800.0 });
        page.text_source = TextSource::Layer;
        for (kind, text, [left, top, right, bottom]) in blocks {
            let region = Region::new(*left, *top, *right, *bottom);
            let layer = &mut page.text_layer;
            let (word, line) = (layer.words.len(), layer.lines.len());
            layer.words.push(Word { text: (*text).into(), region });
            layer.lines.push(Line { words: word..word + 1, region, turn: Turn::None });
            layer.blocks.push(Block { kind: *kind, lines: line..line + 1, region });
        }
        page
    }

    fn names(page: &Page) -> Vec<(String, [u32; 4])> {
        let name = |element: &Element| {
            let named = element.numbered.as_ref().map(|named| format!("{} {}", named.kind, named.number));
            let rounded = element.region.ltrb().map(|side| (side * 100.0).round() as u32);
            (named.unwrap_or_default(), rounded)
        };
        Element::on(page).iter().map(name).collect()
    }

    #[test]
    fn figures_stand_with_their_captions() {
        use BlockKind::{Caption, Figure, Text};
        let labelled = page(&[
            (Text, "Above.", [0.1, 0.1, 0.9, 0.15]),
            (Figure, "2019", [0.2, 0.3, 0.4, 0.4]),
            (Figure, "2020", [0.41, 0.3, 0.6, 0.41]),
            (Caption, "Figure 3: Tolls", [0.2, 0.45, 0.6, 0.47]),
        ]);
        assert_eq!(names(&labelled), [("figure 3".into(), [19, 29, 61, 48])]);
        assert_eq!(Element::on(&labelled)[0].words, "2019\n2020\nFigure 3: Tolls");
        // A drawing without words: between the caption and the text above it.
        let bare = page(&[(Text, "Above.", [0.1, 0.1, 0.9, 0.15]), (Caption, "Fig. 2 A dam", [0.2, 0.45, 0.6, 0.47])]);
        assert_eq!(names(&bare), [("figure 2".into(), [5, 14, 95, 48])]);
        let near = page(&[(Text, "Above.", [0.1, 0.1, 0.9, 0.43]), (Caption, "Fig. 2 A dam", [0.2, 0.45, 0.6, 0.47])]);
        assert_eq!(names(&near), []);
    }

    #[test]
    fn tables_and_pictures_are_found_and_whole_pages_are_not() {
        let mut page = page(&[(BlockKind::Caption, "Table 1: Costs", [0.1, 0.1, 0.5, 0.12])]);
        page.tables.push(Table {
            region: Region::new(0.1, 0.15, 0.9, 0.4),
            rows: 1,
            columns: 1,
            header_rows: 0,
            cells: Vec::new(),
            caption: Some("Table 1: Costs".into()),
            continued: false,
        });
        page.pictures = vec![Region::FULL, Region::new(0.5, 0.6, 0.9, 0.9), Region::new(0.1, 0.95, 0.12, 0.96)];
        assert_eq!(names(&page), [("table 1".into(), [9, 9, 91, 41]), (String::new(), [49, 59, 91, 91])]);
    }
}
