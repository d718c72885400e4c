//! Figures that must be worked out: ratios, differences and sums of line items, with the usual definitions of financial
//! analysis as data.

use super::Found;
use super::reading::Reading;
use super::statement::{Statement, Value};
use crate::{Kind, Question};

/// A result on the way: its amount and the values used.
struct Part {
    amount: f64,
    values: Vec<Value>,
}

/// Other names of line items, as statements print them; the first that is found counts.
const LABELS: &[(&str, &[&str])] = &[
    (
        "revenue",
        &[
            "total revenue",
            "total revenues",
            "net revenues",
            "revenues",
            "revenue",
            "net sales",
            "total net sales",
            "sales",
        ],
    ),
    ("sales", &["total revenue", "total revenues", "revenues", "net sales", "total net sales", "sales"]),
    (
        "cost of sales",
        &[
            "total cost of revenue",
            "cost of revenues",
            "cost of revenue",
            "cost of goods sold",
            "cost of sales",
            "merchandise costs",
        ],
    ),
    ("gross profit", &["gross profit", "gross margin"]),
    ("operating income", &["operating income", "income from operations", "operating profit"]),
    (
        "pretax income",
        &["income before income taxes", "income before provision for income taxes", "earnings before income taxes"],
    ),
    ("income tax", &["provision for income taxes", "income tax expense", "income taxes"]),
    ("net income", &["net income attributable to", "net income", "net earnings", "profit for the year"]),
    (
        "depreciation and amortization",
        &["depreciation and amortization", "depreciation amortization and accretion", "depreciation and amortisation"],
    ),
    ("interest expense", &["interest expense"]),
    (
        "operating cash flow",
        &[
            "net cash provided by operating activities",
            "net cash from operating activities",
            "cash flows from operating activities",
        ],
    ),
    (
        "capital expenditure",
        &[
            "additions to property and equipment",
            "purchases of property and equipment",
            "purchases of property plant and equipment",
            "capital expenditures",
        ],
    ),
    ("current assets", &["total current assets"]),
    ("total assets", &["total assets"]),
    ("current liabilities", &["total current liabilities"]),
    ("total liabilities", &["total liabilities"]),
    (
        "equity",
        &[
            "total stockholders equity",
            "total shareholders equity",
            "total equity",
            "stockholders equity",
            "shareholders equity",
        ],
    ),
    ("common equity", &["total equity", "total stockholders equity", "total shareholders equity"]),
    (
        "long-term debt",
        &[
            "long-term debt excluding current portion",
            "long-term debt net of current portion",
            "long-term debt",
            "long term debt",
            "debt and capital lease obligations",
        ],
    ),
    (
        "current debt",
        &["current portion of long-term debt", "current portion of debt", "short-term debt", "short-term borrowings"],
    ),
    ("inventory", &["merchandise inventories", "inventories", "inventory"]),
    ("receivables", &["trade receivables", "receivables net", "accounts receivable", "receivables"]),
    ("payables", &["accounts payable", "trade payables"]),
    ("cash", &["cash and cash equivalents"]),
    ("advertising expense", &["advertising expense", "advertising expenses"]),
    ("research and development expense", &["technology and development", "research and development"]),
    ("dividends", &["dividends paid", "cash dividend payments", "payment of dividends"]),
];

/// How one figure follows from others: operands and operators, worked from left to right.
const DEFINITIONS: &[(&str, &str)] = &[
    ("ebitda", "operating income + depreciation and amortization"),
    ("unadjusted ebitda", "ebitda"),
    ("ebit", "operating income"),
    ("working capital", "current assets - current liabilities"),
    ("net working capital", "current assets - current liabilities"),
    ("total long-term liabilities", "total liabilities - current liabilities"),
    ("long-term liabilities", "total liabilities - current liabilities"),
    ("total liabilities", "total assets - equity"),
    ("total debt", "long-term debt + current debt"),
    ("total debt", "long-term debt"),
    ("debt", "total debt"),
    ("stockholders equity", "equity"),
    ("stockholder equity", "equity"),
    ("shareholders equity", "equity"),
    ("shareholder equity", "equity"),
    ("gross profit", "revenue - cost of sales"),
    ("free cash flow", "operating cash flow - capital expenditure"),
    ("cash flow", "operating cash flow"),
    ("capex", "capital expenditure"),
    ("net sales", "revenue"),
    ("total revenue", "revenue"),
    ("net profit", "net income"),
    ("cogs", "cost of sales"),
    ("r&d expense", "research and development expense"),
    ("assets", "total assets"),
    ("current ratio", "current assets / current liabilities"),
    ("roa", "net income / total assets"),
    ("return on assets", "net income / total assets"),
    ("roe", "net income / equity"),
    ("return on equity", "net income / equity"),
    ("operating cash flow ratio", "operating cash flow / current liabilities"),
    ("asset turnover", "revenue / total assets"),
    ("total asset turnover", "revenue / total assets"),
    ("inventory turnover", "cost of sales / inventory"),
    ("receivables turnover", "revenue / receivables"),
    ("debt ratio", "total liabilities / total assets"),
    ("interest coverage", "operating income / interest expense"),
    ("effective tax rate", "income tax / pretax income"),
    ("gross margin", "gross profit / revenue"),
    ("gross profit margin", "gross profit / revenue"),
    ("operating margin", "operating income / revenue"),
    ("operating profit margin", "operating income / revenue"),
    ("net profit margin", "net income / revenue"),
    ("net margin", "net income / revenue"),
    ("ebitda margin", "ebitda / revenue"),
    ("unadjusted ebitda margin", "ebitda / revenue"),
];

