//! Whether the documents speak of what the question takes for granted: its years, names, figures and pages.

use super::reading::Reading;
use super::term::terms;
use crate::Question;

/// What the question takes for granted and the documents do not hold; empty if all is there.
pub(crate) fn missing(question: &Question, reading: &Reading) -> Vec<String> {
    let mut missing: Vec<String> = Vec::new();
    let named = question.names.iter().chain(&question.years).chain(&question.quoted);
    missing.extend(named.filter(|name| is_missing(name, question, reading)).cloned());
    missing.extend(question.items.iter().filter(|i| !has_item(reading, i)).map(|i| format!("{} {}", i.kind, i.number)));
    missing
}

/// True if some term of `name` stands nowhere.
fn is_missing(name: &str, question: &Question, reading: &Reading) -> bool {
    if name.split(' ').any(super::derive::is_vocabulary) {
        return false;
    }
    terms(name).iter().any(|term| {
        let known = question.terms.iter().position(|t| t == term).and_then(|i| reading.frequency.get(i));
        known.is_some_and(|n| *n == 0) && !reading.in_file_name(term)
    })
}

/// True if the item's number follows its kind somewhere.
fn has_item(reading: &Reading, item: &crate::question::Item) -> bool {
    let wanted = format!("{}{}", item.kind, item.number);
    let short = format!("fig{}", item.number);
    let bare = |w: &str| w.to_lowercase().replace(|c: char| !c.is_alphanumeric(), "");
    let number = bare(&item.number);
    reading.pages.iter().any(|r| {
        let words = &r.page.text_layer.words;
        words.iter().enumerate().any(|(i, w)| {
            let begins = w.text.to_lowercase().starts_with(item.kind.get(..3).unwrap_or(&item.kind));
            let heading = matches!(item.kind.as_str(), "section" | "chapter") && bare(&w.text) == number;
            let next = words.get(i + 1).map(|n| bare(&n.text)).unwrap_or_default();
            heading
                || begins
                    && [wanted.as_str(), &short]
                        .iter()
                        .any(|x| bare(x) == format!("{}{next}", bare(&w.text)) || bare(x) == bare(&w.text))
                || begins && next == number
        })
    })
}
