"""The groups of links, and the page of one group."""

from typing import Any

from datahound.dashboard.counters import GroupCounts
from datahound.dashboard.request import PageRequest
from datahound.errors import UserError
from datahound.report.phrases import GroupName, name_group, shorten_place
from datahound.store import queries

PAGE = 50

_SORTS = {
    "targets": lambda item: (-item[1].targets, -item[1].waiting, item[0] or 0),
    "mean": lambda item: (-(item[1].mean or 0), -item[1].pages, item[0] or 0),
    "waiting": lambda item: (-item[1].waiting, item[0] or 0),
    "pages": lambda item: (-item[1].pages, item[0] or 0),
}


def show_groups(request: PageRequest) -> dict[str, Any]:
    """All groups, those with most targets first."""
    crawl = request.crawl
    sort = request.text("sort") or "targets"
    offset = request.number("offset") or 0
    text = request.text("q")
    with crawl.open_database() as connection:
        status = crawl.read_status(connection)
        counts = crawl.counters.update(connection)
        seed = status["seed"]
        names: dict[int | None, GroupName] = {
            row.number: GroupName(row.tag_path, shorten_place(row.place, seed))
            for row in queries.read_groups(connection)
        }
        ranked = sorted(counts.groups.items(), key=_SORTS.get(sort, _SORTS["targets"]))
    if text:
        ranked = [item for item in ranked if _is_in(text, names.get(item[0], GroupName()))]
    shown = ranked[offset : offset + PAGE]
    return {
        **status,
        "rows": [_row(number, group, names.get(number, GroupName())) for number, group in shown],
        "q": text,
        "sort": sort if sort in _SORTS else "targets",
        "in_all": len(ranked),
        "offset": offset,
        "next": offset + PAGE if offset + PAGE < len(ranked) else None,
        "counted": crawl.counters.share,
    }


def show_group(request: PageRequest) -> dict[str, Any]:
    """One group: the targets of its pages, and its waiting links."""
    crawl = request.crawl
    with crawl.open_database() as connection:
        status = crawl.read_status(connection)
        counts = crawl.counters.update(connection)
        known = counts.groups.get(request.part)
        name = name_group(connection, status["seed"], request.part)
        if known is None and name == GroupName():
            raise UserError(f"there is no group {request.part} in this crawl")
        visited = queries.latest_group_visits(connection, request.part)
        waiting = queries.find_waiting_links(connection, request.part)
    visited.sort(key=lambda page: -page.targets)
    return {
        **status,
        **_row(request.part, known or GroupCounts(), name),
        "visited": [page._asdict() for page in visited[:20]],
        "waiting_links": [link._asdict() for link in waiting],
    }


def _is_in(text: str, name: GroupName) -> bool:
    return text.lower() in name.tag_path.lower() or text.lower() in name.place.lower()


def _row(number: int | None, group: GroupCounts, name: GroupName) -> dict[str, Any]:
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
