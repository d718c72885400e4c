//! What files of text say.

use recto_page::{PageNumber, ProblemCode};

use crate::with_document;

/// The text of the pages, parted by form feeds, as single-spaced words line by line; empty lines are left out.
fn read(bytes: &[u8]) -> String {
    with_document(bytes.to_vec(), None, |document| {
        let text = |page| document.text(page).unwrap().layer.text().replace("\n\n", "\n");
        PageNumber::first(document.n_pages()).map(text).collect::<Vec<_>>().join("\u{c}")
    })
    .unwrap()
}

#[track_caller]
fn check(file: impl AsRef<[u8]>, want: &str) {
    assert_eq!(read(file.as_ref()).trim_end(), want);
}

/// Depth, title and page of each entry.
fn outline(bytes: &[u8]) -> Vec<(u32, String, u32)> {
    let entries = with_document(bytes.to_vec(), None, |document| document.outline()).unwrap();
    entries.into_iter().map(|e| (e.depth, e.title, e.page.map_or(0, PageNumber::get))).collect()
}

fn title(bytes: &[u8]) -> Option<String> {
    with_document(bytes.to_vec(), None, |document| document.title()).unwrap()
}

#[test]
fn plain_text_stays_as_it_is() {
    check("Dear Sir,\n\nthe <gene> &amp; BRCA1\r\n  is here.\n", "Dear Sir,\nthe <gene> &amp; BRCA1\nis here.");
    check("one\u{c}two", "one\n\u{c}two");
    check("\u{feff}with a mark", "with a mark");
    check(b"\xFF\xFEH\0i\0 \0\x3A\x04", "Hi к");
    check(b"na\xEFve caf\xE9 cr\xE8me br\xFBl\xE9e", "naïve café crème brûlée");
    check(b"\xCF\xF0\xE8\xE2\xE5\xF2, \xEA\xE0\xEA \xE4\xE5\xEB\xE0", "Привет, как дела");
    check(b"good UTF-8 caf\xC3\xA9 na\xC3\xAFve \xC3\xA9t\xC3\xA9 \xC3\xA9t\xC3\xA9 \xC3\xA9t\xC3\xA9 \xC3\xA9t\xC3\xA9 \xC3\xA9t\xC3\xA9 \xFF", "good UTF-8 café naïve été été été été été");
    check(" \n\n", "");
    check("first\0second\nthird", "first second\nthird");
}

#[test]
fn headings_and_tables_of_markdown_are_told_apart() {
    let text =
        "# Guide\n\nIntro\n\n## Set-up\n\n| Name | Size |\n|---|--:|\n| a \\| b | 10 |\n\n```\n# no heading\n```\n#tag";
    check(text, "Guide\nIntro\nSet-up\nName Size\na | b 10\n```\n# no heading\n```\n#tag");
    assert_eq!(outline(text.as_bytes()), [(0, "Guide".into(), 1), (1, "Set-up".into(), 1)]);
}

#[test]
fn fields_become_cells() {
    check("name,amount\n\"Smith, J.\",\"1,200\"\nRoe,7", "name amount\nSmith, J. 1,200\nRoe 7");
    check("name;amount\nSmith;12,40\nRoe;7,00", "name amount\nSmith 12,40\nRoe 7,00");
    check("a\tb\n1\t2", "a b\n1 2");
    check("We came, we saw.\nWe left, at last, in the dark.", "We came, we saw.\nWe left, at last, in the dark.");
    check("just one line, with a comma", "just one line, with a comma");
}

#[test]
fn long_tables_go_over_pages_with_their_head() {
    let rows: String = (1..=200).map(|n| format!("item {n},{n}\n")).collect();
    let pages = read(format!("name,amount\n{rows}").as_bytes());
    let pages: Vec<&str> = pages.split('\u{c}').collect();
    assert!(pages.len() > 2);
    assert!(pages.iter().all(|page| page.starts_with("name amount\n")), "{pages:?}");
    assert_eq!(pages.concat().matches("item 137 137\n").count(), 1);
}

#[test]
fn html_is_read_as_a_page_shows_it() {
    let page = |body: &str| format!("<!DOCTYPE html><title>A  page</title><body>{body}");
    check(page("<h1>Top</h1><p>one <b>two</b>\n three<p>a&lt;gene&gt; &amp;amp;"), "Top\none two three\na<gene> &amp;");
    check(page("x<script>var a = '<p>no</p>';</script><style>p{}</style>y"), "xy");
    check(page("<ul><li>a<ol><li>b<li>c</ol><li>d</ul>"), "• a\n1. b\n2. c\n• d");
    check(page("<table><tr><th>n<th>v<tr><td>a<td>1<tr><td rowspan=2>b<td>2<tr><td>3</table>"), "n v\na 1\nb 2\n3");
    check(page("<table><tr><td><table><tr><td>k<td>v</table><td>side</table>"), "k v\nside");
    check(page("<pre>a\n  b</pre>"), "a\nb");
    check(page("<div style='display: none'>secret<div>x</div></div><img src=http://x/y.png alt='A chart'>"), "A chart");
    check(page("<p hidden>no<p>yes<p style='visibility:hidden'>no<b>no</b></p>too<body hidden>x"), "yes\ntoo\nx");
    check(b"<html><meta charset=windows-1251><body>\xEF\xF0\xE8\xE2\xE5\xF2 \xFF", "привет я");
    assert_eq!(title(page("x").as_bytes()), Some("A page".into()));
    assert_eq!(outline(page("<h1>A</h1><h3>B</h3><h2>C</h2>").as_bytes()).len(), 3);
}

