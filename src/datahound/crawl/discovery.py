"""Links that pages name: which are new, which are left out, and which wait for later."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from datahound.crawl.errands import Ending, Errand, Outcome
from datahound.crawl.event_log import EventLog
from datahound.crawl.fetches import Fetches
from datahound.crawl.forms import Forms, count_forms
from datahound.crawl.portals import Portals
from datahound.crawl.readings import Reading
from datahound.crawl.strategy import A_PAGE, A_TARGET, CompleteStrategy, Expectation, State
from datahound.crawl.waiting_links import FurtherLinks, UnwantedNames
from datahound.events import Discovered
from datahound.model import Kind, Link, Page, Purpose, Response, Skip, link_row
from datahound.readers import FILE_LIST, SCRIPT_FILE, may_name_files
from datahound.settings import Services

_MAX_UNFETCHABLE = 1000
_ORDINARY_LENGTH = 250
_EXCESS_OF_PAGE, _EXCESS_OF_CRAWL = 1 << 20, 32 << 20
"""Characters of URLs beyond the ordinary length that are kept, where memory is bounded."""


class Discovery:
    """Decides what becomes of each link that a page names, and numbers the new ones."""

    def __init__(
        self,
        fetches: Fetches,
        log: EventLog,
        read: Callable[[Response], Page | None],
        services: Services,
        strategy: CompleteStrategy,
        portals: Portals,
        barren_links: int,
    ) -> None:
        self.portals = portals
        self._strategy = strategy
        self._fetches = fetches
        self._log = log
        self._read = read
        self._services = services
        self._further = FurtherLinks(barren_links)
        self._forms = Forms()
        self._unwanted = UnwantedNames()
        self._links = 1
        self._long_room = _EXCESS_OF_CRAWL
        self._files: deque[Link] = deque()
        """Files that were left out before and are to be collected now."""
        self._unready: dict[str, Link | None] = {}
        """By URL, links to files that a server was still making; None after the second request."""
        self._unfetchable: dict[str, None] = {}
        """References that cannot be fetched, and were reported."""

    def begin_round(self) -> None:
        """Prepare for a later round."""
        self._further.begin_round()

    def read_page(self, outcome: Outcome) -> Page | None:
        """The page of an outcome, if it is one of the site or a reader knows its type."""
        response = outcome.response
        if outcome.link.is_endpoint:
            return self._read_endpoint(outcome)
        if response is not None and self._fetches.is_unready(response):
            self._unready.setdefault(outcome.link.url, outcome.link)
        if response is None or response.unreadable:
            return None
        reads_files = self._services.link_sources and response.status == 200
        if outcome.kind is Kind.OTHER and not (reads_files and may_name_files(response)):
            return None
        # A file on another host is kept, but its links are not followed: the host is not the site.
        if self._fetches.is_linked_file(outcome.link.url):
            return None
        page = response.page or self._read(response)
        if page is not None and page.names_files and not reads_files:
            return None
        if page is not None:
            self._note_unfetchable(page)
            page = self._add_lists(page, outcome.link, response)
        if page is not None and page.form_links and not self._services.forms:
            forms = page.forms + count_forms(page.form_links)
            page = replace(page, forms=forms, form_links=())
        if page is not None and page.declared and self._services.metadata:
            return replace(page, links=page.links + page.declared)
        return page

    def list_unseen(self, page: Page, link: Link) -> list[Link]:
        """The links of a page that are not known, and what follows it in a list or a form."""
        # Pages repeat their menus: most links are known, and dropped first, at little cost.
        links = page.links + page.further if self._services.link_sources else page.links
        known = self._fetches.known
        endpoints = self.portals.list_endpoints(page) if page.endpoints else []
        # The answer of a known API is not a file, even if the page has a link to it.
        asked = {endpoint.url for endpoint in endpoints}
        unseen = [link for link in links if link.url not in known and link.url not in asked]
        is_followed = bool(page.next_pages) or self._forms.is_asked(link.url)
        # The next pages of a list are read only if this one has links that were never met.
        is_new = is_followed and any(not self._further.has(link) for link in unseen)
        following = self.portals.list_further(page, link.depth, is_new=is_new)
        choices = self._list_choices(page, link, is_new=is_new)
        return [*unseen, *endpoints, *following, *choices]

    def bound_links(self, reading: Reading) -> None:
        """Keep the links that memory has room for; count the others."""
        if self._fetches.room is None:
            return
        kept = list(self._choose_links(reading.unseen, is_full=not self._fetches.room))
        if left_out := len(reading.unseen) - len(kept):
            left_out += reading.page.links_left_out
            reading.unseen, reading.page = kept, replace(reading.page, links_left_out=left_out)

    def _choose_links(self, links: list[Link], *, is_full: bool) -> Iterator[Link]:
        """Choose the links to keep: files alone if the crawl is full, few URLs that are long."""
        page_room = _EXCESS_OF_PAGE
        for link in links:
            excess = max(0, len(link.url) - _ORDINARY_LENGTH)
            # Files take no room of the crawl: the number of requests bounds them.
            is_file = link.is_endpoint or self._fetches.is_named_file(link)
            room = page_room if is_file else min(page_room, self._long_room)
            if excess > room or (is_full and not is_file):
                continue
            page_room -= excess
            self._long_room -= 0 if is_file else excess
            yield link

    def _list_choices(self, page: Page, link: Link, *, is_new: bool) -> Iterator[Link]:
        """The choices of forms that are made next, at most one of each form."""
        if not self._services.forms:
            return
        known = self._fetches.known
        new = [choice for choice in page.form_links if choice.url not in known]
        yield from self._forms.offer((c for c in new if self._objection(c) is None), known)
        yield from self._forms.learn(link.url, known, is_new=is_new)

    def expect(self, link: Link) -> Expectation:
        """What a link probably is: as its list declares it, or else as the strategy thinks."""
        if link.is_endpoint:
            return A_PAGE
        if self._fetches.is_linked_file(link.url) or self._fetches.declares_file(link):
            return A_TARGET
        return self._strategy.expect(link)

    def meet(self, seen: Link, reading: Reading) -> Link | None:
        """A link never seen before, with its depth and number; None if it is left out or waits."""
        page = reading.choice.link
        is_unwanted = seen.source != SCRIPT_FILE and self.is_unwanted(seen.url, seen.hint)
        if is_unwanted and self._objection(seen) is None:
            self._fetches.known[seen.url] = None
            self._unwanted.add(replace(seen, depth=page.depth + 1))
            self._fetches.skip(seen, Skip.UNWANTED_NAME)
            reading.other_files += 1
            return None
        if seen.source and self._must_wait(seen, page):
            return None
        if self._is_elsewhere(seen):
            reading.files_elsewhere += 1
        return self._number(seen, page.depth + 1)

    def take_due(self) -> Link | None:
        """A link from an uncommon place that is to be tried now."""
        while (link := self._further.take_due(self._fetches.tally.visits)) is not None:
            if met := self._meet_again(link):
                return met
        return None

    def take_waiting(self, *, is_alone: bool) -> Link | None:
        """A link from an uncommon place, where nothing else is left to visit.

        With `is_alone`, where no answer is awaited either, it may be one with an unwanted name, or
        one that was not ready before.
        """
        while (link := self._further.take()) is not None:
            if self._further.is_barren(link):
                self._fetches.skip(link, Skip.BARREN_KIND)
            elif met := self._meet_again(link):
                return met
        unwanted = self._unwanted.take() if is_alone else None
        if unwanted is None and is_alone:
            return self._take_unready()
        # Numbered only now: links that wait here have no number.
        return unwanted and replace(unwanted, number=self.next_number())

    def complete(self, errand: Errand) -> Errand:
        """Say of a visit whether it asks an endpoint for its list, or again for an unready file."""
        url = errand.link.url
        if errand.link.is_endpoint:
            errand.purpose = Purpose.LIST
        errand.is_again = url in self._unready and self._unready[url] is None
        return errand

    def learn_choice(self, url: str, kind: Kind) -> Iterator[Link]:
        """Learn that a choice of a form led to no page; yields the next choices to follow."""
        known = self._fetches.known
        if kind is Kind.TARGET:
            choices = self._forms.learn(url, known, is_new=True)
        else:
            choices = self._forms.fail(url, known)
        while choices:
            choice = choices.pop()
            if self._must_wait(choice, choice):
                continue
            if met := self._number(choice, choice.depth):
                yield met
            else:
                choices += self._forms.fail(choice.url, known)

    def learn(self, link: Link, *, paid: bool, is_new: bool) -> Iterator[Link]:
        """Learn from a visit; yields the links that wait no longer, if their source has now paid.

        `paid` says whether the visit brought files, `is_new` whether it brought files or new links.
        """
        yield from self.learn_choice(link.url, Kind.TARGET if paid else Kind.OTHER)
        self._unwanted.learn(link, paid=paid)
        for waited in self._further.learn(link, paid=paid, is_new=is_new):
            if met := self._meet_again(waited):
                yield met

    def is_unwanted(self, url: str, hint: str = "") -> bool:
        """Whether a URL waits because its name says a type that the user did not ask for."""
        return self._services.unwanted_last and self._fetches.wanted.names_unwanted(url, hint)

    def objects_to(self, url: str) -> bool:
        """Whether a foreseen file is not to be requested."""
        return self._fetches.objection(url) is not None or self.is_unwanted(url)

    def add_files(self, files: Iterable[Link]) -> None:
        """Collect files that were left out before."""
        self._files.extend(files)

    def take_file(self) -> Link | None:
        """The next file that was left out before."""
        if not self._files:
            return None
        file = replace(self._files.popleft(), number=self.next_number())
        self._fetches.known[file.url] = None
        self._log.add(Discovered(file, Kind.TARGET))
        return file

    def next_number(self) -> int:
        """A number that no link has yet."""
        self._links += 1
        return self._links - 1

    def snapshot(self) -> State:
        return {
            "files": [link_row(file) for file in self._files],
            "links": self._links,
            "long_room": self._long_room,
            "unready": [[url, link and link_row(link)] for url, link in self._unready.items()],
            "unfetchable": list(self._unfetchable),
            "further": self._further.snapshot(),
            "unwanted": self._unwanted.snapshot(),
            "portals": self.portals.snapshot(),
            "forms": self._forms.snapshot(),
        }

    def restore(self, state: State) -> None:
        self._links, self._long_room = state["links"], state["long_room"]
        self._unready = {url: row and Link(*row) for url, row in state["unready"]}
        self._unfetchable = dict.fromkeys(state["unfetchable"])
        self._further.restore(state["further"])
        self._unwanted.restore(state["unwanted"])
        self._files = deque(Link(*row) for row in state["files"])
        self.portals.restore(state["portals"])
        self._forms.restore(state["forms"])

    def _take_unready(self) -> Link | None:
        """A link to a file that was still being made; each is asked for once more, at the end."""
        for url, link in self._unready.items():
            if link is not None:
                self._unready[url] = None
                return link
        return None

    def _note_unfetchable(self, page: Page) -> None:
        """Report the references that cannot be fetched, each once."""
        for reference in page.unfetchable if self._services.link_sources else ():
            if reference not in self._unfetchable and len(self._unfetchable) < _MAX_UNFETCHABLE:
                self._unfetchable[reference] = None
                is_web = reference.startswith("http")
                link = Link(reference, found_on=page.url)
                self._fetches.skip(link, Skip.TOO_LONG if is_web else Skip.NOT_WEB)

    def _read_endpoint(self, outcome: Outcome) -> Page | None:
        """What an endpoint's answer lists."""
        link, response = outcome.link, outcome.response
        requests = self._fetches.tally.requests
        if outcome.ending is Ending.POSTPONED or outcome.ending is Ending.ALIAS:
            return None
        if response is None:
            self.portals.end(link, requests)
            return None
        return self.portals.read(link, response, requests)

    def _add_lists(self, page: Page, link: Link, response: Response) -> Page | None:
        """A page with the lists to request because of it; None for a list that is not wanted."""
        if page.listing is not None:
            if not self._services.api:
                return None
            self.portals.note_listing(link, page, self._fetches.tally.requests)
            return page
        return self.portals.add_questions(page, response, is_first=link.number == 0)

    def _must_wait(self, seen: Link, page: Link) -> bool:
        """Whether a link from an uncommon place waits, or is never followed."""
        if not self._further.follows_refresh(page, seen):
            return True
        # Files may name files without end: a file named in a named file waits for all other links.
        is_nested = seen.source == FILE_LIST == page.source
        is_file = self._fetches.is_named_file(seen)
        if not is_nested and (is_file or not self._further.must_wait(seen)):
            return False
        self._further.add(replace(seen, depth=page.depth + 1), self._fetches.tally.visits)
        return True

    def _meet_again(self, waited: Link) -> Link | None:
        """A link that has waited, with its number; None if another page linked to it meanwhile."""
        return None if waited.url in self._fetches.known else self._number(waited, waited.depth)

    def _number(self, seen: Link, depth: int) -> Link | None:
        """A link with its depth and number; None if it is left out."""
        # A link that is left out is known, too: other pages with it need not check it again.
        self._fetches.known[seen.url] = None
        if (reason := self._objection(seen)) is not None:
            if seen.is_endpoint and reason is Skip.OTHER_SITE:
                self.portals.note_elsewhere(seen, self._fetches.tally.requests)
            elif self._is_elsewhere(seen):
                self._fetches.note_elsewhere(seen)
            self._fetches.skip(seen, reason)
            return None
        where = (seen.tag_path, seen.anchor, seen.surrounding, seen.found_on)
        return Link(seen.url, *where, depth, self.next_number(), seen.hint)

    def _objection(self, seen: Link) -> Skip | None:
        fetches = self._fetches
        reason = fetches.objection(seen.url)
        if reason is not Skip.OTHER_SITE:
            return reason
        return None if fetches.may_ask(seen) or fetches.wants_linked(seen) else reason

    def _is_elsewhere(self, seen: Link) -> bool:
        """Whether a link leads to a file on a host outside the site, which is left out."""
        url, fetches = seen.url, self._fetches
        is_file = fetches.is_named_file(seen) or fetches.wanted.offers_file(url)
        if fetches.site.objection(url) is not Skip.OTHER_SITE or not is_file or "=http" in url:
            return False  # a program that shows a file has the URL of the file in its query
        return not fetches.wants_linked(seen)
