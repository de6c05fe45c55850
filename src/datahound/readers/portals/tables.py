"""Tables that exist only as answers to queries: the requests for them, within a portal's limits.

A portal limits the cells of an answer, so that a large table comes in parts: each part is a file,
whose name is the whole query. A table with more cells than the user wants is left out.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import ceil, prod

from datahound.model import LISTED_FILE, Entry, Link, Page, QueriedTable, Role
from datahound.readers.portals import platforms
from datahound.readers.portals.platform import TableQuery
from datahound.web.types import extension_of_format

USUAL_CELLS = 100_000
"""The cells of an answer where a portal does not say its limit: few have a lower one."""
# Half an hour of polite requests for one table.
_MAX_PARTS = 2000
_LONGEST_QUERY = 200_000
"""Characters of a query: it is the name of its answer, in the journal and in `crawl.db`."""

_LONGEST_QUERIES = 4 << 20
"""Characters of all queries for a table."""

Axes = Sequence[tuple[str, Sequence[str]]]


def add_queries(
    page: Page, title: str, max_cells: int | None, largest: int
) -> tuple[Page, list[QueriedTable]]:
    """A page with the queries for its tables as links, and the tables that are left out.

    `title` is that of the link to the page, for tables whose own is not in the answer.
    """
    listing = page.listing
    if listing is None or not page.tables:
        return page, []
    links, entries, left_out = list(page.links), list(listing.entries), list[QueriedTable]()
    datasets = list(listing.datasets)
    for table in page.tables:
        queries = _list_queries(listing.platform, table, table.most or max_cells or USUAL_CELLS)
        if table.size > largest or not queries:
            left_out.append(table)
            continue
        if table.dataset is not None:
            dataset = datasets[table.dataset]
            datasets[table.dataset] = replace(dataset, files=dataset.files + len(queries))
        for query in queries:
            extension = extension_of_format(query.format)[1:]
            name = table.title or title
            shown = f"{name} ({query.part})" if query.part else name
            mark = f"{LISTED_FILE}{listing.platform} {extension}"
            links.append(Link(query.name, mark, shown[:200], "", page.url))
            about = Entry(query.name, Role.FILE, shown, query.format, dataset=table.dataset)
            entries.append(about)
    listing = replace(listing, datasets=tuple(datasets), entries=tuple(entries))
    return replace(page, links=tuple(links), listing=listing, tables=()), left_out


def _list_queries(platform_name: str, table: QueriedTable, most: int) -> list[TableQuery]:
    """The queries for a table; none if it would take too many or too long ones."""
    # A division before the list: a hostile answer may claim any size.
    if table.size / most > _MAX_PARTS:
        return []
    for platform in platforms():
        if platform.name == platform_name and platform.write_queries:
            queries, length = list[TableQuery](), 0
            for query in platform.write_queries(table, most):
                length += len(query.name)
                # Each part may repeat all values of an axis: 300 KB could become 300 MB.
                if len(query.name) > _LONGEST_QUERY or length > _LONGEST_QUERIES:
                    return []
                queries.append(query)
            return queries if len(queries) <= _MAX_PARTS else []
    return []


def split_axes(axes: Axes, most: int) -> Iterator[Axes]:
    """The selections that cover all cells, each of at most that number of them.

    The longest axis is cut first, so that the parts are few.

    >>> [dict(part) for part in split_axes([("a", "xy"), ("b", "123")], 4)]
    [{'a': 'xy', 'b': '12'}, {'a': 'xy', 'b': '3'}]
    """
    cells = prod(len(values) for _, values in axes)
    longest = max(range(len(axes)), key=lambda place: len(axes[place][1]), default=None)
    if longest is None or cells <= most or len(axes[longest][1]) < 2:
        yield axes
        return
    name, values = axes[longest]
    size = max(1, most * len(values) // cells)
    # Parts of about equal size, instead of a small rest at the end.
    size = ceil(len(values) / ceil(len(values) / size))
    for start in range(0, len(values), size):
        part = (name, values[start : start + size])
        chosen = [part if place == longest else axis for place, axis in enumerate(axes)]
        yield from split_axes(chosen, most)
