//! An answer has the shape of what is asked, and its quote can be read.

use recto_agent::DECLINE;
use recto_page::{Cell, DocId, Page, Region, Table};

use crate::answers::check;
use crate::corpus::{Corpus, document};

const TRAMWAY: &[&str] = &[
    "# Tramway Yearbook

Orrin Tramway Corporation (Orrin or the Company) began operations in 1983, in Tornby, Harl. We have laid the
lines ourselves. The depot keeps a stock of sand.

At May 3, 2011, May 4, 2010, and June 1, 2009 the tramway ran 61, 58, and 44 cars in all towns, respectively.

Our yearly pass for these riders is $60 in the inner zone. Riders of the upper deck pay an additional fee of $60.

Open the relief cock when the brake shows a pressure above 300 mmHg (40 kPa) for longer than 5 minutes.",
    "Of the riders asked, most residents like the new bell (38%),
but few visitors do like the new bell (85%).

Total riders were 2.0 million in the towns.

The tramway runs cars in Tornby, in Brack and on the island of Senn.

The tramway does not run cars on Sundays.",
    "Review of the bridge

Is the bridge safe?     Inadequate     Is the deck dry?     Good

a. What is the date of the review? 8/28/2007

Figure 2: Span of the bridge over the Harl",
];

#[test]
fn answers_have_the_shape_of_what_is_asked() {
    let table: &[(&str, &str, &[u32])] = &[
        ("Where did Orrin Tramway begin operations?", "Tornby, Harl", &[1]),
        ("Who laid the lines?", DECLINE, &[]),
        ("Who is the chief of the Company?", DECLINE, &[]),
        ("At what pressure in mmHg should I open the relief cock?", "300", &[1]),
        ("At what pressure in kPa should I open the relief cock?", "40", &[1]),
        ("What percentage of visitors like the new bell?", "85%", &[2]),
        ("How many total riders were in the towns?", "2.0 million", &[2]),
        ("What is the width of the deck?", DECLINE, &[]),
        ("Does the tramway run cars in Brack?", "Yes", &[2]),
        ("Does the tramway run cars on Sundays?", "No", &[2]),
        ("Does the tramway run cars in Dunning?", DECLINE, &[]),
        ("What is the review date of the bridge?", "8/28/2007", &[3]),
        ("What does Figure 2 show?", "Span of the bridge over the Harl", &[3]),
    ];
    check(&document("tramway.pdf", TRAMWAY), table);
}

#[test]
fn values_in_order_belong_to_things_in_order() {
    let table: &[(&str, &str, &[u32])] = &[
        ("How many cars did the tramway run at May 3, 2011?", "61", &[1]),
        ("How many cars did the tramway run at May 4, 2010?", "58", &[1]),
        ("How many cars did the tramway run at June 1, 2009?", "44", &[1]),
    ];
    check(&document("tramway.pdf", TRAMWAY), table);
}

#[test]
fn a_quote_is_the_sentence_that_answers() {
    let corpus = document("tramway.pdf", TRAMWAY);
    let check = |question: &str, quote: &str| assert_eq!(corpus.ask(question).evidence[0].quote, quote, "{question}");
    check("How much is the yearly pass?", "Our yearly pass for these riders is $60 in the inner zone.");
    check(
        "How many cars did the tramway run at May 4, 2010?",
        "At May 3, 2011, May 4, 2010, and June 1, 2009 the \
        tramway ran 61, 58, and 44 cars in all towns, respectively.",
    );
}

/// A page of a table whose cells stand a fifth of the page apart.
fn table_page(rows: &[[&str; 4]]) -> Page {
    let lines: Vec<String> = rows.iter().map(|row| row.map(|cell| format!("{cell:<24}")).concat()).collect();
    let mut page = document("a.pdf", &[&lines.join("\n")]).0.remove(&DocId::new("a.pdf")).unwrap().remove(0);
    let mut cells = Vec::new();
    for (row, texts) in rows.iter().enumerate() {
        for (column, text) in texts.iter().enumerate() {
            let (left, top) = (column as f64 * 0.24, 0.06 + row as f64 / 50.0);
            let region = Region::new(left, top, left + 0.235, top + 0.015);
            cells.push(Cell { row, column, row_span: 1, column_span: 1, text: (*text).into(), region });
        }
    }
    page.tables.push(Table {
        region: Region::FULL,
        rows: rows.len(),
        columns: 4,
        header_rows: 1,
        cells,
        caption: None,
        continued: false,
    });
    page
}

