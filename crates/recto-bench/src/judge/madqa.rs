//! MADQA's judge (OxRML/MADQA, eval/): correct, partial or incorrect. What is asked follows its rubric, in our words.

use serde::Deserialize;
use serde_json::json;

use super::reply;
use super::{Answered, Asked, Judge, OnFailure, Prompt, Reading, Verdict};
use crate::measure::{Case, answer, madqa};
use crate::row::AnswerText;

/// Three tries; a failure counts as incorrect. ANLS* of 1 needs no judge.
pub(super) const JUDGE: Judge = Judge {
    name: "madqa",
    version: 1,
    about: "MADQA: correct 1, partial 0.5, incorrect 0",
    tries: 3,
    on_failure: OnFailure::Zero,
    ask,
    read: Reading::Once(read),
};

/// A longer answer, as JSON, scores 0 unseen.
const MOST_CHARACTERS: usize = 2_000;

#[derive(Deserialize)]
struct Reply {
    judgment: Judgment,
    #[serde(default)]
    main_issue: String,
    #[serde(default)]
    explanation: String,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "snake_case")]
enum Judgment {
    Correct,
    Partial,
    Incorrect,
}

fn ask(case: &Case) -> Asked {
    let Some(answered) = Answered::of(case).filter(|_| !case.item.gold.answers.is_empty()) else {
        return Asked::Unfit("no answer is known");
    };
    let Some(said) = answer::given(case.row).filter(|said| !answer::is_empty(said)) else {
        return Asked::Decided(Verdict::new(0.0, "incorrect").because("no answer"));
    };
    if as_json(said).chars().count() > MOST_CHARACTERS {
        return Asked::Decided(Verdict::new(0.0, "incorrect").because("the answer is too long"));
    }
    if madqa::score(said, &case.item.gold.answers) >= 1.0 {
        return Asked::Decided(Verdict::new(1.0, "correct").because("equal to a right answer"));
    }
    let issues = [
        "none",
        "refusal",
        "wrong_content",
        "missing_unit",
        "no_yes_no",
        "list_format",
        "verbosity_medium",
        "verbosity_high",
    ];
    Asked::Prompt(Prompt {
        system: include_str!("prompts/madqa.md").into(),
        user: answered.sections(),
        schema: Some(json!({
            "type": "object",
            "properties": {
                "judgment": {"type": "string", "enum": ["correct", "partial", "incorrect"]},
                "main_issue": {"type": "string", "enum": issues},
                "explanation": {"type": "string"},
            },
            "required": ["judgment", "main_issue", "explanation"],
            "additionalProperties": false,
        })),
        pictures: Vec::new(),
    })
}

fn as_json(said: &AnswerText) -> String {
    serde_json::to_string(said).unwrap_or_default()
}

fn read(_: &Case, text: &str) -> Result<Verdict, String> {
    let Reply { judgment, main_issue, explanation } = reply::object(text)?;
    let (score, label) = match judgment {
        Judgment::Correct => (1.0, "correct"),
        Judgment::Partial => (0.5, "partial"),
        Judgment::Incorrect => (0.0, "incorrect"),
    };
    let reason = if main_issue.is_empty() || main_issue == "none" {
        explanation
    } else {
        format!("{main_issue}: {explanation}")
    };
    Ok(Verdict::new(score, label).because(reason))
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::item::{Gold, Item};
    use crate::judge::Verdicts;
    use crate::row::Row;

    fn said(value: &Value) -> AnswerText {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        match value {
            Value::Object(repeated) => {
                let n = repeated["n"].as_u64().unwrap() as usize;
                AnswerText::Text(text(&repeated["repeat"]).repeat(n))
            }
            Value::Array(entries) => AnswerText::List(entries.iter().map(text).collect()),
            value => AnswerText::Text(text(value)),
        }
    }

    #[test]
    fn golden_gate() {
        let file: Value = serde_json::from_str(include_str!("../../tests/golden/madqa_metrics.json")).unwrap();
        let vectors = file["vectors"]["gate"].as_array().unwrap();
        for vector in vectors {
            let answers = serde_json::from_value(vector["answer_variants"].clone()).unwrap();
            let item = Item { gold: Gold { answers, ..Gold::default() }, ..Item::default() };
            let row = Row { answer: Some(said(&vector["predicted"])), ..Row::default() };
            let asked = ask(&Case { item: &item, row: &row, verdicts: &Verdicts::new() });
            // Without a question the reference keeps ANLS*; every item has one here, so its judge is asked.
            if vector["note"].as_str().unwrap().starts_with("imperfect") {
                assert!(matches!(asked, Asked::Prompt(_)), "{vector}");
                continue;
            }
            let Asked::Decided(verdict) = asked else { panic!("{vector}") };
            assert_eq!(Some(verdict.score), vector["result"]["score"].as_f64(), "{vector}");
        }
        assert_eq!(vectors.len(), 6);
    }
}
