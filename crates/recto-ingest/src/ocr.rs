//! What only the picture of a page can tell: which parts to look at, and how what was read there joins the page's record.
//! Which text is trusted is decided before ([`recto_page::TextReason`]); how pictures are read is a [`Recognizer`]'s matter.

use recto_model::{ModelError, RecognizedLine, Recognizer, Stop};
use recto_page::{
    BlockKind, OcrRecord, Page, PageImage, PageNumber, PageSize, Problem, ProblemCode, Region, Stage, Table, TextLayer,
    TextReason, TextSource, Turn, Word,
};

use serde::{Deserialize, Serialize};

use crate::glyph::{NOWHERE, union};
use crate::layout::{Marks, lay_out};
use crate::picture_look::may_hold_text;
use crate::skew::Skew;
use crate::words::{Placed, Segment};
use crate::{layer_check, reading_order};

/// Resolution at which pages are read, in dots per inch.
pub const DPI: u32 = 144;

/// What was read replaces a text layer that can be read in part only if it is at least this sure.
const SURE: f32 = 0.85;

/// What was read with less is a problem.
const UNCERTAIN: f32 = 0.7;

/// Logos and scribbles look like lines of text. So large a share of unread ones is text that is missing.
const MOST_UNREAD: f32 = 0.2;

/// A page as it was read from the file, with the pictures of what only they can tell.
#[derive(Clone, PartialEq, Debug)]
pub struct ReadPage {
    /// What the file says.
    pub page: Page,
    /// Pictures of the parts that [`Pictures::of`] names, as far as they could be drawn.
    pub pictures: Vec<Picture>,
}

/// The picture of a part of a page.
#[derive(Clone, PartialEq, Debug)]
pub struct Picture {
    /// Which part.
    pub region: Region,
    /// Its pixels.
    pub image: PageImage,
}

/// Which pages are to come with pictures to be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Pictures {
    /// None.
    None,
    /// Those that the file's text does not tell, or tells in part.
    Needed,
    /// All.
    All,
}

impl Pictures {
    /// The parts of a page whose pictures are to be read.
    pub fn of(self, page: &Page) -> Vec<Region> {
        match self {
            Self::None => Vec::new(),
            Self::Needed if page.text_reason.distrusts_layer() || is_sample(page) => vec![Region::FULL],
            Self::Needed => page.pictures.clone(),
            Self::All => vec![Region::FULL],
        }
    }
}

/// Reads the pictures of a page, until it is stopped, and joins what they say to its record. What fails is recorded with
/// the page.
pub fn read_pictures(read: ReadPage, wish: Pictures, recognizer: &dyn Recognizer, stop: &Stop) -> Page {
    let ReadPage { mut page, pictures } = read;
    let Some(dpi) = pictures.iter().map(|picture| picture.image.dpi).min() else { return page };
    if wish == Pictures::Needed && is_sample(&page) && !layer_is_wrong(&mut page, &pictures, recognizer, stop) {
        return page;
    }
    let whole = pictures.iter().any(|picture| picture.region == Region::FULL);
    let mut found = Found::default();
    for picture in pictures.iter().filter(|picture| whole || may_hold_text(&picture.image)) {
        match recognizer.recognize(&picture.image, stop) {
            Ok(recognized) => found.add(recognized, picture.region, page.size),
            Err(ModelError::Unavailable { why, .. }) => mark(&mut page, ProblemCode::OcrUnavailable, &why),
            Err(error) => failed(&mut page, &error.to_string()),
        }
    }
    if dpi < DPI {
        page.problems.push(problem(
            ProblemCode::PixelBudget,
            page.number,
            format!("its picture was read at {dpi} dpi"),
        ));
    }
    if found.stopped {
        mark(&mut page, ProblemCode::OcrTimeout, &format!("{} read until then", lines(found.lines.len())));
    }
    if !whole {
        found.lines.retain(|line| !is_known(line, &page.text_layer, page.size));
    }
    let regions = pictures.iter().map(|picture| picture.region).collect();
    let skew = found.straighten(page.size);
    let frame = skew.frame(page.size);
    let (layer, sure) = found.arranged(frame);
    let (mut layer, mut tables) =
        if whole { lay_out(layer, &Marks::default(), frame) } else { (as_figures(layer), Vec::new()) };
    let confidence = layer.lines.iter().map(|line| confidence(&sure, points(line.region, frame))).collect();
    skew.undo(&mut layer, &mut tables, page.size);
    let (unread, turn, engine) = (found.unread, found.turn, recognizer.name().to_owned());
    let ocr = OcrRecord { layer, confidence, unread, regions, turn, engine, dpi };
    join(&mut page, ocr, tables, whole);
    page
}

