"""Compare two folders of results, or a list of URLs found elsewhere with those of a crawl."""

import csv
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from datahound.errors import UserError
from datahound.lab.report.crawler_tables import pair_runs
from datahound.lab.report.signed_rank import (
    TEST_NAME,
    adjust_by_holm,
    run_signed_rank,
    show_p,
)
from datahound.lab.report.summary import MeanOverRuns, summarize_runs
from datahound.lab.report.tables import ResultTable, TableCell, TableRow, make_cell
from datahound.lab.results import RunFigures
from datahound.lab.results_view import ResultsView, open_results
from datahound.web.urls import canonical

_RunsBySite = dict[str, tuple[list[RunFigures], list[RunFigures]]]
"""The runs of a crawler in folders A and B, by site."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Crawlers in two folders, over all sites and on each, and what can't be compared."""

    overall: ResultTable
    by_site: ResultTable
    notes: tuple[str, ...]


def compare_results(path_a: Path, path_b: Path) -> Comparison:
    """Compare the crawlers and sites that both folders have."""
    a, b = open_results(path_a), open_results(path_b)
    shared = {crawler: runs for crawler in _list_crawlers(a) if (runs := _share(a, b, crawler))}
    if not shared:
        raise UserError(f"{a.path} and {b.path} have no run of one crawler on one site in common")
    return Comparison(
        _compare_overall(f"A: {a.path}, B: {b.path}", shared),
        _compare_by_site(a, b, shared),
        _list_notes(a, b),
    )


def _list_crawlers(view: ResultsView) -> list[tuple[str, str]]:
    """Return strategies with their variants, which come last."""
    order = {name: rank for rank, name in enumerate(view.list_crawlers())}
    found = {(run.strategy, run.variant) for run in view.iter_runs()}
    # The variant first: the defaults have an empty one.
    return sorted(found, key=lambda c: (c[1], order.get(c[0], len(order)), c[0]))


def _share(a: ResultsView, b: ResultsView, crawler: tuple[str, str]) -> _RunsBySite:
    """Return the runs of a crawler in both folders, on the sites where both have some."""
    both = {
        site: (a.select_runs(site, *crawler), b.select_runs(site, *crawler)) for site in a.sites
    }
    return {site: runs for site, runs in both.items() if site in b.sites and all(runs)}


def _compare_overall(title: str, shared: dict[tuple[str, str], _RunsBySite]) -> ResultTable:
    tests = [run_signed_rank(_list_differences(runs)) for runs in shared.values()]
    adjusted = adjust_by_holm([test.p for test in tests])
    rows = []
    for (crawler, runs), test, p in zip(shared.items(), tests, adjusted, strict=True):
        won = make_cell(f"{test.positive}/{test.pairs}")
        verdict = make_cell(show_p(p) if test.pairs else "the same")
        rows.append(TableRow(" ".join(crawler).strip(), (*_compare_areas(runs), won, verdict)))
    columns = ("crawler", "area A", "area B", "B − A", "pairs won by B", "p")
    note = (
        f"Means over sites. {TEST_NAME} on pairs of one site and seed, adjusted by Holm's method."
    )
    return ResultTable("compare", title, columns, tuple(rows), note)


def _compare_by_site(
    a: ResultsView, b: ResultsView, shared: dict[tuple[str, str], _RunsBySite]
) -> ResultTable:
    rows = []
    for crawler, runs in shared.items():
        for site, (before, after) in runs.items():
            percents = (map(a.requests_percent, before), map(b.requests_percent, after))
            requests = (make_cell(summarize_runs(percent).show()) for percent in percents)
            cells = (make_cell(site), *requests, *_compare_areas({site: (before, after)}))
            rows.append(TableRow(" ".join(crawler).strip(), cells))
    columns = ("crawler", "site", "% to 90, A", "% to 90, B", "area A", "area B", "B − A")
    return ResultTable("compare-by-site", "By site", columns, tuple(rows))


def _compare_areas(runs: _RunsBySite) -> tuple[TableCell, ...]:
    """Make cells of both areas and their difference: means over runs, or over several sites."""
    sides = [[summarize_runs(run.area for run in side) for side in both] for both in runs.values()]
    before, after = sides[0] if len(sides) == 1 else map(_average, zip(*sides, strict=True))
    change = (after.mean or 0.0) - (before.mean or 0.0)
    return make_cell(before.show(3)), make_cell(after.show(3)), make_cell(f"{change:+.3f}")


