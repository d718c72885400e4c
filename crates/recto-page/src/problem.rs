//! What went wrong with a document or page. A problem is data that travels with the result, never an error.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::PageNumber;

/// One thing that went wrong, with its next step.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Problem {
    /// What kind of problem.
    pub code: ProblemCode,
    /// While doing what.
    pub stage: Stage,
    /// On which page; `None` if it is about the whole document.
    pub page: Option<PageNumber>,
    /// What exactly, in a sentence.
    pub detail: String,
}

impl Problem {
    /// A problem of the whole document.
    pub fn of_document(code: ProblemCode, stage: Stage, detail: impl Into<String>) -> Self {
        Self { code, stage, page: None, detail: detail.into() }
    }

    /// A problem of one page.
    pub fn of_page(code: ProblemCode, stage: Stage, page: PageNumber, detail: impl Into<String>) -> Self {
        Self { code, stage, page: Some(page), detail: detail.into() }
    }
}

/// While doing what a problem arose.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Finding and reading files.
    Discover,
    /// Opening a document.
    Open,
    /// Reading a page's text.
    Text,
    /// Drawing a page.
    Render,
    /// Reading the text off a page's picture.
    Ocr,
}

macro_rules! problem_codes {
    ($($variant:ident = $code:literal, $doc:literal, $next:literal;)*) => {
        /// The kind of a problem. The text form is stable: programs may match on it.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
        pub enum ProblemCode {
            $(#[doc = $doc] #[serde(rename = $code)] $variant,)*
        }

        impl ProblemCode {
            /// Every code.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// The stable text form.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $code,)* }
            }

            /// What the code means, in a sentence.
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$variant => $doc,)* }
            }

            /// What the user can do about it.
            pub const fn next_step(self) -> &'static str {
                match self { $(Self::$variant => $next,)* }
            }
        }
    };
}

problem_codes! {
    EmptyFile = "empty_file", "The file has no bytes.", "copy the file again from where it came from";
    NotAPdf = "not_a_pdf", "The file is not what it is called.", "rename it to what it is, or export it as PDF";
    UnsupportedFormat = "unsupported_format", "recto does not read this kind of file.", "export it as PDF";
    Unreadable = "unreadable", "The file could not be read from disk.", "check its permissions and that it still exists";
    Damaged = "damaged", "The document could not be opened.", "open and save it again with the program that made it";
    PasswordRequired = "password_required", "The document asks for a password.", "index it again with --password; save office documents without one";
    PasswordWrong = "password_wrong", "The given password does not open the document.", "index it again with the right --password";
    NoPages = "no_pages", "The document has no page.", "check the file";
    TooManyPages = "too_many_pages", "The document has more pages than the limit; the rest was left out.", "raise --max-pages, or name a range with --pages";
    FileTooLarge = "file_too_large", "The file is larger than the limit.", "raise --max-bytes";
    PageDamaged = "page_damaged", "Part of the page could not be read.", "look at the page picture; the rest of the document is not affected";
    PageTimeout = "page_timeout", "The page took longer than the time limit.", "raise --page-timeout";
    PageCrashed = "page_crashed", "Reading the page ended its worker process (crash or memory limit).", "raise --memory if the page is large; the rest of the document is not affected";
    NoText = "no_text", "The page has no text that could be read.", "it is a picture or a scan: index it again with OCR (--ocr auto)";
    BlankPage = "blank_page", "The page shows nothing.", "nothing to do";
    OcrFailed = "ocr_failed", "The text could not be read off the page's picture.", "index again: it is tried anew";
    OcrUncertain = "ocr_uncertain", "Text was read off the page's picture with little certainty.", "check it on the page picture, or index again with --ocr quality";
    UnreadText = "unread_text", "Part of the page's picture holds text that the OCR models can't read: too poor, or of a script that they do not know.", "look at the page picture, or name an OCR server for that script with --ocr-url";
    PictureOnly = "picture_only", "The page shows pictures without text.", "nothing to do";
    NoOcr = "no_ocr", "The page needs OCR, whose models are not installed or damaged.", "run the command that recto doctor names";
    GarbledText = "garbled_text", "The text layer makes no sense and was not used.", "nothing to do if the page was read by OCR; otherwise look at the page picture";
    HiddenText = "hidden_text", "The file holds text that a reader of the page does not see; it was left out.", "see it with recto page --json";
    UnmappedGlyphs = "unmapped_glyphs", "Letters of the page have no known meaning; its text is incomplete.", "look at the page picture";
    BadGeometry = "bad_geometry", "Shapes or sizes on the page make no sense and were put right.", "nothing to do";
    PixelBudget = "pixel_budget", "The page is too large for the asked resolution; it was drawn at a lower one.", "raise --max-pixels";
    Duplicate = "duplicate", "The same content is there under another name.", "nothing to do: search finds it under that name, if it could be read";
    MissingSource = "missing_source", "The file that a record names does not exist; its given text is served.", "put the file where the record says";
    OcrUnavailable = "ocr_unavailable", "The OCR server does not answer; the pages of the document that need it were not read.", "see that it runs and index again: they are tried anew";
    OcrTimeout = "ocr_timeout", "Reading the text off the page's picture took longer than the time limit; what was read until then was kept.", "raise --page-timeout";
    IncompleteFile = "incomplete_file", "The file ends too early or lacks pages that it names; pages may be missing or out of order.", "copy the file again from where it came from; if it is so there too, compare its pages in a viewer";
    Repaired = "repaired", "The file's list of where its parts lie is wrong; they were searched for.", "nothing to do if all pages are there; else save it again with the program that made it";
    TextTooLong = "text_too_long", "The document holds more text than recto lays out as pages; the rest was left out.", "split it into several files";
    UnpacksTooLarge = "unpacks_too_large", "The document unpacks to more than recto takes, whatever the limits.", "check that it is what it should be, and split it into several files or export it as PDF";
}

impl ProblemCode {
    /// True if the index lacks something that the document holds. The others are worth knowing, no more.
    pub const fn is_failure(self) -> bool {
        !matches!(
            self,
            Self::BlankPage
                | Self::BadGeometry
                | Self::PixelBudget
                | Self::Duplicate
                | Self::PictureOnly
                | Self::HiddenText
                | Self::Repaired
        )
    }

    /// True if reading the page's picture mends it.
    pub const fn is_made_good_by_ocr(self) -> bool {
        matches!(self, Self::NoText | Self::BlankPage | Self::UnmappedGlyphs | Self::GarbledText)
    }

    /// True if it says that a page has no text, which text from elsewhere makes good.
    pub const fn is_lack_of_text(self) -> bool {
        matches!(self, Self::NoText | Self::BlankPage)
    }
}

impl fmt::Display for ProblemCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(page) = self.page {
            write!(f, "page {page}: ")?;
        }
        write!(f, "{}: {}", self.code, self.detail)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_and_snake_case() {
        let mut names: Vec<_> = ProblemCode::ALL.iter().map(|c| c.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), ProblemCode::ALL.len());
        assert!(names.iter().all(|n| n.chars().all(|c| c.is_ascii_lowercase() || c == '_')));
    }
}
