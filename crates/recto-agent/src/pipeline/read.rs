//! What the model is shown of a page: its text with tables as Markdown, without what a reader of the page can't see, its
//! picture, and parts of it closer.

use recto_model::ChatImage;
use recto_page::{Page, PageId, Region};

use super::zoom::{Zoom, zoom};
use super::{Means, Plan};
use crate::{Question, Result};

/// A page as it is shown.
pub(super) struct Shown {
    pub(super) id: PageId,
    pub(super) page: Page,
    pub(super) text: String,
    pub(super) picture: Option<ChatImage>,
    pub(super) zooms: Vec<Zoom>,
}

/// Reads pages in their order. Those that the corpus lacks are left out, those that can't be drawn have no picture.
pub(super) fn read(question: &Question, ids: &[PageId], means: &Means<'_>, plan: &Plan) -> Result<Vec<Shown>> {
    let mut shown = Vec::new();
    let share = plan.text / ids.len().max(1);
    for id in ids {
        let Some(page) = means.pages.page(id)? else { continue };
        let text = page_text(&page, share);
        let picture = if shown.len() < plan.pictures { picture(id, &page, means, plan) } else { None };
        shown.push(Shown { id: id.clone(), page, text, picture, zooms: Vec::new() });
    }
    if plan.zooms > 0 {
        zoom(question, &mut shown, means, plan);
    }
    Ok(shown)
}

/// At the resolution of the plan, or less for large pages.
fn picture(id: &PageId, page: &Page, means: &Means<'_>, plan: &Plan) -> Option<ChatImage> {
    let inches = page.size.width.max(page.size.height) / 72.0;
    let fitting = (plan.side as f32 / inches.max(0.01)) as u32;
    means.pictures.picture(id, Region::FULL, plan.dpi.min(fitting).max(18))
}

/// The text of a page up to so many bytes.
pub(super) fn page_text(page: &Page, bytes: usize) -> String {
    let text = page.to_markdown();
    let end = text.floor_char_boundary(bytes);
    let mut cut = text.get(..end).unwrap_or_default().trim_end().to_owned();
    if end < text.len() {
        cut.push_str(" […]");
    }
    cut
}

/// What stands above a page's text.
pub(super) fn header(page: &Page) -> String {
    let mut header = format!("Page {}", page.number);
    if let Some(label) = page.label.as_deref().filter(|label| *label != page.number.to_string()) {
        let label: String = crate::fence::clean(label).split_whitespace().collect();
        header.push_str(&format!(", printed number {}", label.chars().take(12).collect::<String>()));
    }
    if !page.hidden.is_empty() {
        header.push_str(", without text that a reader can't see");
    }
    header
}
