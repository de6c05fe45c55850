"""Write a report on results: a folder of tables and figures, and one page that works offline."""

import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from pathlib import Path

from datahound.errors import StorageError, UserError, needs_extra
from datahound.lab.experiments import GRID, STUDIED, TUNED
from datahound.lab.report import crawler_tables, study_tables
from datahound.lab.report.comparison_tables import (
    common_size_table,
    comparison_tables,
    matching_table,
    multiples_table,
)
from datahound.lab.report.crawler_tables import RequestCosts
from datahound.lab.report.tables import WRITERS, ResultTable, to_html
from datahound.lab.results import installed_version
from datahound.lab.results_view import ResultsView, open_results
from datahound.lab.trials import TOO_SLOW, TrialResult
from datahound.settings import EarlyStopSettings
from datahound.strategies import STRATEGIES
from datahound.units import show_count

# Below, one target is 2 percent and more.
_FEW_TARGETS = 50


def list_caveats(view: ResultsView, installed: str) -> Iterator[str]:
    """Yield everything that a reader should know before trusting these results."""
    if view.version != installed:
        yield f"These results were made by datahound {view.version}; this report by {installed}."
    if view.unread:
        rows = show_count(view.unread, "row")
        yield f"{rows} of results.csv can't be read: broken, or of another version."
    yield from _check_runs(view)
    for name, site in view.sites.items():
        if not site.targets:
            yield f"{name}: bfs finds no target within the limit: there is nothing to compare."
        elif site.targets < _FEW_TARGETS:
            few = show_count(site.targets, "target")
            yield f"{name}: only {few}, so that one more or less shows in percent."
    yield from _check_tp_off(view)
    yield from _check_tres(view)
    yield from _check_early_stopping(view)
    yield from _list_failures(view)


def _list_failures(view: ResultsView) -> Iterator[str]:
    """Yield a line per crawler and reason: what ends one run often ends all of them."""
    seeds: dict[tuple[str, str, str], list[int]] = {}
    for (where, strategy, variant, seed), reason in view.failures.items():
        key = where, f"{strategy} {variant}".strip(), reason
        seeds.setdefault(key, []).append(seed)
    for (where, crawler, reason), failed in seeds.items():
        which = f"run {failed[0]}" if len(failed) == 1 else f"{len(failed)} runs"
        yield f"{where}: {crawler}, {which} failed: {reason}"


def _check_runs(view: ResultsView) -> Iterator[str]:
    counts: dict[str, int] = {}
    for run in view.iter_runs():
        known = STRATEGIES.get(run.strategy)
        # A crawler that needs an extra runs only where it is named, and as often as is asked then.
        if known and known.is_random and not known.extra:
            counts[run.site] = max(counts.get(run.site, 0), run.seed + 1)
    if counts and max(counts.values()) == 1:
        yield "One run of each random crawler: without a standard deviation, chance may decide."
    most = max(counts.values(), default=0)
    if behind := [site for site, count in counts.items() if count < most]:
        yield f"Fewer runs than on the other sites: {', '.join(behind)}."
    short = sum(_count_missing(view, site, counts.get(site, 1)) for site in view.sites)
    if short:
        yield f"{short:,} runs are missing: the same lab run command again makes them."


def _count_missing(view: ResultsView, site: str, seeds: int) -> int:
    """Count the runs that the site lacks beside the crawler with the most."""
    # A crawler that needs an extra runs only where it is named: on some sites, fewer times.
    variants = {
        (run.strategy, run.variant)
        for run in view.iter_runs()
        if run.strategy not in STRATEGIES or not STRATEGIES[run.strategy].extra
    }
    missing = 0
    for strategy, variant in variants:
        is_random = strategy in STRATEGIES and STRATEGIES[strategy].is_random
        missing += (seeds if is_random else 1) - len(view.select_runs(site, strategy, variant))
    return max(missing, 0)


def _check_tres(view: ResultsView) -> Iterator[str]:
    by_site = {site: view.select_runs(site, "tres") for site in view.sites}
    if any(by_site.values()):
        yield (
            "tres knows which URLs are pages, and its network was trained on pages of the same"
            " sites, unless its settings say otherwise."
        )
    for site, runs in by_site.items():
        ended = [run.stopped for run in runs if run.stopped.startswith(TOO_SLOW)]
        if ended:
            of = show_count(len(runs), "run")
            yield f"{site}: tres, {len(ended)} of {of} ended by a {ended[0]}."


def _check_tp_off(view: ResultsView) -> Iterator[str]:
    training = view.base.strategy.tp_off.training_requests
    small = [
        name
        for name, site in view.sites.items()
        if view.select_runs(name, "tp-off") and site.requests <= training
    ]
    if small:
        yield (
            f"tp-off is bfs where a site takes no more requests than the {training:,} of its"
            f" training: {', '.join(small)}."
        )


def _check_early_stopping(view: ResultsView) -> Iterator[str]:
    stop = EarlyStopSettings()
    # The condition must hold in `patience` windows in a row before a crawl stops.
    shortest = stop.window * stop.patience
    small = [
        n for n, s in view.sites.items() if view.select_runs(n, STUDIED) and s.requests < shortest
    ]
    if small:
        yield (
            f"Early stopping takes {shortest:,} requests at least, which is more than these sites"
            f" have: {', '.join(small)}."
        )


_DPI = 130
_DECIMALS = re.compile(r"(\d\.\d\d)\d+")
"""Digits of coordinates that are too small to see, which are half of an SVG file."""


@dataclass(frozen=True, slots=True)
class WrittenReport:
    """The page that was written, and what limits the value of the results."""

    page: Path
    caveats: tuple[str, ...]