#[test]
fn cells_are_found_by_row_and_column() {
    let page = table_page(&[
        ["Year", "Indicator", "Baseline", "Target"],
        ["2005", "Signal desk reply time", "55 minutes", "Cut to 50 minutes"],
        ["2006", "Signal desk reply time", "50 minutes", "Cut to 45 minutes"],
        ["2006", "Track walk time", "90 minutes", "Keep 90 minutes"],
    ]);
    let corpus = Corpus([(DocId::new("plan.pdf"), vec![page])].into());
    check(
        &corpus,
        &[
            ("What was the signal desk reply time target in 2006?", "45 minutes", &[1]),
            ("What was the signal desk reply time baseline in 2006?", "50 minutes", &[1]),
            ("What was the signal desk reply time target in 2005?", "50 minutes", &[1]),
        ],
    );
}

#[test]
fn an_unrelated_document_changes_nothing() {
    let question = "How many cars did the tramway run at May 4, 2010?";
    let alone = document("tramway.pdf", TRAMWAY);
    let mut beside = document("tramway.pdf", TRAMWAY);
    beside.0.extend(document("weir.pdf", &["At May 4, 2010 the weir was shut. Cars run over the weir."]).0);
    let (alone, beside) = (alone.ask(question), beside.ask(question));
    assert_eq!((&alone.text, &alone.evidence, alone.confidence), (&beside.text, &beside.evidence, beside.confidence));
}

#[test]
fn documents_are_named_by_their_files() {
    let mut corpus = document("tramway_1.pdf", TRAMWAY);
    corpus.0.extend(document("weir_2.pdf", &["The weir.\n\nTable 1: Gates\n\nTable 2: Pumps"]).0);
    let table: &[(&str, &str, &[u32])] = &[
        ("How many documents are there?", "2", &[]),
        ("How many pages does tramway_1.pdf have?", "3", &[]),
        ("How many tables are in weir_2.pdf?", "2", &[1]),
        ("How many tables are in tramway_1.pdf?", DECLINE, &[]),
    ];
    check(&corpus, table);
}

#[test]
fn people_read_numbers_as_the_page_writes_them() {
    let pages = &["Accounts (in millions)

                     2021       2020
Net sales          $ 5,007    $ 4,002
Fees                  1,310      1,200
Rents                   310        250
Wages                 2,627      2,452"];
    let answer = document("accounts.pdf", pages).ask("What were the net sales in 2021?");
    assert_eq!((answer.text.as_str(), answer.told().as_str()), ("5007", "$ 5,007 (in millions)"));
}

#[test]
fn a_line_item_that_is_printed_is_no_other_one() {
    let pages = &["Income statement

                     2021       2020
REVENUE
Net sales          $ 5,007    $ 4,002
Membership fees       310        250
Total revenue        5,317      4,252
Wages                2,627      2,452
Gross profit         2,600      1,900
Gross margin percentage  51.2%  47.1%"];
    let check =
        |question: &str, right: &str| assert_eq!(document("i.pdf", pages).ask(question).text, right, "{question}");
    check("What were the net sales in 2021?", "5007");
    check("What was the total revenue in 2020?", "4252");
    check("What was the gross margin percentage in 2021?", "51.2%");
}

const WEIR_TRUST: &[&str] = &[
    "Mark Hugo Weld, director of weir research; Rich Tolland, senior
editor of the trust.

The trust was founded in Harl in August 1997 and completed its second weir in May 2002. It employs 12 wardens and six
divers, while using 40 boats.

The trust plans to reduce the average time to issue a permit from 65 days (2015) to 49 days.

Most visitors (81%) say they expect a dry summer, up from 67% in the survey before. Four-in-ten farmers want a wet one.",
    "Trust members
(in thousands)

                         2021       2020       2019
Weir friends              310        280        251
Total members           1,116      1,055        985
From friends' fees         61         58         53

The count was changed and about 2.0 million members came to the total of 2020.

Ranks

Grade levels:       11th, 12th
Length of post:     Full year

Course              Full-time        Part-time
Diver               2 - 3 years      up to 5 years",
];

#[test]
fn a_value_belongs_to_its_part_of_the_sentence() {
    let table: &[(&str, &str, &[u32])] = &[
        ("When did the trust complete its second weir?", "May 2002", &[1]),
        ("How many divers does the trust employ?", "six", &[1]),
        ("To how many days is the average time to issue a permit reduced?", "49", &[1]),
        ("What percentage of visitors expect a dry summer?", "81%", &[1]),
        ("What percentage of farmers want a wet one?", "40%", &[1]),
        ("What is the average time to issue a fishing permit?", DECLINE, &[]),
        ("Who is the director of weir research?", "Mark Hugo Weld", &[1]),
    ];
    check(&document("trust.pdf", WEIR_TRUST), table);
}

#[test]
fn rows_and_fields_are_called_as_asked() {
    let table: &[(&str, &str, &[u32])] = &[
        ("How many total members were there in 2020?", "1,055", &[2]),
        ("What are the grade levels?", "11th, 12th", &[2]),
        ("What is the length of the post?", "Full year", &[2]),
        ("Which page shows the grade levels?", DECLINE, &[]),
    ];
    check(&document("trust.pdf", WEIR_TRUST), table);
}
