"""Tables of one study each: sites, hyper-parameters, classifiers, rewards, early stopping."""

from collections.abc import Callable, Sequence
from functools import partial
from statistics import fmean

from datahound.lab.characteristics import PaperCharacteristics, Spread, find_paper_site
from datahound.lab.experiments import (
    CLASSIFIERS,
    GRID,
    STUDIED,
    TUNED,
    name_classifier_variant,
    name_variant,
)
from datahound.lab.report import paper_values
from datahound.lab.report.summary import ABSENT, summarize_runs
from datahound.lab.report.tables import (
    ResultTable,
    TableCell,
    TableRow,
    join_columns,
    make_cell,
    mark_lowest,
)
from datahound.lab.results import RunFigures
from datahound.lab.results_view import ResultsView, select
from datahound.settings import EarlyStopSettings
from datahound.units import show_count

_SYMBOLS = {"exploration": "α", "ngram": "n", "min_similarity": "θ"}
_MEGABYTE = 1_000_000
_LANGUAGE_SHARE = 0.01
_MAX_LANGUAGES = 4
_GAIN = 0.98
"""Share of the requests of URL_ONLY-LR from which the paper calls a classifier better."""
_SEED_NOTE = "Targets that the start page links to reward no group: that page was not chosen."
_PAPER_NOTE = "In brackets: the paper's value on the site that the synthetic one is made after."


def characteristics_table(view: ResultsView) -> ResultTable:
    """What the sites are like."""
    columns = (
        "site", "available", "targets", "density (%)", "pages that link to a target (%)",
        "target size (MB)", "target depth", "errors among neither (%)", "languages", "crawled",
        "start", "recording",
    )  # fmt: skip
    rows = []
    for name, found in view.characteristics.items():
        preset = view.sites[name].preset if name in view.sites else ""
        spec = view.sites[name].spec.rpartition("/")[2] if name in view.sites else ""
        rows.append(TableRow(name, _make_site_cells(found, find_paper_site(preset), spec)))
    note = _PAPER_NOTE if any(site.preset for site in view.sites.values()) else ""
    return ResultTable("characteristics", "What the sites are like", columns, tuple(rows), note)


def hyperparameters_table(view: ResultsView) -> ResultTable:
    """Both measures for each value of α, n and θ."""
    rows: list[TableRow] = []
    for name, values in GRID.items():
        heads = [name_grid_value(name, value) for value in values]
        cells = [_make_grid_cells(view, site, name, values) for site in view.sites]
        first, *rest = join_columns(heads, cells)
        rows += [TableRow(first.head, first.cells, ruled=bool(rows)), *rest]
    title = f"Hyper-parameters of {TUNED}: requests | volume to 90 %, in percent"
    columns = ("setting", *view.sites)
    return ResultTable("hyperparameters", title, columns, tuple(rows), note_runs(view))


def name_grid_value(name: str, value: str) -> str:
    """Name a value of a hyper-parameter as the paper writes it.

    >>> name_grid_value("exploration", "2.8284271247461903")
    'α = 2√2'
    """
    return f"{_SYMBOLS[name]} = {'2√2' if value.startswith('2.82') else value}"


def classifiers_table(view: ResultsView) -> ResultTable:
    """Requests to 90 % and misclassification rate of each classifier."""
    variants = list_classifiers(view)
    columns = [_make_classifier_column(view, site, variants) for site in view.sites]
    common = [s for s in view.sites if all(_select(view, s, v) for v in variants)]
    rates = [summarize_runs(_average_rates(view, common, v)) for v in variants]
    paper = [paper_values.read_classifier_value(*v, "MR") for v in variants]
    columns.append(mark_lowest(rates, paper, digits=2))
    title = "URL classifiers: requests to 90 % in percent, and misclassification rate (MR)"
    note = (
        f"{note_runs(view, bold='at least 2 % fewer requests than URL_ONLY-LR, and the lowest MR')}"
        " MR: wrong ones among true pages and targets, in percent; mean over the"
        " sites that all classifiers have runs of."
    )
    heads = ("classifier", *view.sites, "MR (%)")
    return ResultTable("classifiers", title, heads, _join_classifiers(variants, columns), note)


