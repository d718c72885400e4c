//! What a question asks for: the kind of answer, the words that matter, the pages and figures it names. Not how the
//! answer is found.

use crate::qa::number::Scale;
use crate::qa::term::{is_spaceless, is_stop_word, terms};

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
    /// Choices offered: `A or B`.
    pub options: Vec<String>,
    /// Names made of letters and digits (`AR01`, `P-10`) that pick one row or line, as terms.
    pub identifiers: Vec<String>,
    /// True if the answer is an amount of money.
    pub asks_money: bool,
    /// True if a date shall be written as `YYYY-MM-DD`.
    pub iso_date: bool,
    /// True if the answer compares or adds up values that stand in different places.
    pub compares: bool,
    /// True if the answer is an explanation: `how to`, `why`, `describe`.
    pub explains: bool,
    /// True if only the picture of a page can tell: colours, logos, people in a photograph.
    pub pictorial: bool,
}

/// A figure, table or other numbered thing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item {
    /// `figure`, `table`, ... in lower case.
    pub kind: String,
    /// Its number as written.
    pub number: String,
}

/// What kind of answer is wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// How many.
    Count,
    /// A share in percent.
    Percent,
    /// An amount, score, price, ratio.
    Number,
    /// A year.
    Year,
    /// A date or time.
    Date,
    /// Who.
    Person,
    /// Where.
    Place,
    /// Yes or no.
    YesNo,
    /// Several things.
    List,
    /// A telephone or fax number, an e-mail or web address.
    Contact,
    /// One of the choices that the question offers.
    Choice,
    /// What something is or means.
    Definition,
    /// A short text of no special kind.
    Text,
}

impl Kind {
    /// True if the answer is a number.
    pub const fn is_numeric(self) -> bool {
        matches!(self, Self::Count | Self::Percent | Self::Number | Self::Year)
    }
}

