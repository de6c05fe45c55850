"""Tables beyond the paper's: areas, what differences mean, and time under politeness."""

import statistics
from collections.abc import Iterator
from dataclasses import dataclass

from datahound.lab.experiments import STUDIED
from datahound.lab.report.paper_values import crawler_value
from datahound.lab.report.signed_rank import TEST, holm, signed_rank
from datahound.lab.report.summary import ABSENT, Summary, best, summarize
from datahound.lab.report.tables import Cell, Row, Table, cell
from datahound.lab.results_view import BASELINES, UNREAL, Book
from datahound.lab.run import Run


@dataclass(frozen=True, slots=True)
class Politeness:
    """What a request costs in time."""

    delay_seconds: float = 1.0
    bandwidth_mbits: float = 50.0

    def hours(self, requests: int, received: int) -> float:
        """The time that so many requests and bytes take."""
        seconds = requests * self.delay_seconds + received * 8 / (self.bandwidth_mbits * 1e6)
        return seconds / 3600


def area_table(book: Book) -> Table:
    """The area under targets against requests, by crawler and site, and its mean over sites."""
    crawlers = book.crawlers()
    grid = [[summarize(r.area for r in book.of(s, c)) for s in book.sites] for c in crawlers]
    means = [summarize(m.mean for m in row if m.mean is not None) for row in grid]
    columns = [_highest_cells(list(column), crawlers) for column in zip(*grid, strict=True)]
    columns.append(_highest_cells(means, crawlers))
    rows = tuple(Row(c, tuple(col[i] for col in columns)) for i, c in enumerate(crawlers))
    title = "Area under targets against requests (1 = omniscient)"
    note = "Both axes end at the whole site. The last column is the mean over sites ± their spread."
    return Table("area", title, ("crawler", *book.sites, "mean"), rows, note)


def significance_table(book: Book, crawler: str = STUDIED) -> Table | None:
    """Whether a crawler differs from the others in area; None without anything to compare."""
    others = [other for other in book.crawlers() if other != crawler]
    found = {other: _differences(book, crawler, other) for other in others}
    found = {other: differences for other, differences in found.items() if differences[0]}
    if not found:
        return None
    columns = (
        f"{crawler} against", "median difference in area", "sites won", "p over sites",
        "runs won", "p over sites and seeds",
    )  # fmt: skip
    note = (
        f"{TEST}, adjusted by Holm's method. Over sites: one pair a site, of the medians of its"
        " runs. Over sites and seeds: one pair a seed, where a crawler that is not random stands"
        " with its one run; runs on one site are alike, so the first is the cautious one."
    )
    title = f"Does {crawler} differ?"
    return Table("significance", title, columns, _significance_rows(found), note)


def _significance_rows(found: dict[str, tuple[list[float], list[float]]]) -> tuple[Row, ...]:
    by_site = _tested([sites for sites, _ in found.values()])
    by_run = _tested([runs for _, runs in found.values()])
    return tuple(
        Row(other, (cell(f"{statistics.median(sites):+.3f}"), *by_site[i], *by_run[i]))
        for i, (other, (sites, _)) in enumerate(found.items())
    )


def _tested(differences: list[list[float]]) -> list[tuple[Cell, Cell]]:
    """How many are positive, and the p-value."""
    tests = [signed_rank(values) for values in differences]
    adjusted = holm([test.p for test in tests])
    return [
        (cell(f"{test.positive}/{len(values)}"), cell(show_p(p)))
        for values, test, p in zip(differences, tests, adjusted, strict=True)
    ]


def against_baselines_table(book: Book) -> Table | None:
    """Whether the studied crawler beats every baseline, and how near it is to the paper."""
    rows = [row for site in book.sites if (row := _against_row(book, site)) is not None]
    if not rows:
        return None
    won = sum(row.cells[2].parts[0].text == "yes" for row in rows)
    columns = (
        "site", f"area of {STUDIED}", "best baseline", "beats all of them",
        "requests to 90 % (%)", "paper (%)", "difference",
    )  # fmt: skip
    note = f"{STUDIED} beats every baseline in area on {won} of {len(rows)} sites. Means over runs."
    return Table(
        "against-baselines", f"{STUDIED} against the baselines", columns, tuple(rows), note
    )