def misclassification_table(view: ResultsView) -> ResultTable:
    """The misclassification rate of each classifier on each site."""
    variants = list_classifiers(view)
    columns = [
        mark_lowest([summarize_runs(_list_rates(view, s, v)) for v in variants], digits=2)
        for s in view.sites
    ]
    title = "URL classifiers: misclassified pages and targets, in percent"
    rows = _join_classifiers(variants, columns)
    return ResultTable("misclassification", title, ("classifier", *view.sites), rows)


def rewards_table(view: ResultsView) -> ResultTable:
    """Mean and standard deviation of non-zero rewards."""
    paper_mean, paper_std = (partial(paper_values.read_reward_value, of) for of in ("Mean", "Std"))
    rows = (
        _make_row(view, "mean of groups", lambda run: run.group_reward_mean, paper_mean, 2),
        _make_row(view, "std of groups", lambda run: run.group_reward_std, paper_std, 2),
        _make_row(view, "mean of pages", lambda run: run.page_reward_mean, digits=2),
        _make_row(view, "std of pages", lambda run: run.page_reward_std, digits=2),
    )
    title = f"Non-zero rewards of {STUDIED}"
    note = f"{note_runs(view, bold='')} {_SEED_NOTE}"
    return ResultTable("rewards", title, ("statistic", *view.sites), rows, note)


def early_stopping_table(view: ResultsView) -> ResultTable:
    """Requests saved and targets lost by early stopping, which the paper puts below requests."""
    measures = {"Saved req.": _percent_saved, "Lost targets": _percent_lost}
    rows = [
        _make_row(view, head, measure, partial(paper_values.read_early_stopping_value, head))
        for head, measure in measures.items()
    ]
    cuts = (
        summarize_runs(run.stop_requests for run in view.select_runs(site, STUDIED))
        for site in view.sites
    )
    rows.append(TableRow("stops at request", tuple(make_cell(cut.show(0)) for cut in cuts)))
    behaviours = (make_cell(find_stop_behaviour(view, site)) for site in view.sites)
    rows.append(TableRow("behaviour", tuple(behaviours)))
    title = f"Early stopping of {STUDIED}: percent of requests saved and of targets lost"
    note = (
        "+∞: it never stops before the site is exhausted. The paper's three behaviours: (i) targets"
        " become rare and it stops; (ii) targets keep coming and its condition is never met; (iii)"
        " the site is exhausted in fewer requests than the condition takes."
    )
    return ResultTable("early-stopping", title, ("measure", *view.sites), tuple(rows), note)


def find_stop_behaviour(view: ResultsView, site: str) -> str:
    """Name which of the paper's three behaviours early stopping has on a site."""
    runs = view.select_runs(site, STUDIED)
    if not runs:
        return ABSENT
    stopped = sum(run.stop_requests is not None for run in runs)
    if stopped:
        return f"(i) stops in {stopped} of {show_count(len(runs), 'run')}"
    settings = EarlyStopSettings()
    is_small = all(run.requests < settings.window * settings.patience for run in runs)
    return "(iii) too small" if is_small else "(ii) never met"


def top_groups_table(view: ResultsView) -> ResultTable | None:
    """The mean reward by rank of group, over the runs of each site, and its mean over sites."""
    ranked = {site: rank_mean_rewards(view, site) for site in view.sites}
    ranked = {site: means for site, means in ranked.items() if means}
    if not ranked:
        return None
    rows = []
    for rank in range(max(map(len, ranked.values()))):
        found = [means[rank] if rank < len(means) else None for means in ranked.values()]
        mean = summarize_runs(value for value in found if value is not None).mean
        cells = [ABSENT if value is None else f"{value:.2f}" for value in (*found, mean)]
        rows.append(TableRow(str(rank + 1), tuple(map(make_cell, cells))))
    return ResultTable(
        "top-groups",
        "Mean reward of the ten best groups of each site, mean over runs",
        ("rank", *ranked, "mean of sites"),
        tuple(rows),
        "A mean of sites is over those with that many groups. On ten sites of the paper: 258, 89,"
        f" 74 and 67, the tenth 41. {_SEED_NOTE}",
    )


