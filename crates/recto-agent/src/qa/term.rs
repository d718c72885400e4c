//! Words to terms: what is the same word for question and page. Not the tokenizer of the search index.

use crate::calculator::date::MONTHS;

/// Calls `found` with each term of `text`: letters and digits in lower case, reduced to a crude stem; runs of scripts
/// without spaces give their bigrams. Numbers lose their thousands commas.
pub(crate) fn for_each_term(text: &str, mut found: impl FnMut(&str)) {
    let mut run = String::new();
    let mut dotted = false;
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        // `U.S.` is one word.
        if c == '.' && (dotted || run.len() == 1) && is_initial(rest.as_str()) {
            dotted = true;
            continue;
        }
        dotted = dotted && c.is_uppercase();
        if is_spaceless(c) {
            flush_unless(&mut run, &mut found, is_spaceless);
            run.push(c);
            if run.chars().count() == 2 {
                found(&run);
                run.drain(..run.chars().next().map_or(0, char::len_utf8));
            }
        } else if c.is_alphanumeric() {
            flush_unless(&mut run, &mut found, |last| !is_spaceless(last));
            run.extend(c.to_lowercase());
        } else if !(is_apostrophe(c) || c == ',' && run.ends_with(|d: char| d.is_ascii_digit())) {
            flush(&mut run, &mut found);
        }
    }
    flush(&mut run, &mut found);
}

/// True if `text` begins with a capital that stands alone.
fn is_initial(text: &str) -> bool {
    text.starts_with(char::is_uppercase) && !text.chars().nth(1).is_some_and(char::is_alphanumeric)
}

/// The terms of `text` in order.
pub(crate) fn terms(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    for_each_term(text, |t| all.push(t.to_owned()));
    all
}

/// Ends the run, unless its last character goes with the next one.
fn flush_unless(run: &mut String, found: &mut impl FnMut(&str), same: impl Fn(char) -> bool) {
    if run.chars().next_back().is_some_and(|last| !same(last)) {
        flush(run, found);
    }
}

/// Ends the run. A lone character of a spaceless script is dropped: its bigrams speak for it.
fn flush(run: &mut String, found: &mut impl FnMut(&str)) {
    if run.chars().next_back().is_some_and(|last| !is_spaceless(last)) {
        match OFFICES.iter().find(|(short, _)| *short == run.as_str()) {
            Some((_, long)) => long.split(' ').for_each(|word| found(stem(word))),
            None => found(stem(run)),
        }
    }
    run.clear();
}

/// Offices that are written short and in full.
const OFFICES: &[(&str, &str)] = &[
    ("ceo", "chief executive officer"),
    ("cfo", "chief financial officer"),
    ("coo", "chief operating officer"),
    ("cto", "chief technology officer"),
];

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '\u{2019}' | '\u{2018}')
}

/// Han, kana, Thai, Lao, Khmer, Myanmar: scripts that write no spaces.
pub(crate) fn is_spaceless(c: char) -> bool {
    matches!(u32::from(c), 0x0e00..=0x0eff | 0x1000..=0x109f | 0x1780..=0x17ff | 0x3040..=0x30ff | 0x3400..=0x9fff
        | 0xf900..=0xfaff | 0x20000..=0x3ffff)
}

/// A word without what stands around its letters and digits.
pub(crate) fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric())
}

/// True for a year from 1800 to 2099 in digits.
pub(crate) fn is_year(word: &str) -> bool {
    word.len() == 4 && word.parse().is_ok_and(|year: u32| (1800..2100).contains(&year))
}

/// True for the full name of a month in lower case, and for "sept".
pub(crate) fn is_month(word: &str) -> bool {
    word == "sept" || MONTHS.contains(&word)
}

