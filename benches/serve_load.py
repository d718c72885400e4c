#!/usr/bin/env python3
"""How quick `recto serve` is with many clients: searches and page pictures over connections that stay open.

    recto serve --index DIR --port 7432 &
    python3 benches/serve_load.py --pid $! [--clients 64] [--seconds 60]
    python3 benches/serve_load.py --pid $! --add FOLDER --recto target/release/recto --index DIR

Prints p50 and p99 by kind, requests a second, requests a CPU second of the server, and its memory before and after.
With --add, the documents of FOLDER are added meanwhile, again and again under new names: half of them through the server,
half of them by `recto index` on the same index. Ends with 1 if anything was not answered by 200. Standard library only.
The clients share the machine with the server, so times are an upper bound.
"""

import argparse
import asyncio
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request


def get(base, path):
    with urllib.request.urlopen(base + path, timeout=60) as reply:
        return json.load(reply)


def subjects(base, collection, seed):
    """Addresses of page pictures, and queries made of words that stand on those pages."""
    root = f"/v1/collections/{collection}"
    rng = random.Random(seed)
    documents = get(base, f"{root}/documents?limit=1000")["documents"]
    pages = [f"{d['url']}/pages/{n}" for d in documents if d["state"] == "indexed" for n in range(1, d["pages"] + 1)]
    rng.shuffle(pages)
    queries = []
    for page in pages[:100]:
        words = re.findall(r"[^\W\d_]{4,}", get(base, f"{page}/text?format=plain")["text"])
        if len(words) > 5:
            queries.append(" ".join(rng.sample(words, 3)))
    return pages, [f"{root}/search?query={urllib.parse.quote(query)}" for query in queries]


class Client:
    """A connection that stays open."""

    def __init__(self, host, port):
        self.host, self.port, self.reader, self.writer = host, port, None, None

    async def get(self, path):
        if self.writer is None:
            self.reader, self.writer = await asyncio.open_connection(self.host, self.port)
        start = time.perf_counter()
        self.writer.write(f"GET {path} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\n\r\n".encode())
        head = await self.reader.readuntil(b"\r\n\r\n")
        length = int(re.search(rb"(?i)content-length: (\d+)", head).group(1))
        await self.reader.readexactly(length)
        return int(head.split(b" ", 2)[1]), time.perf_counter() - start


async def measure(clients, seconds, pick):
    """Times by kind, and statuses, of clients that ask one thing after another."""
    times, statuses, end = {}, {}, time.monotonic() + seconds

    async def work(client):
        while time.monotonic() < end:
            kind, path = pick()
            status, took = await client.get(path)
            times.setdefault(kind, []).append(took)
            statuses[status] = statuses.get(status, 0) + 1

    await asyncio.gather(*(work(client) for client in clients))
    return times, statuses