def _against_row(book: Book, site: str) -> Row | None:
    areas = {c: summarize(r.area for r in book.of(site, c)).mean for c in (STUDIED, *BASELINES)}
    ours = areas.pop(STUDIED)
    known = {crawler: area for crawler, area in areas.items() if area is not None}
    if ours is None or not known:
        return None
    rival = max(known, key=lambda crawler: known[crawler])
    percent = summarize(map(book.requests_percent, book.of(site, STUDIED)))
    paper = crawler_value("requests", STUDIED, book.sites[site].preset)
    apart = f"{percent.mean - float(paper):+.1f}" if paper and percent.mean is not None else ABSENT
    return Row(
        site,
        (
            cell(f"{ours:.3f}"),
            cell(f"{rival}, {known[rival]:.3f}"),
            cell("yes" if ours > known[rival] else "no"),
            cell(percent.text()),
            cell(paper or ABSENT),
            cell(apart),
        ),
    )


def time_table(book: Book, politeness: Politeness) -> Table:
    """The hours that 90 % of the targets take under politeness, and what that saves."""
    crawlers = book.crawlers()
    columns: list[list[Cell]] = []
    for site in book.sites:
        hours = [summarize(_hours(r, politeness) for r in book.of(site, c)) for c in crawlers]
        fast = best(
            [s if c not in UNREAL else summarize(()) for s, c in zip(hours, crawlers, strict=True)],
            2,
        )
        columns.append([cell(h.text(2), bold=i in fast) for i, h in enumerate(hours)])
    rows = [Row(c, tuple(col[i] for col in columns)) for i, c in enumerate(crawlers)]
    saved = tuple(cell(_saved(book, site, politeness)) for site in book.sites)
    rows.append(Row(f"{STUDIED} saves over bfs", saved, ruled=True))
    title = (
        f"Hours to 90 % of the targets, at {politeness.delay_seconds:g} s a request and"
        f" {politeness.bandwidth_mbits:g} Mbit/s"
    )
    return Table(
        "time",
        title,
        ("crawler", *book.sites),
        tuple(rows),
        "Requests × delay + bytes / bandwidth.",
    )


def show_p(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def median_area(runs: list[Run]) -> float:
    return statistics.median(run.area for run in runs)


def pairs(a: list[Run], b: list[Run]) -> Iterator[tuple[Run, Run]]:
    """Runs of the same seed; a crawler with one run only is paired with every run of the other."""
    if len(a) == 1 or len(b) == 1:
        yield from ((x, y) for x in a for y in b)
        return
    by_seed = {run.seed: run for run in b}
    yield from ((run, by_seed[run.seed]) for run in a if run.seed in by_seed)


def _differences(book: Book, a: str, b: str) -> tuple[list[float], list[float]]:
    shared = [s for s in book.sites if book.of(s, a) and book.of(s, b)]
    sites = [median_area(book.of(s, a)) - median_area(book.of(s, b)) for s in shared]
    runs = [x.area - y.area for s in shared for x, y in pairs(book.of(s, a), book.of(s, b))]
    return sites, runs


def _highest_cells(summaries: list[Summary], crawlers: list[str]) -> list[Cell]:
    means = {
        place: round(s.mean, 3)
        for place, (s, c) in enumerate(zip(summaries, crawlers, strict=True))
        if s.mean is not None and c not in UNREAL
    }
    highest = max(means.values(), default=None) if len(means) > 1 else None
    return [
        cell(s.text(3), bold=means.get(i) == highest and i in means)
        for i, s in enumerate(summaries)
    ]


def _hours(run: Run, politeness: Politeness) -> float | None:
    if run.requests_to_90 is None or run.received_to_90 is None:
        return None
    return politeness.hours(run.requests_to_90, run.received_to_90)


def _saved(book: Book, site: str, politeness: Politeness) -> str:
    ours, theirs = (
        summarize(_hours(run, politeness) for run in book.of(site, crawler)).mean
        for crawler in (STUDIED, "bfs")
    )
    return ABSENT if ours is None or theirs is None else f"{theirs - ours:+.2f}"
