#!/usr/bin/env python3
"""Reads a long scan: is memory flat, is every page found, does Ctrl-C lose nothing?

usage: scan.py [--pages 300] [--jobs 2] [--recto target/release/recto] [--models models] [--scan FILE]

Makes a scan whose pages are stamped with their numbers (`cargo run -p recto-fixture --example scan`; or takes one that
was made before), then

1. indexes it and looks at the resident memory of the program and its workers twice a second (their sum, so what
   they share counts more than once);
2. searches for each number: the first hit must be its page;
3. indexes it anew, sends SIGINT in the middle, indexes again: nothing may be lost, read twice or there twice.

Standard library and Linux's /proc only. Exits with 1 if anything but memory is not as it should be.
"""

import argparse
import json
import pathlib
import re
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pages", type=int, default=300)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--recto", type=pathlib.Path, default="target/release/recto")
    parser.add_argument("--models", type=pathlib.Path, default="models")
    parser.add_argument("--scan", type=pathlib.Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(arguments, pathlib.Path(folder))
        seconds = bench.whole()
        bench.stopped(seconds / 2)
    sys.exit(bench.wrong > 0)


class Bench:
    def __init__(self, arguments, folder):
        self.pages, self.folder, self.wrong = arguments.pages, folder, 0
        self.recto = str(arguments.recto.resolve())
        self.options = ["--jobs", str(arguments.jobs), "--models", str(arguments.models.resolve())]
        self.scan = arguments.scan or make(self.pages, folder / "scan.pdf")
        say(f"{self.pages} pages, {self.scan.stat().st_size / 1e6:.0f} MB")

    def whole(self):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        start = time.monotonic()
        run = Run(self.index_command("whole"))
        code, _ = run.end()
        seconds = time.monotonic() - start
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        say(f"indexed in {seconds:.0f} s, {cpu / self.pages:.2f} CPU-s a page")
        say(f"memory: {run.memory()}")
        self.check(code == 0, f"exit code {code}")
        self.found("whole")
        return seconds

    def stopped(self, after):
        run = Run(self.index_command("stopped"))
        time.sleep(after)
        run.process.send_signal(signal.SIGINT)
        asked = time.monotonic()
        code, said = run.end()
        message = said.strip().splitlines()[-1]
        say(f"Ctrl-C after {after:.0f} s: exit code {code} {time.monotonic() - asked:.1f} s later, {message!r}")
        self.check(code not in (0, 101) and "stopped" in message, "it did not say that it was stopped")
        code, said = Run(self.index_command("stopped")).end()
        self.check(code == 0, f"exit code {code}")
        # A document is searched once it is whole; how many pages were kept is told by how many were left to read.
        left = {int(pages) for pages in re.findall(r"page \d+ of (\d+)", said)}
        told = " or ".join(map(str, left)) or "in too short a time to say how many"
        say(f"the next run read {told} of {self.pages} pages")
        self.check(all(0 < pages < self.pages for pages in left) and len(left) < 2, "pages were read again")
        places = self.places("stopped")
        say(f"pages there afterwards: {len(places)}, {len(set(places))} of them different")
        self.check(sorted(places) == list(range(1, self.pages + 1)), "pages are missing or there twice")
        self.found("stopped")

    def found(self, index):
        first = [self.search(index, f"{page:05}", 1) == [page] for page in range(1, self.pages + 1)]
        missed = [page for page, right in enumerate(first, 1) if not right]
        say(f"numbers found as first hit: {sum(first)} of {self.pages}" + (f"; missed {missed}" if missed else ""))
        self.check(not missed, "a number was not found")

    def places(self, index):
        """Every page that bears the stamp's word."""
        return self.search(index, "sheet", 100_000)

    def search(self, index, query, count):
        command = [self.recto, "search", query, "-k", str(count), "--json", "--index", str(self.folder / index)]
        told = subprocess.run(command, capture_output=True, text=True)
        return [hit["page"] for hit in json.loads(told.stdout or "[]")]

    def index_command(self, index):
        return [self.recto, "index", str(self.scan), "--index", str(self.folder / index), *self.options]

    def check(self, right, what):
        if not right:
            self.wrong += 1
            say(f"WRONG: {what}")


class Run:
    """A program under watch."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.samples = []
        threading.Thread(target=self.watch, daemon=True).start()

    def watch(self):
        while self.process.returncode is None:
            self.samples.append(sum(map(resident, tree(self.process.pid))))
            time.sleep(0.5)

    def end(self):
        said = self.process.communicate()[1]
        return self.process.returncode, said

    def memory(self):
        """Peak, and the mean of each quarter of the run."""
        mb = [sample / 1e6 for sample in self.samples if sample]
        size = max(1, len(mb) // 4)
        quarters = [mb[at : at + size] for at in range(0, 4 * size, size)]
        means = ", ".join(f"{sum(part) / len(part):.0f}" for part in quarters if part)
        return f"peak {max(mb):.0f} MB; mean of each quarter {means} MB"


def make(pages, path):
    maker = ["cargo", "run", "-q", "-p", "recto-fixture", "--example", "scan", "--"]
    subprocess.run([*maker, str(pages), str(path)], check=True)
    return path


def tree(pid):
    yield pid
    for task in pathlib.Path(f"/proc/{pid}/task").glob("*/children"):
        for child in read(task).split():
            yield from tree(int(child))


def resident(pid):
    """Bytes."""
    found = re.search(r"VmRSS:\s+(\d+) kB", read(pathlib.Path(f"/proc/{pid}/status")))
    return int(found[1]) * 1024 if found else 0


def read(path):
    try:
        return path.read_text()
    except OSError:
        return ""


def say(line):
    print(line, flush=True)


main()
