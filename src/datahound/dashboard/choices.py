"""Why a link was chosen, as it was written down when it happened."""

import json
import math
import sqlite3
from collections.abc import Callable
from typing import Any

_CHOICE = "id, number, at, link, url, action, score, bonus, basis, runners_up"
_LATEST = f"SELECT {_CHOICE} FROM choice ORDER BY id DESC LIMIT 1"
_OF_LINK = f"SELECT {_CHOICE} FROM choice WHERE link = ? ORDER BY id DESC LIMIT 1"
_TAG_PATH = "SELECT tag_path FROM action WHERE number = ?"
_THERE = "SELECT 1 FROM sqlite_master WHERE name = 'choice'"


def are_kept(connection: sqlite3.Connection) -> bool:
    """Whether choices were written down: older folders have none."""
    return connection.execute(_THERE).fetchone() is not None


def latest_choice(connection: sqlite3.Connection) -> dict[str, Any] | None:
    """The newest one."""
    if not are_kept(connection):
        return None
    row = connection.execute(_LATEST).fetchone()
    return _choice(connection, row) if row else None


def choice_of(connection: sqlite3.Connection, link: int) -> dict[str, Any] | None:
    """The one that took a link."""
    if not are_kept(connection):
        return None
    row = connection.execute(_OF_LINK, (link,)).fetchone()
    return _choice(connection, row) if row else None


def tag_path_of(connection: sqlite3.Connection, action: int | None) -> str:
    found = connection.execute(_TAG_PATH, (action,)).fetchone()
    return str(found[0]) if found else ""


def _choice(connection: sqlite3.Connection, row: tuple[Any, ...]) -> dict[str, Any]:
    _, number, at, link, url, action, score, bonus, basis, others = row
    untried = score is not None and math.isinf(score)
    parted = score is not None and bonus is not None and not untried
    return {
        "number": number,
        "at": at,
        "link": link,
        "url": url,
        "group": action,
        "tag_path": tag_path_of(connection, action),
        "score": None if untried else score,
        "bonus": None if untried else bonus,
        "mean": score - bonus if parted else None,
        "untried": untried,
        "basis": basis,
        "beaten": [
            {"group": other, "score": theirs, "tag_path": tag_path_of(connection, other)}
            for other, theirs in json.loads(others or "[]")
        ],
    }


def with_bars(choice: dict[str, Any] | None) -> dict[str, Any] | None:
    """The choice with the lengths of its bars, in percent of the longest.

    The bar of what was expected ends where that of the bonus begins; of a bonus below 0, the bar is
    what the score lacks.
    """
    if choice is None or choice["score"] is None:
        return choice
    score = max(0.0, choice["score"])
    mean = score if choice["mean"] is None else max(0.0, choice["mean"])
    most = max(score, mean, *(other["score"] or 0.0 for other in choice["beaten"])) or 1.0
    choice["mean_percent"] = round(100 * min(score, mean) / most, 2)
    choice["bonus_percent"] = round(100 * abs(score - mean) / most, 2)
    for other in choice["beaten"]:
        other["percent"] = round(100 * (other["score"] or 0.0) / most, 2)
    return choice


def with_places(
    choice: dict[str, Any] | None, leads_to: Callable[[int | None], str]
) -> dict[str, Any] | None:
    """The choice with where the links of its group lead to, and those of the groups it beat."""
    if choice is not None:
        for one in (choice, *choice["beaten"]):
            one["place"] = leads_to(one["group"])
    return choice
