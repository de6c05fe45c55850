"""What hound needs beside sb-classifier, what its parts bring, how its defaults came about.

    python benchmarks/quality/hound.py ../shared/sites --runs 15
    python benchmarks/quality/hound.py ../shared/sites --study parts --runs 3
    python benchmarks/quality/hound.py ../shared/sites --study grid --runs 2
    python benchmarks/quality/hound.py ../shared/sites --study in_flight --runs 5

    python benchmarks/quality/hound.py ../shared/sites --study lists --runs 3

    python benchmarks/quality/hound.py ../shared/sites --only dnsde opendclforum --runs 3

Writes one row per run to benchmarks/results/hound_STUDY.csv and prints ratios of medians to those
of sb-classifier, with bootstrap intervals. The same command again measures only what is missing.
The figure is that of nine sites; `--only` measures and shows others.
"""

import argparse
import csv
import math
import statistics
from collections.abc import Iterator
from pathlib import Path
from random import Random

from datahound.archive import open_archive
from datahound.lab.trials import Trial, TrialGround, run_trials
from datahound.parameters import with_parameters
from datahound.settings import Settings

RESULTS = Path(__file__).parents[1] / "results"
REFERENCE = "sb-classifier"
STUDIES = {
    "crawlers": ["hound", REFERENCE, "sb-oracle"],
    "parts": [
        "hound",
        "hound companions=no",
        "hound aliases=no",
        "hound candidates=1 samples=1",
        "hound credit=0",
        "hound worth_rate=0",
        "hound max_groups=0",
        "hound extension_prior=0",
        "hound metadata=no",
    ],
    "in_flight": ["hound", "hound in_flight=8", REFERENCE, f"{REFERENCE} in_flight=8"],
    "lists": ["hound", "hound api=no sitemaps=no forms=no"],
    "grid": [
        "hound",
        "hound prior_weight=4",
        "hound prior_weight=16",
        "hound credit=0.25",
        "hound credit=1",
        "hound candidates=2",
        "hound candidates=8",
        "hound samples=16",
        "hound samples=64",
        "hound worth_rate=0.1",
        "hound worth_rate=0.4",
    ],
}
NINE_SITES = (
    "edgov innovazione networkxdoc onssdg openbsd openoffice seacoahuila trcimplan uima"
).split()
FIGURES = ("requests_to_50", "requests_to_90", "bytes_to_90", "area")
COLUMNS = ("site", "variant", "seed", "requests", "targets", *FIGURES)
_SAMPLES = 2000

Row = dict[str, str]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sites", type=Path, help="a folder of recorded sites")
    parser.add_argument("--study", choices=STUDIES, default="crawlers")
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--only", nargs="+", default=NINE_SITES, metavar="SITE")
    arguments = parser.parse_args()
    out = RESULTS / f"hound_{arguments.study}.csv"
    for name in arguments.only:
        path = arguments.sites / f"{name}.warc.gz"
        rows = read(out)
        done = {(row["site"], row["variant"], int(row["seed"])) for row in rows}
        todo = [
            (variant, seed)
            for variant in STUDIES[arguments.study]
            for seed in range(arguments.runs)
            if (name, variant, seed) not in done
        ]
        if todo:
            write(out, [*rows, *measure(path, name, todo)])
            print(name, "done", flush=True)
    rows = [row for row in read(out) if row["site"] in arguments.only]
    reference = rows if arguments.study == "crawlers" else read(RESULTS / "hound_crawlers.csv")
    show(rows, [row for row in reference if row["variant"] == REFERENCE])
    if arguments.study == "in_flight":
        compare_in_flight(rows)
    if arguments.study == "grid":
        leave_one_out(rows)