def rank_mean_rewards(view: ResultsView, site: str) -> list[float]:
    """Return the mean reward of the best group over runs, of the second, and so on."""
    runs = select(view.groups, site, STUDIED)
    ranks = range(max((len(groups) for groups in runs), default=0))
    return [fmean(g[rank].mean for g in runs if rank < len(g)) for rank in ranks]


def groups_tables(view: ResultsView) -> list[ResultTable]:
    """The ten groups with the highest rewards on each site, with one of their tag paths."""
    tables = []
    for site in view.sites:
        if found := select(view.groups, site, STUDIED):
            rows = tuple(
                TableRow(str(rank), tuple(map(make_cell, (f"{mean:.2f}", f"{pages:,}", path))))
                for rank, (mean, pages, path) in enumerate(found[0], 1)
            )
            columns = ("rank", "mean reward", "pages", "tag path")
            title = f"{site}: the groups of links that brought most (first run)"
            name = f"groups-{to_file_name(site)}"
            tables.append(ResultTable(name, title, columns, rows, _SEED_NOTE))
    return tables


def list_classifiers(view: ResultsView) -> list[tuple[str, str]]:
    """Return the models and features that have runs."""
    return [v for v in CLASSIFIERS if any(_select(view, site, v) for site in view.sites)]


def note_runs(view: ResultsView, bold: str = "the best") -> str:
    """Explain the cells of a table of means, and what is bold in it, if anything is."""
    several = any(len(view.select_runs(s, c)) > 1 for s in view.sites for c in view.list_crawlers())
    spread = "Mean ± standard deviation over runs. " if several else "One run: no spread. "
    paper = _PAPER_NOTE if any(site.preset for site in view.sites.values()) else ""
    partial = (
        "Crawls end at a limit: 90 % is of the targets that bfs finds up to it. "
        if view.is_partial
        else ""
    )
    marks = f"+∞: never reached. Bold: {bold}. " if bold else ""
    return f"{spread}{partial}{marks}{paper}".strip()


def to_file_name(site: str) -> str:
    """Replace what a file name should not have in a site's name."""
    return "".join(c if c.isalnum() or c in ".-" else "-" for c in site)


def _make_site_cells(
    found: dict[str, str], paper: PaperCharacteristics | None, spec: str
) -> tuple[TableCell, ...]:
    pages, targets, available = (int(found[n]) for n in ("pages", "targets", "available"))
    linking = int(found["linking_pages"]) / pages
    size = Spread(float(found["target_size_mean"]), float(found["target_size_std"]))
    depth = Spread(float(found["target_depth_mean"]), float(found["target_depth_std"]))
    ours = _show_site(available, targets, linking, size, depth)
    theirs = [""] * len(ours)
    if paper is not None:
        spreads = (paper.target_size, paper.target_depth)
        theirs = _show_site(paper.available, paper.targets, paper.linking, *spreads)
    others = available - pages - targets
    neither = int(found["errors"]) + others
    cells = [make_cell(a, paper=b) for a, b in zip(ours, theirs, strict=True)]
    return (
        *cells,
        make_cell(f"{100 * int(found['errors']) / neither:.1f}" if neither else "–"),
        make_cell(_show_languages(found.get("languages", ""))),
        make_cell("whole" if found["complete"] == "True" else "in part"),
        make_cell(found.get("start") or ABSENT),
        make_cell(spec),
    )


def _show_languages(counted: str) -> str:
    """Show the languages of at least 1 % of the pages that name one, the most frequent first."""
    pairs = [pair.split(":") for pair in counted.split()]
    least = _LANGUAGE_SHARE * sum(int(pages) for _, pages in pairs)
    codes = [code for code, pages in pairs if int(pages) >= least]
    more = f" and {len(codes) - _MAX_LANGUAGES} more" if len(codes) > _MAX_LANGUAGES else ""
    return ", ".join(codes[:_MAX_LANGUAGES]) + more or ABSENT


