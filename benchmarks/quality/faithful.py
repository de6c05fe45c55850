"""How near the crawlers come to the authors' own code, on recorded sites.

    python benchmarks/quality/faithful.py ../shared/sites --runs 15

Set as the authors' kit is, where there is a setting for it: no extension is blocked, a page's links
are taken element by element, a choice counts once a page came of it, and the URL classifier goes
through each batch once, with classes of equal weight. docs/paper.md has what still differs.
Our own defaults are measured with `--set counted=choices epochs=5 max_balance=5 --output FILE`.

Writes one row a run to benchmarks/results/faithful.csv, site by site, and prints the medians beside
theirs. With `--site`, other sites keep the rows that they have.
"""

import argparse
import csv
import math
import statistics
from pathlib import Path

from datahound.archive import open_archive
from datahound.lab.trials import Trial, TrialGround, run_trials
from datahound.parameters import with_parameters
from datahound.settings import (
    BanditSettings,
    ClassifierSettings,
    CrawlSettings,
    PageSettings,
    Settings,
    StrategySettings,
)
from datahound.strategies import registered

HERE = Path(__file__).parent
RESULTS = HERE.parent / "results" / "faithful.csv"
AUTHORS = HERE / "authors.csv"
STRATEGIES = ("bfs", "dfs", "random", "sb-oracle", "sb-classifier")
AS_IN_THE_KIT = Settings(
    crawl=CrawlSettings(block_extensions=False),
    pages=PageSettings(link_order="element"),
    strategy=StrategySettings(
        bandit=BanditSettings(counted="pages"),
        classifier=ClassifierSettings(epochs=1, max_balance=1),
    ),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sites", type=Path, help="a folder of recorded sites")
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--site", nargs="*", help="only these")
    parser.add_argument("--set", nargs="*", default=[], help="settings, NAME=VALUE")
    parser.add_argument("--output", type=Path, default=RESULTS)
    arguments = parser.parse_args()
    settings = with_parameters(AS_IN_THE_KIT, arguments.set)
    with AUTHORS.open() as file:
        authors = {(r["site"], r["strategy"]): r for r in csv.DictReader(file)}
    sites = list(dict.fromkeys(site for site, _ in authors))
    rows = read_rows(arguments.output)
    for site in arguments.site or sites:
        new = measure(arguments.sites / f"{site}.warc.gz", arguments.runs, settings)
        rows = [row for row in rows if row["site"] != site] + new
        rows.sort(key=lambda row: sites.index(row["site"]))
        write_rows(rows, arguments.output)
        compare(new, {key: value for key, value in authors.items() if key[0] == site})
    print("all sites")
    measured = {row["site"] for row in rows}
    compare(rows, {key: value for key, value in authors.items() if key[0] in measured})


def read_rows(path: Path) -> list[dict]:
    """Earlier results; their figures are texts."""
    if not path.exists():
        return []
    with path.open() as file:
        return [
            row | {"requests_to_90": int(row["requests_to_90"])} for row in csv.DictReader(file)
        ]


def write_rows(rows: list[dict], path: Path) -> None:
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def measure(path: Path, runs: int, settings: Settings) -> list[dict]:
    ground = TrialGround(open_archive(str(path)), settings, lambda *_: None)
    trials = [
        Trial(name, seed, settings)
        for name in STRATEGIES
        for seed in range(runs if registered(name).is_random else 1)
    ]
    results = [result.figures() for result in run_trials(ground, trials, lambda *_: None)]
    for row in results:
        del row["seconds"]
    return sorted(results, key=lambda row: (row["site"], row["strategy"], row["seed"]))


def compare(rows: list[dict], authors: dict) -> None:
    ratios: dict[str, list[float]] = {}
    for (site, strategy), row in authors.items():
        ours = [r["requests_to_90"] for r in rows if (r["site"], r["strategy"]) == (site, strategy)]
        theirs = [int(n) for n in row["requests_to_90"].split()]
        ratio = statistics.median(ours) / statistics.median(theirs)
        ratios.setdefault(strategy, []).append(ratio)
        above = "  above their worst run" if statistics.median(ours) > max(theirs) else ""
        print(
            f"{site:12} {strategy:14} ours {statistics.median(ours):7.0f} ({min(ours)}-{max(ours)})"
            f"  theirs {statistics.median(theirs):7.0f} ({min(theirs)}-{max(theirs)})"
            f"  ratio {ratio:.3f}{above}",
            flush=True,
        )
    for strategy, values in ratios.items():
        mean = math.exp(statistics.fmean(map(math.log, values)))
        print(
            f"{strategy:14} geometric mean {mean:.3f}, from {min(values):.3f} to {max(values):.3f}"
        )


if __name__ == "__main__":
    main()
