#!/usr/bin/env python3
"""The questions of MMLongBench-Doc asked of all documents at once: writes them in a form that names no document to look in
(that of MADQA), with the document's type as `document_category` and the sources of evidence as `domain`. Then
`recto bench run --set madqa:OUT --system hybrid --index IX --out RUN` and `recto bench score RUN -m R@10`.

usage: whole_corpus.py samples.json OUT.jsonl
"""

import ast
import json
import sys

samples, out = sys.argv[1:3]
with open(samples, encoding="utf-8") as file, open(out, "w", encoding="utf-8") as written:
    for number, sample in enumerate(json.load(file)):
        pages = ast.literal_eval(sample["evidence_pages"])
        if not pages or sample["answer"] == "Not answerable":
            continue
        row = {
            "id": str(number),
            "question": sample["question"],
            "answer_variants": [[str(sample["answer"])]],
            "evidence": [{"document": sample["doc_id"], "page": page} for page in pages],
            "document_category": sample["doc_type"],
            "domain": ", ".join(sorted(ast.literal_eval(sample["evidence_sources"]))),
        }
        written.write(json.dumps(row) + "\n")