def _show_site(
    available: int, targets: int, linking: float, size: Spread, depth: Spread
) -> list[str]:
    return [
        f"{available:,}",
        f"{targets:,}",
        f"{100 * targets / available:.1f}",
        f"{100 * linking:.2f}",
        f"{size.mean / _MEGABYTE:.2f} ± {size.std / _MEGABYTE:.2f}",
        f"{depth.mean:.2f} ± {depth.std:.2f}",
    ]


def _make_row(
    view: ResultsView,
    head: str,
    measure: Callable[[RunFigures], float],
    paper: Callable[[str], str] = lambda _: "",
    digits: int = 1,
) -> TableRow:
    """Make a row of a figure of the studied crawler; `paper` gives the value of a preset."""
    return TableRow(
        head,
        tuple(
            make_cell(
                summarize_runs(map(measure, view.select_runs(name, STUDIED))).show(digits),
                paper=paper(site.preset),
            )
            for name, site in view.sites.items()
        ),
    )


def _make_grid_cells(
    view: ResultsView, site: str, name: str, values: Sequence[str]
) -> list[TableCell]:
    variants = [name_variant(view.base, f"{name}={value}") for value in values]
    runs = [view.select_runs(site, TUNED, variant) for variant in variants]
    preset = view.sites[site].preset
    paper = [paper_values.read_hyperparameter_value(name, value, preset) for value in values]
    return pair_measures(view, runs, paper)


def pair_measures(
    view: ResultsView, runs: Sequence[list[RunFigures]], paper: Sequence[str] = ()
) -> list[TableCell]:
    """Make a cell `requests | volume` of each group of runs, the lowest of both in bold."""
    requests, volume = (
        mark_lowest([summarize_runs(map(percent, of)) for of in runs])
        for percent in (view.requests_percent, view.volume_percent)
    )
    return [
        TableCell((*left.parts, *right.parts), beside)
        for left, right, beside in zip(requests, volume, paper or [""] * len(runs), strict=True)
    ]


def _make_classifier_column(
    view: ResultsView, site: str, variants: Sequence[tuple[str, str]]
) -> list[TableCell]:
    """Make a column with the paper's rule: bold is what needs at least 2 % less than the first."""
    found = [summarize_runs(map(view.requests_percent, _select(view, site, v))) for v in variants]
    usual = found[variants.index(CLASSIFIERS[0])] if CLASSIFIERS[0] in variants else None
    limit = _GAIN * usual.mean if usual is not None and usual.mean is not None else None
    paper = [paper_values.read_classifier_value(*v, view.sites[site].preset) for v in variants]
    return [
        make_cell(
            one.show(),
            bold=limit is not None and one.always and one.mean is not None and one.mean <= limit,
            paper=beside,
        )
        for one, beside in zip(found, paper, strict=True)
    ]


def _join_classifiers(
    variants: Sequence[tuple[str, str]], columns: Sequence[Sequence[TableCell]]
) -> tuple[TableRow, ...]:
    """Make a row per classifier, with a rule between those on URLs and those on context."""
    heads = [f"URL_{'ONLY' if f == 'url' else 'CONT'}-{model.upper()}" for model, f in variants]
    first_of_context = variants.index(("lr", "context")) if ("lr", "context") in variants else 0
    return join_columns(heads, columns, first_of_context)


def _select(view: ResultsView, site: str, classifier: tuple[str, str]) -> list[RunFigures]:
    return view.select_runs(site, STUDIED, name_classifier_variant(view.base, *classifier))


def _list_rates(view: ResultsView, site: str, classifier: tuple[str, str]) -> list[float | None]:
    rates = (run.misclassified for run in _select(view, site, classifier))
    return [100 * rate for rate in rates if rate is not None]


def _average_rates(
    view: ResultsView, sites: Sequence[str], classifier: tuple[str, str]
) -> list[float | None]:
    """Return the mean rate of each site that has one."""
    means = (summarize_runs(_list_rates(view, site, classifier)).mean for site in sites)
    return [mean for mean in means if mean is not None]


def _percent_saved(run: RunFigures) -> float:
    return 0.0 if run.stop_requests is None else 100 * (1 - run.stop_requests / run.requests)


def _percent_lost(run: RunFigures) -> float:
    return 0.0 if run.stop_targets is None else 100 * (1 - run.stop_targets / max(run.targets, 1))
