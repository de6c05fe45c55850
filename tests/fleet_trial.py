"""A fleet on this machine: served sites, worker processes, and what the server's log says."""

import csv
import json
import os
import subprocess
import sys
import time
from collections import defaultdict
from contextlib import contextmanager
from pathlib import Path

import fleet_server

from datahound.fleet.records import CRAWLS
from datahound.fleet.status import read_fleet
from datahound.remote.objects import Objects
from datahound.remote.pull import pull_folder
from datahound.remote.ship import hash_file
from datahound.store.queries import iterate_kept_files


@contextmanager
def served_sites(folder: Path, addresses: list[str], pages: int, files: int):
    """Serve a site per address given; yields their URLs and the path of the log."""
    spec = json.dumps({"addresses": addresses, "pages": pages, "files": files})
    log = folder / "requests.jsonl"
    server = subprocess.Popen(
        [sys.executable, fleet_server.__file__, spec, str(log)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    try:
        yield json.loads(server.stdout.readline()), log
    finally:
        server.stdin.close()
        server.stdout.close()
        server.terminate()
        server.wait()


def start_worker(store: str, work: Path, term: float, at_once: int, errors=subprocess.DEVNULL):
    """Start a worker process."""
    command = [
        "fleet", "worker", "--store", store, "--work", str(work), "--term", f"{term}s",
        "--ship-every", "1s", "--at-once", str(at_once),
    ]  # fmt: skip
    return subprocess.Popen([sys.executable, "-m", "datahound", *command], stderr=errors)


def wait_for(condition, seconds: float) -> bool:
    """Wait until a condition holds; whether it does."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if condition():
            return True
        time.sleep(0.2)
    return False


def read_log(log: Path) -> list[tuple[float, str, str, str, int]]:
    """The requests: time, address, site, path and process."""
    lines = log.read_text().splitlines() if log.exists() else []
    return [tuple(json.loads(line)) for line in lines]


def find_overlaps(rows, term: float = 0.0) -> list[str]:
    """Sites that one process asked again after another had begun with them, and was still alive.

    A process may get a site back under a new session, a third of a term at least after the other
    was killed: its own session had to be silent for a term, of which it asks for two thirds.
    """
    last, seen, found = {}, defaultdict(set), set()
    for at, _, site, _, process in rows:
        # A process that was gone when the server looked for it cannot come back.
        if not process:
            continue
        before, ended = last.get(site, (process, at))
        is_back = process != before and process in seen[site]
        if is_back and (not term or at - ended < term / 3):
            found.add(site)
        seen[site].add(process)
        last[site] = (process, at)
    return sorted(found)


def find_fast_addresses(rows, delay: float, window: int = 8) -> list[str]:
    """Addresses that were asked faster than allowed, over any few requests in a row."""
    times = defaultdict(list)
    for at, address, *_ in rows:
        times[address].append(at)
    # A request can be late and the next one not, so single gaps say little.
    least = (window - 2) * delay
    return [
        address
        for address, all_times in times.items()
        if any(b - a < least for a, b in zip(all_times, all_times[window - 1 :], strict=False))
    ]


def count_repeats(rows) -> int:
    """Requests for pages and files that were made before; robots.txt is read by every worker."""
    asked = [(site, path) for _, _, site, path, _ in rows if path != "/robots.txt"]
    return len(asked) - len(set(asked))


def find_wrong_files(objects: Objects, open_place, folder: Path, pages: int, files: int):
    """Data files that the store does not have, or with other bytes; by URL."""
    wrong = []
    for status in read_fleet(objects).sites:
        slug = status.site.slug
        pulled = folder / slug
        pull_folder(open_place(f"{CRAWLS}/{slug}"), pulled)
        has_crawl = (pulled / "crawl.db").exists()
        kept = {
            file.url: hash_file(pulled / "files" / file.path)[0]
            for file in (iterate_kept_files(pulled / "crawl.db") if has_crawl else ())
        }
        wanted = fleet_server.list_files(status.site.url.rstrip("/"), pages, files)
        wrong += [url for url, sha256 in wanted.items() if kept.get(url) != sha256]
    return wrong


def append_row(path: Path, row) -> None:
    """Add the row of a measurement to a CSV file, with the header if it is new."""
    is_new = not path.exists()
    with path.open("a", newline="") as file:
        writer = csv.DictWriter(file, row)
        if is_new:
            writer.writeheader()
        writer.writerow(row)


def end_process(process) -> None:
    """End a process that was started here, frozen or not."""
    if process.poll() is None:
        os.kill(process.pid, 18)
        process.kill()
    process.wait()
