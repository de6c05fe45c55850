"""The tables of the paper, in its layout, made of results."""

from collections.abc import Callable, Sequence

from datahound.lab.characteristics import PaperCharacteristics, Spread, paper_characteristics
from datahound.lab.experiments import FEATURES, GRID, MODELS, STUDIED, TUNED, variant_of
from datahound.lab.report import paper_values
from datahound.lab.report.summary import Summary, best, summarize
from datahound.lab.report.tables import Cell, Row, Table, cell
from datahound.lab.results_view import UNREAL, Book
from datahound.lab.run import Run

_SYMBOLS = {"exploration": "α", "ngram": "n", "min_similarity": "θ"}
_MEGABYTE = 1_000_000
_PAPER_NOTE = "In brackets: the paper's value on the site that the synthetic one is made after."


def characteristics_table(book: Book) -> Table:
    """What the sites are like."""
    columns = (
        "site", "available", "targets", "density (%)", "pages that link to a target (%)",
        "target size (MB)", "target depth",
    )  # fmt: skip
    rows = []
    for name, found in book.characteristics.items():
        preset = book.sites[name].preset if name in book.sites else ""
        rows.append(Row(name, _characteristics_cells(found, paper_characteristics(preset))))
    note = _PAPER_NOTE if any(site.preset for site in book.sites.values()) else ""
    return Table("characteristics", "What the sites are like", columns, tuple(rows), note)


def requests_table(book: Book) -> Table:
    """Requests to 90 % of the targets, with early stopping below."""
    rows = _crawler_rows(book, "requests", book.requests_percent)
    early = early_stopping_table(book).rows[:2]
    ruled = tuple(Row(row.head, row.cells, ruled=not place) for place, row in enumerate(early))
    title = "Requests to reach 90 % of the targets, in percent of those that visit everything"
    return Table("requests-to-90", title, _columns(book, "crawler"), (*rows, *ruled), _note(book))


def volume_table(book: Book) -> Table:
    """Non-target volume to 90 % of the target volume."""
    rows = _crawler_rows(book, "volume", book.volume_percent)
    title = "Non-target volume before 90 % of the target volume, in percent of all of it"
    return Table("volume-to-90", title, _columns(book, "crawler"), rows, _note(book))


def hyperparameters_table(book: Book) -> Table:
    """Both measures for each value of α, n and θ."""
    rows: list[Row] = []
    for name, values in GRID.items():
        cells = [_grid_cells(book, site, name, values) for site in book.sites]
        for place, value in enumerate(values):
            head = f"{_SYMBOLS[name]} = {'2√2' if value.startswith('2.82') else value}"
            own = tuple(column[place] for column in cells)
            rows.append(Row(head, own, ruled=place == 0 and bool(rows)))
    title = f"Hyper-parameters of {TUNED}: requests | volume to 90 %, in percent"
    return Table("hyperparameters", title, _columns(book, "setting"), tuple(rows), _note(book))


def classifiers_table(book: Book) -> Table:
    """Requests to 90 % and misclassification rate of each classifier."""
    variants = _classifiers(book)
    columns = [
        _best_cells(
            [summarize(map(book.requests_percent, _classifier_runs(book, s, v))) for v in variants],
            [paper_values.classifier_value(*v, book.sites[s].preset) for v in variants],
        )
        for s in book.sites
    ]
    rates = [summarize(_rates(book, v)) for v in variants]
    paper = [paper_values.classifier_value(*v, "MR") for v in variants]
    columns.append(_best_cells(rates, paper, digits=2))
    rows = tuple(
        Row(
            _classifier_name(v),
            tuple(column[place] for column in columns),
            ruled=bool(place) and v == ("lr", "context"),
        )
        for place, v in enumerate(variants)
    )
    title = "URL classifiers: requests to 90 % in percent, and misclassification rate (MR)"
    note = (
        f"{_note(book)} MR: wrong ones among true pages and targets, in percent; mean over sites."
    )
    heads = (*_columns(book, "classifier"), "MR (%)")
    return Table("classifiers", title, heads, rows, note)


