#!/usr/bin/env python3
"""Ranks pages for the development questions of MMLongBench-Doc, within each question's document, and prints hit@k (at
least one gold page among the first k), recall of gold pages and MRR@10, and how long searches took.

usage: retrieval.py INDEX     (an index of the development documents; RECTO_DEV_DATA names the data)

Needs `cargo build --release -p recto --example retrieval`. Standard library only.
"""

import ast
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = pathlib.Path(os.environ.get("RECTO_DEV_DATA", ROOT / "../shared/data")) / "mmlongbench-dev"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    samples = json.loads((DATA / "samples.json").read_text())
    gold = [set(ast.literal_eval(sample["evidence_pages"])) for sample in samples]
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as questions:
        for i, sample in enumerate(samples):
            row = {"query_id": str(i), "doc_id": sample["doc_id"], "question": sample["question"]}
            questions.write(json.dumps(row) + "\n")
        questions.flush()
        command = [ROOT / "target/release/examples/retrieval", sys.argv[1], questions.name]
        lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    rows = [json.loads(line) for line in lines]
    answerable = [
        (row["pages"], gold[int(row["query_id"])])
        for row in rows
        if gold[int(row["query_id"])] and samples[int(row["query_id"])]["answer"] != "Not answerable"
    ]
    report(answerable)
    times = sorted(row["ms"] for row in rows)
    print(f"search time: median {times[len(times) // 2]:.2f} ms, p99 {times[int(len(times) * 0.99)]:.2f} ms")


def report(answerable):
    n = len(answerable)
    print(f"{n} answerable questions with gold pages")
    for k in (1, 3, 5, 10):
        hit = sum(any(page in gold for page in pages[:k]) for pages, gold in answerable) / n
        recall = sum(len(gold & set(pages[:k])) / len(gold) for pages, gold in answerable) / n
        print(f"hit@{k:<3} {hit:.3f}   R@{k:<3} {recall:.3f}")
    ranks = [next((1 / (i + 1) for i, page in enumerate(pages) if page in gold), 0.0) for pages, gold in answerable]
    print(f"MRR@10  {sum(ranks) / n:.3f}")


main()
