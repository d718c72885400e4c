//! A page as it is shown: its picture, and over it, all in one drawing, marks, the page's words (transparent, so that they
//! can be selected and read aloud) and what is known of the page's layout.

use maud::{Markup, html};
use recto_page::{BlockKind, Line, Page, PageId, PageSize, Region, TextLayer, Turn, Word};

use super::link::{DPI, Links};

/// Of a word's height, which is ascent plus descent of its font: how much is above the base line, and the size of a font
/// that is as high (Liberation Sans and Arial: 0.905 and 0.212 of their size).
const ABOVE: f32 = 0.905 / 1.117;
const FONT_SIZE: f32 = 1.0 / 1.117;

/// What is marked on a page.
#[derive(Clone, Copy, Default)]
pub(super) struct Marks<'a> {
    /// What is cited.
    pub(super) cited: &'a [Region],
    /// What was looked for.
    pub(super) found: &'a [Region],
}

/// A page with its picture, and everything over it.
pub(super) fn sheet(links: Links<'_>, id: &PageId, page: &Page, marks: Marks<'_>) -> Markup {
    html! {
        div.sheet {
            (picture(links, id, page.size, false))
            (layer(page, marks))
        }
    }
}

/// A page's picture.
pub(super) fn picture(links: Links<'_>, id: &PageId, size: PageSize, lazy: bool) -> Markup {
    let [width, height] = [size.width, size.height].map(|points| (points * 2.0).clamp(1.0, 1e5) as u32);
    html! {
        img src=(links.image(id, DPI)) width=(width) height=(height) alt={ "Page " (id.page) }
            loading=(if lazy { "lazy" } else { "eager" }) decoding="async";
    }
}

/// What lies over the picture of a page.
pub(super) fn layer(page: &Page, marks: Marks<'_>) -> Markup {
    let (size, reading) = (page.size, page.reading());
    html! {
        (drawn_marks(size, marks))
        svg.words viewBox=(view(size)) preserveAspectRatio="none" {
            @for line in &reading.lines { (line_of_words(&reading, line, size)) }
        }
        (drawn(page, &reading))
    }
}

/// Marks alone, for small pictures.
pub(super) fn drawn_marks(size: PageSize, marks: Marks<'_>) -> Markup {
    html! {
        svg.marks viewBox=(view(size)) preserveAspectRatio="none" aria-hidden="true" {
            @for region in marks.found { (rectangle("found", size, *region)) }
            @for region in marks.cited { (rectangle("mark", size, *region)) }
        }
    }
}

fn view(size: PageSize) -> String {
    format!("0 0 {} {}", short(size.width.max(1.0)), short(size.height.max(1.0)))
}

fn rectangle(class: &str, size: PageSize, region: Region) -> Markup {
    let [x, y, width, height] = [
        region.left() * size.width,
        region.top() * size.height,
        region.width() * size.width,
        region.height() * size.height,
    ]
    .map(short);
    html! { rect class=(class) x=(x) y=(y) width=(width) height=(height) {} }
}

/// Hundredths of a point.
fn short(points: f32) -> f32 {
    (points * 100.0).round() / 100.0
}

/// A line is one text, so that it is copied as one; each word stands where it is on the page.
fn line_of_words(layer: &TextLayer, line: &Line, size: PageSize) -> Markup {
    let degrees = match line.turn {
        Turn::None => None,
        Turn::Right => Some("rotate(90)"),
        Turn::Half => Some("rotate(180)"),
        Turn::Left => Some("rotate(-90)"),
    };
    html! {
        text transform=[degrees] {
            @for word in layer.words_of(line) {
                @let place = place(word, line.turn, size);
                tspan x=(short(place.x)) y=(short(place.y)) textLength=(short(place.length)) lengthAdjust="spacingAndGlyphs"
                    font-size=(short(place.height * FONT_SIZE)) { (word.text) }
                " "
            }
        }
    }
}

/// Where a word begins on its base line, in the frame in which it is upright.
struct Place {
    x: f32,
    y: f32,
    length: f32,
    height: f32,
}

fn place(word: &Word, turn: Turn, size: PageSize) -> Place {
    let [left, right] = [word.region.left(), word.region.right()].map(|x| x * size.width);
    let [top, bottom] = [word.region.top(), word.region.bottom()].map(|y| y * size.height);
    // The upright frame's own left, top, right and bottom.
    let [left, top, right, bottom] = match turn {
        Turn::None => [left, top, right, bottom],
        Turn::Right => [top, -right, bottom, -left],
        Turn::Half => [-right, -bottom, -left, -top],
        Turn::Left => [-bottom, left, -top, right],
    };
    let height = bottom - top;
    Place { x: left, y: top + ABOVE * height, length: (right - left).max(0.1), height: height.max(0.1) }
}

