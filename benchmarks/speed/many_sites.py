"""A thousand small sites from one file: memory, descriptors, the first request, fairness.

    .venv/bin/python benchmarks/speed/many_sites.py [sites] [at_once] [seconds] [delay] \
        > benchmarks/results/many_sites.csv

Every site has an address of its own in 127.0.0.0/8; one server process answers for all of them. The
crawl is `datahound crawl --sites FILE --plain` in a process of its own, seen from outside through
/proc: its memory and that of the workers that read pages, shared pages counted once.
"""

import asyncio
import csv
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

PORT = 8798
COLUMNS = (
    "seconds", "sites", "at_once", "begun", "requests", "files", "memory_mb", "mb_per_site_at_once",
    "descriptors", "cpu_seconds", "first_request_s", "fewest_requests", "most_requests",
)  # fmt: skip
PAGES, FILES_PER_PAGE = 20, 3
EVERY_SECONDS = 10


def address(number):
    return f"127.{1 + number // 62_500}.{number // 250 % 250}.{number % 250 + 1}"


def page(path):
    if path == "/":
        links = [f"/list-{n}.html" for n in range(PAGES)]
    else:
        links = [f"{path[:-5]}-{n}.csv" for n in range(FILES_PER_PAGE)]
    items = "".join(f'<li><a href="{link}">{link}</a></li>' for link in links)
    return f"<!doctype html><title>{path}</title><ul>{items}</ul>".encode()


async def serve(sites):
    """Serve the sites, and print what was asked of each as JSON for each line of input."""
    asked, first = Counter(), []

    async def talk(reader, writer):
        site = writer.get_extra_info("sockname")[0]
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                path = head.split(b" ")[1].decode()
                first[:] = first or [time.time()]
                asked[site] += path != "/robots.txt"
                writer.write(answer(path, site))
                await writer.drain()
        except (OSError, EOFError):
            pass
        finally:
            writer.close()

    for number in range(sites):
        await asyncio.start_server(talk, address(number), PORT)
    print("ready", flush=True)
    while await asyncio.to_thread(sys.stdin.readline):
        print(json.dumps({"first": first, "asked": asked}), flush=True)


def answer(path, site):
    if path == "/robots.txt":
        status, kind, body = "404 Not Found", "text/plain", b""
    elif path.endswith(".csv"):
        status, kind, body = "200 OK", "text/csv", f"site,path\n{site},{path}\n".encode()
    else:
        status, kind, body = "200 OK", "text/html", page(path)
    head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


def measure(process):
    """Megabytes of a process and its children, its descriptors, and its seconds of CPU."""
    pids = [process.pid, *map(int, children(process.pid))]
    memory = 0
    for pid in pids:
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            memory += int(line.split()[1]) if line.startswith("Pss:") else 0
    descriptors = sum(1 for _ in Path(f"/proc/{process.pid}/fd").iterdir())
    ticks = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return memory / 1024, descriptors, sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")


def children(pid):
    return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()


def main(sites=1000, at_once=200, seconds=120, delay=1):
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    table = csv.writer(sys.stdout)
    table.writerow(COLUMNS)
    command = [sys.executable, __file__, "serve", str(sites)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with tempfile.TemporaryDirectory() as folder, subprocess.Popen(command, **pipes) as server:
        try:
            server.stdout.readline()
            crawl(server, Path(folder), sites, at_once, seconds, delay, table)
        finally:
            server.kill()


def crawl(server, folder, sites, at_once, seconds, delay, table):
    listed = folder / "sites.txt"
    listed.write_text("".join(f"http://{address(n)}:{PORT}/\n" for n in range(sites)))
    options = ["--output", folder / "out", "--delay", delay, "--at-once", at_once, "--plain"]
    program = "from datahound.cli import main; main()"
    command = [sys.executable, "-c", program, "crawl", "--sites", listed, "--no-catalog", *options]
    begun = time.time()
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(list(map(str, command)), stdout=log, stderr=log)
        while process.poll() is None and time.time() - begun < seconds:
            time.sleep(min(EVERY_SECONDS, seconds / 3))
            if process.poll() is None:
                memory, descriptors, cpu = measure(process)
                row = [memory, memory / min(at_once, sites), descriptors, cpu]
                server.stdin.write("\n")
                server.stdin.flush()
                seen = json.loads(server.stdout.readline())
                files = sum(1 for _ in (folder / "out").glob("*/files/*/*"))
                counts = list(seen["asked"].values()) or [0]
                first = round(seen["first"][0] - begun, 2) if seen["first"] else ""
                table.writerow(
                    [round(time.time() - begun), sites, at_once, len(counts), sum(counts), files]
                    + [round(value, 1) for value in row]
                    + [first, min(counts), max(counts)]
                )
                sys.stdout.flush()
        process.terminate()
        process.wait()


if __name__ == "__main__":
    if sys.argv[1:2] == ["serve"]:
        asyncio.run(serve(int(sys.argv[2])))
    else:
        main(*map(int, sys.argv[1:]))