class Adding:
    """Documents that are added while others search, through the server and beside it."""

    def __init__(self, asked):
        self.asked, self.added, self.beside, self.failed, self.over = asked, 0, 0, [], False
        self.files = sorted(os.path.join(asked.add, name) for name in os.listdir(asked.add) if not name.endswith((".jsonl", ".json")))

    async def through(self):
        """By the server's own jobs."""
        base, turn = f"http://127.0.0.1:{self.asked.port}", 0
        while not self.over:
            for file in self.files:
                if self.over:
                    return
                name = urllib.parse.quote(f"through-{turn}-{os.path.basename(file)}", safe="")
                await asyncio.to_thread(self.upload, base, name, open(file, "rb").read() + b"\n" * (turn + 1))
            turn += 1

    def upload(self, base, name, data):
        request = urllib.request.Request(f"{base}/v1/collections/{self.asked.collection}/documents/{name}", data, method="PUT")
        try:
            with urllib.request.urlopen(request, timeout=60) as reply:
                url = json.load(reply)["url"]
            state = "waiting"
            while state in ("waiting", "running"):
                job = get(base, f"{url}?wait=30")
                state = job["state"]
            if state == "done":
                self.added += 1
            else:
                self.failed.append(f"{name}: {job}")
        except OSError as error:
            self.failed.append(f"{name}: {error}")

    async def by_command(self):
        """By `recto index`, which writes to the same index."""
        turn = 0
        while not self.over:
            with tempfile.TemporaryDirectory() as folder:
                for file in self.files:
                    with open(os.path.join(folder, f"beside-{turn}-{os.path.basename(file)}"), "wb") as copy:
                        copy.write(open(file, "rb").read() + b"\n" * (1000 + turn))
                for _ in range(60):
                    command = [self.asked.recto, "index", folder, "--index", self.asked.index, "--quiet"]
                    process = await asyncio.create_subprocess_exec(*command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
                    _, told = await process.communicate()
                    # One of the two writers waits for the other: the command says so, and is run again.
                    if process.returncode in (0, 3) or self.over:
                        break
                    await asyncio.sleep(0.5)
                if process.returncode in (0, 3):
                    self.beside += len(self.files)
                elif not self.over:
                    self.failed.append(told.decode())
            turn += 1


def share(values, part):
    values = sorted(values)
    return 1000 * values[min(len(values) - 1, int(part * len(values)))]


def cpu_seconds(pid):
    """Of the server and the processes that draw for it."""
    ticks = os.sysconf("SC_CLK_TCK")
    fields = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()
    return sum(map(int, fields[11:15])) / ticks


def memory(pid):
    return int(re.search(r"VmRSS:\s+(\d+)", open(f"/proc/{pid}/status").read()).group(1)) // 1024


async def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=7432)
    parser.add_argument("--collection", default="default")
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--dpi", type=int, default=110)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--pid", type=int, help="of the server: CPU seconds and memory")
    parser.add_argument("--add", help="a folder of documents that are added meanwhile")
    parser.add_argument("--recto", default="target/release/recto")
    parser.add_argument("--index", help="that of the server, for `recto index`")
    asked = parser.parse_args()
    base = f"http://127.0.0.1:{asked.port}"
    pages, queries = subjects(base, asked.collection, asked.seed)
    rng = random.Random(asked.seed)
    picture = lambda page: f"{page}/image?dpi={asked.dpi}"

    def report(name, times, statuses, took):
        for kind, values in sorted(times.items()):
            print(f"{name:9} {kind:8} {len(values):7} requests  p50 {share(values, .5):8.2f} ms  p99 {share(values, .99):8.2f} ms")
        total = sum(map(len, times.values()))
        print(f"{name:9} all      {total / took:7.0f} requests/s  statuses {statuses}")

    one = Client("127.0.0.1", asked.port)
    cold = [(await one.get(picture(page)))[1] for page in pages[:60]]
    warm = [(await one.get(picture(page)))[1] for page in pages[:60]]
    found = [(await one.get(query))[1] for query in queries]
    for kind, values in [("cold", cold), ("cached", warm), ("search", found)]:
        report("alone", {kind: values}, {}, sum(values))

    clients = [Client("127.0.0.1", asked.port) for _ in range(asked.clients)]
    def pick():
        return ("search", rng.choice(queries)) if rng.random() < 0.5 else ("picture", picture(rng.choice(pages[:60])))

    before, held, start = (cpu_seconds(asked.pid), memory(asked.pid), time.monotonic()) if asked.pid else (0, 0, time.monotonic())
    adding = Adding(asked) if asked.add else None
    others = [asyncio.create_task(part) for part in ((adding.through(), adding.by_command()) if adding else ())]
    times, statuses = await measure(clients, asked.seconds, pick)
    took = time.monotonic() - start
    report(f"{asked.clients} at once", times, statuses, took)
    if asked.pid:
        used = cpu_seconds(asked.pid) - before
        print(f"server: {used:.1f} CPU s, {sum(map(len, times.values())) / used:.0f} requests a CPU second, "
              f"memory {held} MiB before, {memory(asked.pid)} MiB after")
    if adding:
        adding.over = True
        await asyncio.gather(*others)
        now = get(base, f"/v1/collections/{asked.collection}/documents?limit=1")
        print(f"added meanwhile: {adding.added} documents through the server, {adding.beside} by the command, "
              f"{len(adding.failed)} failed {adding.failed[:3]}; the index holds {now.get('total')}")
    sys.exit(1 if set(statuses) != {200} or (adding and adding.failed) else 0)


asyncio.run(main())
