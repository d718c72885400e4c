#!/usr/bin/env python3
"""Kills `recto index` with SIGKILL at random moments while it adds, changes and removes documents on all routes, and looks
each time whether the index that is left is whole (`recto doctor --verify`: hashes, counts, every page on every route).

usage: kill_drill.py [ROUNDS [SEED]]     (default 20 rounds)

Needs `cargo build --release -p recto`, or RECTO as the path of the program. The encoder is a user's own small network, the
one of the tests, so that the time goes into writing. Standard library only.
"""

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

ROOT = pathlib.Path(__file__).resolve().parents[1]
RECTO = os.environ.get("RECTO", ROOT / "target/release/recto")
NETWORKS = ROOT / "crates/recto-model/tests/it/encoders"
DOCUMENTS = 40
DESCRIPTION = {
    "name": "small",
    "dim": 3,
    "pooling": "mean",
    "text": {"model": "text.onnx", "vocabulary": "vocab.txt", "max_tokens": 8},
    "image": {"model": "patches.onnx", "dpi": 18, "width": 2, "height": 2, "mean": [0, 0, 0], "deviation": [1, 1, 1]},
}


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    chance = random.Random(sys.argv[2] if len(sys.argv) > 2 else None)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        docs, index = folder / "docs", folder / "ix"
        docs.mkdir()
        encoder(folder / "small")
        command = [RECTO, "index", docs, "--prune", "--index", index, "--quiet", "--routes", "bm25,dense,late,page"]
        command += ["--encoder", f"dense={folder}/small", "--encoder", f"late={folder}/seeing"]
        command += ["--encoder", f"page={folder}/seeing", "--ocr", "never"]
        encoder(folder / "seeing")
        change(docs, chance)
        whole = run(command)
        killed, commits = 0, set()
        while killed < rounds:
            change(docs, chance)
            start = time.monotonic()
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                process.wait(chance.uniform(0, 1.5 * whole))
                whole = time.monotonic() - start
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.wait()
                killed += 1
                commit, state = verify(index)
                commits.add(commit)
                print(f"{killed:>3}. {state}", flush=True)
                if chance.random() < 0.5:
                    # Now and then a run may end, so that the next has something to lose.
                    whole = run(command)
        run(command)
        print(f"at the end: {verify(index)[1]}; {pages(index)} of {sum(map(pages_of, docs.iterdir()))} pages on each route")
        print(f"killed {killed} times, {len(commits)} different commits left, all whole")


def run(command):
    """Seconds that it took."""
    start = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 3):
        sys.exit(f"recto index: {done.returncode}: {done.stderr}")
    return time.monotonic() - start


def verify(index):
    """The commit, and what it holds; ends the drill if the doctor does not find it whole."""
    done = subprocess.run([RECTO, "doctor", "--verify", "--json", "--index", index], capture_output=True, text=True)
    checks = {check["name"]: check for check in json.loads(done.stdout)}
    for name in ("index", "index contents"):
        if not checks[name]["ok"]:
            sys.exit(f"NOT WHOLE: {checks[name]['found']}")
    status = json.loads(subprocess.run([RECTO, "status", "--json", "--index", index], capture_output=True).stdout)
    n_pages = sum(status["pages_by_text_source"].values())
    return status["commit"], f"commit {status['commit']}, {len(status['documents'])} documents, {n_pages} pages"


def pages(index):
    """How many pages each route of vectors finds, which must agree."""
    found = set()
    for route in ("dense", "late", "page"):
        command = [RECTO, "search", "red", "--route", route, "-k", "100000", "--json", "--index", index]
        found.add(len(json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)))
    if len(found) != 1:
        sys.exit(f"NOT WHOLE: routes find {found} pages")
    return found.pop()


def change(docs, chance):
    """Adds, changes and removes a third of the documents."""
    for number in chance.sample(range(DOCUMENTS), DOCUMENTS // 3):
        file = docs / f"{number}.pdf"
        if file.exists() and chance.random() < 0.4:
            file.unlink()
        else:
            words = [chance.choice(["red", "fox", "blue", "heron"]) for _ in range(12)]
            file.write_bytes(pdf([f"{' '.join(words)} {number} {chance.random()}"] * chance.randint(1, 80)))


def pages_of(file):
    return file.read_bytes().count(b"/Type /Page ")


def encoder(folder):
    folder.mkdir()
    for name in ("text.onnx", "patches.onnx"):
        shutil.copy(NETWORKS / name, folder / name)
    (folder / "vocab.txt").write_text("[PAD]\n[CLS]\n[SEP]\n[UNK]\nred\nfox\n")
    described = dict(DESCRIPTION)
    if folder.name == "small":
        del described["image"]
    (folder / "encoder.json").write_text(json.dumps(described))


def pdf(texts):
    """A document with a line of text on each page."""
    kids = " ".join(f"{3 + 2 * n} 0 R" for n in range(len(texts)))
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", f"<< /Type /Pages /Kids [{kids}] /Count {len(texts)} >>"]
    font = "<< /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>"
    for n, text in enumerate(texts):
        content = f"BT /F 12 Tf 20 100 Td ({text} page {n + 1}) Tj ET"
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 200] /Resources {font} /Contents {4 + 2 * n} 0 R >>"
        )
        objects.append(f"<< /Length {len(content)} >>\nstream\n{content}\nendstream")
    out, places = "%PDF-1.4\n", []
    for number, body in enumerate(objects):
        places.append(len(out))
        out += f"{number + 1} 0 obj\n{body}\nendobj\n"
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    size = len(objects) + 1
    tail = f"trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{len(out)}\n%%EOF\n"
    return f"{out}xref\n0 {size}\n0000000000 65535 f \n{table}{tail}".encode()


main()
