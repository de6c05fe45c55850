"""Several runs as one figure: mean and spread, and how many got there."""

import math
import statistics
from collections.abc import Iterable
from dataclasses import dataclass

NEVER = "+∞"
ABSENT = "–"


@dataclass(frozen=True, slots=True)
class Summary:
    """The mean of the runs that got there, their standard deviation, and how many did."""

    mean: float | None
    std: float | None
    reached: int
    runs: int

    @property
    def always(self) -> bool:
        """Whether there were runs, and every one got there."""
        return self.runs > 0 and self.reached == self.runs

    def text(self, digits: int = 1) -> str:
        """As people read it: `34.1 ± 1.2`, `+∞` where no run got there, `–` without runs."""
        if not self.runs:
            return ABSENT
        if self.mean is None:
            return NEVER
        spread = "" if self.std is None else f" ± {self.std:.{digits}f}"
        missed = "" if self.always else f" ({self.reached}/{self.runs})"
        return f"{self.mean:.{digits}f}{spread}{missed}"


def summarize(values: Iterable[float | None]) -> Summary:
    """One figure of several runs, where None is a run that never got there."""
    given = list(values)
    reached = [value for value in given if value is not None and math.isfinite(value)]
    return Summary(
        statistics.fmean(reached) if reached else None,
        statistics.stdev(reached) if len(reached) > 1 else None,
        len(reached),
        len(given),
    )


def best(summaries: Iterable[Summary], digits: int = 1) -> set[int]:
    """Which have the lowest mean, as far as it is shown, among those that always got there."""
    means = {
        place: round(summary.mean, digits)
        for place, summary in enumerate(summaries)
        if summary.always and summary.mean is not None
    }
    lowest = min(means.values(), default=None)
    return {place for place, mean in means.items() if mean == lowest}
