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
const MOST_WORDS: usize = 100;

/// So many pairs of letters make a judgement.
const LEAST_PAIRS: usize = 40;

/// Words of a language have at least this likeness, parts of code and the like included.
const LIKELY: f32 = 8.0;

/// If other letters in their place have this likeness, they may have been those letters.
const SHIFTED: f32 = 8.0;

/// And if they are so much more likely.
const GAIN: f32 = 0.8;

/// Letters mixed up have less than this likeness.
const UNLIKELY: f32 = 6.8;

/// True if the words are none in any language, either because their codes are a fixed number of places off, or
/// because the letters are mixed up.
pub(crate) fn is_nonsense<'w>(words: impl Iterator<Item = &'w str> + Clone) -> bool {
    let own = likeness(words.clone());
    if own.pairs >= LEAST_PAIRS && own.mean >= LIKELY {
        return false;
    }
    let (as_is, shifted) = (shifted(words.clone(), 0), best_shifted(words));
    let gains = shifted.mean >= as_is.mean + GAIN || shifted.pairs > 2 * as_is.pairs;
    shifted.pairs >= LEAST_PAIRS && shifted.mean >= SHIFTED && gains || own.pairs >= LEAST_PAIRS && own.mean < UNLIKELY
}

/// How much a text looks like words.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Likeness {
    /// How many pairs of letters were looked at.
    pairs: usize,
    /// How common the pairs are in the mean, from 0 to 9.
    mean: f32,
}

/// Looks at the words, of which those with digits, the very short and the very long are left out: they are part
/// numbers, abbreviations and codes.
fn likeness<'w>(words: impl Iterator<Item = &'w str>) -> Likeness {
    let mut sum = Sum::default();
    words.filter(|word| is_countable(word)).for_each(|word| sum.add(word.chars()));
    sum.likeness()
}

/// The likeness when each printable ASCII character is taken for another, a fixed number of places on: of all such
/// numbers the one that gives the most likely words.
fn best_shifted<'w>(words: impl Iterator<Item = &'w str> + Clone) -> Likeness {
    let better = |a: Likeness, b: Likeness| if b.pairs as f32 * b.mean > a.pairs as f32 * a.mean { b } else { a };
    (1..PRINTABLE).map(|by| shifted(words.clone(), by)).fold(Likeness::default(), better)
}

fn shifted<'w>(words: impl Iterator<Item = &'w str>, by: u32) -> Likeness {
    let mut sum = Sum::default();
    for word in words.filter(|word| is_shiftable(word)).take(MOST_WORDS) {
        sum.add(word.chars().map(|char| shift(char, by)));
    }
    sum.likeness()
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
    word.len() > 3 && letters * 2 > word.len()
}

fn is_countable(word: &str) -> bool {
    let is_abbreviation = word.len() < 6 && !word.bytes().any(|byte| byte.is_ascii_lowercase());
    (4..=25).contains(&word.len()) && !is_abbreviation && !word.bytes().any(|byte| byte.is_ascii_digit())
}

