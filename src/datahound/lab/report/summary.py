"""Summarize several runs in one figure: mean, spread, and how many reached it."""

import math
import statistics
from collections.abc import Iterable
from dataclasses import dataclass

NEVER = "+∞"
ABSENT = "–"


@dataclass(frozen=True, slots=True)
class MeanOverRuns:
    """Mean and standard deviation of the runs that reached a figure, and how many did."""

    mean: float | None
    std: float | None
    reached: int
    runs: int

    @property
    def always(self) -> bool:
        """Whether there are runs, and every one reached it."""
        return self.runs > 0 and self.reached == self.runs

    def show(self, digits: int = 1) -> str:
        """Format as `34.1 ± 1.2`; `+∞` where no run reached it, `–` without runs."""
        if not self.runs:
            return ABSENT
        if self.mean is None:
            return NEVER
        spread = "" if self.std is None else f" ± {self.std:.{digits}f}"
        missed = "" if self.always else f" ({self.reached}/{self.runs})"
        return f"{self.mean:.{digits}f}{spread}{missed}"


def summarize_runs(values: Iterable[float | None]) -> MeanOverRuns:
    """Summarize one figure of several runs; None is a run that never reached it."""
    given = list(values)
    reached = [value for value in given if value is not None and math.isfinite(value)]
    return MeanOverRuns(
        statistics.fmean(reached) if reached else None,
        # Of a sample: runs with other seeds would differ as well.
        statistics.stdev(reached) if len(reached) > 1 else None,
        len(reached),
        len(given),
    )


def find_lowest(summaries: Iterable[MeanOverRuns], digits: int = 1) -> set[int]:
    """Return the indices with the lowest mean, as shown, among those that all runs reached."""
    means = {
        place: round(summary.mean, digits)
        for place, summary in enumerate(summaries)
        if summary.always and summary.mean is not None
    }
    lowest = min(means.values(), default=None)
    return {place for place, mean in means.items() if mean == lowest}