/// Works out a figure for a year, if the question asks for one that the statements give.
pub(crate) fn derive(question: &Question, reading: &Reading) -> Option<Found> {
    if let [first, second] = question.years.as_slice() {
        return change(question, reading, first, second);
    }
    let year = question.years.first()?;
    if question.years.len() != 1 || !matches!(question.kind, Kind::Number | Kind::Percent | Kind::Text) {
        return None;
    }
    let phrase = phrase(question, reading);
    let operands: Vec<&str> = phrase.split(" to ").collect();
    if phrase.is_empty() || phrase.split_whitespace().count() > 9 {
        return None;
    }
    if operands.len() == 1 && !is_known(&phrase) {
        return None;
    }
    let statement = Statement::new(reading);
    let whole = (operands.len() == 1 || is_known(&phrase)).then(|| resolve(&phrase, year, &statement, 0)).flatten();
    let whole = whole.map(|part| (part, is_ratio(&phrase)));
    let (part, ratio) = whole.or_else(|| match operands.as_slice() {
        [a, b] => Some((combine('/', resolve(a, year, &statement, 0)?, resolve(b, year, &statement, 0)?)?, true)),
        _ => None,
    })?;
    found(text(question, &part, ratio), part.values)
}

/// Confidence in what was worked out from printed line items.
const WORKED_OUT: f64 = 0.9;

fn found(text: String, values: Vec<Value>) -> Option<Found> {
    let evidence = values.into_iter().map(|v| (v.page, v.words)).collect();
    Some(Found { text, evidence, confidence: WORKED_OUT })
}

/// The change of a line item between two years that the question names.
fn change(question: &Question, reading: &Reading, first: &str, second: &str) -> Option<Found> {
    let lower = question.asked.to_lowercase();
    if !question.compares && !CHANGES.iter().any(|c| lower.contains(c)) || !question.kind.is_numeric() {
        return None;
    }
    let phrase = phrase(question, reading);
    let kept: Vec<&str> =
        phrase.split(' ').filter(|w| !CHANGES.iter().any(|c| w.starts_with(c)) && !COMPARING.contains(w)).collect();
    let (a, b) = Statement::new(reading).values(&kept.join(" "), first, second)?;
    let (old, new) = if first <= second { (a.amount, b.amount) } else { (b.amount, a.amount) };
    let text = if question.kind == Kind::Percent && !a.number.percent {
        format!("{:.*}%", question.decimals.unwrap_or(1), (new - old).abs() / old.abs().max(f64::MIN_POSITIVE) * 100.0)
    } else if lower.contains("multiple of") || lower.contains("how many times") {
        format!("{:.*}", question.decimals.unwrap_or(2), new / old)
    } else {
        let unit = if a.number.percent { "%" } else { "" };
        format!("{}{unit}", super::text::short((new - old).abs()))
    };
    found(text, vec![a, b])
}

/// Words that ask for a change.
const CHANGES: &[&str] =
    &["increase", "decrease", "change", "growth", "grow", "grew", "rise", "rose", "drop", "decline", "fall", "fell"];

/// Words of a comparison that no line item is called by.
const COMPARING: &[&str] = &[
    "compared",
    "to",
    "from",
    "between",
    "and",
    "higher",
    "lower",
    "more",
    "less",
    "difference",
    "than",
    "with",
    "by",
    "are",
    "there",
    "were",
    "many",
    "paid",
];

/// Words that are no part of a figure's name; `of` and `on` are left out on both sides.
const UNSAID: &[&str] = &[
    "what",
    "is",
    "was",
    "were",
    "are",
    "the",
    "s",
    "fy",
    "ratio",
    "in",
    "of",
    "on",
    "for",
    "fiscal",
    "year",
    "company",
    "how",
    "much",
    "did",
    "have",
    "value",
    "amount",
    "its",
    "percentage",
];

