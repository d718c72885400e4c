//! Whether a file is whole: its end is there, its cross-reference tables lead to its objects, its pages are in it. The engine
//! mends what it can and says nothing of it.

use std::collections::BTreeSet;

use recto_page::{Problem, ProblemCode, Stage};

use super::page_list::PageList;

/// More tables than this are no chain of updates; the engine gives up there too.
const MOST_TABLES: usize = 256;

/// A linearized file says so, and how long it is, this near to its beginning.
const HEAD: usize = 1024;

/// Line ends after the last mark get lost on the way; more is no line end.
const LINE_ENDS: usize = 4;

/// A trailer, or the dictionary of a cross-reference stream, is shorter.
const LONGEST_TRAILER: usize = 64 << 10;

/// What is known to be wrong with the file as a whole.
pub(super) fn problems(bytes: &[u8], pages: &PageList) -> Vec<Problem> {
    let problem = |code, detail: String| vec![Problem::of_document(code, Stage::Open, detail)];
    let n_pages = pages.len();
    if pages.is_guessed {
        let detail = format!("its page tree is lost: {n_pages} pages were found, which may be in another order");
        return problem(ProblemCode::IncompleteFile, detail);
    }
    if pages.missing > 0 {
        let detail = format!("{} of the pages that it names are missing; {n_pages} were found", pages.missing);
        return problem(ProblemCode::IncompleteFile, detail);
    }
    match last_table(bytes) {
        None => problem(ProblemCode::IncompleteFile, format!("its end is missing; {n_pages} pages were found")),
        Some(at) if !tables_are_right(bytes, at) => {
            let detail = format!("its cross-reference table is wrong; {n_pages} pages were found without it");
            problem(ProblemCode::Repaired, detail)
        }
        Some(_) => Vec::new(),
    }
}

/// Where the last cross-reference table is said to be; `None` if the end of the file is missing.
fn last_table(bytes: &[u8]) -> Option<usize> {
    const MARK: &[u8] = b"startxref";
    let mark = bytes.windows(MARK.len()).rposition(|window| window == MARK)?;
    let (at, rest) = number(bytes.get(mark + MARK.len()..)?)?;
    // An update that was cut off, or what follows the first part of a linearized file.
    let is_object = |window: &[u8]| window.first().is_some_and(u8::is_ascii_digit) && window.ends_with(b" obj");
    let is_cut = rest.is_empty() || rest.windows(5).any(is_object);
    (!is_cut && said_length(bytes).is_none_or(|length| length <= bytes.len() + LINE_ENDS)).then_some(at)
}

/// The length that a linearized file says that it has.
fn said_length(bytes: &[u8]) -> Option<usize> {
    let head = bytes.get(..HEAD).unwrap_or(bytes);
    value(after(head, b"/Linearized")?, b"/L")
}

/// True if the table at `at` and those that it follows upon lead to the objects that they name.
fn tables_are_right(bytes: &[u8], at: usize) -> bool {
    let mut seen = BTreeSet::new();
    let mut next = Some(at);
    while let Some(at) = next {
        if !seen.insert(at) || seen.len() > MOST_TABLES {
            return false;
        }
        let Some(table) = bytes.get(at..).map(<[u8]>::trim_ascii_start) else { return false };
        let trailer = match table.strip_prefix(b"xref") {
            Some(rows) => rows_are_right(bytes, rows),
            None => object(table).map(|_| table),
        };
        let Some(trailer) = trailer else { return false };
        let trailer = trailer.get(..LONGEST_TRAILER).unwrap_or(trailer);
        let end = trailer.windows(6).position(|window| window == b"stream" || window == b"startx");
        next = value(trailer.get(..end.unwrap_or(trailer.len())).unwrap_or_default(), b"/Prev");
    }
    true
}

/// What follows a table's rows, if each leads to its object.
fn rows_are_right<'b>(bytes: &[u8], mut rows: &'b [u8]) -> Option<&'b [u8]> {
    while let Some((first, rest)) = number(rows) {
        let (count, rest) = number(rest)?;
        rows = rest;
        for id in first..first.checked_add(count)? {
            let (at, rest) = number(rows)?;
            let (generation, rest) = number(rest)?;
            let (kind, rest) = rest.trim_ascii_start().split_first()?;
            rows = rest;
            let is_right = || object(bytes.get(at..)?).filter(|found| *found == (id, generation));
            // An object at the very beginning is there in no file: some programs write unused ones so.
            if *kind == b'n' && at > 0 && is_right().is_none() {
                return None;
            }
        }
    }
    Some(rows)
}

/// The number and the generation of the object that begins here.
fn object(bytes: &[u8]) -> Option<(usize, usize)> {
    let (id, rest) = number(bytes)?;
    let (generation, rest) = number(rest)?;
    rest.trim_ascii_start().starts_with(b"obj").then_some((id, generation))
}

/// The number that follows a key.
fn value(dictionary: &[u8], key: &[u8]) -> Option<usize> {
    let mut rest = dictionary;
    while let Some(found) = after(rest, key) {
        if let Some((value, _)) = number(found) {
            return Some(value);
        }
        rest = found;
    }
    None
}

/// The number that the bytes begin with, after white space, and what follows.
fn number(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let bytes = bytes.trim_ascii_start();
    let (digits, rest) = bytes.split_at(bytes.iter().take_while(|byte| byte.is_ascii_digit()).count());
    Some((str::from_utf8(digits).ok()?.parse().ok()?, rest))
}

fn after<'b>(bytes: &'b [u8], mark: &[u8]) -> Option<&'b [u8]> {
    let at = bytes.windows(mark.len()).position(|window| window == mark)?;
    bytes.get(at + mark.len()..)
}
