"""The groups of links, and one of them."""

from typing import Any

from datahound.dashboard.counters import Group
from datahound.dashboard.request import Asked
from datahound.errors import UserError
from datahound.report.words import GroupName, group_name, short_place
from datahound.store import queries

PAGE = 50

_SORTS = {
    "targets": lambda item: (-item[1].targets, -item[1].waiting, item[0] or 0),
    "mean": lambda item: (-(item[1].mean or 0), -item[1].pages, item[0] or 0),
    "waiting": lambda item: (-item[1].waiting, item[0] or 0),
    "pages": lambda item: (-item[1].pages, item[0] or 0),
}


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
            row.number: GroupName(row.tag_path, short_place(row.place, seed))
            for row in queries.read_groups(connection)
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
        visited = queries.latest_group_visits(connection, asked.part)
        waiting = queries.find_waiting_links(connection, asked.part)
    visited.sort(key=lambda page: -page.targets)
    return {
        **standing,
        **_row(asked.part, known or Group(), name),
        "visited": [page._asdict() for page in visited[:20]],
        "waiting_links": [link._asdict() for link in waiting],
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
