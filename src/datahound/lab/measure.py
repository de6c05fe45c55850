"""Measure one run of an experiment: its figures, its curve, its best groups."""

import statistics
from typing import Any

from datahound.lab.experiments import STUDIED, PlannedRun
from datahound.lab.metrics import Curve
from datahound.lab.observers import WATCHED, Confusion, EarlyCut, Rewards
from datahound.lab.results import Points, RunFigures, RunRecord, SiteRow
from datahound.lab.trials import TrialGround
from datahound.model import Kind
from datahound.parameters import parameters
from datahound.settings import Settings

_MAX_POINTS = 150
_TOP_GROUPS = 10


def measure_run(
    ground: TrialGround, planned: PlannedRun, base: Settings, site: SiteRow, version: str
) -> RunRecord:
    """Crawl the site once and return what the experiments need of it."""
    trial = planned.make_trial(base)
    confusion, rewards, cut = Confusion(ground.site.seed), Rewards(), EarlyCut()
    # Only the studied crawler has a classifier and groups that any table shows.
    observers = (cut, confusion, rewards) if planned.strategy == STUDIED else (cut,)
    result = ground.run(trial, [observer.observe for observer in observers], WATCHED)
    figures = RunFigures(
        site=site.name,
        strategy=planned.strategy,
        variant=planned.variant,
        seed=planned.seed,
        version=version,
        **_curve_figures(result.curve, site),
        **_confusion_figures(confusion),
        **_reward_figures(rewards),
        stop_requests=cut.requests,
        stop_targets=cut.targets,
        seconds=round(result.seconds, 3),
        stopped=result.stopped,
    )
    if planned.variant:  # no figure shows the curve of a variant
        return RunRecord(figures, list_settings(trial.settings), (), ())
    points, groups = thin_curve(tuple(result.curve.rows())), rewards.rank_groups()
    return RunRecord(figures, list_settings(trial.settings), points, tuple(groups[:_TOP_GROUPS]))


def list_settings(settings: Settings) -> dict[str, str]:
    """Return every simple setting by name."""
    row = {}
    for parameter in parameters():
        holder: Any = settings
        for name in parameter.group:
            holder = getattr(holder, name)
        row[parameter.name] = str(getattr(holder, parameter.name))
    return row


def thin_curve(points: Points) -> Points:
    """Return at most 150 points of a curve, evenly spaced, with the first and the last."""
    if len(points) <= _MAX_POINTS:
        return points
    step = (len(points) - 1) / (_MAX_POINTS - 1)
    return tuple(points[round(i * step)] for i in range(_MAX_POINTS))


def _curve_figures(curve: Curve, site: SiteRow) -> dict[str, Any]:
    return {
        "requests": curve.requests,
        "targets": curve.targets,
        "total_targets": site.targets,
        "requests_to_50": curve.requests_to(0.5, site.targets),
        "requests_to_90": curve.requests_to(0.9, site.targets),
        "requests_to_99": curve.requests_to(0.99, site.targets),
        "other_bytes_to_90": curve.other_bytes_to(0.9, site.target_bytes),
        "received_to_90": curve.received_to(0.9, site.targets),
        "area": round(curve.area(site.targets, site.requests), 6),
    }


def _confusion_figures(confusion: Confusion) -> dict[str, Any]:
    return {
        f"{was}_as_{expected}": confusion.counts.get((Kind(was), Kind(expected)), 0)
        for was in ("page", "target", "other")
        for expected in ("page", "target")
    }


def _reward_figures(rewards: Rewards) -> dict[str, Any]:
    groups, pages = [group.mean for group in rewards.rank_groups()], rewards.list_page_rewards()
    return {
        "group_reward_mean": round(statistics.fmean(groups), 4) if groups else 0.0,
        "group_reward_std": round(statistics.pstdev(groups), 4) if groups else 0.0,
        "page_reward_mean": round(statistics.fmean(pages), 4) if pages else 0.0,
        "page_reward_std": round(statistics.pstdev(pages), 4) if pages else 0.0,
    }
