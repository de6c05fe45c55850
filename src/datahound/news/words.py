"""What is new in words: a line per kind, and what going on would cost."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from datahound.text import show_text
from datahound.units import show_count

KINDS = {"new": "New files", "changed": "Changed files", "gone": "Files that are gone"}
LABELS = {"new": "new files", "changed": "changed files", "gone": "files gone"}
REDESIGNED = "the site seems to have been redesigned: most of its pages are gone or have new links"
_ALL_OF_IT = "; refresh without a limit to crawl all of it"
_SILENT = (
    "nothing that was there before was there in this round: the site may be down, "
    "so nothing counts as gone"
)
_SAME_PAGE = (
    "the site answered every address with the same page, as in maintenance, "
    "so nothing counts as gone"
)
_NAMED = 3
_NAME_LENGTH, _LEAST_TITLE = 80, 6
_ABOUT_COLUMNS = re.compile(r"\d columns? (?:added|lost|with)|^the table in ")
_MOST_LINES = 12
"""Of differences, where a command ends; the page has more."""


def describe_whatsnew(found: Mapping[str, Any]) -> list[str]:
    """A line per kind, the differences of tables, and what the rest would bring."""
    lines = []
    for kind, title in KINDS.items():
        files = found[kind]
        names = ", ".join(name_file(file) for file in files[:_NAMED])
        more = ", ..." if len(files) > _NAMED else ""
        lines.append(f"{title.lower()}: {len(files):,}" + (f" ({names}{more})" if files else ""))
    if found["schema"]:
        lines.append(f"files with other columns: {len(found['schema']):,}")
    differences = list(_list_differences(found["changed"]))
    lines += differences[:_MOST_LINES]
    if len(differences) > _MOST_LINES:
        lines.append(f"and {len(differences) - _MOST_LINES:,} more lines in whatsnew.html")
    if state := describe_state(found["left"]):
        lines.append(state)
    if left := describe_left(found["left"]):
        lines.append(left)
    if found["round"] and not found["over"]:
        lines.append("the round has not ended: the same command goes on with it")
    return lines


def _list_differences(changed: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for file in changed:
        for line in list_lines(file.get("difference") or {}):
            yield f"{name_file(file)}: {line['text']}"


def list_lines(difference: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The lines on one file, and whether each is about its columns."""
    tables = [table for table in difference.get("tables", ()) if isinstance(table, dict)]
    for table in tables:
        named = f"{table.get('table', '')}: " if len(tables) > 1 and table.get("table") else ""
        for line in table.get("lines", ()):
            about = bool(table.get("changes_schema")) and _ABOUT_COLUMNS.search(line) is not None
            yield {"text": named + line, "schema": about}
    if error := difference.get("error"):
        yield {"text": error, "schema": False}


def describe_state(left: Mapping[str, Any] | None) -> str:
    """Whether the site is another one than before, or was not there at all; '' if neither."""
    if not left:
        return ""
    if left.get("same_page"):
        return _SAME_PAGE
    if left.get("silent"):
        return _SILENT
    if not left.get("redesigned"):
        return ""
    return REDESIGNED + (_ALL_OF_IT if left.get("limited", True) else "")


def describe_left(left: Mapping[str, Any] | None) -> str:
    """The stop rule: what more requests would bring; '' if nothing is left to ask for."""
    if not left or not left["requests"]:
        return ""
    files = show_count(round(left["expected"]), "more new or changed file")
    span = f"{left['low']:,} to {left['high']:,}"
    return f"about {files} ({span}) would cost {show_count(left['requests'], 'request')}"


def name_file(file: Mapping[str, Any]) -> str:
    """What a file is called: the text of its link, or its name where that says little."""
    title = show_text(file["title"] or "", _NAME_LENGTH)
    # `CSV`, `here` and such are the text of many links on one page.
    if len(title) >= _LEAST_TITLE:
        return title
    return show_text(file["url"].rpartition("/")[2] or title or file["url"], _NAME_LENGTH)


def sum_up(changes: Sequence[Mapping[str, Any]]) -> str:
    """One line on several folders."""
    counts = [f"{sum(len(one[kind]) for one in changes):,} {kind}" for kind in KINDS]
    return f"{len(changes):,} folders: {', '.join(counts)}"
