//! The terms of a text. Pages and queries go through the same code, so what was written alike is found alike.
//! Not a language's grammar: no dictionary, no part of speech.
//!
//! A text is folded first ([NFKC], lower case, one kind of apostrophe and hyphen, soft hyphens within a line dropped)
//! and cut at the word boundaries of [UAX 29]. Every word is a *surface* token: it has a position of its own and counts
//! in the page's length. All other forms are *extra*: they stand at the position of the word where they begin, are
//! found like words, and never change the length, so BM25 keeps its meaning.
//!
//! | form | example | terms | length | a query uses it |
//! |---|---|---|---|---|
//! | [`Word`](Form::Word) | `Annual Report` | `annual`, `report` | yes | yes |
//! | [`Character`](Form::Character) of a script without spaces (Han, Kana, Thai, Lao, Khmer, Myanmar) | `東京都` | `東`, `京`, `都` | yes | when it stands alone |
//! | [`Bigram`](Form::Bigram) of such characters, also over one line end, and of Hangul syllables within a word | `東京都` | `東京`, `京都` | no | yes |
//! | [`Whole`](Form::Whole): words joined by signs without a space (`- / @ & : + . _ #`) | `AB-1234`, `24/7`, `e-mail@x.org` | `ab-1234`; `24/7`; `e-mail@x.org`, `e-mail` | no | yes |
//! | [`Joined`](Form::Joined): the same without hyphens; words broken at a line end; dotted abbreviations; numbers without separators | `long-term`, `infor-⏎mation`, `U.S.A.`, `12,345.67` | `longterm`; `information`, `infor-mation`; `usa`; `12345.67` | no | yes |
//! | [`Part`](Form::Part) of a word with signs in it or letters beside digits | `foo_bar.baz`, `Q3FY2015`, `Smith's` | `foo`, `bar`, `baz`; `q3`, `fy2015`, `fy`, `2015`; `smith` | no | yes |
//! | [`Plain`](Form::Plain): without accents | `Café` | `cafe` | no | yes |
//! | [`Singular`](Form::Singular) of what looks like an English plural | `invoices`, `companies` | `invoice`, `company` | no | yes |
//! | [`Value`](Form::Value) with digits: an amount, a percentage, a date, a quarter | `1.2 million`; `12 per cent`; `5 March 2021`; `Q3 2023` | `1200000`; `12%`; `2021-03-05`, `2021-03`; `2023-q3` | no | yes |
//! | [`Pair`](Form::Pair) of neighbours, each of four letters or more or with a digit | `Operating incomes`, `Figure 3` | `operating income`, `figure 3` | no | yes |
//!
//! An extra form has to earn its place. On 221 questions about 29 documents (pages ranked within the question's
//! document) words alone find a right page first for 41.2 % and among five for 67.9 %; all forms but the last two 41.6
//! and 67.9 %; with pairs 45.7 and 69.7 %; with pairs and singulars 47.5 and 69.2 %. Singulars that replaced the word,
//! stripping of -ing, -ed and -ation, and lists of stop words gained less or lost elsewhere. Forms of identifiers are
//! there for those who search for one.
//!
//! [NFKC]: https://www.unicode.org/reports/tr15/
//! [UAX 29]: https://www.unicode.org/reports/tr29/

mod chain;
mod fold;
mod value;
mod word;

use std::collections::BTreeSet;
use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use fold::Folded;

/// Longer terms are cut: no one types them, and each costs a dictionary entry.
const MAX_TERM_BYTES: usize = 128;

/// One term at one place of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token {
    /// The term as it stands in the index.
    pub term: String,
    /// The surface token where it begins, counted from 0.
    pub position: u32,
    /// The bytes of the original text that it stands for.
    pub span: Range<usize>,
    /// What kind of form it is.
    pub form: Form,
}

/// What kind of form a token is; see the table of this [module](self).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Form {
    /// A word.
    Word,
    /// A character of a script that writes no spaces.
    Character,
    /// Two such characters.
    Bigram,
    /// Words joined by signs.
    Whole,
    /// A term with its hyphens, dots or separators taken out.
    Joined,
    /// A part of a word.
    Part,
    /// A word without its accents.
    Plain,
    /// A word without its plural ending.
    Singular,
    /// A number with its unit, a percentage, a date or a quarter, in one spelling.
    Value,
    /// Two neighbouring words.
    Pair,
}

impl Form {
    /// True if tokens of this form have a position of their own and count in the length of a page.
    pub const fn is_surface(self) -> bool {
        matches!(self, Self::Word | Self::Character)
    }
}

