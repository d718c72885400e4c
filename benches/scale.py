#!/usr/bin/env python3
"""A search as a new process on an index of 200,000 made-up pages: time, memory, and two at once where nothing can be written.

usage: scale.py [--recto target/release/recto] [--folder target/scale] [--pages 200000] [--queries 100]

Makes files of text of 100 pages each, with the words of `benches/peers/lexical.py`, and indexes them as anybody would; what
is there from a run before is used again. Then

1. searches with queries of six words, each as a new process: milliseconds until it has ended (the files are in the
   system's memory by then, the program's own state is not);
2. the same with its memory looked at as fast as can be (`Anonymous` in /proc/PID/smaps_rollup), with RECTO_JSON as a user
   would set it, and once more with no more data allowed than 200 MB (RLIMIT_DATA);
3. takes away the right to write, and searches from two processes at once as a user without rights (needs root): the
   answers must be the same, and no file may have changed.

Needs numpy. Linux only. Exits with 1 if a search fails or an answer differs.
"""

import argparse
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "peers"))
NOBODY = 65534
PAGES_OF_FILE = 100
MEGABYTE = 1 << 20


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--recto", type=pathlib.Path, default="target/release/recto")
    parser.add_argument("--folder", type=pathlib.Path, default="target/scale")
    parser.add_argument("--pages", type=int, default=200_000)
    parser.add_argument("--queries", type=int, default=100)
    arguments = parser.parse_args()
    recto, folder = str(arguments.recto.resolve()), arguments.folder.resolve()
    index = folder / "index"
    if not index.exists():
        make(recto, folder, index, arguments.pages)
    queries = (folder / "q6.txt").read_text().splitlines()[: arguments.queries]
    search = [recto, "search", "--index", str(index), "--json"]
    want = timed(search, queries)
    memory(search, queries)
    wrong = two_at_once(search, queries, want, index)
    sys.exit(wrong > 0)


def make(recto, folder, index, n_pages):
    import lexical

    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "q25.txt").exists():
        lexical.make(folder, n_pages)
    documents = folder / "documents"
    documents.mkdir(exist_ok=True)
    pages = []
    with open(folder / "pages.txt") as lines:
        for number, line in enumerate(lines):
            pages.append(wrapped(line.split()))
            if len(pages) == PAGES_OF_FILE or number + 1 == n_pages:
                name = documents / f"{number // PAGES_OF_FILE:05}.txt"
                name.write_text("\f".join(pages))
                pages = []
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([recto, "index", str(documents), "--index", str(index), "--quiet"], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    size = sum(path.stat().st_size for path in index.rglob("*") if path.is_file())
    print(f"{n_pages} pages indexed as files: {seconds:.0f} CPU s ({n_pages / seconds:.0f} pages/s), {size / 1e9:.2f} GB", flush=True)


def wrapped(words):
    """Lines of twelve words: 400 words fit on a page."""
    return "\n".join(" ".join(words[at:at + 12]) for at in range(0, len(words), 12))


def pages(output):
    return [(row["document"], row["page"], row["score"]) for row in json.loads(output)]


def timed(search, queries):
    subprocess.run([*search, queries[0]], check=True, capture_output=True)
    walls, cpus, found = [], [], []
    for query in queries:
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        done = subprocess.run([*search, query], check=True, capture_output=True)
        walls.append((time.perf_counter() - start) * 1e3)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpus.append((after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1e3)
        found.append(pages(done.stdout))
    print(f"a search as a new process: {statistics.median(walls):.1f} ms in the median, {sorted(walls)[len(walls) * 95 // 100]:.1f} at the "
          f"95th percentile; {statistics.median(cpus):.0f} ms of CPU", flush=True)
    return found


def memory(search, queries):
    peak, looks = 0, 0
    for query in queries:
        run = subprocess.Popen([*search, query], stdout=subprocess.DEVNULL)
        while run.poll() is None:
            anonymous = anonymous_bytes(run.pid)
            peak, looks = max(peak, anonymous), looks + (anonymous > 0)
    print(f"anonymous memory at most {peak / 1e6:.1f} MB ({looks / len(queries):.0f} looks a search)", flush=True)
    limit = lambda: resource.setrlimit(resource.RLIMIT_DATA, (200 * MEGABYTE, 200 * MEGABYTE))
    done = subprocess.run([*search, queries[0]], preexec_fn=limit, capture_output=True)
    print("with no more data than 200 MB:", "it runs" if done.returncode == 0 else done.stderr.decode(), flush=True)


def anonymous_bytes(pid):
    try:
        text = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text()
    except (OSError, ProcessLookupError):
        return 0
    lines = [line.split() for line in text.splitlines() if line.startswith("Anonymous:")]
    return sum(int(line[1]) * 1024 for line in lines)


def two_at_once(search, queries, want, index):
    if os.geteuid() != 0:
        print("two at once: needs root, to become nobody")
        return 0
    before = state(index)
    change = lambda bits: subprocess.run(["chmod", "-R", bits, str(index)], check=True)
    change("a-w,a+rX")
    wrong = 0
    try:
        for query, expected in zip(queries, want):
            runs = [subprocess.Popen([*search, query], stdout=subprocess.PIPE, stderr=subprocess.PIPE, user=NOBODY,
                                     group=NOBODY, extra_groups=[], env={"HOME": "/nonexistent"}) for _ in range(2)]
            outputs = [run.communicate() for run in runs]
            for run, (out, error) in zip(runs, outputs):
                if run.returncode != 0 or pages(out) != expected:
                    wrong += 1
                    print(f"{query}: code {run.returncode}, {error.decode().strip()}")
    finally:
        change("u+w")
    changed = before != state(index)
    print(f"two processes at once, as nobody, index read-only: {2 * len(queries)} searches, {wrong} of them wrong; files "
          f"{'have changed' if changed else 'unchanged'}")
    return wrong + changed


def state(index):
    return {str(path): (path.stat().st_size, path.stat().st_mtime_ns) for path in index.rglob("*") if path.is_file()}


if __name__ == "__main__":
    main()
