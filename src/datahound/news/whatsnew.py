"""What is new in a crawl folder since a round, and the three files that describe it."""

import json
from collections.abc import Iterable, Mapping
from contextlib import closing
from datetime import UTC, datetime
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import quote

from datahound.errors import UserError
from datahound.files import storage_errors, write_whole
from datahound.news.words import (
    KINDS,
    LABELS,
    describe_left,
    describe_state,
    list_lines,
    name_file,
)
from datahound.report.format import load_templates
from datahound.store import queries
from datahound.store.folder import Folder
from datahound.store.queries import rounds
from datahound.store.writer import Store
from datahound.text import strip_controls
from datahound.web.urls import host_of

# Feed readers fetch all of it every hour.
_FEED_LENGTH = 200
_PAGE_LENGTH = 500
_MAX_LINES = 40
"""Of one file; the JSON has all of them."""


def render_page(found: Mapping[str, Any]) -> str:
    """The page `whatsnew.html`."""
    kinds = [
        {
            "title": title,
            "label": LABELS[kind],
            "count": len(found[kind]),
            "files": [_view_file(file) for file in found[kind][:_PAGE_LENGTH]],
        }
        for kind, title in KINDS.items()
    ]
    view = {
        "host": host_of(found["url"]),
        "day": f"{datetime.fromisoformat(found['at']):%-d %B %Y, %H:%M}",
        "kinds": kinds,
        "nothing": not any(kind["count"] for kind in kinds),
        "stop_rule": describe_left(found["left"]),
        "state": describe_state(found["left"]),
    }
    return (
        load_templates("datahound.report").get_template("whatsnew.html").render({**found, **view})
    )


def _view_file(file: Mapping[str, Any]) -> dict[str, Any]:
    return {
        **file,
        "name": name_file(file),
        "local": quote(file["file"] or ""),
        "local_before": quote(file.get("before") or ""),
        "lines": list(list_lines(file.get("difference") or {}))[:_MAX_LINES],
    }


def render_feed(found: Mapping[str, Any], before: Iterable[str] = ()) -> str:
    """The Atom feed `whatsnew.atom`: the entries of this round, then those that it had before."""
    seed, at = escape(found["url"]), found["at"]
    parts = [
        '<?xml version="1.0" encoding="utf-8"?>',
        '<feed xmlns="http://www.w3.org/2005/Atom">',
        f"<title>New data files of {seed}</title><id>{seed}#whatsnew</id>",
        f'<updated>{at}</updated><link href="{seed}"/><author><name>Datahound</name></author>',
    ]
    files = [(kind, file) for kind in KINDS for file in found[kind]]
    # A single character that XML forbids, such as in a cell, would make the feed unreadable.
    # An entry is one line: see `read_entries`.
    entries = [
        " ".join(strip_controls(_make_entry(kind, file, found)).splitlines())
        for kind, file in files[:_FEED_LENGTH]
    ]
    names = {_name_entry(entry) for entry in entries}
    entries += [entry for entry in before if _name_entry(entry) not in names]
    return "\n".join([*map(strip_controls, parts), *entries[:_FEED_LENGTH]]) + "\n</feed>\n"


def read_entries(path: Path) -> list[str]:
    """The entries of a feed that was written before, one per line."""
    try:
        lines = path.read_text("utf-8").split("\n")
    except (OSError, ValueError):
        return []
    # A reader that comes once a week must not miss six nights out of seven.
    return [line for line in lines if line.startswith("<entry>") and line.endswith("</entry>")]


def _name_entry(entry: str) -> str:
    return entry.partition("<id>")[2].partition("</id>")[0]


def _make_entry(kind: str, file: Mapping[str, Any], found: Mapping[str, Any]) -> str:
    url = escape(file["url"])
    what = {"new": "New", "changed": "Changed", "gone": "Gone"}[kind]
    lines = [line["text"] for line in list_lines(file.get("difference") or {})][:_MAX_LINES]
    summary = escape("; ".join([f"{what} on {file['page'] or found['url']}", *lines]))
    return (
        f"<entry><title>{what}: {escape(name_file(file))}</title>"
        # With the round: a file that changes twice is two entries to a feed reader.
        f"<id>{url}#{kind}-{found['round']}</id><updated>{found['at']}</updated>"
        f'<link href="{url}"/><summary>{summary}</summary></entry>'
    )


