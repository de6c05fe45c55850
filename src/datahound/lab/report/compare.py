"""Compare two folders of results, such as before and after a change."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from datahound.errors import UserError
from datahound.lab.report.crawler_tables import pair_runs
from datahound.lab.report.signed_rank import (
    TEST_NAME,
    SignedRank,
    adjust_by_holm,
    run_signed_rank,
    show_p,
)
from datahound.lab.report.summary import MeanOverRuns, summarize_runs
from datahound.lab.report.tables import ResultTable, TableCell, TableRow, make_cell
from datahound.lab.results_view import ResultsView, open_results


@dataclass(frozen=True, slots=True)
class Comparison:
    """Crawlers in two folders, over all sites and on each, and what can't be compared."""

    overall: ResultTable
    by_site: ResultTable
    notes: tuple[str, ...]


def compare_results(path_a: Path, path_b: Path) -> Comparison:
    """Compare the crawlers and sites that both folders have."""
    a, b = open_results(path_a), open_results(path_b)
    crawlers = list(_find_shared(a, b))
    sites = [site for site in a.sites if site in b.sites]
    if not crawlers or not sites:
        raise UserError(f"{a.path} and {b.path} have no run of one crawler on one site in common")
    return Comparison(
        _compare_overall(a, b, sites, crawlers),
        _compare_by_site(a, b, sites, crawlers),
        _list_notes(a, b),
    )


def _find_shared(a: ResultsView, b: ResultsView) -> Iterator[tuple[str, str]]:
    """Yield strategies and variants that both have on one site at least; variants come last."""
    known = {(r.site, r.strategy, r.variant) for r in b.iter_runs()}
    shared = {
        (r.strategy, r.variant) for r in a.iter_runs() if (r.site, r.strategy, r.variant) in known
    }
    order = {name: rank for rank, name in enumerate(a.list_crawlers())}
    yield from sorted(shared, key=lambda c: (c[1], order.get(c[0], 99), c[0]))


def _compare_overall(
    a: ResultsView, b: ResultsView, sites: list[str], crawlers: list[tuple[str, str]]
) -> ResultTable:
    tests = [_test_pairs(a, b, sites, crawler) for crawler in crawlers]
    adjusted = adjust_by_holm([test.p for test in tests])
    rows = []
    for crawler, test, p in zip(crawlers, tests, adjusted, strict=True):
        verdict = (
            make_cell(f"{test.positive}/{test.pairs}"),
            make_cell(show_p(p) if test.pairs else "the same"),
        )
        rows.append(
            TableRow(" ".join(crawler).strip(), (*_make_area_cells(a, b, sites, crawler), *verdict))
        )
    columns = ("crawler", "area A", "area B", "B − A", "pairs won by B", "p")
    note = (
        f"Means over sites. {TEST_NAME} on pairs of one site and seed, adjusted by Holm's method."
    )
    return ResultTable("compare", f"A: {a.path}, B: {b.path}", columns, tuple(rows), note)


def _compare_by_site(
    a: ResultsView, b: ResultsView, sites: list[str], crawlers: list[tuple[str, str]]
) -> ResultTable:
    rows = []
    for crawler in crawlers:
        for site in sites:
            if a.select_runs(site, *crawler) and b.select_runs(site, *crawler):
                before, after = (
                    summarize_runs(map(view.requests_percent, view.select_runs(site, *crawler)))
                    for view in (a, b)
                )
                requests = (make_cell(before.show()), make_cell(after.show()))
                cells = (make_cell(site), *requests, *_make_area_cells(a, b, [site], crawler))
                rows.append(TableRow(" ".join(crawler).strip(), cells))
    columns = ("crawler", "site", "% to 90, A", "% to 90, B", "area A", "area B", "B − A")
    return ResultTable("compare-by-site", "By site", columns, tuple(rows))


def _make_area_cells(
    a: ResultsView, b: ResultsView, sites: list[str], crawler: tuple[str, str]
) -> tuple[TableCell, ...]:
    shared = [s for s in sites if a.select_runs(s, *crawler) and b.select_runs(s, *crawler)]
    before, after = (_mean_area(view, shared, crawler) for view in (a, b))
    change = (after.mean or 0.0) - (before.mean or 0.0)
    return make_cell(before.show(3)), make_cell(after.show(3)), make_cell(f"{change:+.3f}")


def _mean_area(view: ResultsView, sites: list[str], crawler: tuple[str, str]) -> MeanOverRuns:
    """Average over the runs of one site, or over the means of several."""
    by_site = [
        summarize_runs(run.area for run in view.select_runs(site, *crawler)) for site in sites
    ]
    return by_site[0] if len(by_site) == 1 else summarize_runs(summary.mean for summary in by_site)


def _test_pairs(
    a: ResultsView, b: ResultsView, sites: list[str], crawler: tuple[str, str]
) -> SignedRank:
    return run_signed_rank(
        [
            after.area - before.area
            for site in sites
            for before, after in pair_runs(
                a.select_runs(site, *crawler), b.select_runs(site, *crawler)
            )
        ]
    )


def _list_notes(a: ResultsView, b: ResultsView) -> tuple[str, ...]:
    said = []
    if a.version != b.version:
        said.append(f"A was made by datahound {a.version}, B by {b.version}.")
    if a.base != b.base:
        said.append("A and B were made with different settings.")
    for one, other, name in ((a, b, "A"), (b, a, "B")):
        if only := [site for site in one.sites if site not in other.sites]:
            said.append(f"Only in {name}: {', '.join(only)}.")
    changed = [s for s in a.sites if s in b.sites and a.sites[s].totals != b.sites[s].totals]
    if changed:
        said.append(f"Not the same site in A and B, going by its size: {', '.join(changed)}.")
    return tuple(said)
