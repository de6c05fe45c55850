"""Why a link was chosen, from the evidence that the crawl stored."""

import json
import sqlite3
from typing import Any

from datahound.dashboard.explain_text import explain_evidence
from datahound.events import Evidence, Experience, Ground, Level
from datahound.report.phrases import name_group
from datahound.store import queries
from datahound.store.queries import ChoiceRow


def show_latest_choice(connection: sqlite3.Connection, seed: str) -> dict[str, Any] | None:
    """The newest choice, as the pages show it."""
    row = queries.latest_choice(connection)
    return _describe_choice(connection, seed, row) if row else None


def show_choice_of(connection: sqlite3.Connection, seed: str, link: int) -> dict[str, Any] | None:
    """The choice that took a link."""
    row = queries.find_choice(connection, link)
    return _describe_choice(connection, seed, row) if row else None


def _describe_choice(connection: sqlite3.Connection, seed: str, row: ChoiceRow) -> dict[str, Any]:
    number, at, link, url, group, score, expected, stored = row
    plain = json.loads(stored)
    why = _parse_evidence(score, expected, plain)
    chosen = name_group(connection, seed, group)
    beaten = [
        (other, theirs, name_group(connection, seed, other)) for other, theirs in why.runners_up
    ]
    return {
        "number": number,
        "at": at,
        "link": link,
        "url": url,
        "group": group,
        "tag_path": chosen.tag_path,
        "place": chosen.place,
        "score": why.score,
        "mean": why.expected,
        # What uncertainty adds to the mean of a bandit.
        "bonus": None if score is None or expected is None else score - expected,
        "grounds": [ground.value for ground in why.grounds],
        "evidence": plain,
        # Older versions stored a sentence instead of evidence.
        "basis": plain.get("note") or explain_evidence(why),
        "beaten": [
            {"group": other, "score": theirs, "tag_path": name.tag_path, "place": name.place}
            for other, theirs, name in beaten
        ],
    }


def _parse_evidence(score: float | None, expected: float | None, plain: dict[str, Any]) -> Evidence:
    experience = plain.get("experience", [])
    return Evidence(
        score,
        expected,
        tuple(Experience(Level(level), *figures) for level, *figures in experience),
        plain.get("chance"),
        plain.get("site_rate"),
        tuple(Ground(ground) for ground in plain["grounds"]),
        tuple((group, theirs) for group, theirs in plain["runners_up"]),
    )


def add_bars(choice: dict[str, Any] | None) -> dict[str, Any] | None:
    """Add the lengths of a choice's bars, in percent of the longest.

    The bar of the expected targets ends where the bar of the bonus begins. A negative bonus is
    drawn as the difference between the expected targets and the score.
    """
    if choice is None or choice["score"] is None:
        return choice
    score = max(0.0, choice["score"])
    mean = score if choice["mean"] is None else max(0.0, choice["mean"])
    # 1.0 if all are 0, so that nothing is divided by 0.
    most = max(score, mean, *(other["score"] or 0.0 for other in choice["beaten"])) or 1.0
    choice["mean_percent"] = round(100 * min(score, mean) / most, 2)
    choice["bonus_percent"] = round(100 * abs(score - mean) / most, 2)
    for other in choice["beaten"]:
        other["percent"] = round(100 * (other["score"] or 0.0) / most, 2)
    return choice
