//! PDFs written by hand, and what must be read from them.

use recto_page::page::LinkTarget;
use recto_page::{BlockKind, PageImage, PageNumber, ProblemCode, Region};

use super::PdfFile;
use crate::{IngestError, OpenDocument, read_page};

const BUDGET: u64 = 4_000_000;

/// A PDF of these objects, numbered from 1; the first is the catalog.
fn pdf(objects: &[&str]) -> Vec<u8> {
    let mut bytes = b"%PDF-1.7\n".to_vec();
    let mut offsets = Vec::new();
    for (i, object) in objects.iter().enumerate() {
        offsets.push(bytes.len());
        bytes.extend(format!("{} 0 obj\n{object}\nendobj\n", i + 1).bytes());
    }
    let xref = bytes.len();
    bytes.extend(format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1).bytes());
    bytes.extend(offsets.iter().flat_map(|at| format!("{at:010} 00000 n \n").into_bytes()));
    bytes.extend(format!("trailer <</Size {} /Root 1 0 R>>\nstartxref\n{xref}\n%%EOF", objects.len() + 1).bytes());
    bytes
}

/// One page with these entries and this content.
fn page(entries: &str, content: &str) -> Vec<u8> {
    let page = format!("<</Type/Page /Parent 2 0 R /Contents 4 0 R {entries}>>");
    let content = format!("<</Length {}>>\nstream\n{content}\nendstream", content.len());
    pdf(&["<</Type/Catalog /Pages 2 0 R>>", "<</Type/Pages /Kids[3 0 R] /Count 1>>", &page, &content])
}

fn open(bytes: Vec<u8>) -> PdfFile {
    PdfFile::open(bytes, None).unwrap()
}

fn draw(bytes: Vec<u8>, region: Region, dpi: u32, budget: u64) -> Result<PageImage, IngestError> {
    open(bytes).document().render(PageNumber::FIRST, region, dpi, budget)
}

#[test]
fn what_is_no_document_is_refused_with_its_reason() {
    let no_pages = pdf(&["<</Type/Catalog /Pages 2 0 R>>", "<</Type/Pages /Kids[] /Count 0>>"]);
    let table: [(&[u8], ProblemCode); 4] = [
        (b"", ProblemCode::EmptyFile),
        (b"<html>page not found</html>", ProblemCode::NotAPdf),
        (b"%PDF-1.7\n1 0 obj <</Type", ProblemCode::Damaged),
        (&no_pages, ProblemCode::NoPages),
    ];
    for (bytes, want) in table {
        match PdfFile::open(bytes.to_vec(), Some("password")).err() {
            Some(IngestError::Open { code, .. }) => assert_eq!(code, want),
            other => panic!("{want:?} expected, got {other:?}"),
        }
    }
}

#[test]
fn pages_have_the_pixel_size_that_mupdf_gives_them() {
    let table: [(&str, u32, (u32, u32)); 18] = [
        ("/MediaBox[0 0 595.276 841.89]", 144, (1191, 1684)),
        ("/MediaBox[0 0 612 792]", 48, (408, 528)),
        ("/MediaBox[0 0 612 792]", 150, (1275, 1650)),
        ("/MediaBox[612 792 0 0]", 72, (612, 792)),
        ("/MediaBox[-100 -200 200 300]", 72, (300, 500)),
        ("/MediaBox[100000.3 100000.7 100595.5 100842.2]", 72, (596, 842)),
        ("/MediaBox[0 0 300.4 400.6] /Rotate 90", 72, (401, 301)),
        ("/MediaBox[0 0 300.4 400.6] /Rotate -90", 72, (401, 301)),
        ("/MediaBox[0 0 300.4 400.6] /Rotate 180", 72, (301, 401)),
        ("/MediaBox[0 0 300 400] /UserUnit 2", 72, (600, 800)),
        ("/MediaBox[0 0 300 400] /CropBox[10.5 20.25 200.75 300.125]", 72, (191, 280)),
        ("/MediaBox[0 0 300 400] /CropBox[-50 -50 700 900]", 72, (300, 400)),
        ("/MediaBox[0 0 300 400] /CropBox[600 800 900 900]", 72, (612, 792)),
        ("/MediaBox[0 0 300 400] /CropBox[0 0 0 0]", 72, (612, 792)),
        ("/MediaBox[0 0 0 0]", 72, (612, 792)),
        ("/MediaBox[0 0 300]", 72, (612, 792)),
        ("/CropBox[10 20 200 300]", 72, (612, 792)),
        ("/MediaBox[0 0 0.5 0.5]", 72, (1, 1)),
    ];
    for (boxes, dpi, want) in table {
        let image = draw(page(boxes, ""), Region::FULL, dpi, BUDGET).unwrap();
        assert_eq!((image.width, image.height), want, "{boxes} at {dpi} dpi");
        assert_eq!(image.rgb.len(), (3 * want.0 * want.1) as usize);
    }
}

