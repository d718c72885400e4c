//! Queries that say exactly which pages are meant: words, phrases and wildcards under AND, OR and NOT. What is meant by
//! them on an index, the [searcher](crate::searcher) knows; what people type into a search box is a [`crate::Query`].
//!
//! | written | means |
//! |---|---|
//! | `net income`, `net AND income` | pages with both words |
//! | `profit OR income` | pages with either |
//! | `income NOT tax` | pages with the first and without the second |
//! | `"net income"` | these words side by side in this order |
//! | `amort*`, `wom?n`, `*berg` | any word that fits: `*` any characters, `?` exactly one |
//! | `(profit OR income) 2021` | parentheses put together |
//!
//! NOT binds closest, then AND, then OR, then words that only stand side by side: `fees profit OR income` is
//! `fees AND (profit OR income)`. Operators are written in capitals; `and` is a word, and as such, like other words that
//! stand everywhere, makes no difference. A quote or parenthesis that is never closed ends with the query.

use crate::tokenize::surface_terms;

/// What is read of a query, in bytes; the rest is ignored.
const MAX_BYTES: usize = 1 << 13;
/// Parentheses and NOTs nest no deeper; what does is left out.
const DEEPEST: usize = 24;

/// Words that stand on nearly every English page: as in other engines with this language, they exclude no page.
const EVERYWHERE: [&str; 35] = [
    "a", "an", "and", "are", "as", "at", "be", "by", "can", "for", "from", "have", "if", "in", "is", "it", "may",
    "not", "of", "on", "or", "that", "the", "this", "to", "us", "we", "when", "will", "with", "yet", "you", "your",
    "was", "were",
];

/// Which pages are meant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Boolean {
    /// Terms side by side in this order; one term is a word.
    Phrase(Vec<String>),
    /// A term of this form.
    Like(Pattern),
    /// All of them.
    And(Vec<Self>),
    /// Any of them.
    Or(Vec<Self>),
    /// Not this.
    Not(Box<Self>),
}

/// A form of terms: `*` stands for any characters, `?` for one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pattern(String);

impl Boolean {
    /// Reads a query; `None` if it names nothing that a page must have.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.get(..text.floor_char_boundary(MAX_BYTES)).unwrap_or(text);
        let signs = signs(text);
        let mut reader = Reader { signs: &signs, depth: 0 };
        let mut parts = Vec::new();
        while !reader.signs.is_empty() {
            parts.extend(reader.side_by_side());
            // A closing parenthesis that was never opened.
            reader.take(&Sign::Close);
        }
        all_of(parts).filter(Self::names_something)
    }

    /// Whether pages must have something, rather than only lack it.
    fn names_something(&self) -> bool {
        match self {
            Self::Phrase(_) | Self::Like(_) => true,
            Self::And(parts) => parts.iter().any(Self::names_something),
            Self::Or(parts) => parts.iter().all(Self::names_something),
            Self::Not(_) => false,
        }
    }
}

impl Pattern {
    /// The characters before the first wildcard.
    pub fn prefix(&self) -> &str {
        self.0.split(['*', '?']).next().unwrap_or_default()
    }

    /// Whether a term has this form.
    pub fn fits(&self, term: &str) -> bool {
        fits(&self.0, term)
    }
}

/// Whether a text has the form of a pattern, in which `*` stands for any characters and `?` for one.
pub fn fits(pattern: &str, text: &str) -> bool {
    let (pattern, text): (Vec<char>, Vec<char>) = (pattern.chars().collect(), text.chars().collect());
    let (mut p, mut t) = (0, 0);
    // Where the last `*` stands, and how much of the text it has taken.
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, t));
                p += 1;
            }
            Some(c) if *c == '?' || Some(c) == text.get(t) => (p, t) = (p + 1, t + 1),
            _ => {
                let Some((at, taken)) = star else { return false };
                star = Some((at, taken + 1));
                (p, t) = (at + 1, taken + 1);
            }
        }
    }
    pattern.get(p..).unwrap_or_default().iter().all(|c| *c == '*')
}