#[test]
fn parts_of_html_pages_are_pages_and_markdown_is_not() {
    check("<b>Bold</b> <a href=x>link</a>", "Bold link");
    check("\n<span class=a>Span</span>", "Span");
    check("<!-- c --><!-- d -->\n<FONT>Font</FONT>", "Font");
    check("<br>one<br/>two", "one\ntwo");
    check("<ul><li>a<li>b</ul>", "• a\n• b");
    check("<b>a</b>\n\n# Guide", "<b>a</b>\nGuide");
    check("<!-- c -->\nplain", "<!-- c -->\nplain");
    check("<gene> is <b>up</b>", "<gene> is <b>up</b>");
    check("<b> was never closed", "<b> was never closed");
    check("<note>a</note>", "<note>a</note>");
    check("<brand>a</brand>", "<brand>a</brand>");
}

#[test]
fn tables_that_do_not_end_are_read() {
    check("<table><tr><td>a<td>1<tr><td>b<td>2", "a 1\nb 2");
    check("<table><tr><td><table><tr><td>k<td>v", "k v");
    check(format!("{}deep text", "<table><tr><td>".repeat(5000)), "deep text");
}

#[test]
fn forwarded_mail_is_read_and_what_is_too_deep_is_named() {
    let forward = |subject: &str, text: &str, inner: &str| {
        format!(
            "From: a@example.org\r\nSubject: {subject}\r\nMIME-Version: 1.0\r\n\
             Content-Type: multipart/mixed; boundary=\"{subject}\"\r\n\r\n--{subject}\r\nContent-Type: text/plain\r\n\r\n\
             {text}\r\n--{subject}\r\nContent-Type: message/rfc822\r\nContent-Disposition: attachment\r\n\r\n{inner}\r\n\
             --{subject}--\r\n"
        )
    };
    let last = "From: boss@example.org\r\nSubject: Contract\r\nContent-Type: text/plain\r\n\r\nThe price is 77,123.";
    let head = |who: &str, subject: &str| format!("{subject}\nFrom: {who}@example.org\nSubject: {subject}\n");
    let one = forward("Second", "See below.", last);
    let shown = format!("{}See below.\n{}The price is 77,123.", head("a", "Second"), head("boss", "Contract"));
    check(&one, &shown);
    check(forward("First", "Look.", &one), &format!("{}Look.\n{shown}", head("a", "First")));
    let deep = (0..60).fold(last.to_owned(), |inner, n| forward(&format!("S{n}x"), "more", &inner));
    let problems = with_document(deep.into_bytes(), None, |document| document.problems()).unwrap();
    assert_eq!(problems.iter().map(|problem| problem.code).collect::<Vec<_>>(), [ProblemCode::TextTooLong]);
}

#[test]
fn mail_shows_its_head_its_text_and_the_names_of_attachments() {
    let head = "From: =?utf-8?q?J=C3=B6rg?= <j@example.org>\r\nTo: a@example.org, B <b@example.org>\r\n\
                Date: Mon, 2 Jan 2023 10:00:00 +0100\r\nSubject: Offer\r\n =?utf-8?b?w7xiZXI=?=\r\nMIME-Version: 1.0\r\n";
    let plain = format!(
        "{head}Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nTotal =E2=82=AC 12,40\r\n"
    );
    let shown = "From: Jörg <j@example.org>\nTo: a@example.org, B <b@example.org>\n\
                 Date: Mon, 2 Jan 2023 10:00:00 +0100\nSubject: Offer über\n";
    check(&plain, &format!("Offer über\n{shown}Total € 12,40"));
    let both = format!(
        "{head}Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: multipart/alternative; boundary=y\r\n\r\n\
         --y\r\nContent-Type: text/plain\r\n\r\nthe plain one\r\n--y\r\nContent-Type: text/html\r\n\r\n<p>the rich one\r\n--y--\r\n\
         --x\r\nContent-Type: application/pdf; name=\"offer.pdf\"\r\nContent-Disposition: attachment; filename=\"offer.pdf\"\r\n\
         Content-Transfer-Encoding: base64\r\n\r\nAAAA\r\n--x--\r\n"
    );
    check(&both, &format!("Offer über\n{shown}the plain one\nAttachments: offer.pdf"));
    let rich = format!("{head}Content-Type: text/html\r\n\r\n<h2>Hi</h2><table><tr><td>a<td>1</table>");
    check(&rich, &format!("Offer über\n{shown}Hi\na 1"));
    assert_eq!(title(plain.as_bytes()), Some("Offer über".into()));
}
