//! Words of scripts without spaces, cut where a number and its unit stand, so that both can be found. Not a segmenter:
//! the rest of a clause stays one word.

use recto_page::{Region, TextLayer, Word};

use super::measure;
use super::term::is_spaceless;

/// A layer in which numbers and units of scripts without spaces are words of their own; digits set wide apart are
/// joined. `aspect` is width over height of the page.
pub(crate) fn cut(layer: TextLayer, aspect: f32) -> TextLayer {
    if !layer.words.iter().any(|w| w.text.contains(is_spaceless)) {
        return layer;
    }
    let mut new = TextLayer { words: Vec::new(), lines: layer.lines, blocks: layer.blocks };
    for line in &mut new.lines {
        let start = new.words.len();
        for i in line.words.clone() {
            let Some(word) = layer.words.get(i) else { continue };
            let text = |i: Option<usize>| i.and_then(|i| layer.words.get(i)).map_or("", |w| w.text.as_str());
            let pieces = parts(&word.text, text(i.checked_sub(1)), text(i.checked_add(1)));
            for piece in placed(word, &pieces) {
                match new.words[start..].last_mut() {
                    Some(last) if continues(last, &piece, aspect) => {
                        last.region = last.region.union(&piece.region);
                        last.text += &piece.text;
                    }
                    _ => new.words.push(piece),
                }
            }
        }
        line.words = start..new.words.len();
    }
    new
}

/// Joins words as they are written: no space where a script without spaces goes on.
pub(crate) fn joined<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let mut text = String::new();
    let close = |c: char| is_spaceless(c) || "，。、：；（）％".contains(c);
    for word in words {
        if text.chars().next_back().zip(word.chars().next()).is_some_and(|(a, b)| !(close(a) || close(b))) {
            text.push(' ');
        }
        text += word;
    }
    text
}

/// True if both are digits and no wider apart than a digit.
fn continues(last: &Word, piece: &Word, aspect: f32) -> bool {
    let digits = |text: &str| text.chars().all(|c| c.is_ascii_digit() || "．.-％%".contains(c));
    let gap = (piece.region.left() - last.region.right()) * aspect;
    digits(&last.text) && digits(&piece.text) && gap < 0.6 * last.region.height()
}

/// The pieces of a word with their share of its region, by characters.
fn placed(word: &Word, pieces: &[String]) -> Vec<Word> {
    let total = word.text.chars().count().max(1) as f64;
    let [left, top, right, bottom] = word.region.ltrb().map(f64::from);
    let mut at = 0.0;
    let place = |text: &String| {
        let from = left + (right - left) * at / total;
        at += text.chars().count() as f64;
        let region = Region::new(from, top, left + (right - left) * at / total, bottom);
        Word { text: text.clone(), region }
    };
    pieces.iter().map(place).collect()
}

/// Cuts a word at numbers that a unit follows, at digits, and after punctuation.
fn parts(word: &str, before: &str, after: &str) -> Vec<String> {
    if !word.contains(is_spaceless) {
        return vec![word.to_owned()];
    }
    let chars: Vec<char> = word.chars().collect();
    let mut pieces = vec![String::new()];
    let mut i = if before.ends_with(|c: char| c.is_ascii_digit() || HAN.contains(c)) { unit(&chars) } else { 0 };
    pieces.push(chars[..i].iter().collect());
    pieces.push(String::new());
    while i < chars.len() {
        let n = number(&chars, i, after);
        if n > 0 {
            let end = i + n + unit(&chars[i + n..]);
            pieces.push(chars[i..i + n].iter().collect());
            pieces.push(chars[i + n..end].iter().collect());
            pieces.push(String::new());
            i = end;
        } else {
            pieces.last_mut().unwrap_or(&mut String::new()).push(chars[i]);
            if "，。；：、！？".contains(chars[i]) {
                pieces.push(String::new());
            }
            i += 1;
        }
    }
    pieces.retain(|p| !p.is_empty());
    pieces
}

const HAN: &str = "零一二两三四五六七八九十百千万";

/// Length of the number at `i`: ASCII digits, or Han numerals before a unit that no `第` makes an ordinal.
fn number(chars: &[char], i: usize, after: &str) -> usize {
    let rest = chars.get(i..).unwrap_or_default();
    let digits = rest.iter().take_while(|c| c.is_ascii_digit() || **c == '.').count();
    if digits > 0 && rest[0].is_ascii_digit() {
        return digits;
    }
    let numerals = rest.iter().take_while(|c| HAN.contains(**c)).count();
    let reads = super::number::spelt(&rest[..numerals].iter().collect::<String>()).is_some();
    let ordinal = i > 0 && (chars[i - 1] == '第' || HAN.contains(chars[i - 1]));
    let following: Vec<char> = rest[numerals..].iter().copied().chain(after.chars()).take(4).collect();
    if ordinal || !reads || unit(&following) == 0 { 0 } else { numerals }
}

/// Length of the longest unit at the beginning.
fn unit(chars: &[char]) -> usize {
    let is_unit =
        |n: &usize| chars.get(..*n).is_some_and(|c| measure::of_unit(&c.iter().collect::<String>()).is_some());
    (1..=4).rev().find(is_unit).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_units_are_cut_out() {
        let table: &[(&str, &str, &str, &[&str])] = &[
            ("滤芯可用三年，到期更换", "", "", &["滤芯可用", "三", "年", "，", "到期更换"]),
            ("保修期为五", "", "年。", &["保修期为", "五"]),
            ("建于2010年", "", "", &["建于", "2010", "年"]),
            ("补贴一百五十元", "", "", &["补贴", "一百五十", "元"]),
            ("预算四十万元", "", "", &["预算", "四十万", "元"]),
            ("百年老店", "", "", &["百年老店"]),
            ("第三年统一检查", "", "", &["第三年统一检查"]),
            ("升，其余", "40", "", &["升", "，", "其余"]),
            ("plain", "", "", &["plain"]),
        ];
        for (word, before, after, want) in table {
            assert_eq!(parts(word, before, after), *want, "{word}");
        }
    }
}
