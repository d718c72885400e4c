#!/usr/bin/env python3
"""Ranking measures of recto beside pytrec_eval, ir_measures and ranx: the same numbers on 1,000 random queries, then the
time from files to numbers for 10,000 queries with 1,000 pages each, whole processes, CPU seconds.

usage: measures_ranking.py     (needs `pip install pytrec_eval-terrier ir_measures ranx` and `cargo build --release -p recto`)
"""

import json
import pathlib
import random
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
RECTO = ROOT / "target/release/recto"
TREC = {"MRR": "recip_rank", "nDCG@10": "ndcg_cut_10", "MAP@100": "map_cut_100", "R@100": "recall_100", "P@5": "P_5",
        "Success@5": "success_5"}
RANX = {"MRR@10": "mrr@10", "nDCG@10": "ndcg@10", "MAP@10": "map@10", "R@10": "recall@10", "Success@10": "hit_rate@10"}


def read(path):
    table = {}
    with open(path) as lines:
        for line in lines:
            query, _, document, *rest = line.split()
            table.setdefault(query, {})[document] = float(rest[1]) if len(rest) == 3 else int(rest[0])
    return table


def pytrec_eval(qrels, run):
    import pytrec_eval

    names = {name.rsplit("_", 1)[0] if name[-1].isdigit() else name for name in TREC.values()}
    by_query = pytrec_eval.RelevanceEvaluator(qrels, names | {"recall.100", "map_cut.100"}).evaluate(run)
    return {ours: sum(q[theirs] for q in by_query.values()) / len(qrels) for ours, theirs in TREC.items()}


def ranx(qrels, run):
    from ranx import Qrels, Run, evaluate

    return {ours: evaluate(Qrels(qrels), Run(run), theirs, make_comparable=True) for ours, theirs in RANX.items()}


def ir_measures(qrels, run):
    import ir_measures as ir

    # Its reciprocal rank orders equal scores the other way round.
    names = {"nDCG@10": ir.nDCG @ 10, "MAP@100": ir.AP @ 100, "R@100": ir.R @ 100, "P@5": ir.P @ 5, "Success@5": ir.Success @ 5}
    found = ir.calc_aggregate(names.values(), ir.read_trec_qrels(qrels), ir.read_trec_run(run))
    return {ours: found[theirs] for ours, theirs in names.items()}


def recto(qrels, run, measures, ties):
    command = [RECTO, "bench", "score", "--json", run, "--set", f"trec:{qrels}"]
    for measure in measures:
        command += ["-m", measure + ties]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    values = [of["value"] for of in json.loads(done.stdout)["measures"]]
    return dict(zip(measures, values)), after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def write(folder, n_queries, n_pages, seed, distinct):
    source = random.Random(seed)
    qrels, run = f"{folder}/{seed}.qrels", f"{folder}/{seed}.run"
    with open(qrels, "w") as judged, open(run, "w") as ranked:
        for query in range(n_queries):
            pages = source.sample(range(5 * n_pages), n_pages)
            chosen = dict.fromkeys(source.sample(range(5 * n_pages), 3) + source.sample(pages, 3))
            for at, page in enumerate(chosen):
                judged.write(f"q{query} 0 d{page} {source.choice([0, 1, 1, 2]) if at else 1}\n")
            for rank, page in enumerate(pages):
                score = n_pages - rank if distinct else source.choice([0.25, 0.5, 1.5, 2.0])
                ranked.write(f"q{query} Q0 d{page} {rank + 1} {score} me\n")
    return qrels, run


def compare(qrels, run):
    ours, _ = recto(qrels, run, TREC, "(ties=trec)")
    for name, theirs in (("pytrec_eval", pytrec_eval(read(qrels), read(run))), ("ir_measures", ir_measures(qrels, run))):
        print(f"{name}, ties everywhere: greatest difference {max(abs(ours[m] - theirs[m]) for m in theirs):.1e}")


def peer(name, qrels, run):
    """The CPU seconds of a process that does nothing else."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, __file__, name, qrels, run], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    with tempfile.TemporaryDirectory() as folder:
        compare(*write(folder, 1_000, 100, 1, distinct=False))
        qrels, run = write(folder, 1_000, 100, 2, distinct=True)
        theirs, (ours, _) = ranx(read(qrels), read(run)), recto(qrels, run, RANX, "")
        print("ranx, no ties: greatest difference", f"{max(abs(ours[m] - theirs[m]) for m in RANX):.1e}")
        qrels, run = write(folder, 10_000, 1_000, 3, distinct=True)
        _, our_time = recto(qrels, run, TREC, "(ties=trec)")
        for name in PEERS:
            their_time = peer(name, qrels, run)
            print(f"10,000 queries x 1,000 pages: recto {our_time:.2f} CPU s, {name} {their_time:.1f} CPU s: "
                  f"{their_time / our_time:.1f} times")


PEERS = {"pytrec_eval": lambda qrels, run: pytrec_eval(read(qrels), read(run)), "ir_measures": ir_measures,
         "ranx": lambda qrels, run: ranx(read(qrels), read(run))}

if len(sys.argv) > 1:
    print(PEERS[sys.argv[1]](*sys.argv[2:]))
else:
    main()
