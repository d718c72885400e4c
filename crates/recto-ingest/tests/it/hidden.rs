//! Text that a reader of the page does not see is told apart from the rest, with its kind.

use recto_fixture::{Annotation, Face, Page, Picture};
use recto_page::{HiddenKind, ProblemCode, Region};

use crate::{read_one, words};

const WHITE: [f32; 3] = [1.0, 1.0, 1.0];
const RED: [f32; 3] = [0.8, 0.1, 0.1];
const BLACK: [f32; 3] = [0.0, 0.0, 0.0];

fn page() -> Page {
    Page::new().text_at(72.0, 700.0, 12.0, "Plainly seen")
}

/// unstructured#4377, liteparse#432.
#[test]
fn hidden_text_is_told_with_its_kind() {
    use HiddenKind::{Covered, Invisible, OffPage, SameColour, Tiny};
    let secret = |page: Page| page.text_at(72.0, 500.0, 12.0, "secret");
    let boxed = |rgb| page().fill(rgb).rect(60.0, 480.0, 200.0, 40.0);
    let table = [
        ("not drawn", page().hidden_text_at(72.0, 500.0, 12.0, "secret"), Invisible),
        ("white on white", secret(page().fill(WHITE)), SameColour),
        ("white in inks", secret(page().content("0 0 0 0 k")), SameColour),
        ("almost white", secret(page().fill([0.99, 0.99, 0.98])), SameColour),
        ("red on red", secret(boxed(RED)), SameColour),
        (
            "red on a round red shape",
            secret(
                page()
                    .fill(RED)
                    .content("50 480 m 50 530 l 60 540 l 300 540 l 310 530 l 310 480 l 300 470 l 60 470 l h f"),
            ),
            SameColour,
        ),
        ("white on a white box on red", secret(boxed(RED).fill(WHITE).rect(65.0, 485.0, 150.0, 30.0)), SameColour),
        ("under a white box", secret(page()).fill(WHITE).rect(60.0, 480.0, 200.0, 40.0), Covered),
        ("under a box of ink", secret(page()).content("0 0 0 0.2 k").rect(60.0, 480.0, 200.0, 40.0), Covered),
        ("under a black box", secret(page()).rect(60.0, 480.0, 200.0, 40.0), Covered),
        ("under a small picture", secret(page()).image(logo(), 60.0, 480.0, 100.0, 40.0), Covered),
        ("tiny", page().text_at(72.0, 500.0, 0.8, "secret"), Tiny),
        ("beside the page", page().text_at(700.0, 500.0, 12.0, "secret"), OffPage),
        ("outside the crop box", secret(page()).crop_box([0.0, 600.0, 595.0, 842.0]), OffPage),
    ];
    for (what, page, kind) in table {
        let page = read_one(page);
        let told: Vec<_> = page.hidden.iter().map(|hidden| (hidden.kind, hidden.text.as_str())).collect();
        assert_eq!(told, [(kind, "secret")], "{what}");
        assert_eq!(words(&page), ["Plainly", "seen"], "{what}");
        let told: Vec<_> = page.problems.iter().map(|problem| problem.code).collect();
        assert_eq!(told, [ProblemCode::HiddenText], "{what}");
        assert!(page.problems[0].detail.starts_with("1 word "), "{what}: {}", page.problems[0].detail);
    }
}

#[test]
fn the_place_of_hidden_text_is_told() {
    let page = read_one(page().fill(WHITE).text_at(72.0, 421.0, 12.0, "secret"));
    let near = |a: f32, b: f32| (a - b).abs() < 0.02;
    let region = page.hidden[0].region;
    assert!(near(region.left(), 72.0 / 595.0) && near(region.bottom(), 0.5), "{region:?}");
}

