#!/usr/bin/env python3
"""Says of every page of the development documents where its text comes from and why, and compares that with labels.

usage: trust.py [LABELS [HALF]]

Prints how many pages have which reason, and which hidden text was found. LABELS has a JSON object a line: `file`, `page`,
`kind` (what a person sees: born, scan, scan_ocr, garbled, mixed, photo, empty), `wants_ocr` (yes, no, either) and `half`
(tune, held). HALF restricts to one of these. Fails if a page that wants OCR is missed.

Needs `cargo build --release -p recto-ingest --example trust`. RECTO_DEV_DATA names the data. Standard library only.
"""

import collections
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = pathlib.Path(os.environ.get("RECTO_DEV_DATA", ROOT / "../shared/data"))
PROGRAM = os.environ.get("RECTO_TRUST", ROOT / "target/release/examples/trust")
SECONDS = 300


def documents():
    rows = json.loads((DATA / "pdf/manifest.json").read_text())
    difficult = sorted(DATA / "pdf/files" / row["file"] for row in rows if row["tag"] not in ("bomb", "broken"))
    return sorted((DATA / "mmlongbench-dev/documents").glob("*.pdf")), difficult


def pages(paths):
    for path in paths:
        done = subprocess.run([str(PROGRAM), str(path)], capture_output=True, text=True, timeout=SECONDS)
        for line in done.stdout.splitlines():
            yield json.loads(line) | {"file": path.name}


def verdict(page):
    """What will be read off the page's picture."""
    return "page" if page["wants_ocr"] else "pictures" if page["pictures_with_text"] else "nothing"


def tell(name, pages):
    reasons = collections.Counter(page["reason"] for page in pages)
    read = collections.Counter(verdict(page) for page in pages)
    hidden = collections.Counter(kind for page in pages for kind in {text["kind"] for text in page["hidden"]})
    print(f"{name}: {len(pages)} pages")
    for what, counts in (("reason", reasons), ("read by OCR", read), ("pages with hidden text", hidden)):
        print(f"  {what}: " + ", ".join(f"{key} {n}" for key, n in counts.most_common()))


def compare(pages, labels):
    table, missed, needless = collections.Counter(), [], []
    for label in labels:
        page = pages[label["file"], label["page"]]
        read = verdict(page)
        table[label["kind"], label["wants_ocr"], read] += 1
        if label["wants_ocr"] == "yes" and read == "nothing":
            missed.append((label["file"], label["page"]))
        if label["wants_ocr"] == "no" and read != "nothing":
            needless.append((label["file"], label["page"], read))
    print(f"labelled: {len(labels)} pages")
    for (kind, wants, read), n in sorted(table.items()):
        print(f"  {kind:9} wants OCR: {wants:7} read: {read:9} {n}")
    print(f"  missed {len(missed)}, needless {len(needless)} ({100 * len(needless) / max(len(labels), 1):.1f} %)", missed, needless)
    return not missed


def main():
    development, difficult = documents()
    rows = {"development": list(pages(development)), "difficult": list(pages(difficult))}
    for name, part in rows.items():
        tell(name, part)
    if len(sys.argv) > 1:
        labels = [json.loads(line) for line in open(sys.argv[1])]
        labels = [label for label in labels if len(sys.argv) < 3 or label["half"] == sys.argv[2]]
        found = {(page["file"], page["page"]): page for part in rows.values() for page in part}
        sys.exit(0 if compare(found, labels) else 1)


if __name__ == "__main__":
    main()
