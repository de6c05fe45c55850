"""How well the estimate of what is left holds, on recorded sites; and where its constants are from.

    python benchmarks/quality/remaining.py ../shared/sites --runs 5 --strategy hound \\
        --strategy sb-classifier --strategy bfs --strategy random --strategy focused

Each crawl is stopped at ten points spread evenly over its requests, and at ten spread evenly over
its targets. Each site is judged by formulas fitted on all other sites, so that no site is judged by
what was learnt on it. Synthetic sites help to fit those that group links, and judge nothing.
Crawlers that tell groups of links apart and blind ones are fitted apart, the former on hound's
crawls alone where there are any. Writes one row a stop to
benchmarks/results/remaining.csv, says how often the interval held, and prints the formulas fitted
on all sites, for `report/remaining.py`.
"""

import argparse
import csv
import gc
import pickle
import statistics
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from datahound.archive import open_archive
from datahound.archive.synthetic import paper_sites
from datahound.events import Discovered, Event, Fetched, TargetFound, Visited
from datahound.lab.trials import Trial, TrialGround
from datahound.model import Kind
from datahound.report.remaining import FORMULAS, UNGROUPED, Formula, History, estimate, features
from datahound.settings import Settings
from datahound.strategies import registered

RESULTS = Path(__file__).parent.parent / "results" / "remaining.csv"
WATCHED = (Discovered, Fetched, TargetFound, Visited)
PAGES = (1500, 3000, 5000)
STOPS = 10
GROUPING = ("hound", "sb-classifier")
"""Strategies that tell groups of links apart; if the first is among them, it alone is fitted."""
SYNTHETIC_RUNS = 2
SYNTHETIC_WEIGHT = 0.3
RIDGE = 3.0
LOW, MIDDLE, HIGH = 0.1, 0.5, 0.9
HOLDS_BELOW = 0.9
HOLDS_ABOVE = {"grouped": 0.84, "blind": 0.85}
"""How often each end is to hold on sites left out."""


@dataclass(frozen=True)
class Case:
    """A crawl, stopped: what it knew, and what was left."""

    site: str
    strategy: str
    seed: int
    points: str
    history: History
    truth: int
    next_cost: int | None

    @property
    def is_recorded(self) -> bool:
        return not self.site.startswith("synthetic:")

    @property
    def judges(self) -> bool:
        return self.is_recorded and self.points != "doubling"


class Watching:
    """Follows a crawl, and tells afterwards how it stood after any request."""

    def __init__(self) -> None:
        self.requests = 0
        self.found: list[int] = []
        self.visits: list[tuple[int, int, int, int]] = []
        self.links: list[tuple[int, int]] = []

    def observe(self, events: list[Event]) -> None:
        for event in events:
            match event:
                case Fetched(number=number):
                    self.requests = number
                case TargetFound(number=number):
                    self.found.append(number)
                case Discovered(expected=Kind.PAGE, group=group):
                    self.links.append((self.requests, _group(group)))
                case Visited(number=number, choice=choice, reward=reward, new_links=new):
                    self.visits.append((number, _group(choice.group), reward, new))

    def history(self, requests: int) -> History:
        visits = np.array([v for v in self.visits if v[0] <= requests], np.int64).reshape(-1, 4)
        links = Counter(group for number, group in self.links if number <= requests)
        found = [number for number in self.found if number <= requests]
        return History(requests, found, visits[:, 1], visits[:, 2], visits[:, 3], dict(links))

    def stops(self) -> Iterator[tuple[str, int]]:
        for k in range(STOPS):
            yield "requests", round(self.requests * (k + 0.5) / STOPS)
        for k in range(STOPS):
            yield "targets", self.found[int(len(self.found) * (k + 0.5) / STOPS)]
        requests = 50
        while requests < self.requests:
            yield "doubling", requests
            requests *= 2


