"""hound: groups links by tag path and by place, draws the most promising group, asks nothing twice.

It needs fewer requests than the paper's crawlers: no HEAD, since extensions and what was learned
tell targets; groups that are found barren are barren where they are, not everywhere; links of one
group are told apart by their words; pages that lead to others are known for it; files named after
their pages are collected before these are read; no URL is asked for under a name that redirects to
another, and no page is read under two names.
"""

from array import array
from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter
from random import Random

import numpy as np

from datahound.crawl.frontier import Frontier
from datahound.crawl.strategy import A_TARGET, Expectation, State, Visit
from datahound.events import Evidence, Experience, Ground, Level
from datahound.learn.actions import ActionSpace
from datahound.model import Choice, Kind, Link
from datahound.settings import StrategySettings
from datahound.strategies.hound.companions import Companions
from datahound.strategies.hound.group_bandit import GroupBandit
from datahound.strategies.hound.leads import Leads
from datahound.strategies.hound.token_classifier import TokenClassifier
from datahound.strategies.hound.worth import Worth
from datahound.strategies.randomness import plain_state, restore_state
from datahound.web.extensions import PAGE_EXTENSIONS, extensions_of
from datahound.web.urls import extension_of

_RUNNERS_UP = 3


class HoundStrategy:
    """Thompson sampling over action, section and directory, among them links by their worth.

    A choice's action is the innermost group of its link: those in one directory, or on one page if
    each is a directory of its own. A link that is chosen for a page and turns out to be a target
    earns its group that one reward.
    """

    def __init__(self, settings: StrategySettings, rng: Random, targets: frozenset[str]) -> None:
        self.actions = ActionSpace(settings.actions)
        self.bandit = GroupBandit(rng.getrandbits(63), settings.groups)
        self.frontier = Frontier(rng)
        self.classifier = TokenClassifier(
            rng,
            settings.tokens,
            target_extensions=sorted(extensions_of(targets)),
            page_extensions=sorted(PAGE_EXTENSIONS),
        )
        self.worth = Worth(settings.worth)
        self.leads = Leads()
        self.rules = Companions()
        """From pages to their files."""
        self._settings = settings.groups
        self._rng = rng
        self._met: dict[int, int] = {}
        """The groups of the links that the pages being read have brought."""
        self._due: list[tuple[int, int]] = []
        """Groups and numbers of links to pages that are to prove a rule, and so come first."""
        self._reasons: tuple[float | None, float] = (0.0, 0.0)
        """What was drawn for the last choice, and its chance; nothing if it is to prove a rule."""
        self._runners_up: tuple[tuple[int, float], ...] = ()

    def expect(self, link: Link) -> Expectation:
        if self.classifier.score(link.url) > 0:
            return A_TARGET
        return Expectation(Kind.PAGE, self._foresee(link))

    def add(self, link: Link) -> int:
        return self._add(link, self._group_of(link))

    def add_again(self, link: Link, files: Sequence[str]) -> int:
        # Pages with files by the same rule are of one kind, and so is what is left on them.
        group = self._add(link, self._group(link, self.rules.kind(link.url, files[0])))
        if self.rules.is_due(link.url):
            self._due.append((group, link.number))
        return group

    def adopt(self, link: Link) -> Choice:
        return Choice(link, self._group_of(link))

    def choose(self, gets: int, under_way: Mapping[int, int]) -> Choice | None:  # noqa: ARG002
        if self._due:
            return self._take_due()
        self._look_at([leaf for leaf in self.bandit.draw() if self.frontier.waiting(leaf)])
        best = self.bandit.best(self.frontier.awake, self._settings.candidates)
        if not best:
            return None
        looks = self._look_at([group for group, _ in best])
        scores = [self.bandit.drawn(group, chance) for group, _, chance in looks]
        ranked = sorted(zip(scores, looks, strict=True), key=itemgetter(0), reverse=True)
        (score, (group, place, chance)), *others = ranked
        self._reasons = score, chance
        self._runners_up = tuple((look[0], score) for score, look in others[:_RUNNERS_UP])
        return self._take(group, place)

    def learn_foreseen(self, link: Link, url: str, *, found: bool) -> None:
        self.rules.note(link.url, url, found=found)

    def learn_kind(self, link: Link, kind: Kind) -> None:
        self.classifier.learn(link.url, is_target=kind is Kind.TARGET)

    def learn_visit(self, choice: Choice, visit: Visit) -> None:
        is_emptied = choice.group is not None and self.bandit.is_emptied(choice.group)
        if self._settings.companions and visit.kind is Kind.PAGE:
            self._learn_rules(choice.link.url, visit)
        met = self._take_met(visit.new_links)
        if choice.group is None:
            return
        # A target that was chosen for a page earns its group that one reward.
        reward = visit.reward + (visit.kind is Kind.TARGET)
        if is_emptied:
            # What is left on it says nothing about pages that have their files.
            chance = float(self.worth.chances([choice.link])[0])
        else:
            chance = self.worth.learn(choice.link, brought=reward > 0)
        promise = self._promise(reward, met)
        credit = self._settings.credit * (promise - reward)
        is_page = reward > 0 or visit.kind is Kind.PAGE
        self.bandit.learn(choice.group, reward, chance=chance, credit=credit, is_page=is_page)
        led_further = self.leads.follow(choice.link.found_on, reward)
        if led_further is not None:
            group, more = led_further
            self.bandit.add_credit(group, self._settings.credit * more)
        if met:
            self.leads.add(visit.new_links[0].found_on, choice.group, reward, promise)

    def explain(self, choice: Choice) -> Evidence:
        if choice.group is None:
            return Evidence()
        drawn, chance = self._reasons
        is_proof = drawn is None
        experience = tuple(
            Experience(level, visits, targets)
            for level, (visits, targets) in zip(
                Level, self.bandit.evidence(choice.group), strict=True
            )
        )
        is_their_turn = self.bandit.is_turn_of_unvisited and not experience[-1].visits
        grounds = {
            Ground.UNTRIED: not is_proof and is_their_turn,
            Ground.FILES_COLLECTED: self.bandit.is_emptied(choice.group),
            Ground.PROVES_RULE: is_proof,
        }
        return Evidence(
            drawn,
            self.bandit.expect(choice.group, chance),
            experience,
            chance,
            self.bandit.rate,
            tuple(ground for ground, holds in grounds.items() if holds),
            self._runners_up,
        )

    def place_of(self, link: Link) -> str:
        return link.url.partition("?")[0].rstrip("/").rpartition("/")[0] + "/"

    def waiting(self) -> Iterable[Link]:
        return self.frontier

    def snapshot(self) -> State:
        return {
            "actions": self.actions.snapshot(),
            "bandit": self.bandit.snapshot(),
            "frontier": self.frontier.snapshot(),
            "classifier": self.classifier.snapshot(),
            "worth": self.worth.snapshot(),
            "leads": self.leads.snapshot(),
            "companions": self.rules.snapshot(),
            "due": [list(pair) for pair in self._due],
            "met": [list(pair) for pair in self._met.items()],
            "rng": plain_state(self._rng),
        }

    def restore(self, state: State, links: Mapping[int, Link]) -> None:
        self.actions.restore(state["actions"])
        self.bandit.restore(state["bandit"])
        self.frontier.restore(state["frontier"], links)
        self.classifier.restore(state["classifier"])
        self.worth.restore(state["worth"])
        self.leads.restore(state["leads"])
        self.rules.restore(state["companions"])
        self._due = [(group, number) for group, number in state["due"]]
        self._met = dict(state["met"])
        restore_state(self._rng, state["rng"])

    def _learn_rules(self, page: str, visit: Visit) -> None:
        files = [link.url for link in visit.new_links if link.number not in self._met]
        links = (link.url for link in visit.links)
        self.rules.learn(page, files if visit.reward else [], links)

    def _take_due(self) -> Choice:
        group, number = self._due.pop(0)
        choice = self._take(group, self.frontier.place(group, number))
        self._reasons = None, float(self.worth.chances([choice.link])[0])
        self._runners_up = ()
        return choice

    def _take(self, group: int, place: int) -> Choice:
        link = self.frontier.take(group, place)
        if self.bandit.is_emptied(group):
            # It may wait for a second time, long after its page was learned from.
            self._met.pop(link.number, None)
        return Choice(link, group, self._foresee(link))

    def _foresee(self, link: Link) -> tuple[str, ...]:
        """URLs of files that the page of a link most probably has."""
        return tuple(self.rules.guess(link.url)) if self._settings.companions else ()

    def _add(self, link: Link, group: int) -> int:
        self._met[link.number] = group
        self.frontier.add(link, group)
        return group

    def _group_of(self, link: Link) -> int:
        return self._group(link, self.actions.assign(link.tag_path))

    def _group(self, link: Link, action: int | str) -> int:
        extension = extension_of(link.url)
        directory = link.url.partition("?")[0].rpartition("/")[0]
        section = "/".join(directory.split("/", 4)[2:4])
        # A URL with a slash at its end is a directory of its own: what is beside it is on its page.
        place = link.found_on if link.url.endswith("/") else directory
        return self.bandit.group(action, section, place, extension)

    def _look_at(self, groups: list[int]) -> list[tuple[int, int, float]]:
        """For each group the best of some of its links: the link's place and its chance."""
        links, numbers, rows = list[Link](), array("q"), []
        for group in groups:
            begin, some, their_numbers = self.frontier.look(group, self._settings.samples)
            rows.append((begin, slice(len(links), len(links) + len(some))))
            links += some
            numbers += their_numbers
        if not links:
            return []
        chances = self.worth.chances(links, np.frombuffer(numbers, np.int64)).tolist()
        looks = []
        for group, (begin, row) in zip(groups, rows, strict=True):
            of_group = chances[row]
            chance = max(of_group)
            self.bandit.note_chance(group, chance)
            looks.append((group, begin + of_group.index(chance), chance))
        return looks

    def _take_met(self, links: Sequence[Link]) -> list[tuple[int, float]]:
        """The groups and chances of the links of a page that are kept for later."""
        groups = [(self._met.pop(link.number), link) for link in links if link.number in self._met]
        if not groups:
            return []
        chances = self.worth.chances([link for _, link in groups]).tolist()
        met = [(group, chance) for (group, _), chance in zip(groups, chances, strict=True)]
        for group, chance in met:
            self.bandit.note_chance(group, chance, at_least=True)
        return met

    def _promise(self, reward: int, met: list[tuple[int, float]]) -> float:
        """Targets a request, if after a page its best links are followed, as long as they help."""
        outlooks = {group: self.bandit.outlook(group) for group in {group for group, _ in met}}
        promises = (outlooks[group][0] * chance + outlooks[group][1] for group, chance in met)
        targets, requests = float(reward), 1
        for promise in sorted(promises, reverse=True):
            if promise * requests <= targets:
                break
            targets += promise
            requests += 1
        return targets / requests
