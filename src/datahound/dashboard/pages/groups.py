"""The groups of links, and one of them."""

from typing import Any

from datahound.dashboard.counters import Group
from datahound.dashboard.request import Asked
from datahound.errors import UserError
from datahound.report.words import GroupName, group_name, short_place

PAGE = 50
_NEWEST = 50_000

_SORTS = {
    "targets": lambda item: (-item[1].targets, -item[1].waiting, item[0] or 0),
    "mean": lambda item: (-(item[1].mean or 0), -item[1].pages, item[0] or 0),
    "waiting": lambda item: (-item[1].waiting, item[0] or 0),
    "pages": lambda item: (-item[1].pages, item[0] or 0),
}
_NAMES = "SELECT number, tag_path, place FROM action"
_VISITED = """SELECT url, title, reward, new_links, number FROM visit WHERE action = ?
    AND outcome = 'read' ORDER BY id DESC LIMIT 200"""
# The newest links are looked through, and no more: a group may have a million.
_WAITING = """SELECT l.url, l.anchor, p.text
    FROM (SELECT * FROM link ORDER BY number DESC LIMIT ?) l
    LEFT JOIN text p ON p.id = l.found_on WHERE l.action = ? AND l.expected = 'page'
    AND NOT EXISTS (SELECT 1 FROM choice c WHERE c.link = l.number) LIMIT 20"""


def groups(asked: Asked) -> dict[str, Any]:
    """All groups, those first that brought most."""
    crawl = asked.crawl
    sort = asked.text("sort") or "targets"
    offset = asked.number("offset") or 0
    text = asked.text("q")
    with crawl.opened() as connection:
        standing = crawl.standing(connection)
        counts = crawl.digest.update(connection)
        seed = standing["seed"]
        names: dict[int | None, GroupName] = {
            number: GroupName(tag_path, short_place(place, seed))
            for number, tag_path, place in connection.execute(_NAMES)
        }
        ranked = sorted(counts.groups.items(), key=_SORTS.get(sort, _SORTS["targets"]))
    if text:
        ranked = [
            (number, group)
            for number, group in ranked
            if _is_in(text, names.get(number, GroupName()))
        ]
    shown = ranked[offset : offset + PAGE]
    return {
        **standing,
        "rows": [_row(number, group, names.get(number, GroupName())) for number, group in shown],
        "q": text,
        "sort": sort if sort in _SORTS else "targets",
        "in_all": len(ranked),
        "offset": offset,
        "next": offset + PAGE if offset + PAGE < len(ranked) else None,
        "counted": crawl.digest.share,
    }


def group(asked: Asked) -> dict[str, Any]:
    """One group: what its pages brought, and what waits in it."""
    crawl = asked.crawl
    with crawl.opened() as connection:
        standing = crawl.standing(connection)
        counts = crawl.digest.update(connection)
        known = counts.groups.get(asked.part)
        name = group_name(connection, standing["seed"], asked.part)
        if known is None and name == GroupName():
            raise UserError(f"there is no group {asked.part} in this crawl")
        visited = connection.execute(_VISITED, (asked.part,)).fetchall()
        waiting = connection.execute(_WAITING, (_NEWEST, asked.part)).fetchall()
    visited.sort(key=lambda row: -row[2])
    names = ("url", "title", "targets", "new_links", "number")
    return {
        **standing,
        **_row(asked.part, known or Group(), name),
        "visited": [dict(zip(names, row, strict=True)) for row in visited[:20]],
        "waiting_links": [
            {"url": url, "anchor": anchor, "page": page} for url, anchor, page in waiting
        ],
    }


def _is_in(text: str, name: GroupName) -> bool:
    return text.lower() in name.tag_path.lower() or text.lower() in name.place.lower()


def _row(number: int | None, group: Group, name: GroupName) -> dict[str, Any]:
    return {
        "group": number,
        "tag_path": name.tag_path,
        "place": name.place,
        "links": group.links,
        "waiting": group.waiting,
        "visits": group.visits,
        "pages": group.pages,
        "rich": group.rich,
        "targets": group.targets,
        "mean": group.mean,
    }
