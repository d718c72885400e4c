"""Runs an engine over pictures: lines of words for each, CPU seconds (one thread), peak memory.

`ocr_engines.py rapidocr on|off FILE...` is the child process for RapidOCR.
"""

import csv
import io
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
RECTO = REPOSITORY / "target/release/examples/ocr"
MODELS = REPOSITORY / "models/ocr"


def recto(mode):
    def run(files, sizes):
        rows, _, peak = child([RECTO, MODELS, mode, "1", *files])
        pages = {}
        for row in map(json.loads, rows.splitlines()):
            width, height = sizes[row["file"]]
            lines = [[word(text, [r[0] * width, r[1] * height, r[2] * width, r[3] * height]) for text, r in line["words"]]
                     for line in row["lines"]]
            pages[row["file"]] = {"lines": lines, "seconds": row["seconds"], "turned": row["turned"]}
        return pages, peak
    return run


def rapidocr(classifier):
    def run(files, sizes):
        rows, _, peak = child([sys.executable, __file__, "rapidocr", classifier, *files])
        pages = {}
        for row in rows.splitlines():
            if row.startswith("{"):
                row = json.loads(row)
                lines = [[{"text": text, "quad": quad}] for text, quad in row["lines"]]
                pages[row["file"]] = {"lines": lines, "seconds": row["seconds"]}
        return pages, peak
    return run


def tesseract(files, sizes):
    pages, most = {}, 0
    for file in files:
        rows, seconds, peak = child(["tesseract", file, "-", "--psm", "3", "-l", "eng", "tsv"])
        lines = {}
        for row in csv.DictReader(io.StringIO(rows), delimiter="\t", quoting=csv.QUOTE_NONE):
            if row["level"] == "5" and row["text"].strip():
                left, top, width, height = (int(row[k]) for k in ("left", "top", "width", "height"))
                key = tuple(row[k] for k in ("block_num", "par_num", "line_num"))
                lines.setdefault(key, []).append(word(row["text"], [left, top, left + width, top + height]))
        pages[file] = {"lines": list(lines.values()), "seconds": seconds}
        most = max(most, peak)
    return pages, most


ENGINES = {
    "recto auto": recto("auto"),
    "recto fast": recto("fast"),
    "recto quality": recto("quality"),
    "RapidOCR": rapidocr("on"),
    "RapidOCR, classifier off": rapidocr("off"),
}
if shutil.which("tesseract"):
    ENGINES["Tesseract"] = tesseract


def word(text, box):
    left, top, right, bottom = box
    return {"text": text, "quad": [[left, top], [right, top], [right, bottom], [left, bottom]]}


def child(command):
    """Standard output, CPU seconds and peak memory in MB of a process; one thread each."""
    environment = os.environ | {"OMP_THREAD_LIMIT": "1"}
    process = subprocess.Popen([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                               text=True, env=environment)
    out = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{command[0]} failed")
    return out, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def rapidocr_child(classifier, files):
    import logging

    import cv2
    from rapidocr import RapidOCR

    logging.disable(logging.WARNING)
    cv2.setNumThreads(1)
    engine = RapidOCR(params={"Global.use_cls": classifier == "on", "Global.log_level": "error",
                              "EngineConfig.onnxruntime.intra_op_num_threads": 1,
                              "EngineConfig.onnxruntime.inter_op_num_threads": 1})
    for file in files:
        picture = cv2.imread(file)
        start = time.process_time()
        read = engine(picture)
        seconds = time.process_time() - start
        found = [] if read.txts is None else zip(read.txts, read.boxes.tolist())
        print(json.dumps({"file": file, "lines": list(found), "seconds": seconds}), flush=True)


if __name__ == "__main__":
    rapidocr_child(sys.argv[2], sys.argv[3:])
