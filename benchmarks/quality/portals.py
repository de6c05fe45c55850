"""Requests that portals take by their APIs, and by their pages alone.

    python benchmarks/quality/portals.py
    python benchmarks/quality/portals.py --datasets 100 --only ckan pxweb-1

Each platform is served on loopback with a made-up catalogue (`tests/portals/portal_servers`) and
crawled twice by `datahound crawl`: as it is, and with `--no-api` where it has pages of HTML.
Counted are the requests that are not for a file of the portal, up to 90 % of the files and in all;
each file takes one more in either way. Writes one row per crawl to benchmarks/results/portals.csv.
"""

import argparse
import csv
import shutil
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests" / "portals"))
from portal_servers import PORTALS, crawl_portal  # noqa: E402 beside the tests

RESULTS = ROOT / "benchmarks" / "results" / "portals.csv"
COLUMNS = ("platform", "datasets", "way", "files", "missed", "to_90", "in_all")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--datasets", type=int, default=1000)
    parser.add_argument("--only", nargs="+", default=list(PORTALS), metavar="PLATFORM")
    arguments = parser.parse_args()
    for name in arguments.only:
        ways = ["api", "pages"] if PORTALS[name].has_pages else ["api"]
        for way in ways:
            save(measure(name, arguments.datasets, way))
    show(arguments.datasets)


def measure(name: str, count: int, way: str) -> dict[str, object]:
    folder = Path(tempfile.mkdtemp(prefix="portal-"))
    try:
        found = crawl_portal(PORTALS[name](count), folder / "x", api=way == "api")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    figures = (len(found.wanted), len(found.missed), found.overhead_to(0.9), found.overhead)
    return dict(zip(COLUMNS, (name, count, way, *figures), strict=True))


def read() -> list[dict[str, object]]:
    if not RESULTS.exists():
        return []
    with RESULTS.open(newline="") as file:
        return list(csv.DictReader(file))


def key_of(row: dict[str, object]) -> tuple[str, str, str]:
    return str(row["platform"]), str(row["datasets"]), str(row["way"])


def save(row: dict[str, object]) -> None:
    rows = [*(other for other in read() if key_of(other) != key_of(row)), row]
    with RESULTS.open("w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(sorted(rows, key=key_of))
    print(*row.values(), flush=True)


def show(count: int) -> None:
    """The saving per platform, to 90 % of the files."""
    rows = {key_of(row): row for row in read()}
    for name in PORTALS:
        ways = [rows.get((name, str(count), way)) for way in ("api", "pages")]
        if all(ways):
            by_api, by_pages = (int(str(row["to_90"])) for row in ways if row)
            print(f"{name:14}{by_api:8}{by_pages:8}{by_pages / by_api:8.1f} times as many")


if __name__ == "__main__":
    main()