/// What a scanner's program read off its scan is compared with the scan on every so many pages.
const SAMPLE_EVERY: u32 = 8;

/// So many lines of such a page are read again.
const SAMPLE_LINES: usize = 6;

fn is_sample(page: &Page) -> bool {
    page.text_reason == TextReason::ScannerLayer && page.number.get() % SAMPLE_EVERY == 1
}

/// True if some lines from the middle of the page say something else than its layer, which is then distrusted.
fn layer_is_wrong(page: &mut Page, pictures: &[Picture], recognizer: &dyn Recognizer, stop: &Stop) -> bool {
    let middle = page.text_layer.lines.len() / 2;
    let lines = page.text_layer.lines.iter().skip(middle.saturating_sub(SAMPLE_LINES / 2)).take(SAMPLE_LINES);
    let (Some(part), [picture]) = (Region::around(lines.map(|line| &line.region)), pictures) else { return false };
    let Ok(recognized) = recognizer.recognize(&picture.image.crop(part), stop) else { return false };
    if recognized.stopped {
        return false;
    }
    let mut found = Found::default();
    found.add(recognized, part, page.size);
    let (read, _) = found.arranged(page.size);
    let wrong = layer_check::contradicts(&page.text_layer, &read, part);
    if wrong {
        page.text_reason = TextReason::WrongScannerLayer;
    }
    wrong
}

/// Marks a page of which pictures should be read, and nobody can.
pub fn without_recognizer(page: &mut Page, why: &str) {
    mark(page, ProblemCode::NoOcr, why);
}

/// Marks a page whose pictures could not be read.
pub fn failed(page: &mut Page, why: &str) {
    mark(page, ProblemCode::OcrFailed, why);
}

/// Why a page has no text says more than that it has none. What several of its pictures lack is said once.
fn mark(page: &mut Page, code: ProblemCode, why: &str) {
    page.problems.retain(|problem| problem.code != ProblemCode::NoText && problem.code != code);
    page.problems.push(problem(code, page.number, why));
}

/// Lines found on pictures of one page.
#[derive(Default)]
struct Found {
    lines: Vec<FoundLine>,
    unread: Vec<Region>,
    turn: Turn,
    stopped: bool,
}

struct FoundLine {
    segment: Segment,
    confidence: f32,
}

impl Found {
    fn add(&mut self, recognized: recto_model::Recognized, part: Region, page: PageSize) {
        self.turn = turn(recognized.turned);
        self.stopped |= recognized.stopped;
        self.unread.extend(recognized.unread.iter().map(|unread| within(part, unread.region)));
        self.lines.extend(recognized.lines.into_iter().filter_map(|line| found_line(line, part, page)));
    }

    /// Moves the lines to where they would stand on a page that is not askew.
    fn straighten(&mut self, page: PageSize) -> Skew {
        let skew = Skew::of(self.lines.iter().map(|line| &line.segment));
        for line in &mut self.lines {
            let segment = &mut line.segment;
            segment.words.iter_mut().for_each(|word| word.rect = skew.straightened(word.rect, page));
            *segment = placed(std::mem::take(&mut segment.words), Turn::of_direction(segment.direction));
        }
        skew
    }

    /// The lines in reading order, and how sure each was where it stands.
    fn arranged(&mut self, page: PageSize) -> (TextLayer, Vec<Sure>) {
        let lines = std::mem::take(&mut self.lines);
        let sure = lines.iter().map(|line| (line.segment.rect, line.confidence)).collect();
        (reading_order::arrange(lines.into_iter().map(|line| line.segment).collect(), page), sure)
    }
}

/// The place of a line that was found, and how sure it is.
type Sure = ([f32; 4], f32);

/// What stands in a picture on a page, the labels of a chart for instance, is no running text and rarely a table.
fn as_figures(mut layer: TextLayer) -> TextLayer {
    layer.blocks.iter_mut().for_each(|block| block.kind = BlockKind::Figure);
    layer
}

/// A line was put together from these.
fn confidence(sure: &[Sure], [left, top, right, bottom]: [f32; 4]) -> f32 {
    let inside = |[l, t, r, b]: [f32; 4]| {
        let (x, y) = ((l + r) / 2.0, (t + b) / 2.0);
        (left..=right).contains(&x) && (top..=bottom).contains(&y)
    };
    sure.iter().filter(|(rect, _)| inside(*rect)).map(|(_, confidence)| *confidence).fold(1.0, f32::min)
}

