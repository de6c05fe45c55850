"""Two folders of results, such as before and after a change: what became better or worse."""

from collections.abc import Iterator
from dataclasses import dataclass

from datahound.errors import UserError
from datahound.lab.report.crawler_tables import pairs, show_p
from datahound.lab.report.signed_rank import TEST, SignedRank, holm, signed_rank
from datahound.lab.report.summary import Summary, summarize
from datahound.lab.report.tables import Cell, Row, Table, cell
from datahound.lab.results_view import Book


@dataclass(frozen=True, slots=True)
class Comparison:
    """How crawlers fare in two folders, over all sites and on each; and what can't be compared."""

    overall: Table
    by_site: Table
    notes: tuple[str, ...]


def compare(a: Book, b: Book) -> Comparison:
    """Compare what both folders have."""
    crawlers = list(_shared_crawlers(a, b))
    sites = [site for site in a.sites if site in b.sites]
    if not crawlers or not sites:
        raise UserError(f"{a.path} and {b.path} have no run of one crawler on one site in common")
    return Comparison(
        _overall(a, b, sites, crawlers), _by_site(a, b, sites, crawlers), _notes(a, b)
    )


def _shared_crawlers(a: Book, b: Book) -> Iterator[tuple[str, str]]:
    """Strategies and variants that both have on one site at least, as they are first."""
    known = {(r.site, r.strategy, r.variant) for r in b.runs()}
    shared = {(r.strategy, r.variant) for r in a.runs() if (r.site, r.strategy, r.variant) in known}
    order = {name: place for place, name in enumerate(a.crawlers())}
    yield from sorted(shared, key=lambda c: (c[1], order.get(c[0], 99), c[0]))


def _overall(a: Book, b: Book, sites: list[str], crawlers: list[tuple[str, str]]) -> Table:
    tests = [_test(a, b, sites, crawler) for crawler in crawlers]
    adjusted = holm([test.p for test in tests])
    rows = []
    for crawler, test, p in zip(crawlers, tests, adjusted, strict=True):
        verdict = (
            cell(f"{test.positive}/{test.pairs}"),
            cell(show_p(p) if test.pairs else "the same"),
        )
        rows.append(Row(" ".join(crawler).strip(), (*_areas(a, b, sites, crawler), *verdict)))
    columns = ("crawler", "area A", "area B", "B − A", "pairs won by B", "p")
    note = f"Means over sites. {TEST} on pairs of one site and seed, adjusted by Holm's method."
    return Table("compare", f"A: {a.path}, B: {b.path}", columns, tuple(rows), note)


def _by_site(a: Book, b: Book, sites: list[str], crawlers: list[tuple[str, str]]) -> Table:
    rows = []
    for crawler in crawlers:
        for site in sites:
            if a.of(site, *crawler) and b.of(site, *crawler):
                before, after = (
                    summarize(map(book.requests_percent, book.of(site, *crawler)))
                    for book in (a, b)
                )
                requests = (cell(before.text()), cell(after.text()))
                cells = (cell(site), *requests, *_areas(a, b, [site], crawler))
                rows.append(Row(" ".join(crawler).strip(), cells))
    columns = ("crawler", "site", "% to 90, A", "% to 90, B", "area A", "area B", "B − A")
    return Table("compare-by-site", "By site", columns, tuple(rows))


def _areas(a: Book, b: Book, sites: list[str], crawler: tuple[str, str]) -> tuple[Cell, ...]:
    shared = [s for s in sites if a.of(s, *crawler) and b.of(s, *crawler)]
    before, after = (_mean_area(book, shared, crawler) for book in (a, b))
    change = (after.mean or 0.0) - (before.mean or 0.0)
    return cell(before.text(3)), cell(after.text(3)), cell(f"{change:+.3f}")


def _mean_area(book: Book, sites: list[str], crawler: tuple[str, str]) -> Summary:
    """Over the runs of one site, or over the means of several."""
    by_site = [summarize(run.area for run in book.of(site, *crawler)) for site in sites]
    return by_site[0] if len(by_site) == 1 else summarize(summary.mean for summary in by_site)


def _test(a: Book, b: Book, sites: list[str], crawler: tuple[str, str]) -> SignedRank:
    return signed_rank(
        [
            after.area - before.area
            for site in sites
            for before, after in pairs(a.of(site, *crawler), b.of(site, *crawler))
        ]
    )


def _notes(a: Book, b: Book) -> tuple[str, ...]:
    said = []
    if a.version != b.version:
        said.append(f"A was made by datahound {a.version}, B by {b.version}.")
    if a.base != b.base:
        said.append("A and B were made with different settings.")
    for one, other, name in ((a, b, "A"), (b, a, "B")):
        if only := [site for site in one.sites if site not in other.sites]:
            said.append(f"Only in {name}: {', '.join(only)}.")
    changed = [s for s in a.sites if s in b.sites and a.sites[s].whole != b.sites[s].whole]
    if changed:
        said.append(f"Not the same site in A and B, going by its size: {', '.join(changed)}.")
    return tuple(said)
