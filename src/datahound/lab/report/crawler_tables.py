"""Tables of all crawlers: requests, volume, area, significance, time under politeness."""

import statistics
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from datahound.lab.experiments import STUDIED
from datahound.lab.report.paper_values import read_crawler_value
from datahound.lab.report.signed_rank import TEST_NAME, adjust_by_holm, run_signed_rank, show_p
from datahound.lab.report.study_tables import early_stopping_table, note_runs
from datahound.lab.report.summary import ABSENT, MeanOverRuns, find_lowest, summarize_runs
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
from datahound.units import show_count

_FEWEST_PAIRS = 6
"""Pairs of which the exact two-sided test can give less than 0.05: 2 / 2^6 = 0.03."""

_UNTESTED = "too few"


@dataclass(frozen=True, slots=True)
class RequestCosts:
    """What requests and bytes cost in time."""

    delay_seconds: float = 1.0
    bandwidth_mbits: float = 50.0

    def count_hours(self, requests: int, received: int) -> float:
        """Return the time that requests and bytes take: requests x delay + bits / bandwidth."""
        # One request at a time: the delay and the transfer add up.
        seconds = requests * self.delay_seconds + received * 8 / (self.bandwidth_mbits * 1e6)
        return seconds / 3600


def requests_table(view: ResultsView) -> ResultTable:
    """Requests to 90 % of the targets, with early stopping below."""
    rows = _make_percent_rows(view, "requests", view.requests_percent)
    saved, lost, *_ = early_stopping_table(view).rows
    below = TableRow(saved.head, saved.cells, ruled=True), lost
    whole = (
        "those that bfs makes up to the limit" if view.is_partial else "those that visit everything"
    )
    title = f"Requests to reach 90 % of the targets, in percent of {whole}"
    columns = ("crawler", *view.sites)
    return ResultTable("requests-to-90", title, columns, (*rows, *below), note_runs(view))


def volume_table(view: ResultsView) -> ResultTable:
    """Non-target volume to 90 % of the target volume."""
    rows = _make_percent_rows(view, "volume", view.volume_percent)
    whole = "what bfs receives up to the limit" if view.is_partial else "all of it"
    title = f"Non-target volume before 90 % of the target volume, in percent of {whole}"
    return ResultTable("volume-to-90", title, ("crawler", *view.sites), rows, note_runs(view))


def area_table(view: ResultsView) -> ResultTable:
    """The area under targets against requests, by crawler and site, and its mean over sites."""
    crawlers = view.list_crawlers()
    grid = [[_mean_area(view, site, c) for site in view.sites] for c in crawlers]
    means = [summarize_runs(m.mean for m in row if m.mean is not None) for row in grid]
    columns = [_mark_highest(list(column), crawlers) for column in zip(*grid, strict=True)]
    columns.append(_mark_highest(means, crawlers))
    title = "Area under targets against requests (1 = omniscient)"
    end = "what bfs visits up to the limit" if view.is_partial else "the whole site"
    note = f"Both axes end at {end}. The last column is the mean over sites ± their spread."
    heads = ("crawler", *view.sites, "mean")
    return ResultTable("area", title, heads, join_columns(crawlers, columns), note)


def significance_table(view: ResultsView) -> ResultTable | None:
    """Whether the studied crawler differs from the others in area; None without a comparison."""
    others = [other for other in view.list_crawlers() if other != STUDIED]
    found = {other: _list_differences(view, STUDIED, other) for other in others}
    found = {other: differences for other, differences in found.items() if differences[0]}
    if not found:
        return None
    columns = (
        f"{STUDIED} against", "median difference in area", "sites won", "p over sites",
        "runs won", "p over sites and seeds",
    )  # fmt: skip
    note = (
        f"{TEST_NAME}, adjusted by Holm's method. Over sites: one pair a site, of the medians of"
        " its runs. Over sites and seeds: one pair a seed, where a crawler that is not random"
        " is shown with its one run; runs on one site are alike, so the first is the cautious one."
    )
    if len(view.sites) < _FEWEST_PAIRS:
        note += (
            f" {show_count(len(view.sites), 'site')} can't be tested: with fewer than"
            f" {_FEWEST_PAIRS} pairs no p-value falls below 0.05, however the crawlers differ."
        )
    title = f"Does {STUDIED} differ?"
    return ResultTable("significance", title, columns, _make_significance_rows(found), note)