impl Question {
    /// Takes a question apart. Any text will do.
    pub fn new(text: &str) -> Self {
        let asked = asked(text);
        let lower = asked.to_lowercase();
        let kind = kind(&lower, &text.to_lowercase());
        let pages = pages(&lower);
        let items = items(&lower);
        let mut terms = content_terms(&asked);
        terms.retain(|t| !pages.iter().any(|p| p == t) || lower.matches(t.as_str()).count() > 1);
        Self {
            kind,
            terms,
            focus: focus(&lower),
            years: years(&asked),
            names: names(&asked),
            quoted: quoted(&asked),
            options: if kind == Kind::Choice { options(&asked) } else { Vec::new() },
            identifiers: identifiers(&asked),
            asks_money: scale(&text.to_lowercase()).is_some() || MONEY.iter().any(|m| lower.contains(m)),
            iso_date: text.to_uppercase().contains("YYYY-MM-DD"),
            compares: COMPARISONS.iter().any(|c| lower.contains(c)),
            explains: EXPLANATIONS.iter().any(|e| starts_asking(&lower, e)),
            pictorial: is_pictorial(&lower),
            scale: scale(&text.to_lowercase()),
            decimals: decimals(&text.to_lowercase()),
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
        let head = lower.split([',', '?']).next().unwrap_or_default();
        let plural = |w: &str| w.len() > 3 && w.ends_with('s') && !w.ends_with("ss") && !w.ends_with("us");
        opens && head.split_whitespace().skip(1).take(6).any(plural)
    }
}

/// Words that begin a sentence about the form of the answer.
const INSTRUCTIONS: &[&str] = &[
    "please",
    "answer",
    "anwser",
    "write",
    "round",
    "give",
    "directly",
    "format",
    "save",
    "represent",
    "your",
    "the answer",
    "note",
    "use",
    "express",
    "respond",
    "reply",
    "return",
    "here don't",
];

/// The question without sentences on the form of the answer. Its first sentence is always kept.
fn asked(text: &str) -> String {
    let mut kept = String::new();
    for sentence in sentences(text) {
        let lower = sentence.trim_start().to_lowercase();
        if kept.trim().is_empty() || !INSTRUCTIONS.iter().any(|i| lower.starts_with(i)) {
            kept.push_str(sentence);
        }
    }
    let cut = [", e.g.", "(e.g.", ", for example", "(for example"].iter().filter_map(|e| kept.find(e)).min();
    kept.truncate(cut.unwrap_or(kept.len()));
    kept.trim().to_owned()
}

/// Parts at `?`, `!`, line ends, and at full stops that a long word precedes.
fn sentences(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    for (i, c) in text.char_indices() {
        let end = i + c.len_utf8();
        let word = text[start..i].rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        let stop = c == '.' && word.chars().count() > 3 && text[end..].starts_with(|c: char| c.is_whitespace());
        if stop || matches!(c, '?' | '!' | '\n' | '？' | '。') {
            parts.push(&text[start..end]);
            start = end;
        }
    }
    parts.push(&text[start..]);
    parts
}

/// Patterns of each kind, the first that fits decides. `^` binds to the beginning.
const KINDS: &[(Kind, &[&str])] = &[
    (
        Kind::Contact,
        &[
            "telephone n",
            "phone n",
            "telephone of",
            "fax n",
            "email",
            "e-mail",
            "website",
            "web address",
            "url of",
            "电话",
            "邮箱",
        ],
    ),
    (Kind::Percent, &["percent", "percentage", "proportion of", "what share", "how many percent", "百分"]),
    (Kind::Count, &["how many", "number of", "how often", "多少个", "几个", "多少家", "多少人"]),
    (Kind::Number, &["how much", "how large", "how high", "how long", "how far", "how old", "how big", "多少", "几"]),
    (Kind::Year, &["what year", "which year", "in what years", "哪一年", "哪年"]),
    (
        Kind::Date,
        &[
            "^when",
            "what date",
            "which date",
            "what time",
            "what month",
            "which month",
            "deadline",
            "the date",
            "何时",
            "日期",
        ],
    ),
    (Kind::Person, &["^who", " who ", "whose", "which person", "name of the person", "谁"]),
    (Kind::Place, &["^where", "which city", "which country", "what city", "what country", "located", "哪里", "何地"]),
    (Kind::List, &["^list", "enumerate", "^name the", "^what are", "^mention", "which are", "list of", "哪些"]),
    (
        Kind::Definition,
        &["^define", "definition of", "stand for", "^what does", "how does this document define", "什么是"],
    ),
];

/// Nouns whose value is a number.
const AMOUNTS: &[&str] = &[
    "value",
    "amount",
    "ratio",
    "difference",
    "average",
    "score",
    "rate",
    "cost",
    "price",
    "total",
    "revenue",
    "income",
    "expense",
    "assets",
    "liabilities",
    "equity",
    "debt",
    "margin",
    "sum",
    "maximum",
    "minimum",
    "voltage",
    "capital",
    "ebitda",
    "profit",
    "sales",
    "gap",
    "accuracy",
    "cagr",
    "temperature",
    "weight",
    "height",
    "length",
    "width",
    "speed",
    "gdp",
    "salary",
    "budget",
    "population",
    "size",
    "distance",
    "age",
    "turnover",
    "dividend",
    "roa",
    "roe",
    "eps",
];

const YES_NO: &[&str] =
    &["is ", "are ", "was ", "were ", "do ", "does ", "did ", "has ", "have ", "can ", "could ", "will ", "should "];

fn kind(lower: &str, whole: &str) -> Kind {
    let fits = |p: &str| p.strip_prefix('^').map_or_else(|| lower.contains(p), |p| starts_asking(lower, p));
    if YES_NO.iter().any(|p| lower.starts_with(p)) && !lower.contains(" or ")
        || whole.contains("'yes' or 'no'")
        || whole.contains("yes or no")
    {
        return Kind::YesNo;
    }
    if whole.contains("list format") || whole.contains("as a list") || whole.contains("be a list") {
        return Kind::List;
    }
    if let Some((kind, _)) = KINDS.iter().find(|(_, patterns)| patterns.iter().any(|p| fits(p))) {
        return *kind;
    }
    let asks_what = lower.contains("what ") || lower.contains("what's");
    let ends = [" of ", " for ", " in ", " at "].iter().filter_map(|e| lower.find(e)).min();
    let head = lower[..ends.unwrap_or(lower.len())].split_whitespace();
    let named = ["name", "names", "title"].iter().any(|n| lower.contains(&format!(" {n} ")));
    if asks_what
        && !named
        && head.into_iter().any(|w| AMOUNTS.contains(&w.trim_matches(|c: char| !c.is_alphanumeric())))
    {
        return Kind::Number;
    }
    if lower.contains(" or ") && ["which", "whether", "higher", "more", "is "].iter().any(|w| lower.contains(w)) {
        return Kind::Choice;
    }
    Kind::Text
}

/// True if the question begins with `word`, be it after a clause such as `According to the report,`.
fn starts_asking(lower: &str, word: &str) -> bool {
    lower.starts_with(word) || lower.contains(&format!(", {word}"))
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
    for word in asked.split(|c: char| c.is_whitespace() || "/-–—".contains(c)) {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        if is_stop_word(bare) {
            continue;
        }
        if is_fiscal(bare) && bare.len() == 2 {
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
    let starts =
        ["how many ", "number of ", "which ", "what is the ", "what are the ", "what ", "list all ", "how much "];
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

fn is_year(word: &str) -> bool {
    word.len() == 4 && word.parse().is_ok_and(|y: u32| (1800..2100).contains(&y))
}

fn years(asked: &str) -> Vec<String> {
    let mut years: Vec<String> = Vec::new();
    for run in asked.split(|c: char| !c.is_ascii_digit()).filter(|r| is_year(r)) {
        if !years.iter().any(|y| y == run) {
            years.push(run.to_owned());
        }
    }
    years
}

/// Capitalised words within a sentence, neighbours joined.
fn names(asked: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut joined = false;
    let mut first = true;
    for word in asked.split_whitespace() {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        let bare = bare.strip_suffix("'s").or_else(|| bare.strip_suffix("\u{2019}s")).unwrap_or(bare);
        let capital = bare.starts_with(char::is_uppercase) && bare.chars().any(char::is_alphabetic);
        let inner_capital = bare.chars().skip(1).any(char::is_uppercase);
        let named = capital && (!first || inner_capital) && !is_stop_word(bare) && !is_fiscal(bare);
        match names.last_mut() {
            Some(last) if named && joined => *last = format!("{last} {bare}"),
            _ if named => names.push(bare.to_owned()),
            _ => {}
        }
        joined = named && !word.ends_with([',', ';', ':', '.']);
        first = word.ends_with(['?', '.', ':', '!']);
    }
    names
}

/// `FY`, `FY2021`: the year counts, not the name.
fn is_fiscal(word: &str) -> bool {
    word.strip_prefix("FY").is_some_and(|y| y.is_empty() || is_year(y))
}

fn quoted(asked: &str) -> Vec<String> {
    let pairs = [
        ('"', '"'),
        ('\u{201c}', '\u{201d}'),
        ('\'', '\''),
        ('\u{2018}', '\u{2019}'),
        ('`', '`'),
        ('「', '」'),
        ('《', '》'),
    ];
    pairs.iter().flat_map(|&(open, close)| between(asked, open, close)).collect()
}

/// Strings between two marks that stand at word edges.
fn between(text: &str, open: char, close: char) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(open) {
        let at_edge = rest[..start].chars().next_back().is_none_or(|c| !c.is_alphanumeric() || is_spaceless(c));
        let inner = &rest[start + open.len_utf8()..];
        let Some(end) = inner.find(close).filter(|_| at_edge) else {
            rest = inner;
            continue;
        };
        found.push(inner[..end].trim().to_owned());
        rest = &inner[end + close.len_utf8()..];
    }
    found.retain(|q| !q.is_empty());
    found
}

const ORDINALS: &[(&str, &str)] = &[
    ("first", "1"),
    ("second", "2"),
    ("third", "3"),
    ("fourth", "4"),
    ("fifth", "5"),
    ("cover", "1"),
    ("last", "last"),
];

/// Spelt numbers of pages beyond the ordinals.
const SPELT: [&str; 20] = [
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
];

/// Pages that the question names: `page 7`, `slide iii`, `p. 4`, `the last page`, `第7页`.
fn pages(lower: &str) -> Vec<String> {
    let words: Vec<&str> =
        lower.split(|c: char| c.is_whitespace() || ",;?()".contains(c)).filter(|w| !w.is_empty()).collect();
    let mut pages = Vec::new();
    for pair in words.windows(2) {
        let [a, b] = pair else { continue };
        let bare = b.trim_matches(|c: char| !c.is_alphanumeric());
        if matches!(*a, "page" | "pages" | "slide" | "p." | "pg." | "pg") && is_page_name(bare) {
            let spelt = SPELT.iter().position(|s| *s == bare).map(|i| (i + 1).to_string());
            pages.push(spelt.unwrap_or_else(|| bare.to_owned()));
        } else if matches!(bare, "page" | "slide") {
            let ordinal = ORDINALS.iter().find(|(name, _)| name == a).map(|(_, number)| *number);
            pages.extend(ordinal.map(str::to_owned));
        }
    }
    pages.extend(between(lower, '第', '页').into_iter().filter(|n| n.chars().all(|c| c.is_ascii_digit())));
    pages
}

/// A number, a spelt number, or a roman numeral.
fn is_page_name(word: &str) -> bool {
    let digits = word.chars().any(|c| c.is_ascii_digit()) && word.len() <= 6;
    let roman = !word.is_empty() && word.len() <= 6 && word.chars().all(|c| "ivxlc".contains(c));
    digits || roman || SPELT.contains(&word)
}

const ITEMS: &[&str] =
    &["figure", "fig", "table", "appendix", "section", "chapter", "exhibit", "equation", "box", "chart"];

/// Numbered things that the question names: `Figure 3`, `Table A-1`, `Appendix C`.
fn items(lower: &str) -> Vec<Item> {
    let spaced: String = lower.chars().map(|c| if ",;?()\"'".contains(c) { ' ' } else { c }).collect();
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut items: Vec<Item> = Vec::new();
    for (i, word) in words.iter().enumerate() {
        let letters = word.trim_end_matches(|c: char| !c.is_alphabetic());
        let Some(kind) = ITEMS.iter().find(|k| {
            letters == **k || word.starts_with(**k) && word[k.len()..].starts_with(|c: char| c.is_ascii_digit())
        }) else {
            continue;
        };
        let glued = word[kind.len()..].trim_start_matches('.');
        let number = if glued.is_empty() { words.get(i + 1).copied().unwrap_or_default() } else { glued };
        let number = number.trim_matches(|c: char| !c.is_alphanumeric());
        let single = number.len() == 1 && number != "a" && number != "i" || number.chars().all(|c| "ivx".contains(c));
        if !number.is_empty() && (number.chars().any(|c| c.is_ascii_digit()) || single) && number.len() <= 8 {
            items.push(Item { kind: (*kind).to_owned(), number: number.to_owned() });
        }
    }
    items
}

fn scale(whole: &str) -> Option<Scale> {
    let scales = [("million", Scale::Million), ("thousand", Scale::Thousand), ("billion", Scale::Billion)];
    let asks = |name: &str| {
        [format!("in {name}"), format!("(in {name}"), format!("in {name}s")].iter().any(|p| whole.contains(p.as_str()))
    };
    scales.iter().find(|(name, _)| asks(name)).map(|(_, scale)| *scale)
}

/// `two decimal places`, `3 decimals`.
fn decimals(whole: &str) -> Option<usize> {
    let before = whole.split(" decimal").next().filter(|b| b.len() < whole.len())?;
    let word = before.split_whitespace().next_back()?;
    let digit = word.parse().ok().or_else(|| SPELT.iter().position(|s| *s == word).map(|i| i + 1))?;
    Some(digit).filter(|d| *d <= 6)
}

/// The choices around `or`: `which is larger, A or B?`.
fn options(asked: &str) -> Vec<String> {
    let Some(at) = asked.rfind(" or ") else { return Vec::new() };
    let before = asked[..at].rsplit([',', ':', '?']).find(|p| !p.trim().is_empty()).unwrap_or_default();
    let after = asked[at + 4..].split(['?', ',', '.']).next().unwrap_or_default();
    [before, after].iter().map(|o| o.trim().trim_start_matches("the ").to_owned()).filter(|o| !o.is_empty()).collect()
}

const COMPARISONS: &[&str] = &[
    "compared to",
    "compared with",
    "difference",
    "gap between",
    "how much higher",
    "how much lower",
    "how much more",
    "how much less",
    "how many more",
    "how many fewer",
    " sum of",
    "combined",
    "collectively",
    "in total",
    "multiple of",
    "relative to",
    "respectively",
    "average gap",
    "相差",
    "差额",
    "之和",
];

const MONEY: &[&str] =
    &["spend", "spent", " cost ", " costs ", "price", " paid", " pay ", "dollar", "expense", "revenue", "$", "金额"];

const EXPLANATIONS: &[&str] = &["how to", "how do", "how does", "how did", "why", "describe", "explain", "summarize"];

/// Words of letters and digits, neither years nor numbers with a unit.
fn identifiers(asked: &str) -> Vec<String> {
    let words = asked.split_whitespace().map(|w| w.trim_matches(|c: char| !c.is_alphanumeric()));
    let mixed = |w: &&str| {
        let (letters, digits) =
            (w.chars().filter(|c| c.is_ascii_uppercase()).count(), w.chars().filter(char::is_ascii_digit).count());
        letters >= 1 && digits >= 2 && w.len() >= 4 && w.chars().all(char::is_alphanumeric) && !is_fiscal(w)
    };
    words.filter(mixed).flat_map(terms).collect()
}

const PICTORIAL: &[&str] = &[
    "color",
    "colour",
    "logo",
    "icon",
    "image",
    "photo",
    "picture",
    "arrow",
    "people are there",
    "standing",
    "wearing",
    "glasses",
    "highlighted",
    "underlined",
    "italic",
    "bold",
    "screenshot",
    "pie chart",
    "bar graph",
    "bar chart",
    "shape",
    "rectangle",
    "red",
    "blue",
    "green",
    "yellow",
    "orange",
    "purple",
    "black",
    "pink",
    "drawn",
    "plotted",
    "颜色",
    "图标",
];

/// True if some word says that the answer is in the picture, not in the words.
fn is_pictorial(lower: &str) -> bool {
    let word = |w: &str| w.trim_matches(|c: char| !c.is_alphanumeric()).trim_end_matches('s').to_owned();
    let words: Vec<String> = lower.split_whitespace().map(word).collect();
    PICTORIAL.iter().any(|p| {
        if p.contains(' ') || !p.is_ascii() {
            lower.contains(p)
        } else {
            words.iter().any(|w| w == p.trim_end_matches('s'))
        }
    })
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
    fn instructions_are_no_part_of_what_is_asked() {
        let question =
            Question::new("What were Orrin's sales in FY2020? Answer in millions, round to two decimal places.");
        assert_eq!(question.asked, "What were Orrin's sales in FY2020?");
        assert_eq!(question.terms, terms("Orrin sales 2020"));
        assert_eq!((question.scale, question.decimals), (Some(Scale::Million), Some(2)));
        assert_eq!(question.names, ["Orrin"]);
    }
}
