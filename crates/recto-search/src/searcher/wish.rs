//! What kind of page a question asks for, by the words that it is asked in: one with a figure, or one with a table since
//! something is counted.

use crate::tokenize::{Form, Token};

/// Words for figures, their singular and plural.
const FIGURES: &str = "figure figures fig chart charts graph graphs plot plots diagram diagrams image images picture pictures \
                       photo photos photograph photographs map maps logo logos illustration illustrations screenshot \
                       screenshots color colors colour colours icon icons drawing drawings painting paintings cover \
                       abbildung abbildungen diagramm bild foto karte graphique carte image figura gráfico imagen mapa \
                       grafico immagine foto mappa imagem";

/// Words in a row that ask for a number.
const AMOUNTS: [&str; 14] = [
    "how many",
    "how much",
    "percent",
    "percentage",
    "number of",
    "the total",
    "the average",
    "the difference",
    "the ratio",
    "the value",
    "wie viele",
    "combien",
    "cuántos",
    "quanti",
];

/// Whether a figure is asked for.
pub(super) fn is_for_figure(query: &[Token]) -> bool {
    words(query).any(|word| FIGURES.split_whitespace().any(|figure| figure == word))
}

/// Whether something is counted.
pub(super) fn is_for_amount(query: &[Token]) -> bool {
    let text = format!(" {} ", words(query).collect::<Vec<_>>().join(" "));
    let is_percentage = query.iter().any(|token| token.form == Form::Value && token.term.ends_with('%'));
    is_percentage || AMOUNTS.iter().any(|amount| text.contains(&format!(" {amount} ")))
}

fn words(query: &[Token]) -> impl Iterator<Item = &str> {
    query.iter().filter(|token| token.form == Form::Word).map(|token| token.term.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokenize::tokens;

    #[test]
    fn questions_ask_for_figures_and_amounts() {
        for (question, figure, amount) in [
            ("What is the color of the logo?", true, false),
            ("How many people were asked?", false, true),
            ("Which share is 12 % in the pie chart?", true, true),
            ("Who wrote the report?", false, false),
            ("Wie viele Mühlen zeigt die Karte?", true, true),
        ] {
            let tokens = tokens(question);
            assert_eq!((is_for_figure(&tokens), is_for_amount(&tokens)), (figure, amount), "{question}");
        }
    }
}
