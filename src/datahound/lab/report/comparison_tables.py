"""Tables that compare crawls at one number of requests, and crawls with different settings."""

import statistics
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

import numpy as np

from datahound.events import Stop
from datahound.lab.experiments import STUDIED, STUDIES, name_variant
from datahound.lab.metrics import Points, read_heights
from datahound.lab.report.crawler_tables import RequestCosts
from datahound.lab.report.study_tables import note_runs, pair_measures
from datahound.lab.report.summary import ABSENT, NEVER, summarize_runs
from datahound.lab.report.tables import (
    ResultTable,
    TableCell,
    TableRow,
    join_columns,
    make_cell,
    mark_lowest,
)
from datahound.lab.results import RunFigures
from datahound.lab.results_view import BASELINES, BOUNDS, ResultsView

_SHARE = 0.9
_UNITS = (
    ("years", 8766.0), ("months", 730.5), ("days", 24.0), ("hours", 1.0), ("minutes", 1 / 60),
    ("seconds", 1 / 3600),
)  # fmt: skip
"""Names of units and their hours; a month is a twelfth of a year."""


def common_size_table(view: ResultsView) -> ResultTable | None:
    """Return targets found, and requests to 90 % of those of bfs, at the smallest common size.

    None if no crawl was ended by a limit.
    """
    sizes = {site: size for site in view.sites if (size := find_common_size(view, site))}
    if not sizes:
        return None
    crawlers = view.list_crawlers()
    rows = [
        TableRow(crawler, tuple(_make_cell(view, site, crawler, n) for site, n in sizes.items()))
        for crawler in crawlers
    ]
    columns = ("crawler", *(f"{site}, {size:,} requests" for site, size in sizes.items()))
    title = "Crawls compared at the smallest size that all of them reached"
    note = (
        "Targets found by then | requests to 90 % of what bfs had found by then, in percent of that"
        " size. Read off curves of at most 100 points. Sites whose crawls all ran to the end are"
        " left out."
    )
    return ResultTable("common-size", title, columns, tuple(rows), note)


def find_common_size(view: ResultsView, site: str) -> int | None:
    """Return the fewest requests of a crawl that a limit ended; None if there is no such crawl."""
    runs = (run for crawler in view.list_crawlers() for run in view.select_runs(site, crawler))
    # A crawl that ran to its end has the same targets at any larger size.
    return min((run.requests for run in runs if run.stopped != Stop.EXHAUSTED.value), default=None)


def matching_table(view: ResultsView, costs: RequestCosts) -> ResultTable | None:
    """Return the further time of each baseline to the targets that the studied crawler has.

    At the smallest common size where a limit ended crawls, and else where the studied crawler has
    90 % of the targets. None without runs of both.
    """
    sizes = {site: size for site in view.sites if (size := _find_size(view, site))}
    crawlers = [c for c in BASELINES if any(view.select_runs(site, c) for site in sizes)]
    if not sizes or not crawlers:
        return None
    columns = [
        [make_cell(_show_cell(view, site, crawler, size, costs)) for crawler in crawlers]
        for site, size in sizes.items()
    ]
    title = f"Further time that baselines would take to match {STUDIED}, by linear extrapolation"
    note = (
        f"At {costs.delay_seconds:g} s a request and {costs.bandwidth_mbits:g} Mbit/s: the time so"
        " far × targets missing / targets found so far, means over runs. 0: it has as many."
        f" {NEVER}: it has none."
    )
    heads = ("crawler", *(f"{site}, after {size:,} requests" for site, size in sizes.items()))
    return ResultTable("matching", title, heads, join_columns(crawlers, columns), note)


def extrapolate_hours(hours: float, found: float, wanted: float) -> float | None:
    """Return the further hours to the wanted number of targets at the rate so far; None at rate 0.

    >>> extrapolate_hours(10, 20, 50)
    15.0
    """
    if found >= wanted:
        return 0.0
    # The rate so far is a generous guess: it mostly falls as a crawl goes on.
    return hours * (wanted - found) / found if found else None


def _make_cell(view: ResultsView, site: str, crawler: str, size: int) -> TableCell:
    curves = _list_curves(view, view.select_runs(site, crawler))
    found = summarize_runs(_find_targets(points, size) for points in curves)
    needed = _SHARE * max(
        (_find_targets(p, size) for p in _list_curves(view, view.select_runs(site, "bfs"))),
        default=0,
    )
    requests = [_find_request(points, needed, size) for points in curves]
    percent = summarize_runs(None if r is None else 100 * r / size for r in requests)
    return make_cell(f"{found.show(0)} | {percent.show()}")


def _list_curves(view: ResultsView, runs: Sequence[RunFigures]) -> list[Points]:
    return [view.curves[run.key] for run in runs if run.key in view.curves]


def _find_targets(points: Points, size: int) -> int:
    """Return the targets found within this number of requests."""
    return int(read_heights(points, 0, 1, np.array([size]))[0])


def _find_request(points: Points, needed: float, size: int) -> float | None:
    """Return the request that found the needed targets, between the points of the curve."""
    table = np.array([(0, 0), *(point[:2] for point in points)], dtype=np.float64)
    # `np.interp` would give the last point for what was never reached.
    if not 0 < needed <= table[-1, 1]:
        return None
    # Read off a thinned curve, so that the request is an estimate between two of its points.
    request = float(np.interp(needed, table[:, 1], table[:, 0]))
    return request if request <= size else None


