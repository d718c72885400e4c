//! Questions that name a document by its file, and what the list of documents tells by itself: how many there are, how many
//! pages one has.

use recto_page::{DocId, Pages};
use recto_search::Scope;

use super::term::bare;
use crate::Result;

/// A question narrowed to the document that it names, without that name.
pub(crate) struct Narrowed {
    pub(crate) question: String,
    pub(crate) scope: Option<Scope>,
}

/// Looks for the name of one document in the question.
pub(crate) fn narrowed(question: &str, scope: &Scope, pages: &dyn Pages) -> Result<Narrowed> {
    let lower = question.to_lowercase();
    let as_asked = || Narrowed { question: question.to_owned(), scope: None };
    if !lower.split_whitespace().any(is_file) {
        return Ok(as_asked());
    }
    let named = |doc: &DocId| [doc.as_str(), stem(doc)].into_iter().find_map(|name| find(&lower, &name.to_lowercase()));
    let found: Vec<(DocId, std::ops::Range<usize>)> =
        in_scope(scope, pages)?.into_iter().filter_map(|doc| named(&doc).map(|at| (doc, at))).collect();
    let [(doc, at)] = found.as_slice() else { return Ok(as_asked()) };
    // Lower case may be longer or shorter than what was written.
    let (Some(before), Some(after), true) =
        (question.get(..at.start), question.get(at.end..), lower.len() == question.len())
    else {
        return Ok(as_asked());
    };
    let question = format!("{before} the document {after}");
    Ok(Narrowed { question, scope: Some(Scope::Documents([doc.clone()].into())) })
}

/// How many documents there are, if that is what is asked.
pub(crate) fn n_documents(question: &str, scope: &Scope, pages: &dyn Pages) -> Result<Option<usize>> {
    let lower = question.to_lowercase();
    let lower = lower.trim_end_matches(['?', '.', ' ']);
    let rest = ["how many documents", "how many files", "how many pdfs"].iter().find_map(|ask| lower.strip_prefix(ask));
    let ends = ["", "are there", "are in the corpus", "do you have", "are indexed", "are there in total", "do i have"];
    if !rest.is_some_and(|rest| ends.contains(&rest.trim())) {
        return Ok(None);
    }
    Ok(Some(in_scope(scope, pages)?.len()).filter(|n| *n > 0))
}

fn in_scope(scope: &Scope, pages: &dyn Pages) -> Result<Vec<DocId>> {
    match scope {
        Scope::Documents(docs) => Ok(docs.iter().cloned().collect()),
        Scope::All => Ok(pages.doc_ids()?),
    }
}

/// True for words that may be names of files: `report.pdf`, `minutes_2019`, and those with digits.
fn is_file(word: &str) -> bool {
    let bare = bare(word);
    bare.len() >= 4 && bare.contains(['.', '_']) && bare.contains(char::is_alphabetic)
}

fn stem(doc: &DocId) -> &str {
    let name = doc.as_str().rsplit('/').next().unwrap_or_default();
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// Where `name` stands in `text` as a word, the longer name first.
fn find(text: &str, name: &str) -> Option<std::ops::Range<usize>> {
    if name.len() < 4 {
        return None;
    }
    text.match_indices(name).map(|(at, _)| at..at + name.len()).find(|at| {
        let edge = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '_');
        edge(text.get(..at.start).and_then(|t| t.chars().next_back()))
            && edge(text.get(at.end..).and_then(|t| t.chars().next()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_found_as_words() {
        let table = [
            ("pages of mill_2.pdf?", "mill_2.pdf", Some(9..19)),
            ("pages of mill_22?", "mill_2", None),
            ("mill_2", "mill_2", Some(0..6)),
            ("", "mill_2", None),
            ("abc", "abc", None),
        ];
        for (text, name, right) in table {
            assert_eq!(find(text, name), right, "{text}");
        }
    }
}