def measure(path: Path, name: str, todo: list[tuple[str, int]]) -> Iterator[Row]:
    ground = TrialGround(open_archive(str(path)), Settings(), lambda *_: None)
    trials = []
    for variant, seed in todo:
        strategy, *pairs = variant.split()
        trials.append(Trial(strategy, seed, with_parameters(Settings(), pairs)))
    results = run_trials(ground, trials, lambda *_: None)
    for (variant, seed), result in zip(todo, results, strict=True):
        area = result.curve.area(result.total_targets, ground.census.requests or 0)
        figures = {**result.figures(), "area": round(area, 4)}
        row = {"site": name, "variant": variant, "seed": seed}
        yield row | {column: figures[column] for column in COLUMNS[3:]}


def read(path: Path) -> list[Row]:
    if not path.exists():
        return []
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def write(path: Path, rows: list[Row]) -> None:
    rows.sort(key=lambda row: (row["site"], row["variant"], int(row["seed"])))
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def figures_of(rows: list[Row], site: str, variant: str, figure: str) -> list[float]:
    chosen = (row for row in rows if (row["site"], row["variant"]) == (site, variant))
    return [float(row[figure]) if row[figure] else math.inf for row in chosen]


def geometric(ratios: list[float]) -> float:
    return math.exp(statistics.fmean(map(math.log, ratios)))


def show(rows: list[Row], reference: list[Row]) -> None:
    sites = sorted({row["site"] for row in rows})
    variants = dict.fromkeys(row["variant"] for row in rows)
    print(f"{'':30}" + "".join(f"{site[:9]:>10}" for site in sites) + "  geometric mean")
    for figure in FIGURES:
        print(figure)
        for variant in variants:
            ours = [figures_of(rows, site, variant, figure) for site in sites]
            theirs = [figures_of(reference, site, REFERENCE, figure) for site in sites]
            pairs = zip(ours, theirs, strict=True)
            medians = [statistics.median(o) / statistics.median(t) for o, t in pairs]
            low, high = interval(ours, theirs)
            shown = "".join(f"{ratio:10.3f}" for ratio in medians)
            print(f"  {variant:28}{shown}  {geometric(medians):.3f} ({low:.3f} to {high:.3f})")


def interval(ours: list[list[float]], theirs: list[list[float]]) -> tuple[float, float]:
    """What 95 % of bootstrap samples of the seeds give for the geometric mean."""
    rng = Random(0)

    def median(values: list[float]) -> float:
        return statistics.median(rng.choices(values, k=len(values)))

    means = sorted(
        geometric([median(o) / median(t) for o, t in zip(ours, theirs, strict=True)])
        for _ in range(_SAMPLES)
    )
    return means[_SAMPLES // 40], means[-_SAMPLES // 40]


def compare_in_flight(rows: list[Row]) -> None:
    """What learning late costs: requests with eight fetches in flight, to those with one."""
    sites = sorted({row["site"] for row in rows})
    for figure in ("requests_to_50", "requests_to_90"):
        for strategy in ("hound", REFERENCE):
            ratios = [
                statistics.median(figures_of(rows, site, f"{strategy} in_flight=8", figure))
                / statistics.median(figures_of(rows, site, strategy, figure))
                for site in sites
            ]
            shown = "".join(f"{ratio:10.3f}" for ratio in ratios)
            print(f"{strategy + ' 8 to 1, ' + figure:40}{shown}  {geometric(ratios):.3f}")


def leave_one_out(rows: list[Row]) -> None:
    """For each site, the settings that are best on the others, and how they do on it."""
    sites = sorted({row["site"] for row in rows})
    variants = list(dict.fromkeys(row["variant"] for row in rows))
    medians = {
        (site, variant): statistics.median(figures_of(rows, site, variant, "requests_to_90"))
        for site in sites
        for variant in variants
    }
    for held_out in sites:
        others = [site for site in sites if site != held_out]
        scores = {v: geometric([medians[site, v] for site in others]) for v in variants}
        best = min(scores, key=scores.__getitem__)
        ratio = medians[held_out, best] / medians[held_out, "hound"]
        gain = scores[best] / scores["hound"]
        print(
            f"without {held_out:12} best: {best:30} ({gain:.3f} there, {ratio:.3f} on {held_out})"
        )


if __name__ == "__main__":
    main()
