//! Tables whose cells can be bars or heat: bars scale with the page, and stay text for those who can't see them.

use super::esc;
use crate::evaluation::MeasureScores;
use crate::report::text::number;

/// A table with a head; the first cell of a row names it. Cells are HTML. Empty without rows.
pub(super) fn table(head: &[String], rows: &[(String, Vec<String>)]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let head: String = head.iter().map(|name| format!("<th scope=\"col\">{}</th>", esc(name))).collect();
    let row = |(name, cells): &(String, Vec<String>)| {
        format!("<tr><th scope=\"row\">{}</th>{}</tr>\n", esc(name), cells.concat())
    };
    let rows: String = rows.iter().map(row).collect();
    format!(
        "<div class=\"wide\" tabindex=\"0\"><table><thead><tr>{head}</tr></thead><tbody>\n{rows}</tbody></table></div>\n"
    )
}

/// A plain cell of numbers.
pub(super) fn cell(text: &str) -> String {
    format!("<td>{}</td>", esc(text))
}

/// A share with its bar, and a remark behind it.
pub(super) fn bar(value: f64, text: &str, remark: &str) -> String {
    let remark = if remark.is_empty() { String::new() } else { format!(" <small>{}</small>", esc(remark)) };
    match (0.0..=1.0).contains(&value) {
        true => format!("<td class=\"bar\" style=\"--v:{:.1}%\">{}{remark}</td>", value * 100.0, esc(text)),
        false => format!("<td>{}{remark}</td>", esc(text)),
    }
}

/// A share as heat: −1 to 1, below 0 in the other colour.
pub(super) fn heat(value: Option<f64>, text: &str, remark: &str) -> String {
    let size = value.unwrap_or_default().abs().min(1.0) * 60.0;
    let class = if value.is_some_and(|value| value < 0.0) { "heat less" } else { "heat" };
    format!("<td class=\"{class}\" style=\"--v:{size:.1}%\">{} <small>{}</small></td>", esc(text), esc(remark))
}

/// A measure's score with its interval, and how many items it rests on if not on all.
pub(super) fn score(scores: Option<&MeasureScores>, n_items: usize) -> String {
    let Some(scores) = scores else { return cell("") };
    let Some(value) = scores.value else { return cell("not scored") };
    let interval = scores.interval.map(|(low, high)| format!("{} to {}", number(low), number(high)));
    let n = (scores.n != n_items).then(|| format!("n {}", scores.n));
    let remark: Vec<String> = interval.into_iter().chain(n).collect();
    bar(value, &number(value), &remark.join(", "))
}