def _list_differences(runs: _RunsBySite) -> list[float]:
    pairs = (pair for both in runs.values() for pair in pair_runs(*both))
    return [after.area - before.area for before, after in pairs]


def _average(summaries: Iterable[MeanOverRuns]) -> MeanOverRuns:
    return summarize_runs(summary.mean for summary in summaries)


def _list_notes(a: ResultsView, b: ResultsView) -> tuple[str, ...]:
    said = []
    if a.version != b.version:
        said.append(f"A was made by datahound {a.version}, B by {b.version}.")
    if a.base != b.base:
        said.append("A and B were made with different settings.")
    for one, other, name in ((a, b, "A"), (b, a, "B")):
        # Because means over different sites are compared.
        if only := [site for site in one.sites if site not in other.sites]:
            said.append(f"Only in {name}: {', '.join(only)}.")
    # A site may have been recorded again under its name.
    changed = [s for s in a.sites if s in b.sites and a.sites[s].totals != b.sites[s].totals]
    if changed:
        said.append(f"Not the same site in A and B, going by its size: {', '.join(changed)}.")
    return tuple(said)


_DATASETS = "datasets.csv"
_SCHEMES = ("http://", "https://")
_DELIMITERS = (",", ";", "\t")


@dataclass(frozen=True, slots=True)
class Overlap:
    """The URLs of both sides, in canonical form; in the order in which each was found."""

    both: tuple[str, ...]
    only_listed: tuple[str, ...]
    only_crawled: tuple[str, ...]
    unread: int = 0
    """Rows of the list, below its head, without the URL of a website."""

    @property
    def listed(self) -> int:
        return len(self.both) + len(self.only_listed)

    @property
    def crawled(self) -> int:
        return len(self.both) + len(self.only_crawled)


def compare_with_list(listed: Path, crawl: Path) -> Overlap:
    """Compare a CSV file or a text file of URLs with the datasets of a crawl folder.

    Of a row with several URLs, such as of a dataset's page and its file, the one that the crawl has
    counts, and else the first.
    """
    datasets = crawl / _DATASETS
    if not datasets.is_file():
        raise UserError(f"{crawl}: no folder of a crawl, it has no {_DATASETS}")
    rows, unread = read_urls(listed)
    if not rows:
        raise UserError(f"{listed}: no URL in it")
    ours = {_name_place(row[0]): row[0] for row in read_urls(datasets)[0]}
    theirs: dict[str, str] = {}
    for row in rows:
        named = {_name_place(url): url for url in row}
        place = next((place for place in named if place in ours), next(iter(named)))
        theirs.setdefault(place, named[place])
    return Overlap(
        tuple(url for place, url in theirs.items() if place in ours),
        tuple(url for place, url in theirs.items() if place not in ours),
        tuple(url for place, url in ours.items() if place not in theirs),
        unread,
    )


def read_urls(path: Path) -> tuple[list[list[str]], int]:
    """Read the URLs of each row that has any, in canonical form; count the others but the head."""
    try:
        with path.open(newline="", encoding="utf-8-sig", errors="replace") as file:
            # The csv module refuses NUL bytes, which exports of spreadsheets may contain.
            lines = [line.replace("\0", "") for line in file]
        split = ([row for row in csv.reader(lines, delimiter=d) if any(row)] for d in _DELIMITERS)
        tables = [[_find_urls(row) for row in rows] for rows in split]
    except (OSError, csv.Error) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise UserError(f"{path}: can't be read ({reason})") from None
    # With another delimiter than its own, a file has URLs in its first column alone.
    best = max(tables, key=lambda rows: sum(map(len, rows)))
    found = [urls for urls in best if urls]
    has_head = bool(best) and not best[0]
    return found, len(best) - len(found) - has_head


def _find_urls(row: Iterable[str]) -> list[str]:
    # Any column: search engines export the URL second or third.
    cells = (cell.strip() for cell in row)
    named = (canonical(cell) for cell in cells if cell.lower().startswith(_SCHEMES))
    return [url for url in named if url]


def _name_place(url: str) -> str:
    """Name what a URL leads to: the same with http or https, with or without `www.` and a last /.

    >>> _name_place("http://www.a.example/data/") == _name_place("https://a.example/data")
    True
    """
    return url.partition("://")[2].removeprefix("www.").rstrip("/")