/// The letter from 0 to 25 without its accent.
fn plain(char: char) -> Option<u8> {
    if char.is_ascii() {
        return char.is_ascii_alphabetic().then(|| (char as u8 | 0x20) - b'a');
    }
    let base = match char {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Enough of a text for a judgement: 40 pairs of letters at least.
    const TEXTS: [(&str, &str); 17] = [
        (
            "English",
            "The river rises in the hills north of the town and takes up two brooks before it is dammed at the old mill which was built long ago",
        ),
        (
            "capitals",
            "APPLICATION FOR THE EXTENSION OF A PERMIT TO KEEP WATER IN A RESERVOIR, TO BE COMPLETED IN BLOCK LETTERS BY THE OWNER OR LEASEHOLDER",
        ),
        (
            "German",
            "Der Fluss entspringt nördlich der Stadt und nimmt zwei Bäche auf, bevor er an der alten Mühle gestaut wird, deren Wehr längst verfallen ist",
        ),
        (
            "Welsh",
            "Mae'r afon yn tarddu yn y bryniau i'r gogledd o'r dref ac yn cymryd dwy nant cyn iddi gyrraedd yr hen felin ddŵr lle mae'r argae wedi'i adeiladu ers blynyddoedd lawer gan y perchnogion",
        ),
        (
            "Polish",
            "Rzeka wypływa ze wzgórz na północ od miasta i przyjmuje dwa strumienie, zanim spiętrza ją stary młyn, którego jaz dawno już się rozsypał",
        ),
        (
            "Czech",
            "Řeka pramení v kopcích severně od města a přijímá dva potoky, než ji přehradí starý mlýn, jehož jez se už dávno rozpadl a zarostl vrbami",
        ),
        (
            "Finnish",
            "Joki saa alkunsa kaupungin pohjoispuolella olevilta kukkuloilta ja siihen yhtyy kaksi puroa ennen kuin vanha mylly patoaa sen",
        ),
        (
            "Turkish",
            "Nehir kasabanın kuzeyindeki tepelerden doğar ve eski değirmende baraja ulaşmadan önce iki dere ile birleşir, sonra geniş ovaya akar",
        ),
        (
            "Vietnamese",
            "Dòng sông bắt nguồn từ những ngọn đồi phía bắc thị trấn và nhận thêm nước của hai con suối trước khi chảy tới chiếc cối xay cũ bên đường",
        ),
        (
            "Latin",
            "Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore et dolore magna aliqua. Ut enim ad minim",
        ),
        (
            "code",
            "fn read_page(document: &dyn OpenDocument, number: PageNumber) -> Page { let mut page = Page::empty(number); for (i, c) in str.chars().enumerate() { if ptr->xyz_cfg != NULL && strncmp(buf, argv[1], sizeof(buf)) == 0 { printf(stderr, fmt); return EXIT_FAILURE; } } }",
        ),
        (
            "part numbers",
            "XC7K325T-2FFG900C LM358-N BC547B STM32F407VGT6 MAX232CPE 74HC595D NE555P AT28C256 KLM-4411-QX ZRT-99-BB PQ-2201-XX-7 HHR-150AAC8 CR2032 MC34063ADR2G 1N4148W-7-F",
        ),
        (
            "abbreviations",
            "WCDMA HSDPA LTE GSM UMTS CDMA EVDO HSPA TDD FDD OFDM MIMO QPSK QAM BPSK CRC ARQ HARQ RRC RLC PDCP MAC PHY SDU PDU NAS EPC MME SGW PGW HSS PCRF IMS VoLTE SRVCC CSFB",
        ),
        (
            "formulas",
            "x = y + 2z, f(x) = sin(x)/cos(x), lim n→∞ (1 + 1/n)^n = e, ∫ exp(-x²) dx = √π, det(A - λI) = 0, ∇ × E = -∂B/∂t, P(A|B) = P(B|A) P(A)/P(B)",
        ),
        (
            "numbers",
            "1,250.00 3,418.75 2020.01 - 2020.05 99.5% (12.4) 1911-1958 +44 20 7946 0958 12/05/2021 4711 0815 3.14159 2.71828 6.022e23 1.602e-19 8.854e-12",
        ),
        (
            "Russian and Chinese",
            "Река берёт начало на холмах к северу от города и принимает два ручья 河流发源于城北的山丘，在旧磨坊筑坝之前汇入两条小溪。",
        ),
        ("nothing", ""),
    ];

    fn judge(text: &str) -> bool {
        is_nonsense(text.split_whitespace())
    }

    fn moved(text: &str, by: u32) -> String {
        text.chars().map(|char| shift(char, by)).collect()
    }

    #[test]
    fn no_language_is_nonsense_nor_are_codes_and_formulas() {
        for (what, text) in TEXTS {
            let own = likeness(text.split_whitespace());
            assert!(!judge(text), "{what}: {own:?} {:?}", best_shifted(text.split_whitespace()));
        }
    }

    #[test]
    fn shifted_letters_are_nonsense() {
        let counted = ["English", "capitals", "German", "Polish", "Czech", "Finnish"];
        for (what, text) in TEXTS.iter().filter(|(what, _)| counted.contains(what)) {
            for by in [1, 3, 5, PRINTABLE - 1, PRINTABLE - 3, PRINTABLE - 29] {
                // Capitals so far off are signs and digits, which may be a formula.
                if *what == "capitals" && by == PRINTABLE - 29 {
                    continue;
                }
                assert!(judge(&moved(text, by)), "{what} by {by}: {:?}", likeness(text.split_whitespace()));
            }
        }
    }

    #[test]
    fn too_little_text_is_not_judged() {
        assert!(!judge("Xqz jvkw pfqz"));
        assert!(!judge(&moved("The river rises", 3)));
    }
}
