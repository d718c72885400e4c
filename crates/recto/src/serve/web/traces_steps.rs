//! The steps of a trace: a line for each, and in full with pages and pictures, a few at a time.

use maud::{Markup, html};
use recto_page::{PageId, Region};

use super::layout::{capital, name};
use super::link::{Links, THUMB_DPI};
use super::traces_read::{Hit, Picture, Place, Step, Trace};

/// Steps that are loaded together.
pub(super) const TOGETHER: usize = 25;
/// Resolution of pictures in steps, and of those that are opened.
const DPI: (u32, u32) = (60, 144);
/// Hits that are shown with their pictures.
const PICTURED: usize = 10;
/// Letters of what was said or told that are shown at once.
const SHORT: usize = 400;

/// Where a trace is shown: its place on the page, and how addresses name it.
#[derive(Clone, Copy)]
pub(super) struct Side<'a> {
    pub(super) links: Links<'a>,
    /// `a`, or `b` for the second of two.
    pub(super) letter: &'a str,
    /// File and line.
    pub(super) name: &'a str,
}

/// All steps, those from `from` on in full.
pub(super) fn steps(side: Side<'_>, trace: &Trace, from: usize) -> Markup {
    html! {
        div.steps-list data-side=(side.letter) {
            @for (index, part) in trace.steps.chunks(TOGETHER).enumerate() {
                @let first = index * TOGETHER;
                @let is_full = (first..first + TOGETHER).contains(&from);
                section.part data-first=(first) data-last=(first + part.len() - 1) data-url=[(!is_full).then(|| address(side, first))]
                    aria-label={ "Steps " (first + 1) " to " (first + part.len()) } {
                    @if is_full { (in_full(side, trace, first)) } @else { (lines(side, part, first)) }
                }
            }
        }
    }
}

fn address(side: Side<'_>, first: usize) -> String {
    side.links.with("traces/steps", &[("a", side.name), ("side", side.letter), ("from", &first.to_string())])
}

fn lines(side: Side<'_>, part: &[Step], first: usize) -> Markup {
    html! {
        ol.step-lines start=(first + 1) { @for (index, step) in part.iter().enumerate() { li id={ (side.letter) (first + index) } {
            b class=(kind(step)) { (step.action) } " " span.dim { (short(&step.about, 90)) }
        } } }
    }
}

/// The steps from `first` on.
pub(super) fn in_full(side: Side<'_>, trace: &Trace, first: usize) -> Markup {
    let part = trace.steps.get(first..).unwrap_or_default();
    html! { @for (index, step) in part.iter().take(TOGETHER).enumerate() { (one(side, step, first + index)) } }
}

fn one(side: Side<'_>, step: &Step, index: usize) -> Markup {
    html! {
        article.step id={ (side.letter) (index) } tabindex="-1" data-step=(index) {
            header.step-head {
                a.step-number.num href={ "#" (side.letter) (index) } { (index + 1) }
                b class=(kind(step)) { (step.action) }
                @if !step.about.is_empty() { span.step-about { (short(&step.about, 300)) } }
                span.step-cost.num { (cost(step)) }
            }
            @if let Some(fault) = &step.fault { p.note.bad { (capital(fault)) } }
            (said(step))
            @if !step.found.is_empty() { (found(side.links, &step.found)) }
            @if !step.shown.is_empty() { (shown(side.links, &step.shown)) }
            @for (text, by_page) in &step.told { (told(text, *by_page)) }
        }
    }
}

/// Which of a few colours stands for an action.
pub(super) fn kind(step: &Step) -> &'static str {
    let has = |part: &str| step.action.contains(part);
    match () {
        () if step.fault.is_some() => "tool t-fault",
        () if has("search") || has("list") || has("count") => "tool t-search",
        () if has("crop") || has("inspect") || has("look") || has("shown") => "tool t-look",
        () if has("ocr") || has("read") || has("table") => "tool t-read",
        () if has("submit") || has("answer") || has("finish") || has("decline") => "tool t-end",
        () => "tool t-other",
    }
}

fn cost(step: &Step) -> String {
    let mut parts = Vec::new();
    if step.input_tokens + step.output_tokens > 0 {
        parts.push(format!("{} → {} tokens", step.input_tokens, step.output_tokens));
    }
    if let Some(dollars) = step.dollars.filter(|dollars| *dollars > 0.0) {
        parts.push(format!("${dollars:.4}"));
    }
    if step.attempts > 1 {
        parts.push(format!("{} attempts", step.attempts));
    }
    parts.join(", ")
}

fn said(step: &Step) -> Markup {
    html! {
        @if !step.said.trim().is_empty() || !step.arguments.is_empty() { details.said {
            summary { "Said" @if !step.said.trim().is_empty() { span.dim { " " (short(&one_line(&gist(&step.said)), 110)) } } }
            @if !step.said.trim().is_empty() { pre { (step.said) } }
            @if !step.arguments.is_empty() { p.dim { "Arguments" } pre { (step.arguments) } }
        } }
    }
}

