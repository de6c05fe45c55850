"""What a reader of results should know before believing them, each in one line."""

from collections.abc import Iterator

from datahound.lab.experiments import STUDIED
from datahound.lab.results_view import Book
from datahound.settings import EarlyStopSettings
from datahound.strategies import STRATEGIES
from datahound.strategies.tp_off import TRAINING_PAGES

_FEW_TARGETS = 50


def notes(book: Book, installed: str) -> Iterator[str]:
    """Everything that makes these results less than they seem."""
    if book.version != installed:
        yield f"These results were made by datahound {book.version}; this report by {installed}."
    yield from _about_runs(book)
    for name, site in book.sites.items():
        if site.targets < _FEW_TARGETS:
            yield f"{name}: only {site.targets} targets, so that one more or less shows in percent."
    yield from _about_tp_off(book)
    yield from _about_early_stopping(book)
    for (where, strategy, variant, seed), reason in book.failures.items():
        yield f"{where}: {strategy} {variant} run {seed} failed: {reason}"


def _about_runs(book: Book) -> Iterator[str]:
    counts: dict[str, int] = {}
    for run in book.runs():
        if run.strategy in STRATEGIES and STRATEGIES[run.strategy].is_random:
            counts[run.site] = max(counts.get(run.site, 0), run.seed + 1)
    if counts and max(counts.values()) == 1:
        yield "One run of each random crawler: there is no standard deviation, and luck counts."
    most = max(counts.values(), default=0)
    if behind := [site for site, count in counts.items() if count < most]:
        yield f"Fewer runs than on the other sites: {', '.join(behind)}."
    short = sum(_missing(book, site, counts.get(site, 1)) for site in book.sites)
    if short:
        yield f"{short:,} runs are missing: the same lab run command again makes them."


def _missing(book: Book, site: str, seeds: int) -> int:
    """Runs that others of their site have and that are not there."""
    variants = {(run.strategy, run.variant) for run in book.runs()}
    missing = 0
    for strategy, variant in variants:
        is_random = strategy in STRATEGIES and STRATEGIES[strategy].is_random
        missing += (seeds if is_random else 1) - len(book.of(site, strategy, variant))
    return max(missing, 0)


def _about_tp_off(book: Book) -> Iterator[str]:
    small = [
        name
        for name in book.sites
        if book.of(name, "tp-off") and _pages(book, name) < TRAINING_PAGES
    ]
    if small:
        yield (
            f"tp-off is bfs where a site has fewer pages than the {TRAINING_PAGES:,} of its"
            f" training: {', '.join(small)}."
        )


def _pages(book: Book, site: str) -> int:
    """The pages of a site, or what they can be at most."""
    if site in book.characteristics:
        return int(book.characteristics[site]["pages"])
    return book.sites[site].requests - book.sites[site].targets


def _about_early_stopping(book: Book) -> Iterator[str]:
    stop = EarlyStopSettings()
    shortest = stop.window * stop.patience
    small = [n for n, s in book.sites.items() if book.of(n, STUDIED) and s.requests < shortest]
    if small:
        yield (
            f"Early stopping takes {shortest:,} requests at least, which is more than these sites"
            f" have: {', '.join(small)}."
        )