/// All tokens of `text`, by position; at one position the surface token comes first and no term comes twice.
pub fn tokens(text: &str) -> Vec<Token> {
    let folded = Folded::of(text);
    let mut tokens = Vec::new();
    each(&folded.text, true, |position, range, form, term| {
        let position = u32::try_from(position).unwrap_or(u32::MAX);
        tokens.push(Token { term: term.to_owned(), position, span: folded.source(range), form });
    });
    tokens
}

/// Gives the form and term of each of the [`tokens`] of `text` but pairs, which no index holds.
pub(crate) fn each_term(text: &str, mut give: impl FnMut(Form, &str)) {
    each(&Folded::of(text).text, false, |_, _, form, term| give(form, term));
}

fn each(folded: &str, with_pairs: bool, mut give: impl FnMut(usize, &Range<usize>, Form, &str)) {
    let units = units(folded);
    let extras = extras(folded, &units, with_pairs);
    let mut rest = extras.as_slice();
    for (i, unit) in units.iter().enumerate() {
        let surface = cut(unit.text);
        give(i, &unit.range, if unit.unspaced { Form::Character } else { Form::Word }, surface);
        let (here, after) = rest.split_at(rest.iter().take_while(|extra| extra.position == i).count());
        rest = after;
        for (n, Extra { range, form, term, .. }) in here.iter().enumerate() {
            if term != surface && !here.iter().take(n).any(|other| other.term == *term) {
                give(i, range, *form, term);
            }
        }
    }
}

/// The forms beside the words themselves, by position.
fn extras(folded: &str, units: &[Unit<'_>], with_pairs: bool) -> Vec<Extra> {
    let mut extras = Vec::new();
    for (i, unit) in units.iter().enumerate().filter(|(_, unit)| !unit.unspaced) {
        word::forms(unit.text, |form, term| extras.push(Extra::new(i, unit.range.clone(), form, &term)));
    }
    chain::forms(folded, units, with_pairs, |i, range, form, term| extras.push(Extra::new(i, range, form, &term)));
    value::forms(folded, units, |span, term| {
        if let (Some(first), Some(last)) = (units.get(*span.start()), units.get(*span.end())) {
            extras.push(Extra::new(*span.start(), first.range.start..last.range.end, Form::Value, &term));
        }
    });
    extras.sort_by(|a, b| (a.position, a.form, &a.term).cmp(&(b.position, b.form, &b.term)));
    extras
}

/// The terms of a query, in order of appearance and repeated as often as they appear: all forms, so that a page with
/// the exact identifier outranks pages with its parts; of scripts without spaces, pairs where there are pairs.
pub fn query_terms(text: &str) -> Vec<String> {
    let tokens = tokens(text);
    let paired: BTreeSet<u32> = tokens
        .iter()
        .filter(|t| t.form == Form::Bigram)
        .flat_map(|t| [t.position, t.position.saturating_add(1)])
        .collect();
    let wanted = |t: &Token| t.form != Form::Character || !paired.contains(&t.position);
    tokens.into_iter().filter(wanted).map(|t| t.term).collect()
}

/// The surface terms of a text, in order: what a phrase must match.
pub fn surface_terms(text: &str) -> Vec<String> {
    tokens(text).into_iter().filter(|t| t.form.is_surface()).map(|t| t.term).collect()
}

/// A word or an unspaced character of the folded text.
struct Unit<'a> {
    text: &'a str,
    range: Range<usize>,
    unspaced: bool,
}

fn units(folded: &str) -> Vec<Unit<'_>> {
    let mut units = Vec::new();
    for (start, word) in folded.unicode_word_indices() {
        if !word.starts_with(is_unspaced) {
            units.push(Unit { text: word, range: start..start + word.len(), unspaced: false });
            continue;
        }
        for (offset, text) in word.grapheme_indices(true) {
            let at = start + offset;
            units.push(Unit { text, range: at..at + text.len(), unspaced: true });
        }
    }
    units
}

/// True for letters of scripts that put no spaces between words.
const fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{0E01}'..='\u{0E4E}'                                                     // Thai
        | '\u{0E81}'..='\u{0ECE}' | '\u{0EDC}'..='\u{0EDF}'                         // Lao
        | '\u{1000}'..='\u{103F}' | '\u{1050}'..='\u{1089}' | '\u{AA60}'..='\u{AA7F}' // Myanmar
        | '\u{1780}'..='\u{17D3}'                                                   // Khmer
        | '\u{2E80}'..='\u{2FDF}' | '\u{3005}'..='\u{3007}' | '\u{3400}'..='\u{4DBF}' // Han
        | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}'
        | '\u{3041}'..='\u{30FF}' | '\u{31F0}'..='\u{31FF}' | '\u{FF66}'..='\u{FF9F}' // Kana
    )
}

