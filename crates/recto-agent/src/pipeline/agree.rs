//! Whether two answers say the same.

use std::collections::BTreeSet;

use super::ask::Said;

/// Words that turn an answer round.
const TURNS: [&str; 8] = ["no", "not", "never", "none", "without", "non", "kein", "nicht"];

/// Whether two answers, both given or both declined, say the same: the same things whatever their order, or the same
/// numbers and no word that the longer one does not have.
pub(super) fn agree(first: &Said, second: &Said) -> bool {
    if !first.is_answered() && !second.is_answered() {
        return true;
    }
    let several = |said: &Said| said.items.len() > 1;
    if several(first) && several(second) {
        return things(first) == things(second);
    }
    same(&text(first), &text(second))
}

fn text(said: &Said) -> String {
    if said.answer.trim().is_empty() { said.items.join(", ") } else { said.answer.clone() }
}

fn things(said: &Said) -> BTreeSet<String> {
    said.items.iter().map(|item| words(item).concat()).collect()
}

fn same(first: &str, second: &str) -> bool {
    let (first, second) = (words(first), words(second));
    if first.concat() == second.concat() {
        return true;
    }
    let (short, long) = if first.len() <= second.len() { (first, second) } else { (second, first) };
    let mut more = long.iter().filter(|word| !short.contains(word));
    !short.is_empty()
        && short.iter().all(|word| long.contains(word))
        && !more.any(|word| TURNS.contains(&word.as_str()) || word.contains(|c: char| c.is_ascii_digit()))
}

/// Words in lower case; numbers without what groups their digits.
fn words(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.to_lowercase().chars().collect();
    let digit = |at: usize| chars.get(at).is_some_and(char::is_ascii_digit);
    let mut cleaned = String::new();
    for (at, c) in chars.iter().enumerate() {
        let between = at > 0 && digit(at - 1) && digit(at + 1);
        match c {
            ',' if between => {}
            '.' if between => cleaned.push('.'),
            '-' if digit(at + 1) && !(at > 0 && chars.get(at - 1).is_some_and(|c| c.is_alphanumeric())) => {
                cleaned.push('-');
            }
            '%' => cleaned.push_str(" % "),
            c if c.is_alphanumeric() => cleaned.push(*c),
            _ => cleaned.push(' '),
        }
    }
    cleaned.split_whitespace().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_agree_in_substance() {
        let table = [
            ("35 crowns", "35 Crowns.", true),
            ("35", "The toll is 35 crowns", true),
            ("1,250", "1250", true),
            ("12.5%", "12.5 %", true),
            ("35", "36", false),
            ("-3", "3", false),
            ("1.5", "15", false),
            ("In 1911", "Between 1911 and 1912", false),
            ("increase", "no increase", false),
            ("Harrow", "Tower", false),
            ("利润", "利润", true),
        ];
        for (first, second, want) in table {
            let said = |text: &str| Said { status: "answered".into(), answer: text.into(), ..Said::default() };
            assert_eq!(agree(&said(first), &said(second)), want, "{first} / {second}");
            assert_eq!(agree(&said(second), &said(first)), want, "{second} / {first}");
        }
    }

    #[test]
    fn lists_agree_in_any_order() {
        let list = |items: &[&str]| Said {
            status: "answered".into(),
            items: items.iter().map(|item| (*item).to_owned()).collect(),
            ..Said::default()
        };
        assert!(agree(&list(&["Oak", "elm"]), &list(&["Elm", "oak"])));
        assert!(!agree(&list(&["oak", "elm"]), &list(&["oak", "elm", "ash"])));
    }
}
