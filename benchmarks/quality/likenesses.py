"""Does sb-classifier beat every baseline on the likenesses of the paper's 18 sites?

    python benchmarks/quality/likenesses.py --pages 20000 --runs 2

Writes one row a run to benchmarks/results/likenesses.csv, site by site, and prints the table with
the paper's values beside ours. The same command again goes on with sites that are not there yet;
rows made by another generator, or at another size, are made anew.
"""

import argparse
import csv
import hashlib
import statistics
import time
from collections.abc import Sequence
from pathlib import Path

from datahound.archive import open_archive, synthetic
from datahound.archive.synthetic import paper_sites
from datahound.lab.report import read_crawler_value
from datahound.lab.trials import Trial, TrialGround, TrialResult, plan_trials
from datahound.settings import Settings

RESULTS = Path(__file__).parents[1] / "results" / "likenesses.csv"
OURS = "sb-classifier"
EXHAUSTIVE = "bfs"
CRAWLERS = (EXHAUSTIVE, "dfs", "random", "focused", "tp-off", OURS)
BOUNDS = ("sb-oracle", "omniscient")
"""Crawlers that are told what no crawler can know: not to be beaten."""

Row = dict[str, str]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sites", nargs="+", default=list(paper_sites()))
    parser.add_argument("--crawlers", nargs="+", default=CRAWLERS)
    parser.add_argument("--pages", type=int, default=20_000)
    parser.add_argument("--runs", type=int, default=2, help="of each crawler that is random")
    parser.add_argument("--out", type=Path, default=RESULTS)
    arguments = parser.parse_args()
    crawlers = list(dict.fromkeys([EXHAUSTIVE, *arguments.crawlers]))
    trials = plan_trials(crawlers, arguments.runs, 0, Settings())
    kept = [row for row in read(arguments.out) if is_like(row, arguments.pages)]
    for site in arguments.sites:
        there = {(row["crawler"], int(row["seed"])) for row in kept if row["site"] == site}
        if there.issuperset((trial.strategy, trial.seed) for trial in trials):
            continue
        begun = time.perf_counter()
        kept = [row for row in kept if row["site"] != site]
        kept += measure(site, arguments.pages, trials)
        write(arguments.out, kept)
        print(f"{site}: {time.perf_counter() - begun:.0f} s", flush=True)
    show([row for row in kept if row["site"] in arguments.sites], crawlers)


def measure(site: str, pages: int, trials: Sequence[Trial]) -> list[Row]:
    """Every trial on one site; the first one is exhaustive and says what all requests are."""
    archive = open_archive(f"synthetic:{site}?pages={pages}")
    ground = TrialGround(archive, Settings(), lambda *_: None)
    results = [ground.run(trial) for trial in trials]
    return [row_of(site, pages, result, results[0].curve.requests) for result in results]


def row_of(site: str, pages: int, result: TrialResult, all_requests: int) -> Row:
    curve, targets = result.curve, result.total_targets
    to_90 = curve.requests_to(0.9, targets)
    figures = {
        "site": site,
        "crawler": result.strategy,
        "seed": result.seed,
        "pages": pages,
        "generator": generator(),
        "area": f"{curve.area(targets, all_requests):.4f}",
        "requests": curve.requests,
        "requests_to_50": curve.requests_to(0.5, targets) or "",
        "requests_to_90": to_90 or "",
        "percent_to_90": f"{100 * to_90 / all_requests:.1f}" if to_90 else "",
        "seconds": round(result.seconds),
    }
    return {name: str(value) for name, value in figures.items()}


def generator() -> str:
    """A mark of the generator's code and data, so that old and new sites are never mixed."""
    digest = hashlib.sha256()
    for path in sorted(Path(synthetic.__file__).parent.rglob("*")):
        if path.suffix in (".py", ".csv", ".toml"):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:8]


def is_like(row: Row, pages: int) -> bool:
    return (row["pages"], row["generator"]) == (str(pages), generator())


def read(path: Path) -> list[Row]:
    if not path.exists():
        return []
    with path.open() as file:
        return list(csv.DictReader(file))


def write(path: Path, rows: Sequence[Row]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def show(rows: Sequence[Row], crawlers: Sequence[str]) -> None:
    """The table in Markdown: areas, who is best, percent of requests to 90 % and the paper's."""
    print("| site |", " | ".join(crawlers), "| wins | to 90 % | paper | difference |")
    print("| --- |", " --- |" * (len(crawlers) + 4))
    wins, apart = 0, []
    sites = list(dict.fromkeys(row["site"] for row in rows))
    for site in sites:
        areas = {name: mean(rows, site, name, "area") for name in crawlers}
        rivals = [areas[name] or 0.0 for name in crawlers if name not in (OURS, *BOUNDS)]
        won = (areas.get(OURS) or 0.0) > max(rivals)
        to_90, paper = (
            mean(rows, site, OURS, "percent_to_90"),
            read_crawler_value("requests", OURS, site),
        )
        wins += won
        cells = [f"{area:.3f}" if area is not None else "–" for area in areas.values()]
        cells += ["yes" if won else "no", f"{to_90:.1f}" if to_90 else "+∞", paper]
        if to_90:
            apart.append(to_90 - float(paper))
        cells.append(f"{to_90 - float(paper):+.1f}" if to_90 else "–")
        print(f"| {site} | {' | '.join(cells)} |")
    print(f"\n{OURS} beats every baseline in area on {wins} of {len(sites)}.")
    if apart:
        off = statistics.fmean(map(abs, apart))
        print(
            f"To 90 %, it is {statistics.fmean(apart):+.1f} points from the paper, {off:.1f} off."
        )


def mean(rows: Sequence[Row], site: str, crawler: str, column: str) -> float | None:
    """Over the runs; None where one of them has no value."""
    values = [row[column] for row in rows if (row["site"], row["crawler"]) == (site, crawler)]
    return statistics.fmean(map(float, values)) if values and all(values) else None


if __name__ == "__main__":
    main()