def _group(action: int | None) -> int:
    return UNGROUPED if action is None else action


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sites", type=Path, help="a folder of recorded sites")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--strategy", action="append", help="hound by default")
    parser.add_argument("--keep", type=Path, help="where to keep the crawls, to fit them again")
    arguments = parser.parse_args()
    cases = gather(arguments)
    tell_groups = {case.strategy for case in cases if case.history.grouped}
    judged: list[Judged] = []
    for name in FORMULAS:
        ours = [case for case in cases if (case.strategy in tell_groups) == (name == "grouped")]
        teaching = [case for case in ours if case.strategy == GROUPING[0]] or ours
        if ours:
            judged += judge(ours, Sample(teaching), HOLDS_ABOVE[name])
            show(name, fit(Sample(teaching), HOLDS_ABOVE[name]))
    write(judged)
    summarize(judged)


def gather(arguments: argparse.Namespace) -> list[Case]:
    """Crawl every site, or recall the crawls that were kept."""
    if arguments.keep and arguments.keep.exists():
        return list(pickle.loads(arguments.keep.read_bytes()))
    strategies = arguments.strategy or ["hound"]
    cases: list[Case] = []
    for spec in (*sorted(map(str, arguments.sites.glob("*.warc.gz"))), *synthetic_sites()):
        is_synthetic = spec.startswith("synthetic:")
        runs = SYNTHETIC_RUNS if is_synthetic else arguments.runs
        archive = open_archive(spec)
        ground = TrialGround(archive, Settings(), lambda *_: None)
        for strategy in [s for s in strategies if s in GROUPING or not is_synthetic]:
            for seed in range(runs if registered(strategy).is_random else 1):
                name = spec if is_synthetic else archive.name
                cases += stopped(ground, name, strategy, seed)
        print(spec, len(cases), flush=True)
        archive.close()
        del ground
        gc.collect()
    if arguments.keep:
        arguments.keep.write_bytes(pickle.dumps(cases))
    return cases


def synthetic_sites() -> list[str]:
    return [
        f"synthetic:{name}?pages={PAGES[place % len(PAGES)]}&seed={place}"
        for place, name in enumerate(paper_sites())
    ]


def stopped(ground: TrialGround, site: str, strategy: str, seed: int) -> Iterator[Case]:
    watching = Watching()
    ground.run(Trial(strategy, seed, Settings()), [watching.observe], WATCHED)
    for points, requests in watching.stops():
        history = watching.history(requests)
        if len(history.groups):
            count = len(history.found_at)
            left = len(watching.found) - count
            cost = watching.found[count] - requests if left else None
            yield Case(site, strategy, seed, points, history, left, cost)


@dataclass(frozen=True)
class Judged:
    """A case, and what was said of it by formulas that never saw its site."""

    case: Case
    likely: int
    low: int
    high: int
    next_cost: float | None

    @property
    def held(self) -> bool:
        return self.low <= self.case.truth <= self.high


class Sample:
    """Cases as numbers; each site weighs the same, a synthetic one less."""

    def __init__(self, cases: list[Case]) -> None:
        self.x = np.array([[*features(case.history), 1.0] for case in cases])
        waiting = np.array([case.history.waiting for case in cases])
        self.y = np.log1p([case.truth for case in cases]) - np.log1p(waiting)
        self.sites = np.array([case.site for case in cases])
        self.recorded = np.array([case.is_recorded for case in cases])
        count = Counter(case.site for case in cases)
        weight = np.array([1 / count[site] for site in self.sites])
        weight[~self.recorded] *= SYNTHETIC_WEIGHT
        self.weight = weight / weight.mean()

    def only(self, chosen: np.ndarray) -> "Sample":
        part = object.__new__(Sample)
        for name in ("x", "y", "sites", "recorded", "weight"):
            setattr(part, name, getattr(self, name)[chosen])
        return part


def judge(cases: list[Case], sample: Sample, holds_above: float) -> Iterator[Judged]:
    """Say what is left in each case of a recorded site, by what the other sites taught."""
    for site in dict.fromkeys(case.site for case in cases if case.is_recorded):
        formula = fit(sample.only(sample.sites != site), holds_above)
        for case in cases:
            if case.site == site and case.judges:
                said = estimate(case.history, formula)
                yield Judged(case, *said)


