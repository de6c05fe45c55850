"""Datahound's strategies inside a Scrapy project, switched on in its settings alone.

    SCHEDULER = "datahound.scrapy.DatahoundScheduler"
    SPIDER_MIDDLEWARES = {"datahound.scrapy.DatahoundMiddleware": 543}
    DATAHOUND_STRATEGY = "hound"           # the default; DATAHOUND_SEED, DATAHOUND_TARGETS

The spider stays as it is. The GETs that it yields for links of the page are put in the strategy's
order. All other requests (other methods, a priority above 0, URLs that are not links) are made
first: by priority, and among equals first in, first out.
"""

import heapq
import itertools
import logging
from collections import deque
from collections.abc import AsyncIterator, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Self, cast

from scrapy import Request, Spider, http, signals
from scrapy.crawler import Crawler
from scrapy.dupefilters import BaseDupeFilter
from scrapy.exceptions import CloseSpider
from scrapy.settings import BaseSettings
from scrapy.utils.misc import build_from_crawler, load_object

from datahound.crawl.strategy import CompleteStrategy, SmallStrategy, Visit
from datahound.errors import UserError
from datahound.model import Choice, Kind, Link, Page, Response
from datahound.readers import Readers
from datahound.strategies import DEFAULT_STRATEGY, make_strategy, registered
from datahound.web.targets import Wanted, find_wanted, kind_of, parse_targets
from datahound.web.urls import canonical

_log = logging.getLogger(__name__)
_KEY = "datahound"
_REFUSED = "refused"
"""The `finish_reason` in Scrapy's statistics, for a crawl with wrong settings."""
_PATIENCE = 50
"""Choices that a page waits for files that may never come, before the strategy learns from it."""


@dataclass(slots=True, eq=False)
class Reading:
    """A page that the spider was given: its links, and what they have brought so far."""

    choice: Choice
    page: Page
    links: dict[str, Link]
    new_links: list[Link] = field(default_factory=list)
    reward: int = 0
    pending: int = 0
    """Links on their way that may be targets."""
    closed_at: int = 0
    """How many choices had been made when the spider was done with it."""

    def forget(self) -> None:
        """Free its memory after it was learned from, since links that wait refer to it."""
        self.page, self.links, self.new_links = Page("", "", ()), {}, []


@dataclass(slots=True, eq=False)
class Ticket:
    """The data attached to a request: the link that it follows, and the choice of it."""

    link: Link
    reading: Reading
    choice: Choice | None = None
    under_way: bool = False


