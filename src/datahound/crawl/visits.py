"""Visits: links are chosen, their pages are read, and the links on them are dealt with."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from datahound.crawl import errands, readings
from datahound.crawl.discovery import Discovery
from datahound.crawl.errands import Ending, Errand, Outcome, PostponedLinks
from datahound.crawl.event_log import EventLog
from datahound.crawl.fetches import Fetches
from datahound.crawl.readings import Foresight, Reading, count_off
from datahound.crawl.strategy import CompleteStrategy, Groups, State, Visit
from datahound.events import Checked, Chosen, Discovered, Foreseen, Visited, VisitOutcome
from datahound.model import Choice, Kind, Link, Page, Purpose, Skip, link_row
from datahound.web.urls import canonical

_MAX_UNEXPECTED = 8
"""Pages found where files were foreseen that wait in memory; no file is foreseen beyond that."""


class Visits:
    """Asks a strategy what to visit, and teaches it the results."""

    def __init__(
        self, strategy: CompleteStrategy, fetches: Fetches, log: EventLog, discovery: Discovery
    ) -> None:
        self.discovery = discovery
        self.postponed = PostponedLinks()
        self._strategy = strategy
        self._fetches = fetches
        self._log = log
        self._groups = Groups(strategy, log)
        self._works = 0
        self._readings: dict[int, Reading] = {}
        self._foresights: dict[int, Foresight] = {}
        # Numbers of readings and foresights with links or files left, the innermost last.
        self._unread: list[int] = []
        # Pages found where files were foreseen, still to be read.
        self._unexpected: list[tuple[Link, Page]] = []
        self._may_retry = True
        """Whether a postponed link may come before the next choice."""
        self.links_left: int | None = None  # links that may be looked at now; None for all

    @property
    def are_between_rounds(self) -> bool:
        """Whether a crawl may end here: a round is a retry, if one is due, and a choice."""
        return self._may_retry

    def begin(self, seed: str) -> Errand | None:
        """Visit the first page."""
        return self._start_visit(Choice(Link(seed)), patient=True)

    def go_on(self) -> Errand | None:
        """The next errand of the pages that are being read; None if they have no more for now."""
        while self._unread and self.links_left != 0:
            number = self._unread[-1]
            reading = self._readings.get(number)
            errand = self._read_on(reading) if reading else self._ask_on(self._foresights[number])
            if errand is not None:
                return errand
        return None

    def read_unexpected(self) -> bool:
        """Begin to read a page that was found where a file was foreseen, if there is one."""
        if not self._may_retry or not self._unexpected:
            return False
        self._adopt(*self._unexpected.pop())
        return True

    def collect_file(self) -> Errand | None:
        """The errand of the next file that was left out before, if there is one."""
        while (file := self.discovery.take_file()) is not None:
            if errand := self._start_collect(file):
                return errand
        return None

    def choose(self, *, is_alone: bool) -> tuple[bool, Errand | None]:
        """Begin the next visit: returns whether there was one, and its errand if it needs one.

        With `is_alone` nothing else is under way, so a postponed link is fetched patiently.
        """
        if self._may_retry and self.postponed.are_due(self._fetches.tally.visits):
            self._may_retry = False
            return True, self._retry(patient=False)
        if due := self.discovery.take_due():
            return True, self._visit_further(due)
        choice = self._strategy.choose(self._fetches.tally.gets, self._groups.under_way)
        if choice is None and (left := self.discovery.take_waiting(is_alone=is_alone)):
            return True, self._visit_further(left)
        if choice is None and not (is_alone and self.postponed):
            return False, None
        self._may_retry = True
        if choice is None:
            return True, self._retry(patient=True)
        self._groups.note(choice.group, choice.link)
        if self._log.wants(Chosen):
            self._log.add(Chosen(choice, self._strategy.explain(choice)))
        if choice.files:
            self._groups.count_under_way(choice, 1)
            self._foresee(Foresight(0, choice.link, choice.files, choice))
            return True, None
        return True, self._start_visit(choice)

    def settle(self, errand: Errand, outcome: Outcome) -> Errand | None:
        """Deal with the outcome of an errand; the errand that must follow at once, if one must."""
        if errand.choice is not None:
            end = self._end_check if errand.purpose is Purpose.CHECK else self._end_visit
            end(errand, errand.choice, outcome)
            return None
        if errand.purpose is Purpose.PROBE:
            return self._end_probe(errand, outcome)
        if foresight := self._foresights.get(errand.owner):
            return self._end_foreseen(foresight, errand, outcome)
        self._end_collect(errand, outcome)
        return None

    def snapshot(self) -> State:
        return {
            **self._groups.snapshot(),
            "works": self._works,
            "may_retry": self._may_retry,
            "postponed": self.postponed.snapshot(),
            "unread": list(self._unread),
            "readings": [readings.reading_row(reading) for reading in self._readings.values()],
            "foresights": [*map(readings.foresight_row, self._foresights.values())],
            "unexpected": [[link_row(x), readings.page_row(page)] for x, page in self._unexpected],
            "discovery": self.discovery.snapshot(),
        }

    def restore(self, state: State, links: Mapping[int, Link]) -> None:
        self._groups.restore(state)
        self._works, self._may_retry = state["works"], state["may_retry"]
        self.postponed.restore(state["postponed"], links)
        self._unread = list(state["unread"])
        self._readings = {r.number: r for r in map(readings.read_reading, state["readings"])}
        self._foresights = {f.number: f for f in map(readings.read_foresight, state["foresights"])}
        found = state["unexpected"]
        self._unexpected = [(Link(*link), readings.read_page(page)) for link, page in found]
        self.discovery.restore(state["discovery"])

    def _retry(self, *, patient: bool) -> Errand | None:
        """Try the link again that was postponed first."""
        link, choice = self.postponed.take()
        if choice is not None:
            return self._start_visit(choice, link, patient=patient)
        return self._start_collect(link, patient=patient)

    def _start_visit(
        self, choice: Choice, link: Link | None = None, *, patient: bool = False
    ) -> Errand | None:
        """Visit a choice; a redirect may have given its link another URL before a retry."""
        self._groups.count_under_way(choice, 1)
        link = link or choice.link
        expected = Kind.TARGET if choice.purpose is Purpose.CHECK else Kind.PAGE
        errand = Errand(choice.purpose, link, expected, choice, patient=patient)
        return self._start(self.discovery.complete(errand))

    def _start_collect(self, link: Link, owner: int = 0, *, patient: bool = False) -> Errand | None:
        return self._start(Errand(Purpose.COLLECT, link, Kind.TARGET, owner=owner, patient=patient))

    def _start(self, errand: Errand) -> Errand | None:
        """The errand, if something must be asked; else its outcome is dealt with here."""
        outcome = self._fetches.begin(errand)
        return errand if outcome is None else self.settle(errand, outcome)

    def _end_visit(self, errand: Errand, choice: Choice, outcome: Outcome) -> None:
        """End the visit of a chosen link: read its page, or learn that it is not a page."""
        if (page := self.discovery.read_page(outcome)) is not None:
            self._open(Reading(0, choice, outcome.link.url, page, outcome.kind))
            return
        self._groups.count_under_way(choice, -1)
        if outcome.ending is Ending.ALIAS:
            self._keep_all(self.discovery.learn_choice(choice.link.url, outcome.kind))
            return
        self._fetches.tally.visits += not choice.link.is_endpoint
        if outcome.ending is Ending.POSTPONED:
            self.postponed.add(outcome.link, choice)
            return
        # What a reader could not read is not a page, whatever its type says.
        kind = Kind.OTHER if outcome.kind is Kind.PAGE else outcome.kind
        is_target = kind is Kind.TARGET
        self._keep_all(self.discovery.learn(choice.link, paid=is_target, is_new=is_target))
        answered = errands.says_what_is_there(errand, outcome)
        self._strategy.learn_visit(choice, Visit(kind, url=outcome.link.url, answered=answered))
        reached = Choice(outcome.link, choice.group, purpose=choice.purpose)
        self._log.add(Visited(self._fetches.tally.requests, reached, VisitOutcome.NOT_A_PAGE))

    def _end_check(self, errand: Errand, choice: Choice, outcome: Outcome) -> None:
        """End the check of a file of an earlier round."""
        if outcome.ending is Ending.POSTPONED:
            self.postponed.add(outcome.link, choice)
            return
        found = errands.judge_check(errand, outcome)
        self._strategy.learn_check(choice, found)
        status = outcome.response.status if outcome.response else None
        self._log.add(Checked(self._fetches.tally.requests, choice.link, found, status))
        if found in errands.READ_AS_PAGES and (page := self.discovery.read_page(outcome)):
            self._adopt(outcome.link, page, outcome.kind)

    def _end_probe(self, errand: Errand, outcome: Outcome) -> Errand | None:
        """End a HEAD request: collect the link, keep it or drop it."""
        reading = self._readings[errand.owner]
        reading.pending -= 1
        following = None
        if outcome.ending is Ending.POSTPONED:
            self._log.add(Discovered(replace(outcome.link, url=errand.own_url), Kind.UNKNOWN))
            self.postponed.add(outcome.link)
        elif outcome.kind is Kind.PAGE:
            self._keep(outcome.link)
        elif outcome.kind is Kind.TARGET:
            following = self._collect(outcome.link, reading)
        self._close_if_done(reading)
        return following

    def _end_collect(self, errand: Errand, outcome: Outcome) -> None:
        """End the fetch of an expected target, for a reading or after a postponement."""
        reading = self._readings.get(errand.owner)
        if outcome.ending is Ending.POSTPONED:
            self.postponed.add(outcome.link)
        else:
            self._keep_all(self.discovery.learn_choice(errand.own_url, outcome.kind))
        if reading is not None:
            reading.pending -= 1
            reading.reward += outcome.kind is Kind.TARGET
        if (page := self.discovery.read_page(outcome)) is not None:
            self._adopt(outcome.link, page, outcome.kind)
        if reading is not None:
            self._close_if_done(reading)

    def _end_foreseen(
        self, foresight: Foresight, errand: Errand, outcome: Outcome
    ) -> Errand | None:
        """End the fetch of a foreseen file."""
        foresight.pending -= 1
        if outcome.ending is Ending.POSTPONED:
            self.postponed.add(outcome.link)
        else:
            found, url = outcome.kind is Kind.TARGET, errand.own_url
            self._strategy.learn_foreseen(foresight.link, url, found=found)
            self._log.add(Foreseen(foresight.link, outcome.link, found))
            if found:
                foresight.found.append(url)
            if (page := self.discovery.read_page(outcome)) is not None:
                self._unexpected.append((outcome.link, page))
        return self._close_foresight_if_done(foresight)

    def _adopt(self, link: Link, page: Page, kind: Kind = Kind.PAGE) -> None:
        """Read a page that was fetched as a target."""
        adopted = self._strategy.adopt(link)
        self._groups.note(adopted.group, link)
        self._groups.count_under_way(adopted, 1)
        self._open(Reading(0, adopted, adopted.link.url, page, kind))

    def _visit_further(self, link: Link) -> Errand | None:
        """Visit a link that has waited, and that the strategy did not choose."""
        choice = self._strategy.adopt(link)
        self._groups.note(choice.group, link)
        self._log.add(Discovered(link, Kind.PAGE, choice.group))
        return self._start_visit(choice)

    def _open(self, reading: Reading) -> None:
        reading.number = self._next_work()
        reading.unseen = self.discovery.list_unseen(reading.page, reading.choice.link)
        self.discovery.bound_links(reading)
        self._readings[reading.number] = reading
        self._unread.append(reading.number)

    def _foresee(self, foresight: Foresight) -> None:
        foresight.number = self._next_work()
        self._foresights[foresight.number] = foresight
        self._unread.append(foresight.number)

    def _next_work(self) -> int:
        self._works += 1
        return self._works

    def _read_on(self, reading: Reading) -> Errand | None:
        """Go on with a page's links until one must be fetched, or another page comes first."""
        known, links = self._fetches.known, reading.unseen
        if self._log.wants(Visited):
            reading.count_some_files(self._fetches.wanted.names_file)
        for position in range(reading.position, len(links)):
            seen = links[position]
            if seen.url in known:
                continue
            if self.links_left == 0:
                return None
            self.links_left = self.links_left and count_off(seen, self.links_left)
            reading.position = position + 1
            if (link := self.discovery.meet(seen, reading)) is None:
                continue
            reading.new_links.append(link)
            if errand := self._deal_with(link, reading):
                return errand
            if self._unread[-1] != reading.number:
                return None
        self._unread.pop()
        reading.is_read = True
        self._close_if_done(reading)
        return None

    def _deal_with(self, link: Link, reading: Reading) -> Errand | None:
        """Keep a new link, fetch it or drop it; its errand, if it must be fetched."""
        expected = self.discovery.expect(link)
        if expected.kind is Kind.PAGE:
            if expected.files:
                reading.pending += 1
                self._foresee(Foresight(0, link, expected.files, owner=reading.number))
            else:
                self._keep(link)
            return None
        if expected.kind is Kind.TARGET:
            return self._collect(link, reading)
        if expected.kind is Kind.UNKNOWN:
            reading.pending += 1
            return self._start(Errand(Purpose.PROBE, link, Kind.UNKNOWN, owner=reading.number))
        self._fetches.skip(link, Skip.NEITHER)
        return None

    def _collect(self, link: Link, reading: Reading) -> Errand | None:
        self._log.add(Discovered(link, Kind.TARGET))
        reading.pending += 1
        return self._start_collect(link, reading.number)

    def _ask_on(self, foresight: Foresight) -> Errand | None:
        """Ask for the next file that a page is foreseen to have."""
        page = foresight.link
        while foresight.position < len(foresight.urls):
            url = foresight.urls[foresight.position]
            foresight.position += 1
            if canonical(url) != url or len(self._unexpected) >= _MAX_UNEXPECTED:
                continue
            if url in self._fetches.known or self.discovery.objects_to(url):
                continue
            self._fetches.known[url] = None
            # No element that was read leads to it, so it has no tag path.
            number = self.discovery.next_number()
            file = Link(url, "", page.anchor, "", page.url, page.depth + 1, number)
            self._log.add(Discovered(file, Kind.TARGET))
            foresight.pending += 1
            if errand := self._start_collect(file, foresight.number):
                return errand
        self._unread.pop()
        foresight.is_asked = True
        return self._close_foresight_if_done(foresight)

    def _close_foresight_if_done(self, foresight: Foresight) -> Errand | None:
        """Keep a page for later, or read it now, if all of its foreseen files were dealt with."""
        if foresight.pending or not foresight.is_asked:
            return None
        del self._foresights[foresight.number]
        if foresight.choice is not None:
            return self._end_choice(foresight.choice, foresight.found)
        reading = self._readings[foresight.owner]
        reading.pending -= 1
        reading.foreseen += len(foresight.found)
        self._keep(foresight.link, foresight.found)
        self._close_if_done(reading)
        return None

    def _end_choice(self, choice: Choice, files: list[str]) -> Errand | None:
        """Visit a chosen page if none of its foreseen files was there; else keep it for later."""
        self._groups.count_under_way(choice, -1)
        if not files:
            return self._start_visit(choice)
        self._fetches.tally.visits += 1
        requests = self._fetches.tally.requests
        self._log.add(Visited(requests, choice, VisitOutcome.FORESEEN_ONLY, len(files)))
        self._keep(replace(choice.link, number=self.discovery.next_number()), files)
        return None

    def _keep(self, link: Link, files: "list[str] | tuple[str, ...]" = ()) -> None:
        """Keep a page for later; `files` of it were collected before it was read."""
        group = self._strategy.add_again(link, files) if files else self._strategy.add(link)
        self._groups.note(group, link)
        if self._log.wants(Discovered):
            self._log.add(Discovered(link, Kind.PAGE, group))
        if files:
            self._keep_all(self.discovery.learn_choice(link.url, Kind.TARGET))

    def _keep_all(self, links: Iterable[Link]) -> None:
        for link in links:
            self._keep(link)

    def _close_if_done(self, reading: Reading) -> None:
        """Learn from a page if all of its links and errands were dealt with."""
        if reading.pending or not reading.is_read:
            return
        del self._readings[reading.number]
        self._groups.count_under_way(reading.choice, -1)
        self._fetches.tally.visits += not reading.choice.link.is_endpoint
        if reading.choice.purpose is not Purpose.REVISIT:  # a later round knows one name per page
            self._fetches.note_page(reading.url, reading.page)
        paid = reading.reward > 0
        is_new = paid or bool(reading.new_links)
        self._keep_all(self.discovery.learn(reading.choice.link, paid=paid, is_new=is_new))
        self._strategy.learn_visit(reading.choice, reading.visit())
        if self._log.wants(Visited):  # counting the links to files takes time
            names_file = self._fetches.wanted.names_file
            self._log.add(reading.visited(self._fetches.tally.requests, names_file))
