"""What a crawl has under way: pages that are being read, and pages whose files are foreseen.

Both are plain data, so that a snapshot can be taken at any moment.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any
from zlib import crc32

from datahound.crawl.errands import choice_row, read_choice
from datahound.crawl.strategy import State, Visit, list_dates
from datahound.events import Visited, VisitOutcome
from datahound.model import (
    Choice,
    Entry,
    Kind,
    Link,
    Listing,
    NotFollowed,
    Page,
    Purpose,
    Role,
    link_row,
)

_COUNTED_AT_ONCE = 400
"""Links whose names are checked per call; an engine looks at fewer links before it pauses."""
_LONG = 400
"""Characters of a URL that take as much time as one more link."""


def count_off(seen: Link, left: int) -> int:
    """How many links may still be looked at after this one: a long one counts for several."""
    return max(0, left - 1 - len(seen.url) // _LONG)


@dataclass(slots=True)
class Reading:
    """A page that is being read for a choice: how far it was read, and what it has brought."""

    number: int
    choice: Choice
    url: str
    """Where the page was found, redirects followed."""
    page: Page
    kind: Kind = Kind.PAGE
    position: int = 0
    """How many of `unseen` were looked at."""
    is_read: bool = False
    """Whether all of them were."""
    pending: int = 0
    """Errands and foresights that it waits for."""
    reward: int = 0
    foreseen: int = 0
    """Files that were collected before the pages that its links lead to."""
    files_elsewhere: int = 0
    new_links: list[Link] = field(default_factory=list)
    unseen: list[Link] = field(default_factory=list)
    """The links that were not known when it was opened."""
    other_files: int = 0
    """New links whose names say files of types that the user did not ask for."""
    _named: set[str] = field(default_factory=set)
    """The files among its links, going by their names, as far as they were counted."""
    _counted: int = 0

    def count_some_files(self, names_file: Callable[[str], bool]) -> None:
        """Count the files among its next links, so that `visited` has less to do at once."""
        self._count_files(names_file, self._counted + _COUNTED_AT_ONCE)

    def _count_files(self, names_file: Callable[[str], bool], end: int) -> None:
        some = self.page.links[self._counted : end]
        self._named.update(link.url for link in some if names_file(link.url))
        self._counted += len(some)

    def visit(self) -> Visit:
        """What the strategy learns from it."""
        return Visit(
            self.kind,
            self.page.links,
            self.new_links,
            self.reward + self.foreseen,
            self.url,
            self.other_files,
            self.page.listing,
            content=_hash_content(self.page) if self.choice.purpose is Purpose.REVISIT else 0,
        )

    def visited(self, requests: int, names_file: Callable[[str], bool]) -> Visited:
        """The event of its end."""
        self._count_files(names_file, len(self.page.links))
        page, link = self.page, self.choice.link
        reached = link if link.url == self.url else replace(link, url=self.url)
        return Visited(
            requests,
            Choice(reached, self.choice.group, purpose=self.choice.purpose),
            VisitOutcome.READ,
            self.reward + self.foreseen,
            len(self.new_links) + self.foreseen,
            page.title,
            NotFollowed(
                page.needs_script or page.files_by_script,
                page.forms,
                self.files_elsewhere,
                page.links_left_out,
            ),
            len(self._named),
        )


@dataclass(slots=True)
class Foresight:
    """A page whose files are asked for before it is read, when it is met or when it is chosen."""

    number: int
    link: Link
    urls: tuple[str, ...]
    choice: Choice | None = None
    """The choice, if the page was chosen; else it was met by the reading `owner`."""
    owner: int = 0
    position: int = 0
    is_asked: bool = False
    """Whether all files were asked for."""
    pending: int = 0
    found: list[str] = field(default_factory=list)


def _hash_content(page: Page) -> int:
    # Relative links of one page lead elsewhere from each of its URLs, so URLs say nothing.
    texts = (text for link in page.links for text in (link.tag_path, link.anchor))
    return crc32("\n".join((page.title, *texts)).encode(errors="replace"))


def reading_row(reading: Reading) -> State:
    """The plain data of a reading."""
    return {
        "number": reading.number,
        "choice": choice_row(reading.choice),
        "url": reading.url,
        "page": page_row(reading.page),
        "kind": reading.kind.value,
        "counts": [
            reading.is_read,
            reading.pending,
            reading.reward,
            reading.foreseen,
            reading.files_elsewhere,
            reading.other_files,
        ],
        "new_links": [link_row(link) for link in reading.new_links],
        # What was looked at is not needed again, so a restored reading begins at place 0.
        "unseen": [link_row(link) for link in reading.unseen[reading.position :]],
    }


def read_reading(row: State) -> Reading:
    """The reading that plain data was made of."""
    choice, page = read_choice(row["choice"]), read_page(row["page"])
    new_links = [Link(*link) for link in row["new_links"]]
    unseen = [Link(*link) for link in row["unseen"]]
    is_read, pending, reward, foreseen, files_elsewhere, other_files = row["counts"]
    return Reading(
        row["number"],
        choice,
        row["url"],
        page,
        Kind(row["kind"]),
        0,
        is_read,
        pending,
        reward,
        foreseen,
        files_elsewhere,
        new_links,
        unseen,
        other_files,
    )


def foresight_row(foresight: Foresight) -> State:
    """The plain data of a foresight."""
    return {
        "number": foresight.number,
        "link": link_row(foresight.link),
        "urls": list(foresight.urls),
        "choice": foresight.choice and choice_row(foresight.choice),
        "counts": [foresight.owner, foresight.position, foresight.is_asked, foresight.pending],
        "found": list(foresight.found),
    }


def read_foresight(row: State) -> Foresight:
    """The foresight that plain data was made of."""
    choice = read_choice(row["choice"]) if row["choice"] else None
    link, urls = Link(*row["link"]), tuple(row["urls"])
    owner, position, is_asked, pending = row["counts"]
    found = list(row["found"])
    return Foresight(row["number"], link, urls, choice, owner, position, is_asked, pending, found)


def page_row(page: Page) -> list[object]:
    """The plain data of a page."""
    return [
        page.url,
        page.title,
        [link_row(link) for link in page.links],
        page.needs_script,
        page.forms,
        page.links_left_out,
        page.files_by_script,
        _listing_row(page.listing),
    ]


def read_page(row: list[Any]) -> Page:
    """The page that plain data was made of."""
    url, title, links, needs_script, forms, left_out, files_by_script, listing = row
    return Page(
        url,
        title,
        tuple(Link(*link) for link in links),
        needs_script=needs_script,
        forms=forms,
        links_left_out=left_out,
        files_by_script=files_by_script,
        listing=_read_listing(listing) if listing else None,
    )


def _listing_row(listing: Listing | None) -> list[Any] | None:
    """What a strategy learns from a listing: when the pages that it names were changed."""
    if listing is None:
        return None
    return [listing.platform, listing.request, list(list_dates(listing).items())]


def _read_listing(row: list[Any]) -> Listing:
    platform, request, dates = row
    entries = tuple(Entry(url, Role.PAGE, modified=date) for url, date in dates)
    return Listing(platform, request, entries=entries)
