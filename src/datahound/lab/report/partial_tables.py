"""Compare crawls that a limit ended, at the smallest number of requests that all of them made."""

from collections.abc import Sequence

import numpy as np

from datahound.events import Stop
from datahound.lab.report.summary import summarize_runs
from datahound.lab.report.tables import ResultTable, TableCell, TableRow, make_cell
from datahound.lab.results import Points, RunFigures
from datahound.lab.results_view import ResultsView

_SHARE = 0.9


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
        " size. Read off curves of at most 150 points. Sites whose crawls all ran to the end are"
        " left out."
    )
    return ResultTable("common-size", title, columns, tuple(rows), note)


def find_common_size(view: ResultsView, site: str) -> int | None:
    """Return the fewest requests of a crawl that a limit ended; None if there is no such crawl."""
    runs = (run for crawler in view.list_crawlers() for run in view.select_runs(site, crawler))
    return min((run.requests for run in runs if run.stopped != Stop.EXHAUSTED.value), default=None)


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
    """Return the targets found within so many requests."""
    return max((targets for request, targets, *_ in points if request <= size), default=0)


def _find_request(points: Points, needed: float, size: int) -> float | None:
    """Return the request that found the needed targets, between the points of the curve."""
    table = np.array([(0, 0), *(point[:2] for point in points)], dtype=np.float64)
    if not 0 < needed <= table[-1, 1]:
        return None
    request = float(np.interp(needed, table[:, 1], table[:, 0]))
    return request if request <= size else None
