//! The things of a list in the order in which they stand on the pages, unless the question wants another.

use super::read::Shown;
use crate::Question;

/// Words of questions that want an order of their own.
const OWN_ORDER: [&str; 14] = [
    "order",
    "sort ",
    "alphabet",
    "ascending",
    "descending",
    "rank",
    "top ",
    "sorted",
    "highest",
    "largest",
    "lowest",
    "smallest",
    "respectively",
    "chronological",
];

/// The things as they stand on the pages; as they are if one of them is not found there.
pub(super) fn in_order(items: Vec<String>, question: &Question, shown: &[Shown]) -> Vec<String> {
    let lower = question.asked.to_lowercase();
    if OWN_ORDER.iter().any(|word| lower.contains(word)) {
        return items;
    }
    let mut pages: Vec<&Shown> = shown.iter().collect();
    pages.sort_by(|a, b| a.id.cmp(&b.id));
    let texts: Vec<String> = pages.iter().map(|shown| folded(&shown.page.text())).collect();
    let place = |item: &String| {
        let wanted = folded(item);
        let found = |(at, text): (usize, &String)| text.find(&wanted).map(|start| (at, start));
        texts.iter().enumerate().find_map(found).filter(|_| wanted.len() > 1)
    };
    let Some(mut placed) = items.iter().map(|item| Some((place(item)?, item.clone()))).collect::<Option<Vec<_>>>()
    else {
        return items;
    };
    placed.sort_by_key(|(place, _)| *place);
    placed.into_iter().map(|(_, item)| item).collect()
}

/// Its words in lower case, a space around each.
fn folded(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.fold(" ".to_owned(), |folded, word| folded + &word.to_lowercase() + " ")
}
