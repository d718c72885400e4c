#!/usr/bin/env python3
"""Search by words of recto beside bm25s: 200,000 made-up pages of about 400 words (Zipf-Mandelbrot), queries of 6 words
from one page and of 25 words with the most frequent ones. CPU seconds to index, milliseconds a query.

usage: lexical.py [FOLDER] [PAGES]     (needs `pip install numpy bm25s numba` and
                                        `cargo build --release -p recto-search --example lexical_bench`)
"""

import json
import pathlib
import resource
import subprocess
import sys
import time

import numpy

ROOT = pathlib.Path(__file__).resolve().parents[2]
OURS = ROOT / "target/release/examples/lexical_bench"
VOCABULARY = 500_000


def spelt(number):
    """A made-up word: consonants and vowels in turn, so that it is one word of letters."""
    text = ""
    while True:
        text += "bdfgklmnprstvz"[number % 14] + "aeiou"[number // 14 % 5]
        number //= 70
        if number == 0:
            return text


def make(folder, n_pages):
    rng = numpy.random.default_rng(7)
    weights = 1 / (numpy.arange(VOCABULARY) + 2.7) ** 1.07
    weights /= weights.sum()
    words = [spelt(number) for number in range(VOCABULARY)]
    pages = []
    with open(folder / "pages.txt", "w") as out:
        for start in range(0, n_pages, 10_000):
            lengths = rng.integers(200, 620, min(10_000, n_pages - start))
            drawn = rng.choice(VOCABULARY, lengths.sum(), p=weights)
            for ids in numpy.split(drawn, lengths.cumsum()[:-1]):
                pages.append(ids if len(pages) % 200 == 0 else None)
                out.write(" ".join(words[i] for i in ids) + "\n")
    kept = [ids for ids in pages if ids is not None][:1_000]
    with open(folder / "q6.txt", "w") as short, open(folder / "q25.txt", "w") as long:
        for ids in kept:
            rare = [i for i in ids if i >= 50]
            short.write(" ".join(words[i] for i in rng.choice(rare, 6, replace=False)) + "\n")
            long.write(" ".join(words[i] for i in rng.choice(ids, 25, replace=False)) + "\n")


def ours(*arguments):
    done = subprocess.run([OURS, *arguments], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def theirs(folder):
    import bm25s

    def used():
        usage = resource.getrusage(resource.RUSAGE_SELF)
        return usage.ru_utime + usage.ru_stime

    start = used()
    with open(folder / "pages.txt") as lines:
        tokens = bm25s.tokenize(list(lines), stopwords=None, show_progress=False)
    engine = bm25s.BM25(method="lucene", k1=1.2, b=0.75, backend="numba")
    engine.index(tokens, show_progress=False)
    result = {"seconds": used() - start, "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}
    for name in ("q6", "q25"):
        queries = (folder / f"{name}.txt").read_text().splitlines()
        tokens = [bm25s.tokenize(query, stopwords=None, show_progress=False) for query in queries]
        times, tops = [], []
        engine.retrieve(tokens[0], k=10, show_progress=False, n_threads=1)
        for query in tokens:
            begin = time.perf_counter()
            found = engine.retrieve(query, k=10, show_progress=False, n_threads=1)
            times.append((time.perf_counter() - begin) * 1e3)
            tops.append([int(page) for page in found.documents[0]])
        times.sort()
        result[name] = {"p50": times[len(times) // 2], "p99": times[len(times) * 99 // 100], "top": tops}
    return result


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "target/lexical")
    n_pages = int(sys.argv[2]) if len(sys.argv) > 2 else 200_000
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "q25.txt").exists():
        make(folder, n_pages)
    subprocess.run(["rm", "-rf", folder / "index"], check=True)
    index = ours("index", folder / "pages.txt", folder / "index")
    peer = json.loads(subprocess.run([sys.executable, __file__, "--peer", folder], check=True, capture_output=True, text=True).stdout)
    print(f"index: recto {index['seconds']:.1f} CPU s ({index['pages'] / index['seconds']:.0f} pages/s), {index['bytes'] / index['pages']:.0f} "
          f"bytes a page, {index['peak_mb']:.0f} MB; bm25s {peer['seconds']:.1f} CPU s, {peer['peak_mb']:.0f} MB")
    for name in ("q6", "q25"):
        found = ours("search", folder / "index", folder / f"{name}.txt", "10")
        pages = [[int(page.split()[0]) * 100 + int(page.split()[1]) - 1 for page in top] for top in found["top"]]
        same = sum(len(set(a) & set(b)) for a, b in zip(pages, peer[name]["top"])) / (10 * len(pages))
        print(f"{name}: recto p50 {found['words']['p50']:.2f} ms, p99 {found['words']['p99']:.2f}; with pairs {found['bm25']['p50']:.2f}, "
              f"{found['bm25']['p99']:.2f}; looked at closely {found['weighed']['p50']:.2f}, "
              f"{found['weighed']['p99']:.2f}; opened in {found['open'] * 1e3:.0f} ms, {found['peak_mb']:.0f} MB; "
              f"bm25s {peer[name]['p50']:.2f}, {peer[name]['p99']:.2f}; of the first ten pages {same:.3f} are the same")


if __name__ == "__main__":
    if len(sys.argv) > 1 and sys.argv[1] == "--peer":
        print(json.dumps(theirs(pathlib.Path(sys.argv[2]))))
    else:
        main()
