//! Parts of pages that are shown closer: the tables, figures and charts that a question asks about.

use recto_model::ChatImage;
use recto_page::{Page, Region};

use super::elements::Element;
use super::read::Shown;
use super::{Means, Plan};
use crate::qa::terms;
use crate::{Kind, Question};

/// Resolution of parts, in dots per inch: small letters can be read at the first, more than the last tells nothing.
const DPI: std::ops::RangeInclusive<u32> = 200..=300;
/// Letters of fewer points are small print.
const SMALL: f32 = 7.0;
/// What a part must be worth to be shown closer.
const LEAST: usize = 4;
/// What a part is worth that the question names by its number.
const NAMED: usize = 100;

/// A part of a page, closer.
pub(super) struct Zoom {
    /// What it is.
    pub(super) name: String,
    /// The words in it, as the page has them.
    pub(super) words: String,
    /// Its picture.
    pub(super) picture: ChatImage,
}

/// Words of questions about tables, and about what is drawn.
const TABLES: [&str; 5] = ["table", "row", "column", "cell", "表"];
const DRAWN: [&str; 18] = [
    "figure",
    "chart",
    "graph",
    "plot",
    "diagram",
    "map",
    "photo",
    "photograph",
    "image",
    "picture",
    "illustration",
    "pie",
    "bar",
    "axis",
    "legend",
    "curve",
    "图",
    "圖",
];

/// Adds parts to the pages that are shown as pictures: the best first, at most as many as the plan allows.
pub(super) fn zoom(question: &Question, shown: &mut [Shown], means: &Means<'_>, plan: &Plan) {
    let wish = Wish::of(question);
    let mut parts: Vec<(usize, usize, Element)> = Vec::new();
    for (at, page) in shown.iter().enumerate().filter(|(_, page)| page.picture.is_some()).take(plan.pictures) {
        let elements = Element::on(&page.page).into_iter();
        parts.extend(
            elements.map(|element| (wish.worth(&element, at), at, element)).filter(|(worth, ..)| *worth >= LEAST),
        );
    }
    // A stable sort: of equals the more promising page first.
    parts.sort_by_key(|(worth, ..)| std::cmp::Reverse(*worth));
    for (_, at, element) in parts.into_iter().take(plan.zooms) {
        let Some(page) = shown.get_mut(at) else { continue };
        let dpi = dpi(&page.page, &element.region, plan.side);
        let picture = means.pictures.picture(&page.id, element.region, dpi);
        page.zooms.extend(picture.map(|picture| Zoom { name: name(&element), words: element.words, picture }));
    }
}

fn name(element: &Element) -> String {
    let numbered = element.numbered.as_ref().map(|numbered| format!("{} {}", numbered.kind, numbered.number));
    numbered.unwrap_or_else(|| if element.is_table { "a table" } else { "a figure" }.to_owned())
}

/// As fine as fits the longer side of a picture, but fine enough to read.
fn dpi(page: &Page, region: &Region, side: u32) -> u32 {
    let inches = (region.width() * page.size.width).max(region.height() * page.size.height) / 72.0;
    let fitting = (side as f32 / inches.max(0.01)) as u32;
    // What is as large as a poster is shown as large as two pictures.
    fitting.clamp(*DPI.start(), *DPI.end()).min((2 * fitting).max(18))
}

/// What a question wants to be shown closer.
struct Wish<'q> {
    question: &'q Question,
    tables: bool,
    drawn: bool,
}

impl<'q> Wish<'q> {
    fn of(question: &'q Question) -> Self {
        let lower = question.asked.to_lowercase();
        let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).collect();
        let says = |known: &[&str]| {
            known.iter().any(|known| match known.is_ascii() {
                true => words.iter().any(|word| word.strip_suffix('s').unwrap_or(word) == *known),
                false => lower.contains(known),
            })
        };
        Self { question, tables: says(&TABLES), drawn: says(&DRAWN) || question.pictorial }
    }

    /// How much it is worth to show an element closer, on the page at this place.
    fn worth(&self, element: &Element, at: usize) -> usize {
        if let Some(numbered) = &element.numbered {
            let is_meant = |item: &crate::question::Item| {
                item.kind.starts_with(numbered.kind) && item.number.eq_ignore_ascii_case(&numbered.number)
            };
            if self.question.items.iter().any(is_meant) {
                return NAMED;
            }
        }
        let held = terms(&element.words);
        let shared = self.question.terms.iter().filter(|term| held.contains(term)).count();
        let is_asked = if element.is_table { self.tables } else { self.drawn };
        let holds_value = element.is_table && (self.question.kind.is_numeric() || self.question.kind == Kind::Choice);
        let is_small = (0.1..SMALL).contains(&element.letters);
        let worth =
            4 * usize::from(is_asked) + 2 * shared.min(4) + usize::from(holds_value) + 2 * usize::from(is_small);
        // Whoever ranked the pages knew more than the words of one element.
        (worth + 2).saturating_sub(at)
    }
}