class Ordering:
    """Requests in a strategy's order; learns from what comes back."""

    def __init__(self, strategy: SmallStrategy, targets: Wanted) -> None:
        self._strategy = CompleteStrategy(strategy)
        self._targets = targets
        self._read = Readers().read
        self._numbers = itertools.count(1)
        self._plain: list[tuple[int, int, Request]] = []
        self._at_once: deque[Request] = deque()
        self._undecided: deque[Request] = deque()
        self._waiting: dict[int, Request] = {}
        self._readings: list[Reading] = []
        self._choices = 0
        self._gets = 0
        self._under_way: dict[int, int] = {}
        """Visits that were not learned from yet, by group."""

    def __len__(self) -> int:
        return len(self._plain) + len(self._at_once) + len(self._undecided) + len(self._waiting)

    def open_page(self, response: http.Response) -> Reading | None:
        """Begin to read a response that the spider was given; None if it is not a page."""
        answer = _answer(response)
        if kind_of(answer, self._targets) is not Kind.PAGE:
            return None
        ticket = response.meta.get(_KEY)
        choice = ticket.choice if ticket and ticket.choice else Choice(Link(response.url))
        page = self._read(answer)
        if page is None:
            return None
        # Reversed: of two links to a URL the first stays, as in a crawl.
        return Reading(choice, page, {link.url: link for link in reversed(page.links)})

    def hand_ticket(self, item: object, reading: Reading | None) -> None:
        """Attach a ticket to what the spider yielded, if it follows a link of the page."""
        if not isinstance(item, Request):
            return
        # A spider may pass on the meta of its response, with the ticket of another request.
        item.meta.pop(_KEY, None)
        link = reading.links.get(canonical(item.url) or "") if reading is not None else None
        if reading is not None and link is not None and _can_wait(item):
            depth = reading.choice.link.depth + 1
            link = replace(link, depth=depth, number=next(self._numbers))
            item.meta[_KEY] = Ticket(link, reading)

    def close_page(self, reading: Reading | None) -> None:
        """Note that the spider is done with a page."""
        if reading is not None:
            reading.closed_at = self._choices
            self._readings.append(reading)

    def add(self, request: Request) -> None:
        """Add a new request in the strategy's order, or by priority if it has no ticket."""
        ticket: Ticket | None = request.meta.get(_KEY)
        if ticket is None or ticket.under_way:
            # Redirects and retries of chosen requests keep their ticket, and do not wait again.
            heapq.heappush(self._plain, (-request.priority, next(self._numbers), request))
            return
        ticket.reading.new_links.append(ticket.link)
        self._decide(request, self._undecided)

    def next(self) -> Request | None:
        """The request to make now."""
        if self._plain:
            return heapq.heappop(self._plain)[2]
        while self._undecided and not self._at_once:
            self._decide_late(self._undecided.popleft())
        request = self._at_once.popleft() if self._at_once else self._chosen()
        if request is not None:
            request.meta[_KEY].under_way = True
        return request

    def learn(self, response: http.Response, request: Request) -> None:
        """Learn from an answer what its link is, and reward the page that has the link."""
        self._gets += 1
        ticket: Ticket | None = request.meta.get(_KEY)
        if ticket is None:
            return
        kind = kind_of(_answer(response), self._targets)
        self._strategy.learn_kind(ticket.link, kind)
        if ticket.choice is not None:
            if kind is not Kind.PAGE:
                self._learn_visit(ticket.choice, Visit(kind))
            return
        ticket.reading.pending -= 1
        if kind is Kind.TARGET:
            ticket.reading.reward += 1
        elif kind is Kind.PAGE:
            ticket.choice = self._begin_visit(self._strategy.adopt(ticket.link))

    def _decide(self, request: Request, if_unknown: deque[Request]) -> None:
        ticket: Ticket = request.meta[_KEY]
        expected = self._strategy.expect(ticket.link)
        if expected.kind is Kind.PAGE:
            self._strategy.add(ticket.link)
            self._waiting[ticket.link.number] = request
            return
        ticket.reading.pending += 1
        (if_unknown if expected.kind is Kind.UNKNOWN else self._at_once).append(request)

    def _decide_late(self, request: Request) -> None:
        """Decide on a request that the strategy knew nothing about; if unknown still, make it."""
        request.meta[_KEY].reading.pending -= 1
        self._decide(request, self._at_once)

    def _chosen(self) -> Request | None:
        self._learn_visits()
        choice = self._strategy.choose(self._gets, self._under_way)
        if choice is None:
            return None
        self._choices += 1
        request = self._waiting.pop(choice.link.number)
        request.meta[_KEY].choice = self._begin_visit(choice)
        return request

    def _begin_visit(self, choice: Choice) -> Choice:
        if choice.group is not None:
            self._under_way[choice.group] = self._under_way.get(choice.group, 0) + 1
        return choice

    def _learn_visit(self, choice: Choice, visit: Visit) -> None:
        if choice.group in self._under_way:
            self._under_way[choice.group] -= 1
            if not self._under_way[choice.group]:
                del self._under_way[choice.group]
        self._strategy.learn_visit(choice, visit)

    def _learn_visits(self) -> None:
        """Learn from the pages whose files were all requested, or that have waited long enough."""
        late = self._choices - _PATIENCE
        readings, self._readings = self._readings, []
        for reading in readings:
            if reading.pending and reading.closed_at >= late:
                self._readings.append(reading)
                continue
            visit = Visit(Kind.PAGE, reading.page.links, reading.new_links, reading.reward)
            self._learn_visit(reading.choice, visit)
            reading.forget()


