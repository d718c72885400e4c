//! The language of a query, and which words of an index are forms of its words. Not the language of pages: their words
//! stand in the index as they are, and a form that no page has is never looked for.

use frostem::{Algorithm, Stemmer};

/// What is known of a language.
pub(crate) struct Language {
    stem: Algorithm,
    /// Words that say nothing of what is asked.
    stop_words: &'static str,
    /// How its words can end after the stem.
    endings: &'static str,
}

/// The languages that are told apart; of equals the first.
static LANGUAGES: [Language; 6] = [
    Language {
        stem: Algorithm::English,
        stop_words: "a an and are as at be been by can could did do does for from had has have how if in into is it its \
                     many much of on or that the their them there these they this to was were what when where which who \
                     whom why will with would according between among each",
        endings: "s es ed d ing e er ers ion ions ation ations ment ments al ally ly y ies ied ity ive able ance",
    },
    Language {
        stem: Algorithm::German,
        stop_words: "der die das den dem des ein eine einen einem einer eines und oder ist sind war waren wird werden hat \
                     haben in im am an auf aus bei mit nach von vom zu zum zur für über unter wie was wer wo wann warum \
                     welche welcher welches wie viel viele nicht auch als es sie er",
        endings: "e en er es em n s st t te ten et est ung ungen lich isch heit keit",
    },
    Language {
        stem: Algorithm::French,
        stop_words: "le la les l un une des du de d et ou est sont était étaient a ont dans en au aux par pour sur avec sans \
                     que qui quoi quel quelle quels quelles quand où comment combien pourquoi il elle ils elles ce cette \
                     ces son sa ses se ne pas plus",
        endings: "s e es er é ée és ées ent ant ement ements ation ations ion ions ité eur eurs euse aux al ale",
    },
    Language {
        stem: Algorithm::Spanish,
        stop_words: "el la los las un una unos unas de del y o es son era eran fue fueron ha han en por para con sin sobre \
                     que qué quién cuál cuáles cuándo dónde cómo cuánto cuántos cuántas se su sus lo al no más como",
        endings: "s es o a os as ar er ir ado ada ados adas ido ida ando iendo ción ciones mente idad idades",
    },
    Language {
        stem: Algorithm::Italian,
        stop_words: "il lo la i gli le un uno una di del della dei delle e o è sono era erano ha hanno in nel nella per con \
                     su che chi quale quali quando dove come quanto quanti quante perché si al alla non più da dal",
        endings: "o a i e are ere ire ato ata ati ate ito ita ando endo zione zioni mente ità",
    },
    Language {
        stem: Algorithm::Portuguese,
        stop_words: "o a os as um uma uns umas de do da dos das e ou é são era eram foi foram tem têm em no na nos nas por \
                     para com sem sobre que quem qual quais quando onde como quanto quantos quantas se seu sua ao não mais",
        endings: "s es o a os as ar er ir ado ada ados adas ido ida ando endo ção ções mente idade idades",
    },
];

/// Shorter words have no other forms worth looking for.
const SHORTEST: usize = 4;

impl Language {
    /// The language whose stop words are most among the words of a query.
    pub(crate) fn of(words: &[String]) -> &'static Self {
        let known = |language: &&Self| words.iter().filter(|word| language.is_stop_word(word)).count();
        // The first of equals: `max_by_key` gives the last.
        LANGUAGES.iter().rev().max_by_key(known).unwrap_or(&LANGUAGES[0])
    }

    /// Whether a word says nothing of what is asked.
    pub(crate) fn is_stop_word(&self, word: &str) -> bool {
        self.stop_words.split_whitespace().any(|stop| stop == word)
    }

    /// The stem of a word in lower case: equal for its forms.
    pub(crate) fn stem(&self, word: &str) -> String {
        Stemmer::new(self.stem).stem(word).into_owned()
    }

    /// What forms of a word might be written like, the word itself first. Each has the word's stem.
    pub(crate) fn forms(&self, word: &str) -> Vec<String> {
        let mut forms = vec![word.to_owned()];
        if word.chars().count() < SHORTEST || !word.chars().all(char::is_alphabetic) {
            return forms;
        }
        let stem = self.stem(word);
        for base in bases(&stem) {
            for ending in std::iter::once("").chain(self.endings.split_whitespace()) {
                let form = format!("{base}{ending}");
                if !forms.contains(&form) && self.stem(&form) == stem {
                    forms.push(form);
                }
            }
        }
        forms
    }
}

/// What endings are put to: the stem; that without a final e; with y for a final i; with its last letter twice.
fn bases(stem: &str) -> Vec<String> {
    let mut bases = vec![stem.to_owned()];
    bases.extend(stem.strip_suffix('e').map(str::to_owned));
    bases.extend(stem.strip_suffix('i').map(|base| format!("{base}y")));
    bases.extend(stem.chars().last().filter(|last| !"aeiouy".contains(*last)).map(|last| format!("{stem}{last}")));
    bases
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_forms_in_the_language_of_the_query() {
        for (query, word, has, has_not) in [
            ("what is the study of planning", "studies", vec!["study", "studies", "studied"], "student"),
            ("which are the plans", "plans", vec!["planning", "planned", "plan"], "plane"),
            ("who measured it", "measured", vec!["measure", "measures", "measuring"], "meadow"),
            ("wie viele häuser sind in der stadt", "häuser", vec!["hauses", "häusern"], "hausen x"),
            ("combien de maisons dans la ville", "maisons", vec!["maison"], "maisonnette"),
            ("cuántas casas son de la ciudad", "casas", vec!["casa"], "casado x"),
            ("ab12", "ab12", vec!["ab12"], "ab12s"),
        ] {
            let words: Vec<String> = query.split(' ').map(str::to_owned).collect();
            let forms = Language::of(&words).forms(word);
            let missing: Vec<_> = has.iter().filter(|form| !forms.iter().any(|f| f == *form)).collect();
            assert!(missing.len() < has.len() && forms[0] == word, "{query}: {forms:?} lacks {missing:?}");
            assert!(!forms.iter().any(|form| form == has_not), "{query}: {forms:?}");
        }
    }
}
