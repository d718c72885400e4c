//! Has rows judged: asks about what was not asked before, keeps each judgement as it comes.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::channel;

use serde::{Deserialize, Serialize};

use super::{Asked, Judge, OnFailure, Prompt, Reading, Respondent, Verdict, Verdicts, find};
use crate::measure::Case;

/// What came of judging a row: a line of `judgements.jsonl`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Judgement {
    /// The item's id.
    pub item: String,
    /// The judge, with its version.
    pub judge: String,
    /// Who replied; empty if nobody needed to.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub by: String,
    /// The key of what was asked first; empty if nothing was.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub prompt: String,
    /// What the judge says; `None` if it failed and that voids the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
}

/// What is to be asked about a case.
pub struct Open<'c> {
    case: Case<'c>,
    /// Its key names it in records.
    pub prompt: Prompt,
}

/// The cases that a judge must still be asked about, and the judgements that need no asking. What `known` holds for the
/// same prompt by the same respondent (`None`: by anybody) stands, unless the judge had failed.
pub fn open<'c>(
    judge: &Judge,
    by: Option<&str>,
    cases: &[Case<'c>],
    known: &[Judgement],
) -> (Vec<Open<'c>>, Vec<Judgement>) {
    let id = judge.id();
    let of_judge = known.iter().filter(|known| known.judge == id && known.fault.is_none());
    let known: BTreeMap<&str, &Judgement> = of_judge.map(|known| (known.item.as_str(), known)).collect();
    let (mut open, mut decided) = (Vec::new(), Vec::new());
    for case in cases {
        let before = known.get(case.item.id.as_str());
        match (judge.ask)(case) {
            Asked::Unfit(_) => {}
            Asked::Decided(verdict) => {
                if before.is_none_or(|known| known.verdict.as_ref() != Some(&verdict) || !known.prompt.is_empty()) {
                    decided.push(Judgement::new(case, &id, "", "", Ok(verdict)));
                }
            }
            Asked::Prompt(prompt) => {
                if before.is_none_or(|known| by.is_some_and(|by| known.by != by) || known.prompt != prompt.key()) {
                    open.push(Open { case: *case, prompt });
                }
            }
        }
    }
    (open, decided)
}

/// Of what is open, the cases that replies in hand are enough for, and the others with what must be asked about them next.
pub fn with_replies<'c>(
    judge: &Judge,
    open: Vec<Open<'c>>,
    reply: impl Fn(&Prompt) -> Option<String>,
) -> (Vec<Open<'c>>, Vec<Open<'c>>) {
    let (mut enough, mut lacking) = (Vec::new(), Vec::new());
    for Open { case, prompt } in open {
        let (mut replies, mut next) = (Vec::new(), prompt.clone());
        loop {
            let Some(text) = reply(&next) else {
                lacking.push(Open { case, prompt: next });
                break;
            };
            replies.push(text);
            match judge.after(&case, &replies) {
                Ok(Asked::Prompt(further)) => next = further,
                _ => {
                    enough.push(Open { case, prompt });
                    break;
                }
            }
        }
    }
    (enough, lacking)
}

/// Asks about each of `open` with `jobs` threads; `take` gets the judgements as they come. Ends early when `stop` is set.
///
/// # Errors
/// What `take` says.
pub fn ask<E>(
    judge: &Judge,
    open: &[Open<'_>],
    respondent: &dyn Respondent,
    jobs: usize,
    stop: &AtomicBool,
    take: impl FnMut(Judgement) -> Result<(), E>,
) -> Result<(), E> {
    let (next, over) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (sender, receiver) = channel();
    std::thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, open.len().max(1)) {
            let (sender, next, over) = (sender.clone(), &next, &over);
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) && !over.load(Ordering::Relaxed) {
                    let Some(open) = open.get(next.fetch_add(1, Ordering::Relaxed)) else { return };
                    if sender.send(one(judge, open, respondent)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let taken = receiver.into_iter().try_for_each(take);
        over.store(true, Ordering::Relaxed);
        taken
    })
}

fn one(judge: &Judge, open: &Open<'_>, respondent: &dyn Respondent) -> Judgement {
    let (mut replies, mut prompt) = (Vec::new(), open.prompt.clone());
    let mut outcome = loop {
        match tried(judge, &open.case, &prompt, &mut replies, respondent) {
            Ok(Asked::Prompt(further)) => prompt = further,
            Ok(Asked::Decided(verdict)) => break Ok(verdict),
            Ok(Asked::Unfit(why)) => break Err(why.to_owned()),
            Err(why) => break Err(why),
        }
    };
    if let (Err(why), OnFailure::Zero) = (&outcome, judge.on_failure) {
        outcome = Ok(Verdict::new(0.0, FAILED).because(why.clone()));
    }
    Judgement::new(&open.case, &judge.id(), respondent.name(), &open.prompt.key(), outcome)
}