/// What can be seen, however it is drawn.
#[test]
fn text_that_can_be_seen_is_not_hidden() {
    let note = |page: Page| page.text_at(72.0, 500.0, 12.0, "notable");
    let dark = |page: Page| page.fill(BLACK).rect(60.0, 480.0, 200.0, 40.0);
    let table = [
        ("white on a dark box", note(dark(page()).fill(WHITE))),
        ("white on a thick line", note(page().line([60.0, 500.0], [300.0, 500.0], 30.0).fill(WHITE))),
        ("white on a round dark shape", note(page().content("50 480 m 50 540 l 300 540 l 320 500 l h f").fill(WHITE))),
        ("white on a picture", note(page().image(logo(), 60.0, 480.0, 200.0, 40.0).fill(WHITE))),
        (
            "red on a larger red outline that is empty there",
            note(
                page().fill(RED).content("0 0 m 595 0 l 595 842 l 0 842 l h 10 10 m 10 800 l 500 800 l 500 10 l h f*"),
            ),
        ),
        ("half on a box of its colour", note(page().fill(RED).rect(60.0, 480.0, 40.0, 40.0))),
        ("beside a box drawn later", note(page()).fill(WHITE).rect(60.0, 400.0, 200.0, 40.0)),
        ("half under a box", note(page()).fill(WHITE).rect(60.0, 480.0, 30.0, 40.0)),
        ("under a box and written anew", note(note(page()).fill(WHITE).rect(60.0, 480.0, 200.0, 40.0).fill(BLACK))),
        ("a pale grey", note(page().fill([0.9, 0.9, 0.9]))),
        ("white with a black outline", page().fill(WHITE).content("BT /F1 12 Tf 2 Tr 72 500 Td (notable) Tj ET")),
        ("small print", page().text_at(72.0, 500.0, 3.0, "notable")),
        ("the shadow of a word", note(page().fill(WHITE).text_at(73.0, 499.0, 12.0, "notable").fill(BLACK))),
        ("on a note", page().annotation(Annotation::free_text([60.0, 480.0, 200.0, 520.0], "notable"))),
    ];
    for (what, page) in table {
        let page = read_one(page);
        assert_eq!(page.hidden, [], "{what}");
        assert_eq!(words(&page), ["Plainly", "seen", "notable"], "{what}");
        assert_eq!(page.problems, [], "{what}");
    }
}

/// On a small page small letters are read.
#[test]
fn tiny_is_what_is_small_on_its_page() {
    let page = read_one(Page::new().size(60.0, 40.0).text_at(5.0, 20.0, 1.2, "Label"));
    assert_eq!((words(&page), page.hidden.len()), (vec!["Label"], 0));
}

/// vandalizer PR#777, vandalizer PR#811.
#[test]
fn the_visible_total_of_an_invoice_is_the_one() {
    let invoice = Page::new().text_at(72.0, 700.0, 14.0, "Invoice 4711").text_at(72.0, 500.0, 12.0, "Total 1,250.00");
    let hidden = [
        invoice.clone().fill(WHITE).text_at(72.0, 400.0, 12.0, "Total 1.00"),
        invoice.clone().hidden_text_at(72.0, 400.0, 12.0, "Total 1.00"),
        invoice.text_at(72.0, 900.0, 12.0, "Total 1.00"),
    ];
    for page in hidden {
        let page = read_one(page);
        assert!(page.text().contains("1,250.00") && !page.text().contains("Total 1.00"));
        assert_eq!(page.hidden.iter().map(|hidden| hidden.text.as_str()).collect::<Vec<_>>(), ["Total 1.00"]);
    }
}

/// Nothing that is hidden lies outside the page in the record.
#[test]
fn text_beside_the_page_stands_at_its_edge() {
    let page = read_one(page().text_at(-900.0, 2000.0, 12.0, "far").text_at(10_000.0, -50.0, 12.0, "away"));
    let texts: Vec<_> = page.hidden.iter().map(|hidden| hidden.text.as_str()).collect();
    assert!(texts.contains(&"far") && texts.contains(&"away"), "{texts:?}");
    assert!(page.hidden.iter().all(|hidden| hidden.region.union(&Region::FULL) == Region::FULL));
}

fn logo() -> recto_fixture::Object {
    Picture::new([100.0, 40.0], 72.0).text(Face::Serif, 10.0, 20.0, 12.0, "Mill").object()
}