/// A part of a query as written.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Sign<'a> {
    Open,
    Close,
    And,
    Or,
    Not,
    Quoted(&'a str),
    Word(&'a str),
}

fn signs(text: &str) -> Vec<Sign<'_>> {
    let mut signs = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let after = rest.get(first.len_utf8()..).unwrap_or_default();
        let (sign, left) = match first {
            '(' => (Sign::Open, after),
            ')' => (Sign::Close, after),
            _ if is_quote(first) => {
                let (inside, left) = after.split_once(is_quote).unwrap_or((after, ""));
                (Sign::Quoted(inside), left)
            }
            _ => {
                let ends = |c: char| c.is_whitespace() || is_quote(c) || matches!(c, '(' | ')');
                let (word, left) = rest.split_at(rest.find(ends).unwrap_or(rest.len()));
                (of_word(word), left)
            }
        };
        signs.push(sign);
        rest = left.trim_start();
    }
    signs
}

fn of_word(word: &str) -> Sign<'_> {
    match word {
        "AND" => Sign::And,
        "OR" => Sign::Or,
        "NOT" => Sign::Not,
        _ => Sign::Word(word),
    }
}

const fn is_quote(c: char) -> bool {
    matches!(c, '"' | '“' | '”' | '„')
}

struct Reader<'s, 'a> {
    signs: &'s [Sign<'a>],
    depth: usize,
}

impl Reader<'_, '_> {
    fn take(&mut self, sign: &Sign<'_>) -> bool {
        let Some((first, rest)) = self.signs.split_first() else { return false };
        let is_it = first == sign;
        if is_it {
            self.signs = rest;
        }
        is_it
    }

    /// Up to a closing parenthesis or the end.
    fn side_by_side(&mut self) -> Option<Boolean> {
        let mut parts = Vec::new();
        while !matches!(self.signs.first(), None | Some(Sign::Close)) {
            parts.extend(self.either());
        }
        all_of(parts)
    }

    fn either(&mut self) -> Option<Boolean> {
        let mut parts: Vec<Boolean> = self.both().into_iter().collect();
        while self.take(&Sign::Or) {
            parts.extend(self.both());
        }
        one_or(parts, Boolean::Or)
    }

    fn both(&mut self) -> Option<Boolean> {
        let mut parts: Vec<Boolean> = self.negated().into_iter().collect();
        while self.take(&Sign::And) {
            parts.extend(self.negated());
        }
        all_of(parts)
    }

    fn negated(&mut self) -> Option<Boolean> {
        if self.take(&Sign::Not) {
            return self.within(Self::negated).map(|of| Boolean::Not(Box::new(of)));
        }
        let (first, rest) = self.signs.split_first()?;
        if *first == Sign::Close {
            return None;
        }
        self.signs = rest;
        match first {
            Sign::Open => {
                let inside = self.within(Self::side_by_side);
                self.take(&Sign::Close);
                inside
            }
            Sign::Quoted(text) => phrase(text),
            Sign::Word(word) => of_text(word),
            Sign::And | Sign::Or | Sign::Not | Sign::Close => None,
        }
    }

    /// One level deeper; nothing where that is too deep, but what stands there is read over.
    fn within(&mut self, read: fn(&mut Self) -> Option<Boolean>) -> Option<Boolean> {
        if self.depth >= DEEPEST {
            self.signs = &[];
            return None;
        }
        self.depth += 1;
        let inside = read(self);
        self.depth -= 1;
        inside
    }
}

fn of_text(word: &str) -> Option<Boolean> {
    if EVERYWHERE.contains(&word.to_lowercase().as_str()) {
        return None;
    }
    let wild = word.contains(['*', '?']) && word.chars().any(char::is_alphanumeric);
    // `Why?` at the end of a question is a word.
    let asks = word.strip_suffix('?').is_some_and(|word| !word.contains(['*', '?']) && word.chars().count() > 3);
    if wild && !asks {
        let kept = |c: &char| c.is_alphanumeric() || matches!(c, '*' | '?');
        return Some(Boolean::Like(Pattern(word.chars().filter(kept).flat_map(char::to_lowercase).collect())));
    }
    phrase(word)
}

