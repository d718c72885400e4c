//! What a question asks for: the kind of answer, the words that matter, the pages and figures it names. Not how the
//! answer is found.

use crate::qa::measure::{self, Asked};
use crate::qa::number::Scale;
use crate::qa::term::{bare, is_stop_word, is_year, terms};

mod form;
mod kind;
pub(crate) mod names;
mod places;

pub use kind::Kind;
pub use places::Item;

/// A question, taken apart.
#[derive(Clone, PartialEq, Debug)]
pub struct Question {
    /// The question without instructions on the form of the answer.
    pub asked: String,
    /// What kind of answer is wanted.
    pub kind: Kind,
    /// Its content words as terms, in order, each once.
    pub terms: Vec<String>,
    /// The noun right after `how many`, `which`, `what`, as terms.
    pub focus: Vec<String>,
    /// Years it names.
    pub years: Vec<String>,
    /// Proper names: capitalised words that do not begin a sentence, each as written.
    pub names: Vec<String>,
    /// Strings in quotation marks.
    pub quoted: Vec<String>,
    /// Pages it names, as written (`7`, `iii`); `last` for the last one.
    pub pages: Vec<String>,
    /// Numbered things it names.
    pub items: Vec<Item>,
    /// `in millions`: the scale that the answer shall have.
    pub(crate) scale: Option<Scale>,
    /// Decimal places that the answer shall have.
    pub decimals: Option<usize>,
    /// Names made of letters and digits (`AR01`, `P-10`) that pick one row or line, as terms.
    pub identifiers: Vec<String>,
    /// True if the answer is an amount of money.
    pub asks_money: bool,
    /// What is to be measured.
    pub(crate) measure: Asked,
    /// True if it says how the answer is to be written: a number is then given as bare digits.
    pub(crate) plain: bool,
    /// True if a date shall be written as `YYYY-MM-DD`.
    pub iso_date: bool,
    /// True if the answer compares or adds up values that stand in different places.
    pub compares: bool,
    /// True if the answer is an explanation: `how to`, `why`, `describe`.
    pub explains: bool,
    /// True if only the picture of a page can tell: colours, logos, people in a photograph.
    pub pictorial: bool,
}

impl Question {
    /// Takes a question apart. Any text will do.
    pub fn new(text: &str) -> Self {
        let asked = recto_search::asked(text);
        let lower = asked.to_lowercase();
        let measure = measure::asked(&lower);
        let kind = match kind::kind(&lower, &text.to_lowercase()) {
            Kind::Text | Kind::Definition | Kind::Count if !measure.measures.is_empty() => Kind::Number,
            Kind::Text if asks_figure(&lower) || kind::is_keywords(&lower) => Kind::Number,
            kind => kind,
        };
        let pages = places::pages(&lower);
        let items = places::items(&lower);
        let mut terms = content_terms(&places::without_pages(&asked));
        terms.retain(|t| !pages.iter().any(|p| p == t) || lower.matches(t.as_str()).count() > 1);
        // The answer is a year; no page need say so.
        terms.retain(|t| kind != Kind::Year || t != "year");
        // A value in percent is a share; no page need say that either.
        terms.retain(|t| kind != Kind::Percent || !["percent", "percentag", "proportion"].contains(&t.as_str()));
        Self {
            kind,
            terms,
            focus: focus(&lower),
            years: names::years(&asked),
            names: names::names(&asked),
            quoted: names::quoted(&asked),
            identifiers: names::identifiers(&asked),
            asks_money: form::scale(&text.to_lowercase()).is_some() || kind::asks_money(&lower),
            iso_date: text.to_uppercase().contains("YYYY-MM-DD"),
            compares: kind::compares(&lower),
            explains: kind::explains(&lower),
            pictorial: kind::is_pictorial(&lower),
            plain: asked != text.trim() || form::scale(&text.to_lowercase()).is_some(),
            measure,
            scale: form::scale(&text.to_lowercase()),
            decimals: form::decimals(&text.to_lowercase()),
            pages,
            items,
            asked,
        }
    }
}

impl Question {
    /// True if the noun after `what are`, `which`, `mention` stands in the plural.
    pub(crate) fn asks_several(&self) -> bool {
        let lower = self.asked.to_lowercase();
        let opens =
            ["what are", "which ", "mention ", "name ", "list ", "what were"].iter().any(|o| lower.starts_with(o))
                || lower.starts_with("what ") && lower.contains(" are ");
        let head = self.asked.split([',', '?']).next().unwrap_or_default();
        let plural = |w: &str| {
            w.len() > 3
                && !w.starts_with(char::is_uppercase)
                && !is_stop_word(w)
                && w.ends_with('s')
                && !w.contains(['\'', '\u{2019}'])
                && !w.ends_with("ss")
                && !w.ends_with("us")
        };
        opens && head.split_whitespace().skip(1).take(6).any(plural)
    }
}

/// `What was the harvest of apples in 2022?`: what has a value for a year is a figure.
fn asks_figure(lower: &str) -> bool {
    let opens = ["what was the ", "what is the "].iter().any(|o| lower.starts_with(o));
    let last = lower.trim_end_matches('?').trim().rsplit(' ').next().unwrap_or_default();
    opens && is_year(last) && !["name", "title", "main", "reason"].iter().any(|w| lower.contains(w))
}

