//! Text as it is compared: NFKC, lower case, plain apostrophes and hyphens; and the way back to the original bytes.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;

/// A folded text that remembers where each of its characters came from.
pub(super) struct Folded {
    /// The folded text.
    pub(super) text: String,
    /// Where each grapheme cluster begins: (in the folded text, in the original). Empty if the offsets are equal.
    starts: Vec<(usize, usize)>,
    source_len: usize,
}

impl Folded {
    /// Folds `source`.
    pub(super) fn of(source: &str) -> Self {
        if source.is_ascii() {
            return Self { text: source.to_ascii_lowercase(), starts: Vec::new(), source_len: source.len() };
        }
        let mut text = String::with_capacity(source.len());
        let mut starts = Vec::with_capacity(source.len());
        for (at, cluster) in source.grapheme_indices(true) {
            starts.push((text.len(), at));
            if cluster == SOFT_HYPHEN {
                let rest = source.get(at + cluster.len()..).unwrap_or_default();
                text.push_str(if rest.trim_start_matches([' ', '\r']).starts_with('\n') { "-" } else { "" });
            } else {
                fold_cluster(cluster, &mut text);
            }
        }
        Self { text, starts, source_len: source.len() }
    }

    /// The bytes of the original that became `range` of the folded text.
    pub(super) fn source(&self, range: &Range<usize>) -> Range<usize> {
        if self.starts.is_empty() {
            return range.clone();
        }
        let after = self.starts.partition_point(|(folded, _)| *folded <= range.start);
        let start = after.checked_sub(1).and_then(|i| self.starts.get(i)).map_or(0, |(_, source)| *source);
        let end = self.starts.partition_point(|(folded, _)| *folded < range.end);
        start..self.starts.get(end).map_or(self.source_len, |(_, source)| *source)
    }
}

const SOFT_HYPHEN: &str = "\u{AD}";

fn fold_cluster(cluster: &str, text: &mut String) {
    if cluster.is_ascii() {
        text.extend(cluster.chars().map(|c| c.to_ascii_lowercase()));
    } else {
        text.extend(cluster.nfkc().flat_map(char::to_lowercase).nfc().filter_map(fold_char));
    }
}

const fn fold_char(c: char) -> Option<char> {
    match c {
        '\u{AD}' | '\u{2060}' | '\u{FEFF}' => None,
        '\u{2018}' | '\u{2019}' | '\u{02BC}' => Some('\''),
        '\u{2010}'..='\u{2013}' | '\u{2212}' => Some('-'),
        'ς' => Some('σ'),
        _ => Some(c),
    }
}

/// `word` without its accents and with ligature letters written out.
pub(super) fn without_accents(word: &str) -> String {
    let mut plain = String::with_capacity(word.len());
    for c in word.nfd().filter(|c| !is_accent(*c)) {
        match c {
            'ß' => plain.push_str("ss"),
            'æ' => plain.push_str("ae"),
            'œ' => plain.push_str("oe"),
            'ø' => plain.push('o'),
            'ł' => plain.push('l'),
            'đ' | 'ð' => plain.push('d'),
            'þ' => plain.push_str("th"),
            'ı' => plain.push('i'),
            _ => plain.push(c),
        }
    }
    plain.nfc().collect()
}

/// Latin, Greek and Cyrillic accents, and the vowel points of Hebrew and Arabic; not the vowels of Indic scripts.
const fn is_accent(c: char) -> bool {
    matches!(c, '\u{0300}'..='\u{036F}' | '\u{0591}'..='\u{05BD}' | '\u{064B}'..='\u{065F}' | '\u{0670}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folded_text_remembers_where_it_came_from() {
        let table = [
            ("Plain", "plain", 1..3, "la"),
            ("ﬁne Ａ１", "fine a1", 0..4, "ﬁne"),
            ("ﬁne Ａ１", "fine a1", 5..7, "Ａ１"),
            ("ＣＡＦÉ x", "café x", 0..5, "ＣＡＦÉ"),
            ("e\u{301}tude ok", "étude ok", 0..6, "e\u{301}tude"),
            ("co\u{AD}op it’s", "coop it's", 0..4, "co\u{AD}op"),
            ("infor\u{AD} \nmation", "infor- \nmation", 0..5, "infor"),
        ];
        for (source, want, range, origin) in table {
            let folded = Folded::of(source);
            assert_eq!(folded.text, want);
            assert_eq!(&source[folded.source(&range)], origin, "{source:?}");
        }
    }

    #[test]
    fn accents_go_and_indic_vowels_stay() {
        for (word, want) in
            [("café", "cafe"), ("straße", "strasse"), ("łódź", "lodz"), ("हिन्दी", "हिन्दी"), ("한국", "한국")]
        {
            assert_eq!(without_accents(word), want);
        }
    }
}
