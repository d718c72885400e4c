//! Each kind of fact that an ordinary question asks for, on invented pages.

use recto_agent::DECLINE;

use crate::answers::check;
use crate::corpus::document;

const ORCHARD: &[&str] = &[
    "# Hollin Orchard Yearbook 2022

The orchard keeps 1,370 apple trees on three slopes. It was planted in 1988.",
    "Table 1: Harvest by kind (thousand kg)

Kind                 2020      2021      2022

Apples                 61        58        73

Pears                  22        19        27

Hazelnuts               4         6         5

In 2022 the press was used on 41 days.",
    "Figure 1: Sunshine over the slopes (hours per month)

   88       131       164

   Mar      Apr       May

Measured at the cider house.",
    "Assembly of the press

1. Set the frame on level ground.
2. Tighten the four anchor bolts with 45 Nm.
3. Fill the reservoir with 2.5 litres of oil.

Part                  Number       Price

Press cloth           HO-3310      € 46

Spindle nut           HO-3342      € 1,215",
];

#[test]
fn cells_have_a_row_a_column_and_a_unit() {
    let table: &[(&str, &str, &[u32])] = &[
        ("How many pears were harvested in 2021?", "19", &[2]),
        ("What was the harvest of apples in 2022?", "73 thousand kg", &[2]),
        ("What is the part number of the spindle nut?", "HO-3342", &[4]),
        ("What is the price of the spindle nut?", "€ 1,215", &[4]),
        ("What does the press cloth cost?", "€ 46", &[4]),
    ];
    check(&document("orchard.pdf", ORCHARD), table);
}

#[test]
fn labels_under_bars_and_units_in_sentences_count() {
    let table: &[(&str, &str, &[u32])] = &[
        ("How much sunshine was there over the slopes in April?", "131 hours", &[3]),
        ("With what torque are the anchor bolts tightened?", "45 Nm", &[4]),
        ("How many litres of oil go into the reservoir?", "2.5", &[4]),
        ("How many apple trees does the orchard keep?", "1,370", &[1]),
    ];
    check(&document("orchard.pdf", ORCHARD), table);
}

#[test]
fn another_year_or_thing_is_no_answer() {
    let table: &[(&str, &str, &[u32])] = &[
        ("How many days was the press used in 2019?", DECLINE, &[]),
        ("What was the harvest of apples in 2018?", DECLINE, &[]),
        ("How long is the guarantee of the press?", DECLINE, &[]),
        ("What is the part number of the drip tray?", DECLINE, &[]),
    ];
    check(&document("orchard.pdf", ORCHARD), table);
}

#[test]
fn forms_name_their_values() {
    let pages = &["Loan form (florins)\n\nBorrower          Mira Tolland\n\nAmount to be repaid          318.50\n\n\
                   desk_code: LB-77 Reading room"];
    let table: &[(&str, &str, &[u32])] = &[
        ("What amount is to be repaid by Mira Tolland?", "318.50", &[1]),
        ("Which desk code does Mira Tolland's loan have?", "LB-77 Reading room", &[1]),
    ];
    check(&document("loan.pdf", pages), table);
}

#[test]
fn numbers_inside_spaceless_words_are_found() {
    let pages = &["松岭净水器说明\n\n滤芯的更换周期为八个月，到期请更换。\n\n\
                   型号        单价（元/ 台）\n\n第一型      460\n\n第二型      780"];
    let table: &[(&str, &str, &[u32])] =
        &[("滤芯的更换周期是几个月？", "八个月", &[1]), ("第二型的单价是多少？", "780元/台", &[1])];
    check(&document("filter.pdf", pages), table);
}

const LETTER: &[&str] = &[
    "Letter to the keeper of the locks

The tolls of the upper canal are to be paid by boat and by tun.",
    "Hollin, February 8, 2021

Office of the weir, Marianne Lock 14
Tel: 514-312-0293 Fax: 514-312-0292
File 500-06-000914-180",
];

#[test]
fn a_label_speaks_for_what_follows_it_and_telephone_numbers_are_no_dates() {
    let table: &[(&str, &str, &[u32])] = &[
        ("What is the fax number on page 2?", "514-312-0292", &[2]),
        ("Format the date mentioned on page 2 as YYYY-MM-DD.", "2021-02-08", &[2]),
    ];
    check(&document("letter.pdf", LETTER), table);
}