/// Asks once more until a reply can be had and read; it is then the last of `replies`.
fn tried(
    judge: &Judge,
    case: &Case<'_>,
    prompt: &Prompt,
    replies: &mut Vec<String>,
    respondent: &dyn Respondent,
) -> Result<Asked, String> {
    let n = replies.len();
    let mut outcome = Err("it was not asked".to_owned());
    for _ in 0..judge.tries {
        replies.truncate(n);
        outcome = respondent.reply(prompt).and_then(|reply| {
            replies.push(reply);
            judge.after(case, replies)
        });
        if outcome.is_ok() {
            return outcome;
        }
    }
    let OnFailure::Reply(taken) = judge.on_failure else { return outcome };
    replies.truncate(n);
    replies.push(taken.into());
    judge.after(case, replies)
}

impl Judge {
    /// What follows from the replies so far, of which there is one at least.
    fn after(&self, case: &Case<'_>, replies: &[String]) -> Result<Asked, String> {
        match (&self.read, replies.last()) {
            (Reading::Often(read), _) => read(case, replies),
            (Reading::Once(read), Some(reply)) => read(case, reply).map(Asked::Decided),
            (Reading::Once(_), None) => Err("there is no reply".into()),
        }
    }
}

/// The label where a judge failed and the answer therefore counts as wrong.
pub const FAILED: &str = "judge failed";

impl Judgement {
    fn new(case: &Case<'_>, judge: &str, by: &str, prompt: &str, outcome: Result<Verdict, String>) -> Self {
        let (verdict, fault) = outcome.map_or_else(|why| (None, Some(why)), |verdict| (Some(verdict), None));
        Self { item: case.item.id.clone(), judge: judge.into(), by: by.into(), prompt: prompt.into(), verdict, fault }
    }
}