def make_ordering(settings: BaseSettings) -> Ordering:
    """The order that the settings of a project ask for; settings that can't work are refused."""
    if settings.get("JOBDIR"):
        raise UserError("JOBDIR: DatahoundScheduler keeps its requests in memory only")
    middlewares = settings.getwithbase("SPIDER_MIDDLEWARES").items()
    enabled = [load_object(name) for name, order in middlewares if order is not None]
    if DatahoundMiddleware not in enabled:
        raise UserError("DatahoundScheduler needs DatahoundMiddleware in SPIDER_MIDDLEWARES")
    name = settings.get("DATAHOUND_STRATEGY", DEFAULT_STRATEGY)
    if registered(name).needs_oracle:
        raise UserError(f"DATAHOUND_STRATEGY: {name} works on recorded sites only")
    named = settings.getlist("DATAHOUND_TARGETS")
    targets = parse_targets(named) if named else None
    strategy = make_strategy(name, seed=settings.getint("DATAHOUND_SEED"), targets=targets)
    return Ordering(strategy, find_wanted(targets))


def _refuse(crawler: Crawler, error: UserError) -> None:
    """Say why, and end the crawl before its first request.

    Not by an exception, for which Scrapy would print a long traceback.
    """
    _log.error("%s", error)

    def close() -> None:
        raise CloseSpider(_REFUSED)

    crawler.signals.connect(close, signals.spider_opened, weak=False)


class DatahoundScheduler:
    """A Scrapy scheduler that asks a Datahound strategy what comes next."""

    def __init__(self, ordering: Ordering, dupefilter: BaseDupeFilter, crawler: Crawler) -> None:
        self.ordering = ordering
        self._dupefilter = dupefilter
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        try:
            ordering = make_ordering(crawler.settings)
        except UserError as error:
            _refuse(crawler, error)
            ordering = Ordering(make_strategy(DEFAULT_STRATEGY), find_wanted(None))
        dupefilter = build_from_crawler(load_object(crawler.settings["DUPEFILTER_CLASS"]), crawler)
        return cls(ordering, dupefilter, crawler)

    def open(self, spider: Spider) -> Any:
        self._spider = spider
        return self._dupefilter.open()

    def close(self, reason: str) -> Any:
        return self._dupefilter.close(reason)

    def has_pending_requests(self) -> bool:
        return len(self.ordering) > 0

    def enqueue_request(self, request: Request) -> bool:
        """Keep a request, unless it was seen before."""
        if not request.dont_filter and self._dupefilter.request_seen(request):
            self._dupefilter.log(request, self._spider)
            return False
        self.ordering.add(request)
        self._crawler.stats.inc_value("scheduler/enqueued")
        return True

    def next_request(self) -> Request | None:
        request = self.ordering.next()
        if request is not None:
            self._crawler.stats.inc_value("scheduler/dequeued")
        return request


class DatahoundMiddleware:
    """A Scrapy spider middleware that tells the strategy what links are and what pages brought."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        if load_object(crawler.settings["SCHEDULER"]) is not DatahoundScheduler:
            _refuse(crawler, UserError("DatahoundMiddleware needs DatahoundScheduler as SCHEDULER"))
        middleware = cls(crawler)
        crawler.signals.connect(middleware.response_received, signals.response_received)
        return middleware

    def response_received(self, response: http.Response, request: Request) -> None:
        """Learn from every answer, also from those that the spider never gets."""
        self._ordering.learn(response, request)

    def process_spider_output(
        self, response: http.Response, result: Iterable[Any]
    ) -> Iterator[Any]:
        ordering = self._ordering
        reading = ordering.open_page(response)
        try:
            for item in result:
                ordering.hand_ticket(item, reading)
                yield item
        finally:
            ordering.close_page(reading)

    async def process_spider_output_async(
        self, response: http.Response, result: AsyncIterator[Any]
    ) -> AsyncIterator[Any]:
        ordering = self._ordering
        reading = ordering.open_page(response)
        try:
            async for item in result:
                ordering.hand_ticket(item, reading)
                yield item
        finally:
            ordering.close_page(reading)

    @property
    def _ordering(self) -> Ordering:
        # Once there are answers, there is an engine, with the scheduler that the settings name.
        return cast("DatahoundScheduler", self._crawler.engine.scheduler).ordering


def _can_wait(request: Request) -> bool:
    """Whether a request is a plain GET, which can be made at any time."""
    plain = request.method == "GET" and not request.body
    return plain and request.priority <= 0 and not request.dont_filter


def _answer(response: http.Response) -> Response:
    """A Scrapy response as the rest of Datahound knows it."""
    content_type = response.headers.get("Content-Type") or b""
    headers = {"content-type": content_type.decode("latin-1")}
    return Response(response.url, response.status, headers, response.body, len(response.body))
