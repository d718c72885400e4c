#!/usr/bin/env python3
"""Indexes every file of a folder, whole and cut off at random points, and counts how each ended.

usage: robustness.py [--cuts 10] [--recto target/release/recto] FOLDER

Without OCR, which takes the longer the more pages are scans. Right is: the program ends by itself within 20 s with exit
code 0 or 3, and each file gives words, or a problem with a code. Prints one line for each file that does not end so,
then a table of outcomes. Standard library only.
"""

import argparse
import collections
import json
import pathlib
import random
import shutil
import subprocess
import tempfile
import time

SLOW = 20.0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--cuts", type=int, default=10)
    parser.add_argument("--recto", default="target/release/recto")
    parser.add_argument("--seed", type=int, default=7)
    arguments = parser.parse_args()
    outcomes = collections.Counter()
    slowest = (0.0, "")
    wrong = 0
    for name, data in cases(arguments):
        outcome, seconds = index(arguments.recto, name, data)
        slowest = max(slowest, (seconds, name))
        kind = "cut" if "@" in name else "whole"
        outcomes[kind, outcome] += 1
        if seconds > SLOW or outcome.startswith("WRONG"):
            wrong += 1
            print(f"{name}: {outcome}, {seconds:.1f} s")
    for (kind, outcome), n in sorted(outcomes.items(), key=lambda item: (item[0][0], -item[1])):
        print(f"{kind:<6} {n:>5}  {outcome}")
    print(f"slowest: {slowest[1]}, {slowest[0]:.1f} s; wrong: {wrong} of {sum(outcomes.values())}")


def cases(arguments):
    rng = random.Random(arguments.seed)
    for path in sorted(arguments.folder.iterdir()):
        data = path.read_bytes()
        yield path.name, data
        for _ in range(arguments.cuts):
            at = rng.randrange(len(data) + 1)
            yield f"{path.stem}@{at}{path.suffix}", data[:at]


def index(recto, name, data):
    folder = pathlib.Path(tempfile.mkdtemp())
    try:
        (folder / name).write_bytes(data)
        start = time.monotonic()
        command = [recto, "index", str(folder / name), "--index", str(folder / "index"), "--quiet", "--ocr", "never"]
        try:
            ended = subprocess.run(command, capture_output=True, timeout=120, text=True)
        except subprocess.TimeoutExpired:
            return "WRONG: did not end", 120.0
        seconds = time.monotonic() - start
        if ended.returncode not in (0, 3):
            return f"WRONG: exit {ended.returncode}: {ended.stderr.strip()[:200]}", seconds
        return describe(recto, folder / "index"), seconds
    finally:
        shutil.rmtree(folder)


def describe(recto, index_dir):
    status = json.loads(output(recto, "status", index_dir))
    problems = json.loads(output(recto, "problems", index_dir))
    codes = sorted({problem["code"] for problem in problems})
    with_words = sum(n for source, n in status["pages_by_text_source"].items() if source != "none")
    if not with_words and not codes:
        return "WRONG: neither words nor a problem"
    words = "words" if with_words else "no words"
    return f"{words}; {', '.join(codes) or 'no problem'}"


def output(recto, command, index_dir):
    return subprocess.run(
        [recto, command, "--index", str(index_dir), "--json"], capture_output=True, check=True, text=True
    ).stdout


main()
