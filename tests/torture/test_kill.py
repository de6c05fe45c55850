"""After SIGKILL at any instant the same crawl goes on: nothing lost, nothing asked for twice.

A few kills in every test run; `DATAHOUND_KILLS=120` (make torture) for many.
"""

import asyncio
import hashlib
import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path
from random import Random

import pytest
from websites import site_with_companions

from datahound.archive import open_archive
from datahound.archive import server as serve
from datahound.archive.warc.exchange import read_exchange
from datahound.archive.warc.rows import read_url
from datahound.archive.warc.scan import scan

KILLS = int(os.environ.get("DATAHOUND_KILLS", "10"))
SITE = "synthetic:demo?pages=100&targets=30"
DRIVER = Path(__file__).with_name("driver.py")
IN_FLIGHT = 8
HOSTS = 2
FINISHED = "SELECT url FROM file WHERE sha256 IS NOT NULL"
STORY = {
    "request": "number, url, purpose, status, kind, expected, size, failure",
    "link": "number, url, anchor, depth, expected, action",
    "skip": "url, reason, anchor",
    "visit": "number, url, title, depth, action, reward, new_links, outcome",
    "target": "number, url, anchor, depth, mime_type, size",
    "file": "url, size, sha256, mime_type, last_modified",
    "action": "number, tag_path",
    "choice": "number, link, url, action, score, expected, evidence",
}


class LoggedSite:
    """A site over loopback, and every request that was made of it."""

    def __init__(self, archive):
        self.archive = archive
        self.log = []
        self._ready = threading.Event()
        threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True).start()
        self._ready.wait(30)

    async def _serve(self):
        log = self.log

        class Logging(serve.ArchiveServer):
            async def handle(self, request):
                log.append((request.method, request.headers["Host"] + request.raw_path))
                return await super().handle(request)

        serve.ArchiveServer = Logging
        async with serve.serve_archive(self.archive) as served:
            self.address = served.address.removeprefix("http://")
            self._ready.set()
            await asyncio.Event().wait()


@pytest.fixture(scope="module", params=["demo", "companions"])
def site(request):
    """One whose files are found on pages, and one whose files are asked for before their pages."""
    made = {"demo": lambda: open_archive(SITE), "companions": site_with_companions(30).archive}
    return LoggedSite(made[request.param]())


@pytest.fixture(scope="module")
def whole(site, tmp_path_factory):
    """The crawl that nobody killed: what it said at its end, and its folder."""
    folder = tmp_path_factory.mktemp("whole") / "crawl"
    return ending(start(site, folder)), folder


def start(site, folder, die_at=0, concurrency=1):
    arguments = [site.archive.seed, str(folder), site.address, str(die_at), str(concurrency)]
    return subprocess.Popen(
        [sys.executable, str(DRIVER), *arguments], stdout=subprocess.PIPE, text=True
    )


def test_killed_at_state_writes(site, whole, tmp_path):
    """Each life dies at another write, before it, after it or in the midst of it."""
    rng = Random(1)
    most = whole[0]["writes"]
    survive(site, whole, tmp_path, lambda kill: start_doomed(site, rng, most, kill))


def test_killed_at_random_instants(site, whole, tmp_path):
    """Each life is killed from outside, whatever it is doing."""
    rng = Random(2)
    survive(site, whole, tmp_path, lambda _: start_hunted(site, rng))


def test_killed_with_eight_in_flight(site, tmp_path):
    """Nothing is lost, and only what was in flight is asked again."""
    rng = Random(3)
    assert ending(start(site, tmp_path / "whole", concurrency=IN_FLIGHT))
    expected = set(query(tmp_path / "whole", FINISHED))
    assert len(expected) == 30
    kills = 0
    while kills < KILLS:
        folder, last = tmp_path / f"crawl-{kills}", None
        watch = Watch(site, folder, in_flight=IN_FLIGHT * HOSTS)
        while last is None and kills < KILLS:
            life = start_hunted(site, rng, IN_FLIGHT)
            last = life(folder)
            kills += last is None
            watch.look()
        if last is None:
            last = ending(start(site, folder, concurrency=IN_FLIGHT))
            watch.look()
        assert "followed" in last["reason"]
        assert set(query(folder, FINISHED)) == expected
        requests = query(folder, "SELECT purpose, url FROM request")
        assert len(requests) == len(set(requests))
        check_files(folder)


