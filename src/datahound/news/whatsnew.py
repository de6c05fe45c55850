"""What is new in a crawl folder since a round: a page, JSON and an Atom feed."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import quote

from datahound.files import storage_errors, write_whole
from datahound.store import queries
from datahound.store.queries import rounds
from datahound.text import show_text
from datahound.units import show_size

_KINDS = {"new": "New files", "changed": "Changed files", "gone": "Files that are gone"}
_FEED_LENGTH = 200
_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}"
    "h1,li{overflow-wrap:anywhere}li{margin:.4rem 0}small{color:#555}"
    "@media(prefers-color-scheme:dark){body{background:#111;color:#eee}small{color:#aaa}"
    "a{color:#8cf}}"
)


def read_whatsnew(folder: Path, since: int | None = None) -> dict[str, Any]:
    """The new, changed and gone files of the last round, or of all rounds after `since`."""
    with queries.open_folder(folder) as connection:
        number = queries.read_fact(connection, "round") or 0
        plans = queries.read_fact(connection, "rounds") or []
        left = queries.read_fact(connection, "left")
        seed = (queries.read_fact(connection, "identity") or {}).get("URL", "")
        after = number - 1 if since is None else since
        changes = rounds.read_changes(connection, after) if number else {k: [] for k in _KINDS}
    at = plans[-1]["now"] if plans else 0.0
    head = {"folder": str(folder), "url": seed, "round": number, "since": after}
    times = {"at": datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")}
    return {**head, **times, **changes, "schema": [], "left": left}


def write_whatsnew(folder: Path, found: Mapping[str, Any]) -> None:
    """Write `whatsnew.json`, `whatsnew.html` and `whatsnew.atom` into the folder."""
    texts = {
        "whatsnew.json": json.dumps(found, indent=1, ensure_ascii=False) + "\n",
        "whatsnew.html": _make_page(found),
        "whatsnew.atom": _make_feed(found),
    }
    for name, text in texts.items():
        path = folder / name
        with write_whole(path) as draft, storage_errors(path):
            draft.write_text(text, encoding="utf-8", errors="replace")


def describe_whatsnew(found: Mapping[str, Any]) -> list[str]:
    """A line per kind, and what the rest would bring."""
    lines = []
    for kind, title in _KINDS.items():
        files = found[kind]
        names = ", ".join(_title(file) for file in files[:3])
        more = ", ..." if len(files) > 3 else ""
        lines.append(f"{title.lower()}: {len(files):,}" + (f" ({names}{more})" if files else ""))
    left = found["left"]
    if left and left["requests"]:
        lines.append(
            f"about {left['expected']:g} more new or changed files ({left['low']} to "
            f"{left['high']}) would cost {left['requests']:,} requests"
        )
    return lines


def _title(file: Mapping[str, Any]) -> str:
    name = file["title"] or file["url"].rpartition("/")[2] or file["url"]
    return show_text(" ".join(str(name).split()), 80)


def _make_page(found: Mapping[str, Any]) -> str:
    parts = [
        "<!doctype html><html lang=en><meta charset=utf-8><title>What is new</title>",
        f"<style>{_STYLE}</style><h1>What is new on {escape(found['url'])}</h1>",
        f"<p>Round {found['round']}, {found['at']}</p>",
    ]
    for kind, title in _KINDS.items():
        parts.append(f"<h2>{title} ({len(found[kind]):,})</h2><ul>")
        parts += [_make_item(file) for file in found[kind]]
        parts.append("</ul>")
    parts += [f"<p>{escape(line)}</p>" for line in describe_whatsnew(found)[len(_KINDS) :]]
    return "\n".join(parts) + "\n"


def _make_item(file: Mapping[str, Any]) -> str:
    notes = [show_size(file["bytes"])] if file["bytes"] else []
    if file["file"]:
        notes.append(f'<a href="{escape(quote(file["file"]))}">kept file</a>')
    if file.get("before"):
        notes.append(f'<a href="{escape(quote(file["before"]))}">version before</a>')
    if file["page"]:
        notes.append(f'on <a href="{escape(file["page"])}">{escape(file["page"])}</a>')
    link = f'<a href="{escape(file["url"])}">{escape(_title(file))}</a>'
    return f"<li>{link} <small>{', '.join(notes)}</small></li>"


def _make_feed(found: Mapping[str, Any]) -> str:
    seed, at = escape(found["url"]), found["at"]
    parts = [
        '<?xml version="1.0" encoding="utf-8"?>',
        '<feed xmlns="http://www.w3.org/2005/Atom">',
        f"<title>New data files of {seed}</title><id>{seed}#whatsnew</id>",
        f'<updated>{at}</updated><link href="{seed}"/><author><name>Datahound</name></author>',
    ]
    files = [(kind, file) for kind in _KINDS for file in found[kind]]
    parts += [_make_entry(kind, file, found) for kind, file in files[:_FEED_LENGTH]]
    return "\n".join(parts) + "\n</feed>\n"


def _make_entry(kind: str, file: Mapping[str, Any], found: Mapping[str, Any]) -> str:
    url = escape(file["url"])
    what = {"new": "New", "changed": "Changed", "gone": "Gone"}[kind]
    return (
        f"<entry><title>{what}: {escape(_title(file))}</title>"
        f"<id>{url}#{kind}-{found['round']}</id><updated>{found['at']}</updated>"
        f'<link href="{url}"/><summary>{what} on {escape(file["page"] or found["url"])}</summary>'
        "</entry>"
    )


def sum_up(changes: Sequence[Mapping[str, Any]]) -> str:
    """One line on several folders."""
    counts = [f"{sum(len(one[kind]) for one in changes):,} {kind}" for kind in _KINDS]
    return f"{len(changes):,} folders: {', '.join(counts)}"