def against_baselines_table(view: ResultsView) -> ResultTable | None:
    """Whether the studied crawler beats every baseline, and how near it is to the paper."""
    rows = [row for site in view.sites if (row := _make_against_row(view, site)) is not None]
    if not rows:
        return None
    won = sum(row.cells[2].parts[0].text == "yes" for row in rows)
    columns = (
        "site", f"area of {STUDIED}", "best baseline", "beats all of them",
        "requests to 90 % (%)", "paper (%)", "difference",
    )  # fmt: skip
    note = f"{STUDIED} beats every baseline in area on {won} of {len(rows)} sites. Means over runs."
    title = f"{STUDIED} against the baselines"
    return ResultTable("against-baselines", title, columns, tuple(rows), note)


def time_table(view: ResultsView, costs: RequestCosts) -> ResultTable:
    """The hours to 90 % of the targets under politeness, and what the studied crawler saves."""
    crawlers = view.list_crawlers()
    columns: list[list[TableCell]] = []
    for site in view.sites:
        hours = [_mean_hours(view, site, crawler, costs) for crawler in crawlers]
        absent = summarize_runs(())
        # Crawlers that know the site beforehand must not take the bold print from real ones.
        rivals = [absent if c in BOUNDS else h for h, c in zip(hours, crawlers, strict=True)]
        fastest = find_lowest(rivals, 2)
        columns.append([make_cell(h.show(2), bold=i in fastest) for i, h in enumerate(hours)])
    saved = tuple(make_cell(_show_saved(view, site, costs)) for site in view.sites)
    last = TableRow(f"{STUDIED} saves over bfs", saved, ruled=True)
    title = (
        f"Hours to 90 % of the targets, at {costs.delay_seconds:g} s a request and"
        f" {costs.bandwidth_mbits:g} Mbit/s"
    )
    rows = (*join_columns(crawlers, columns), last)
    note = "Requests × delay + bytes / bandwidth."
    return ResultTable("time", title, ("crawler", *view.sites), rows, note)


def steps_table(view: ResultsView) -> ResultTable:
    """The processor time that a crawler takes per request, and for its longest step."""
    crawlers = view.list_crawlers()
    columns = [
        [make_cell(_show_steps(view.select_runs(site, crawler))) for crawler in crawlers]
        for site in view.sites
    ]
    title = "Processor time of a request in ms: mean | longest step of all runs"
    note = (
        "A step goes from an answer to the next request. The mean is of whole replays, without the"
        " time to read pages, which are read once for all runs, and without training beforehand."
    )
    return ResultTable(
        "steps", title, ("crawler", *view.sites), join_columns(crawlers, columns), note
    )


def pair_runs(a: list[RunFigures], b: list[RunFigures]) -> Iterator[tuple[RunFigures, RunFigures]]:
    """Pair runs of the same seed; a single run is paired with every run of the other crawler."""
    # A crawler that is not random has one run.
    if len(a) == 1 or len(b) == 1:
        yield from ((x, y) for x in a for y in b)
        return
    by_seed = {run.seed: run for run in b}
    yield from ((run, by_seed[run.seed]) for run in a if run.seed in by_seed)


def _make_percent_rows(
    view: ResultsView, measure: str, percent: Callable[[RunFigures], float | None]
) -> tuple[TableRow, ...]:
    crawlers = view.list_crawlers()
    competes = [c not in BOUNDS for c in crawlers]
    columns = []
    for name, site in view.sites.items():
        summaries = [summarize_runs(map(percent, view.select_runs(name, c))) for c in crawlers]
        paper = [read_crawler_value(measure, c, site.preset) for c in crawlers]
        columns.append(mark_lowest(summaries, paper, competes))
    return join_columns(crawlers, columns)


def _make_significance_rows(
    found: dict[str, tuple[list[float], list[float]]],
) -> tuple[TableRow, ...]:
    by_site = _test_differences([sites for sites, _ in found.values()])
    by_run = _test_differences([runs for _, runs in found.values()])
    return tuple(
        TableRow(other, (make_cell(f"{statistics.median(sites):+.3f}"), *by_site[i], *by_run[i]))
        for i, (other, (sites, _)) in enumerate(found.items())
    )


