"""How fast the dashboard's pages answer with 100,000 targets and a million requests.

    .venv/bin/python benchmarks/speed/dashboard.py [requests] > benchmarks/results/dashboard.csv

The crawl is made up, row by row, in the shape of a real one; a second argument names a folder to
keep it in, and it is made only once. The server runs in a process of its own. `cold` is the first
answer after the server has started, `median` and `worst` those of the next twenty, in milliseconds.
"""

import contextlib
import csv
import itertools
import json
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from datahound.catalog import database as catalog_database
from datahound.catalog import writer
from datahound.catalog.model import Source
from datahound.model import Skip
from datahound.report.phrases import CAUSES, Cause
from datahound.runs.outcome import Ended
from datahound.store.sqlite import create_or_open

SITE = "https://www.example.org"
HOSTS = (SITE, "https://data.example.org", "https://files.example.org")
TOPICS = "population prices labour health schools energy transport farming trade housing".split()
GROUPS = 400
TIMES = 20
LINKS_EACH = 2


def url_of(number):
    topic = TOPICS[number % len(TOPICS)]
    return f"{HOSTS[number % 3]}/{topic}/{number % 97}/page-{number:07}-about-{topic}.html"


def file_of(number):
    topic = TOPICS[number % len(TOPICS)]
    return f"{SITE}/files/{topic}/{1990 + number % 35}/{topic}-by-region-{number:06}.csv"


