"""The experiment `refresh`: policies on recordings over time, as rows, a table and a figure."""

import json
import statistics
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from datahound.errors import StorageError, UserError
from datahound.files import write_whole
from datahound.lab.append_csv import AppendCsv
from datahound.lab.fork_pool import map_forked
from datahound.lab.refresh.policies import COVER, FULL, HOUND, POLICIES
from datahound.lab.refresh.rounds import PolicyRun, RoundResult, count_checks, replay_rounds
from datahound.lab.refresh.site import LapseSite, find_cover
from datahound.refresh.pages import PageRates
from datahound.settings import Settings

SHARES = (0.02, 0.05, 0.1, 0.2)
_CHECK_SHARES = (0.1, 0.2)
_CHECKS = "file checks"

Report = Callable[[str, int, int], None]


class RefreshRow(NamedTuple):
    """What a policy found in all later rounds of a site, with one seed."""

    site: str
    policy: str
    share: float
    """Requests for pages, as a share of the pages of each round; or checks, of the files."""
    seed: int
    new: int
    """New files, or changes."""
    on_time: int
    late: int
    requests: int

    @property
    def score(self) -> float:
        """The share that was found in the round in which it appeared."""
        return self.on_time / max(self.new, 1)


def run_refresh(
    specs: Sequence[str | Path], runs: int, settings: Settings, results: "RefreshResults",
    progress: Report, workers: int = 1,
) -> None:  # fmt: skip
    """Replay every policy on every site, with every share of requests; keep each row."""
    for spec in specs:
        progress(f"reading {Path(spec).name}", 0, 0)
        site = _open_site(spec)
        try:
            _run_site(site, runs, settings, results, progress, workers)
        finally:
            site.close()


def replay_lapse(
    spec: str | Path, share: float, seed: int, settings: Settings
) -> tuple[str, list[RoundResult]]:
    """The name of a recorded site, and what hound finds in each of its rounds."""
    site = _open_site(spec)
    try:
        return site.name, replay_rounds(site, PolicyRun(HOUND, PageRates, seed, share), settings)
    finally:
        site.close()


def _open_site(spec: str | Path) -> LapseSite:
    site = LapseSite(spec)
    if len(site.dates) < 2:
        site.close()
        raise UserError(f"{spec}: has one round only, so nothing can be refreshed")
    return site


class RefreshResults:
    """The file `refresh.csv` of a folder: rows are added as they come, and found again later."""

    def __init__(self, folder: Path, params: Sequence[str]) -> None:
        self.path = folder / "refresh.csv"
        self._check_params(folder / "refresh.json", params)
        self._file = AppendCsv(self.path, RefreshRow._fields)
        self.rows = list(self._read())

    def __contains__(self, run: tuple[str, str, float, int]) -> bool:
        return any(row[:4] == run for row in self.rows)

    def add(self, row: RefreshRow) -> None:
        """Keep a row, unless it was there before."""
        if row[:4] in self:
            return
        self.rows.append(row)
        self._file.append(row._asdict())

    def _check_params(self, path: Path, params: Sequence[str]) -> None:
        """Refuse to mix the rows of several settings."""
        text = json.dumps({"settings": sorted(params)}) + "\n"
        if path.exists() and self.path.exists() and path.read_text("utf-8") != text:
            raise UserError(f"{path}: has other settings: give the same, or another folder")
        with write_whole(path) as draft:
            draft.write_text(text, encoding="utf-8")

    def _read(self) -> Iterator[RefreshRow]:
        for row in self._file.read_rows():
            # A row that cannot be read is left out, and measured again.
            with suppress(KeyError, ValueError):
                yield RefreshRow(
                    *(of(row[name]) for name, of in RefreshRow.__annotations__.items())
                )


def list_scores(
    rows: Iterable[RefreshRow],
) -> Iterator[tuple[str, str, float, float, float, float]]:
    """Per site, policy and share: the mean and spread of the scores, and the mean found late."""
    groups: dict[tuple[str, str, float], list[RefreshRow]] = {}
    for row in rows:
        groups.setdefault((row.site, row.policy, row.share), []).append(row)
    for (site, policy, share), group in groups.items():
        scores = [row.score for row in group]
        late = statistics.fmean(row.late / max(row.new, 1) for row in group)
        yield site, policy, share, statistics.fmean(scores), statistics.pstdev(scores), late


