"""When a crawl ends before it has seen everything."""

from dataclasses import asdict, dataclass
from typing import Any

from datahound.events import Stop
from datahound.settings import CrawlSettings, EarlyStopSettings


@dataclass(slots=True)
class Tally:
    """What a crawl has cost and brought so far."""

    requests: int = 0
    gets: int = 0
    bytes: int = 0
    targets: int = 0
    visits: int = 0

    def overspent(self, settings: CrawlSettings, in_flight: int = 0) -> Stop | None:
        """Which budget is spent, if one is; what is in flight may cost a request each."""
        if settings.max_requests is not None and self.requests + in_flight >= settings.max_requests:
            return Stop.SPENT_REQUESTS
        if settings.max_bytes is not None and self.bytes >= settings.max_bytes:
            return Stop.SPENT_BYTES
        return None

    def snapshot(self) -> dict[str, Any]:
        return asdict(self)


class EarlyStop:
    """Says when targets have become too rare for too long."""

    def __init__(self, settings: EarlyStopSettings) -> None:
        self._settings = settings
        self._windows = 0
        self._targets_then = 0
        self._slope: float | None = None
        self._barren_slopes = 0

    def observe(self, gets: int, targets: int) -> None:
        """Update the numbers of GETs made and targets found."""
        # One answer may cost several GETs, with its retries: more than one window can end here.
        while gets >= (self._windows + 1) * self._settings.window:
            self._windows += 1
            self._add_slope((targets - self._targets_then) / self._settings.window)
            self._targets_then = targets

    @property
    def barren(self) -> bool:
        """Whether it is time to stop."""
        return self._barren_slopes >= self._settings.patience

    @property
    def nearness(self) -> float:
        """The share of the patience that is used up; the crawl ends at 1."""
        return min(1.0, self._barren_slopes / self._settings.patience)

    def snapshot(self) -> list[Any]:
        return [self._windows, self._targets_then, self._slope, self._barren_slopes]

    def restore(self, state: list[Any]) -> None:
        self._windows, self._targets_then, self._slope, self._barren_slopes = state

    def _add_slope(self, slope: float) -> None:
        s = self._settings
        self._slope = (
            slope if self._slope is None else s.decay * slope + (1 - s.decay) * self._slope
        )
        self._barren_slopes = self._barren_slopes + 1 if self._slope < s.min_slope else 0