def fill_crawl(path, requests):
    """A crawl of so many requests, a tenth of them for targets."""
    connection = create_or_open(path)
    rng = random.Random(1)
    connection.execute("PRAGMA synchronous = OFF")
    connection.execute("BEGIN")
    identity = {"URL": f"{SITE}/", "--strategy": "sb-classifier"}
    ended = Ended(Cause.SPENT_REQUESTS, CAUSES[Cause.SPENT_REQUESTS].phrase).plain()
    many, begun = connection.executemany, 1_790_000_000
    facts = [("identity", json.dumps(identity)), ("ended", json.dumps(ended)), ("retold", "1")]
    many("INSERT INTO fact VALUES (?, ?)", facts)
    shapes = (f"html body div#main div.block-{n % 31} ul.list-{n} li a.link" for n in range(GROUPS))
    folders = (f"{SITE}/{TOPICS[n % len(TOPICS)]}/" for n in range(GROUPS))
    many("INSERT INTO action VALUES (?, ?, ?)", zip(range(GROUPS), shapes, folders, strict=True))
    pages = requests // 10
    texts = ((n, url_of(n)) for n in range(pages))
    many("INSERT INTO text VALUES (?, ?)", texts)
    many(
        "INSERT INTO request VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, '', NULL, 0)",
        (
            (n + 1, begun + n, file_of(n // 10), "collect", 200, "target", "target", 50_000)
            if n % 10 == 0
            else (n + 1, begun + n, url_of(n), "visit", 404, "other", "page", 900)
            if n % 50 == 3
            else (n + 1, begun + n, url_of(n), "visit", 200, "page", "page", 14_000)
            for n in range(requests)
        ),
    )
    evidence = json.dumps(
        {"experience": [["site", 50, 90]], "grounds": [], "runners_up": [[3, 2.0]]}
    )
    visited = [n for n in range(requests) if n % 10]
    many(
        "INSERT INTO visit VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, 'read', 0, 1, 0, 0)",
        (
            (n + 1, begun + n, url_of(n), f"Page {n}", 3, n % GROUPS, int(n % 9 == 0), 2)
            for n in visited
        ),
    )
    many(
        "INSERT INTO choice VALUES (NULL, ?, ?, ?, ?, ?, 2.5, 1.8, ?)",
        ((n, begun + n, n, url_of(n), n % GROUPS, evidence) for n in visited),
    )
    many(
        "INSERT INTO link VALUES (?, ?, ?, ?, '', ?, 3, 'page', ?)",
        (
            (n, url_of(n), n % pages, f"About {n}", n % pages, n % GROUPS)
            for n in range(LINKS_EACH * requests)
        ),
    )
    kinds = (Skip.OTHER_SITE, Skip.BLOCKED_EXTENSION, Skip.ROBOTS, Skip.TRAP_CALENDAR)
    reasons = [kind.value for kind in kinds]
    many(
        "INSERT INTO skip VALUES (NULL, ?, ?, ?, ?, 0)",
        (
            (f"https://other.example/{n}", rng.choice(reasons), f"Link {n}", n % pages)
            for n in range(requests // 2)
        ),
    )
    many(
        "INSERT INTO target VALUES (NULL, ?, ?, ?, ?, ?, 3, 'text/csv', 50000, 0)",
        (
            (n * 10 + 1, begun + n * 10, file_of(n), f"Table {n} (CSV)", n)
            for n in range(requests // 10)
        ),
    )
    many(
        "INSERT INTO file VALUES (?, 'complete', ?, 50000, ?, 'text/csv', '', '', ?, NULL)",
        ((file_of(n), f"{n}.csv", f"{n:064x}", begun) for n in range(requests // 10)),
    )
    connection.execute("COMMIT")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()


def fill_catalogue(folder, datasets):
    """A catalogue of so many files, each with a table."""
    connection = catalog_database.open_to_write(folder)
    connection.execute("PRAGMA synchronous = OFF")
    connection.execute("BEGIN")
    for number in range(datasets):
        writer.write_dataset(connection, source(number), look(number))
    connection.execute("COMMIT")
    connection.close()


def source(number):
    title = f"{TOPICS[number % len(TOPICS)].title()} by region and year, {number}"
    return Source(
        file_of(number),
        f"{number}.csv",
        title,
        url_of(number),
        f"Page {number}",
        "text/csv",
        50_000 + number,
        f"{number:064x}",
    )


def look(number):
    fields = [
        {"name": "year", "type": "year", "nulls": 0, "role": "dimension", "values": [2001]},
        {"name": "region", "type": "string", "nulls": 0, "role": "dimension", "values": ["North"]},
        {"name": "value", "type": "number", "nulls": 1, "role": "measure", "values": []},
    ]
    table = {
        "place": "",
        "address": {},
        "title": "",
        "rows": 500,
        "columns": 3,
        "number_share": 0.7,
        "first_year": 1990 + number % 20,
        "last_year": 2010 + number % 15,
        "places": [],
        "statistics": number % 2,
        "fields": fields,
        "sample": [[2001, "North", 1.5], [2002, "South", 2.5]],
        "terms": ["North", "South"],
    }
    return {"format": ("csv", "xlsx", "pdf")[number % 3], "tables": [table], "error": ""}


def addresses(requests):
    """Every kind of page, and the worst that can be asked of it."""
    middle = requests // 2
    found, never = url_of(middle + 1), "https://www.example.org/never"
    return {
        "home": "/",
        "overview": "/crawl/big",
        "overview.json": "/crawl/big.json",
        "data": "/crawl/big/data",
        "data, a search": "/crawl/big/data?q=schools+region",
        "data, a rare word": f"/crawl/big/data?q={requests // 20}",
        "data, filters": "/crawl/big/data?format=csv&section=health&from=2000&to=2005",
        "data, deep": f"/crawl/big/data?offset={requests // 10 - 100}",
        "dataset": "/crawl/big/data/777",
        "explain, visited": f"/crawl/big/explain?url={found}",
        "explain, a target": f"/crawl/big/explain?url={file_of(777)}",
        "explain, never met": f"/crawl/big/explain?url={never}",
        "requests": "/crawl/big/requests",
        "requests, deep": f"/crawl/big/requests?before={middle}",
        "requests, errors": "/crawl/big/requests?only=errors",
        "requests, nothing like it": "/crawl/big/requests?q=zzzz",
        "pages": "/crawl/big/pages",
        "pages, most files": "/crawl/big/pages?sort=targets",
        "pages, nothing like it": "/crawl/big/pages?q=zzzz",
        "skipped": "/crawl/big/skipped",
        "skipped, by reason": "/crawl/big/skipped?reason=robots.txt",
        "groups": "/crawl/big/groups",
        "group": "/crawl/big/groups/7",
        "metrics": "/metrics",
    }


def answer(address):
    begun = time.perf_counter()
    with urllib.request.urlopen(address) as response:
        response.read()
    return 1000 * (time.perf_counter() - begun)


@contextlib.contextmanager
def served(folder):
    command = [sys.executable, "-c", "from datahound.cli import main; main()"]
    command += ["serve", str(folder), "--port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ})
    try:
        yield re.search(r"http://[^/]+", process.stdout.readline())[0]
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()


def main():
    requests = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    table = csv.writer(sys.stdout)
    table.writerow(["page", "requests", "targets", "cold_ms", "median_ms", "worst_ms"])
    with tempfile.TemporaryDirectory() as temporary:
        folder = sys.argv[2] if len(sys.argv) > 2 else temporary
        begun = time.perf_counter()
        place = Path(folder) / "big"
        place.mkdir(parents=True, exist_ok=True)
        if not (place / "crawl.db").exists():
            fill_crawl(place / "crawl.db", requests)
        if not (place / "catalog.db").exists():
            fill_catalogue(place, requests // 10)
        size = (place / "crawl.db").stat().st_size / 1e6
        print(f"made in {time.perf_counter() - begun:.0f} s, {size:.0f} MB", file=sys.stderr)
        with served(folder) as home:
            cold = {name: answer(home + path) for name, path in addresses(requests).items()}
            begun = time.perf_counter()
            while (
                json.loads(urllib.request.urlopen(f"{home}/crawl/big.json").read())["counted"] < 1
            ):
                time.sleep(0.2)
            print(f"counted after {time.perf_counter() - begun:.1f} s more", file=sys.stderr)
            for name, path in addresses(requests).items():
                taken = sorted(answer(home + path) for _ in itertools.repeat(None, TIMES))
                figures = (cold[name], statistics.median(taken), taken[-1])
                counts = (requests, requests // 10)
                table.writerow([name, *counts, *(f"{figure:.0f}" for figure in figures)])


main()
