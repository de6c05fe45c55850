"""What a target is: what asking for tables only costs, and that nothing else became dearer by it.

    python benchmarks/quality/targets.py ../shared/sites --study tables
    git worktree add /tmp/before 911d5cf
    python benchmarks/quality/targets.py ../shared/sites --study before --before /tmp/before

`tables`: hound with `--target tables` on edgov: when it has which share of the files, and how many
requests go to URLs whose name says PDF or DOC. `before`: hound and the paper's strategies with the
paper's targets, by this code and by an older checkout. Writes one row per run to
benchmarks/results/targets_STUDY.csv, also a digest of the sequence of requests. The same command
again measures only what is missing.
"""

import argparse
import csv
import math
import os
import re
import statistics
import subprocess
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from datahound.archive import open_archive
from datahound.events import Event, Fetched
from datahound.lab.trials import Trial, TrialGround
from datahound.settings import CrawlSettings, Settings
from datahound.web.targets import parse_targets

RESULTS = Path(__file__).parents[1] / "results"
NOW = "now"
PAPER_STRATEGIES = ("sb-classifier", "sb-oracle", "bfs", "dfs", "random", "focused", "tp-off")
COLUMNS = (
    "code", "site", "strategy", "seed", "requests", "files", "total_files",
    "requests_to_90", "requests_to_99", "requests_to_all", "pdf_and_doc_requests", "sequence",
)  # fmt: skip
_DOCUMENT = re.compile(r"\.(pdf|docx?)(?:$|[?#])", re.IGNORECASE)

Row = dict[str, str | int | None]


class Watcher:
    """Counts requests to URLs that say PDF or DOC; makes a digest of all requests."""

    def __init__(self) -> None:
        self.documents = 0
        self.sequence = sha256()

    def observe(self, events: list[Event]) -> None:
        for event in events:
            if isinstance(event, Fetched):
                url = event.fetch.url
                self.documents += _DOCUMENT.search(url) is not None
                self.sequence.update(
                    f"{url} {event.fetch.purpose.value} {event.kind.value}\n".encode()
                )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sites", type=Path, help="a folder of recorded sites")
    parser.add_argument("--study", choices=("tables", "before"), default="tables")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--only", nargs="+", metavar="SITE")
    parser.add_argument("--before", type=Path, help="a checkout of older code")
    parser.add_argument("--code", default=NOW, help=argparse.SUPPRESS)
    given = parser.parse_args()
    out = RESULTS / f"targets_{given.study}.csv"
    if given.before:
        run_older(given)
    every = ["edgov"] if given.study == "tables" else list_sites(given.sites)
    for site in given.only or every:
        rows = read(out)
        done = {tuple(row[c] for c in COLUMNS[:4]) for row in rows}
        todo = [
            trial for trial in plan(given.study, given.runs)
            if (given.code, site, trial.strategy, str(trial.seed)) not in done
        ]  # fmt: skip
        if todo:
            found = measure(given.sites / f"{site}.warc.gz", todo)
            write(out, [*rows, *({"code": given.code, "site": site} | row for row in found)])
            print(given.code, site, "done", flush=True)
    if given.code == NOW:
        (show_tables if given.study == "tables" else compare)(read(out))


def run_older(given: argparse.Namespace) -> None:
    """Measure by the code of another checkout, which this process cannot import."""
    arguments = [str(given.sites), "--study", given.study, "--runs", str(given.runs)]
    arguments += ["--code", "before", *(["--only", *given.only] if given.only else [])]
    environment = os.environ | {"PYTHONPATH": str(given.before / "src")}
    subprocess.run([sys.executable, __file__, *arguments], env=environment, check=True)


def list_sites(folder: Path) -> list[str]:
    return sorted(path.name.removesuffix(".warc.gz") for path in folder.glob("*.warc.gz"))


def plan(study: str, runs: int) -> list[Trial]:
    settings = Settings()
    if study == "tables":
        settings = Settings(crawl=CrawlSettings(targets=parse_targets(["tables"])))
        return [Trial("hound", seed, settings) for seed in range(runs)]
    trials = [Trial("hound", seed, settings) for seed in range(runs)]
    return trials + [Trial(name, 0, settings) for name in PAPER_STRATEGIES]


def measure(path: Path, trials: list[Trial]) -> Iterator[Row]:
    ground = TrialGround(open_archive(str(path)), trials[0].settings, lambda *_: None)
    for trial in trials:
        watcher = Watcher()
        result = ground.run(trial, [watcher.observe])
        to = (result.curve.requests_to(share, result.total_targets) for share in (0.9, 0.99, 1.0))
        figures = (result.curve.requests, result.curve.targets, result.total_targets, *to)
        values = (trial.strategy, trial.seed, *figures, watcher.documents)
        row = dict(zip(COLUMNS[2:], values, strict=False))
        yield row | {"sequence": watcher.sequence.hexdigest()[:16]}


def read(path: Path) -> list[Row]:
    if not path.exists():
        return []
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def write(path: Path, rows: list[Row]) -> None:
    rows.sort(key=lambda row: (row["site"], row["strategy"], int(row["seed"] or 0), row["code"]))
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def show_tables(rows: list[Row]) -> None:
    for row in rows:
        print(", ".join(f"{name} {row[name]}" for name in COLUMNS[1:-1]))


def compare(rows: list[Row]) -> None:
    """The requests to 90 % now, to those before; whether the paper's strategies ask the same."""
    ratios = []
    for site in sorted({str(row["site"]) for row in rows}):
        now, before = (
            [int(row["requests_to_90"] or 0) for row in rows
             if (row["site"], row["strategy"], row["code"]) == (site, "hound", code)]
            for code in (NOW, "before")
        )  # fmt: skip
        if now and before:
            ratios.append(statistics.median(now) / statistics.median(before))
            print(f"hound {site:14} {ratios[-1]:.3f}  (runs {now} after {before})")
    if ratios:
        print(f"geometric mean {math.exp(statistics.fmean(map(math.log, ratios))):.3f}")
    sequences: dict[tuple[object, ...], set[object]] = {}
    for row in rows:
        if row["strategy"] in PAPER_STRATEGIES:
            sequences.setdefault((row["site"], row["strategy"]), set()).add(row["sequence"])
    changed = [" ".join(map(str, key)) for key, found in sequences.items() if len(found) > 1]
    print(f"{len(sequences)} crawls by the paper's strategies, changed: {changed or 'none'}")


if __name__ == "__main__":
    main()