def write_report(path: Path, costs: RequestCosts) -> WrittenReport:
    """Write everything that a folder has results for into `report` inside it."""
    view = open_results(path)
    folder = path / "report"
    caveats = tuple(list_caveats(view, installed_version()))
    try:
        tables = list(make_tables(view, costs))
        _write_tables(tables, folder / "tables")
        drawn = dict(_write_figures(view, folder / "figures"))
        page = folder / "index.html"
        page.write_text(_fill_page(view, caveats, tables, drawn), "utf-8")
    except OSError as error:
        raise StorageError(f"{folder}: can't be written ({error.strerror})") from None
    return WrittenReport(page, caveats)


def write_curves(results: Sequence[TrialResult], path: Path) -> None:
    """Draw the curves of trials on one site into a picture."""
    with needs_extra("lab"):
        from datahound.lab.report.figures import draw_curves  # noqa: PLC0415 slow to load

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        draw_curves(results).savefig(path, dpi=150)
    except OSError as error:
        raise UserError(f"{path.parent}: can't be written ({error.strerror})") from None


def make_tables(view: ResultsView, costs: RequestCosts) -> Iterator[ResultTable]:
    """Make every table that there are results for."""
    strategies = {(run.strategy, run.variant) for run in view.iter_runs()}
    if view.characteristics:
        yield study_tables.characteristics_table(view)
    if strategies:
        made = _crawler_tables(view, costs)
        yield from (table for table in made if table is not None)
    if any(s == TUNED and v.partition("=")[0] in GRID for s, v in strategies):
        yield study_tables.hyperparameters_table(view)
    yield from comparison_tables(view)
    if any("model=" in v or "features=" in v for _, v in strategies):
        yield study_tables.classifiers_table(view)
    if any(s == STUDIED for s, _ in strategies):
        yield study_tables.misclassification_table(view)
        yield study_tables.rewards_table(view)
        if top := study_tables.top_groups_table(view):
            yield top
        yield from study_tables.groups_tables(view)
        yield study_tables.early_stopping_table(view)


def _crawler_tables(view: ResultsView, costs: RequestCosts) -> Iterator[ResultTable | None]:
    """The comparisons of crawlers; None for one without results."""
    yield crawler_tables.requests_table(view)
    yield crawler_tables.volume_table(view)
    yield multiples_table(view)
    yield common_size_table(view)
    yield crawler_tables.area_table(view)
    yield crawler_tables.against_baselines_table(view)
    yield crawler_tables.significance_table(view)
    yield crawler_tables.time_table(view, costs)
    yield crawler_tables.steps_table(view)
    yield matching_table(view, costs)


def _write_tables(tables: list[ResultTable], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for table in tables:
        for suffix, write in WRITERS.items():
            (folder / f"{table.name}.{suffix}").write_text(write(table), "utf-8")


def _write_figures(view: ResultsView, folder: Path) -> Iterator[tuple[str, tuple[str, str]]]:
    """Write each figure as SVG, PNG and PDF; yields its name, caption and SVG."""
    with needs_extra("lab"):
        from datahound.lab.report.figures import draw_figures  # noqa: PLC0415 slow to load

    folder.mkdir(parents=True, exist_ok=True)
    for name, caption, figure in draw_figures(view):
        text = io.StringIO()
        # Without dates, the same results give the same files, byte by byte.
        figure.savefig(text, format="svg", metadata={"Date": None})
        svg = _DECIMALS.sub(r"\1", text.getvalue())
        (folder / f"{name}.svg").write_text(svg, "utf-8")
        figure.savefig(folder / f"{name}.png", dpi=_DPI)
        figure.savefig(folder / f"{name}.pdf", metadata={"CreationDate": None})
        yield name, (caption, svg)


def _fill_page(
    view: ResultsView,
    caveats: tuple[str, ...],
    tables: list[ResultTable],
    drawn: dict[str, tuple[str, str]],
) -> str:
    template = files(__package__).joinpath("page.html").read_text("utf-8")
    runs = show_count(sum(1 for _ in view.iter_runs()), "run")
    sites = show_count(len(view.sites), "site")
    return template.format(
        summary=f"{runs} on {sites}, datahound {escape(view.version)}.",
        contents="\n".join(_list_contents(tables, drawn)),
        notes="".join(f"<li>{escape(caveat)}</li>" for caveat in caveats),
        tables="\n".join(f'<section id="{t.name}">{to_html(t)}</section>' for t in tables),
        figures="\n".join(_inline_figure(name, *figure) for name, figure in drawn.items()),
    )


def _list_contents(tables: list[ResultTable], drawn: dict[str, tuple[str, str]]) -> Iterator[str]:
    """Yield a link to each table and each figure."""
    captions = {table.name: table.title for table in tables}
    captions |= {f"figure-{name}": f"Figure: {caption}" for name, (caption, _) in drawn.items()}
    for place, caption in captions.items():
        yield f'<a href="#{place}">{escape(caption)}</a>'


def _inline_figure(name: str, caption: str, svg: str) -> str:
    """Put a figure inside the page."""
    body = svg[svg.index("<svg") :]
    # The ids of all figures share one page: with the name of the figure they do not clash.
    for pattern in (r'(\bid=")', r'(href="#)', r"(url\(#)"):
        body = re.sub(pattern, rf"\g<1>{name}-", body)
    label = f'<svg role="img" aria-label="{escape(caption)}"'
    body = body.replace("<svg", label, 1)
    return f'<figure id="figure-{name}">{body}<figcaption>{escape(caption)}</figcaption></figure>'
