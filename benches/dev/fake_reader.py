#!/usr/bin/env python3
"""What the pages that are shown to a model are worth: a scripted reader answers right when, and only when, the call that
answers shows it a gold page. Prints the share of answered development questions of MMLongBench-Doc by the length of the
document and the kind of evidence, with calls, pictures and tokens a question.

usage: fake_reader.py INDEX [PAGES [locator]]     (an index of the development documents; RECTO_DEV_DATA names the data)

Needs `cargo build --release -p recto-agent --example fake_reader`, or FAKE_READER naming that program. Standard library only.
"""

import ast
import json
import os
import pathlib
import subprocess
import sys
import tempfile
from collections import defaultdict

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = pathlib.Path(os.environ.get("RECTO_DEV_DATA", ROOT / "../shared/data")) / "mmlongbench-dev"
PROGRAM = os.environ.get("FAKE_READER", ROOT / "target/release/examples/fake_reader")


def main():
    if not 2 <= len(sys.argv) <= 4:
        sys.exit(__doc__)
    index, more = sys.argv[1], sys.argv[2:]
    samples = json.loads((DATA / "samples.json").read_text())
    gold = [ast.literal_eval(sample["evidence_pages"]) for sample in samples]
    runs = [more] if more else [["5"], ["10"], ["5", "locator"], ["10", "locator"]]
    for run in runs:
        report(run, samples, answered(index, run, samples, gold))


def answered(index, run, samples, gold):
    """The rows of the questions that have gold pages and an answer."""
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as questions:
        for i, (sample, pages) in enumerate(zip(samples, gold)):
            if pages and sample["answer"] != "Not answerable":
                row = {"query_id": str(i), "doc_id": sample["doc_id"], "question": sample["question"], "gold": pages}
                questions.write(json.dumps(row) + "\n")
        questions.flush()
        told = subprocess.run([PROGRAM, index, questions.name, *run], check=True, capture_output=True, text=True)
    return [json.loads(line) for line in told.stdout.splitlines()]


def report(run, samples, rows):
    groups = defaultdict(list)
    for row in rows:
        sample = samples[int(row["query_id"])]
        groups["all"].append(row)
        groups[length(row["of"])].append(row)
        for kind in ast.literal_eval(sample["evidence_sources"]):
            groups[kind].append(row)
    print(f"\n{run[0]} pages" + (", with a locator that errs on a tenth of the pages" if len(run) > 1 else ""))
    print(f"{'':28} {'n':>4} {'right':>6} {'calls':>6} {'pictures':>8} {'tokens':>7} {'ms':>6}")
    for name, group in sorted(groups.items(), key=lambda group: (group[0] != "all", group[0])):
        means = [sum(float(row[key]) for row in group) / len(group) for key in ("right", "calls", "images", "tokens", "ms")]
        right, calls, images, tokens, ms = means
        print(f"{name:28} {len(group):>4} {right:>6.3f} {calls:>6.2f} {images:>8.2f} {tokens:>7.0f} {ms:>6.1f}")


def length(pages):
    for most in (20, 50, 100):
        if pages <= most:
            return f"document up to {most:3} pages"
    return "document of more pages"


main()
