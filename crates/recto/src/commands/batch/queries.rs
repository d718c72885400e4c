//! The questions of a batch: one a line, with `query_id`, `doc_id` and `question`.

use std::collections::BTreeSet;

use recto_page::DocId;

use super::fields::{rows, text};

/// A question; one that can't be read has only its name and gets a decline.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Query {
    pub(super) id: String,
    /// The document asked about; the whole corpus if the row names none.
    pub(super) doc: Option<DocId>,
    /// The question, or why there is none.
    pub(super) question: Result<String, String>,
}

/// The questions in the order of the file, and what is wrong with its rows. Of two rows of one name the first counts.
pub(super) fn parse(file: &str) -> (Vec<Query>, Vec<String>) {
    let (mut queries, mut complaints) = (Vec::new(), Vec::new());
    let mut seen = BTreeSet::new();
    for (line, row) in rows(file) {
        let row = match row {
            Ok(row) => row,
            Err(why) => {
                complaints.push(format!("line {line}: {why}"));
                // A torn row may still tell its name.
                let torn = file.lines().nth(line - 1).and_then(torn_id);
                queries.extend(torn.filter(|id| seen.insert(id.clone())).map(|id| Query {
                    id,
                    doc: None,
                    question: Err(why),
                }));
                continue;
            }
        };
        let Some(id) = text(&row, &["query_id", "id", "qid"]) else {
            complaints.push(format!("line {line}: it has no query_id"));
            continue;
        };
        if !seen.insert(id.clone()) {
            complaints.push(format!("line {line}: query_id {id:?} was there before; the first counts"));
            continue;
        }
        let question = text(&row, &["question", "query"]).ok_or_else(|| "it has no question".to_owned());
        if let Err(why) = &question {
            complaints.push(format!("line {line}: {why}"));
        }
        queries.push(Query { id, doc: text(&row, &["doc_id", "document_id"]).map(DocId::new), question });
    }
    (queries, complaints)
}

/// The `query_id` of a row that is no JSON any more: the text behind that key.
fn torn_id(line: &str) -> Option<String> {
    let (_, rest) = line.split_once("\"query_id\"")?;
    let value = rest.trim_start().strip_prefix(':')?.trim_start().strip_prefix('"')?;
    let id = value.split_once('"')?.0;
    (!id.is_empty() && !id.contains('\\')).then(|| id.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_that_tells_its_name_gets_a_place() {
        let file = "{\"query_id\": \"q1\", \"doc_id\": \"a\", \"question\": \"Why?\", \"x\": 1}\n\
                    {\"query_id\": 2, \"doc_id\": 7, \"question\": \"\"}\n\nnonsense\n\
                    {\"query_id\": \"q3\", \"question\": \"cut off\n\
                    {\"query_id\": \"q4\", \"doc_id\": \"a\"}\n{\"question\": \"who am I\"}\n{\"query_id\": \"q1\"}";
        let (queries, complaints) = parse(file);
        let ids: Vec<_> = queries.iter().map(|q| (q.id.as_str(), q.question.is_ok())).collect();
        assert_eq!(ids, [("q1", true), ("2", true), ("q3", false), ("q4", false)]);
        assert_eq!(queries[1].doc, Some(DocId::new("7")));
        let lines: Vec<_> = complaints.iter().map(|c| c.split(':').next().unwrap()).collect();
        assert_eq!(lines, ["line 4", "line 5", "line 6", "line 7", "line 8"]);
    }
}