def fit(sample: Sample, holds_above: float) -> Formula:
    """The lines for the quantiles, moved apart until they hold on recorded sites left out."""
    low, middle, high = (line(sample, quantile) for quantile in (LOW, MIDDLE, HIGH))
    below, above, weights = [], [], []
    for site in dict.fromkeys(sample.sites[sample.recorded]):
        out = sample.sites == site
        rest, left_out = sample.only(~out), sample.only(out)
        below += list(left_out.x @ line(rest, LOW) - left_out.y)
        above += list(left_out.y - left_out.x @ line(rest, HIGH))
        weights += list(left_out.weight)
    low[-1] -= quantile_of(below, weights, HOLDS_BELOW)
    high[-1] += quantile_of(above, weights, holds_above)
    return Formula(tuple(low), tuple(middle), tuple(high))


def line(sample: Sample, quantile: float) -> np.ndarray:
    """Quantile regression with a ridge, by weighted least squares done again and again."""
    x, y, weight = sample.x, sample.y, sample.weight
    ridge = np.eye(x.shape[1]) * RIDGE
    ridge[-1, -1] = 1e-6
    found = np.zeros(x.shape[1])
    for _ in range(60):
        off = y - x @ found
        pull = weight * np.where(off > 0, quantile, 1 - quantile) / np.maximum(np.abs(off), 0.05)
        better = np.linalg.solve((x * pull[:, None]).T @ x + ridge, (x * pull[:, None]).T @ y)
        if np.abs(better - found).max() < 1e-4:
            break
        found = better
    return found


def quantile_of(values: list[float], weights: list[float], quantile: float) -> float:
    order = np.argsort(values)
    share = np.cumsum(np.array(weights)[order]) / np.sum(weights)
    return float(np.array(values)[order][min(len(order) - 1, np.searchsorted(share, quantile))])


def write(judged: list[Judged]) -> None:
    with RESULTS.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(
            "site strategy seed points requests found estimate low high truth"
            " next_cost true_next_cost".split()
        )
        for j in judged:
            case, cost = j.case, j.next_cost
            which = (case.site, case.strategy, case.seed, case.points, case.history.requests)
            said = (len(case.history.found_at), j.likely, j.low, j.high, case.truth)
            costs = ("" if cost is None else round(cost, 1), case.next_cost or "")
            writer.writerow((*which, *said, *costs))


def summarize(judged: list[Judged]) -> None:
    strategies = dict.fromkeys(j.case.strategy for j in judged)
    for strategy in strategies:
        for points in ("requests", "targets"):
            of = [j for j in judged if (j.case.strategy, j.case.points) == (strategy, points)]
            print(f"{strategy}, stops spread evenly over {points}:", _figures(of))
        for site in dict.fromkeys(j.case.site for j in judged):
            of = [j for j in judged if (j.case.strategy, j.case.site) == (strategy, site)]
            print(f"  {site:12} {_figures(of)}")


def _figures(of: list[Judged]) -> str:
    held = statistics.fmean(j.held for j in of)
    over = statistics.median(j.high / (3 * j.case.truth + 10) for j in of)
    costs = [
        j.next_cost / j.case.next_cost
        for j in of
        if j.next_cost and j.case.next_cost and j.case.truth
    ]
    near = _share(costs, lambda ratio: 1 / 3 <= ratio <= 3)
    return (
        f"{len(of)} cases, the interval held {held:.1%}, upper end / (3 x truth + 10) in the"
        f" median {over:.2f}, cost of the next within a factor 3 in {near:.0%}"
    )


def _share(values: list[float], wanted: Callable[[float], bool]) -> float:
    return statistics.fmean(map(wanted, values)) if values else float("nan")


def show(name: str, formula: Formula) -> None:
    print(f"{name}, fitted on all sites:")
    for name, weights in formula._asdict().items():
        print(f"    {name}=({', '.join(f'{weight:.3f}' for weight in weights)}),")


if __name__ == "__main__":
    main()
