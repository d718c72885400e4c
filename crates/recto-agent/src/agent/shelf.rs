//! The documents of a corpus as agents know them: each has a short name, `D1` to `Dn`, and so has each page, `D3:7`. Full
//! names are understood too.

use recto_page::{DocId, PageId, PageNumber};
use serde_json::Value;

/// A document.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Its name in the corpus.
    pub id: DocId,
    /// What it calls itself.
    pub title: Option<String>,
    /// Number of pages.
    pub n_pages: u32,
}

/// Documents in the order of their names.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Shelf(Vec<Entry>);

impl Shelf {
    /// Puts documents in order.
    pub fn new(documents: impl IntoIterator<Item = Entry>) -> Self {
        let mut documents: Vec<Entry> = documents.into_iter().collect();
        documents.sort_by(|a, b| a.id.cmp(&b.id));
        Self(documents)
    }

    /// The documents with their short names.
    pub fn entries(&self) -> impl Iterator<Item = (String, &Entry)> {
        (1..).map(|n: u32| format!("D{n}")).zip(&self.0)
    }

    /// Number of documents.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Number of pages.
    pub fn n_pages(&self) -> u64 {
        self.0.iter().map(|entry| u64::from(entry.n_pages)).sum()
    }

    /// A document's entry.
    pub fn entry(&self, doc: &DocId) -> Option<&Entry> {
        self.place(doc).and_then(|at| self.0.get(at))
    }

    /// The short name of a document; its full one if it is not of this corpus.
    pub fn name(&self, doc: &DocId) -> String {
        self.place(doc).map_or_else(|| doc.to_string(), |at| format!("D{}", at + 1))
    }

    /// The short name of a page.
    pub fn page_name(&self, page: &PageId) -> String {
        format!("{}:{}", self.name(&page.doc), page.page)
    }

    fn place(&self, doc: &DocId) -> Option<usize> {
        self.0.binary_search_by(|entry| entry.id.cmp(doc)).ok()
    }

    /// The document that is meant by its short name, its name, its file's name, or that without its ending, if one alone is.
    pub fn document(&self, text: &str) -> Option<&Entry> {
        let text = text.trim().trim_matches(['"', '\'', '[', ']']);
        let short = text.strip_prefix(['D', 'd']).and_then(|digits| digits.parse::<usize>().ok());
        if let Some(entry) = short.and_then(|n| self.0.get(n.checked_sub(1)?)) {
            return Some(entry);
        }
        let file = |entry: &Entry| entry.id.as_str().rsplit('/').next().unwrap_or_default().to_owned();
        let stem =
            |entry: &Entry| file(entry).rsplit_once('.').map_or_else(|| file(entry), |(stem, _)| stem.to_owned());
        self.only(|entry| entry.id.as_str() == text)
            .or_else(|| self.only(|entry| file(entry).eq_ignore_ascii_case(text)))
            .or_else(|| self.only(|entry| stem(entry).eq_ignore_ascii_case(text)))
    }

    fn only(&self, fits: impl Fn(&Entry) -> bool) -> Option<&Entry> {
        let mut fitting = self.0.iter().filter(|entry| fits(entry));
        fitting.next().filter(|_| fitting.next().is_none())
    }

    /// The page that is meant by `D3:7`, `name.pdf:7`, `name.pdf, page 7`, or an object of a document and a page.
    pub fn page(&self, value: &Value) -> Option<PageId> {
        match value {
            Value::String(text) => self.page_of_text(text),
            Value::Object(object) => {
                let page = object.get("page").or_else(|| object.get("page_number"))?;
                let document = ["document", "file", "doc", "doc_id"].into_iter().find_map(|key| object.get(key));
                match document {
                    Some(document) => self.page_of(self.document(document.as_str()?)?, number(page)?),
                    None => self.page(page),
                }
            }
            // Where there is one document, a number is a page of it.
            Value::Number(_) => self.page_of(self.0.first().filter(|_| self.0.len() == 1)?, number(value)?),
            _ => None,
        }
    }

    fn page_of_text(&self, text: &str) -> Option<PageId> {
        let text = text.trim().trim_matches(['"', '[', ']']);
        let digits = text.chars().rev().take_while(char::is_ascii_digit).count();
        let (name, digits) = text.split_at_checked(text.len() - digits)?;
        let before = name.trim_end_matches([' ', '#', '.']);
        let words = ["page", "p", "pp", "P", "Page"];
        let name =
            words.iter().find_map(|word| before.strip_suffix(word).filter(|rest| rest.ends_with([' ', ',', ':', '/'])));
        let name = name.unwrap_or(before).trim_end_matches([' ', ',', ':', '/', '#', '(']);
        let number = PageNumber::new(digits.parse().ok()?)?;
        match (name.is_empty(), self.0.as_slice()) {
            (true, [one]) => self.page_of(one, number),
            _ => self.page_of(self.document(name)?, number),
        }
    }

    fn page_of(&self, entry: &Entry, number: PageNumber) -> Option<PageId> {
        (number.get() <= entry.n_pages).then(|| PageId::new(entry.id.clone(), number))
    }
}

fn number(value: &Value) -> Option<PageNumber> {
    let number = match value {
        Value::Number(number) => {
            number.as_u64().or_else(|| number.as_f64().filter(|n| n.fract() == 0.0).map(|n| n as u64))
        }
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    PageNumber::new(u32::try_from(number?).ok()?)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn shelf() -> Shelf {
        let entry = |(name, n_pages): (&str, u32)| Entry { id: DocId::new(name), title: None, n_pages };
        Shelf::new([("b/canal report.pdf", 12), ("a/tower.pdf", 3), ("a/x.docx", 1), ("c/x.docx", 1)].map(entry))
    }

    #[test]
    fn pages_have_several_names() {
        let check = |value: Value, want: Option<&str>| {
            assert_eq!(shelf().page(&value).map(|page| page.to_string()).as_deref(), want, "{value}");
        };
        let seven = Some("b/canal report.pdf p. 7");
        for text in [
            "D3:7",
            "d3:7",
            "D3/7",
            "D3, page 7",
            "D3 p. 7",
            "D3 p7",
            "[D3:7]",
            "canal report.pdf:7",
            "canal report.pdf, page 7",
            "b/canal report.pdf p. 7",
            "Canal Report 7",
            " D3 : 7 ",
            "D3#7",
        ] {
            check(json!(text), seven);
        }
        check(json!({"document": "D3", "page": 7}), seven);
        check(json!({"file": "canal report.pdf", "page": "7"}), seven);
        check(json!({"page": "D3:7", "quote": "x"}), seven);
        check(json!({"doc": "canal report", "page": 7.0}), seven);
        for text in ["D3:13", "D3:0", "D9:1", "x.docx:1", "7", "", "D3", "D3:", "🙂7", "-1", "D3:99999999999"] {
            check(json!(text), None);
        }
        check(json!({"document": "D3", "page": 1.5}), None);
        check(json!([1]), None);
        assert_eq!(shelf().page_name(&shelf().page(&json!("D3:7")).unwrap()), "D3:7");
    }
}