def _test_differences(differences: list[list[float]]) -> list[tuple[TableCell, TableCell]]:
    """Return cells with how many differences are positive, and with the p-value."""
    tests = [run_signed_rank(values) for values in differences]
    adjusted = adjust_by_holm([test.p for test in tests])
    return [
        (
            make_cell(f"{test.positive}/{len(values)}"),
            make_cell(show_p(p) if len(values) >= _FEWEST_PAIRS else _UNTESTED),
        )
        for values, test, p in zip(differences, tests, adjusted, strict=True)
    ]


def _list_differences(view: ResultsView, a: str, b: str) -> tuple[list[float], list[float]]:
    """Return the differences in area: of medians per site, and of pairs of runs."""
    by_site: list[float] = []
    by_run: list[float] = []
    for site in view.sites:
        ours, theirs = view.select_runs(site, a), view.select_runs(site, b)
        if ours and theirs:
            # A median per site, so that a site with more seeds does not count more.
            medians = (statistics.median(run.area for run in runs) for runs in (ours, theirs))
            by_site.append(next(medians) - next(medians))
            by_run += [x.area - y.area for x, y in pair_runs(ours, theirs)]
    return by_site, by_run


def _make_against_row(view: ResultsView, site: str) -> TableRow | None:
    ours = _mean_area(view, site, STUDIED).mean
    areas = {crawler: _mean_area(view, site, crawler).mean for crawler in BASELINES}
    known = {crawler: area for crawler, area in areas.items() if area is not None}
    if ours is None or not known:
        return None
    rival = max(known, key=lambda crawler: known[crawler])
    runs = view.select_runs(site, STUDIED)
    percent = summarize_runs(map(view.requests_percent, runs))
    paper = read_crawler_value("requests", STUDIED, view.sites[site].preset)
    apart = f"{percent.mean - float(paper):+.1f}" if paper and percent.mean is not None else ABSENT
    texts = (
        f"{ours:.3f}",
        f"{rival}, {known[rival]:.3f}",
        "yes" if ours > known[rival] else "no",
        percent.show(),
        paper or ABSENT,
        apart,
    )
    return TableRow(site, tuple(map(make_cell, texts)))


def _mean_area(view: ResultsView, site: str, crawler: str) -> MeanOverRuns:
    return summarize_runs(run.area for run in view.select_runs(site, crawler))


def _mark_highest(summaries: list[MeanOverRuns], crawlers: list[str]) -> list[TableCell]:
    """Make a column of cells, the highest mean of those that compete in bold."""
    means = {
        index: round(s.mean, 3)
        for index, (s, c) in enumerate(zip(summaries, crawlers, strict=True))
        if s.mean is not None and c not in BOUNDS
    }
    # A single competitor is not the best of anything.
    highest = max(means.values(), default=None) if len(means) > 1 else None
    return [
        make_cell(s.show(3), bold=means.get(i) == highest and i in means)
        for i, s in enumerate(summaries)
    ]


def _mean_hours(view: ResultsView, site: str, crawler: str, costs: RequestCosts) -> MeanOverRuns:
    return summarize_runs(
        None
        if run.requests_to_90 is None or run.received_to_90 is None
        else costs.count_hours(run.requests_to_90, run.received_to_90)
        for run in view.select_runs(site, crawler)
    )


def _show_steps(runs: list[RunFigures]) -> str:
    requests = sum(run.requests for run in runs)
    if not requests:
        return ABSENT
    mean = 1000 * sum(run.seconds for run in runs) / requests
    longest = [1000 * run.slowest_step for run in runs if run.slowest_step is not None]
    return f"{mean:.2f} | {max(longest):.1f}" if longest else f"{mean:.2f}"


def _show_saved(view: ResultsView, site: str, costs: RequestCosts) -> str:
    ours, theirs = (_mean_hours(view, site, crawler, costs).mean for crawler in (STUDIED, "bfs"))
    return ABSENT if ours is None or theirs is None else f"{theirs - ours:+.2f}"
