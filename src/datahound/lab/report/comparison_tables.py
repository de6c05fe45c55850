"""Tables of experiments that compare settings: policies of the bandit, dimension, departures."""

from datahound.lab.experiments import STUDIES, name_variant
from datahound.lab.report.study_tables import note_runs
from datahound.lab.report.summary import summarize_runs
from datahound.lab.report.tables import ResultTable, TableCell, join_columns, make_cell, mark_lowest
from datahound.lab.results_view import BOUNDS, ResultsView

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
        " less than the least possible; finding that is as hard as set cover."
    )
    return ResultTable("multiples", title, heads, join_columns(crawlers, columns), note)


def _make_table(
    view: ResultsView, name: str, heads: list[str], variants: list[tuple[str, str]]
) -> ResultTable:
    columns = [_make_column(view, site, variants) for site in view.sites]
    columns.append([_make_mean(view, *variant) for variant in variants])
    title = f"{_TITLES[name]}: requests | volume to 90 %, in percent"
    return ResultTable(
        name,
        title,
        ("setting", *view.sites, "mean area"),
        join_columns(heads, columns),
        note_runs(view),
    )


def _make_column(view: ResultsView, site: str, variants: list[tuple[str, str]]) -> list[TableCell]:
    runs = [view.select_runs(site, *variant) for variant in variants]
    requests, volume = (
        mark_lowest([summarize_runs(map(percent, of)) for of in runs])
        for percent in (view.requests_percent, view.volume_percent)
    )
    return [TableCell((*a.parts, *b.parts)) for a, b in zip(requests, volume, strict=True)]


def _make_mean(view: ResultsView, strategy: str, variant: str) -> TableCell:
    areas = (
        summarize_runs(run.area for run in view.select_runs(site, strategy, variant)).mean
        for site in view.sites
    )
    return make_cell(summarize_runs(area for area in areas if area is not None).show(3))
