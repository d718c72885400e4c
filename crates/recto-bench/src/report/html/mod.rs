//! Reports for people: one file that needs nothing else. No network, no font, no library; light and dark as the reader's
//! system says; narrow and wide; printable. Scripts only sort and filter the table of items.
//!
//! Whatever comes from documents, questions and systems goes through [`esc`]. Should that fail somewhere, the page's
//! content policy still runs no script but its own, by its hash, and loads nothing.

mod chart;
mod curves;
mod items;
mod sections;
mod table;

use super::text::count;
use super::{Layout, Pictures, Run, Subject};
use crate::item::BenchmarkSet;

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// SHA-256 of [`SCRIPT`] in Base64.
const SCRIPT_HASH: &str = "vq+0Lpi9XS0oBpMKnb80FJkiK61reZWQNOvZJGE9Pyk=";

/// The report as one HTML file; pages are links where `pictures` has one. What stands on pages is shown as far as `layout`
/// knows it.
pub fn html(set: &BenchmarkSet, runs: &[Run], pictures: &Pictures, layout: &Layout) -> String {
    let subject = Subject::new(set, runs);
    let sections = [
        ("scores", "Scores", sections::scores(&subject)),
        ("ended", "How items ended", sections::ended(&subject)),
        ("errors", "Errors", sections::errors(&subject)),
        ("slices", "Slices", sections::slices(&subject)),
        ("funnel", "Funnel", sections::funnels(&subject)),
        ("density", "What stands on pages", sections::density(&subject, layout)),
        ("calibration", "Calibration", curves::calibration(&subject)),
        ("searches", "Evidence found by searches", curves::found(&subject)),
        ("budget", "Effort, cost and time", curves::budgets(&subject)),
        ("agreement", "Agreement of runs", sections::agreements(&subject)),
        ("difficulty", "Difficulty and discrimination", curves::difficulty(&subject)),
        ("items", "Items", items::items(&subject, pictures)),
        ("made", "How these runs were made", sections::made(&subject)),
    ];
    let there = || sections.iter().filter(|(_, _, content)| !content.is_empty());
    let nav: String = there().map(|(id, title, _)| format!("<a href=\"#{id}\">{title}</a> ")).collect();
    let body: String = there()
        .map(|(id, title, content)| format!("<section id=\"{id}\"><h2>{title}</h2>\n{content}</section>\n"))
        .collect();
    let name = esc(&set.name);
    let names: Vec<_> = subject.runs.iter().map(|entry| esc(&entry.name)).collect();
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{name}: {}</title>\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src \
         data:; script-src 'sha256-{SCRIPT_HASH}'; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><meta name=\"color-scheme\" \
         content=\"light dark\"><link rel=\"icon\" href=\"data:,\">\n<style>{STYLE}</style></head>\n<body><header><h1>{name}</h1>\
         <p>{} by {}</p><nav>{nav}</nav></header>\n<main>\n{body}</main>\n<script>{SCRIPT}</script></body></html>\n",
        names.join(", "),
        count(set.items.len(), "item"),
        names.join(", "),
    )
}

/// Text as HTML text or as the value of a quoted attribute. Control characters become spaces.
fn esc(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' => out.push(c),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// A paragraph of explanation; its text is ours.
fn note(text: &str) -> String {
    format!("<p class=\"note\">{text}</p>\n")
}

#[cfg(test)]
mod tests {
    use sha2::{Digest, Sha256};

    #[test]
    fn the_policy_names_the_script() {
        assert_eq!(base64(&Sha256::digest(super::SCRIPT)), super::SCRIPT_HASH);
    }

    fn base64(bytes: &[u8]) -> String {
        const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let group = |chunk: &[u8]| -> String {
            let bits = (0..3).fold(0_usize, |bits, at| bits << 8 | usize::from(*chunk.get(at).unwrap_or(&0)));
            (0..4)
                .map(|at| if at > chunk.len() { '=' } else { char::from(LETTERS[bits >> (18 - 6 * at) & 63]) })
                .collect()
        };
        bytes.chunks(3).map(group).collect()
    }
}
