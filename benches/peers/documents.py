"""The documents that are compared, and recto's program for it."""

import json
import os
import pathlib

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
DATA = pathlib.Path(os.environ.get("RECTO_DEV_DATA", REPOSITORY / "../shared/data"))
PERF = REPOSITORY / "target/release/examples/perf"
PAGES = int(os.environ.get("RECTO_PEER_PAGES", "20"))


def development():
    """The long real documents."""
    return sorted((DATA / "mmlongbench-dev/documents").glob("*.pdf"))


def difficult():
    """The files of the collection that are ordinary documents, however odd."""
    rows = json.loads((DATA / "pdf/manifest.json").read_text())
    return sorted(DATA / "pdf/files" / row["file"] for row in rows if row["tag"] == "real")