NAME, FEED = "whatsnew.json", "whatsnew.atom"


def publish_whatsnew(
    folder: Path, since: int | None = None, keep_versions: int | None = None
) -> dict[str, Any]:
    """Find what is new, write the three files about it, then remove versions beyond those kept."""
    found = read_whatsnew(folder, since)
    compare_changed(folder, found)
    write_whatsnew(folder, found)
    if keep_versions is not None:
        place = Folder(folder)
        # Only after the three files are written: the old versions are what they were compared with.
        with place.claimed(), closing(Store(place.database)) as store:
            store.prune_versions(place.files, keep_versions)
    return found


def read_whatsnew(folder: Path, since: int | None = None) -> dict[str, Any]:
    """The new, changed and gone files since the round that was last written about, or `since`."""
    with queries.open_folder(folder) as connection:
        number = queries.read_fact(connection, "round") or 0
        plans = queries.read_fact(connection, "rounds") or []
        left = queries.read_fact(connection, "left") or {}
        seed = (queries.read_fact(connection, "identity") or {}).get("URL", "")
        after = _choose_since(folder, number) if since is None else since
        changes = rounds.read_changes(connection, after) if number else {k: [] for k in KINDS}
    # What is left is noted when a round ends.
    is_over = left.get("round") == number
    at = plans[-1]["now"] if plans else 0.0
    head = {"folder": str(folder), "url": seed, "round": number, "since": after}
    times = {"at": datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"), "over": is_over}
    return {**head, **times, **changes, "schema": [], "left": left if is_over else None}


def choose_versions(given: int | str | None, setting: int | None) -> int | None:
    """How many versions of a file are kept beside the current one; None for all."""
    if given is None:
        return setting
    text = str(given)
    if text == "all":
        return None
    if text.isascii() and text.isdigit() and len(text) < 10:
        return int(text)
    raise UserError(f"--versions: {given!r} is neither a whole number nor all")


def check_since(folders: Iterable[Path], since: int) -> None:
    """Refuse a round that has not begun, before anything is requested."""
    for folder in folders:
        with queries.open_folder(folder) as connection:
            number = queries.read_fact(connection, "round") or 0
        if since > number:
            raise UserError(f"--since: the last round of {folder} is {number}")


def read_written(folder: Path) -> dict[str, Any] | None:
    """What was last written about a folder; None if nothing was, or it can't be read."""
    try:
        found = json.loads((folder / NAME).read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) and isinstance(found.get("round"), int) else None


def compare_changed(folder: Path, found: dict[str, Any]) -> None:
    """Add to each changed file the difference of its tables, and list those with other columns."""
    # With polars, which no crawl needs before its end.
    from datahound.catalog.compare import FilePair, compare_files  # noqa: PLC0415

    changed = [file for file in found["changed"] if file["before"] and file["file"]]
    pairs = [
        FilePair(folder / file["before"], folder / file["file"], Path(file["file"]).name)
        for file in changed
    ]
    for number, difference in compare_files(pairs, folder) if pairs else ():
        changed[number]["difference"] = difference
    found["schema"] = [
        {
            "url": file["url"],
            "title": file["title"],
            "table": table["table"],
            "added": table["columns_added"],
            "lost": table["columns_lost"],
            "types": table["types_changed"],
        }
        for file in changed
        for table in file.get("difference", {}).get("tables", ())
        if table["changes_schema"]
    ]


def write_whatsnew(folder: Path, found: Mapping[str, Any]) -> None:
    """Write `whatsnew.html`, `whatsnew.atom` and `whatsnew.json` into the folder."""
    # The JSON last: it says which rounds were written about.
    texts = {
        "whatsnew.html": render_page(found),
        FEED: render_feed(found, read_entries(folder / FEED)),
        NAME: json.dumps(found, indent=1, ensure_ascii=False) + "\n",
    }
    for name, text in texts.items():
        path = folder / name
        with write_whole(path) as draft, storage_errors(path):
            draft.write_text(text, encoding="utf-8", errors="replace")


def _choose_since(folder: Path, number: int) -> int:
    """The round before the last one, or an earlier one if a crash kept its news from a user."""
    written = read_written(folder)
    before = max(0, number - 1)
    return before if written is None else max(0, min(before, written["round"]))
