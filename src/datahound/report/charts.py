"""Charts as plain numbers for templates to draw as SVG: the dashboard's and the report's."""

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Any

WIDTH, HEIGHT, LOW_HEIGHT = 720, 300, 200
LEFT, RIGHT, TOP, BOTTOM = 52, 16, 12, 34
# About one point for every three pixels.
_STEPS = 240
_WIDE_WIDTH, _WIDE_HEIGHT, _WIDE_STEPS = 1000, 200, 300
_SPARK_STEPS = 50
# Narrower columns could not be distinguished.
_MOST_YEARS = 40


def draw_report_curve(
    found_at: Sequence[int], requests: int, bfs_found_at: Sequence[int] | None = None
) -> dict[str, Any]:
    """The report's curve of targets against requests, beside breadth-first order if known."""
    wide = max([requests, *(bfs_found_at[-1:] if bfs_found_at else ())])
    across, up = _choose_ticks(max(wide, 1)), _choose_ticks(max(len(found_at), 1))
    right, top = max(wide, 1), _choose_height(len(found_at))

    def at(x: float, y: float) -> str:
        return f"{_x(x / right)} {_y(y / top)}"

    points = _thin(found_at, requests, requests, _STEPS)
    line = "M" + "L".join(at(x, y) for x, y in points)
    bfs = _thin(bfs_found_at, wide, bfs_found_at[-1], _STEPS) if bfs_found_at else []
    return {
        "line": line,
        "area": f"{line}L{at(points[-1][0], 0)}L{at(0, 0)}Z",
        "bfs": "M" + "L".join(at(x, y) for x, y in bfs) if bfs else "",
        "across": [{"at": _x(value / right), "label": f"{value:,}"} for value in across if value],
        "up": [{"at": _y(value / top), "label": f"{value:,}"} for value in up],
        "width": WIDTH,
        "height": HEIGHT,
        "left": LEFT,
        "right": WIDTH - RIGHT,
        "base": HEIGHT - BOTTOM,
    }


