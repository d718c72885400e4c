//! What the model is shown of a page: its text with tables as Markdown, without what a reader of the page can't see, its
//! picture, and parts of it closer.

use recto_model::ChatImage;
use recto_page::{Page, PageId, Region};

use super::passages::passages;
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

/// Reads pages in their order, the most promising first. Those that the corpus lacks are left out, those that can't be drawn
/// have no picture. Where there is not room for all of their text, the first ones get more of it.
pub(super) fn read(question: &Question, ids: &[PageId], means: &Means<'_>, plan: &Plan) -> Result<Vec<Shown>> {
    let mut shown = Vec::new();
    let mut room = plan.text;
    for (at, id) in ids.iter().enumerate() {
        let Some(page) = means.pages.page(id)? else { continue };
        // Shares of n, n - 1, ... 1; what a page does not need is left for the others.
        let share = room * 2 / (ids.len() - at + 1);
        let text = passages(&page.to_markdown(), question, share);
        room = room.saturating_sub(text.len());
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
