//! Whether letters make words, in whatever language: shifted codes don't. Knows Latin letters only and no words.

use unicode_normalization::UnicodeNormalization;

/// How common a pair of letters is within words, from 0 (never met) to 9 (one pair in a hundred or more), in that of 27
/// languages in Latin letters where it is most common: rows are the first letter, columns the second. Counted from the
/// 15,000 most frequent words of each language (word lists of wordfreq 3.1), accents left out:
/// `round(0.9 * log2(share / 0.00001))`.
const PAIRS: [&[u8; 26]; 26] = [
    b"99999899999999997999998598",
    b"98549143954747830766833083",
    b"93829209988757924788931079",
    b"95569555965758952888965079",
    b"98999898999999775999987788",
    b"83268753863737910867722273",
    b"96269478977757860878843094",
    b"93679333966767921868986063",
    b"98999798999999977999986898",
    b"95469554838567940475854034",
    b"95579339978856920788965084",
    b"96689667997987954488964084",
    b"98469584955786880576832074",
    b"95899699998869945599965297",
    b"98999897999999984998999478",
    b"92549659855855981967834053",
    b"10010000100000000000900000",
    b"97789776978778965788876479",
    b"95949558979877985799887079",
    b"96549569967777950989977487",
    b"97889777878999972999977798",
    b"94559343965727950775750086",
    b"92659117914617850574601085",
    b"70427002610102561005720230",
    b"97868667867787950888777176",
    b"96679165956768862668877097",
];

/// How many printable characters ASCII has besides the space.
const PRINTABLE: u32 = 94;

/// So many words are enough to find out by how much codes are shifted.
const MOST_WORDS: usize = 400;

/// How much a text looks like words.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Likeness {
    /// How many pairs of letters were looked at.
    pub(crate) pairs: usize,
    /// How common the pairs are in the mean, from 0 to 9.
    pub(crate) mean: f32,
}

/// Looks at the words, of which those with digits, the very short and the very long are left out: they are part
/// numbers, abbreviations and codes.
pub(crate) fn likeness<'w>(words: impl Iterator<Item = &'w str>) -> Likeness {
    let mut sum = Sum::default();
    words.filter(|word| is_countable(word)).for_each(|word| sum.add(word.chars()));
    sum.likeness()
}

/// The likeness when each printable ASCII character is taken for another, a fixed number of places on: of all such
/// numbers the one that gives the most likely words.
pub(crate) fn best_shifted<'w>(words: impl Iterator<Item = &'w str> + Clone) -> Likeness {
    let shifted = |by: u32| {
        let mut sum = Sum::default();
        let chars = |word: &'w str| word.chars().map(move |char| shift(char, by));
        words.clone().filter(|word| is_shiftable(word)).take(MOST_WORDS).for_each(|word| sum.add(chars(word)));
        sum.likeness()
    };
    let better = |a: Likeness, b: Likeness| if b.pairs as f32 * b.mean > a.pairs as f32 * a.mean { b } else { a };
    (1..PRINTABLE).map(shifted).fold(Likeness::default(), better)
}

/// Pairs of letters, and how common they are together.
#[derive(Default)]
struct Sum {
    pairs: usize,
    commonness: usize,
}

impl Sum {
    fn add(&mut self, word: impl Iterator<Item = char>) {
        let mut last = None;
        for letter in word.map(plain) {
            if let (Some(a), Some(b)) = (last, letter) {
                self.pairs += 1;
                self.commonness += commonness(a, b);
            }
            last = letter;
        }
    }

    fn likeness(&self) -> Likeness {
        let mean = if self.pairs == 0 { 0.0 } else { self.commonness as f32 / self.pairs as f32 };
        Likeness { pairs: self.pairs, mean }
    }
}

fn shift(char: char, by: u32) -> char {
    match char {
        '!'..='~' => char::from_u32((char as u32 - '!' as u32 + by) % PRINTABLE + '!' as u32).unwrap_or(char),
        other => other,
    }
}

/// Dates and prices give letters when they are shifted far enough.
fn is_shiftable(word: &str) -> bool {
    let letters = word.bytes().filter(u8::is_ascii_alphabetic).count();
    word.len() > 3 && word.is_ascii() && letters * 2 > word.len()
}

fn is_countable(word: &str) -> bool {
    let is_abbreviation = word.len() < 6 && !word.bytes().any(|byte| byte.is_ascii_lowercase());
    (4..=25).contains(&word.len()) && !is_abbreviation && !word.bytes().any(|byte| byte.is_ascii_digit())
}

/// The letter from 0 to 25 without its accent.
fn plain(char: char) -> Option<u8> {
    let base = match char {
        _ if char.is_ascii() => char,
        'ł' | 'Ł' => 'l',
        'ø' | 'Ø' => 'o',
        'đ' | 'Đ' => 'd',
        'ı' => 'i',
        other => other.nfd().next()?,
    };
    base.is_ascii_alphabetic().then(|| base.to_ascii_lowercase() as u8 - b'a')
}

fn commonness(a: u8, b: u8) -> usize {
    let level = PAIRS.get(usize::from(a)).and_then(|row| row.get(usize::from(b)));
    level.map_or(0, |digit| usize::from(digit - b'0'))
}
