"""What a checkpoint costs as a crawl grows to a million known URLs.

    python benchmarks/speed/checkpoints.py > benchmarks/results/checkpoints.csv

Pages are made up and not parsed: the crawl's own time here is the least that it can be, so that the
share of the checkpoints is the most that it can be. Every row is one stretch of the crawl.
"""

import argparse
import csv
import itertools
import sys
import tempfile
import time
from pathlib import Path

from datahound.crawl.crawl import Crawl
from datahound.model import Link, Page, Response
from datahound.runs.session import CheckpointPace
from datahound.store.writer import Store
from datahound.strategies import make_strategy

SEED = "https://www.example.org/"
LINKS_PER_PAGE = 60
SHAPES = 143
STEPS = 10
COLUMNS = (
    "strategy",
    "known",
    "waiting",
    "actions",
    "checkpoints",
    "mean_ms",
    "worst_ms",
    "share_percent",
    "database_mb",
    "resume_s",
)


def made_up_pages():
    """Pages full of links nobody has met, by a few hundred tag paths."""
    numbers = itertools.count()

    def read(response):
        first = next(numbers) * LINKS_PER_PAGE
        links = tuple(
            Link(
                f"{SEED}section-{n % 97}/topic-{n % 1009}/page-{n}.html",
                f"html body div#main div.block-{n % SHAPES} ul.list-{n % 7} li a.link-{n % SHAPES}",
                f"A page about {n}",
                found_on=response.url,
            )
            for n in range(first, first + LINKS_PER_PAGE)
        )
        return Page(response.url, "A page", links)

    return read


def answered(crawl):
    """The crawl's fetches, each answered with a page."""
    while (fetch := crawl.next_fetch()) is not None:
        crawl.answer(fetch, Response(fetch.url, 200, {"content-type": "text/html"}, b"", 9000))
        yield


def stretch(crawl, answers, store, pace, until):
    """Crawl until so many URLs are known; the seconds of every checkpoint, and of it all.

    Seconds of the processor: others use this machine too.
    """
    costs = []

    def checkpoint():
        begun = time.process_time()
        store.checkpoint(crawl, 0)
        costs.append(time.process_time() - begun)

    begun = time.process_time()
    while len(crawl.known) < until:
        next(answers)
        store.observe(crawl.take_events())
        pace.write_if_due(checkpoint)
    total = time.process_time() - begun
    checkpoint()
    return costs, total


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--strategies", nargs="+", default=["sb-classifier", "hound"])
    parser.add_argument("--known", type=int, default=1_000_000)
    arguments = parser.parse_args()
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(COLUMNS)
    for strategy in arguments.strategies:
        for row in measured(strategy, arguments.known):
            table.writerow([strategy, *row])
            sys.stdout.flush()


def measured(strategy, most):
    """A crawl to so many known URLs, in ten steps."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "crawl.db"
        store = Store(path)
        crawl = Crawl(SEED, make_strategy(strategy), read=made_up_pages())
        answers, pace = answered(crawl), CheckpointPace(5.0, now=time.process_time)
        for step in range(1, STEPS + 1):
            costs, total = stretch(crawl, answers, store, pace, most * step // STEPS)
            store.tidy()
            paced = costs[:-1] or costs
            again = Crawl(SEED, make_strategy(strategy), read=made_up_pages())
            begun = time.process_time()
            resuming = Store(path)
            resuming.restore(again)
            resume = time.process_time() - begun
            resuming.close()
            assert len(again.known) == len(crawl.known)
            yield [
                len(crawl.known),
                len(crawl.strategy.frontier),
                len(crawl.strategy.actions),
                len(costs),
                round(1000 * sum(costs) / len(costs), 1),
                round(1000 * max(costs), 1),
                round(100 * sum(paced) / total, 2),
                round(path.stat().st_size / 1e6, 1),
                round(resume, 2),
            ]
        store.close()


if __name__ == "__main__":
    main()