#[test]
fn sizes_without_sense_are_survived() {
    let infinite = format!("/MediaBox[0 0 1{} 300]", "0".repeat(60));
    for boxes in [&infinite, "/MediaBox[0 0 99 (x)]", "/MediaBox[0 0 300 400] /UserUnit -2", "/UserUnit 0"] {
        assert!(draw(page(boxes, "0 0 9 9 re f"), Region::FULL, 72, BUDGET).is_ok(), "{boxes}");
    }
    let huge = || page("/MediaBox[0 0 1000000 1000000]", "");
    assert!(matches!(draw(huge(), Region::FULL, 144, BUDGET), Err(IngestError::NotDrawn { .. })));
    assert!(matches!(draw(huge(), Region::FULL, 0, BUDGET), Err(IngestError::NotDrawn { .. })));
    assert!(draw(huge(), Region::new(0.5, 0.5, 0.5001, 0.5001), 144, BUDGET).is_ok());
}

#[test]
fn the_pixel_budget_lowers_the_dpi_and_says_so() {
    for (side, dpi, budget, want) in [(14400, 144, 4_000_000, 10), (20000, 144, 40_000_000, 22), (72, 144, 20_736, 144)]
    {
        let image = draw(page(&format!("/MediaBox[0 0 {side} {side}]"), ""), Region::FULL, dpi, budget).unwrap();
        assert_eq!(image.dpi, want);
        assert_eq!(image.width, (side * want).div_ceil(72));
    }
}

#[test]
fn a_region_is_a_crop_of_the_whole_picture() {
    let shapes = "1 0 0 rg 20 30 60 50 re f 0 0 1 rg 100 100 m 190 140 l 120 180 l f";
    for turn in [0, 90, 180, 270] {
        let bytes = page(&format!("/MediaBox[0 0 210.5 200.5] /Rotate {turn}"), shapes);
        let whole = draw(bytes.clone(), Region::FULL, 144, BUDGET).unwrap();
        let part = draw(bytes, Region::new(0.25, 0.1, 0.8, 0.7), 144, BUDGET).unwrap();
        let (left, top) = (whole.width as usize / 4, whole.height as usize / 10);
        for (y, row) in part.rgb.chunks_exact(3 * part.width as usize).enumerate() {
            let at = 3 * ((top + y) * whole.width as usize + left);
            let differs = row.iter().zip(&whole.rgb[at..]).any(|(a, b)| a.abs_diff(*b) > 2);
            assert!(!differs, "row {y} of the page turned by {turn}");
        }
    }
}

#[test]
fn rotated_pages_show_their_mark_where_a_reader_sees_it() {
    for (turn, (x, y)) in [(0, (5, 95)), (90, (5, 5)), (180, (95, 5)), (270, (95, 95))] {
        let bytes = page(&format!("/MediaBox[0 0 100 100] /Rotate {turn}"), "0 0 10 10 re f");
        let image = draw(bytes, Region::FULL, 72, BUDGET).unwrap();
        let pixel = |x: usize, y: usize| image.rgb[3 * (y * 100 + x)];
        assert_eq!((pixel(x, y), pixel(50, 50)), (0, 255), "turned by {turn}");
    }
}

#[test]
fn page_labels_of_every_style() {
    let check = |labels: &str, n_pages: usize, want: &[Option<&str>]| {
        let kids = "<</Type/Page>> ".repeat(n_pages);
        let catalog = format!("<</Type/Catalog /Pages 2 0 R /PageLabels {labels}>>");
        let file = open(pdf(&[
            &catalog,
            &format!("<</Type/Pages /Kids[{kids}] /MediaBox[0 0 9 9]>>"),
            "<</Nums[0 <</S/D>>] /Kids[3 0 R 3 0 R]>>",
        ]));
        let document = file.document();
        let got: Vec<_> = PageNumber::first(document.n_pages()).map(|page| document.label(page)).collect();
        assert_eq!(got, want.iter().map(|l| l.map(str::to_owned)).collect::<Vec<_>>(), "{labels}");
    };
    check("<</Nums[0 <</S/r>> 4 <</S/D>>]>>", 5, &["i", "ii", "iii", "iv", "1"].map(Some));
    check("<</Nums[0 <</S/D /P(A-) /St 9>>]>>", 2, &["A-9", "A-10"].map(Some));
    check("<</Nums[0 <</S/R /St 1999>>]>>", 1, &[Some("MCMXCIX")]);
    check("<</Nums[0 <</S/a /St 26>> 2 <</S/A /St 703>>]>>", 3, &["z", "aa", "AAAAAAAAAAAAAAAAAAAAAAAAAAAA"].map(Some));
    check("<</Nums[0 <</S/a /St 2000000000>> 1 <</S/r /St 2000000000>>]>>", 2, &["2000000000"; 2].map(Some));
    check("<</Nums[0 <</P<FEFF0043>>>]>>", 2, &["C", "C"].map(Some));
    check("<</Nums[1 <</S/D /St -5>>]>>", 2, &[None, Some("1")]);
    check("<</Nums[0 <<>>]>>", 1, &[None]);
    check("3 0 R", 1, &[Some("1")]);
    check("<</Kids[<</Nums[0 <</S/D>>]>> <</Nums[1 <</S/r>>]>>]>>", 2, &["1", "i"].map(Some));
    check("<</Nums[0 null -3 7]>>", 1, &[None]);
}