/// Cuts English endings, so that `reported`, `reports` and `reporting` meet. Too crude to show, good enough to compare.
fn stem(word: &str) -> &str {
    if is_month(word) {
        // Their names are cut in tables and charts.
        return &word[..3];
    }
    if let Some((_, base)) = IRREGULAR.iter().find(|(forms, _)| lists(forms, word)) {
        return base;
    }
    if !word.is_ascii() || word.len() < 4 || word.bytes().any(|b| b.is_ascii_digit()) {
        return word;
    }
    let word = plural(word);
    let base = ["ing", "ed", "ly", "en"].iter().find_map(|end| word.strip_suffix(end).filter(|b| b.len() >= 4));
    let base = base.or_else(|| word.strip_suffix("en").filter(|b| b.len() == 3));
    let word = base.unwrap_or(word);
    let word = word.strip_suffix("ee").filter(|w| w.len() >= 5).unwrap_or(word);
    let word = word.strip_suffix('e').filter(|w| w.len() >= 3).unwrap_or(word);
    word.strip_suffix('y').or_else(|| word.strip_suffix('i')).filter(|w| w.len() >= 4).unwrap_or(word)
}

/// Forms of verbs that share no beginning with what they are asked by, each with the stem of that.
const IRREGULAR: &[(&str, &str)] = &[
    ("began begun", "begin"),
    ("built", "build"),
    ("bought", "buy"),
    ("chose chosen", "choos"),
    ("grew grown", "grow"),
    ("led", "lead"),
    ("rose risen", "ris"),
    ("sold", "sell"),
    ("taught", "teach"),
    ("won", "win"),
    ("wrote", "writ"),
];

fn plural(word: &str) -> &str {
    if word.ends_with("ss") || word.ends_with("us") || word.ends_with("is") {
        return word;
    }
    let sibilant = ["sses", "shes", "ches", "xes", "zes"].iter().any(|end| word.ends_with(end));
    let cut = if sibilant || word.ends_with("ies") { "es" } else { "s" };
    word.strip_suffix(cut).unwrap_or(word)
}

const STOP: &str = " a an and are as at be been being by can could did do does for from had has have how i if in into \
    is it its many me much my no not of on or our shall should so some such than that the their them then there these \
    they this those to us was we were what when where which who whom whose why will with would you your according \
    answer document please list write format give following mention mentioned say said report reports page pages slide \
    slides paper article section based about each any all between per also within under called name names only one \
    state stated describe shown show shows listed given noted indicated displayed depicted ";

/// True for words that say nothing about what is asked.
pub(crate) fn is_stop_word(word: &str) -> bool {
    STOP.split_ascii_whitespace().any(|stop| stop.eq_ignore_ascii_case(word))
}

const GENERAL: &str = "million thousand billion total overall amount number value level count figure take took taken make made \
    give use used using get got come came do done find found hold held happen happened need needed want much mean means stand \
    stands call charge charged fall fell pay kind type end begin time year must send sent telephone phone email mail address go went \
    reach reached achieve achieved obtain obtained attain attained";

/// True for a term that says little about what is asked: verbs and nouns that go with anything.
pub(crate) fn is_general(term: &str) -> bool {
    GENERAL.split_ascii_whitespace().any(|word| word == term || stem(word) == term)
}

/// True if `word` is one of the words of a list written as text.
pub(crate) fn lists(words: &str, word: &str) -> bool {
    words.split_ascii_whitespace().any(|w| w == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_become_terms() {
        let table: &[(&str, &[&str])] = &[
            ("Reports, reporting REPORTED", &["report", "report", "report"]),
            ("companies' company's", &["compan", "compan"]),
            ("1,358,000 shares", &["1358000", "shar"]),
            ("it began, rose and sold", &["it", "begin", "ris", "and", "sell"]),
            ("begin rises selling writing", &["begin", "ris", "sell", "writ"]),
            ("long-term 12.5%", &["long", "term", "12", "5"]),
            ("净利润 2021年", &["净利", "利润", "2021"]),
            ("the U.S. public, a.m. 3.5", &["the", "us", "public", "a", "m", "3", "5"]),
            ("the CEO", &["the", "chief", "executiv", "officer"]),
            ("employees employed", &["emplo", "emplo"]),
            ("class glasses basis", &["class", "glass", "basis"]),
            ("", &[]),
        ];
        for (text, want) in table {
            assert_eq!(&terms(text), want, "{text}");
        }
    }
}
