"""Results made by hand, so that each cell of a table can be foretold."""

from dataclasses import replace
from pathlib import Path

from datahound.lab.results import Origin, ResultFolder, RunFigures, RunRecord, SiteRow
from datahound.lab.results_view import ResultsView
from datahound.lab.runner import ExperimentRunner
from datahound.settings import Settings

ORIGIN = Origin("1.2.3")
SITES = ("synthetic:cl?pages=120", "synthetic:demo?pages=100")

RUN = RunFigures(
    site="one",
    strategy="sb-classifier",
    variant="",
    seed=0,
    version="1.2.3",
    requests=1000,
    targets=100,
    total_targets=100,
    requests_to_50=300,
    requests_to_90=500,
    requests_to_99=900,
    other_bytes_to_90=2_000,
    received_to_90=9_000_000,
    area=0.5,
    page_as_page=60,
    page_as_target=10,
    target_as_page=20,
    target_as_target=110,
    other_as_page=7,
    other_as_target=3,
    group_reward_mean=2.0,
    group_reward_std=1.0,
    page_reward_mean=4.0,
    page_reward_std=3.0,
    stop_requests=None,
    stop_targets=None,
    seconds=1.5,
    stopped="exhausted",
)
SITE = SiteRow("one", "one.warc.gz", "", 1000, 8_000, 100, 50_000)


def ignore(*_):
    pass


def make_run(strategy="sb-classifier", **changes):
    return replace(RUN, strategy=strategy, **changes)


def make_site(name="one", **changes):
    return replace(SITE, name=name, **changes)


def make_view(*runs, sites=(SITE,), **changes):
    """A view of some runs, as if they had been read from a folder."""
    by_crawler = {}
    for run in sorted(runs, key=lambda run: run.key):
        by_crawler.setdefault((run.site, run.strategy, run.variant), []).append(run)
    known = {site.name: site for site in sites}
    view = ResultsView(Path("made"), "1.2.3", Settings(), False, known, {}, {}, {}, {}, by_crawler)
    return replace(view, **changes)


def save_results(path, *runs, sites=(SITE,), origin=ORIGIN):
    """Save runs to a folder, and return its path."""
    folder = ResultFolder.create(path, origin)
    for site in sites:
        folder.add_site(site)
    for run in runs:
        folder.add_run(RunRecord(run, {}, (), ()))
    return path


def run_into(path, experiment, origin=ORIGIN, warn=ignore):
    """Run an experiment into a folder; returns how many runs failed."""
    folder = ResultFolder.create(path, origin)
    return ExperimentRunner(experiment, folder, ignore, warn).run_sites()


def texts(row):
    """The cells of a row of a table, bold ones in asterisks."""
    return [
        " | ".join(f"*{part.text}*" if part.bold else part.text for part in cell.parts)
        for cell in row.cells
    ]


def rows_of(table):
    """The cells of a table by the heads of its rows."""
    return {row.head: texts(row) for row in table.rows}
