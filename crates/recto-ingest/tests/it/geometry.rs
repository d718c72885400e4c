//! Shapes without sense, and text used as a shape.

use recto_fixture::{Annotation, Page, Pdf};

use crate::{draw, ink, inside, read, words};

/// ragflow#6508.
#[test]
fn inverted_and_empty_rectangles_do_no_harm() {
    let inverted = "300 300 -80 -40 re f 100 100 0 0 re f 20 20 0 50 re S 1 0 0 -1 0 0 cm 5 5 -5 5 re n";
    let note = |rect| Annotation::text_field(rect, "Field", "Value");
    let first = Page::new()
        .media_box([595.0, 842.0, 0.0, 0.0])
        .text_at(72.0, 700.0, 12.0, "First")
        .annotation(note([300.0, 120.0, 100.0, 100.0]))
        .annotation(note([50.0, 50.0, 50.0, 50.0]))
        .content(inverted);
    let pages = read(Pdf::new().page(first).page(Page::new().text_at(72.0, 700.0, 12.0, "Second")).to_bytes());
    assert_eq!(pages.len(), 2);
    assert_eq!(words(&pages[0])[0], "First");
    assert_eq!(words(&pages[1]), ["Second"]);
    for word in &pages[0].text_layer.words {
        let [left, top, right, bottom] = word.region.ltrb();
        assert!(left <= right && top <= bottom, "{word:?}");
    }
    assert!(pages.iter().flat_map(|page| &page.problems).all(|problem| !problem.code.is_failure()));
}

/// pdf_render#14: text that clips a filled rectangle (`7 Tr`), and outlines of text (`1 Tr`).
#[test]
fn text_that_clips_and_stroked_text_is_read_and_seen() {
    let clip = "q BT 7 Tr /F1 48 Tf 72 500 Td (CLIP) Tj ET 0 0 595 842 re f Q";
    let stroke = "BT 1 Tr 0.8 w /F1 48 Tf 72 500 Td (EDGE) Tj ET";
    for (content, text, least, most) in [(clip, "CLIP", 0.12, 0.6), (stroke, "EDGE", 0.03, 0.4)] {
        let bytes = Pdf::new().page(Page::new().content(content)).to_bytes();
        let page = read(bytes.clone()).remove(0);
        assert_eq!(words(&page), [text]);
        let image = draw(bytes, 72);
        let region = page.text_layer.words[0].region;
        let ink = ink(&image);
        assert_eq!(inside(&ink, &region, 0.01), ink.len(), "{text}: ink beside the word");
        let area = region.width() * region.height() * (image.width * image.height) as f32;
        let share = ink.len() as f32 / area;
        assert!((least..most).contains(&share), "{text}: {share}");
    }
}

/// hayro#224, hayro#8.
#[test]
fn unbalanced_states_and_empty_clips_lose_nothing_else() {
    let shown = |content: &str| Page::new().content(content).text_at(72.0, 700.0, 24.0, "Still here");
    let wrong =
        ["Q Q Q", "q q q", "W n", "W* n n", "q 0 0 0 0 re W n (x) Tj Q", "ET BT BT", "EMC EMC", "q 5 5 m W n Q"];
    for content in wrong {
        let bytes = Pdf::new().page(shown(content)).to_bytes();
        let page = read(bytes.clone()).remove(0);
        assert_eq!(words(&page), ["Still", "here"], "{content}");
        assert!(ink(&draw(bytes, 72)).len() > 200, "{content}");
    }
}
