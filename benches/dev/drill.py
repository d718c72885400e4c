#!/usr/bin/env python3
"""Drills `recto batch run` with a scripted server of models on the development questions of MMLongBench-Doc: half of the
replies are faults of every kind. Checks that every row is valid, that recto's ledger and the server count the same, that a
limit of cost stops spending, and that no file holds the key; then measures the time that recto itself takes for a question.

usage: drill.py INDEX [drill] [cost] [speed]     (an index of the development documents: it is written to, so give a copy)

Needs `cargo build --release -p recto` and `cargo build --release -p recto-fixture --example model_server` (RECTO and
MODEL_SERVER name other programs), RECTO_DEV_DATA the data. Standard library only.
"""

import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = pathlib.Path(os.environ.get("RECTO_DEV_DATA", ROOT / "../shared/data")) / "mmlongbench-dev"
RECTO = os.environ.get("RECTO", ROOT / "target/release/recto")
SERVER = os.environ.get("MODEL_SERVER", ROOT / "target/release/examples/model_server")
KEY = "sk-drill-0123456789abcdef"
# Dollars for a million tokens, in the drill of costs.
PRICE = 1.0


class Server:
    def __init__(self, *arguments):
        self.process = subprocess.Popen([SERVER, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()

    def count(self):
        """What it was asked; ends it."""
        told, _ = self.process.communicate()
        return json.loads(told)


class Run:
    """A batch: its rows, what it told, how long it took."""

    def __init__(self, index, folder, questions, server, *arguments, config="", again=False):
        self.output = folder / "answers.jsonl"
        if not again:
            self.output.unlink(missing_ok=True)
        (folder / "queries.jsonl").write_text("".join(json.dumps(row) + "\n" for row in questions))
        (folder / "recto.toml").write_text(config)
        command = [RECTO, "--config", folder / "recto.toml", "batch", "run", "--index-dir", index]
        command += ["--queries", folder / "queries.jsonl", "--output", self.output]
        command += ["--model", "openai:scripted", "--base-url", server.url, *arguments]
        environment = {**os.environ, "RECTO_API_KEY": KEY}
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.time()
        told = subprocess.run(command, env=environment, capture_output=True, text=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.wall = time.time() - start
        self.cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        self.told = told.stdout + told.stderr
        assert told.returncode == 0, self.told
        self.rows = [json.loads(line) for line in self.output.read_text().splitlines()]
        self.last = told.stderr.strip().splitlines()[-1]

    def used(self):
        """Requests, pictures, tokens read and written, as recto tells them."""
        found = re.search(r"(\d+) requests?, (\d+) pictures?, (\d+) tokens read, (\d+) written", self.last)
        return dict(zip(("requests", "images", "input_tokens", "output_tokens"), map(int, found.groups())))


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    index, wanted = pathlib.Path(sys.argv[1]), sys.argv[2:] or ["drill", "cost", "speed"]
    samples = json.loads((DATA / "samples.json").read_text())
    questions = [
        {"query_id": str(i), "doc_id": sample["doc_id"], "question": sample["question"]} for i, sample in enumerate(samples)
    ]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for name in wanted:
            {"drill": drill, "cost": cost, "speed": speed}[name](index, folder, questions)


def valid(rows, questions, pages):
    """Every question has its row, in order; pages are sorted, within the document, and none of a decline."""
    assert [row["query_id"] for row in rows] == [row["query_id"] for row in questions]
    for row, question in zip(rows, questions):
        assert sorted(row) == ["answer", "pages", "query_id"] and row["answer"].strip(), row
        assert row["pages"] == sorted(set(row["pages"])), row
        assert all(1 <= page <= pages[question["doc_id"]] for page in row["pages"]), row
        assert row["answer"] != "Not answerable" or not row["pages"], row


def drill(index, folder, questions):
    status = subprocess.run([RECTO, "status", "--index", index, "--json"], check=True, capture_output=True, text=True)
    pages = {document["id"]: document["n_pages"] for document in json.loads(status.stdout)["documents"]}
    server = Server("faults", "20")
    run = Run(index, folder, questions, server, "--deadline", "3000")
    count = server.count()
    valid(run.rows, questions, pages)
    used = run.used()
    assert all(used[name] == count[name] for name in used), (used, count)
    for holder in [index, folder]:
        found = subprocess.run(["grep", "-rl", KEY, holder], capture_output=True, text=True).stdout
        assert not found, f"the key stands in {found}"
    assert KEY not in run.told
    declined = sum(row["answer"] == "Not answerable" for row in run.rows)
    print(f"drill: {len(run.rows)} rows valid, {declined} declined, in {run.wall:.0f} s; no key in any file")
    print(f"       {run.last}")
    print(f"       the server counts {count}")


def cost(index, folder, questions):
    for budget in (0.05, 0.5):
        server = Server()
        config = f"[model]\nprice_in = {PRICE}\nprice_out = {PRICE}\n"
        run = Run(index, folder, questions, server, "--budget", str(budget), config=config)
        count = server.count()
        dollars = (count["input_tokens"] + count["output_tokens"]) * PRICE / 1e6
        assert dollars <= budget and len(run.rows) == len(questions), (dollars, run.last)
        print(f"cost: ${dollars:.4f} of ${budget} spent in {count['requests']} requests; {len(run.rows)} rows")


def speed(index, folder, questions):
    for name, config in (("text alone", "[model]\npictures = 0\n"), ("six pages as pictures", "")):
        for turn in ("first", "again, pictures in the cache"):
            server = Server()
            run = Run(index, folder, questions, server, config=config)
            used = run.used()
            server.count()
            each = f"{used['requests'] / len(questions):.1f} requests, {used['images'] / len(questions):.1f} pictures"
            print(f"speed, {name}, {turn}: {len(questions) / run.cpu:.1f} questions a CPU second ({each} a question)")


main()