/// A form of a word, or of several from one on.
struct Extra {
    /// The unit where it begins.
    position: usize,
    range: Range<usize>,
    form: Form,
    term: String,
}

impl Extra {
    fn new(position: usize, range: Range<usize>, form: Form, term: &str) -> Self {
        Self { position, range, form, term: cut(term).to_owned() }
    }
}

fn cut(term: &str) -> &str {
    term.get(..term.floor_char_boundary(MAX_TERM_BYTES)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Surface terms, then extra terms, of `text`.
    #[track_caller]
    fn check(text: &str, surface: &str, extra: &str) {
        let all = tokens(text);
        let terms = |surface| -> Vec<&str> {
            all.iter().filter(|t| t.form.is_surface() == surface).map(|t| t.term.as_str()).collect()
        };
        let mut extras = terms(false);
        extras.sort_unstable();
        let mut want: Vec<&str> = extra.split_whitespace().collect();
        extras.retain(|term| !term.contains(' '));
        want.sort_unstable();
        assert_eq!(terms(true), surface.split_whitespace().collect::<Vec<_>>(), "{text:?}");
        assert_eq!(extras, want, "{text:?}");
    }

    #[test]
    fn identifiers_dates_and_numbers_stay_whole_and_are_split() {
        check("AB-1234", "ab 1234", "ab-1234 ab1234");
        check("2021-03-05", "2021 03 05", "2021-03 2021-03-05 20210305");
        check("24/7", "24 7", "24/7");
        check("e-mail@x.org", "e mail x.org", "e-mail@x.org e-mail email x org");
        check("is 12,345.67 in Q3FY2015.", "is 12,345.67 in q3fy2015", "12345.67 q3 fy2015 fy 2015 2015-q3");
        check("a - b, c", "a b c", "");
    }

    #[test]
    fn words_broken_at_a_line_end_are_joined() {
        check("infor-\nmation", "infor mation", "information infor-mation");
        check("infor\u{AD}\nmation", "infor mation", "information infor-mation");
        check("long-\nterm", "long term", "long-term longterm");
        check("state-of-the-\nart", "state of the art", "state-of-the-art state-of-theart stateoftheart theart");
        check("pre- and post-war", "pre and post war", "post-war postwar");
        check("page 5-\n7", "page 5 7", "");
        check("end-\n\nNext", "end next", "");
    }

    #[test]
    fn scripts_without_spaces_give_characters_and_pairs() {
        check("東京都 2020年", "東 京 都 2020 年", "東京 京都");
        check("人工\n智能", "人 工 智 能", "人工 工智 智能");
        check("テスト", "テ ス ト", "テス スト");
        check("ｶﾞ", "ガ", "");
        check("กำ", "ก\u{e4d} า", "ก\u{e4d}า");
        check("서울에서", "서울에서", "서울 울에 에서");
    }

    #[test]
    fn spellings_meet() {
        check("Café", "café", "cafe");
        check("Smith’s U.S. ﬁle", "smith's u.s file", "smith us");
    }

    #[test]
    fn neighbours_make_pairs() {
        let table = [
            ("Operating incomes of Figure 3", vec!["operating income", "figure 3"]),
            ("long-term debts, total\nassets", vec!["term debt", "total asset"]),
            ("net income. Report", vec![]),
            ("東京 2020", vec![]),
        ];
        for (text, want) in table {
            let pairs = tokens(text).into_iter().filter(|t| t.form == Form::Pair);
            assert_eq!(pairs.map(|t| t.term).collect::<Vec<_>>(), want, "{text:?}");
        }
    }

    #[test]
    fn queries_use_pairs_instead_of_single_characters() {
        let table = [
            ("東京都 AB-12", vec!["東京", "京都", "ab", "ab-12", "ab12", "12"]),
            ("水 水", vec!["水", "水"]),
            ("", vec![]),
            ("?! --", vec![]),
        ];
        for (query, want) in table {
            assert_eq!(query_terms(query), want, "{query}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_has_ordered_tokens_within_it(text in "(\\PC|[-\n\u{AD}\u{301}a-c0-2.,'_ー東กุ가]){0,40}") {
            let all = tokens(&text);
            proptest::prop_assert!(all.windows(2).all(|p| p[0].position <= p[1].position));
            for token in &all {
                proptest::prop_assert!(text.get(token.span.clone()).is_some_and(|t| !t.is_empty()));
                proptest::prop_assert!(!token.term.is_empty());
            }
            let surface: Vec<u32> = all.iter().filter(|t| t.form.is_surface()).map(|t| t.position).collect();
            proptest::prop_assert_eq!(&surface, &(0..surface.len() as u32).collect::<Vec<_>>());
        }
    }
}
