"""A recording over time, parsed once, and what was really new, changed and gone in each round."""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from datahound.archive import open_lapse
from datahound.engines.replay import not_recorded
from datahound.model import Fetch, Kind, Page, Purpose, Response
from datahound.readers import Readers, find_sitemaps, read_listing
from datahound.settings import PageSettings
from datahound.web.messages import is_redirect
from datahound.web.site import Site
from datahound.web.targets import has_blocked_extension, kind_of
from datahound.web.urls import join

_MAX_STEPS = 6
"""Steps from a page that was read to a new one that a cover may take."""


@dataclass(frozen=True)
class RoundTruth:
    """What a full crawl of a round finds."""

    date: float
    links: dict[str, tuple[str, ...]]
    """The pages, each with its links that lead to pages, redirects or files."""
    files: dict[str, str]
    """The files, each with its validator."""
    redirects: dict[str, str] = field(default_factory=dict)
    new: frozenset[str] = frozenset()
    """Files of no earlier round."""
    changed: frozenset[str] = frozenset()
    """Files with other bytes than in the round before."""


class LapseSite:
    """Answers from a recording over time; pages are parsed once for all trials."""

    def __init__(self, spec: str | Path) -> None:
        self.lapse = open_lapse(spec)
        self.name, self.seed, self.dates = self.lapse.name, self.lapse.seed, self.lapse.dates
        self._readers = Readers(PageSettings())
        self._answers: dict[tuple[str, int, bool], Response] = {}
        self.truths = list(self._take_censuses())

    def get(self, fetch: Fetch, number: int) -> Response:
        """The answer to a fetch in a round; its body is parsed and dropped."""
        version = self.lapse.version(fetch.url, number)
        if version is None:
            return not_recorded(fetch)
        is_list = fetch.purpose is Purpose.LIST
        known = self._answers.get((fetch.url, version, is_list))
        if known is None:
            known = self._read(fetch, number)
            self._answers[fetch.url, version, is_list] = known
        return known

    def find_sitemaps(self, number: int) -> tuple[str, ...]:
        """The sitemaps that robots.txt names in a round."""
        url = join(self.seed, "/robots.txt") or ""
        found = self.lapse.find(url, number)
        if found is None or not isinstance(found.answer, Response):
            return ()
        return find_sitemaps(url, found.answer.body.decode("utf-8", "replace"))

    def close(self) -> None:
        self.lapse.close()

    def _read(self, fetch: Fetch, number: int) -> Response:
        found = self.lapse.find(fetch.url, number)
        answer = found.answer if found else None
        if not isinstance(answer, Response):
            return not_recorded(fetch)
        page = self._readers.read(answer) if kind_of(answer) is Kind.PAGE else None
        if fetch.purpose is Purpose.LIST:
            page = read_listing(answer)
        return replace(answer, url=fetch.url, body=b"", page=page)

    def _take_censuses(self) -> Iterable[RoundTruth]:
        ever: set[str] = set()
        before: dict[str, str] = {}
        for number in range(len(self.lapse)):
            truth = self._take_census(number)
            files = truth.files
            if number:
                # A file that is new has no tag before it, and counts as new, not as changed.
                changed = {url for url, tag in files.items() if before.get(url, tag) != tag}
                truth = replace(
                    truth, new=frozenset(files.keys() - ever), changed=frozenset(changed)
                )
            ever |= files.keys()
            before = files
            yield truth

    def _take_census(self, number: int) -> RoundTruth:
        """Follow every link from the start page."""
        site = Site(self.seed)
        truth = RoundTruth(self.dates[number], {}, {})
        links: dict[str, Page] = {}
        waiting, seen = deque([self.seed]), {self.seed}
        while waiting:
            url = waiting.popleft()
            answer = self.get(Fetch(url), number)
            targets: list[str] = []
            if answer.page is not None:
                links[url] = answer.page
                targets = [link.url for link in answer.page.links]
            elif is_redirect(answer.status):
                if (to := join(url, answer.headers.get("location", ""))) is not None:
                    truth.redirects[url] = to
                    targets = [to]
            elif kind_of(answer) is Kind.TARGET:
                truth.files[url] = answer.headers.get("etag", "")
            for target in dict.fromkeys(targets):
                if target not in seen and not site.objection(target):
                    seen.add(target)
                    # Pictures are marked as seen, too, so that they are looked at once only.
                    if not has_blocked_extension(target):
                        waiting.append(target)
        useful = links.keys() | truth.files.keys() | truth.redirects.keys()
        for url, page in links.items():
            named = dict.fromkeys(link.url for link in page.links)
            truth.links[url] = tuple(name for name in named if name in useful)
        return truth


def find_cover(truth: RoundTruth, known: set[str], budget: int | None = None) -> tuple[int, int]:
    """New files that can be found with a budget and full knowledge, and the requests for them.

    Greedy by gain per request: a known page costs 1, a new one its chain from a page that was read
    in this round or before.
    """
    costs = _find_costs(truth, known)
    holders: dict[str, set[str]] = {}
    for page in costs:
        if gain := {resolve(truth, url) for url in truth.links[page]} & truth.new:
            holders[page] = gain
    left, spent = set(truth.new), 0
    while holders:
        page, gain = max(holders.items(), key=lambda item: len(item[1]) / costs[item[0]])
        if not gain or (budget is not None and spent + costs[page] > budget):
            del holders[page]
            continue
        left -= gain
        spent += costs[page]
        del holders[page]
        holders = {url: files & left for url, files in holders.items() if files & left}
    return len(truth.new) - len(left), spent


def resolve(truth: RoundTruth, url: str) -> str:
    """Where a URL leads, redirects followed."""
    for _ in range(_MAX_STEPS):
        if url not in truth.redirects:
            break
        url = truth.redirects[url]
    return url


def _find_costs(truth: RoundTruth, known: set[str]) -> dict[str, int]:
    """Requests to read each page of a round."""
    costs = {url: 1 for url in truth.links if url in known}
    edge = list(costs)
    for step in range(2, _MAX_STEPS):
        found = {resolve(truth, target) for url in edge for target in truth.links[url]}
        edge = [url for url in found if url in truth.links and url not in costs]
        costs |= dict.fromkeys(edge, step)
    return costs
