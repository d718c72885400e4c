#!/usr/bin/env python3
"""OCR of recto, RapidOCR 3.10 (with and without its line classifier) and Tesseract on the same 80 pages.

usage: ocr.py [FOLDER] [ENGINE...]     (FOLDER keeps pictures and results; default target/ocr-pages)

Pages of born-digital documents (`RECTO_DEV_DATA`, default `../shared/data`) are drawn at 144 dpi, most of them made
worse; their text layer is the truth. 60 are drawn from all pages, 20 more from those with charts. Makes its own Python
environment in `target/`. Needs `cargo build --release -p recto-model --example ocr`, and `tesseract` on the path if it
is to be compared. Pictures, truths and results stay in FOLDER: never in the repository.
"""

import json
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
TARGET = HERE.parents[1] / "target"
PACKAGES = ["pymupdf", "numpy", "pillow", "rapidfuzz", "rapidocr==3.10.0", "onnxruntime"]


def main():
    ensure_environment()
    from PIL import Image

    import ocr_engines
    import ocr_pages

    arguments = sys.argv[1:]
    folder = pathlib.Path(arguments.pop(0)) if arguments and arguments[0] not in ocr_engines.ENGINES else TARGET / "ocr-pages"
    if not (folder / "truth.json").exists():
        ocr_pages.make(folder)
    truth = json.loads((folder / "truth.json").read_text())
    print(f"{len(truth['pages'])} pages; left out: {truth['left_out']}")
    files = [page["file"] for page in truth["pages"]]
    sizes = {file: Image.open(file).size for file in files}
    for name in arguments or ocr_engines.ENGINES:
        pages, peak = ocr_engines.ENGINES[name](files, sizes)
        (folder / f"{name}.json").write_text(json.dumps(pages))
        report(name, truth["pages"], pages, peak)


def report(name, truths, pages, peak):
    from ocr_score import page_scores, summary

    rows = [(page, page_scores(page, pages[page["file"]]["lines"])) for page in truths]
    seconds = sum(page["seconds"] for page in pages.values()) / len(pages)
    print(f"\n{name}: {seconds:.2f} CPU-s a page, peak memory {peak:.0f} MB")
    pages = [(page, row) for page, row in rows if page["set"] == "pages"]
    groups = {
        "upright": [row for page, row in pages if page["condition"] != "rotated"],
        "rotated": [row for page, row in pages if page["condition"] == "rotated"],
        "with charts": [row for page, row in rows if page["set"] == "charts"],
    }
    for condition in sorted({page["condition"] for page, _ in pages} - {"rotated"}):
        groups[condition] = [row for page, row in pages if page["condition"] == condition]
    for group, chosen in groups.items():
        if chosen:
            figures = ", ".join(f"{key} {value:.2f}" for key, value in summary(chosen).items())
            print(f"  {group:12} ({len(chosen):2} pages): {figures}", flush=True)


def ensure_environment():
    """Restarts this script in its own environment."""
    home = TARGET / "peers-ocr"
    if pathlib.Path(sys.prefix) == home:
        return
    if not (home / "bin/python").exists():
        subprocess.run([sys.executable, "-m", "venv", home], check=True)
        subprocess.run([home / "bin/pip", "install", "-q", *PACKAGES], check=True)
    os.execv(home / "bin/python", [str(home / "bin/python"), __file__, *sys.argv[1:]])


main()