fn found_line(line: RecognizedLine, part: Region, page: PageSize) -> Option<FoundLine> {
    let word = |word: Word| Placed { text: word.text, rect: points(within(part, word.region), page) };
    let words: Vec<Placed> = line.words.into_iter().filter(|word| !word.text.is_empty()).map(word).collect();
    (!words.is_empty()).then(|| FoundLine { segment: placed(words, turn(line.turned)), confidence: line.confidence })
}

/// Words of a line that stand at their places.
fn placed(words: Vec<Placed>, turn: Turn) -> Segment {
    let rect = words.iter().map(|word| word.rect).fold(NOWHERE, union);
    let [left, top, right, bottom] = rect;
    let height = if matches!(turn, Turn::None | Turn::Half) { bottom - top } else { right - left };
    let origin = match turn {
        Turn::None => [left, bottom - DESCENT * height],
        Turn::Right => [left + DESCENT * height, top],
        Turn::Half => [right, top + DESCENT * height],
        Turn::Left => [right - DESCENT * height, bottom],
    };
    let size = EM * height;
    Segment { words, direction: turn.direction(), origin, rect, size, rtl: false, mirrored: false }
}

/// The font size of a line of this height: it has ascenders, descenders and a little room.
const EM: f32 = 0.8;

/// The share of a line's height that is below its baseline.
const DESCENT: f32 = 0.2;

/// Text on a picture that must be turned to the right to stand upright is itself turned to the left.
const fn turn(quarters: u8) -> Turn {
    match quarters % 4 {
        0 => Turn::None,
        1 => Turn::Left,
        2 => Turn::Half,
        _ => Turn::Right,
    }
}

/// A part of a part of a page.
fn within(part: Region, inner: Region) -> Region {
    let x = |v: f32| f64::from(part.left() + v * (part.right() - part.left()));
    let y = |v: f32| f64::from(part.top() + v * (part.bottom() - part.top()));
    Region::new(x(inner.left()), y(inner.top()), x(inner.right()), y(inner.bottom()))
}

fn points(region: Region, page: PageSize) -> [f32; 4] {
    let [left, top, right, bottom] = region.ltrb();
    [left * page.width, top * page.height, right * page.width, bottom * page.height]
}

/// True if the text layer has words where the line stands.
fn is_known(line: &FoundLine, layer: &TextLayer, page: PageSize) -> bool {
    let [left, top, right, bottom] = line.segment.rect;
    layer.words.iter().any(|word| {
        let (x, y) = word.region.center();
        (left..right).contains(&(x * page.width)) && (top..bottom).contains(&(y * page.height))
    })
}

fn join(page: &mut Page, ocr: OcrRecord, tables: Vec<Table>, whole: bool) {
    let sure = ocr.mean_confidence();
    let readable_in_part = page.text_reason == TextReason::UnmappedGlyphs && !page.text_layer.is_empty();
    if ocr.layer.is_empty() {
        nothing_found(page, whole);
    } else if !whole {
        page.text_source = TextSource::Mixed;
    } else if !readable_in_part || sure >= SURE {
        page.text_source = TextSource::Ocr;
        page.tables = tables;
        page.problems.retain(|problem| !problem.code.is_made_good_by_ocr());
    }
    if !ocr.layer.is_empty() && sure < UNCERTAIN {
        let detail = format!("the recognizer is {:.0} % sure", 100.0 * sure);
        page.problems.push(problem(ProblemCode::OcrUncertain, page.number, detail));
    }
    if ocr.unread.len() as f32 > MOST_UNREAD * (ocr.layer.lines.len() + ocr.unread.len()) as f32 {
        let detail = format!("{} of its picture could not be read", lines(ocr.unread.len()));
        page.problems.push(problem(ProblemCode::UnreadText, page.number, detail));
    }
    page.ocr = Some(ocr);
}

/// The picture of a page without text is a picture, and nothing is missing.
fn nothing_found(page: &mut Page, whole: bool) {
    if whole && page.problems.iter().any(|problem| problem.code == ProblemCode::NoText) {
        page.problems.retain(|problem| problem.code != ProblemCode::NoText);
        page.problems.push(problem(ProblemCode::PictureOnly, page.number, "no text was found on the page's picture"));
    }
}

fn lines(n: usize) -> String {
    if n == 1 { "1 line".to_owned() } else { format!("{n} lines") }
}

