"""The curve of a crawl, targets against requests, and the figures read from it."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush

import numpy as np
from numpy.typing import NDArray

from datahound.events import Event, Fetched, TargetFound
from datahound.model import Kind, Purpose

WATCHED = (Fetched, TargetFound)
"""The events that a curve is made from."""

Points = tuple[tuple[int, int, int, int], ...]
"""Points of a curve: request, targets, target bytes, other bytes."""
_MAX_POINTS = 100
_INVISIBLE = 5e-4
"""A share of an axis that is less than the width of a line in a figure."""

_Floats = NDArray[np.float64]


@dataclass(slots=True)
class Curve:
    """Targets against requests, and target bytes against other bytes, in the course of a crawl."""

    requests: int = 0
    target_bytes: int = 0
    other_bytes: int = 0
    found_at: list[int] = field(default_factory=list)
    """The number of the request that found each target, ascending."""
    sizes: list[int] = field(default_factory=list)
    """The bytes of each target."""
    other_bytes_at: list[int] = field(default_factory=list)
    """The bytes of everything else received before each target."""

    def observe(self, events: Sequence[Event]) -> None:
        """Take in the events of a crawl: an observer for an engine."""
        for event in events:
            if isinstance(event, Fetched):
                self.requests = event.number
                # A HEAD brings headers only, whatever it is a HEAD of.
                if event.kind is not Kind.TARGET or event.fetch.purpose is Purpose.PROBE:
                    self.other_bytes += event.size
            elif isinstance(event, TargetFound):
                self.found_at.append(event.number)
                self.sizes.append(event.size)
                self.other_bytes_at.append(self.other_bytes)
                self.target_bytes += event.size

    @property
    def targets(self) -> int:
        return len(self.found_at)

    def requests_to(self, share: float, total_targets: int) -> int | None:
        """Return the requests made to find a share of all targets; None if it was never found."""
        needed = math.ceil(share * total_targets)
        if not 0 < needed <= self.targets:
            return None
        return self.found_at[needed - 1]

    def other_bytes_to(self, share: float, total_target_bytes: int) -> int | None:
        """Return the non-target bytes received before a share of all target bytes."""
        needed = share * total_target_bytes
        received = 0
        for size, before in zip(self.sizes, self.other_bytes_at, strict=True):
            received += size
            if received >= needed > 0:
                return before
        return None

    def received_to(self, share: float, total_targets: int) -> int | None:
        """Return all bytes received up to the target that completes a share of the targets."""
        needed = math.ceil(share * total_targets)
        if not 0 < needed <= self.targets:
            return None
        return sum(self.sizes[:needed]) + self.other_bytes_at[needed - 1]

    def area(self, total_targets: int, total_requests: int) -> float:
        """Return the area under targets against requests, as a share of the largest possible.

        Both axes end at what an exhaustive crawl has: its requests, its targets. The largest area
        is that of a crawl whose every request finds a target until none is left. Where a budget
        ended the exhaustive crawl, more targets than it found do not count.
        """
        if not total_targets:
            return 0.0
        best = _sum_area(range(1, total_targets + 1), total_requests)
        found = self.found_at[:total_targets]
        return _sum_area(found, total_requests) / best if best else 0.0

    def rows(self) -> Iterator[tuple[int, int, int, int]]:
        """Yield the points of the curve: request, targets, target bytes, other bytes."""
        targets = target_bytes = 0
        for number, size, other in zip(self.found_at, self.sizes, self.other_bytes_at, strict=True):
            targets += 1
            target_bytes += size
            yield number, targets, target_bytes, other
        yield self.requests, targets, target_bytes, self.other_bytes


def thin_curve(points: Points, most: int = _MAX_POINTS) -> Points:
    """Return at most this number of points: both ends, then always the one farthest from the line.

    Far in targets, or in target bytes; points that lie on the line are left out.
    """
    if len(points) <= most:
        return points
    table = np.array(points, dtype=np.float64)
    # Every axis as a share of its end, so that distances on both can be compared.
    table /= np.maximum(table[-1], 1)
    kept = [0, len(points) - 1]
    far = [_find_farthest(table, 0, len(points) - 1)]
    while far and len(kept) < most:
        _, low, index, high = heappop(far)
        kept.append(index)
        for ends in ((low, index), (index, high)):
            found = _find_farthest(table, *ends)
            if -found[0] > _INVISIBLE:
                heappush(far, found)
    return tuple(points[index] for index in sorted(kept))


def read_heights(points: Points, x: int, y: int, at: _Floats) -> _Floats:
    """Return the heights of column y of a curve where column x has these values.

    From one target to the next the curve is a step; where points were left out, a line.
    """
    table = np.array([(0, 0, 0, 0), *points], dtype=np.float64)
    before = np.searchsorted(table[:, x], at, side="right") - 1
    after = np.minimum(before + 1, len(table) - 1)
    # Each target is a point of the whole curve: a step of more than one means that points were
    # thinned out.
    left_out = table[after, 1] - table[before, 1] > 1
    width = np.maximum(table[after, x] - table[before, x], 1)
    share = np.where(left_out, (at - table[before, x]) / width, 0)
    heights: _Floats = table[before, y] + share * (table[after, y] - table[before, y])
    return heights


def _find_farthest(table: _Floats, low: int, high: int) -> tuple[float, int, int, int]:
    """Return the point farthest from the line between two others; negative, the farthest first."""
    part = table[low : high + 1]
    strays = np.maximum(_find_strays(part[:, 0], part[:, 1]), _find_strays(part[:, 3], part[:, 2]))
    index = int(strays.argmax())
    return -float(strays[index]), low, low + index, high


def _find_strays(x: _Floats, y: _Floats) -> _Floats:
    """Return how far points are above or below the line from the first to the last."""
    width = x[-1] - x[0]
    if not width:  # the line is vertical: all points are on it
        return np.zeros_like(y)
    strays: _Floats = np.abs(y - y[0] - (y[-1] - y[0]) * (x - x[0]) / width)
    return strays


def _sum_area(found_at: Sequence[int], total_requests: int) -> float:
    """Sum the targets found so far over all requests."""
    return float(sum(max(total_requests - number + 1, 0) for number in found_at))
