//! Glyph names that are none, but spell a character code: `G41` for A.

use hayro::hayro_syntax::object::dict::keys::{DIFFERENCES, ENCODING};
use hayro::hayro_syntax::object::{Array, Dict, Name, Object};

use super::unicode::printable;

/// The characters that the codes of a simple font stand for, if all its glyph names are a letter and two hexadecimal
/// digits, of which one at least is no decimal digit.
pub(super) fn chars_of_codes(font: &Dict<'_>) -> Vec<(u32, char)> {
    let names = differences(font);
    let spelled: Vec<(u32, u8)> = names.iter().filter_map(|(code, name)| Some((*code, spelled_code(name)?))).collect();
    let is_hex = spelled.iter().any(|(_, value)| value & 0x0F > 9 || *value > 0x99);
    if !is_hex || spelled.len() < names.len() {
        return Vec::new();
    }
    spelled.into_iter().filter_map(|(code, value)| Some((code, printable(value.into())?))).collect()
}

/// `G41` is 0x41, as is `G41.alt`.
fn spelled_code(name: &str) -> Option<u8> {
    let base = name.split('.').next()?;
    let (letter, digits) = (base.chars().next()?, base.get(1..)?);
    let is_code = letter.is_ascii_alphabetic() && digits.len() == 2;
    is_code.then(|| u8::from_str_radix(digits, 16).ok()).flatten()
}

fn differences(font: &Dict<'_>) -> Vec<(u32, String)> {
    let mut names = Vec::new();
    let mut code = 0_u32;
    let array = font.get::<Dict<'_>>(ENCODING).and_then(|encoding| encoding.get::<Array<'_>>(DIFFERENCES));
    for object in array.iter().flat_map(Array::iter::<Object<'_>>) {
        match object {
            Object::Number(number) => code = u32::try_from(number.as_i64()).unwrap_or(u32::MAX),
            Object::Name(name) => {
                names.extend((code < 256).then(|| (code, Name::as_str(&name).to_owned())));
                code = code.saturating_add(1);
            }
            _ => {}
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_letter_and_two_digits_spell_a_code() {
        let table =
            [("G41", Some(0x41)), ("a6F.alt", Some(0x6F)), ("A", None), ("g123", None), ("41", None), ("Gé", None)];
        for (name, want) in table {
            assert_eq!(spelled_code(name), want, "{name}");
        }
    }
}