/// Words of questions in scripts without spaces, which no page needs to say.
const SPACELESS_STOP: &[&str] = &[
    "是多少",
    "有多少",
    "多少",
    "是什么",
    "什么",
    "哪些",
    "哪里",
    "哪一",
    "几个",
    "为什么",
    "如何",
    "请问",
    "的",
    "是",
    "在",
    "了",
    "吗",
    "有",
];

/// Content words of a question as terms, each once.
fn content_terms(asked: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let asked = SPACELESS_STOP.iter().fold(asked.to_owned(), |text, stop| text.replace(stop, " "));
    let words = asked.split_whitespace().filter(|word| !names::is_date_form(word.trim_end_matches(['.', '?', ','])));
    for word in words.flat_map(|word| word.split(|c: char| "/-–—".contains(c))) {
        let bare = bare(word);
        if is_stop_word(bare) {
            continue;
        }
        if names::is_fiscal(bare) && bare.len() == 2 {
            continue;
        }
        let year = bare.strip_prefix("FY").or_else(|| bare.strip_prefix("fy")).filter(|y| is_year(y));
        for term in terms(year.unwrap_or(bare)) {
            if !all.contains(&term) && (term.len() > 1 || term.chars().all(char::is_numeric)) {
                all.push(term);
            }
        }
    }
    all
}

/// Up to three terms after the question word.
fn focus(lower: &str) -> Vec<String> {
    let starts = [
        "how many ",
        "number of ",
        "which ",
        "what is the ",
        "what are the ",
        "what was the ",
        "what were the ",
        "who is the ",
        "who was the ",
        "how long is the ",
        "what ",
        "list all ",
    ];
    let Some(rest) = starts.iter().find_map(|s| lower.find(s).map(|i| &lower[i + s.len()..])) else {
        return Vec::new();
    };
    let clause = rest.split([',', '?']).next().unwrap_or_default();
    let until = [
        " of ", " is ", " are ", " was ", " were ", " in ", " does ", " do ", " did ", " has ", " have ", " that ",
        " for ",
    ];
    let end = until.iter().filter_map(|u| clause.find(u)).min().unwrap_or(clause.len());
    content_terms(&clause[..end]).into_iter().take(4).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_have_kinds() {
        let table = [
            ("How many warehouses did Alder operate?", Kind::Count),
            ("What percentage of members renewed?", Kind::Percent),
            ("What is the total revenue in 2019?", Kind::Number),
            ("In which year was the mill built?", Kind::Year),
            ("When does the lease end?", Kind::Date),
            ("According to the minutes, who chaired the meeting?", Kind::Person),
            ("Where was the ship built?", Kind::Place),
            ("Is the pump waterproof?", Kind::YesNo),
            ("List all members of the board.", Kind::List),
            ("Which is heavier, the copper plate or the zinc plate?", Kind::Choice),
            ("What does CRS stand for?", Kind::Definition),
            ("2021年净利润是多少？", Kind::Number),
            ("哪些城市有分公司？", Kind::List),
            ("", Kind::Text),
        ];
        for (text, kind) in table {
            assert_eq!(Question::new(text).kind, kind, "{text}");
        }
    }

    #[test]
    fn questions_name_pages_and_items() {
        let table: &[(&str, &[&str], &[&str])] = &[
            ("What is the title on page 7?", &["7"], &[]),
            ("What does page iii say about Table 2?", &["iii"], &["table 2"]),
            ("Who signed slide twelve?", &["12"], &[]),
            ("What is on the last page, below Figure A-3?", &["last"], &["figure a-3"]),
            ("Which risks does Appendix C name?", &[], &["appendix c"]),
            ("第12页的标题是什么？", &["12"], &[]),
            ("How many pages have a table in them?", &[], &[]),
        ];
        for (text, pages, items) in table {
            let question = Question::new(text);
            let named: Vec<String> = question.items.iter().map(|i| format!("{} {}", i.kind, i.number)).collect();
            assert_eq!(
                (question.pages.as_slice(), named.as_slice()),
                (&pages.map_str()[..], &items.map_str()[..]),
                "{text}"
            );
        }
    }

    trait MapStr {
        fn map_str(&self) -> Vec<String>;
    }

    impl MapStr for &[&str] {
        fn map_str(&self) -> Vec<String> {
            self.iter().map(|s| (*s).to_owned()).collect()
        }
    }

    #[test]
    fn words_that_name_a_page_are_no_terms() {
        for (text, want) in [
            ("Who signed the first page?", "signed"),
            ("What is the toll on page twelve?", "toll"),
            ("Which mill is noted on the cover page?", "mill"),
            ("Which mill is on the second last slide?", "mill"),
            ("Give the date of the flood as YYYY-MM-DD.", "date flood"),
            ("What does the last will say about the first mill?", "last first mill"),
        ] {
            assert_eq!(Question::new(text).terms, terms(want), "{text}");
        }
    }

    #[test]
    fn instructions_are_no_part_of_what_is_asked() {
        let question =
            Question::new("What were Orrin's sales in FY2020? Answer in millions, round to two decimal places.");
        assert_eq!(question.asked, "What were Orrin's sales in FY2020?");
        assert_eq!(question.terms, terms("Orrin sales 2020"));
        assert_eq!((question.scale, question.decimals), (Some(Scale::Million), Some(2)));
        assert_eq!(question.names, ["Orrin"]);
    }
}