/// Why, where what was said is JSON that tells it: the rest of it is told by the step.
fn gist(said: &str) -> String {
    let value: Option<serde_json::Value> = serde_json::from_str(said).ok();
    let why = |name: &&str| Some(value.as_ref()?.get(name)?.as_str()?.trim().to_owned()).filter(|why| !why.is_empty());
    ["thought", "reasoning", "reason"].iter().find_map(why).unwrap_or_else(|| said.to_owned())
}

fn found(links: Links<'_>, hits: &[Hit]) -> Markup {
    html! {
        ol.step-hits { @for hit in hits.iter().take(PICTURED) { li { (pictured(links, hit)) } } }
        @if hits.len() > PICTURED { details.said {
            summary { "and " (hits.len() - PICTURED) " more" }
            ol.ranking start=(PICTURED + 1) { @for hit in hits.iter().skip(PICTURED) { li { (named(links, hit)) } } }
        } }
    }
}

fn pictured(links: Links<'_>, hit: &Hit) -> Markup {
    html! {
        @match &hit.place {
            Place::Page(page) => { a href=(links.page(page)) title=(page) {
                span.thumb { img src=(links.image(page, THUMB_DPI)) alt="" loading="lazy" decoding="async" width="306" height="396"; }
                span { (label(page)) } (score(hit))
            } }
            Place::Handle(handle) => { span.no-page { span { (handle) } (score(hit)) } }
        }
    }
}

fn named(links: Links<'_>, hit: &Hit) -> Markup {
    html! {
        @match &hit.place {
            Place::Page(page) => { a href=(links.page(page)) { (label(page)) } }
            Place::Handle(handle) => { (handle) }
        }
        " " (score(hit))
    }
}

fn score(hit: &Hit) -> Markup {
    html! { @if let Some(score) = hit.score { span.dim.num { (format!("{score:.3}")) } } }
}

/// A page in few letters.
pub(super) fn label(page: &PageId) -> Markup {
    html! { (name(page.doc.as_str())) " " span.num { "p. " (page.page) } }
}

fn shown(links: Links<'_>, pictures: &[Picture]) -> Markup {
    html! {
        div.step-shown { @for picture in pictures { figure class=[picture.region.is_some().then_some("crop")] {
            @match &picture.place {
                Place::Page(page) => { (drawn(links, page, picture.region)) }
                Place::Handle(handle) => { div.no-page { (handle) } }
            }
            figcaption {
                @if let Place::Page(page) = &picture.place { (label(page)) }
                @if let Some(region) = picture.region { span.dim.num { " " (percent(region)) } }
                @if !picture.purpose.is_empty() { br; span.dim { (short(&picture.purpose, 160)) } }
            }
        } } }
    }
}

fn drawn(links: Links<'_>, page: &PageId, region: Option<Region>) -> Markup {
    let (small, large, to) = match region {
        Some(region) => {
            (links.part(page, region, DPI.1), links.part(page, region, 2 * DPI.1), links.marked(page, &[region]))
        }
        None => (links.image(page, DPI.0), links.image(page, DPI.1), links.page(page)),
    };
    html! { a.picture href=(to) data-large=(large) { img src=(small) alt={ "Page " (page.page) " of " (page.doc) } loading="lazy" decoding="async"; } }
}

/// Where on the page.
fn percent(region: Region) -> String {
    let [left, top, right, bottom] = region.ltrb().map(|side| (side * 100.0).round());
    format!("{left}–{right} % across, {top}–{bottom} % down")
}

fn told(text: &str, by_page: bool) -> Markup {
    let name = if by_page { "Text of a page" } else { "Told" };
    html! {
        @if text.chars().count() <= SHORT && !by_page { p.told-text { (text) } }
        @else { details.said { summary { (name) span.dim { " " (short(&one_line(text), 110)) } } pre { (text) } } }
    }
}

fn one_line(text: &str) -> String {
    text.chars().take(SHORT).collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text, cut to so many letters.
pub(super) fn short(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.into();
    }
    text.chars().take(most).chain(std::iter::once('…')).collect()
}

/// All steps in a strip, as wide as the page: what was done when.
pub(super) fn strip(side: Side<'_>, trace: &Trace) -> Markup {
    let n = trace.steps.len();
    let mut end = 0;
    let runs = trace.steps.chunk_by(|a, b| kind(a) == kind(b)).map(|run| {
        end += run.len();
        (end - run.len(), run)
    });
    html! {
        @if n > 1 {
            svg.strip data-side=(side.letter) data-n=(n) viewBox={ "0 0 " (n) " 10" } preserveAspectRatio="none" role="img" aria-label="What was done when" {
                @for (at, run) in runs {
                    rect class=(run.first().map(kind).unwrap_or_default()) x=(at) y="0" width=(run.len()) height="10" {}
                }
            }
        }
    }
}
