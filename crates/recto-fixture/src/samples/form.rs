//! A travel claim that was filled in: form fields, one of them without an appearance.

use crate::annotation::Annotation;
use crate::page::Page;
use crate::pdf::Pdf;

pub(super) fn pdf() -> Pdf {
    Pdf::new().title("Travel expense claim").page(traveller()).page(expenses())
}

fn traveller() -> Page {
    let page = heading(Page::new(), "Travel expense claim", "Form FIN-12, page 1 of 2");
    let page = section(page, 730.0, "1  Traveller");
    let traveller = [
        ("Name", "name", "Tomas Reedy"),
        ("Staff number", "staff_number", "40-1187"),
        ("Department", "department", "Hydrometry"),
        ("Line manager", "manager", "Ingrid Pask"),
    ];
    let page = section(fields(page, 700.0, &traveller), 560.0, "2  Journey");
    let journey = [
        ("Purpose", "purpose", "Renewal of the flow gauge at Ardle Mill"),
        ("From", "from", "Marsham"),
        ("To", "to", "Ardle Mill"),
        ("Departure", "departure", "12 May 2025, 07:40"),
        ("Return", "return", "14 May 2025, 18:15"),
    ];
    let page = fields(page, 530.0, &journey).text_at(60.0, 366.0, 10.0, "Means of transport");
    let page = [("Train", true), ("Own car", false), ("Company car", false), ("Flight", false)]
        .into_iter()
        .zip(0..)
        .fold(page, |page, ((name, ticked), n)| check_box(page, 190.0 + 90.0 * n as f32, 364.0, name, ticked));
    let page = section(page, 320.0, "3  Charge to");
    let page = page.text_at(
        60.0,
        240.0,
        8.5,
        "Claims must reach the finance office within 30 days of the end of the journey.",
    );
    let rect = [190.0, 284.0, 535.0, 304.0];
    // Nobody drew this value: readers must take it from the field.
    let centre = Annotation::text_field(rect, "cost_centre", "CC-4471 Gauge renewal").without_appearance();
    frame(page.text_at(60.0, 290.0, 10.0, "Cost centre"), rect).annotation(centre)
}

fn expenses() -> Page {
    let page = heading(Page::new(), "Travel expense claim", "Form FIN-12, page 2 of 2");
    let page = section(page, 730.0, "4  Expenses (crowns)");
    let page = [("Date", 60.0), ("Description", 150.0), ("Receipt", 390.0), ("Amount", 460.0)]
        .into_iter()
        .fold(page, |page, (label, x)| page.text_at(x + 3.0, 706.0, 9.0, label));
    let rows = [
        ["12 May 2025", "Train Marsham - Ardle, return", "1", "64.80"],
        ["12 May 2025", "Hotel Old Mill, two nights", "2", "178.00"],
        ["13 May 2025", "Taxi to the gauge and back", "3", "23.40"],
        ["14 May 2025", "Daily allowance, 3 days at 32.00", "-", "96.00"],
        ["", "", "", ""],
    ];
    let page = rows.into_iter().zip(1..).fold(page, |page, (row, n)| expense(page, n, row));
    let page = [
        ("Total", "total", "362.20"),
        ("Advance received", "advance", "150.00"),
        ("Amount to be paid", "payable", "212.20"),
    ]
    .into_iter()
    .zip(0..)
    .fold(page, |page, ((label, name, value), n)| {
        let y = 556.0 - 24.0 * n as f32;
        boxed(page.text_at(330.0, y + 6.0, 10.0, label), [460.0, y, 535.0, y + 20.0], name, value)
    });
    let page = section(page, 450.0, "5  Declaration");
    let page = check_box(page, 60.0, 420.0, "I travelled as stated and have not been paid by anybody else.", true);
    let page = check_box(page, 60.0, 398.0, "All receipts are attached.", true);
    let page = check_box(page, 60.0, 376.0, "I ask for payment in cash.", false);
    let page = field(page, 336.0, ("Date of claim", "claim_date", "19 May 2025"));
    let page = field(page, 306.0, ("Approved by", "approved_by", "Ingrid Pask, 21 May 2025"));
    page.text_at(60.0, 270.0, 8.5, "Amounts above 500 crowns need the signature of the director as well.")
}

fn heading(page: Page, title: &str, form: &str) -> Page {
    let page = page.content("0.07 0.33 0.5 rg 0 782 595 60 re f 1 g").text_at(60.0, 804.0, 20.0, title);
    page.text_at(400.0, 806.0, 10.0, form).content("0 g").text_at(
        60.0,
        762.0,
        9.0,
        "Tavrin Basin Authority, Lower Quay 4, Marsham",
    )
}

fn section(page: Page, y: f32, title: &str) -> Page {
    page.content(&format!("0.07 0.33 0.5 rg 0.07 0.33 0.5 RG 0.8 w 60 {} m 535 {0} l S", y - 5.0))
        .text_at(60.0, y, 12.0, title)
        .content("0 g 0 G")
}

fn fields(page: Page, y: f32, rows: &[(&str, &str, &str)]) -> Page {
    rows.iter().zip(0..).fold(page, |page, (row, n)| field(page, y - 30.0 * n as f32, *row))
}

fn field(page: Page, y: f32, (label, name, value): (&str, &str, &str)) -> Page {
    boxed(page.text_at(60.0, y + 6.0, 10.0, label), [190.0, y, 535.0, y + 20.0], name, value)
}

fn expense(page: Page, row: usize, cells: [&str; 4]) -> Page {
    let y = 702.0 - 24.0 * row as f32;
    let columns = [(60.0, 146.0, "date"), (150.0, 386.0, "item"), (390.0, 456.0, "receipt"), (460.0, 535.0, "amount")];
    columns.into_iter().zip(cells).fold(page, |page, ((left, right, name), value)| {
        boxed(page, [left, y, right, y + 20.0], &format!("{name}_{row}"), value)
    })
}

fn boxed(page: Page, rect: [f32; 4], name: &str, value: &str) -> Page {
    frame(page, rect).annotation(Annotation::text_field(rect, name, value))
}

fn frame(page: Page, [left, bottom, right, top]: [f32; 4]) -> Page {
    let (width, height) = (right - left, top - bottom);
    page.content(&format!("0.94 0.96 0.98 rg 0.6 G 0.5 w {left} {bottom} {width} {height} re B 0 g 0 G"))
}

fn check_box(page: Page, x: f32, y: f32, label: &str, ticked: bool) -> Page {
    let name: String = label.chars().map(|c| if c.is_alphanumeric() { c.to_ascii_lowercase() } else { '_' }).collect();
    let page = page.content(&format!("0.8 w {} {} 11.2 11.2 re S", x + 0.4, y + 0.4));
    page.annotation(Annotation::check_box([x, y, x + 12.0, y + 12.0], &name, ticked)).text_at(
        x + 18.0,
        y + 2.0,
        10.0,
        label,
    )
}
