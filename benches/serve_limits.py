#!/usr/bin/env python3
"""What `recto serve` does with those who ask too much: a limit and a clear answer each, at real size.

    python3 benches/serve_limits.py --recto target/release/recto --index DIR

Starts servers of its own over the index, which gets nothing new. 1,000 open streams; 10 GB sent with and without their
length; clients that send a byte a second, as head and as body, and one that never reads; names that lead elsewhere.
Prints what was answered and ends with 1 if anything was not as it should be. Standard library only.
"""

import argparse
import http.server
import json
import os
import re
import resource
import socket
import subprocess
import sys
import threading
import time
import urllib.parse

GB = 10**9
FAULTS = []


def told(name, what, is_right=True):
    print(f"{name:34} {what}" + ("" if is_right else "   <- WRONG"), flush=True)
    if not is_right:
        FAULTS.append(name)


class Server:
    """A server over the index, with settings of its own."""

    def __init__(self, asked, *settings):
        command = [asked.recto, "serve", "--index", asked.index, "--port", "0", *settings]
        self.child = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        line = self.child.stderr.readline()
        self.port = int(re.search(r":(\d+)/", line).group(1))
        threading.Thread(target=self.child.stderr.read, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.child.terminate()
        self.child.wait(20)

    def connect(self, timeout=60):
        return socket.create_connection(("127.0.0.1", self.port), timeout)

    def head(self, method, path, *headers):
        lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{self.port}", *headers]
        return ("\r\n".join(lines) + "\r\n\r\n").encode()

    def ask(self, method, path, body=None, headers=()):
        data = b"" if body is None else json.dumps(body).encode() if isinstance(body, dict) else body
        kind = ["Content-Type: application/json"] if isinstance(body, dict) else []
        with self.connect() as line:
            line.sendall(self.head(method, path, f"Content-Length: {len(data)}", "Connection: close", *kind, *headers) + data)
            return answer(line)

    def memory(self):
        return int(re.search(r"VmRSS:\s+(\d+)", open(f"/proc/{self.child.pid}/status").read()).group(1)) // 1024

    def is_quick(self):
        """Whether others are answered meanwhile, and how soon."""
        start = time.perf_counter()
        status, _ = self.ask("GET", f"{ROOT}/search?query=water")
        return status == 200, 1000 * (time.perf_counter() - start)


ROOT = "/v1/collections/default"


def answer(line):
    """Status and code of the answer; (0, '') where the line was closed without one."""
    data = b""
    try:
        while piece := line.recv(65536):
            data += piece
    except (ConnectionResetError, BrokenPipeError):
        pass
    found = re.match(rb"HTTP/1.1 (\d+)", data)
    code = re.search(rb'"code":"(\w+)"', data)
    return (int(found.group(1)) if found else 0), (code.group(1).decode() if code else "")


def silent_model():
    """A model that is asked and says nothing: questions go on for as long as they may."""
    class Silent(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            time.sleep(600)

        def do_GET(self):
            time.sleep(600)

    served = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Silent)
    served.daemon_threads = True
    threading.Thread(target=served.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{served.server_port}"


def streams(asked, many=1000):
    settings = ["--max-streams", str(many), "--max-connections", str(many + 100), "--model", "vllm:silent", "--base-url", silent_model()]
    with Server(asked, *settings) as server:
        before = server.memory()
        server.ask("POST", f"{ROOT}/ask", {"question": "How much water is there?", "mode": "background"})
        with server.connect() as line:
            line.sendall(server.head("GET", f"{ROOT}/jobs", "Connection: close"))
            text = b"".join(iter(lambda: line.recv(65536), b"")).decode()
        job = re.search(r'"job":"(\w+)"', text).group(1)
        open_lines, refused = [], []
        for _ in range(many + 5):
            line = server.connect()
            line.sendall(server.head("GET", f"{ROOT}/jobs/{job}/events"))
            head = line.recv(4096)
            (open_lines if b" 200 " in head.split(b"\r\n", 1)[0] else refused).append((line, head))
        told("streams", f"{len(open_lines)} open, {server.memory() - before} MiB more memory", len(open_lines) == many)
        codes = {head.split(b" ", 2)[1].decode() for _, head in refused}
        told("streams beyond the limit", f"{len(refused)} answered {codes}", codes == {"429"})
        is_answered, took = server.is_quick()
        told("a search meanwhile", f"{took:.1f} ms", is_answered)
        server.ask("POST", f"{ROOT}/jobs/{job}/cancel", {})
        ended = 0
        for line, _ in open_lines:
            line.settimeout(20)
            try:
                while piece := line.recv(65536):
                    if b"0\r\n\r\n" in piece:
                        ended += 1
                        break
            except OSError:
                pass
            line.close()
        told("streams that heard of the end", f"{ended}", ended == many)


def upload(asked):
    with Server(asked) as server:
        for name, size, chunked in [("10 GB, length told", 10 * GB, False), ("10 GB, length not told", 10 * GB, True)]:
            line, sent, start = server.connect(), 0, time.perf_counter()
            length = "Transfer-Encoding: chunked" if chunked else f"Content-Length: {size}"
            line.sendall(server.head("PUT", f"{ROOT}/documents/large.txt", length))
            piece = b"x" * (1 << 20)
            framed = b"%x\r\n%s\r\n" % (len(piece), piece) if chunked else piece
            found = []
            reader = threading.Thread(target=lambda: found.append(answer(line)), daemon=True)
            reader.start()
            try:
                while sent < size and not found:
                    line.sendall(framed)
                    sent += len(piece)
            except OSError:
                pass
            reader.join(30)
            status, code = found[0] if found else (0, "")
            told(name, f"{status} {code} after {sent / 1e6:.0f} MB, {time.perf_counter() - start:.1f} s", status == 413)
            line.close()
        time.sleep(1)
        left = sum(os.path.getsize(os.path.join(at, f)) for at, _, files in os.walk(os.path.join(asked.index, "cache", "uploads")) for f in files)
        told("left of it on disk", f"{left} bytes; memory {server.memory()} MiB", left == 0)


def slow(asked, time_allowed=10):
    def drip(server, head, byte, most):
        line, start, status = server.connect(), time.perf_counter(), (0, "")
        line.sendall(head)
        line.setblocking(False)
        data = b""
        while time.perf_counter() - start < most:
            try:
                piece = line.recv(65536)
                if not piece:
                    break
                data += piece
                if b"\r\n\r\n" in data:
                    break
            except BlockingIOError:
                pass
            try:
                line.send(byte)
            except OSError:
                break
            time.sleep(1)
        found, code = re.match(rb"HTTP/1.1 (\d+)", data), re.search(rb'"code":"(\w+)"', data)
        status = int(found.group(1)) if found else 0
        line.close()
        return status, code.group(1).decode() if code else "", time.perf_counter() - start

    with Server(asked, "--body-timeout", str(time_allowed), "--max-connections", "64") as server:
        cases = [
            ("head, a byte a second", f"GET {ROOT}/search?query=".encode(), b"w", 60),
            ("question, a byte a second", server.head("POST", f"{ROOT}/ask", "Content-Type: application/json", "Content-Length: 1000"), b" ", 60),
            ("file, a byte a second", server.head("PUT", f"{ROOT}/documents/slow.txt", "Content-Length: 1000"), b"x", 60),
            ("key, a byte a second", server.head("POST", "/login", "Content-Type: application/x-www-form-urlencoded", "Content-Length: 1000"), b"x", 60),
            ("chat, a byte a second", server.head("POST", "/v1/chat/completions", "Content-Type: application/json", "Content-Length: 1000"), b" ", 60),
            ("agent, a byte a second", server.head("POST", "/mcp", "Content-Type: application/json", "Accept: application/json, text/event-stream", "Content-Length: 1000"), b" ", 60),
        ]
        results = [None] * len(cases)
        def run(at, case):
            results[at] = drip(server, *case[1:])
        threads = [threading.Thread(target=run, args=(at, case)) for at, case in enumerate(cases)]
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]
        for (name, *_), (status, code, took) in zip(cases, results):
            told(name, f"{status or 'closed'} {code} after {took:.0f} s", took < 40)


def never_reads(asked):
    with Server(asked, "--max-connections", "64") as server:
        with server.connect() as line:
            line.sendall(server.head("GET", f"{ROOT}/documents?limit=1000", "Connection: close"))
            text = b"".join(iter(lambda: line.recv(65536), b"")).decode()
        page = re.search(r'"url":"([^"]+)"', text).group(1)
        lines = []
        for _ in range(64):
            line = socket.socket()
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            line.connect(("127.0.0.1", server.port))
            line.sendall(server.head("GET", f"{page}/pages/1/image?dpi=300") * 20)
            lines.append(line)
        start = time.perf_counter()
        status = 0
        while status != 200 and time.perf_counter() - start < 180:
            time.sleep(2)
            status, code = server.ask("GET", "/health")
        took = time.perf_counter() - start
        told("64 of 64 lines that never read", f"others are let in after {took:.0f} s", status == 200 and took < 120)
        [line.close() for line in lines]


NAMES = [
    "../up.txt", "../../etc/passwd.txt", "/etc/passwd.txt", "..\\up.txt", "C:\\up.txt", "a/../b.txt", "a//b.txt", "./a.txt", "a/./b.txt",
    "nul\0.txt", "line\nbreak.txt", "\x1b[2Jbell.txt", "\u202egnp.txt", "a\u200bb.txt", ".", "..", "", " ", "x" * 300 + ".txt", "a/" * 400 + "b.txt",
    "CON.txt", "a.txt/", "~/.ssh/id.txt", "$(reboot).txt", "`id`.txt", "a|b.txt", "<script>.txt", "%2e%2e%2fup.txt", "水.txt", "é.txt", "e\u0301.txt",
    "program.exe", "noending", ".hidden.txt", "-rf.txt",
]


def names(asked):
    before = {at for at, *_ in os.walk(os.path.dirname(os.path.abspath(asked.index)))}
    counts = {}
    with Server(asked, "--max-upload", "1KiB") as server:
        for name in NAMES:
            # More than the limit: a name that is good gets 413, and nothing is added.
            status, code = server.ask("PUT", f"{ROOT}/documents/{urllib.parse.quote(name, safe='')}", b"x" * 2000)
            form = b"--b\r\nContent-Disposition: form-data; name=\"files\"; filename=\"" + name.encode().replace(b"\n", b"%0A").replace(b"\0", b"") + b"\"\r\n\r\n" + b"x" * 2000 + b"\r\n--b--\r\n"
            sent, sent_code = server.ask("POST", f"{ROOT}/documents", form, ["Content-Type: multipart/form-data; boundary=b"])
            for found, kind in [(status, code), (sent, sent_code)]:
                counts[f"{found} {kind}"] = counts.get(f"{found} {kind}", 0) + 1
            is_right = status in (404, 405, 413, 415, 422) and sent in (400, 413, 415, 422)
            if asked.verbose or not is_right:
                told(f"name {name[:24]!r}", f"by address {status} {code}, by form {sent} {sent_code}", is_right)
        is_answered, _ = server.is_quick()
    after = {at for at, *_ in os.walk(os.path.dirname(os.path.abspath(asked.index)))}
    new = {path for path in after - before if "/cache" not in path}
    told(f"{len(NAMES)} names, twice each", f"{counts}; new folders {new or 'none'}", is_answered and not new)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--recto", default="target/release/recto")
    parser.add_argument("--index", required=True, help="an index that holds documents")
    parser.add_argument("--only", help="one of streams, upload, slow, never_reads, names")
    parser.add_argument("--verbose", action="store_true")
    asked = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 65536), most))
    for part in [streams, upload, slow, never_reads, names]:
        if asked.only in (None, part.__name__):
            part(asked)
    sys.exit(1 if FAULTS else 0)


main()
