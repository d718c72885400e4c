//! Documents as people make them: headings, wrapped paragraphs, lists, ruled tables, charts, from a light markup.
//!
//! The markup, one block after another:
//!
//! ```text
//! # Heading, ## second level, ### third level
//! A paragraph runs on to the next empty line.
//! - a bullet, and  1. a numbered step
//! = Key: value                        a line of a specification
//! | Station | Flow |                  a table, its first row is the header
//! ^ Table 1: a caption
//! !bar Title, or !line Title          a chart of the lines `label: value` that follow
//! !title, !subtitle, !big, !note      text in its own style
//! !space 40, !page, !columns          a gap, a new page, columns from here on
//! !contents                           the table of contents, on a page of its own or in the front matter
//! ```

mod chart;
mod flow;
mod line;
mod markup;
mod style;
mod table;

pub(crate) use line::wrap;
pub use style::{Script, Style};

use crate::page::Page;
use crate::pdf::Pdf;
use flow::{Entry, Flow};

/// A document in the making.
///
/// ```
/// # use recto_fixture::report::{Report, Style};
/// let pdf = Report::new(Style::report("Annual report")).body("# Water\n\nIt rained.\n\n| Month | mm |\n| May | 81 |").to_pdf();
/// ```
#[derive(Debug, Clone)]
pub struct Report {
    style: Style,
    front: Option<String>,
    body: String,
}

impl Report {
    /// A document in this style, still without text.
    pub fn new(style: Style) -> Self {
        Self { style, front: None, body: String::new() }
    }

    /// What comes before page 1, on pages with roman numbers.
    #[must_use]
    pub fn front(self, markup: &str) -> Self {
        Self { front: Some(markup.to_owned()), ..self }
    }

    /// The text.
    #[must_use]
    pub fn body(self, markup: &str) -> Self {
        Self { body: markup.to_owned(), ..self }
    }

    /// The document, laid out; more can be added to it.
    pub fn to_pdf(&self) -> Pdf {
        let blocks = markup::parse(&self.body);
        let contents = Flow::new(&self.style, &[]).lay_out(&blocks).entries;
        let body = Flow::new(&self.style, &contents).lay_out(&blocks);
        let mut pdf = Pdf::new().title(&self.style.title);
        let mut front_pages = 0;
        if let Some(front) = &self.front {
            let front = Flow::new(&self.style, &body.entries).lay_out(&markup::parse(front));
            front_pages = front.pages.len();
            pdf = pdf.label(0, "/S /r").label(front_pages, "/S /D");
            pdf = pdf.pages(self.with_edges(front.pages, roman));
        }
        for Entry { level, title, page } in body.entries {
            pdf = pdf.outline(level, &title, front_pages + page);
        }
        pdf.pages(self.with_edges(body.pages, |n| n.to_string()))
    }

    /// Adds header and footer to each page.
    fn with_edges(&self, pages: Vec<Page>, label: impl Fn(usize) -> String) -> Vec<Page> {
        (1..).zip(pages).map(|(n, page)| self.style.edges(page, &label(n))).collect()
    }
}

/// A small number in lower-case roman numerals.
fn roman(mut n: usize) -> String {
    let mut out = String::new();
    for (value, digits) in [(10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")] {
        while n >= value {
            out.push_str(digits);
            n -= value;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::roman;

    #[test]
    fn roman_numbers() {
        assert_eq!([1, 4, 9, 14, 26].map(roman), ["i", "iv", "ix", "xiv", "xxvi"]);
    }
}
