//! Right-to-left writing: from the order in which glyphs stand, left to right, to the order in which they are read.

use unicode_bidi::BidiClass;

/// True for letters of scripts that are written from right to left.
pub(crate) fn is_rtl(char: char) -> bool {
    // All of them are from Hebrew on; this spares the look-up for most text.
    char >= '\u{590}' && matches!(unicode_bidi::bidi_class(char), BidiClass::R | BidiClass::AL)
}

/// True if more letters are written from right to left than from left to right.
pub(crate) fn is_mostly_rtl(chars: impl Iterator<Item = char>) -> bool {
    let balance = |char| match char {
        rtl if is_rtl(rtl) => 1,
        letter if letter.is_alphabetic() => -1,
        _ => 0,
    };
    chars.map(balance).sum::<i64>() > 0
}

/// Reorders a line from left-to-right places to reading order. `rtl`: the line as a whole is read from the right.
pub(crate) fn visual_to_logical<T>(items: &mut [T], rtl: bool, char: impl Fn(&T) -> char + Copy) {
    if rtl {
        return reverse(items, char);
    }
    let mut from = 0;
    while let Some(start) = position(items, from, |item| is_rtl(char(item))) {
        let end = end_of_rtl(items, start, char);
        if let Some(run) = items.get_mut(start..end) {
            reverse(run, char);
        }
        from = end;
    }
}

/// Exchanges opening and closing brackets of a right-to-left line in reading order if they are the wrong way round:
/// most fonts say how a bracket looks, not what it means.
pub(crate) fn mirror_brackets<'c>(chars: impl Iterator<Item = &'c mut char>) {
    let brackets: Vec<&mut char> = chars.filter(|char| mirrored(**char).is_some()).collect();
    if brackets.first().is_some_and(|first| matches!(first, ')' | ']' | '}' | '»')) {
        for bracket in brackets {
            *bracket = mirrored(*bracket).unwrap_or(*bracket);
        }
    }
}

fn mirrored(char: char) -> Option<char> {
    const PAIRS: [(char, char); 4] = [('(', ')'), ('[', ']'), ('{', '}'), ('«', '»')];
    PAIRS.iter().find_map(|(open, close)| match char {
        c if c == *open => Some(*close),
        c if c == *close => Some(*open),
        _ => None,
    })
}

fn position<T>(items: &[T], from: usize, is: impl Fn(&T) -> bool) -> Option<usize> {
    items.iter().skip(from).position(is).map(|i| i + from)
}

/// The end of the right-to-left stretch that begins at `start`: after its last letter before a left-to-right one.
fn end_of_rtl<T>(items: &[T], start: usize, char: impl Fn(&T) -> char) -> usize {
    let mut end = start + 1;
    for (i, item) in items.iter().enumerate().skip(start) {
        match class(char(item)) {
            Class::Rtl => end = i + 1,
            Class::Mark if i == end => end = i + 1,
            Class::Letter => break,
            _ => {}
        }
    }
    end
}

/// Reverses the items, but keeps numbers and stretches of left-to-right letters as they are.
fn reverse<T>(items: &mut [T], char: impl Fn(&T) -> char + Copy) {
    items.reverse();
    marks_after_letters(items, char);
    let mut from = 0;
    while let Some(start) = position(items, from, |item| is_ltr(class(char(item)))) {
        let (start, end) = ltr_stretch(items, start, from, char);
        if let Some(run) = items.get_mut(start..end) {
            run.reverse();
        }
        from = end;
    }
}

/// Turns marks that a reversal has put before their letter back.
fn marks_after_letters<T>(items: &mut [T], char: impl Fn(&T) -> char) {
    let mut from = 0;
    while let Some(start) = position(items, from, |item| class(char(item)) == Class::Mark) {
        let letter = position(items, start, |item| class(char(item)) != Class::Mark);
        let end = letter.map_or(items.len(), |i| i + 1);
        if let Some(cluster) = items.get_mut(start..end) {
            cluster.reverse();
        }
        from = end;
    }
}

/// The left-to-right stretch around `start`, not before `floor`.
fn ltr_stretch<T>(items: &[T], start: usize, floor: usize, char: impl Fn(&T) -> char) -> (usize, usize) {
    let classes = |i: usize| items.get(i).map(|item| class(char(item)));
    let mut end = start + 1;
    let mut only_signs = true;
    for i in start + 1..items.len() {
        match classes(i) {
            Some(Class::Rtl) | None => break,
            Some(Class::Other) => only_signs = false,
            Some(Class::Sign | Class::Unit | Class::Mark) => {}
            Some(next) => {
                let letters = next == Class::Letter && classes(end - 1) == Some(Class::Letter);
                if !only_signs && !letters {
                    break;
                }
                (end, only_signs) = (i + 1, true);
            }
        }
    }
    let mut start = start;
    while start > floor && classes(start - 1) == Some(Class::Unit) {
        start -= 1;
    }
    while classes(end) == Some(Class::Unit) && classes(end - 1) != Some(Class::Letter) {
        end += 1;
    }
    (start, end)
}

#[derive(Clone, Copy, PartialEq)]
enum Class {
    Rtl,
    Letter,
    Digit,
    /// Part of a number if it stands between digits: `,`, `-`.
    Sign,
    /// Part of a number that it stands at: `%`, `$`.
    Unit,
    /// Belongs to the letter before it.
    Mark,
    Other,
}

fn is_ltr(class: Class) -> bool {
    matches!(class, Class::Letter | Class::Digit)
}

fn class(char: char) -> Class {
    match unicode_bidi::bidi_class(char) {
        BidiClass::R | BidiClass::AL => Class::Rtl,
        BidiClass::L => Class::Letter,
        BidiClass::EN | BidiClass::AN => Class::Digit,
        BidiClass::ES | BidiClass::CS => Class::Sign,
        BidiClass::ET => Class::Unit,
        BidiClass::NSM => Class::Mark,
        _ => Class::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_left_to_right_is_put_in_reading_order() {
        let check = |visual: &str, want: &str| {
            let mut chars: Vec<char> = visual.chars().collect();
            let rtl = is_mostly_rtl(chars.iter().copied());
            visual_to_logical(&mut chars, rtl, |c| *c);
            assert_eq!(chars.into_iter().collect::<String>(), want);
        };
        check("abc 12", "abc 12");
        check("םולש", "שלום");
        check("12.5 םולש", "שלום 12.5");
        check("50% םולש", "שלום 50%");
        check("םולש ,12", "12, שלום");
        check("55 44 םולש", "שלום 44 55");
        check("PDF file םולש םלוע לכל", "לכל עולם שלום PDF file");
        check("\u{5bc}אב", "בא\u{5bc}");
        check("say םולש now please", "say שלום now please");
    }
}
