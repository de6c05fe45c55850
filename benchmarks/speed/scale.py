"""Is the time per request flat, and memory bounded, from 10 thousand to a million pages?

    python benchmarks/speed/scale.py

Replays a synthetic site of each size to its end, each in a process of its own, and writes
benchmarks/results/scale.csv. Time is processor time, since machines are noisy; making the synthetic
pages is measured apart and taken out.
"""

import argparse
import csv
import json
import subprocess
import sys
import time
from pathlib import Path

from datahound.archive import open_archive
from datahound.crawl.crawl import Crawl
from datahound.engines.replay import not_recorded
from datahound.events import TargetFound
from datahound.strategies import make_strategy

RESULTS = Path(__file__).parents[1] / "results" / "scale.csv"
SIZES = (10_000, 100_000, 1_000_000)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--strategies", nargs="+", default=["hound", "sb-classifier", "bfs"])
    parser.add_argument("--one", nargs=2, metavar=("STRATEGY", "PAGES"))
    arguments = parser.parse_args()
    if arguments.one:
        print(json.dumps(measure(arguments.one[0], int(arguments.one[1]))))
        return
    rows = []
    for strategy in arguments.strategies:
        for pages in arguments.sizes:
            command = [sys.executable, __file__, "--one", strategy, str(pages)]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            rows.append(json.loads(done.stdout))
            print(rows[-1], flush=True)
            write(rows)


def measure(strategy: str, pages: int) -> dict:
    """Crawl a site to its end; what a request cost, and the most memory."""
    archive = open_archive(f"synthetic:?pages={pages}")
    crawl = Crawl(archive.seed, make_strategy(strategy), watch=[TargetFound])
    making, begun = 0.0, time.process_time()
    while (fetch := crawl.next_fetch()) is not None:
        before = time.process_time()
        answer = archive.get(fetch) or not_recorded(fetch)
        making += time.process_time() - before
        crawl.answer(fetch, answer)
        crawl.take_events()
    spent = time.process_time() - begun
    requests = crawl.tally.requests
    return {
        "strategy": strategy,
        "pages": pages,
        "requests": requests,
        "targets": crawl.tally.targets,
        "known_urls": len(crawl.known),
        "crawl_us_per_request": round((spent - making) / requests * 1e6, 1),
        "page_making_us_per_request": round(making / requests * 1e6, 1),
        "requests_per_second": round(requests / spent),
        "peak_mb": peak_mb(),
    }


def peak_mb() -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) // 1024
    return 0


def write(rows: list[dict]) -> None:
    with RESULTS.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()