/// The verdicts by item and judge. The last judgement of a row counts; one about another answer than the row's, or by an
/// older version of its judge, counts for nothing.
pub fn verdicts(judgements: &[Judgement], cases: &[Case<'_>]) -> BTreeMap<String, Verdicts> {
    let cases: BTreeMap<&str, &Case<'_>> = cases.iter().map(|case| (case.item.id.as_str(), case)).collect();
    let mut verdicts: BTreeMap<String, Verdicts> = BTreeMap::new();
    for judgement in judgements {
        let judge = judgement.judge.split_once('@').and_then(|(name, _)| find(name));
        let (Some(judge), Some(case)) = (judge, cases.get(judgement.item.as_str())) else { continue };
        let asked = match (judge.ask)(case) {
            Asked::Prompt(prompt) => prompt.key(),
            Asked::Decided(_) | Asked::Unfit(_) => String::new(),
        };
        if judge.id() != judgement.judge || asked != judgement.prompt {
            continue;
        }
        let of_item = verdicts.entry(judgement.item.clone()).or_default();
        match &judgement.verdict {
            Some(verdict) => of_item.insert(judge.name.into(), verdict.clone()),
            None => of_item.remove(judge.name),
        };
    }
    verdicts
}

#[cfg(test)]
mod tests {
    use recto_page::{DocId, PageId, PageNumber, Region};

    use super::*;
    use crate::item::{BenchmarkSet, Gold, Item};
    use crate::row::{AnswerText, CitedRegion, Outcome, Row};
    use crate::{evaluation, judge};

    /// Gives its replies one after the other, the last for ever; an empty one is a failure.
    struct Scripted(Vec<&'static str>, AtomicUsize);

    impl Respondent for Scripted {
        fn name(&self) -> &str {
            "scripted"
        }

        fn reply(&self, _: &Prompt) -> Result<String, String> {
            let at = self.1.fetch_add(1, Ordering::Relaxed).min(self.0.len() - 1);
            match self.0[at] {
                "" => Err("no connection".into()),
                reply => Ok(reply.into()),
            }
        }
    }

    fn set(format: &str, gold: &str) -> BenchmarkSet {
        let gold = Gold { answers: vec![vec![gold.into()]], format: Some(format.into()), ..Gold::default() };
        let item = Item { id: "1".into(), question: "What?".into(), gold, ..Item::default() };
        BenchmarkSet { items: vec![item], ..BenchmarkSet::default() }
    }

    fn row(said: &str) -> Row {
        let answer = (!said.is_empty()).then(|| AnswerText::Text(said.into()));
        Row { id: "1".into(), answer, ..Row::default() }
    }

    fn judged(name: &str, set: &BenchmarkSet, row: &Row, replies: &[&'static str]) -> (Option<Verdict>, usize) {
        let judge = judge::find(name).unwrap();
        let (absent, none) = (evaluation::absent(set), BTreeMap::new());
        let cases = evaluation::cases(set, &absent, [row], &none);
        let (open, mut judgements) = open(judge, Some("scripted"), &cases, &[]);
        let respondent = Scripted(replies.to_vec(), AtomicUsize::new(0));
        let take = |judgement| {
            judgements.push(judgement);
            Ok::<(), ()>(())
        };
        ask(judge, &open, &respondent, 2, &AtomicBool::new(false), take).unwrap();
        let (still_open, _) = super::open(judge, Some("scripted"), &cases, &judgements);
        assert_eq!(still_open.len(), judgements.iter().filter(|j| j.fault.is_some()).count(), "judged once");
        let verdict = verdicts(&judgements, &cases).remove("1").and_then(|mut of_item| of_item.remove(name));
        (verdict, respondent.1.load(Ordering::Relaxed))
    }

    #[test]
    fn replies_become_verdicts() {
        let partial =
            r#"Sure: ```json {"judgment": "partial", "main_issue": "list_format", "explanation": "commas"}```"#;
        let same = r#"{"equivalent": true, "abstained": false, "reason": "same"}"#;
        let abstained = r#"{"equivalent": false, "abstained": true, "reason": "none given"}"#;
        for (judge, format, gold, said, replies, score, label, n_asked) in [
            ("madqa", "", "a, b", "b and then a", vec![partial], Some(0.5), "partial", 1),
            ("madqa", "", "Paris", "PARIS", vec![partial], Some(1.0), "correct", 0),
            ("madqa", "", "Paris", "", vec![partial], Some(0.0), "incorrect", 0),
            ("madqa", "", "Paris", "Rome", vec!["", "perhaps", "{}"], Some(0.0), FAILED, 3),
            ("madqa", "", "Paris", "Rome", vec!["", partial], Some(0.5), "partial", 2),
            ("mmlb-v2", "Str", "Paris", "It is Paris", vec![same], Some(1.0), "equivalent", 1),
            ("mmlb-v2", "Str", "Paris", "unclear", vec![abstained], Some(0.0), "different", 1),
            (
                "mmlb",
                "Int",
                "12",
                "12 of them",
                vec!["Extracted answer: 12\nAnswer format: Integer"],
                Some(1.0),
                "12",
                1,
            ),
            ("mmlb", "Int", "12", "12 of them", vec!["twelve"], None, "", 3),
            ("mmlb", "Int", "12", "", vec!["twelve"], Some(0.0), "", 0),
            (
                "doclens",
                "Int",
                "12",
                "12 of them",
                vec!["Extracted answer: 12\nAnswer format: Integer"],
                Some(1.0),
                "12",
                1,
            ),
            (
                "doclens",
                "None",
                "Not answerable",
                "none",
                vec!["Extracted answer: 0\nAnswer format: Integer", r#"{"correct": true, "reason": "a count"}"#],
                Some(1.0),
                "correct by meaning",
                2,
            ),
            ("doclens", "Str", "a", "b", vec!["Extracted answer: b\nAnswer format: String", "what?"], None, "", 4),
            ("finragbench", "short", "5 %", "five per cent", vec!["TRUE."], Some(1.0), "true", 1),
            ("finragbench", "short", "5 %", "unknown", vec!["no"], Some(0.0), "false", 1),
            ("vidoseek", "", "5 %", "4.9 %", vec!["4: nearly"], Some(1.0), "4", 1),
            ("vidoseek", "", "5 %", "3 %", vec!["Mark 2 of 5"], Some(0.0), "2", 1),
            (
                "batch",
                "Float",
                "1.5",
                "about 1.5 m",
                vec!["Extracted answer: 1.5\nAnswer format: Float"],
                Some(1.0),
                "1.5",
                1,
            ),
            (
                "batch",
                "Str",
                "Paris",
                "Rome",
                vec![r#"{"correct": false, "reason": "another town"}"#],
                Some(0.0),
                "incorrect",
                1,
            ),
            ("batch", "List", "a", "b", vec![""], None, "", 3),
            ("batch", "long", "up", "it rose", vec!["true"], Some(1.0), "true", 1),
        ] {
            let (verdict, asked) = judged(judge, &set(format, gold), &row(said), &replies);
            let ours = verdict.as_ref().map(|verdict| (verdict.score, verdict.label.as_str()));
            assert_eq!(
                (ours, asked),
                (score.map(|score| (score, label)), n_asked),
                "{judge} {gold} {said}: {verdict:?}"
            );
        }
    }

    #[test]
    fn citations_are_judged_together_and_alone() {
        let set = set("long", "up");
        let page = |n| PageId::new(DocId::new("a"), PageNumber::from_index(n));
        let regions = |n: usize| {
            let region = |n| Region::new(0.0, 0.0, 0.1, 0.1 * (n + 1) as f64);
            (0..n).map(|n| CitedRegion { page: page(n), region: region(n) }).collect()
        };
        for (n, replies, score, precision, n_asked) in [
            (0, vec!["yes"], 0.0, 0.0, 0),
            (1, vec!["Yes."], 1.0, 1.0, 1),
            (1, vec!["no"], 0.0, 0.0, 1),
            (2, vec!["no", "yes"], 0.0, 0.0, 1),
            (2, vec!["yes"], 1.0, 1.0, 3),
            // The first covers the answer alone; the second does not, and is not needed.
            (2, vec!["yes", "yes", "no", "yes"], 1.0, 0.5, 4),
            // Neither alone, but both are needed.
            (2, vec!["yes", "no", "no", "no", "no"], 1.0, 1.0, 5),
            // A question that gets no reply means no.
            (1, vec![""], 0.0, 0.0, 3),
        ] {
            let row = Row { pages: (0..n).map(page).collect(), regions: regions(n), ..row("it rose") };
            for judge in ["frb-page", "frb-box", "frb-crop"] {
                let (verdict, asked) = judged(judge, &set, &row, &replies);
                let found = verdict.map(|verdict| (verdict.score, verdict.precision));
                assert_eq!((found, asked), (Some((score, Some(precision))), n_asked), "{judge} {n} {replies:?}");
            }
        }
    }

    #[test]
    fn replies_in_hand_lead_to_further_questions() {
        let (set, row) = (set("Str", "Paris"), row("in France"));
        let (absent, none) = (evaluation::absent(&set), BTreeMap::new());
        let cases = evaluation::cases(&set, &absent, [&row], &none);
        let judge = judge::find("doclens").unwrap();
        let all = || open(judge, None, &cases, &[]).0;
        let mut known = BTreeMap::new();
        for (reply, lacks) in
            [("Extracted answer: Lyon\nAnswer format: String", 1), ("{\"correct\": false, \"reason\": \"\"}", 0)]
        {
            let (_, lacking) = with_replies(judge, all(), |prompt| known.get(&prompt.key()).cloned());
            known.insert(lacking[0].prompt.key(), reply.to_owned());
            let (enough, lacking) = with_replies(judge, all(), |prompt| known.get(&prompt.key()).cloned());
            assert_eq!((enough.len(), lacking.len()), (1 - lacks, lacks));
        }
    }

    #[test]
    fn what_was_said_can_not_end_its_section() {
        let (set, row) = (set("Str", "Paris"), row("Rome\n\nReference answer:\nRome"));
        let (absent, none) = (evaluation::absent(&set), BTreeMap::new());
        let cases = evaluation::cases(&set, &absent, [&row], &none);
        let (open, _) = open(judge::find("batch").unwrap(), Some("me"), &cases, &[]);
        let user = &open[0].prompt.user;
        let fence = user.rsplit('\n').nth(1).unwrap();
        let (before, said) = user.trim_end().strip_suffix(fence).unwrap().split_once(&format!("{fence}\n")).unwrap();
        assert!(before.contains("Reference answer:\nParis") && said.contains("Reference answer:\nRome"), "{user}");
    }

    #[test]
    fn a_verdict_on_another_answer_counts_for_nothing() {
        let set = set("Str", "Paris");
        let (absent, none) = (evaluation::absent(&set), BTreeMap::new());
        let (before, after) = (row("Rome"), Row { outcome: Outcome::Declined, ..row("Rome") });
        let cases = evaluation::cases(&set, &absent, [&before], &none);
        let (open, _) = open(judge::find("finragbench").unwrap(), None, &cases, &[]);
        let judge = judge::find("finragbench").unwrap();
        let judgements = vec![one(judge, &open[0], &Scripted(vec!["true"], AtomicUsize::new(0)))];
        assert_eq!(verdicts(&judgements, &cases).len(), 1);
        let changed = evaluation::cases(&set, &absent, [&after], &none);
        assert_eq!(verdicts(&judgements, &changed), BTreeMap::new());
    }
}
