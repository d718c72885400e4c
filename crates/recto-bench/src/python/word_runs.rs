//! `re.findall(r"\w+", text.lower())`: runs of letters, numbers and underscores.

use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

/// The runs, in order.
pub fn word_runs(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    lower.split(|c| !is_word(c)).filter(|run| !run.is_empty()).map(str::to_owned).collect()
}

/// `\w`: letters and numbers by their category. Marks and circled letters, which Unicode calls alphabetic, are none.
fn is_word(c: char) -> bool {
    c == '_' || matches!(c.general_category_group(), GeneralCategoryGroup::Letter | GeneralCategoryGroup::Number)
}
