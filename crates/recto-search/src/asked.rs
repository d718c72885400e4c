//! What a question says about the form of its answer, which is no part of what it asks. Not what the question means.

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
pub fn asked(text: &str) -> String {
    let mut kept = String::new();
    for sentence in sentences(text) {
        if kept.trim().is_empty() || !is_instruction(sentence) {
            kept.push_str(sentence);
        }
    }
    let cut = [", e.g.", "(e.g.", ", for example", "(for example"].iter().filter_map(|e| kept.find(e)).min();
    kept.truncate(cut.unwrap_or(kept.len()));
    kept.trim().to_owned()
}

fn is_instruction(sentence: &str) -> bool {
    let lower = sentence.trim_start().to_lowercase();
    let begins = |words: &&str| lower.strip_prefix(words).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
    INSTRUCTIONS.iter().any(begins)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_form_of_the_answer_is_no_part_of_the_question() {
        for (text, want) in [
            ("How many mills are there? Please write the answer as a list.", "How many mills are there?"),
            ("What is the toll?Answer in crowns, round to two decimal places.", "What is the toll?"),
            ("Format the date of the flood. Which year was it?", "Format the date of the flood. Which year was it?"),
            ("List the mills, e.g. [\"a\", \"b\"]", "List the mills"),
            ("What did Mr. Weir use? Use one word.", "What did Mr. Weir use?"),
            ("Who owns the weir? Users or the town?", "Who owns the weir? Users or the town?"),
            ("", ""),
            (" ? ", "?"),
        ] {
            assert_eq!(asked(text), want, "{text:?}");
        }
    }
}
