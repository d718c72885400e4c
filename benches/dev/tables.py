#!/usr/bin/env python3
"""Compares the tables that recto and PyMuPDF find with tables written down by hand.

usage: tables.py TRUTHS [RECTO]      (TRUTHS is a folder of JSON files; RECTO defaults to target/release/recto)

A truth is {"name", "kind": "ruled" or "unruled", "document", "page": 1-based, "region": [left, top, right, bottom] in
fractions of the page, "continued": true if it goes on with the last table of the page before, "cells": [{"row",
"column", "row_span", "column_span", "text"}]}. Documents are those of `mmlongbench-dev/documents` under RECTO_DEV_DATA
(default `../shared/data`). Needs pymupdf, which is a yardstick here and no part of recto.

The figure is that of the table competition of ICDAR 2013 (Göbel, Hassan, Oro, Orsi): a table is the set of its adjacency
relations (text of a cell, text of the next cell with text to the right or below, direction); precision, recall and F1
count relations that are equal. Texts are compared after NFKC without white space and without dots that lead from a label
to its value. The found table that shares most area with the true one is taken. PyMuPDF's `find_tables` runs with its
default strategy, with strategy "text" on the whole page, and with "text" on the true region only, which it is told.
"""

import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unicodedata

import pymupdf

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = pathlib.Path(os.environ.get("RECTO_DEV_DATA", ROOT / "../shared/data")) / "mmlongbench-dev" / "documents"


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    truths = [json.loads(path.read_text()) for path in sorted(pathlib.Path(sys.argv[1]).glob("*.json"))]
    recto = sys.argv[2] if len(sys.argv) == 3 else ROOT / "target/release/recto"
    with tempfile.TemporaryDirectory() as index:
        # The exit code says that some pages have no text, which is no news here.
        subprocess.run([recto, "index", DATA, "--index", index, "--quiet"], stdout=subprocess.DEVNULL)
        finders = {"recto": lambda truth: recto_tables(recto, index, truth)}
        for name, options in (("default", {}), ("text", {"strategy": "text"}), ("told", {"strategy": "text"})):
            finders[f"PyMuPDF {name}"] = lambda truth, o=options, n=name: peer_tables(truth, o, n == "told")
        report(truths, finders)


def report(truths, finders):
    totals = collections.defaultdict(lambda: [0, 0, 0])
    print(f"{'table':8} {'document':32} {'page':>4}  " + "  ".join(f"{name:>15}" for name in finders))
    for truth in truths:
        row = []
        for name, find in finders.items():
            table = nearest(find(truth), truth["region"])
            for order in ("any order", "exact"):
                want = relations(truth["cells"], order)
                got = relations(table["cells"], order) if table else collections.Counter()
                counts = [sum((want & got).values()), sum(got.values()), sum(want.values())]
                for i, count in enumerate(counts):
                    totals[truth["kind"], order, name][i] += count
            mark = " c" if table and table.get("continued") else ""
            row.append(f"{f1(*counts):.3f}{mark}")
        mark = " c" if truth["continued"] else ""
        print(f"{truth['name'] + mark:8} {truth['document'][:32]:32} {truth['page']:4}  " + "  ".join(f"{v:>15}" for v in row))
    for (kind, order, name), (right, got, want) in sorted(totals.items()):
        print(f"{kind:8} {order:10} {name:16} precision {right / max(got, 1):.3f} recall {right / want:.3f} F1 {f1(right, got, want):.3f}")


def f1(right, got, want):
    return 2 * right / max(got + want, 1)


def normal(text):
    text = re.sub(r"(\.\s*){3,}", "", unicodedata.normalize("NFKC", text or ""))
    return re.sub(r"\s+", "", text)


def relations(cells, order):
    """Adjacency relations of cells with text."""
    say = normal if order == "exact" else lambda text: "".join(sorted(normal(text)))
    at = {}
    for i, cell in enumerate(cells):
        if normal(cell["text"]):
            for row in range(cell["row"], cell["row"] + cell["row_span"]):
                for column in range(cell["column"], cell["column"] + cell["column_span"]):
                    at.setdefault((row, column), i)
    pairs = set()
    for key, direction in ((lambda place: place, "right"), (lambda place: place[::-1], "below")):
        last = (None, None)
        for place in sorted(at, key=key):
            line = key(place)[0]
            if last[0] == line and at[place] != last[1]:
                pairs.add((last[1], at[place], direction))
            last = (line, at[place])
    return collections.Counter((say(cells[a]["text"]), say(cells[b]["text"]), way) for a, b, way in pairs)


def nearest(tables, region):
    def shared(table):
        l, t, r, b = (f(x, y) for f, x, y in zip((max, max, min, min), table["region"], region))
        return max(r - l, 0) * max(b - t, 0)

    tables = [table for table in tables if shared(table) > 0]
    return max(tables, key=shared, default=None)


def recto_tables(recto, index, truth):
    name = pathlib.Path(truth["document"]).name
    command = [recto, "page", name, str(truth["page"]), "--index", index, "--json"]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["tables"]


def peer_tables(truth, options, told):
    page = pymupdf.open(DATA / truth["document"])[truth["page"] - 1]
    width, height = page.rect.width, page.rect.height
    if told:
        l, t, r, b = truth["region"]
        options = {**options, "clip": pymupdf.Rect(l * width, t * height, r * width, b * height)}
    tables = []
    for table in page.find_tables(**options).tables:
        l, t, r, b = table.bbox
        tables.append({"region": [l / width, t / height, r / width, b / height], "cells": peer_cells(table)})
    return tables


def peer_cells(table):
    """Cells with the rows and columns that they take up: those whose own cell is missing and lies within theirs."""
    texts, boxes = table.extract(), [row.cells for row in table.rows]
    lefts = [min((row[i][0] for row in boxes if i < len(row) and row[i]), default=None) for i in range(table.col_count)]
    tops = [min((box[1] for box in row if box), default=None) for row in boxes]
    cells = []
    for r, row in enumerate(boxes):
        for c, box in enumerate(row):
            if not box or not texts[r][c]:
                continue
            wide = sum(1 for left in lefts[c + 1 :] if left is not None and left < box[2] - 1)
            high = sum(1 for top in tops[r + 1 :] if top is not None and top < box[3] - 1)
            cells.append({"row": r, "column": c, "row_span": 1 + high, "column_span": 1 + wide, "text": texts[r][c]})
    return cells


main()
