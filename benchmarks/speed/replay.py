"""How fast a recorded site is replayed, beside bare parsing of the same pages in the same run.

    python benchmarks/speed/replay.py ../shared/sites/openoffice.warc.gz

Rounds alternate, medians are kept, and what counts are the ratios. Writes
benchmarks/results/replay_speed.csv.
"""

import argparse
import csv
import statistics
import time
from collections.abc import Callable
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser

from datahound.archive import open_archive
from datahound.crawl.crawl import Crawl
from datahound.engines.replay import replay
from datahound.lab.metrics import WATCHED, Curve
from datahound.lab.trials import ParsedSite
from datahound.readers import Readers
from datahound.settings import Settings
from datahound.strategies import make_strategy

RESULTS = Path(__file__).parents[1] / "results" / "replay_speed.csv"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("site")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    archive = open_archive(arguments.site)
    bodies = [r.answer for r in archive if "html" in r.answer.headers.get("content-type", "")]
    remembered = ParsedSite(archive, Settings())
    crawl_with("bfs", remembered, remembered.read)  # reads every page once
    jobs: dict[str, Callable[[], int]] = {
        "bare parsing": lambda: sum(1 for b in bodies if LexborHTMLParser(b.body)),
        "reading pages": lambda: read_all(bodies),
        "bfs, from the file": lambda: crawl_with("bfs", archive, Readers().read),
        "sb-classifier, from the file": lambda: crawl_with(
            "sb-classifier", archive, Readers().read
        ),
        "bfs, remembered": lambda: crawl_with("bfs", remembered, remembered.read),
        "sb-classifier, remembered": lambda: crawl_with(
            "sb-classifier", remembered, remembered.read
        ),
    }
    rates: dict[str, list[float]] = {name: [] for name in jobs}
    for _ in range(arguments.rounds):
        for name, job in jobs.items():
            begun = time.process_time()
            count = job()
            rates[name].append(count / (time.process_time() - begun))
    write(archive.name, {name: statistics.median(values) for name, values in rates.items()})


def crawl_with(name, archive, read) -> int:
    curve = Curve()
    crawl = Crawl(archive.seed, make_strategy(name), read=read, watch=WATCHED)
    replay(crawl, archive, curve.observe)
    return curve.requests


def read_all(bodies) -> int:
    reader = Readers()
    for body in bodies:
        reader.read(body)
    return len(bodies)


def write(site: str, rates: dict[str, float]) -> None:
    bare = rates["bare parsing"]
    with RESULTS.open("w", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["site", "what", "per_second", "ratio_to_bare_parsing", "ratio_to_bfs"])
        for name, rate in rates.items():
            bfs = rates.get("bfs," + name.partition(",")[2]) if "," in name else None
            row = [
                site,
                name,
                round(rate),
                round(rate / bare, 3),
                round(rate / bfs, 3) if bfs else "",
            ]
            rows.writerow(row)
            print(*row)


if __name__ == "__main__":
    main()
