#!/usr/bin/env python3
"""Scores predictions on the development questions of MMLongBench-Doc by its rules.

Not the full evaluation: no model extracts a short answer from a long one first, so the answer is scored as it stands.
Data: `mmlongbench-dev/samples.json` under RECTO_DEV_DATA (default `../shared/data`). With `--facts DIR` (default
`../shared/facts`) the rules are first checked against the golden vectors of that folder.

usage: score_mmlongbench.py PREDICTIONS.jsonl [--facts DIR] [--answers {all,wrong,right}]
A prediction is {"query_id": row number of samples.json from 0, as text, "answer": text, "pages": [1-based]}.
"""
import argparse
import ast
import json
import os
import re
import sys
from collections import defaultdict
from pathlib import Path

DECLINE = "Not answerable"


def levenshtein(a, b):
    row = list(range(len(b) + 1))
    for i, ca in enumerate(a, 1):
        row, last = [i], row
        for j, cb in enumerate(b, 1):
            row.append(min(last[j] + 1, row[-1] + 1, last[j - 1] + (ca != cb)))
    return row[-1]


def anls(gold, pred):
    """1 - distance / longer length; up to one half counts as nothing."""
    longest = max(len(gold), len(pred))
    value = 1.0 - (levenshtein(gold, pred) / longest if longest else 0.0)
    return value if value > 0.5 else 0.0


def clean(value):
    text = str(value).lower().strip()
    text = re.sub(r"\s*\([^)]*\)", "", text).strip()
    text = re.sub(r"^['\"]|['\"]$", "", text).strip()
    return text.lstrip("$").strip().rstrip("%").strip()


EXACT_PATTERNS = (
    r"\b\d+(-\d+|\s\d+)?\b",
    r"\b\d{4}[-\s]\d{2}[-\s]\d{2}\b",
    r"\b\d{4}[-\s]\d{2}\b",
    r"[a-zA-Z0-9._%+-]+@[a-zA-Z0-9.-]+\.[a-zA-Z]{2,}",
)


def is_exact(text):
    if "https://" in text or text.endswith((".py", "ipynb")) or text.startswith("page"):
        return True
    if "a.m." in text or "p.m." in text:
        return True
    return any(re.fullmatch(p, text) for p in EXACT_PATTERNS)


def is_float(text):
    try:
        float(text)
        return True
    except (TypeError, ValueError):
        return False


def places(number):
    text = str(number)
    return len(text.split(".")[-1]) if "." in text else 3


def float_equal(gold, pred):
    gold, pred = float(str(gold).strip().rstrip("%")), float(str(pred).strip().rstrip("%"))
    for reference in (gold / 100, gold, gold * 100):
        if abs(reference - pred) <= 0.01 * max(abs(reference), abs(pred)):
            return True
        digits = max(min(places(pred), places(reference)), 2)
        if round(pred, digits) == round(reference, digits):
            return True
    return False


def score_int(gold, pred):
    try:
        gold, pred = int(gold), int(float(pred))
    except (TypeError, ValueError, OverflowError):
        return 0.0
    return float(gold == pred)


def score_float(gold, pred):
    gold = clean(gold)
    try:
        pred = float(clean(pred))
    except ValueError:
        return 0.0
    return float(float_equal(gold, pred))


def score_text(gold, pred):
    gold, pred = clean(gold), clean(pred)
    return float(gold == pred) if is_exact(gold) else anls(gold, pred)


def as_list(value):
    if isinstance(value, str) and value.startswith("["):
        value = ast.literal_eval(value)
    return value if isinstance(value, list) else [value]


def score_list(gold, pred):
    gold, pred = as_list(gold), as_list(pred)
    if len(gold) != len(pred):
        return 0.0
    gold, pred = sorted(map(clean, gold)), sorted(map(clean, pred))
    if is_float(gold[0]) or is_exact(gold[0]):
        return float("-".join(gold) == "-".join(pred))
    return min(anls(g, p) for g, p in zip(gold, pred))