def misclassification_table(book: Book) -> Table:
    """The misclassification rate of each classifier on each site."""
    variants = _classifiers(book)
    columns = [
        _best_cells([summarize(_site_rates(book, s, v)) for v in variants], digits=2)
        for s in book.sites
    ]
    rows = tuple(
        Row(
            _classifier_name(v),
            tuple(column[place] for column in columns),
            ruled=bool(place) and v == ("lr", "context"),
        )
        for place, v in enumerate(variants)
    )
    title = "URL classifiers: misclassified pages and targets, in percent"
    return Table("misclassification", title, _columns(book, "classifier"), rows)


def rewards_table(book: Book) -> Table:
    """Mean and standard deviation of non-zero rewards."""

    def row(head: str, measure: Callable[[Run], float], paper: str = "") -> Row:
        cells = (
            cell(
                summarize(map(measure, book.of(site, STUDIED))).text(),
                paper=paper and paper_values.reward_value(paper, book.sites[site].preset),
            )
            for site in book.sites
        )
        return Row(head, tuple(cells))

    rows = (
        row("mean of groups", lambda run: run.group_reward_mean, "Mean"),
        row("std of groups", lambda run: run.group_reward_std, "Std"),
        row("mean of pages", lambda run: run.page_reward_mean),
        row("std of pages", lambda run: run.page_reward_std),
    )
    title = f"Non-zero rewards of {STUDIED}"
    return Table("rewards", title, _columns(book, "statistic"), rows, _note(book))


def early_stopping_table(book: Book) -> Table:
    """Requests saved and targets lost by early stopping, which the paper puts below requests."""
    measures: dict[str, Callable[[Run], float]] = {"Saved req.": _saved, "Lost targets": _lost}
    rows = [
        Row(
            head,
            tuple(
                cell(
                    summarize(map(measure, book.of(site, STUDIED))).text(),
                    paper=paper_values.early_stopping_value(head, book.sites[site].preset),
                )
                for site in book.sites
            ),
        )
        for head, measure in measures.items()
    ]
    cuts = (summarize(r.stop_requests for r in book.of(site, STUDIED)) for site in book.sites)
    rows.append(Row("stops at request", tuple(cell(cut.text(0)) for cut in cuts)))
    title = f"Early stopping of {STUDIED}: percent of requests saved and of targets lost"
    note = "+∞: it never stops before the site is exhausted."
    return Table("early-stopping", title, _columns(book, "measure"), tuple(rows), note)


def groups_tables(book: Book) -> list[Table]:
    """The ten groups that brought most on each site, with one of their tag paths."""
    tables = []
    for site in book.sites:
        first = next((g for key, g in book.groups.items() if key[:3] == (site, STUDIED, "")), None)
        if first:
            rows = tuple(
                Row(str(place), (cell(f"{g.mean:.2f}"), cell(f"{g.pages:,}"), cell(g.tag_path)))
                for place, g in enumerate(first, 1)
            )
            columns = ("rank", "mean reward", "pages", "tag path")
            title = f"{site}: the groups of links that brought most (first run)"
            tables.append(Table(f"groups-{file_name(site)}", title, columns, rows))
    return tables


def file_name(site: str) -> str:
    """A site's name with nothing in it that a file's name should not have."""
    return "".join(c if c.isalnum() or c in ".-" else "-" for c in site)


def _characteristics_cells(
    found: dict[str, str], paper: PaperCharacteristics | None
) -> tuple[Cell, ...]:
    pages, targets, available = (int(found[n]) for n in ("pages", "targets", "available"))
    linking = int(found["linking_pages"]) / pages
    size = Spread(float(found["target_size_mean"]), float(found["target_size_std"]))
    depth = Spread(float(found["target_depth_mean"]), float(found["target_depth_std"]))
    ours = _shown(available, targets, linking, size, depth)
    theirs = [""] * len(ours)
    if paper is not None:
        spreads = (paper.target_size, paper.target_depth)
        theirs = _shown(paper.available, paper.targets, paper.linking, *spreads)
    return tuple(cell(a, paper=b) for a, b in zip(ours, theirs, strict=True))