def _run_site(
    site: LapseSite, runs: int, settings: Settings, results: RefreshResults,
    progress: Report, workers: int,
) -> None:  # fmt: skip
    planned = [
        PolicyRun(name, make, seed, share)
        for seed in range(runs)
        for share in SHARES
        for name, make in POLICIES.items()
        if (site.name, name, share, seed) not in results
    ]
    for row in (*_list_bounds(site), *_list_checks(site, runs, settings)):
        results.add(row)

    def run(one: PolicyRun) -> RefreshRow:
        rounds = replay_rounds(site, one, settings)
        new, on_time, late, requests = (
            sum(getattr(result, name) for result in rounds)
            for name in ("new", "on_time", "late", "requests")
        )
        return RefreshRow(site.name, one.name, one.share, one.seed, new, on_time, late, requests)

    def tick(index: int) -> None:
        progress(f"{site.name}: {planned[index].name}", index, len(planned))

    for _, outcome in map_forked(run, planned, workers, tick):
        if isinstance(outcome, Exception):
            raise outcome
        results.add(outcome)


def _list_bounds(site: LapseSite) -> Iterator[RefreshRow]:
    """Rows of a full recrawl, which finds everything, and of the most that a budget can bring."""
    later = site.truths[1:]
    new = sum(len(truth.new) for truth in later)
    # Requests for files are not counted, here or for the policies.
    full = sum(len(truth.links) + len(truth.redirects) for truth in later)
    yield RefreshRow(site.name, FULL, 1.0, 0, new, new, 0, full)
    for share in SHARES:
        found, spent = 0, 0
        known = set(site.truths[0].links)
        for truth in later:
            cover = find_cover(truth, known, max(1, round(share * len(truth.links))))
            found, spent = found + cover[0], spent + cover[1]
            known |= truth.links.keys()
        yield RefreshRow(site.name, COVER, share, 0, new, found, 0, spent)


def _list_checks(site: LapseSite, runs: int, settings: Settings) -> Iterator[RefreshRow]:
    for share in _CHECK_SHARES:
        for seed in range(runs):
            changes, caught = count_checks(site, seed, share, settings.refresh)
            yield RefreshRow(site.name, _CHECKS, share, seed, changes, caught, 0, 0)


_COLOURS = {policy: f"C{number}" for number, policy in enumerate((COVER, *POLICIES))}


def _list_labels(axes: Any) -> Iterator[tuple[Any, str]]:
    return zip(*axes.get_legend_handles_labels(), strict=True)


def draw_scores(rows: Sequence[RefreshRow], path: Path) -> None:
    """Draw, for each site, the share of new files on time against the share of requests."""
    from matplotlib.figure import Figure  # noqa: PLC0415 slow to load

    sites = list(dict.fromkeys(row.site for row in rows))
    figure = Figure(figsize=(4 * len(sites), 4), layout="constrained")
    scores = list(list_scores(rows))
    for place, site in enumerate(sites):
        axes = figure.add_subplot(1, len(sites), place + 1, title=site, ylim=(0, 1.03))
        for policy in (COVER, *POLICIES):
            points = sorted((s[2], s[3], s[4]) for s in scores if s[:2] == (site, policy))
            # Not every policy was replayed on every site where the experiment was interrupted.
            if not points:
                continue
            shares, means, spreads = zip(*points, strict=True)
            width = 2.4 if policy == HOUND else 1.2
            axes.errorbar(
                shares, means, spreads, label=policy, linewidth=width, capsize=2,
                marker="o", markersize=3, color=_COLOURS[policy],
            )  # fmt: skip
        axes.set_xticks(SHARES, [f"{share:.0%}" for share in SHARES])
        axes.set_xlabel("requests for pages, as a share of the pages")
        if place == 0:
            axes.set_ylabel("share of new files found on time")
    handles = {label: handle for axes in figure.axes for handle, label in _list_labels(axes)}
    figure.legend(handles.values(), handles.keys(), loc="outside lower center", ncols=3, fontsize=8)
    try:
        figure.savefig(path, dpi=110)
    except OSError as error:
        raise StorageError(f"{path}: can't be written ({error.strerror})") from None
