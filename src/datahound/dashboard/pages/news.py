"""What is new since a round: the files of `crawl.db`, and the differences of `whatsnew.json`."""

from collections.abc import Mapping
from typing import Any

from datahound.dashboard.request import PageRequest
from datahound.news.whatsnew import read_written
from datahound.news.words import KINDS, describe_left, list_lines, name_file
from datahound.store import queries
from datahound.store.queries import rounds

_SHOWN = 200
"""Files of a kind that the page shows; `whatsnew.json` has all."""
_LINES = 20


def show_news(request: PageRequest) -> dict[str, Any]:
    """The rounds of a crawl, and the files that are new, changed and gone since one of them."""
    crawl = request.crawl
    written = read_written(crawl.folder.path) or {}
    with crawl.open_database() as connection:
        status = crawl.read_status(connection)
        listed = rounds.list_rounds(connection)
        last = listed[0].round if listed else 0
        since = _choose_since(request.number("since"), written, last)
        changes = rounds.read_changes(connection, since) if last else {}
        left = queries.read_fact(connection, "left") or {}
    differences = _find_differences(written) if written.get("round") == last else {}
    return {
        **status,
        "round": last,
        "since": since,
        "rounds": [row._asdict() for row in listed],
        "left": describe_left(left) if left.get("round") == last else "",
        "kinds": [
            {
                "kind": kind,
                "title": title,
                "count": len(changes.get(kind, ())),
                "files": [_view(file, differences) for file in changes.get(kind, ())[:_SHOWN]],
            }
            for kind, title in KINDS.items()
        ],
    }


def _choose_since(given: int | None, written: Mapping[str, Any], last: int) -> int:
    # By default, since the same round as `whatsnew.json`.
    since = written.get("since")
    if given is None and isinstance(since, int) and written.get("round") == last:
        given = since
    return max(0, last - 1) if given is None else min(given, last)


def _find_differences(written: Mapping[str, Any]) -> dict[tuple[str, str], Any]:
    """The differences in `whatsnew.json`, by URL and by the earlier version of the file."""
    found = {}
    changed = written.get("changed")
    for file in changed if isinstance(changed, list) else ():
        # Checked, since a user may have edited the JSON.
        if isinstance(file, dict) and _is_difference(file.get("difference")):
            found[str(file.get("url")), str(file.get("before"))] = file["difference"]
    return found


def _is_difference(value: object) -> bool:
    """Whether a value has the form of the differences that a refresh writes."""
    tables = value.get("tables") if isinstance(value, dict) else None
    return isinstance(tables, list) and all(
        isinstance(table, dict)
        and isinstance(lines := table.get("lines"), list)
        and all(isinstance(line, str) for line in lines)
        for table in tables
    )


def _view(file: Mapping[str, Any], differences: Mapping[tuple[str, str], Any]) -> dict[str, Any]:
    difference = differences.get((file["url"], str(file.get("before"))), {})
    return {**file, "name": name_file(file), "lines": list(list_lines(difference))[:_LINES]}