def start_doomed(site, rng, most, kill):
    die_at = rng.randrange(1, 40) if kill % 3 else rng.randrange(1, most)

    return lambda folder: ending(start(site, folder, die_at))


def start_hunted(site, rng, concurrency=1):
    instant = rng.uniform(0.0, 0.5)

    def live(folder):
        process = start(site, folder, concurrency=concurrency)
        process.stdout.readline()
        time.sleep(instant)
        process.send_signal(signal.SIGKILL)
        return ending(process)

    return live


def ending(process):
    """What a life said at its end; None if it was killed."""
    out, _ = process.communicate()
    assert process.returncode in (0, -signal.SIGKILL)
    return json.loads(out.splitlines()[-1]) if process.returncode == 0 else None


def survive(site, whole, tmp_path, next_life):
    """Kill crawls until there were enough kills; whenever one gets to its end, compare it."""
    kills, crawls = 0, 0
    while kills < KILLS:
        folder = tmp_path / f"crawl-{crawls}"
        watch = Watch(site, folder)
        last = None
        while last is None and kills < KILLS:
            last = next_life(kills)(folder)
            kills += last is None
            watch.look()
        if last is None:
            last = ending(start(site, folder))
            watch.look()
        crawls += 1
        compare(last, folder, *whole)


class Watch:
    """Sees to it that nothing is asked for again once it is settled."""

    def __init__(self, site, folder, in_flight=1):
        self._site = site
        self._in_flight = in_flight
        self._folder = folder
        self._from = len(site.log)
        self._settled = set()

    def look(self):
        """A life has ended: judge its requests, and note what is settled now."""
        asked = [entry for entry in self._site.log[self._from :] if "robots.txt" not in entry[1]]
        self._from = len(self._site.log)
        again = [entry for entry in asked if entry in self._settled]
        assert not again
        recorded, settled = self._recorded()
        self._settled |= settled
        # These may have been in flight; a body whose headers are recorded was not.
        assert len(set(asked) - recorded) <= self._in_flight

    def _recorded(self):
        """What the journal has, and what of it need never be asked for again."""
        finished = {url for (url,) in query(self._folder, FINISHED)}
        recorded, settled = set(), set()
        for path in self._folder.glob("pages/*.warc.gz"):
            with path.open("rb") as file:
                for found in scan(file.fileno()):
                    if found.head.type != "response":
                        continue
                    url = read_url(found.head)
                    fetch, answer = read_exchange(found.head, found.block, url, probed=False)
                    entry = (fetch.method, url.partition("://")[2])
                    recorded.add(entry)
                    is_target = answer.truncated and fetch.method == "GET"
                    if not is_target or url in finished:
                        settled.add(entry)
        return recorded, settled


def query(folder, statement):
    if not (folder / "crawl.db").exists():
        return []
    connection = sqlite3.connect(folder / "crawl.db")
    try:
        return connection.execute(statement).fetchall()
    except sqlite3.OperationalError:
        return []
    finally:
        connection.close()


def compare(last, folder, said, whole):
    """Targets, files, story and learned state are those of the crawl that nobody killed."""
    assert said["reason"] in last["reason"]
    # A life that was killed after its last write had ended: there is nobody left to ask.
    assert last.get("learned", said["learned"]) == said["learned"]
    lines, expected = (
        (place / "datasets.csv").read_bytes().count(b"\n") for place in (folder, whole)
    )
    assert lines == expected
    for table, columns in STORY.items():
        statement = f"SELECT {columns} FROM {table} ORDER BY {columns}"
        assert query(folder, statement) == query(whole, statement), table
    check_files(folder)


def check_files(folder):
    """Every file has the bytes that the ledger says, and nothing is left half done."""
    for path, sha256 in query(folder, "SELECT path, sha256 FROM file"):
        kept = (folder / "files" / path).read_bytes()
        assert hashlib.sha256(kept).hexdigest() == sha256
    assert not [path for path in folder.rglob("*.part") if path.is_file()]