def draw_curve(numbers: Sequence[int], requests: int) -> dict[str, Any]:
    """The dashboard's curve of targets against requests, in 300 steps."""
    top = _round_up(max(len(numbers), 1))
    wide = max(requests, 1)
    points = _thin(numbers, wide, wide, _WIDE_STEPS)
    at = [
        (round(x * _WIDE_WIDTH / wide, 1), round(_WIDE_HEIGHT * (1 - y / top), 1))
        for x, y in points
    ]
    line = "M" + "L".join(f"{x} {y}" for x, y in at)
    return {
        "points": points,
        "line": line,
        "area": f"{line}L{at[-1][0]} {_WIDE_HEIGHT}L0 {_WIDE_HEIGHT}Z",
        "across": [
            {"percent": round(100 * x / wide, 2), "label": f"{x:,}", "place": place}
            for x, place in ((0, "start"), (requests // 2, "middle"), (requests, "end"))
            if x or place == "start"
        ],
        "up": [
            {"y": round(_WIDE_HEIGHT * (1 - value / top), 1), "label": f"{value:,}"}
            for value in _split_evenly(top)
        ],
        "requests": requests,
        "targets": len(numbers),
    }


def draw_sparkline(numbers: Sequence[int], requests: int) -> str:
    """A small curve of targets against requests: a path in a box of 100 by 24."""
    top, wide = max(len(numbers), 1), max(requests, 1)
    points = _thin(numbers, wide, wide, _SPARK_STEPS)
    return "M" + "L".join(f"{100 * x / wide:.1f} {23 - 22 * y / top:.1f}" for x, y in points)


def scale_bars(counts: Sequence[tuple[Any, float]]) -> list[dict[str, Any]]:
    """Rows with the share of the largest, in percent."""
    most = max((value for _, value in counts), default=0) or 1
    return [
        {"label": label, "value": value, "percent": round(100 * value / most, 2)}
        for label, value in counts
    ]


def draw_columns(counts: Mapping[int, int]) -> dict[str, Any] | None:
    """A column per year; older files than the first year shown are counted. None for no year."""
    if not counts:
        return None
    last = max(counts)
    first = max(min(counts), last - _MOST_YEARS + 1)
    years = list(range(first, last + 1))
    highest = max(counts.get(year, 0) for year in years)
    top, every = _choose_height(highest), math.ceil(len(years) / 12)
    step = (WIDTH - LEFT - RIGHT) / len(years)
    columns = [
        {
            **_draw_column(LEFT + place * step, step, counts.get(year, 0) / top),
            "year": year,
            "count": counts.get(year, 0),
            "label": str(year) if (last - year) % every == 0 else "",
        }
        for place, year in enumerate(years)
    ]
    return {
        "columns": columns,
        "up": [{"at": _y(n / top, LOW_HEIGHT), "label": f"{n:,}"} for n in _choose_ticks(highest)],
        "older": sum(count for year, count in counts.items() if year < first),
        "first": first,
        "width": WIDTH,
        "height": LOW_HEIGHT,
        "left": LEFT,
        "right": WIDTH - RIGHT,
        "base": LOW_HEIGHT - BOTTOM,
    }


def _draw_column(left: float, step: float, share: float) -> dict[str, float]:
    """The box of a column in its step; its height is a share of the highest."""
    # Columns take 76 % of their step, so 12 % are left on either side.
    x, wide, y = left + 0.12 * step, min(step * 0.76, 48), _y(share, LOW_HEIGHT)
    return {
        "x": round(x, 1),
        "y": y,
        "width": round(wide, 1),
        "height": round(LOW_HEIGHT - BOTTOM - y, 1),
        "middle": round(x + wide / 2, 1),
    }


def rank_bars(
    counts: Mapping[str, int], sizes: Mapping[str, int], most: int
) -> tuple[list[dict[str, Any]], dict[str, int] | None]:
    """The largest counts as bars with their lengths in percent, and the sum of the others."""
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    # A row for "1 other" would take as much room as the one that it hides.
    if len(ranked) == most + 1:
        most += 1
    longest = ranked[0][1] if ranked else 1
    rows = [
        {
            "label": label,
            "count": count,
            "bytes": sizes.get(label, 0),
            "percent": round(100 * count / max(longest, 1), 1),
        }
        for label, count in ranked[:most]
    ]
    rest = ranked[most:]
    if not rest:
        return rows, None
    return rows, {
        "kinds": len(rest),
        "count": sum(count for _, count in rest),
        "bytes": sum(sizes.get(label, 0) for label, _ in rest),
    }


def split_shares(parts: Sequence[tuple[str, int]]) -> list[dict[str, Any]]:
    """Parts of a whole, with their widths in percent."""
    total = sum(count for _, count in parts) or 1
    return [
        {"what": what, "count": count, "percent": round(100 * count / total, 2)}
        for what, count in parts
        if count
    ]


def draw_outlook(found: int, likely: int, high: int) -> dict[str, float]:
    """The widths of a bar in percent: found, probably left, and left at most."""
    total = max(found + max(likely, high), 1)
    return {
        "found": round(100 * found / total, 2),
        "likely": round(100 * likely / total, 2),
        "high": round(100 * max(0, high - likely) / total, 2),
    }


def _thin(found_at: Sequence[int], wide: int, end: int, steps: int) -> list[tuple[int, int]]:
    """Numbers of targets after evenly spaced numbers of requests, and at the end."""
    spaced = {round(wide * step / steps) for step in range(steps + 1)}
    at = sorted(x for x in spaced | {end} if x <= end)
    return [(x, bisect_right(found_at, x)) for x in at]


def _choose_ticks(top: int) -> list[int]:
    """A few round numbers from 0 to the top."""
    # Four or five ticks.
    rough = max(top, 1) / 4
    power = 10 ** math.floor(math.log10(rough))
    step = next(max(1, round(s * power)) for s in (1, 2, 2.5, 5, 10) if s * power >= rough)
    return list(range(0, top + 1, step))


def _choose_height(top: int) -> float:
    """The height of a chart: a little more than its highest value."""
    return max(top, 1) * 1.04


def _x(share: float) -> float:
    return round(LEFT + share * (WIDTH - LEFT - RIGHT), 1)


def _y(share: float, height: int = HEIGHT) -> float:
    return round(TOP + (1 - share) * (height - TOP - BOTTOM), 1)


def _round_up(value: int) -> int:
    """The next number that is easy to read: one or two figures and zeros."""
    power = 10 ** math.floor(math.log10(value))
    steps = (1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)
    # 0.999: 1.5 and 2.5 times 1 are not whole.
    return next(int(step * power + 0.999) for step in steps if step * power >= value)


def _split_evenly(top: int) -> list[int]:
    """The ticks of an axis up to a number of `_round_up`."""
    count = next((n for n in (4, 3, 5, 2) if top % n == 0), 1)
    return [top * step // count for step in range(1, count + 1)]
