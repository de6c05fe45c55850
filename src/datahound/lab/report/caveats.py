"""What limits the value of results, each in one line."""

from collections.abc import Iterator

from datahound.lab.experiments import STUDIED
from datahound.lab.results_view import ResultsView
from datahound.settings import EarlyStopSettings
from datahound.strategies import STRATEGIES
from datahound.strategies.tp_off import TRAINING_PAGES

_FEW_TARGETS = 50


def list_caveats(view: ResultsView, installed: str) -> Iterator[str]:
    """Yield everything that a reader should know before trusting these results."""
    if view.version != installed:
        yield f"These results were made by datahound {view.version}; this report by {installed}."
    yield from _check_runs(view)
    for name, site in view.sites.items():
        if site.targets < _FEW_TARGETS:
            yield f"{name}: only {site.targets} targets, so that one more or less shows in percent."
    yield from _check_tp_off(view)
    yield from _check_early_stopping(view)
    for (where, strategy, variant, seed), reason in view.failures.items():
        yield f"{where}: {strategy} {variant} run {seed} failed: {reason}"


def _check_runs(view: ResultsView) -> Iterator[str]:
    counts: dict[str, int] = {}
    for run in view.iter_runs():
        if run.strategy in STRATEGIES and STRATEGIES[run.strategy].is_random:
            counts[run.site] = max(counts.get(run.site, 0), run.seed + 1)
    if counts and max(counts.values()) == 1:
        yield "One run of each random crawler: there is no standard deviation, and luck counts."
    most = max(counts.values(), default=0)
    if behind := [site for site, count in counts.items() if count < most]:
        yield f"Fewer runs than on the other sites: {', '.join(behind)}."
    short = sum(_count_missing(view, site, counts.get(site, 1)) for site in view.sites)
    if short:
        yield f"{short:,} runs are missing: the same lab run command again makes them."


def _count_missing(view: ResultsView, site: str, seeds: int) -> int:
    """Count the runs that the site lacks beside the crawler with the most."""
    variants = {(run.strategy, run.variant) for run in view.iter_runs()}
    missing = 0
    for strategy, variant in variants:
        is_random = strategy in STRATEGIES and STRATEGIES[strategy].is_random
        missing += (seeds if is_random else 1) - len(view.select_runs(site, strategy, variant))
    return max(missing, 0)


def _check_tp_off(view: ResultsView) -> Iterator[str]:
    small = [
        name
        for name in view.sites
        if view.select_runs(name, "tp-off") and _count_pages(view, name) < TRAINING_PAGES
    ]
    if small:
        yield (
            f"tp-off is bfs where a site has fewer pages than the {TRAINING_PAGES:,} of its"
            f" training: {', '.join(small)}."
        )


def _count_pages(view: ResultsView, site: str) -> int:
    """Return the pages of a site; an upper bound where its characteristics are unknown."""
    if site in view.characteristics:
        return int(view.characteristics[site]["pages"])
    return view.sites[site].requests - view.sites[site].targets


def _check_early_stopping(view: ResultsView) -> Iterator[str]:
    stop = EarlyStopSettings()
    shortest = stop.window * stop.patience
    small = [
        n for n, s in view.sites.items() if view.select_runs(n, STUDIED) and s.requests < shortest
    ]
    if small:
        yield (
            f"Early stopping takes {shortest:,} requests at least, which is more than these sites"
            f" have: {', '.join(small)}."
        )