def _find_size(view: ResultsView, site: str) -> int | None:
    """Return the requests at which crawlers are compared on a site."""
    if not _list_curves(view, view.select_runs(site, STUDIED)):
        return None
    if view.is_partial:
        return find_common_size(view, site)
    reached = [run.requests_to_90 for run in view.select_runs(site, STUDIED)]
    known = [requests for requests in reached if requests is not None]
    return round(statistics.fmean(known)) if known else None


def _show_cell(view: ResultsView, site: str, crawler: str, size: int, costs: RequestCosts) -> str:
    both = (view.select_runs(site, name) for name in (STUDIED, crawler))
    ours, theirs = (_list_curves(view, runs) for runs in both)
    if not theirs:
        return ABSENT
    wanted = statistics.fmean(_read_curve(points, size)[0] for points in ours)
    at_size = [_read_curve(points, size) for points in theirs]
    found = statistics.fmean(targets for targets, _ in at_size)
    received = statistics.fmean(received for _, received in at_size)
    return _show_hours(extrapolate_hours(costs.count_hours(size, round(received)), found, wanted))


def _read_curve(points: Points, size: int) -> tuple[int, int]:
    """Return the targets found and the bytes received within some requests."""
    targets, ours, others = (
        int(read_heights(points, 0, y, np.array([size]))[0]) for y in (1, 2, 3)
    )
    return targets, ours + others


def _show_hours(hours: float | None) -> str:
    """Format in the largest unit of which there is at least one."""
    if hours is None:
        return NEVER
    name, unit = next((one for one in _UNITS if hours >= one[1]), _UNITS[-1])
    return f"{hours / unit:.1f} {name}" if hours else "0"


_TITLES = {
    "policies": "Rules of the bandit of sb-oracle",
    "dimension": "Dimension D = 2^m of sb-oracle's tag-path vectors",
    "departures": "Our defaults and the paper's own forms",
}


def comparison_tables(view: ResultsView) -> list[ResultTable]:
    """Return a table per experiment that has runs: requests and volume to 90 %, and the area."""
    found = {(run.strategy, run.variant) for run in view.iter_runs()}
    tables = []
    for name, rows in STUDIES.items():
        variants = [(strategy, name_variant(view.base, *pairs)) for _, strategy, pairs in rows]
        if any(variant and (strategy, variant) in found for strategy, variant in variants):
            heads = [head for head, _, _ in rows]
            tables.append(_make_table(view, name, heads, variants))
    return tables


def multiples_table(view: ResultsView) -> ResultTable | None:
    """Return requests to 90 % as multiples of what a greedy crawl with full knowledge needs."""
    bounds = {name: site.greedy_to_90 for name, site in view.sites.items() if site.greedy_to_90}
    if not bounds:
        return None
    crawlers = view.list_crawlers()
    columns = [
        mark_lowest(
            [
                summarize_runs(
                    None if run.requests_to_90 is None else run.requests_to_90 / bound
                    for run in view.select_runs(site, crawler)
                )
                for crawler in crawlers
            ],
            competes=[crawler not in BOUNDS for crawler in crawlers],
            digits=2,
        )
        for site, bound in bounds.items()
    ]
    title = "Requests to 90 % of the targets, as multiples of a greedy crawl's that knows the site"
    heads = ("crawler", *(f"{site} ({bound:,})" for site, bound in bounds.items()))
    note = (
        f"{note_runs(view)} The greedy crawl follows links from the seed, and its requests are no"
        " less than the least possible; finding that is as hard as set cover. Less than 1 is what"
        " needs no link: omniscient knows the URLs, and hound asks for files whose URLs follow from"
        " those of their pages before it reads the pages."
    )
    return ResultTable("multiples", title, heads, join_columns(crawlers, columns), note)


def _make_table(
    view: ResultsView, name: str, heads: list[str], variants: list[tuple[str, str]]
) -> ResultTable:
    columns = [_make_column(view, site, variants) for site in view.sites]
    common = [s for s in view.sites if all(view.select_runs(s, *v) for v in variants)]
    columns.append([_make_mean(view, common, *variant) for variant in variants])
    title = f"{_TITLES[name]}: requests | volume to 90 %, in percent"
    crawlers = [strategy for strategy, _ in variants]
    rows = join_columns(heads, columns)
    # A rule above the first row of each crawler but the first.
    begins = [i > 0 and crawlers[i] != crawlers[i - 1] for i in range(len(rows))]
    best = "the best of each crawler" if any(begins) else "the best"
    return ResultTable(
        name,
        title,
        ("setting", *view.sites, "mean area"),
        tuple(replace(row, ruled=begin) for row, begin in zip(rows, begins, strict=True)),
        f"{note_runs(view, bold=best)} The mean area is over the sites that all settings have runs"
        " of.",
    )


def _make_column(view: ResultsView, site: str, variants: list[tuple[str, str]]) -> list[TableCell]:
    """Make a column in which the settings of one crawler compete, and not the crawlers."""
    return [
        cell
        for _, group in groupby(variants, key=lambda variant: variant[0])
        for cell in pair_measures(view, [view.select_runs(site, *variant) for variant in group])
    ]


def _make_mean(view: ResultsView, sites: Sequence[str], strategy: str, variant: str) -> TableCell:
    areas = (
        summarize_runs(run.area for run in view.select_runs(site, strategy, variant)).mean
        for site in sites
    )
    return make_cell(summarize_runs(area for area in areas if area is not None).show(3))