fn problem(code: ProblemCode, page: PageNumber, detail: impl Into<String>) -> Problem {
    Problem::of_page(code, Stage::Ocr, page, detail)
}

#[cfg(test)]
mod tests {
    use recto_model::recognizer::FakeRecognizer;
    use recto_model::{Recognized, Unread};

    use super::*;

    /// Lines of words from the top of the picture on, a tenth of its height each.
    fn recognizer(lines: &[&str], confidence: f32) -> FakeRecognizer {
        let lines = lines.iter().enumerate().map(|(row, text)| {
            let top = row as f64 / 10.0;
            let place = |i: usize| Region::new(i as f64 / 10.0, top, (i as f64 + 0.9) / 10.0, top + 0.05);
            let words = text.split(' ').enumerate().map(|(i, word)| Word { text: word.into(), region: place(i) });
            RecognizedLine { words: words.collect(), confidence, turned: 0 }
        });
        FakeRecognizer(Recognized { lines: lines.collect(), ..Recognized::default() })
    }

    fn page(reason: TextReason, layer: &[&str]) -> Page {
        let size = PageSize { width: 600.0, height: 800.0 };
        let mut page = Page::empty(PageNumber::FIRST, size);
        page.text_reason = reason;
        let FakeRecognizer(said) = recognizer(layer, 1.0);
        let mut found = Found::default();
        found.add(said, Region::FULL, size);
        page.text_layer = found.arranged(size).0;
        page.text_source = if layer.is_empty() { TextSource::None } else { TextSource::Layer };
        page
    }

    fn picture(region: Region) -> Picture {
        let (width, height) = (600, 800);
        // Stripes, as a picture of one colour has no text.
        let rgb = (0..width * height).flat_map(|i| if i % 8 < 2 { [0; 3] } else { [255; 3] }).collect();
        Picture { region, image: PageImage { width, height, dpi: 144, rgb } }
    }

    fn read(page: Page, region: Region, recognizer: &FakeRecognizer) -> Page {
        let pictures = vec![picture(region)];
        read_pictures(ReadPage { page, pictures }, Pictures::Needed, recognizer, &|| false)
    }

    #[test]
    fn what_was_read_replaces_a_layer_that_is_not_trusted() {
        const SEEN: [&str; 2] = ["the river rises", "in the hills"];
        let check = |reason, layer: &[&str], seen: &[&str], confidence, want: TextSource| {
            let page = read(page(reason, layer), Region::FULL, &recognizer(seen, confidence));
            assert_eq!(page.text_source, want, "{reason:?} {layer:?} {seen:?}");
            assert_eq!(page.ocr.is_some_and(|ocr| ocr.layer.is_empty()), seen.is_empty());
        };
        check(TextReason::Scan, &[], &SEEN, 0.5, TextSource::Ocr);
        check(TextReason::Scan, &[], &[], 1.0, TextSource::None);
        check(TextReason::Scan, &["7"], &[], 1.0, TextSource::Layer);
        check(TextReason::Nonsense, &["wkh ulyhu"], &SEEN, 0.9, TextSource::Ocr);
        check(TextReason::UnmappedGlyphs, &["the riv\u{fffd}r"], &SEEN, 0.9, TextSource::Ocr);
        check(TextReason::UnmappedGlyphs, &["the riv\u{fffd}r"], &SEEN, 0.6, TextSource::Layer);
    }

    #[test]
    fn a_scanners_layer_is_kept_unless_the_scan_says_something_else() {
        let said = ["the river rises in the hills above our town"];
        let check = |seen: &str, want: TextSource, reason: TextReason| {
            let page = read(page(TextReason::ScannerLayer, &said), Region::FULL, &recognizer(&[seen], 0.9));
            assert_eq!((page.text_source, page.text_reason), (want, reason), "{seen}");
        };
        check("the river rises in the hills above our town", TextSource::Layer, TextReason::ScannerLayer);
        check("minutes of a meeting held on monday at noon", TextSource::Ocr, TextReason::WrongScannerLayer);
    }

