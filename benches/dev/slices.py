#!/usr/bin/env python3
"""R@1 and R@5 of runs on the development questions by document type and source of evidence, with 95 % intervals by
bootstrap over documents, as rows of Markdown.

usage: slices.py RECTO samples.json RUN...    (RECTO: the program; RUN: folders of `recto bench run`)
"""

import ast
import json
import random
import subprocess
import sys
from collections import defaultdict

recto, samples, *runs = sys.argv[1:]
MEASURES = ["R@1", "R@5"]
ROUNDS = 2000


def scores(run):
    asked = [recto, "bench", "score", run, "--json"] + [part for name in MEASURES for part in ("-m", name)]
    told = json.loads(subprocess.run(asked, check=True, capture_output=True, text=True).stdout)
    return {measure["measure"]: measure["items"] for measure in told["measures"]}


def interval(rows):
    """Of the mean of (document, value), documents drawn anew."""
    by_document = defaultdict(list)
    for document, value in rows:
        by_document[document].append(value)
    groups = [(sum(values), len(values)) for _, values in sorted(by_document.items())]
    draw = random.Random(0)
    means = []
    for _ in range(ROUNDS):
        drawn = draw.choices(groups, k=len(groups))
        means.append(sum(total for total, _ in drawn) / sum(n for _, n in drawn))
    means.sort()
    return means[int(0.025 * ROUNDS)], means[int(0.975 * ROUNDS)]


with open(samples, encoding="utf-8") as file:
    questions = dict(enumerate(json.load(file)))
slices = {"all": list(questions)}
types = {number: [question["doc_type"]] for number, question in questions.items()}
sources = {number: ast.literal_eval(question["evidence_sources"]) for number, question in questions.items()}
for kinds in (types, sources):
    for name in sorted({name for names in kinds.values() for name in names}):
        slices[name] = [number for number, names in kinds.items() if name in names]
of_run = [scores(run) for run in runs]
for name, numbers in slices.items():
    cells = []
    for scored in of_run:
        for measure in MEASURES:
            items = scored[measure]
            rows = [(questions[n]["doc_id"], items[str(n)]) for n in numbers if items.get(str(n)) is not None]
            low, high = interval(rows)
            cells.append(f"{sum(value for _, value in rows) / len(rows):.3f} ({low:.2f} to {high:.2f})")
    print(f"| {name} | {len(rows)} | " + " | ".join(cells) + " |")
