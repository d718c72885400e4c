#!/usr/bin/env python3
"""ANLS* of recto beside the Python package `anls_star`: the same numbers on 1,000 random pairs, then the time of 10,000
pairs from file to numbers, whole processes, CPU seconds.

usage: measures.py     (needs `pip install anls_star==1.0.1` and `cargo build --release -p recto-bench --example anls_star`)
"""

import json
import pathlib
import random
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
OURS = ROOT / "target/release/examples/anls_star"
WORDS = "revenue net profit 2019 2020 12.5% $1,200 Paris the of Total assets million naïve 百万 income Q3 co-op A B".split()


def peer(path):
    """Prints a number a line, as our program does."""
    from anls_star import anls_score

    with open(path) as rows:
        for row in map(json.loads, rows):
            print(repr(float(anls_score(row["gold"], row["said"]))))


def value(random, depth=0):
    kind = random.random()
    if depth < 2 and kind < 0.2:
        return [value(random, depth + 1) for _ in range(random.randint(1, 3))]
    if depth < 2 and kind < 0.35:
        return {key: value(random, depth + 1) for key in random.sample("abcd", random.randint(1, 3))}
    return " ".join(random.choices(WORDS, k=random.randint(1, 8)))


def changed(random, gold):
    """An answer that is right, nearly right, or another one."""
    if isinstance(gold, list):
        said = [changed(random, entry) for entry in gold]
        random.shuffle(said)
        return said[: random.randint(0, len(said))] if random.random() < 0.3 else said
    if isinstance(gold, dict):
        return {key: changed(random, entry) for key, entry in gold.items() if random.random() < 0.9}
    letters = list(gold)
    for _ in range(random.choice([0, 0, 1, 2, 8])):
        letters[random.randrange(len(letters))] = random.choice("aeiou 1")
    return "".join(letters) if random.random() < 0.8 else value(random, 2)


def write(path, n, seed):
    source = random.Random(seed)
    with open(path, "w") as rows:
        for _ in range(n):
            gold = value(source)
            rows.write(json.dumps({"gold": gold, "said": changed(source, gold)}) + "\n")


def run(command):
    """Numbers and CPU seconds of a process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return [float(line) for line in done.stdout.split()], seconds


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/pairs.jsonl"
        for n, seed in (1_000, 1), (10_000, 2):
            write(path, n, seed)
            (ours, our_time), (theirs, their_time) = run([OURS, path]), run([sys.executable, __file__, path])
            worst = max(abs(a - b) for a, b in zip(ours, theirs, strict=True))
            print(f"{n} pairs: greatest difference {worst:.1e}; recto {our_time:.2f} CPU s, "
                  f"anls_star {their_time:.2f} CPU s: {their_time / max(our_time, 0.01):.0f} times")


if len(sys.argv) > 1:
    peer(sys.argv[1])
else:
    main()