fn phrase(text: &str) -> Option<Boolean> {
    let terms = surface_terms(text);
    (!terms.is_empty()).then_some(Boolean::Phrase(terms))
}

fn all_of(parts: Vec<Boolean>) -> Option<Boolean> {
    let mut flat = Vec::new();
    for part in parts {
        match part {
            Boolean::And(inner) => flat.extend(inner),
            other => flat.push(other),
        }
    }
    one_or(flat, Boolean::And)
}

fn one_or(mut parts: Vec<Boolean>, several: fn(Vec<Boolean>) -> Boolean) -> Option<Boolean> {
    match parts.len() {
        0 => None,
        1 => parts.pop(),
        _ => Some(several(parts)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In Polish notation: `&(a |(b c))`.
    fn told(query: &Boolean) -> String {
        let joined = |parts: &[Boolean]| parts.iter().map(told).collect::<Vec<_>>().join(" ");
        match query {
            Boolean::Phrase(terms) => terms.join("_"),
            Boolean::Like(pattern) => pattern.0.clone(),
            Boolean::And(parts) => format!("&({})", joined(parts)),
            Boolean::Or(parts) => format!("|({})", joined(parts)),
            Boolean::Not(part) => format!("!{}", told(part)),
        }
    }

    #[track_caller]
    fn check(text: &str, want: &str) {
        assert_eq!(Boolean::parse(text).as_ref().map(told).unwrap_or_default(), want, "{text:?}");
    }

    #[test]
    fn the_language() {
        check("engine specifications", "&(engine specifications)");
        check("\"Bell 407\" AND accessories", "&(bell_407 accessories)");
        check("Bell* NOT date", "&(bell* !date)");
        check("incorporation NOT date", "&(incorporation !date)");
        check("fees profit OR income", "&(fees |(profit income))");
        check("a1 OR b1 AND c1", "|(a1 &(b1 c1))");
        check("(profit OR income) AND NOT (tax OR duty)", "&(|(profit income) !|(tax duty))");
        check("wom?n AB-1234", "&(wom?n ab_1234)");
        check("who is the owner of it", "&(who owner)");
        check("income and tax", "&(income tax)");
        check("What was the total?", "&(what total)");
        check("“net income” 2021", "&(net_income 2021)");
    }

    #[test]
    fn hostile_queries() {
        for text in
            ["", "AND", "NOT NOT", "NOT tax", "the of", "()", ")(", "\"\"", "OR OR OR", "* ?", "((((", "x OR NOT y"]
        {
            check(text, "");
        }
        check("\"never closed", "never_closed");
        check("(profit OR income", "|(profit income)");
        check("profit) income", "&(profit income)");
        check("AND profit OR", "profit");
        check("NOT NOT tax fees", "&(!!tax fees)");
        assert_eq!(Boolean::parse(&"(".repeat(100_000)), None);
        assert_eq!(
            Boolean::parse(&format!("fees {}tax", "NOT ".repeat(5_000))).as_ref().map(told).as_deref(),
            Some("fees")
        );
    }

    #[test]
    fn patterns() {
        let fits = |pattern: &str, term: &str| Pattern(pattern.into()).fits(term);
        for (pattern, term) in
            [("amort*", "amortisation"), ("wom?n", "women"), ("*berg", "goldberg"), ("*", ""), ("a*b*c", "aXbYbZc")]
        {
            assert!(fits(pattern, term), "{pattern} {term}");
        }
        for (pattern, term) in [("amort*", "amor"), ("wom?n", "womn"), ("*berg", "bergen"), ("?", ""), ("a*b", "abc")] {
            assert!(!fits(pattern, term), "{pattern} {term}");
        }
        let long = "a".repeat(5_000);
        assert!(!fits(&format!("{}b", "a*".repeat(20)), &long));
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read(text in "(\\PC|[()\"*? ab]|AND|OR|NOT){0,60}") {
            let _ = Boolean::parse(&text);
        }
    }
}
