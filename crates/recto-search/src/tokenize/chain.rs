//! Forms that span several words: identifiers, dates and compounds with signs between their parts, words broken at a
//! line end, pairs of neighbouring words, and pairs of characters where no spaces are written.

use std::ops::Range;

use super::word::singular;
use super::{Form, Unit};

/// Longer chains are addresses of files and leaders of dots: only their parts are worth finding.
const MAX_PARTS: usize = 8;

/// Gives the forms that begin at each unit: its index, the bytes of `text` it covers, the form and the term.
pub(super) fn forms(
    text: &str,
    units: &[Unit<'_>],
    with_pairs: bool,
    mut add: impl FnMut(usize, Range<usize>, Form, String),
) {
    let gaps: Vec<Gap<'_>> = units.windows(2).map(|pair| Gap::between(text, pair)).collect();
    let mut emit = |from: usize, to: usize, form: Form, term: String| {
        if let (Some(first), Some(last)) = (units.get(from), units.get(to)) {
            add(from, first.range.start..last.range.end, form, term);
        }
    };
    for (i, gap) in gaps.iter().enumerate() {
        match gap {
            Gap::Touching => emit(i, i + 1, Form::Bigram, join(units, &gaps, i..i + 1, Keep::None)),
            Gap::Space if with_pairs => {
                if let Some(pair) = units.get(i..i + 2).and_then(pair) {
                    emit(i, i + 1, Form::Pair, pair);
                }
            }
            Gap::Break => emit(i, i + 1, Form::Joined, join(units, &gaps, i..i + 1, Keep::None)),
            _ => {}
        }
    }
    for chain in stretches(&gaps, Gap::is_sign) {
        emit(chain.start, chain.end, Form::Whole, join(units, &gaps, chain, Keep::All));
    }
    for chain in stretches(&gaps, Gap::is_hyphen) {
        emit(chain.start, chain.end, Form::Whole, join(units, &gaps, chain.clone(), Keep::All));
        emit(chain.start, chain.end, Form::Joined, join(units, &gaps, chain.clone(), Keep::Hyphens));
        emit(chain.start, chain.end, Form::Joined, join(units, &gaps, chain, Keep::None));
    }
}

/// What stands between two units.
enum Gap<'a> {
    /// Nothing that joins them.
    Apart,
    /// Two characters of a script without spaces, side by side or parted by one line end.
    Touching,
    /// One space or line end.
    Space,
    /// A hyphen within a line.
    Hyphen,
    /// A hyphen at the end of a line, with a letter first on the next.
    Break,
    /// Another sign without a space.
    Sign(&'a str),
}

impl<'a> Gap<'a> {
    fn between(text: &'a str, pair: &[Unit<'_>]) -> Self {
        let [left, right] = pair else { return Self::Apart };
        let between = text.get(left.range.end..right.range.start).unwrap_or_default();
        if left.unspaced || right.unspaced {
            let near = matches!(between, "" | "\n" | "\r\n");
            return if near && left.unspaced && right.unspaced { Self::Touching } else { Self::Apart };
        }
        match between {
            "-" => Self::Hyphen,
            " " | "\n" | "\r\n" => Self::Space,
            _ if is_break(between) && right.text.starts_with(char::is_alphabetic) => Self::Break,
            _ if (1..=3).contains(&between.len()) && between.bytes().all(is_sign) => Self::Sign(between),
            _ => Self::Apart,
        }
    }

    const fn is_hyphen(&self) -> bool {
        matches!(self, Self::Hyphen | Self::Break)
    }

    const fn is_sign(&self) -> bool {
        matches!(self, Self::Hyphen | Self::Break | Self::Sign(_))
    }
}

/// Two neighbours as one term. Words of three letters and less are seldom worth a pair in any language; they would
/// only add `of the`.
fn pair(units: &[Unit<'_>]) -> Option<String> {
    let [left, right] = units else { return None };
    let telling =
        |unit: &Unit<'_>| unit.text.chars().nth(3).is_some() || unit.text.contains(|c: char| c.is_ascii_digit());
    (telling(left) && telling(right)).then(|| format!("{} {}", singular(left.text), singular(right.text)))
}

const fn is_sign(byte: u8) -> bool {
    matches!(byte, b'-' | b'/' | b'@' | b'&' | b':' | b'+' | b'.' | b'_' | b'#')
}

fn is_break(between: &str) -> bool {
    between.strip_prefix('-').is_some_and(|rest| {
        rest.bytes().filter(|b| *b == b'\n').count() == 1 && rest.bytes().all(|b| matches!(b, b' ' | b'\r' | b'\n'))
    })
}

/// The longest stretches of units whose gaps all are `wanted`, as first..last unit; too long ones are left out.
fn stretches<'a>(gaps: &[Gap<'a>], wanted: fn(&Gap<'a>) -> bool) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    for i in 0..=gaps.len() {
        if gaps.get(i).is_some_and(wanted) {
            continue;
        }
        if (1..MAX_PARTS).contains(&(i - start)) {
            found.push(start..i);
        }
        start = i + 1;
    }
    found
}

/// Which signs stay when units are joined.
#[derive(Clone, Copy)]
enum Keep {
    All,
    /// Hyphens within lines; those at line ends go.
    Hyphens,
    None,
}

/// The units from `span.start` to `span.end`, both included, as one term.
fn join(units: &[Unit<'_>], gaps: &[Gap<'_>], span: Range<usize>, keep: Keep) -> String {
    let mut term = String::new();
    for i in span.start..=span.end {
        if i > span.start {
            term.push_str(gaps.get(i - 1).map_or("", |gap| sign(gap, keep)));
        }
        term.push_str(units.get(i).map_or("", |unit| unit.text));
    }
    term
}

const fn sign<'a>(gap: &Gap<'a>, keep: Keep) -> &'a str {
    match (gap, keep) {
        (Gap::Sign(sign), Keep::All) => sign,
        (Gap::Hyphen, Keep::All | Keep::Hyphens) | (Gap::Break, Keep::All) => "-",
        _ => "",
    }
}
