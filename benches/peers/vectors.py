#!/usr/bin/env python3
"""Scans of vectors: recto beside faiss, maxsim-cpu and qdrant-edge, in one run, on one thread, in CPU seconds.

usage: vectors.py FOLDER [PROGRAM]

FOLDER holds files of vectors while it runs (6 GB). PROGRAM is recto's `kernel_bench`
(`cargo build --release -p recto-search --example kernel_bench`). Needs `pip install numpy faiss-cpu maxsim-cpu
qdrant-edge-py`. Vectors are made by a fixed seed: rows are Gaussian, which is the hardest; pages take their patches from
3,000 shared centres, so that many pages are alike.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

for name in ["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "RAYON_NUM_THREADS"]:
    os.environ[name] = "1"

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
ROWS, WIDTH = 1_000_000, 384
PAGES, PATCHES, DIM, TOKENS, COPIES = 400, 752, 128, 20, 50


def main():
    folder = pathlib.Path(sys.argv[1])
    program = sys.argv[2] if len(sys.argv) > 2 else HERE.parents[1] / "target/release/examples/kernel_bench"
    folder.mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng(5)
    which = os.environ.get("RECTO_PEER_PARTS", "rows,pages").split(",")
    if "pages" in which:
        pages(folder, program, random)
    if "rows" in which:
        rows(folder, program, random)


def unit(vectors):
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


def rows(folder, program, random):
    import faiss

    faiss.omp_set_num_threads(1)
    data = unit(random.standard_normal((ROWS, WIDTH), dtype=np.float32))
    queries = unit(random.standard_normal((20, WIDTH), dtype=np.float32))
    index = faiss.IndexFlatIP(WIDTH)
    index.add(data)
    times, truth = best(queries, lambda query: index.search(query[None], 10)[1][0] + 1)
    print(f"rows: faiss f32 {times}")
    del index
    ours(folder, program, "rows", data, queries, 1, 1, 1, truth)


def pages(folder, program, random):
    centres = random.standard_normal((3000, DIM), dtype=np.float32)
    noisy = lambda count: unit(centres[random.integers(3000, size=count)] + random.standard_normal((*count, DIM), dtype=np.float32))
    data, queries = noisy((PAGES, PATCHES)), noisy((20, TOKENS))
    times, truth = best(queries, lambda query: top(np.array([(page @ query.T).max(0).sum() for page in data])))
    print(f"pages: numpy f32 {times}")
    maxsim(data, queries, truth)
    try:
        qdrant(folder, data, queries, truth)
    except Exception as error:
        print(f"pages: qdrant-edge failed: {error!r}")
    for copies in (1, COPIES):
        ours(folder, program, "blocks", data, queries, PATCHES, copies, TOKENS, truth)


def maxsim(data, queries, truth):
    import maxsim_cpu

    times, found = best(queries, lambda query: top(np.asarray(maxsim_cpu.maxsim_scores(query, data))))
    print(f"pages: maxsim-cpu f32 {times}, overlap@10 {overlap(found, truth):.3f}")


def qdrant(folder, data, queries, truth):
    import qdrant_edge as q

    shard_folder = folder / "shard"
    shutil.rmtree(shard_folder, ignore_errors=True)
    shard_folder.mkdir()
    vectors = q.EdgeVectorParams(
        size=DIM, distance=q.Distance.Dot, datatype=q.VectorStorageDatatype.Uint8,
        multivector_config=q.MultiVectorConfig(q.MultiVectorComparator.MaxSim), on_disk=False,
    )
    shard = q.EdgeShard.create(str(shard_folder), q.EdgeConfig(vectors={"late": vectors}, max_search_threads=1))
    step = np.abs(data).max() / 127
    stored = np.clip(np.round(data / step) + 128, 0, 255)
    for start in range(0, PAGES, 50):
        points = [q.Point(number + 1, {"late": stored[number].tolist()}) for number in range(start, start + 50)]
        shard.update(q.UpdateOperation.upsert_points(points))
    asked = np.clip(np.round(queries / step) + 128, 0, 255)

    def run(query):
        nearest = q.Query.Nearest(query.tolist(), using="late")
        return [hit.id for hit in shard.query(q.QueryRequest(limit=10, query=nearest, params=q.SearchParams(exact=True)))]

    times, _ = best(asked, run)
    print(f"pages: qdrant-edge uint8 {times}")
    shutil.rmtree(shard_folder)


def top(scores):
    return np.lexsort((np.arange(len(scores)), -scores))[:10] + 1


def best(queries, run):
    """CPU milliseconds of a query, and what was found."""
    run(queries[0])
    times, found = [], []
    for query in queries:
        start = time.process_time()
        found.append(list(run(query)))
        times.append(1000 * (time.process_time() - start))
    return f"best {min(times):.2f} ms, median {sorted(times)[len(times) // 2]:.2f} ms", found


def overlap(found, truth):
    return sum(len(set(a) & set(b)) for a, b in zip(found, truth)) / sum(map(len, truth))


def ours(folder, program, layout, data, queries, patches, copies, tokens, truth):
    files = folder / "data.f32", folder / "queries.f32"
    data.tofile(files[0]), queries.tofile(files[1])
    command = [program, layout, files[0], data.shape[-1], patches, copies, files[1], tokens, folder / "segments"]
    for line in subprocess.run([*map(str, command), *sys.argv[3:]], check=True, capture_output=True, text=True).stdout.splitlines():
        row = json.loads(line)
        if "elements" not in row:
            print(f"{layout}: {row}")
            continue
        rate = row["bytes"] / row["mean_s"] / 1e9
        share = f"overlap@10 {overlap(row['pages'], truth):.3f}" if copies == 1 else ""
        print(
            f"{layout} x{copies}: recto {row['elements']} {row['path']}: mean {1000 * row['mean_s']:.2f} ms, {rate:.1f} GB/s of {row['probe_mapped_gb_s']:.1f} {share}"
        )


if __name__ == "__main__":
    main()
