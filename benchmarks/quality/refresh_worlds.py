"""How a refresh does on made-up websites that publish in different ways.

    python benchmarks/quality/refresh_worlds.py > refresh_worlds.csv

Each world is a website of some three hundred pages over twenty rounds, made by rule and by seed. It
says where new files appear: anywhere, in a few lists, on recent pages, and so on. Every policy of
the experiment `refresh` goes through it with requests for a tenth of its pages.

A row per world, policy and seed has the new files, those found in the round in which they appeared,
and those found later.
"""

import argparse
import csv
import sys
import tempfile
from collections.abc import Callable, Iterator
from hashlib import sha1
from pathlib import Path
from random import Random

from datahound.archive.warc.records import write_record
from datahound.lab.refresh.policies import POLICIES
from datahound.lab.refresh.rounds import PolicyRun, replay_rounds
from datahound.lab.refresh.site import LapseSite
from datahound.settings import Settings

COLUMNS = ("world", "policy", "seed", "new", "on_time", "late", "requests")
SEED_URL = "https://made.example"
ROUNDS = 20
SECTIONS, PAGES = 12, 24
"""Sections of the website, and pages of each."""
NEW = 12
"""New files per round."""
SHARE = 0.1


class MadeSite:
    """A website that grows: pages with their links, files, and the dates of a sitemap."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.links: dict[str, list[str]] = {"/": []}
        self.dates: dict[str, int] = {}
        """The round in which each page changed, as the sitemap says; without any, no sitemap."""
        self._files = 0
        self.sections = [self.add_page("/", f"/s{number}/") for number in range(SECTIONS)]
        self.pages = [
            self.add_page(section, f"{section}p{number}.html")
            for section in self.sections
            for number in range(PAGES)
        ]
        for page in self.pages:
            # Most pages have few files, and some have many.
            for _ in range(int(rng.paretovariate(1.0)) - 1 if rng.random() < 0.5 else 0):
                if len(self.links[page]) < 40:
                    self.add_file(page)

    def add_page(self, parent: str, path: str) -> str:
        """A page, linked from another one."""
        self.links[parent].append(path)
        self.links[path] = []
        return path

    def add_file(self, page: str) -> None:
        """A file, linked from a page."""
        self._files += 1
        self.links[page].append(f"/files/{self._files}.csv")

    def bodies(self) -> dict[str, bytes]:
        """What each path answers now."""
        made = {path: _page(links) for path, links in self.links.items()}
        made |= {f"/files/{number}.csv": b"a,%d" % number for number in range(1, self._files + 1)}
        if self.dates:
            rows = "".join(
                f"<url><loc>{SEED_URL}{path}</loc><lastmod>{_date(number)}</lastmod></url>"
                for path, number in self.dates.items()
            )
            made["/sitemap.xml"] = f"<urlset>{rows}</urlset>".encode()
            made["/robots.txt"] = f"Sitemap: {SEED_URL}/sitemap.xml\n".encode()
        return made


World = Callable[[MadeSite], Iterator[None]]
"""Changes a website, round by round."""


def anywhere(site: MadeSite) -> Iterator[None]:
    """New files on any page; where they were says nothing of where they will be."""
    while True:
        for _ in range(NEW):
            site.add_file(site.rng.choice(site.pages))
        yield


def once(site: MadeSite) -> Iterator[None]:
    """New files on any page that has gained none yet."""
    left = site.rng.sample(site.pages, len(site.pages))
    while True:
        for _ in range(NEW):
            site.add_file(left.pop())
        yield


def lists(site: MadeSite) -> Iterator[None]:
    """New files in four lists."""
    yield from _publish_on(site, site.rng.sample(site.pages, 4))


def some_pages(site: MadeSite) -> Iterator[None]:
    """New files on forty pages of all sections; the others never change."""
    yield from _publish_on(site, site.rng.sample(site.pages, 40))


def other_lists(site: MadeSite) -> Iterator[None]:
    """New files in four lists, in other ones after ten rounds."""
    before, after = (site.rng.sample(site.pages, 4) for _ in range(2))
    for _ in range(10):
        for _ in range(NEW):
            site.add_file(site.rng.choice(before))
        yield
    yield from _publish_on(site, after)


def small_pages(site: MadeSite) -> Iterator[None]:
    """New files on pages that had none before the first round; those with many are archives."""
    yield from _publish_on(site, [page for page in site.pages if not site.links[page]])


def news(site: MadeSite) -> Iterator[None]:
    """New pages with a file each, linked from a list."""
    number = 0
    while True:
        for _ in range(NEW):
            number += 1
            site.add_file(site.add_page(site.sections[0], f"/s0/news{number}.html"))
        yield


def recent(site: MadeSite) -> Iterator[None]:
    """Four new pages per round; new files on pages of the last three rounds."""
    made: list[str] = []
    while True:
        for _ in range(4):
            section = site.rng.choice(site.sections[:3])
            made.append(site.add_page(section, f"{section}new{len(made)}.html"))
        for _ in range(NEW):
            site.add_file(site.rng.choice(made[-12:]))
        yield


def seasonal(site: MadeSite) -> Iterator[None]:
    """Eight pages have new files in a round, and then none for the next eleven."""
    chosen = site.rng.sample(site.pages, 8 * 12)
    number = 0
    while True:
        start = number % 12 * 8
        for count in range(NEW):
            site.add_file(chosen[start + count % 8])
        number += 1
        yield


def bulk(site: MadeSite) -> Iterator[None]:
    """In each round, new files on the pages of one section, of another one in the next round."""
    section = ""
    while True:
        section = site.rng.choice([one for one in site.sections if one != section])
        inside = [page for page in site.pages if page.startswith(section)]
        for _ in range(NEW):
            site.add_file(site.rng.choice(inside))
        yield


def false_sitemap(site: MadeSite) -> Iterator[None]:
    """New files on forty pages; the sitemap gives new dates to pages that have none."""
    site.dates = dict.fromkeys(site.links, 0)
    growing = site.rng.sample(site.pages, 40)
    quiet = [page for page in site.pages if page not in growing]
    for number, _ in enumerate(_publish_on(site, growing), 1):
        site.dates |= dict.fromkeys(site.rng.sample(quiet, 30), number)
        yield


def false_sitemap_anywhere(site: MadeSite) -> Iterator[None]:
    """New files on any page; the sitemap gives new dates to pages that have none."""
    site.dates = dict.fromkeys(site.links, 0)
    number = 0
    while True:
        number += 1
        growing = [site.rng.choice(site.pages) for _ in range(NEW)]
        for page in growing:
            site.add_file(page)
        quiet = [page for page in site.pages if page not in growing]
        site.dates |= dict.fromkeys(site.rng.sample(quiet, 30), number)
        yield


WORLDS: dict[str, World] = {
    world.__name__: world
    for world in (
        anywhere, once, lists, some_pages, other_lists, small_pages, news, recent, seasonal, bulk,
        false_sitemap, false_sitemap_anywhere,
    )
}  # fmt: skip


def write_world(path: Path, world: World, seed: int, rounds: int = ROUNDS) -> Path:
    """Record a world over its rounds."""
    site = MadeSite(Random(f"{world.__name__} {seed}"))
    changes = world(site)
    before: dict[str, bytes] = {}
    with path.open("wb") as file:
        for number in range(rounds):
            if number:
                next(changes)
            now = site.bodies()
            for name, body in now.items():
                if before.get(name) != body:
                    file.write(_record(name, number, body))
            before = now
    return path


def measure(name: str, seed: int) -> Iterator[dict[str, object]]:
    """Go through a world with every policy."""
    with tempfile.TemporaryDirectory() as folder:
        site = LapseSite(write_world(Path(folder) / f"{name}.lapse.warc", WORLDS[name], seed))
        for policy, make in POLICIES.items():
            rounds = replay_rounds(site, PolicyRun(policy, make, seed, SHARE), Settings())
            counts = (sum(getattr(one, what) for one in rounds) for what in COLUMNS[3:])
            yield dict(zip(COLUMNS, (name, policy, seed, *counts), strict=True))
        site.close()


def _publish_on(site: MadeSite, pages: list[str]) -> Iterator[None]:
    while True:
        for _ in range(NEW):
            site.add_file(site.rng.choice(pages))
        yield


def _page(links: list[str]) -> bytes:
    items = "".join(f'<li><a href="{link}">{link}</a></li>' for link in links)
    return f"<html><body><ul>{items}</ul></body></html>".encode()


def _date(number: int) -> str:
    """The first days of successive months."""
    return f"{2020 + number // 12}-{number % 12 + 1:02}-01T00:00:00Z"


def _record(name: str, number: int, body: bytes) -> bytes:
    kind = {"html": "text/html", "xml": "application/xml", "txt": "text/plain", "csv": "text/csv"}
    suffix = name.rpartition(".")[2]
    tag = sha1(body, usedforsecurity=False).hexdigest()
    fields = {
        "WARC-Type": "response",
        "WARC-Date": _date(number),
        "WARC-Target-URI": SEED_URL + name,
        "Content-Type": "application/http; msgtype=response",
    }
    head = (
        f'HTTP/1.1 200 OK\r\nContent-Type: {kind.get(suffix, "text/html")}\r\nETag: "{tag}"\r\n\r\n'
    )
    return write_record(fields, head.encode() + body)


def main() -> None:
    """Write a row per world, policy and seed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("worlds", nargs="*", default=list(WORLDS))
    parser.add_argument("--seeds", type=int, default=5)
    given = parser.parse_args()
    writer = csv.DictWriter(sys.stdout, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for name in given.worlds:
        for seed in range(given.seeds):
            writer.writerows(measure(name, seed))
            sys.stdout.flush()


if __name__ == "__main__":
    main()