def score(gold, pred, form):
    rules = {"Int": score_int, "Float": score_float, "Str": score_text, "None": score_text}
    return float(rules.get(form, score_list)(gold, pred))


def safe_score(gold, pred, form):
    try:
        return score(gold, pred, form)
    except (ValueError, SyntaxError, IndexError, TypeError):
        return 0.0


def check_rules(path):
    """Number of golden vectors that fail."""
    failed = 0
    vectors = json.loads(path.read_text())["vectors"]
    for v in vectors:
        try:
            got = score(v["gt"], v["pred"], v["answer_format"])
        except Exception as error:  # the reference raises too on these
            got = type(error).__name__
        want = v.get("score", v.get("error"))
        if not (got == want or isinstance(got, float) and isinstance(want, float) and abs(got - want) < 1e-9):
            if "error" in v and isinstance(got, str):
                continue
            failed += 1
            print(f"rule differs: {v} got {got}", file=sys.stderr)
    print(f"rules: {len(vectors) - failed} of {len(vectors)} golden vectors agree", file=sys.stderr)
    return failed


def mean(values):
    return sum(values) / len(values) if values else 0.0


def report(samples, predictions):
    scores, by_form = [], defaultdict(list)
    answerable, page_hits = [], []
    declined = {True: 0, False: 0}
    for number, sample in enumerate(samples):
        pred = predictions.get(str(number), {"answer": DECLINE, "pages": []})
        value = safe_score(sample["answer"], pred["answer"], sample["answer_format"])
        scores.append(value)
        by_form[sample["answer_format"]].append(value)
        has_answer = sample["answer_format"] != "None"
        declined[has_answer] += pred["answer"] == DECLINE
        if has_answer:
            answerable.append(value)
            gold_pages = set(as_list(sample["evidence_pages"]))
            if pred["answer"] != DECLINE and gold_pages:
                page_hits.append(float(bool(gold_pages & set(pred["pages"]))))
    n_none = len(samples) - len(answerable)
    print(f"accuracy            {mean(scores):.4f}  ({len(samples)} questions)")
    print(f"  on answerable     {mean(answerable):.4f}  ({sum(answerable):.1f} of {len(answerable)})")
    print(f"right declines      {declined[False]} of {n_none} unanswerable")
    print(f"wrong declines      {declined[True]} of {len(answerable)} answerable")
    print(f"page hit            {mean(page_hits):.4f}  ({len(page_hits)} answered with gold pages)")
    for form, values in sorted(by_form.items()):
        print(f"  {form:<6} {mean(values):.4f}  ({sum(values):.1f} of {len(values)})")
    return scores


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("predictions", type=Path)
    parser.add_argument("--facts", type=Path, default=Path("../shared/facts"))
    parser.add_argument("--answers", choices=["all", "wrong", "right"], help="list the answers that were given")
    args = parser.parse_args()
    golden = args.facts / "golden" / "mmlongbench_eval_score.json"
    if golden.exists() and check_rules(golden):
        return 1
    data = Path(os.environ.get("RECTO_DEV_DATA", "../shared/data"))
    samples = json.loads((data / "mmlongbench-dev" / "samples.json").read_text())
    rows = [json.loads(line) for line in args.predictions.read_text().splitlines() if line.strip()]
    predictions = {row["query_id"]: row for row in rows}
    scores = report(samples, predictions)
    for number, (sample, value) in enumerate(zip(samples, scores)):
        pred = predictions.get(str(number), {"answer": DECLINE, "pages": []})
        wanted = args.answers == "all" or args.answers and (value > 0) == (args.answers == "right")
        if wanted and pred["answer"] != DECLINE:
            print(f"{number} {value:.2f} {sample['question']!r}\n    got {pred['answer']!r} {pred['pages']}, "
                  f"right {sample['answer']!r} {sample['evidence_pages']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