def _shown(available: int, targets: int, linking: float, size: Spread, depth: Spread) -> list[str]:
    return [
        f"{available:,}",
        f"{targets:,}",
        f"{100 * targets / available:.1f}",
        f"{100 * linking:.2f}",
        f"{size.mean / _MEGABYTE:.2f} ± {size.std / _MEGABYTE:.2f}",
        f"{depth.mean:.2f} ± {depth.std:.2f}",
    ]


def _columns(book: Book, first: str) -> tuple[str, ...]:
    return (first, *book.sites)


def _note(book: Book) -> str:
    several = any(len(book.of(s, c)) > 1 for s in book.sites for c in book.crawlers())
    spread = "Mean ± standard deviation over runs. " if several else "One run: no spread. "
    paper = _PAPER_NOTE if any(site.preset for site in book.sites.values()) else ""
    return f"{spread}+∞: never reached. Bold: the best. {paper}".strip()


def _crawler_rows(
    book: Book, measure: str, percent: Callable[[Run], float | None]
) -> tuple[Row, ...]:
    crawlers = book.crawlers()
    columns = []
    for name, site in book.sites.items():
        summaries = [summarize(map(percent, book.of(name, crawler))) for crawler in crawlers]
        paper = [paper_values.crawler_value(measure, c, site.preset) for c in crawlers]
        columns.append(_best_cells(summaries, paper, [c not in UNREAL for c in crawlers]))
    return tuple(
        Row(crawler, tuple(column[place] for column in columns))
        for place, crawler in enumerate(crawlers)
    )


def _best_cells(
    summaries: Sequence[Summary],
    paper: Sequence[str] = (),
    competes: Sequence[bool] = (),
    digits: int = 1,
) -> list[Cell]:
    """A column of cells, the best of those that compete in bold."""
    nobody = Summary(None, None, 0, 0)
    allowed = competes or [True] * len(summaries)
    rivals = [s if may else nobody for s, may in zip(summaries, allowed, strict=True)]
    bold = best(rivals, digits) if sum(s.always for s in rivals) > 1 else set()
    papers = paper or [""] * len(summaries)
    return [
        cell(summary.text(digits), bold=place in bold, paper=beside)
        for place, (summary, beside) in enumerate(zip(summaries, papers, strict=True))
    ]


def _grid_cells(book: Book, site: str, name: str, values: Sequence[str]) -> list[Cell]:
    runs = [book.of(site, TUNED, variant_of(book.base, f"{name}={value}")) for value in values]
    both = [
        _best_cells([summarize(map(measure, of)) for of in runs])
        for measure in (book.requests_percent, book.volume_percent)
    ]
    preset = book.sites[site].preset
    return [
        Cell(
            (*both[0][place].parts, *both[1][place].parts),
            paper_values.hyperparameter_value(name, value, preset),
        )
        for place, value in enumerate(values)
    ]


def _classifiers(book: Book) -> list[tuple[str, str]]:
    """The models and features that there are runs of."""
    variants = [(model, features) for features in FEATURES for model in MODELS]
    return [v for v in variants if any(_classifier_runs(book, site, v) for site in book.sites)]


def _classifier_runs(book: Book, site: str, variant: tuple[str, str]) -> list[Run]:
    model, features = variant
    pairs = variant_of(book.base, f"model={model}", f"features={features}")
    return book.of(site, STUDIED, pairs)


def _classifier_name(variant: tuple[str, str]) -> str:
    model, features = variant
    return f"{'URL_ONLY' if features == 'url' else 'URL_CONT'}-{model.upper()}"


def _site_rates(book: Book, site: str, variant: tuple[str, str]) -> list[float | None]:
    rates = (run.misclassified for run in _classifier_runs(book, site, variant))
    return [100 * rate for rate in rates if rate is not None]


def _rates(book: Book, variant: tuple[str, str]) -> list[float | None]:
    """The mean rate of each site."""
    return [
        m for s in book.sites if (m := summarize(_site_rates(book, s, variant)).mean) is not None
    ]


def _saved(run: Run) -> float:
    return 0.0 if run.stop_requests is None else 100 * (1 - run.stop_requests / run.requests)


def _lost(run: Run) -> float:
    return 0.0 if run.stop_targets is None else 100 * (1 - run.stop_targets / max(run.targets, 1))