/// What the question asks for, in lower case without company, year and question words.
fn phrase(question: &Question, reading: &Reading) -> String {
    let mut text = format!(" {} ", question.asked.to_lowercase().replace(['?', '\'', '\u{2019}', '%', ',', '\n'], " "));
    for name in question.names.iter().flat_map(|n| n.split(' ')).filter(|n| !is_vocabulary(n)) {
        text = text.replace(&format!(" {} ", name.to_lowercase()), " ");
    }
    let company = |w: &str| !is_vocabulary(w) && reading.in_file_name(w);
    let kept = text.split_whitespace().filter(|w| !w.contains(|c: char| c.is_ascii_digit()) && !UNSAID.contains(w));
    let phrase = kept.filter(|w| !company(w)).collect::<Vec<_>>().join(" ");
    let ratio = format!("{phrase} ratio");
    if question.asked.to_lowercase().contains("ratio") && is_known(&ratio) { ratio } else { phrase }
}

/// True for words that names of figures are made of, so that `Total Debt` is no company.
pub(crate) fn is_vocabulary(word: &str) -> bool {
    let word = word.to_lowercase();
    let names = LABELS.iter().map(|(name, _)| *name).chain(DEFINITIONS.iter().map(|(name, _)| *name));
    names.flat_map(str::split_whitespace).any(|w| w == word || w.split('-').any(|part| part == word))
}

fn is_known(phrase: &str) -> bool {
    let mut names = LABELS.iter().map(|(name, _)| *name).chain(DEFINITIONS.iter().map(|(name, _)| *name));
    names.any(|name| is_called(name, phrase))
}

/// True if both are the same but for `of` and `on`, which [`phrase`] drops.
fn is_called(name: &str, phrase: &str) -> bool {
    let bare = |text: &'_ str| -> Vec<String> {
        text.split_whitespace().filter(|w| !matches!(*w, "of" | "on")).map(str::to_owned).collect()
    };
    bare(name) == bare(phrase)
}

fn is_ratio(phrase: &str) -> bool {
    DEFINITIONS.iter().any(|(name, formula)| is_called(name, phrase) && formula.contains(" / "))
}

/// Definitions refer to each other at most this deep.
const DEEPEST: usize = 5;

/// A figure by its name: as printed, under another name, or by definition.
fn resolve(name: &str, year: &str, statement: &Statement, depth: usize) -> Option<Part> {
    if depth > DEEPEST {
        return None;
    }
    let labels = LABELS.iter().filter(|(n, _)| is_called(n, name)).flat_map(|(_, labels)| *labels);
    let printed = labels.copied().find_map(|label| statement.value(label, Some(year)));
    let printed = printed.map(|value| Part { amount: value.amount, values: vec![value] });
    let defined = || {
        let formulas = DEFINITIONS.iter().filter(|(n, _)| is_called(n, name));
        formulas.map(|(_, f)| f).find_map(|f| evaluate(f, year, statement, depth + 1))
    };
    let known = is_known(name);
    printed.or_else(defined).or_else(|| {
        let value = statement.value(name, Some(year)).filter(|_| !known && name.contains(' '))?;
        Some(Part { amount: value.amount, values: vec![value] })
    })
}

/// Works a formula from left to right.
fn evaluate(formula: &str, year: &str, statement: &Statement, depth: usize) -> Option<Part> {
    let mut result: Option<Part> = None;
    let mut operator = ' ';
    let mut rest = formula;
    loop {
        let end = [" + ", " - ", " / "].iter().filter_map(|o| rest.find(o)).min();
        let part = resolve(&rest[..end.unwrap_or(rest.len())], year, statement, depth)?;
        result = Some(match result {
            None => part,
            Some(left) => combine(operator, left, part)?,
        });
        let Some(end) = end else { return result };
        operator = rest[end..].trim_start().chars().next()?;
        rest = &rest[end + 3..];
    }
}

/// Joins two figures. Brackets around costs mean "to be taken away", which the formulas say already: signs are dropped.
fn combine(operator: char, a: Part, b: Part) -> Option<Part> {
    let amount = match operator {
        '+' => a.amount + b.amount.abs(),
        '-' => a.amount - b.amount.abs(),
        _ => a.amount / b.amount,
    };
    let values = a.values.into_iter().chain(b.values).collect();
    amount.is_finite().then_some(Part { amount, values })
}

fn text(question: &Question, part: &Part, ratio: bool) -> String {
    let lower = question.asked.to_lowercase();
    let percent = question.kind == Kind::Percent || ratio && (lower.contains('%') || lower.contains("margin"));
    match (percent, ratio) {
        (true, true) => format!("{:.*}%", question.decimals.unwrap_or(1), part.amount * 100.0),
        (_, true) => format!("{:.*}", question.decimals.unwrap_or(usual_places(part.amount)), part.amount),
        _ => super::text::short(part.amount),
    }
}

/// Two decimal places, three for a small ratio.
fn usual_places(ratio: f64) -> usize {
    if ratio.abs() < 0.1 { 3 } else { 2 }
}
