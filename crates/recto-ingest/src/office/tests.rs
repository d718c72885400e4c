//! What office documents say. The files are made here, with as little in them as Office would accept.

use std::io::{Cursor, Write};

use recto_page::{PageNumber, ProblemCode};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::{IngestError, with_document};

fn zipped(parts: &[(&str, &str)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in parts {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// Relationships as `id kind target`.
fn relations(list: &[(&str, &str, &str)]) -> String {
    let one = |(id, kind, target): &(&str, &str, &str)| {
        format!(r#"<Relationship Id="{id}" Type="http://x/{kind}" Target="{target}"/>"#)
    };
    format!("<Relationships>{}</Relationships>", list.iter().map(one).collect::<String>())
}

/// A document whose main part is `main`, with these further parts.
fn package(main: &str, text: &str, links: &[(&str, &str, &str)], others: &[(&str, &str)]) -> Vec<u8> {
    let root = relations(&[("r1", "officeDocument", main), ("r2", "metadata/core-properties", "core.xml")]);
    let (folder, file) = main.split_once('/').unwrap();
    let (of_main, name) = (relations(links), format!("{folder}/_rels/{file}.rels"));
    let mut parts = vec![("_rels/.rels", root.as_str()), (main, text), (name.as_str(), of_main.as_str())];
    parts.push(("core.xml", "<cp:coreProperties><dc:title>A &amp; B</dc:title></cp:coreProperties>"));
    parts.extend_from_slice(others);
    zipped(&parts)
}

fn docx(body: &str) -> Vec<u8> {
    let styles = r#"<w:styles><w:style w:styleId="H1"><w:name w:val="heading 1"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>
        <w:style w:styleId="H2"><w:name w:val="heading 2"/><w:basedOn w:val="H1"/><w:pPr><w:numPr><w:ilvl w:val="1"/>
        <w:numId w:val="1"/></w:numPr><w:outlineLvl w:val="1"/></w:pPr></w:style></w:styles>"#;
    let numbering = r#"<w:numbering><w:abstractNum w:abstractNumId="5">
        <w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="upperRoman"/><w:lvlText w:val="%1."/></w:lvl>
        <w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1.%2"/></w:lvl></w:abstractNum>
        <w:abstractNum w:abstractNumId="6"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum>
        <w:num w:numId="1"><w:abstractNumId w:val="5"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="6"/></w:num></w:numbering>"#;
    let notes = r#"<w:footnotes><w:footnote w:type="separator" w:id="0"><w:p><w:r><w:t>no</w:t></w:r></w:p></w:footnote>
        <w:footnote w:id="2"><w:p><w:r><w:t>see there</w:t></w:r></w:p></w:footnote></w:footnotes>"#;
    let links = [("s", "styles", "styles.xml"), ("n", "numbering", "numbering.xml"), ("f", "footnotes", "notes.xml")];
    let others = [("word/styles.xml", styles), ("word/numbering.xml", numbering), ("word/notes.xml", notes)];
    let text = format!("<?xml version=\"1.0\"?><w:document><w:body>{body}</w:body></w:document>");
    package("word/document.xml", &text, &links, &others)
}

/// Slides by their XML within `<p:sld>`, the first with notes.
fn pptx(slides: &[&str], notes: &str) -> Vec<u8> {
    let ids: String = (0..slides.len()).map(|i| format!(r#"<p:sldId id="{}" r:id="s{i}"/>"#, 256 + i)).collect();
    let main = format!("<p:presentation><p:sldIdLst>{ids}</p:sldIdLst></p:presentation>");
    let names: Vec<(String, String)> =
        (0..slides.len()).map(|i| (format!("s{i}"), format!("slides/slide{i}.xml"))).collect();
    let links: Vec<_> = names.iter().map(|(id, target)| (id.as_str(), "slide", target.as_str())).collect();
    let paths: Vec<String> = names.iter().map(|(_, target)| format!("ppt/{target}")).collect();
    let to_notes = relations(&[("n", "notesSlide", "../notes/notes1.xml")]);
    let mut others: Vec<(&str, &str)> = paths.iter().map(String::as_str).zip(slides.iter().copied()).collect();
    others.extend([("ppt/slides/_rels/slide0.xml.rels", to_notes.as_str()), ("ppt/notes/notes1.xml", notes)]);
    package("ppt/presentation.xml", &main, &links, &others)
}

/// Sheets by name, state and the XML of their rows.
fn xlsx(sheets: &[(&str, &str, &str)]) -> Vec<u8> {
    let entry = |(i, (name, state, _)): (usize, &(&str, &str, &str))| {
        format!(r#"<sheet name="{name}" sheetId="{i}" state="{state}" r:id="r{i}"/>"#)
    };
    let entries: String = sheets.iter().enumerate().map(entry).collect();
    let main = format!("<workbook><sheets>{entries}</sheets></workbook>");
    let styles = r#"<styleSheet><numFmts><numFmt numFmtId="170" formatCode="0.0%"/></numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs>
        <cellXfs><xf numFmtId="0"/><xf numFmtId="170"/><xf numFmtId="14"/><xf numFmtId="4"/></cellXfs></styleSheet>"#;
    let shared = "<sst><si><t>Name</t></si><si><r><t>Ri</t></r><r><t>ch</t></r><rPh><t>no</t></rPh></si></sst>";
    let rows: Vec<(String, String)> = sheets
        .iter()
        .enumerate()
        .map(|(i, (_, _, rows))| {
            (format!("xl/sheet{i}.xml"), format!("<worksheet><sheetData>{rows}</sheetData></worksheet>"))
        })
        .collect();
    let targets: Vec<(String, String)> =
        (0..sheets.len()).map(|i| (format!("r{i}"), format!("/xl/sheet{i}.xml"))).collect();
    let mut links: Vec<_> = targets.iter().map(|(id, target)| (id.as_str(), "worksheet", target.as_str())).collect();
    links.extend([("st", "styles", "styles.xml"), ("sh", "sharedStrings", "shared.xml")]);
    let mut others: Vec<(&str, &str)> = rows.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    others.extend([("xl/styles.xml", styles), ("xl/shared.xml", shared)]);
    package("xl/workbook.xml", &main, &links, &others)
}

/// The text of each page; empty lines are left out.
fn pages(bytes: &[u8]) -> Vec<String> {
    let read = |document: &dyn crate::OpenDocument| {
        let text = |page| document.text(page).unwrap().layer.text().replace("\n\n", "\n").trim_end().to_owned();
        PageNumber::first(document.n_pages()).map(text).collect()
    };
    with_document(bytes.to_vec(), None, read).unwrap()
}

fn refusal(bytes: &[u8]) -> Option<ProblemCode> {
    match with_document(bytes.to_vec(), None, |_| ()) {
        Ok(()) => None,
        Err(IngestError::Open { code, .. }) => Some(code),
        Err(other) => panic!("{other}"),
    }
}

#[track_caller]
fn check(bytes: &[u8], want: &[&str]) {
    assert_eq!(pages(bytes), want);
}

fn p(style: &str, text: &str) -> String {
    format!(
        r#"<w:p><w:pPr><w:pStyle w:val="{style}"/><w:tabs><w:tab w:val="left"/></w:tabs></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"#
    )
}

#[test]
fn a_word_document_is_read_with_its_headings_lists_and_notes() {
    let item = |list: u8, level: u8, text: &str| {
        format!(
            r#"<w:p><w:pPr><w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{list}"/></w:numPr></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"#
        )
    };
    let body =
        [p("H1", "Scope"), p("H2", "First"), p("H2", "Second"), item(2, 0, "point"), item(1, 0, "Roman")].concat();
    check(&docx(&body), &["Scope\nI.1 First\nI.2 Second\n• point\nII. Roman\nFootnotes\n[2] see there"]);
    let run = |inner: &str| docx(&format!("<w:p><w:r>{inner}</w:r></w:p>"));
    let notes = "Footnotes\n[2] see there";
    for (inner, want) in [
        ("<w:t>&lt;gene&gt; &amp;amp; &#228;&unknown;</w:t>", "<gene> &amp; ä&unknown;"),
        ("<w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:noBreakHyphen/><w:t>d</w:t>", "a b\nc-d"),
        (
            "<w:t>kept</w:t></w:r><w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:ins><w:r><w:t> new</w:t></w:r></w:ins><w:r>",
            "kept new",
        ),
        ("<w:t>seen</w:t></w:r><w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r><w:r>", "seen"),
        ("<w:instrText>PAGE</w:instrText><w:t>7</w:t><w:footnoteReference w:id=\"2\"/>", "7 [2]"),
        (
            "<mc:AlternateContent><mc:Choice><w:txbxContent><w:p><w:r><w:t>box</w:t></w:r></w:p></w:txbxContent></mc:Choice>\
             <mc:Fallback><w:p><w:r><w:t>box</w:t></w:r></w:p></mc:Fallback></mc:AlternateContent><w:t>text</w:t>",
            "box\ntext",
        ),
    ] {
        check(&run(inner), &[&format!("{want}\n{notes}")]);
    }
}

#[test]
fn pages_of_a_word_document_are_those_of_word() {
    let rendered = r#"<w:p><w:r><w:t>one </w:t><w:lastRenderedPageBreak/><w:t>two</w:t></w:r></w:p>
        <w:p><w:r><w:br w:type="page"/></w:r></w:p><w:p><w:r><w:lastRenderedPageBreak/><w:t>three</w:t></w:r></w:p>"#;
    check(&docx(rendered), &["one", "two", "three\nFootnotes\n[2] see there"]);
    let section = r#"<w:p><w:pPr><w:sectPr><w:type w:val="nextPage"/></w:sectPr></w:pPr><w:r><w:t>a</w:t></w:r></w:p>
        <w:p><w:pPr><w:sectPr><w:type w:val="continuous"/></w:sectPr></w:pPr><w:r><w:t>b</w:t></w:r></w:p>"#;
    check(&docx(section), &["a", "b\nFootnotes\n[2] see there"]);
    let long = p("", "word ").repeat(200);
    assert!(pages(&docx(&long)).len() > 2);
    let long_page = format!("<w:p><w:r><w:lastRenderedPageBreak/></w:r></w:p>{}", p("", "word ").repeat(60));
    assert_eq!(pages(&docx(&long_page)).len(), 1);
}

#[test]
fn tables_of_a_word_document_have_rows_and_cells() {
    let cell = |text: &str| format!("<w:tc><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:tc>");
    let row = |head: &str, cells: &[String]| format!("<w:tr><w:trPr>{head}</w:trPr>{}</w:tr>", cells.concat());
    let inner = format!("<w:tc><w:tbl>{}</w:tbl></w:tc>", row("", &[cell("x"), cell("y")]));
    let wide =
        r#"<w:tc><w:tcPr><w:gridSpan w:val="2"/></w:tcPr><w:p><w:r><w:t>all</w:t></w:r></w:p></w:tc>"#.to_owned();
    let rows = [
        row("<w:tblHeader/>", &[cell("Name"), cell("Sum")]),
        row("", &[cell("a"), cell("1")]),
        row("", &["<w:tc><w:p><w:r><w:lastRenderedPageBreak/><w:t>b</w:t></w:r></w:p></w:tc>".into(), cell("2")]),
        row("", &[inner, cell("3")]),
        row("", &[wide]),
    ];
    let pages = pages(&docx(&format!("<w:tbl>{}</w:tbl>", rows.concat())));
    assert_eq!(pages, ["Name Sum\na 1", "Name Sum\nb 2\nx y 3\nall\nFootnotes\n[2] see there"]);
}

/// docling#292.
#[test]
fn grouped_shapes_and_speaker_notes_of_slides_are_read() {
    let shape = |kind: &str, text: &str| {
        format!(
            r#"<p:sp><p:nvSpPr><p:nvPr>{kind}</p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>{text}</a:t></a:r></a:p></p:txBody></p:sp>"#
        )
    };
    let title = shape(r#"<p:ph type="title"/>"#, "Results");
    let group = format!("<p:grpSp><p:grpSp>{}</p:grpSp>{}</p:grpSp>", shape("", "deep"), shape("", "inner"));
    let table = "<p:graphicFrame><a:tbl><a:tr><a:tc><a:txBody><a:p><a:r><a:t>k</a:t></a:r></a:p></a:txBody></a:tc>\
                 <a:tc><a:txBody><a:p><a:r><a:t>v</a:t></a:r></a:p></a:txBody></a:tc></a:tr></a:tbl></p:graphicFrame>";
    let body = shape(r#"<p:ph idx="1"/>"#, "point");
    let first = format!("<p:sld>{body}{group}{title}{table}</p:sld>");
    let second = format!(r#"<p:sld show="0">{}</p:sld>"#, shape(r#"<p:ph type="ctrTitle"/>"#, "Spare"));
    let notes = format!(
        "<p:notes>{}{}</p:notes>",
        shape(r#"<p:ph type="sldNum"/>"#, "1"),
        shape(r#"<p:ph type="body"/>"#, "say this")
    );
    let file = pptx(&[&first, &second], &notes);
    check(&file, &["Results\n• point\ndeep\ninner\nk v\nSpeaker notes\nsay this", "Spare (hidden slide)"]);
    let (title, outline) = with_document(file, None, |document| (document.title(), document.outline())).unwrap();
    let outline: Vec<_> = outline.iter().map(|e| (e.title.as_str(), e.page.unwrap().get())).collect();
    assert_eq!((title.as_deref(), outline), (Some("A & B"), vec![("Results", 1), ("Spare (hidden slide)", 2)]));
}

#[test]
fn pictures_of_documents_are_looked_for_where_they_are() {
    let problems = |file: Vec<u8>| with_document(file, None, |document| document.problems()).unwrap().len();
    let gif = [("word/media/a.gif", "GIF89a")];
    let link = [("i", "image", "media/a.gif")];
    let file = |body: &str| package("word/document.xml", body, &link, &gif);
    assert_eq!(problems(file(r#"<document><p><r><drawing><a:blip r:embed="i"/></drawing></r></p></document>"#)), 1);
    assert_eq!(problems(file(r#"<document><p><r><pict><v:imagedata r:id="i"/></pict></r></p></document>"#)), 1);
    assert_eq!(problems(file(r#"<document><p><r><a:blip r:link="elsewhere"/></r></p></document>"#)), 0);
}

#[test]
fn charts_are_tables_of_their_numbers() {
    let points = |values: &[&str]| {
        let point = |(i, v): (usize, &&str)| format!(r#"<c:pt idx="{i}"><c:v>{v}</c:v></c:pt>"#);
        values.iter().enumerate().map(point).collect::<String>()
    };
    let series = |name: &str, values: &[&str]| {
        format!(
            "<c:ser><c:tx>{}</c:tx><c:cat><c:strCache>{}</c:strCache></c:cat><c:val><c:numCache><c:formatCode>0.0</c:formatCode>{}\
             </c:numCache></c:val></c:ser>",
            points(&[name]),
            points(&["East", "West"]),
            points(values)
        )
    };
    let title = |text: &str| format!("<c:title><c:tx><a:p><a:r><a:t>{text}</a:t></a:r></a:p></c:tx></c:title>");
    let chart = format!(
        "<c:chartSpace><c:chart>{}<c:barChart>{}{}</c:barChart><c:valAx>{}</c:valAx></c:chart></c:chartSpace>",
        title("Sales"),
        series("2021", &["1.25", "2"]),
        series("2022", &["3"]),
        title("M€")
    );
    let body = r#"<document><p><r><t>before</t></r><r><c:chart r:id="c"/></r></p></document>"#;
    let file = package("word/document.xml", body, &[("c", "chart", "chart1.xml")], &[("word/chart1.xml", &chart)]);
    check(&file, &["Sales\n2021 2022\nEast 1.3 3.0\nWest 2.0\nM€\nbefore"]);
}

#[test]
fn cells_of_a_sheet_show_what_they_showed() {
    let rows = r#"<row r="2"><c r="B2" t="s"><v>0</v></c><c r="C2" t="s"><v>1</v></c><c r="E2" t="inlineStr"><is><t>Date</t></is></c></row>
        <row r="3"><c r="B3" t="str"><f>A&amp;B</f><v>&lt;x&gt;</v></c><c r="C3" s="1"><f>1/8</f><v>0.125</v></c><c r="E3" s="2"><v>45292</v></c></row>
        <row r="4" hidden="1"><c r="B4" t="b"><v>1</v></c><c r="C4" s="3"><v>-1234.5</v></c><c r="E4" t="e"><v>#N/A</v></c></row>
        <row r="6"><c><v>7</v></c><c r="C6" t="s"><v>99</v></c></row><row r="9"><c r="A9"><f>SUM(A1:A2)</f><v/></c><c r="B9" t="str"><f>""</f><v></v></c></row>"#;
    let file = xlsx(&[("Data", "visible", rows), ("Old", "veryHidden", r#"<row><c><v>0.1</v></c></row>"#)]);
    check(
        &file,
        &[
            "Data (some rows are hidden)\nName Rich Date\n<x> 12.5% 2024-01-01\nTRUE -1,234.50 #N/A\n7\n=SUM(A1:A2)",
            "Old (hidden sheet)\n0.1",
        ],
    );
}

#[test]
fn wide_sheets_make_wide_pages_and_large_ones_several() {
    let row = |number: usize, width: usize| {
        let cell = |column: usize| format!(r#"<c t="str"><v>r{number}c{column}</v></c>"#);
        format!(r#"<row r="{number}">{}</row>"#, (0..width).map(cell).collect::<String>())
    };
    let long: String = (1..=150).map(|number| row(number, 3)).collect();
    let wide: String = (1..=3).map(|number| row(number, 60)).collect();
    let file = xlsx(&[("Long", "visible", &long), ("Wide", "visible", &wide)]);
    let pages = pages(&file);
    let all = pages.concat();
    for (cell, count) in [("r2c0 ", 2), ("r150c2", 1), ("r3c59", 1)] {
        assert_eq!(all.matches(cell).count(), count, "{cell}");
    }
    let widths = with_document(file, None, |document| {
        PageNumber::first(document.n_pages()).map(|page| document.size(page).unwrap().width).collect::<Vec<_>>()
    });
    let widths = widths.unwrap();
    assert!(widths[0] < 600.0 && *widths.last().unwrap() > 1000.0, "{widths:?}");
}

/// An OpenDocument file of this kind.
fn odf(kind: &str, styles: &str, body: &str) -> Vec<u8> {
    let content = format!(
        "<office:document-content><office:automatic-styles>{styles}</office:automatic-styles><office:body>{body}</office:body>\
         </office:document-content>"
    );
    let mimetype = format!("application/vnd.oasis.opendocument.{kind}");
    let meta = "<office:meta><dc:title>Open &lt;it&gt;</dc:title></office:meta>";
    zipped(&[("mimetype", &mimetype), ("content.xml", &content), ("meta.xml", meta)])
}

#[test]
fn open_documents_are_read() {
    let styles = r#"<style:style style:name="P"><style:paragraph-properties fo:break-before="page"/></style:style>
        <text:list-style style:name="N"><text:list-level-style-number text:level="1"/></text:list-style>"#;
    let text = r#"<text:h text:outline-level="1">Top</text:h><text:p>a<text:s text:c="2"/>b <text:span>c</text:span>
        d<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>note</text:p></text:note-body></text:note></text:p>
        <text:list text:style-name="N"><text:list-item><text:p>x</text:p></text:list-item><text:list-item><text:p>y</text:p></text:list-item></text:list>
        <text:list><text:list-item><text:p>z</text:p></text:list-item></text:list>
        <table:table><table:table-row><table:table-cell><text:p>k</text:p></table:table-cell><table:table-cell><text:p>v</text:p>
        </table:table-cell></table:table-row></table:table><text:p text:style-name="P">next</text:p>"#;
    let file = odf("text", styles, text);
    check(&file, &["Top\na b c d [1]\n1. x\n2. y\n• z\nk v", "next\nNotes\n[1] note"]);
    assert_eq!(with_document(file, None, |document| document.title()).unwrap().as_deref(), Some("Open <it>"));
    let hidden = r#"<style:style style:name="H"><style:table-properties table:display="false"/></style:style>"#;
    let sheet = r#"<table:table table:name="S"><table:table-row><table:table-cell table:number-columns-repeated="3"/>
        <table:table-cell office:value="0.125"><text:p>12.5%</text:p></table:table-cell><table:table-cell><text:p>x</text:p></table:table-cell>
        </table:table-row><table:table-row table:number-rows-repeated="1048570"/><table:table-row table:number-rows-repeated="2">
        <table:table-cell table:number-columns-repeated="2"><text:p>7</text:p></table:table-cell></table:table-row></table:table>
        <table:table table:name="T" table:style-name="H"/>"#;
    check(&odf("spreadsheet", hidden, sheet), &["S\n12.5% x\n7 7\n7 7", "T (hidden sheet)"]);
    let slides = r#"<draw:page><draw:frame presentation:class="title"><draw:text-box><text:p>Hello</text:p></draw:text-box></draw:frame>
        <draw:g><draw:frame><draw:text-box><text:p>grouped</text:p></draw:text-box></draw:frame></draw:g>
        <presentation:notes><draw:frame><draw:text-box><text:p>say</text:p></draw:text-box></draw:frame></presentation:notes></draw:page>"#;
    check(&odf("presentation", "", slides), &["Hello\ngrouped\nSpeaker notes\nsay"]);
}

#[test]
fn what_cannot_be_read_says_why() {
    let encrypted = [super::COMPOUND, &[0; 600], super::ENCRYPTED].concat();
    let mut cut = docx(&p("", "text"));
    cut.truncate(cut.len() / 2);
    let deep = docx(&"<w:x>".repeat(10_000));
    let entities = "<!DOCTYPE d [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">]>";
    let bomb = package("word/document.xml", &format!("<document>{}</document>", " ".repeat(257 << 20)), &[], &[]);
    for (what, bytes, want) in [
        ("before 2007", [super::COMPOUND, &[0; 600]].concat(), Some(ProblemCode::UnsupportedFormat)),
        ("encrypted", encrypted, Some(ProblemCode::PasswordRequired)),
        ("RTF", b"{\\rtf1 Hello}".to_vec(), Some(ProblemCode::UnsupportedFormat)),
        ("another archive", zipped(&[("a.txt", "x")]), Some(ProblemCode::UnsupportedFormat)),
        (
            "a drawing",
            package("visio/document.xml", "<VisioDocument/>", &[], &[]),
            Some(ProblemCode::UnsupportedFormat),
        ),
        ("cut off", cut, Some(ProblemCode::Damaged)),
        ("XML cut off", package("word/document.xml", "<document><body>", &[], &[]), Some(ProblemCode::Damaged)),
        ("nested deep", deep, Some(ProblemCode::Damaged)),
        ("a bomb", bomb, Some(ProblemCode::UnpacksTooLarge)),
        (
            "parts are missing",
            package("xl/workbook.xml", "<workbook><sheets><sheet name='a' r:id='x'/></sheets></workbook>", &[], &[]),
            None,
        ),
        (
            "entities",
            package("word/document.xml", &format!("{entities}<document><p><r><t>&b;</t></r></p></document>"), &[], &[]),
            None,
        ),
    ] {
        assert_eq!(refusal(&bytes), want, "{what}");
    }
}

#[test]
fn what_unfolds_beyond_measure_is_cut_and_says_so() {
    let check = |what: &str, file: Vec<u8>| {
        let draft = super::read(&file).unwrap().unwrap();
        let codes: Vec<_> = draft.problems().iter().map(|problem| problem.code).collect();
        assert_eq!(codes, [ProblemCode::TextTooLong], "{what}");
        assert_eq!(draft.sections.len(), 1);
        assert!(!draft.sections[0].parts.is_empty(), "{what}");
    };
    let shared = format!("<sst><si><t>{}</t></si></sst>", "long ".repeat(200_000));
    let cells = r#"<row><c t="s"><v>0</v></c><c t="s"><v>0</v></c></row>"#.repeat(5000);
    let sheet = format!("<worksheet>{cells}</worksheet>");
    let links = [("r0", "worksheet", "sheet.xml"), ("r1", "sharedStrings", "shared.xml")];
    let others = [("xl/sheet.xml", sheet.as_str()), ("xl/shared.xml", shared.as_str())];
    let book = r#"<workbook><sheets><sheet name="a" r:id="r0"/></sheets></workbook>"#;
    check("a string that many cells share", package("xl/workbook.xml", book, &links, &others));
    let repeated = r#"<table:table-row table:number-rows-repeated="1000"><table:table-cell table:number-columns-repeated="1000">
        <text:p>x</text:p></table:table-cell></table:table-row>"#;
    check("repeated rows", odf("spreadsheet", "", &format!("<table:table>{}</table:table>", repeated.repeat(50))));
    let spans = r#"<tc><gridSpan val="63"/><p/></tc>"#.repeat(50_000);
    let wide = format!("<document><tbl><tr><tc><p><r><t>x</t></r></p></tc></tr><tr>{spans}</tr></tbl></document>");
    check("cells that span columns", package("word/document.xml", &wide, &[], &[]));
}

/// Damaged copies of documents, within their archives and as a whole: nothing may panic.
#[test]
fn damaged_documents_do_no_harm() {
    let read = |file: &[u8]| {
        if let Some(Ok(draft)) = super::read(file) {
            crate::laid_out::pdf(&draft);
        }
    };
    let row = r#"<row r="1" hidden="1"><c r="ZZZZZZ1" s="1"><v>1e999</v></c><c t="s"><v>5</v></c><c t="x" s="3"><f>A</f><v>7</v></c></row>"#;
    let sheet = format!("<worksheet><sheetData>{row}</sheetData></worksheet>");
    let body = format!(r#"<document><tbl><tr><tc>{}</tc></tr></tbl>{}</document>"#, p("H1", "a"), p("H2", "b"));
    let slide = r#"<p:sld show="1"><p:sp><p:ph type="body"/><a:p><a:pPr lvl="3"/><a:t>x</a:t></a:p></p:sp></p:sld>"#;
    let links = [("r0", "worksheet", "s.xml"), ("r1", "styles", "t.xml"), ("r2", "numbering", "n.xml")];
    let styles = r#"<s><numFmt numFmtId="170" formatCode="[$-4]#,##0.0;;"/><cellXfs><xf numFmtId="170"/><xf numFmtId="22"/></cellXfs></s>"#;
    let book = r#"<workbook><sheets><sheet name="a" r:id="r0"/></sheets></workbook>"#;
    let files = |text: &str| {
        [
            package("xl/w.xml", book, &links, &[("xl/s.xml", text), ("xl/t.xml", styles)]),
            package("xl/w.xml", book, &links, &[("xl/s.xml", &sheet), ("xl/t.xml", text)]),
            package("word/document.xml", text, &links, &[]),
            package("word/document.xml", &body, &links, &[("word/t.xml", text), ("word/n.xml", text)]),
            pptx(&[text], text),
            odf("spreadsheet", "", text),
            odf("text", text, text),
        ]
    };
    for text in [sheet.as_str(), body.as_str(), slide, styles, book] {
        for at in (0..text.len()).step_by(11) {
            let bytes = [&text.as_bytes()[..at], b"9", &text.as_bytes()[(at + at % 5).min(text.len())..]].concat();
            files(&String::from_utf8_lossy(&bytes)).iter().for_each(|file| read(file));
        }
    }
    let whole = docx(&p("H1", "Scope"));
    for at in (0..whole.len()).step_by(37) {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x55;
        read(&damaged);
        read(&whole[..at]);
    }
}
