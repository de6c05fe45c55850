"""Charts as plain numbers: where lines and labels go, for a template to draw as SVG."""

import math
from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

WIDTH, HEIGHT = 1000, 200
_STEPS = 300
_LABELS = 4


def curve(numbers: Sequence[int], requests: int) -> dict[str, Any]:
    """Targets against requests, from the request at which each target was found.

    However many there are, a few hundred points are drawn.
    """
    top = _round_up(max(len(numbers), 1))
    points = _thinned(numbers, requests)
    wide = max(requests, 1)
    at = [(round(x * WIDTH / wide, 1), round(HEIGHT * (1 - y / top), 1)) for x, y in points]
    line = "M" + "L".join(f"{x} {y}" for x, y in at)
    return {
        "points": points,
        "line": line,
        "area": f"{line}L{at[-1][0]} {HEIGHT}L0 {HEIGHT}Z",
        "across": [
            {"percent": round(100 * x / wide, 2), "label": f"{x:,}", "place": place}
            for x, place in ((0, "start"), (requests // 2, "middle"), (requests, "end"))
            if x or place == "start"
        ],
        "up": [
            {"y": round(HEIGHT * (1 - value / top), 1), "label": f"{value:,}"}
            for value in _ticks(top)
        ],
        "requests": requests,
        "targets": len(numbers),
    }


def sparkline(numbers: Sequence[int], requests: int) -> str:
    """The same in a nutshell: a path in a box of 100 by 24."""
    top, wide = max(len(numbers), 1), max(requests, 1)
    points = _thinned(numbers, requests, 50)
    return "M" + "L".join(f"{100 * x / wide:.1f} {23 - 22 * y / top:.1f}" for x, y in points)


def bars(counts: Sequence[tuple[Any, float]]) -> list[dict[str, Any]]:
    """Rows with the share of the largest, in percent."""
    most = max((value for _, value in counts), default=0) or 1
    return [
        {"label": label, "value": value, "percent": round(100 * value / most, 2)}
        for label, value in counts
    ]


def _thinned(numbers: Sequence[int], requests: int, steps: int = _STEPS) -> list[tuple[int, int]]:
    """How many targets there were after evenly spaced numbers of requests."""
    last = max(requests, 1)
    at = sorted({round(last * step / steps) for step in range(steps + 1)})
    return [(x, bisect_right(numbers, x)) for x in at]


def _round_up(value: int) -> int:
    """The next number that is easy to read: 1, 2, 2.5 or 5 and noughts."""
    power = 10 ** math.floor(math.log10(value))
    steps = (1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)
    return next(int(step * power + 0.999) for step in steps if step * power >= value)


def _ticks(top: int) -> list[int]:
    count = next((n for n in (4, 3, 5, 2) if top % n == 0), 1)
    return [top * step // count for step in range(1, count + 1)]
