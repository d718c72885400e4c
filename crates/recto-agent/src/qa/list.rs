//! Lists on a page: the items that stand under a heading.

use std::ops::Range;

use recto_page::TextLayer;

use super::Found;
use super::reading::{Read, Reading};
use super::term::{is_stop_word, terms};
use crate::{Kind, Question};

/// Least share of the question that a heading must say.
const LEAST: f64 = 0.55;

/// Lists with longer items are running text.
const LONGEST_ITEM: usize = 25;

/// The list whose heading fits best a question that asks for several things.
pub(crate) fn list(question: &Question, reading: &Reading, allowed: &dyn Fn(&Read) -> bool) -> Option<Found> {
    if question.kind != Kind::List && !question.asks_several() {
        return None;
    }
    let mut best: Option<(f64, usize, usize, Vec<Range<usize>>)> = None;
    for (page, read) in reading.pages.iter().enumerate().filter(|(_, r)| allowed(r)) {
        for heading in 0..read.page.text_layer.lines.len() {
            let score = heading_score(question, read, heading);
            if score < LEAST || best.as_ref().is_some_and(|(most, ..)| *most >= score) {
                continue;
            }
            let items = items_below(&read.page.text_layer, heading);
            best = if is_list(&items) { Some((score, page, heading, items)) } else { best };
        }
    }
    let (score, page, heading, items) = best?;
    let layer = &reading.pages.get(page)?.page.text_layer;
    let words = layer.lines.get(heading)?.words.clone().chain(items.iter().flat_map(Clone::clone)).collect();
    let items: Vec<String> = items.into_iter().map(|words| item_text(layer, words)).collect();
    Some(Found::new(list_text(&items), vec![(page, words)], 0.5 + 0.5 * score))
}

fn is_list(items: &[Range<usize>]) -> bool {
    items.len() > 1 && items.iter().all(|i| i.len() <= LONGEST_ITEM)
}

/// How much of the question a line says, if it says little else.
fn heading_score(question: &Question, read: &Read, line: usize) -> f64 {
    let layer = &read.page.text_layer;
    let words = layer.lines[line].words.clone();
    if words.len() > 14 || is_marked(layer, line) {
        return 0.0;
    }
    let mut said = vec![false; question.terms.len()];
    let from = read.matches.partition_point(|(w, _)| *w < words.start);
    let matched = read.matches.iter().skip(from).take_while(|(w, _)| *w < words.end);
    matched.for_each(|&(_, term)| said[term] = true);
    let text = layer.line_text(&layer.lines[line]);
    let own = text.split_whitespace().filter(|w| !is_stop_word(w)).flat_map(terms).count().max(1);
    let covered = said.iter().filter(|s| **s).count() as f64 / own as f64;
    read.weighed(&said) * covered.clamp(0.0, 1.0)
}

/// The items that follow a line: marked lines with the lines that continue them.
fn items_below(layer: &TextLayer, heading: usize) -> Vec<Range<usize>> {
    let mut items: Vec<Range<usize>> = Vec::new();
    let mut left = 0.0;
    for line in heading + 1..layer.lines.len() {
        let at = &layer.lines[line];
        if is_marked(layer, line) {
            left = at.region.left();
            items.push(at.words.clone());
        } else if let Some(last) = items.last_mut() {
            let continues = at.region.left() > left && at.region.left() < left + 0.1 && last.end == at.words.start;
            if !continues {
                break;
            }
            last.end = at.words.end;
        } else if line > heading + 3 {
            break;
        }
    }
    items
}

const BULLETS: &[char] = &['•', '·', '▪', '●', '◦', '■', '–', '-', '*', '➢', '✓', '\u{f0b7}', '\u{f0a7}'];

/// True if the line begins with a bullet or a number such as `1.` or `(a)`.
fn is_marked(layer: &TextLayer, line: usize) -> bool {
    layer.words_of(&layer.lines[line]).first().is_some_and(|w| is_marker(&w.text) || w.text.starts_with(&BULLETS[..6]))
}

fn is_marker(word: &str) -> bool {
    let bare = word.trim_matches(|c| "().".contains(c));
    let numbered = bare.len() <= 2 && !bare.is_empty() && bare.chars().all(|c| c.is_ascii_alphanumeric());
    !word.is_empty() && word.chars().all(|c| BULLETS.contains(&c)) || numbered && word.ends_with(['.', ')'])
}

/// An item without its mark.
fn item_text(layer: &TextLayer, words: Range<usize>) -> String {
    let words = layer.words.get(words).unwrap_or_default();
    let texts: Vec<&str> = words.iter().map(|w| w.text.as_str()).collect();
    let skip = usize::from(texts.first().is_some_and(|w| is_marker(w)));
    texts[skip..].join(" ").trim_start_matches(BULLETS).trim().trim_end_matches([';', ',', '.']).to_owned()
}

/// Texts as a list: `["a", "b"]`.
pub(crate) fn list_text(items: &[String]) -> String {
    let quoted: Vec<String> =
        items.iter().map(|i| format!("\"{}\"", i.replace('\\', "\\\\").replace('"', "\\\""))).collect();
    format!("[{}]", quoted.join(", "))
}
