"""CPU seconds of recto and PyMuPDF on the same pages, in turns. See README.md."""

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from documents import PAGES, PERF, development, difficult

ROUNDS = 2


def peer(mode, path):
    """Prints pages and CPU seconds as `perf` does, last; runs in a process of its own."""
    import pymupdf

    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    start = time.process_time()
    document = pymupdf.open(path)
    count = min(PAGES, len(document))
    for page in document.pages(0, count):
        if mode == "render":
            page.get_pixmap(matrix=pymupdf.Matrix(2, 2), alpha=False)
        else:
            page.get_text("words")
        if mode == "page":
            page.find_tables()
    print(count, time.process_time() - start)


def measure(command):
    """(pages, CPU seconds), or None if the program failed."""
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        return None
    count, seconds = done.stdout.split()[-2:]
    return int(count), float(seconds)


def compare(mode, paths, rounds=ROUNDS):
    pages, ours, theirs = 0, 0.0, 0.0
    for path in paths:
        recto = [str(PERF), mode, str(PAGES), str(path)]
        other = [sys.executable, __file__, mode, str(path)]
        turns = [(measure(recto), measure(other)) for _ in range(rounds)]
        if any(a is None or b is None or a[0] != b[0] for a, b in turns):
            continue
        pages += turns[0][0][0]
        ours += min(a[1] for a, _ in turns)
        theirs += min(b[1] for _, b in turns)
    print(f"{mode}: {pages} pages, recto {pages / ours:.1f} pages/s, PyMuPDF {pages / theirs:.1f} pages/s, "
          f"ratio {theirs / ours:.2f}", flush=True)


def second_worker(paths):
    def seconds(workers):
        start = time.monotonic()
        with ThreadPoolExecutor(workers) as pool:
            list(pool.map(lambda path: measure([str(PERF), "render", str(PAGES), str(path)]), paths))
        return time.monotonic() - start

    one, two = seconds(1), seconds(2)
    print(f"two workers: {one:.1f} s -> {two:.1f} s, ratio {one / two:.2f}")


def main():
    if len(sys.argv) == 3:
        return peer(*sys.argv[1:])
    paths = development() + difficult()
    compare("render", paths)
    compare("text", paths)
    # Once is enough for what takes the peer half a second a page.
    compare("page", development(), rounds=1)
    second_worker(development())


if __name__ == "__main__":
    main()