#[test]
fn outlines_and_links_lead_to_pages() {
    let file = open(pdf(&[
        "<</Type/Catalog /Pages 2 0 R /Outlines 5 0 R /Names<</Dests<</Names[(there) [4 0 R/Fit]]>>>> \
         /Dests<</old<</D[3 0 R/Fit]>> /loop/loop>>>>",
        "<</Type/Pages /Kids[3 0 R 4 0 R] /MediaBox[0 0 100 200]>>",
        "<</Type/Page /Annots[<</Subtype/Link /Rect[10 20 30 40] /Dest(there)>> \
         <</Subtype/Link /Rect[0 0 100 200] /A<</S/URI /URI(mailto:a@example.org)>>>> \
         <</Subtype/Link /Rect[0 0 9 9] /Dest/loop>> <</Subtype/Link /F 2 /Rect[0 0 9 9] /Dest(there)>> \
         <</Subtype/Link /Rect[-20 -20 -10 -10] /Dest(there)>>]>>",
        "<</Type/Page>>",
        "<</First 6 0 R>>",
        "<</Title(One \r\n part) /Dest[4 0 R/Fit] /First 7 0 R /Next 8 0 R>>",
        "<</Title(Two) /A<</S/GoTo /D/old>> /Next 6 0 R /First 5 0 R>>",
        "<</Title(Three) /Dest(nowhere)>>",
    ]));
    let document = file.document();
    let outline: Vec<_> =
        document.outline().into_iter().map(|e| (e.depth, e.title, e.page.map(PageNumber::get))).collect();
    let want = [(0, "One part", Some(2)), (1, "Two", Some(1)), (0, "Three", None)];
    assert_eq!(outline, want.map(|(depth, title, page)| (depth, title.to_owned(), page)));

    let links: Vec<_> = document.links(PageNumber::FIRST).into_iter().map(|l| (l.region, l.target)).collect();
    let second = PageNumber::new(2).unwrap();
    let want = [
        (Region::new(0.1, 0.8, 0.3, 0.9), LinkTarget::Page(second)),
        (Region::FULL, LinkTarget::Uri("mailto:a@example.org".into())),
    ];
    assert_eq!(links, want);
    assert!(document.links(second).is_empty() && document.links(PageNumber::new(3).unwrap()).is_empty());
}

#[test]
fn form_values_and_notes_are_text_of_their_place() {
    let check = |annotation: &str, want: Option<(BlockKind, &str)>| {
        let annotation = format!("/MediaBox[0 0 100 100] /Annots[<</Rect[10 10 50 20] {annotation}>>]");
        let layer = read_page(&open(page(&annotation, "")).document(), PageNumber::FIRST).text_layer;
        let blocks: Vec<_> = layer.blocks.iter().map(|b| (b.kind, b.region)).collect();
        let place = Region::new(0.1, 0.8, 0.5, 0.9);
        assert_eq!(blocks, want.map(|(kind, _)| (kind, place)).into_iter().collect::<Vec<_>>(), "{annotation}");
        assert_eq!(layer.text(), want.map_or(String::new(), |(_, text)| format!("{text}\n")), "{annotation}");
    };
    let field = |text| Some((BlockKind::FormField, text));
    check("/Subtype/Widget /FT/Tx /T(Name) /V(Ada Lovelace)", field("Name: Ada Lovelace"));
    check("/Subtype/Widget /FT/Tx /T(f1) /TU(Full name:) /V(Ada)", field("Full name: Ada"));
    check("/Subtype/Widget /FT/Tx /V(two\rlines)", field("two\nlines"));
    check("/Subtype/Widget /Parent<</FT/Tx /T(Sum) /V<FEFF20AC0035>>>", field("Sum: €5"));
    check("/Subtype/Widget /FT/Tx /T(Secret) /Ff 8192 /V(hidden)", None);
    check("/Subtype/Widget /FT/Tx /T(Empty) /V( )", None);
    check("/Subtype/Widget /FT/Tx /F 2 /T(Hidden) /V(x)", None);
    check("/Subtype/Widget /FT/Ch /T(City) /V(b) /Opt[[(a)(Oslo)] [(b)(Rome)]]", field("City: Rome"));
    check("/Subtype/Widget /FT/Ch /T(Days) /V[(Mon)(Tue)]", field("Days: Mon, Tue"));
    check("/Subtype/Widget /FT/Btn /T(Agreed) /V/Yes /AS/Yes", field("Agreed: Yes"));
    check("/Subtype/Widget /FT/Btn /T(Agreed) /V/Off /AS/Off", None);
    check("/Subtype/Widget /FT/Btn /Ff 65536 /T(Send) /AS/On", None);
    check("/Subtype/Widget /FT/Sig /T(Signature) /V<</Name(Ada)>>", None);
    check("/Subtype/FreeText /Contents(See page 3)", Some((BlockKind::Annotation, "See page 3")));
    check("/Subtype/Text /Contents(Really?)", Some((BlockKind::Annotation, "Really?")));
    check("/Subtype/Link /Contents(Not a note)", None);
    check("/Subtype/Popup /Contents(Not a note)", None);
}

