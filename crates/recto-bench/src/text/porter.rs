//! The stemmer of M. F. Porter, "An algorithm for suffix stripping" (1980), with the departures of NLTK's default mode,
//! which `rouge_score` uses.

/// Words that have their stem by convention.
const IRREGULAR: [(&str, &str); 16] = [
    ("skies", "sky"),
    ("sky", "sky"),
    ("dying", "die"),
    ("lying", "lie"),
    ("tying", "tie"),
    ("news", "news"),
    ("innings", "inning"),
    ("inning", "inning"),
    ("outings", "outing"),
    ("outing", "outing"),
    ("cannings", "canning"),
    ("canning", "canning"),
    ("howe", "howe"),
    ("proceed", "proceed"),
    ("exceed", "exceed"),
    ("succeed", "succeed"),
];

const STEP_2: [(&str, &str); 21] = [
    ("ational", "ate"),
    ("tional", "tion"),
    ("enci", "ence"),
    ("anci", "ance"),
    ("izer", "ize"),
    ("bli", "ble"),
    ("alli", "al"),
    ("entli", "ent"),
    ("eli", "e"),
    ("ousli", "ous"),
    ("ization", "ize"),
    ("ation", "ate"),
    ("ator", "ate"),
    ("alism", "al"),
    ("iveness", "ive"),
    ("fulness", "ful"),
    ("ousness", "ous"),
    ("aliti", "al"),
    ("iviti", "ive"),
    ("biliti", "ble"),
    ("fulli", "ful"),
];

const STEP_3: [(&str, &str); 7] =
    [("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"), ("ful", ""), ("ness", "")];

const STEP_4: [&str; 19] = [
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou", "ism", "ate", "iti",
    "ous", "ive", "ize",
];

/// The stem of a word in lower-case ASCII.
pub fn stem(word: &str) -> String {
    if let Some((_, stem)) = IRREGULAR.iter().find(|(irregular, _)| *irregular == word) {
        return (*stem).into();
    }
    if word.len() <= 2 {
        return word.into();
    }
    let steps: [fn(String) -> String; 8] = [plural, past, final_y, step_2, step_3, step_4, final_e, double_l];
    steps.iter().fold(word.to_owned(), |word, step| step(word))
}

fn plural(word: String) -> String {
    if word.ends_with("ies") && word.len() == 4 {
        return cut(&word, 1).into();
    }
    match word {
        w if w.ends_with("sses") || w.ends_with("ies") => cut(&w, 2).into(),
        w if w.ends_with("ss") => w,
        w => w.strip_suffix('s').map(str::to_owned).unwrap_or(w),
    }
}

fn past(word: String) -> String {
    if word.ends_with("ied") {
        return cut(&word, if word.len() == 4 { 1 } else { 2 }).into();
    }
    if let Some(stem) = word.strip_suffix("eed") {
        return if measure(stem) > 0 { cut(&word, 1).into() } else { word };
    }
    let stems = ["ed", "ing"].iter().filter_map(|suffix| word.strip_suffix(suffix));
    match stems.into_iter().find(|stem| has_vowel(stem)) {
        Some(stem) => mended(stem),
        None => word,
    }
}

/// What is left of a word without its `ed` or `ing`, with its `e` back or without its doubled consonant.
fn mended(stem: &str) -> String {
    if ["at", "bl", "iz"].iter().any(|end| stem.ends_with(end)) {
        return format!("{stem}e");
    }
    if ends_double_consonant(stem) {
        return if stem.ends_with(['l', 's', 'z']) { stem.into() } else { cut(stem, 1).into() };
    }
    if measure(stem) == 1 && ends_cvc(stem) { format!("{stem}e") } else { stem.into() }
}

fn final_y(word: String) -> String {
    match word.strip_suffix('y') {
        Some(stem) if stem.len() > 1 && consonants(stem).last() == Some(&true) => format!("{stem}i"),
        _ => word,
    }
}

fn step_2(word: String) -> String {
    let mut word = word;
    while let Some(stem) = word.strip_suffix("alli").filter(|stem| measure(stem) > 0) {
        word = format!("{stem}al");
    }
    // The l of `logi` counts as part of the stem, so that `geologi` has one of measure 1.
    if word.ends_with("logi") && measure(cut(&word, 3)) > 0 {
        return cut(&word, 1).into();
    }
    replaced(word, &STEP_2)
}

fn step_3(word: String) -> String {
    replaced(word, &STEP_3)
}

/// The first suffix that fits decides, whether or not the rest is long enough.
fn replaced(word: String, rules: &[(&str, &str)]) -> String {
    let fitting = rules.iter().find_map(|(suffix, new)| Some((word.strip_suffix(suffix)?, new)));
    match fitting {
        Some((stem, new)) if measure(stem) > 0 => format!("{stem}{new}"),
        _ => word,
    }
}

fn step_4(word: String) -> String {
    let fitting = STEP_4.iter().find_map(|suffix| Some((word.strip_suffix(suffix)?, *suffix)));
    match fitting {
        Some((stem, suffix)) if measure(stem) > 1 && (suffix != "ion" || stem.ends_with(['s', 't'])) => stem.into(),
        _ => word,
    }
}

fn final_e(word: String) -> String {
    match word.strip_suffix('e') {
        Some(stem) if measure(stem) > 1 || measure(stem) == 1 && !ends_cvc(stem) => stem.into(),
        _ => word,
    }
}

fn double_l(word: String) -> String {
    if word.ends_with("ll") && measure(cut(&word, 1)) > 1 { cut(&word, 1).into() } else { word }
}

/// Without its last `count` letters.
fn cut(word: &str, count: usize) -> &str {
    word.get(..word.len().saturating_sub(count)).unwrap_or_default()
}

/// Which letters are consonants: all but a, e, i, o, u, and y after a consonant.
fn consonants(word: &str) -> Vec<bool> {
    let mut flags: Vec<bool> = Vec::with_capacity(word.len());
    for c in word.chars() {
        let consonant = match c {
            'a' | 'e' | 'i' | 'o' | 'u' => false,
            'y' => flags.last() != Some(&true),
            _ => true,
        };
        flags.push(consonant);
    }
    flags
}

/// How often a vowel is followed by a consonant: Porter's m.
fn measure(stem: &str) -> usize {
    consonants(stem).windows(2).filter(|pair| *pair == [false, true]).count()
}

fn has_vowel(stem: &str) -> bool {
    consonants(stem).contains(&false)
}

fn ends_double_consonant(word: &str) -> bool {
    let mut ends = word.chars().rev();
    let last = ends.next();
    last.is_some() && last == ends.next() && consonants(word).last() == Some(&true)
}

/// Ends consonant, vowel, consonant (not w, x, y); or is just vowel, consonant.
fn ends_cvc(word: &str) -> bool {
    match consonants(word).as_slice() {
        [false, true] => true,
        [.., true, false, true] => !word.ends_with(['w', 'x', 'y']),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stems_are_those_of_nltk() {
        for (word, expected) in include_str!("../../tests/data/porter.txt").lines().filter_map(|l| l.split_once(' ')) {
            assert_eq!(stem(word), expected, "{word}");
        }
    }
}
