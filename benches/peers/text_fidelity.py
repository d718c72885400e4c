"""Compares the words that recto reads from PDF pages with those that PyMuPDF reads.

Usage: text_fidelity.py [--data DIR] [--worst N] COMMAND...

COMMAND is called as `COMMAND LIMIT FILE` and prints one JSON object a page with `page`, `size` and `words`
(`[text, [left, top, right, bottom]]`, in fractions of the page). Needs pymupdf and rapidfuzz. PyMuPDF is a yardstick
here and no part of recto; where the two differ, either may be right.

Per page with at least 10 words there: F1 of the two bags of words after NFKC, similarity of the two sequences of words
(1 - indel distance), and the median overlap (intersection over union) of the boxes of words that both have once.
"""

import argparse
import collections
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import time
import unicodedata

import pymupdf
from rapidfuzz.distance import Indel

MIN_WORDS = 10


def documents(data):
    """Files with the number of their pages to read: whole reports, and the first pages of real-world samples."""
    for path in sorted((data / "mmlongbench-dev" / "documents").glob("*.pdf")):
        yield path, 20
    manifest = data / "pdf" / "manifest.json"
    for entry in json.loads(manifest.read_text()) if manifest.exists() else []:
        if entry["tag"] == "real":
            yield data / "pdf" / "files" / entry["file"], 6


def normal(words):
    texts = (unicodedata.normalize("NFKC", word).strip() for word in words)
    return [text for text in texts if text]


def peer_pages(path, limit):
    """Words with boxes of each page, and the processor time that they took."""
    start = time.process_time()
    pages = []
    try:
        with pymupdf.open(path) as document:
            for page in list(document.pages(0, min(limit, document.page_count))):
                words, rect = page.get_text("words"), page.rect
                pages.append([(w[4], (w[0] / rect.width, w[1] / rect.height, w[2] / rect.width, w[3] / rect.height)) for w in words])
    except Exception as error:
        print(f"peer: {path.name}: {error}", file=sys.stderr)
    return pages, time.process_time() - start


def our_pages(command, path, limit):
    """Words with boxes of each page by number, and the processor time of the whole process."""
    start = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run([*command, str(limit), str(path)], capture_output=True, text=True, timeout=300)
    if done.returncode:
        print(f"recto: {path.name}: {done.stderr[-200:]}", file=sys.stderr)
    pages = (json.loads(line) for line in done.stdout.splitlines())
    words = {page["page"]: [(text, box) for text, box in page["words"]] for page in pages}
    return words, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - start


def f1(ours, theirs):
    common = sum((collections.Counter(ours) & collections.Counter(theirs)).values())
    return 2 * common / max(len(ours) + len(theirs), 1)


def overlap(a, b):
    width = min(a[2], b[2]) - max(a[0], b[0])
    height = min(a[3], b[3]) - max(a[1], b[1])
    both = max(width, 0) * max(height, 0)
    area = lambda r: max(r[2] - r[0], 0) * max(r[3] - r[1], 0)
    return both / max(area(a) + area(b) - both, 1e-12)


def median_overlap(ours, theirs):
    def once(words):
        count = collections.Counter(text for text, _ in words)
        return {text: box for text, box in words if count[text] == 1}

    a, b = once(ours), once(theirs)
    overlaps = [overlap(a[text], b[text]) for text in a.keys() & b.keys()]
    return statistics.median(overlaps) if overlaps else None


def compare(command, path, limit, clocks):
    theirs, their_seconds = peer_pages(path, limit)
    ours, our_seconds = our_pages(command, path, limit)
    clocks += [(len(ours), our_seconds, len(theirs), their_seconds)]
    for number, peer in enumerate(theirs, 1):
        tokens = normal(text for text, _ in peer)
        if len(tokens) >= MIN_WORDS:
            mine = ours.get(number, [])
            texts = normal(text for text, _ in mine)
            order = Indel.normalized_similarity(texts, tokens)
            yield path.name, number, f1(texts, tokens), order, median_overlap(mine, peer), len(texts), len(tokens)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=pathlib.Path, default=os.environ.get("RECTO_DEV_DATA"), help="default: $RECTO_DEV_DATA")
    parser.add_argument("--worst", type=int, default=40, help="how many of the worst pages to list")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    if not options.data or not options.command:
        parser.error("give a data directory and a command")
    rows, clocks = [], []
    for path, limit in documents(pathlib.Path(options.data)):
        rows.extend(compare(options.command, path, limit, clocks))
    rows.sort(key=lambda row: row[2])
    for name, number, score, order, box, n, m in rows[: options.worst]:
        print(f"{score:.3f} order {order:.3f} box {box or 0:.2f} words {n:5} of {m:5}  {name} p. {number}")
    boxes = [row[4] for row in rows if row[4] is not None]
    mean = lambda column: statistics.mean(row[column] for row in rows)
    print(f"pages {len(rows)}  F1 mean {mean(2):.4f} median {statistics.median(row[2] for row in rows):.4f}"
          f"  below 0.5: {sum(row[2] < 0.5 for row in rows)}  order {mean(3):.4f}  box overlap {statistics.median(boxes):.3f}")
    our_pages, our_seconds, their_pages, their_seconds = (sum(column) for column in zip(*clocks))
    print(f"pages a processor second: recto {our_pages / our_seconds:.0f} (whole process, with JSON), PyMuPDF {their_pages / their_seconds:.0f}")


if __name__ == "__main__":
    main()