    #[test]
    fn a_picture_on_a_page_adds_what_the_layer_lacks() {
        let good = page(TextReason::GoodLayer, &["the river rises", "in the hills"]);
        let below = Region::new(0.0, 0.5, 1.0, 1.0);
        let added = read(good.clone(), below, &recognizer(&["Fig. 2", "1990 2000"], 0.9));
        assert_eq!(added.text_source, TextSource::Mixed);
        assert_eq!(
            added.text().split_whitespace().collect::<Vec<_>>().join(" "),
            "the river rises in the hills Fig. 2 1990 2000"
        );
        let kinds: Vec<_> = added.reading().blocks.iter().map(|block| block.kind).collect();
        assert!(kinds.contains(&BlockKind::Figure) && kinds.contains(&BlockKind::Text), "{kinds:?}");
        let top = added.ocr.map(|ocr| ocr.layer.words[0].region.top()).unwrap_or_default();
        assert!((top - 0.5).abs() < 0.01, "{top}");
        let known = read(good, Region::new(0.0, 0.0, 0.9, 1.0), &recognizer(&["the river rises"], 0.9));
        assert_eq!(known.text_source, TextSource::Layer);
    }

    #[test]
    fn what_could_not_be_read_is_a_problem() {
        let check = |seen: &[&str], confidence, unread: bool, want: &[ProblemCode]| {
            let mut recognizer = recognizer(seen, confidence);
            recognizer.0.unread = vec![Unread { region: Region::FULL, confidence: 0.1 }; usize::from(unread)];
            let mut page = page(TextReason::Scan, &[]);
            page.problems.push(problem(ProblemCode::NoText, page.number, ""));
            let codes: Vec<_> = read(page, Region::FULL, &recognizer).problems.iter().map(|p| p.code).collect();
            assert_eq!(codes, want);
        };
        check(&["the river"], 0.9, false, &[]);
        check(&["the river"], 0.6, false, &[ProblemCode::OcrUncertain]);
        check(&["the river"], 0.9, true, &[ProblemCode::UnreadText]);
        check(&[], 0.9, false, &[ProblemCode::PictureOnly]);
    }

    /// A recognizer without a result.
    struct Failing(ModelError);

    impl Recognizer for Failing {
        fn recognize(&self, _: &PageImage, _: &Stop) -> recto_model::Result<Recognized> {
            Err(self.0.clone())
        }

        fn name(&self) -> &'static str {
            "failing"
        }
    }

    #[test]
    fn a_picture_that_could_not_be_read_is_not_called_one_without_text() {
        let check = |error: ModelError, want: ProblemCode| {
            let mut page = page(TextReason::Scan, &[]);
            page.problems.push(problem(ProblemCode::NoText, page.number, ""));
            let halves = [Region::new(0.0, 0.0, 1.0, 0.5), Region::new(0.0, 0.5, 1.0, 1.0)].map(picture).to_vec();
            let read = ReadPage { page, pictures: halves };
            let page = read_pictures(read, Pictures::Needed, &Failing(error), &|| false);
            assert_eq!(page.problems.iter().map(|p| p.code).collect::<Vec<_>>(), [want]);
            assert_eq!(page.text_source, TextSource::None);
        };
        check(ModelError::BadReply { why: "null".into() }, ProblemCode::OcrFailed);
        check(ModelError::Unavailable { why: "away".into(), retry_after: None }, ProblemCode::OcrUnavailable);
    }

    #[test]
    fn what_was_read_until_the_time_was_up_is_kept() {
        let check = |reason, seen: &[&str], want: TextSource| {
            let mut recognizer = recognizer(seen, 0.9);
            recognizer.0.stopped = true;
            let mut page = page(reason, &[]);
            page.problems.push(problem(ProblemCode::NoText, page.number, ""));
            let page = read(page, Region::FULL, &recognizer);
            assert_eq!(page.problems.iter().map(|p| p.code).collect::<Vec<_>>(), [ProblemCode::OcrTimeout]);
            assert_eq!(page.text_source, want);
        };
        check(TextReason::Scan, &["the river"], TextSource::Ocr);
        check(TextReason::Scan, &[], TextSource::None);
    }

    #[test]
    fn lines_keep_their_direction_and_what_the_recognizer_thinks_of_them() {
        let mut recognizer = recognizer(&["first", "second"], 0.9);
        recognizer.0.lines[1].confidence = 0.6;
        let page = read(page(TextReason::Scan, &[]), Region::FULL, &recognizer);
        assert_eq!(page.ocr.as_ref().map(|ocr| ocr.confidence.clone()), Some(vec![0.9, 0.6]));
        let turns = [(0, Turn::None), (1, Turn::Left), (2, Turn::Half), (3, Turn::Right)];
        for (turned, want) in turns {
            recognizer.0.lines.iter_mut().for_each(|line| line.turned = turned);
            let page = read(self::page(TextReason::Scan, &[]), Region::FULL, &recognizer);
            assert_eq!(page.ocr.map(|ocr| ocr.layer.lines[0].turn), Some(want));
        }
    }
}
