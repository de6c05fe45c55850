"""What is new as a page that works offline, and as an Atom feed."""

from collections.abc import Mapping
from datetime import datetime
from html import escape
from typing import Any
from urllib.parse import quote

from datahound.news.words import KINDS, LABELS, describe_left, list_lines, name_file
from datahound.report.format import load_templates
from datahound.web.urls import host_of

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


def render_feed(found: Mapping[str, Any]) -> str:
    """The Atom feed `whatsnew.atom`."""
    seed, at = escape(found["url"]), found["at"]
    parts = [
        '<?xml version="1.0" encoding="utf-8"?>',
        '<feed xmlns="http://www.w3.org/2005/Atom">',
        f"<title>New data files of {seed}</title><id>{seed}#whatsnew</id>",
        f'<updated>{at}</updated><link href="{seed}"/><author><name>Datahound</name></author>',
    ]
    files = [(kind, file) for kind in KINDS for file in found[kind]]
    parts += [_make_entry(kind, file, found) for kind, file in files[:_FEED_LENGTH]]
    return "\n".join(parts) + "\n</feed>\n"


def _make_entry(kind: str, file: Mapping[str, Any], found: Mapping[str, Any]) -> str:
    url = escape(file["url"])
    what = {"new": "New", "changed": "Changed", "gone": "Gone"}[kind]
    lines = [line["text"] for line in list_lines(file.get("difference") or {})][:_MAX_LINES]
    summary = escape("; ".join([f"{what} on {file['page'] or found['url']}", *lines]))
    return (
        f"<entry><title>{what}: {escape(name_file(file))}</title>"
        f"<id>{url}#{kind}-{found['round']}</id><updated>{found['at']}</updated>"
        f'<link href="{url}"/><summary>{summary}</summary></entry>'
    )