/// Widths of the pages, and where links to the page objects 4 and 5 lead.
fn widths(kids: &str, nodes: [&str; 2]) -> (Vec<f32>, Vec<Option<u32>>) {
    let file = open(pdf(&[
        "<</Type/Catalog /Pages 2 0 R /Outlines 3 0 R>>",
        &format!("<</Type/Pages /Kids[{kids}]>>"),
        "<</First 8 0 R>>",
        "<</Type/Page /MediaBox[0 0 40 40]>>",
        "<</Type/Page /MediaBox[0 0 50 50]>>",
        nodes[0],
        nodes[1],
        "<</Title(a) /Dest[4 0 R /Fit] /Next 9 0 R>>",
        "<</Title(b) /Dest[5 0 R /Fit]>>",
    ]));
    let document = file.document();
    let pages = PageNumber::first(document.n_pages());
    let targets = document.outline().iter().map(|entry| entry.page.map(PageNumber::get)).collect();
    (pages.map(|page| document.size(page).unwrap().width).collect(), targets)
}

#[test]
fn pages_that_are_there_twice_count_twice() {
    let none = ["null", "null"];
    assert_eq!(widths("4 0 R 5 0 R", none), (vec![40.0, 50.0], vec![Some(1), Some(2)]));
    assert_eq!(widths("4 0 R 4 0 R 5 0 R 4 0 R", none), (vec![40.0, 40.0, 50.0, 40.0], vec![Some(1), Some(3)]));
    let node = ["<</Type/Pages /Kids[4 0 R 2 0 R 6 0 R 5 0 R]>>", "null"];
    assert_eq!(widths("6 0 R 5 0 R 6 0 R 2 0 R", node).0, [40.0, 50.0, 50.0, 40.0, 50.0]);
    assert_eq!(widths("<</MediaBox[0 0 9 9]>> 4 0 R <</MediaBox[0 0 8 8]>> 4 0 R", none).0, [9.0, 40.0, 8.0, 40.0]);
}

#[test]
fn repetition_within_repetition_is_bounded() {
    let inner = format!("<</Type/Pages /Kids[{}]>>", "4 0 R ".repeat(1000));
    let outer = format!("<</Type/Pages /Kids[{}]>>", "6 0 R ".repeat(1000));
    assert_eq!(widths(&"7 0 R ".repeat(1000), [&inner, &outer]).0.len(), 100_000);
}

#[test]
fn twenty_thousand_pages_are_cheap() {
    let kids = "<</Type/Page>> ".repeat(20_000);
    let file = open(pdf(&[
        "<</Type/Catalog /Pages 2 0 R /PageLabels<</Nums[0 <</S/r>> 10 <</S/D>>]>>>>",
        &format!("<</Type/Pages /Kids[{kids}] /MediaBox[0 0 9 9]>>"),
    ]));
    let document = file.document();
    assert_eq!(document.n_pages(), 20_000);
    assert_eq!(document.label(PageNumber::new(20_000).unwrap()).as_deref(), Some("19990"));
}

#[test]
fn only_an_ink_that_lets_nothing_through_hides_what_is_below() {
    let table = [("", 1), ("/Half gs", 0)];
    for (state, hidden) in table {
        let resources =
            "<</ExtGState <</Half <</ca 0.5>>>> /Font <</F <</Type/Font /Subtype/Type1 /BaseFont/Arial>>>>>>";
        let content = format!("BT /F 10 Tf 20 50 Td (Paid) Tj ET {state} 0 0 0 0 k 0 0 200 100 re f");
        let file = open(page(&format!("/MediaBox[0 0 200 100] /Resources {resources}"), &content));
        let text = file.document().text(PageNumber::FIRST).unwrap();
        assert_eq!(text.hidden.len(), hidden, "{state}");
    }
}
