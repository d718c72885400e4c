#!/usr/bin/env python3
"""Tries the batch contract on the development documents: kills, a user without rights, two runs at once.

usage: batch_contract.py            (as root, after `cargo build --release`; RECTO_DEV_DATA names the data)

Builds a corpus with records.jsonl, kills the build and the run three times each in the middle, and looks at what comes
out in the end; then does it all again as a user without rights, with a corpus that may only be read and an index whose
parent may not be written. Standard library only.
"""

import collections
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
DATA = pathlib.Path(os.environ.get("RECTO_DEV_DATA", ROOT / "../shared/data")).resolve() / "mmlongbench-dev"
NOBODY = 65534


def main():
    place = pathlib.Path(tempfile.mkdtemp(prefix="recto-contract-"))
    place.chmod(0o755)
    try:
        package = place / "package"
        subprocess.run([ROOT / "package", package], check=True, capture_output=True)
        corpus, queries, ids = make_corpus(place)
        tried("killed three times in build and run", lambda: killed(package, place, corpus, queries, ids))
        tried("as a user without rights", lambda: without_rights(package, place, corpus, queries, ids))
        tried("two runs over one index", lambda: two_at_once(package, place, queries, ids))
    finally:
        subprocess.run(["chmod", "-R", "u+w", place])
        shutil.rmtree(place)


def tried(name, check):
    start = time.monotonic()
    print(f"{name}: {check()} ({time.monotonic() - start:.1f} s)", flush=True)


def make_corpus(place):
    corpus = place / "corpus"
    corpus.mkdir()
    samples = json.loads((DATA / "samples.json").read_text())
    with open(corpus / "records.jsonl", "w") as records:
        for path in sorted((DATA / "documents").iterdir()):
            shutil.copy(path, corpus / path.name)
            records.write(json.dumps({"doc_id": path.name, "pdf": path.name, "note": ["ignored"]}) + "\n")
        records.write(json.dumps({"doc_id": "gone", "pdf": "gone.pdf", "pages": ["The tower is 44 metres high."]}) + "\n")
        records.write("this row is broken\n")
    queries = place / "queries.jsonl"
    ids = [f"q{i}" for i in range(len(samples))]
    with open(queries, "w") as file:
        for name, sample in zip(ids, samples):
            row = {"query_id": name, "doc_id": sample["doc_id"], "question": sample["question"]}
            file.write(json.dumps(row) + "\n")
        file.write(json.dumps({"query_id": "gone", "doc_id": "gone", "question": "How high is the tower?"}) + "\n")
        file.write(json.dumps({"query_id": "unknown", "doc_id": "unknown", "question": "Who is there?"}) + "\n")
        file.write('{"query_id": "torn", "doc_id": "gone", "quest\n')
    return corpus, queries, ids + ["gone", "unknown", "torn"]


def killed(package, place, corpus, queries, ids):
    index, output = place / "killed", place / "killed.jsonl"
    build = [package / "build.sh", "--corpus", corpus, "--index-dir", index]
    run = [package / "run.sh", "--index-dir", index, "--queries", queries, "--output", output]
    rng = random.Random(1)
    kills = [kill_after(command, rng.uniform(0.05, 0.6)) for command in [build] * 3]
    finish(build)
    kills += [kill_after(command, rng.uniform(0.05, 0.5)) for command in [run] * 3]
    finish(run)
    return f"{sum(kills)} of {len(kills)} kills in the middle; {look(output, ids)}"


def without_rights(package, place, corpus, queries, ids):
    home = place / "nobody"
    (home / "index").mkdir(parents=True)
    (home / "out").mkdir()
    for folder in (home / "index", home / "out"):
        os.chown(folder, NOBODY, NOBODY)
    for path in [home, corpus, *corpus.iterdir(), queries]:
        path.chmod(0o555)
    output = home / "out" / "answers.jsonl"
    finish([package / "build.sh", "--corpus", corpus, "--index-dir", home / "index"], user=NOBODY)
    moved = corpus.rename(place / "moved away")
    finish([package / "run.sh", "--index-dir", home / "index", "--queries", queries, "--output", output], user=NOBODY)
    moved.rename(corpus)
    return look(output, ids)


def two_at_once(package, place, queries, ids):
    index, outputs = place / "killed", [place / "a.jsonl", place / "b.jsonl"]
    runs = [
        subprocess.Popen([package / "run.sh", "--index-dir", index, "--queries", queries, "--output", output], stderr=subprocess.DEVNULL)
        for output in outputs
    ]
    codes = [run.wait() for run in runs]
    assert codes == [0, 0], codes
    same = outputs[0].read_bytes() == outputs[1].read_bytes()
    return f"{look(outputs[0], ids)}; both the same: {same}"


def kill_after(command, seconds):
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    time.sleep(seconds)
    in_the_middle = process.poll() is None
    if in_the_middle:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    return in_the_middle


def finish(command, user=None):
    environment = {"PATH": os.environ["PATH"], "TMPDIR": "/tmp"}
    ended = subprocess.run(command, capture_output=True, text=True, user=user, group=user, env=environment, cwd="/")
    if ended.returncode != 0:
        sys.exit(f"{command[0].name} ended with {ended.returncode}: {ended.stderr[-2000:]}")


def look(output, ids):
    rows = [json.loads(line) for line in output.read_text().splitlines()]
    counts = collections.Counter(row["query_id"] for row in rows)
    assert [row["query_id"] for row in rows] == ids, "rows are missing, double or out of order"
    for row in rows:
        assert set(row) == {"query_id", "answer", "pages"} and isinstance(row["answer"], str), row
        assert row["pages"] == sorted(set(row["pages"])) and all(page >= 1 for page in row["pages"]), row
        assert row["answer"] != "Not answerable" or row["pages"] == [], row
    by_id = {row["query_id"]: row for row in rows}
    assert by_id["unknown"]["answer"] == by_id["torn"]["answer"] == "Not answerable"
    return f"{len(rows)} rows, all there once and in order, tower: {by_id['gone']['answer']!r} {by_id['gone']['pages']}"


main()
