"""What the strategy of a refresh costs at the start of a round, by known pages.

    python benchmarks/speed/refresh_start.py > benchmarks/results/refresh_start.csv

A quarter as many files as pages are known. Measured in processor time are the recall of what the
first crawl has shown, the beginning of the round, its first choice, and the mean of the next
thousand; memory is that of the whole process. Opening the folder is not part of it:
`checkpoints.py` has that.
"""

import argparse
import csv
import resource
import sys
import time
from itertools import pairwise
from random import Random

from datahound.crawl.strategy import Visit
from datahound.model import Kind
from datahound.refresh.history import PageVisit
from datahound.refresh.strategy import RefreshStrategy, RoundPlan
from datahound.settings import Settings
from datahound.strategies import make_strategy

SEED = "https://www.example.org/"
DAY = 86_400.0
COLUMNS = ("pages", "recall_s", "begin_s", "first_choice_s", "choice_ms", "snapshot_s", "memory_mb")


def measure(count: int) -> dict[str, float]:
    """Begin a round on a site with this many pages."""
    settings = Settings()
    times = [time.process_time()]
    inner = make_strategy("hound", settings.strategy, seed=0)
    strategy = RefreshStrategy(inner, settings.refresh, Random(0))
    for n in range(count):
        url = f"{SEED}section-{n % 97}/topic-{n % 1009}/page-{n}.html"
        strategy.recall_visit(PageVisit(url, DAY, n % 5, n % 3, 3, n))
    files = ((f"{SEED}data-{n % 503}/file-{n}.csv", DAY) for n in range(count // 4))
    strategy.checks.add_all(files)
    times.append(time.process_time())
    strategy.begin_round(RoundPlan(2 * DAY, DAY, 2026))
    times.append(time.process_time())
    choice = strategy.choose(0, {})
    times.append(time.process_time())
    for _ in range(1000):
        assert choice is not None
        strategy.learn_visit(choice, Visit(Kind.PAGE, url=choice.link.url))
        choice = strategy.choose(0, {})
    times.append(time.process_time())
    strategy.snapshot()
    times.append(time.process_time())
    steps = [after - before for before, after in pairwise(times)]
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    values = [count, *steps[:3], steps[3], steps[4], memory]
    return dict(zip(COLUMNS, (round(value, 2) for value in values), strict=True))


def main() -> None:
    """Write a row per number of pages."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, nargs="+", default=[100_000, 1_000_000])
    writer = csv.DictWriter(sys.stdout, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for count in parser.parse_args().pages:
        writer.writerow(measure(count))
        sys.stdout.flush()


if __name__ == "__main__":
    main()
