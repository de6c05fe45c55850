"""One visit at a time: choosing a link, reading its page, dealing with what is on it."""

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import replace

from datahound.crawl.aside import LaidAside
from datahound.crawl.fetching import NEITHER, Fetching, Outcome
from datahound.crawl.reading import Reading
from datahound.crawl.story import Story
from datahound.crawl.strategy import Foreseeing, State, Strategy, Visit
from datahound.events import ActionCreated, Chosen, Discovered, Visited
from datahound.model import Answer, Choice, Fetch, Kind, Link, Page, Purpose, Response
from datahound.web.urls import canonical

_MOST_BY_CHANCE = 8
"""Pages met by chance that are kept in memory; no more files are foreseen meanwhile."""

Talk = Generator[Fetch | None, Answer, None]
"""Yields fetches and is sent their answers; a None marks the boundary between two visits."""


class Visiting:
    """Asks a strategy what to visit and teaches it what came of it, by yielding fetches."""

    def __init__(
        self,
        strategy: Strategy,
        fetching: Fetching,
        story: Story,
        read: Callable[[Response], Page],
    ) -> None:
        self.laid_aside = LaidAside()
        self._strategy = strategy
        self._foreseeing = strategy if isinstance(strategy, Foreseeing) else None
        self._fetching = fetching
        self._story = story
        self._read = read
        self._numbers = 1
        self._actions = 0
        self._met_by_chance: list[Outcome] = []
        """Pages that stand where a file was expected, still to be read."""

    def begin(self, seed: str) -> Talk:
        """Visit the first page."""
        yield from self._visit(Choice(Link(seed)), patient=True)
        yield from self._read_met_by_chance()

    def go_on(self) -> Generator[Fetch | None, Answer, bool]:
        """Visit what the strategy chooses; False when nothing is left."""
        is_more = yield from self._visit_next()
        yield from self._read_met_by_chance()
        return is_more

    def snapshot(self) -> State:
        return {
            "numbers": self._numbers,
            "actions": self._actions,
            "laid_aside": self.laid_aside.snapshot(),
        }

    def restore(self, state: State, links: Mapping[int, Link]) -> None:
        self._numbers = state["numbers"]
        self._actions = state["actions"]
        self.laid_aside.restore(state["laid_aside"], links)

    def _visit_next(self) -> Generator[Fetch | None, Answer, bool]:
        if self.laid_aside.are_due(self._fetching.tally.visits):
            yield from self._take_up(patient=False)
        choice = self._strategy.choose(self._fetching.tally.gets)
        if choice is None:
            if not self.laid_aside:
                return False
            yield from self._take_up(patient=True)
            return True
        if self._story.wants(Chosen):
            why = self._strategy.explain(choice)
            self._story.tell(Chosen(choice, why.score, why.bonus, why.runners_up, why.basis))
        files = yield from self._collect_companions(choice.link)
        if files:
            self._fetching.tally.visits += 1
            self._story.tell(Visited(self._fetching.tally.requests, choice, len(files), None))
            self._keep(replace(choice.link, number=self._next_number()), files)
        else:
            yield from self._visit(choice)
        return True

    def _take_up(self, *, patient: bool) -> Talk:
        """Try the link again that was laid aside first."""
        link, choice = self.laid_aside.take()
        if choice is not None:
            yield from self._visit(choice, patient=patient)
            return
        outcome = yield from self._collect(link, patient=patient)
        if outcome is not None and outcome.kind is Kind.HTML:
            yield from self._adopt_all(outcome)

    def _read_met_by_chance(self) -> Talk:
        while self._met_by_chance:
            yield from self._adopt_all(self._met_by_chance.pop())

    def _adopt_all(self, mistaken: Outcome) -> Talk:
        """Read a page that was mistaken for a target, and those that it leads to."""
        if mistaken.response is not None:
            yield from self._read_all(self._adopt(mistaken.link), mistaken.response)

    def _visit(self, choice: Choice, *, patient: bool = False) -> Talk:
        """GET a chosen link, and read it if it is a page."""
        getting = self._fetching.get(choice.link, Purpose.VISIT, Kind.HTML, patient=patient)
        outcome = yield from getting
        if outcome.is_alias:
            return
        if outcome.postponed:
            self._fetching.tally.visits += 1
            self.laid_aside.add(outcome.link, Choice(outcome.link, choice.action))
            return
        choice = Choice(outcome.link, choice.action)
        if outcome.kind is Kind.HTML and outcome.response is not None:
            yield from self._read_all(choice, outcome.response)
        else:
            self._fetching.tally.visits += 1
            self._strategy.learn_visit(choice, Visit(failed=True))
            self._story.tell(Visited(self._fetching.tally.requests, choice, None, 0))

    def _read_all(self, choice: Choice, response: Response) -> Talk:
        """Read a page, and each page that was mistaken for a target on the way."""
        readings = [Reading(choice, self._page(response))]
        while readings:
            mistaken = yield from self._read_on(readings[-1])
            if mistaken is not None and mistaken.response is not None:
                adopted = self._adopt(mistaken.link)
                readings.append(Reading(adopted, self._page(mistaken.response)))
            else:
                self._close(readings.pop())

    def _page(self, response: Response) -> Page:
        page = self._read(response)
        if page.declared and self._strategy.uses_metadata:
            return replace(page, links=page.links + page.declared)
        return page

    def _adopt(self, link: Link) -> Choice:
        adopted = self._strategy.adopt(link)
        self._note_action(adopted.action, link)
        return adopted

    def _close(self, reading: Reading) -> None:
        self._fetching.tally.visits += 1
        self._fetching.note_page(reading.choice.link.url, reading.page)
        self._strategy.learn_visit(reading.choice, reading.visit())
        if self._story.wants(Visited):
            self._story.tell(reading.visited(self._fetching.tally.requests))

    def _read_on(self, reading: Reading) -> Generator[Fetch | None, Answer, Outcome | None]:
        """Go on with a page's links; stops early at a page that was mistaken for a target."""
        known = self._fetching.known
        for seen in reading.rest:
            if seen.url in known:
                continue
            known[seen.url] = None
            link = self._meet(seen, reading.choice.link.depth + 1)
            if link is None:
                continue
            reading.new_links.append(link)
            outcome = yield from self._deal_with(link, reading)
            if outcome is not None and outcome.kind is Kind.TARGET:
                reading.reward += 1
            elif outcome is not None and outcome.kind is Kind.HTML:
                return outcome
        return None

    def _meet(self, seen: Link, depth: int) -> Link | None:
        """A link never seen before, with its place in the crawl; None if it is left out."""
        if reason := self._fetching.objection(seen.url):
            self._fetching.skip(seen, reason)
            return None
        return Link(
            seen.url,
            seen.tag_path,
            seen.anchor,
            seen.surrounding,
            seen.found_on,
            depth,
            self._next_number(),
        )

    def _next_number(self) -> int:
        self._numbers += 1
        return self._numbers - 1

    def _deal_with(
        self, link: Link, reading: Reading
    ) -> Generator[Fetch | None, Answer, Outcome | None]:
        """Keep a new link, collect it or drop it; the outcome, if it was fetched."""
        expected = self._strategy.expect(link)
        if expected is None:
            probed = yield from self._fetching.probe(link)
            if probed.postponed:
                self._story.tell(Discovered(link, None, None))
                self.laid_aside.add(probed.link)
                return None
            link, expected = probed.link, probed.kind
        elif expected is Kind.OTHER:
            self._fetching.skip(link, NEITHER)
        if expected is Kind.OTHER:
            return None
        if expected is Kind.HTML:
            files = yield from self._collect_companions(link)
            reading.foreseen += len(files)
            self._keep(link, files)
            return None
        self._story.tell(Discovered(link, expected, None))
        return (yield from self._collect(link))

    def _collect(
        self, link: Link, *, patient: bool = False
    ) -> Generator[Fetch | None, Answer, Outcome | None]:
        outcome = yield from self._fetching.get(link, Purpose.COLLECT, Kind.TARGET, patient=patient)
        if not outcome.postponed:
            return outcome
        self.laid_aside.add(outcome.link)
        return None

    def _collect_companions(self, link: Link) -> Generator[Fetch | None, Answer, list[str]]:
        """Collect the files that a page is foreseen to have; those of them that were there."""
        found: list[str] = []
        if self._foreseeing is None:
            return found
        for url in self._foreseeing.companions(link):
            if canonical(url) != url or len(self._met_by_chance) >= _MOST_BY_CHANCE:
                continue
            if url in self._fetching.known or self._fetching.objection(url):
                continue
            self._fetching.known[url] = None
            # No element that was read leads to it, so it has no tag path.
            file = Link(url, "", link.anchor, "", link.url, link.depth + 1, self._next_number())
            self._story.tell(Discovered(file, Kind.TARGET, None))
            outcome = yield from self._collect(file)
            if outcome is None:
                continue
            is_target = outcome.kind is Kind.TARGET
            self._foreseeing.learn_companion(link, url, found=is_target)
            if is_target:
                found.append(url)
            elif outcome.kind is Kind.HTML:
                self._met_by_chance.append(outcome)
        return found

    def _keep(self, link: Link, files: Sequence[str] = ()) -> None:
        """Keep a page for later, of which these files were collected without it."""
        if files and self._foreseeing is not None:
            action = self._foreseeing.add_emptied(link, files)
        else:
            action = self._strategy.add(link)
        self._note_action(action, link)
        if self._story.wants(Discovered):
            self._story.tell(Discovered(link, Kind.HTML, action))

    def _note_action(self, action: int | None, link: Link) -> None:
        # Actions are numbered as they are founded: a number not seen before is a new one.
        if action is not None and action >= self._actions:
            self._actions = action + 1
            self._story.tell(ActionCreated(action, link.tag_path))
