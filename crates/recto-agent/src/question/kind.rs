//! What kind of answer a question wants, told by its words.

use crate::qa::term::{bare, is_year, lists};

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
    /// A part, serial or staff number, or another name made of digits.
    Code,
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
            "by when",
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
    (Kind::Definition, &["^define", "definition of", "stand for", " mean?", "how does this document define", "什么是"]),
];

/// Nouns whose value is a number.
const AMOUNTS: &str = "value amount ratio difference average score rate cost price total revenue income expense assets liabilities \
    equity debt margin sum maximum minimum voltage capital ebitda profit sales gap accuracy cagr temperature \
    weight height length width speed gdp salary budget population size distance age turnover dividend roa roe \
    eps mean median torque pressure concentration";

const YES_NO: &[&str] =
    &["is ", "are ", "was ", "were ", "do ", "does ", "did ", "has ", "have ", "can ", "could ", "will ", "should "];

pub(super) fn kind(lower: &str, whole: &str) -> Kind {
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
    if asks_code(lower) {
        return Kind::Code;
    }
    if asks_date(lower) {
        return Kind::Date;
    }
    if let Some((kind, _)) = KINDS.iter().find(|(_, patterns)| patterns.iter().any(|p| fits(p))) {
        return *kind;
    }
    let asks_what = lower.contains("what ") || lower.contains("what's");
    let ends = [" of ", " for ", " in ", " at "].iter().filter_map(|e| lower.find(e)).min();
    let head = lower[..ends.unwrap_or(lower.len())].split_whitespace();
    let named = ["name", "names", "title"].iter().any(|n| lower.contains(&format!(" {n} ")));
    if asks_what && !named && head.into_iter().any(|w| lists(AMOUNTS, bare(w))) {
        return Kind::Number;
    }
    if lower.contains(" or ") && ["which", "whether", "higher", "more", "is "].iter().any(|w| lower.contains(w)) {
        return Kind::Choice;
    }
    Kind::Text
}

/// `part number`, `invoice number`: a number that names something. `the number of` counts, telephone numbers are contacts.
fn asks_code(lower: &str) -> bool {
    const OTHERS: &str = "the a an what which total average highest lowest maximum minimum large largest same exact whole \
        greatest telephone phone fax page in of";
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).collect();
    words.contains(&"identifier")
        || words.windows(2).any(|pair| matches!(pair, [before, "number"] if !lists(OTHERS, before)))
}

/// `What is the approval date of ..`: the noun before the first `of` or the like is `date`.
fn asks_date(lower: &str) -> bool {
    let end = [" of ", " for ", " in ", " on ", "?"].iter().filter_map(|e| lower.find(e)).min();
    let head = lower.get(..end.unwrap_or(lower.len())).unwrap_or(lower);
    lower.starts_with("what") && head.split_whitespace().next_back() == Some("date")
}

/// True if the question begins with `word`, be it after a clause such as `According to the report,`.
fn starts_asking(lower: &str, word: &str) -> bool {
    lower.starts_with(word) || lower.contains(&format!(", {word}"))
}

/// `Mill output 2021`, `total visitors`: words for a search, that ask for a figure.
pub(super) fn is_keywords(lower: &str) -> bool {
    const ASKING: &str = "what who whom whose when where which how why is are was were do does did has have can list name give         show find tell title summary";
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).collect();
    let year = words.last().is_some_and(|w| is_year(w)) && words.len() > 2;
    let total = words.first() == Some(&"total") && words.len() > 1;
    words.len() <= 6 && (year || total) && !words.iter().any(|w| lists(ASKING, w))
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

const PICTORIAL: &[&str] = &[
    "color",
    "colour",
    "logo",
    "icon",
    "the image",
    "the photo",
    "the picture",
    "this picture",
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
pub(super) fn is_pictorial(lower: &str) -> bool {
    let word = |w: &str| bare(w).trim_end_matches('s').to_owned();
    let words: Vec<String> = lower.split_whitespace().map(word).collect();
    PICTORIAL.iter().any(|p| {
        if p.contains(' ') || !p.is_ascii() {
            lower.contains(p)
        } else {
            words.iter().any(|w| w == p.trim_end_matches('s'))
        }
    })
}

/// True if the answer compares or adds up values that stand in different places.
pub(super) fn compares(lower: &str) -> bool {
    COMPARISONS.iter().any(|c| lower.contains(c))
}

/// True if the answer is an explanation.
pub(super) fn explains(lower: &str) -> bool {
    EXPLANATIONS.iter().any(|e| starts_asking(lower, e))
}

/// True if the answer is an amount of money.
pub(super) fn asks_money(lower: &str) -> bool {
    MONEY.iter().any(|m| lower.contains(m))
}