/// What is known of the layout, in groups that are shown on demand.
fn drawn(page: &Page, reading: &TextLayer) -> Markup {
    let size = page.size;
    html! {
        svg.drawn viewBox=(view(size)) preserveAspectRatio="none" aria-hidden="true" {
            g.g-words {
                @for word in &page.text_layer.words { (rectangle("word", size, word.region)) }
                @for word in page.ocr.iter().flat_map(|ocr| &ocr.layer.words) { (rectangle("ocr", size, word.region)) }
            }
            g.g-blocks {
                @for region in &page.pictures { (rectangle("picture", size, *region)) }
                @for cell in page.tables.iter().flat_map(|table| &table.cells) { (rectangle("cell", size, cell.region)) }
                @for hidden in &page.hidden { (rectangle("hidden-text", size, hidden.region)) }
                @for (block, number) in reading.blocks.iter().zip(1..) {
                    (rectangle("block", size, block.region))
                    (plate(size, block.region, &format!("{number} {}", kind(block.kind))))
                }
            }
            g.g-order { polyline.order points=(order(reading, size)) {} }
        }
    }
}

/// A label on a plate at the region's upper left corner.
fn plate(size: PageSize, region: Region, text: &str) -> Markup {
    let width = 4.6 * text.trim().chars().count() as f32 + 6.0;
    let x = (region.left() * size.width).min(size.width - width).max(0.0);
    let y = (region.top() * size.height - 11.0).max(0.0);
    html! {
        rect.plate x=(short(x)) y=(short(y)) width=(short(width)) height="11" {}
        text x=(short(x + 3.0)) y=(short(y + 8.5)) { (text.trim()) }
    }
}

fn order(reading: &TextLayer, size: PageSize) -> String {
    let centers = reading.blocks.iter().map(|block| block.region.center());
    centers.map(|(x, y)| format!("{},{}", short(x * size.width), short(y * size.height))).collect::<Vec<_>>().join(" ")
}

const fn kind(kind: BlockKind) -> &'static str {
    match kind {
        BlockKind::Text => "text",
        BlockKind::Heading => "heading",
        BlockKind::List => "list",
        BlockKind::Table => "table",
        BlockKind::Figure => "figure",
        BlockKind::Caption => "caption",
        BlockKind::Header => "header",
        BlockKind::Footer => "footer",
        BlockKind::Footnote => "footnote",
        BlockKind::Formula => "formula",
        BlockKind::FormField => "field",
        BlockKind::Annotation => "annotation",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A word of 20 by 10 points at (100, 200), as seen on a page of 200 by 400.
    fn placed(turn: Turn, region: Region) -> [f32; 4] {
        let word = Word { text: "word".into(), region };
        let Place { x, y, length, height } = place(&word, turn, PageSize { width: 200.0, height: 400.0 });
        [x, y, length, height].map(|v| (v * 10.0).round() / 10.0)
    }

    #[test]
    fn words_lie_where_they_are_however_they_are_turned() {
        let wide = Region::new(0.5, 0.5, 0.6, 0.525);
        let high = Region::new(0.5, 0.5, 0.55, 0.55);
        assert_eq!(placed(Turn::None, wide), [100.0, 208.1, 20.0, 10.0]);
        assert_eq!(placed(Turn::Half, wide), [-120.0, -201.9, 20.0, 10.0]);
        assert_eq!(placed(Turn::Right, high), [200.0, -101.9, 20.0, 10.0]);
        assert_eq!(placed(Turn::Left, high), [-220.0, 108.1, 20.0, 10.0]);
    }

    #[test]
    fn what_pages_say_is_text_and_never_markup() {
        let mut page = Page::empty(recto_page::PageNumber::FIRST, PageSize { width: 100.0, height: 100.0 });
        page.text_source = recto_page::TextSource::Layer;
        page.text_layer.words.push(Word { text: "<script>".into(), region: Region::FULL });
        page.text_layer.lines.push(Line { words: 0..1, region: Region::FULL, turn: Turn::None });
        let shown = layer(&page, Marks::default()).into_string();
        assert!(shown.contains("&lt;script&gt;") && !shown.contains("<script"), "{shown}");
    }
}
