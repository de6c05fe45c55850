"""One run of an experiment, and what is kept of it: a row of figures, a curve, its best groups."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from functools import cache
from types import NoneType
from typing import Any, get_args, get_type_hints

from datahound.lab import observers
from datahound.lab.experiments import STUDIED, Job
from datahound.lab.metrics import Curve
from datahound.lab.observers import Confusion, EarlyCut, Group, Rewards
from datahound.lab.trials import TrialGround
from datahound.model import Kind
from datahound.parameters import parameters
from datahound.settings import Settings

_POINTS = 150
_TOP_GROUPS = 10

Points = tuple[tuple[int, int, int, int], ...]
"""Of a curve: request, targets, target bytes, other bytes."""


@dataclass(frozen=True, slots=True)
class Exhaustive:
    """What visiting everything costs on a site, and brings."""

    requests: int
    other_bytes: int
    targets: int
    target_bytes: int


@dataclass(frozen=True, slots=True)
class Run:
    """The figures of one run: a row of the results."""

    site: str
    strategy: str
    variant: str
    seed: int
    version: str
    requests: int
    targets: int
    total_targets: int
    requests_to_50: int | None
    requests_to_90: int | None
    requests_to_99: int | None
    other_bytes_to_90: int | None
    """Bytes of anything but targets before 90 % of all target bytes."""
    received_to_90: int | None
    """All bytes received by the request that brought 90 % of the targets."""
    area: float
    """Under targets against requests; 1 for omniscience."""
    page_as_page: int
    page_as_target: int
    target_as_page: int
    target_as_target: int
    other_as_page: int
    other_as_target: int
    group_reward_mean: float
    group_reward_std: float
    page_reward_mean: float
    page_reward_std: float
    stop_requests: int | None
    """Where early stopping would have ended the crawl."""
    stop_targets: int | None
    seconds: float
    stopped: str

    @property
    def misclassified(self) -> float | None:
        """The share of true pages and targets that were taken for the other; None if none were."""
        wrong = self.page_as_target + self.target_as_page
        total = wrong + self.page_as_page + self.target_as_target
        return wrong / total if total else None

    @classmethod
    def from_row(cls, row: dict[str, str]) -> "Run":
        """The run that a row of text was written from; a ValueError or KeyError if it is broken."""
        return cls(**{name: _parse(kind, row[name]) for name, kind in _types().items()})


@dataclass(frozen=True, slots=True)
class Finding:
    """All that is kept of a run."""

    run: Run
    settings: dict[str, str] = field(repr=False)
    points: Points = field(repr=False)
    groups: tuple[Group, ...] = field(repr=False)


def run_job(
    ground: TrialGround, job: Job, base: Settings, whole: Exhaustive, site: str, version: str
) -> Finding:
    """Crawl the site once and keep what the experiments need."""
    trial = job.trial(base)
    confusion, rewards, cut = Confusion(ground.site.seed), Rewards(), EarlyCut()
    watching = (cut, confusion, rewards) if job.strategy == STUDIED else (cut,)

    def observe(events: Sequence[Any]) -> None:
        for observer in watching:
            observer.observe(events)

    result = ground.run(trial, observe, observers.WATCHED)
    run = Run(
        site=site,
        strategy=job.strategy,
        variant=job.variant,
        seed=job.seed,
        version=version,
        **_curve_figures(result.curve, whole),
        **_confusion_figures(confusion),
        **_reward_figures(rewards),
        stop_requests=cut.requests,
        stop_targets=cut.targets,
        seconds=round(result.seconds, 3),
        stopped=result.stopped,
    )
    points = thin(tuple(result.curve.rows())) if not job.variant else ()
    groups = tuple(rewards.groups()[:_TOP_GROUPS]) if not job.variant else ()
    return Finding(run, settings_row(trial.settings), points, groups)


def settings_row(settings: Settings) -> dict[str, str]:
    """Every setting by name."""
    row = {}
    for parameter in parameters():
        holder: Any = settings
        for name in parameter.group:
            holder = getattr(holder, name)
        row[parameter.name] = str(getattr(holder, parameter.name))
    return row


def thin(points: Points) -> Points:
    """At most so many points of a curve, evenly, its last one among them."""
    if len(points) <= _POINTS:
        return points
    step = (len(points) - 1) / (_POINTS - 1)
    return tuple(points[round(i * step)] for i in range(_POINTS))


def _curve_figures(curve: Curve, whole: Exhaustive) -> dict[str, Any]:
    return {
        "requests": curve.requests,
        "targets": curve.targets,
        "total_targets": whole.targets,
        "requests_to_50": curve.requests_to(0.5, whole.targets),
        "requests_to_90": curve.requests_to(0.9, whole.targets),
        "requests_to_99": curve.requests_to(0.99, whole.targets),
        "other_bytes_to_90": curve.other_bytes_to(0.9, whole.target_bytes),
        "received_to_90": curve.received_to(0.9, whole.targets),
        "area": round(curve.area(whole.targets, whole.requests), 6),
    }


def _confusion_figures(confusion: Confusion) -> dict[str, Any]:
    return {
        f"{was}_as_{taken}": confusion.counts.get((Kind(was), Kind(taken)), 0)
        for was in ("page", "target", "other")
        for taken in ("page", "target")
    }


def _reward_figures(rewards: Rewards) -> dict[str, Any]:
    groups, pages = [group.mean for group in rewards.groups()], rewards.pages()
    return {
        "group_reward_mean": round(statistics.fmean(groups), 4) if groups else 0.0,
        "group_reward_std": round(statistics.pstdev(groups), 4) if groups else 0.0,
        "page_reward_mean": round(statistics.fmean(pages), 4) if pages else 0.0,
        "page_reward_std": round(statistics.pstdev(pages), 4) if pages else 0.0,
    }


@cache
def _types() -> dict[str, Any]:
    hints = get_type_hints(Run)
    return {f.name: hints[f.name] for f in fields(Run)}


def _parse(kind: Any, text: str) -> Any:
    if NoneType in get_args(kind):
        if not text:
            return None
        kind = next(k for k in get_args(kind) if k is not NoneType)
    return kind(text)
