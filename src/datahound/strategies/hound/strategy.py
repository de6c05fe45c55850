"""hound: the default strategy. README.md in this folder has the picture and the formulas."""

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from random import Random
from typing import NamedTuple

import numpy as np

from datahound.crawl.frontier import Frontier
from datahound.crawl.strategy import A_TARGET, Expectation, State, Visit
from datahound.events import Evidence, Experience, Ground, Level
from datahound.learn.actions import ActionSpace
from datahound.model import Choice, Kind, Link
from datahound.settings import StrategySettings
from datahound.strategies.hound.bandit import GroupBandit
from datahound.strategies.hound.credit import CreditLedger, estimate_promise
from datahound.strategies.hound.file_rules import FileRules
from datahound.strategies.hound.link_model import LinkModel
from datahound.strategies.hound.url_kind import UrlKindModel
from datahound.strategies.randomness import plain_state, restore_state
from datahound.web.targets import Wanted
from datahound.web.types import PAGE_EXTENSIONS
from datahound.web.urls import extension_of

_RUNNERS_UP = 3
_MAX_OTHERS = 3
"""Files of other types that count on one page."""
_REFRESHED = 4
"""Groups per choice whose best chance is estimated again, since the link model keeps learning."""


class _BestLink(NamedTuple):
    """The best link among some of a group: its place in the frontier, and its chance."""

    group: int
    place: int
    chance: float


class _Reasons(NamedTuple):
    """Why a link was chosen."""

    score: float = 0.0
    chance: float = 0.0
    runners_up: tuple[tuple[int, float], ...] = ()
    is_proof: bool = False
    """Whether its page was due as proof of a rule, whatever its score."""


class HoundStrategy:
    """Thompson sampling over groups of links; within a group, the link with the highest chance.

    A choice's action is the number of its group: the links with similar tag paths in one
    directory, or on one page if each of them is a directory of its own. A link that was chosen
    for a page and turns out to be a target earns its group a reward of 1.
    """

    def __init__(self, settings: StrategySettings, rng: Random, wanted: Wanted) -> None:
        self._settings = settings.hound
        self._rng = rng
        self._wanted = wanted
        # Without a tolerance, as when hound's figures were measured.
        self.actions = ActionSpace(replace(settings.actions, tolerance=0.0))
        # With its own generator, so that its samples do not depend on other random choices.
        self.bandit = GroupBandit(rng.getrandbits(63), self._settings)
        self.frontier = Frontier(rng)
        self.url_kinds = UrlKindModel(
            self._settings,
            target_extensions=sorted(wanted.extensions),
            page_extensions=sorted(PAGE_EXTENSIONS),
        )
        self.link_model = LinkModel(self._settings)
        self.credits = CreditLedger()
        self.file_rules = FileRules()
        self.endpoints = self.bandit.endpoints
        self._met: dict[int, int] = {}
        """By number, the groups of waiting links found on pages that were not learned from yet."""
        self._emptied: set[int] = set()
        """Groups of pages whose files were collected before the pages were read."""
        self._due: list[tuple[int, int]] = []
        """Groups and numbers of links whose pages are to prove a rule: they are chosen first."""
        self._turn = 0
        """The place in the order of groups whose best chance is estimated again next."""
        self._reasons = _Reasons()

    def expect(self, link: Link) -> Expectation:
        if self.url_kinds.score(link.url) + self._judge_name(link) > 0:
            return A_TARGET
        return Expectation(Kind.PAGE, self._foresee_files(link))

    def add(self, link: Link) -> int:
        if link.is_endpoint:
            self.endpoints.add(link)
            return self._find_arm(link)
        return self._add(link, self._find_group(link))

    def add_again(self, link: Link, files: Sequence[str]) -> int:
        # Pages whose files follow from the same rule are alike, and so are their other links.
        kind = self.file_rules.name_kind(link.url, files[0])
        group = self._add(link, self._find_group_of(link, kind))
        self._emptied.add(group)
        if self.file_rules.needs_proof(link.url):
            self._due.append((group, link.number))
        return group

    def adopt(self, link: Link) -> Choice:
        return Choice(link, self._find_arm(link) if link.is_endpoint else self._find_group(link))

    def choose(self, gets: int, under_way: Mapping[int, int]) -> Choice | None:  # noqa: ARG002
        # First, because a rule without proof may request files that are all the same error page.
        if self._due:
            return self._choose_due()
        is_last = not len(self.frontier)
        if endpoint := self.endpoints.choose(self.bandit.rate, is_last=is_last):
            self._reasons = _Reasons(self.endpoints.expect_of(endpoint))
            return Choice(endpoint, self._find_arm(endpoint))
        count = self._settings.candidates
        samples = self.bandit.rank_groups(self.frontier.awake, count, under_way)
        if not samples:
            return None
        best = self._find_best([*(sample.group for sample in samples), *self._next_in_turn()])
        scored = [(s.score(link.chance), link) for s, link in zip(samples, best, strict=False)]
        # Sorted by the score alone, so that equals stay in the order of the samples.
        scored.sort(key=lambda pair: -pair[0])
        (score, chosen), *others = scored
        runners_up = tuple((other.group, score) for score, other in others[:_RUNNERS_UP])
        self._reasons = _Reasons(score, chosen.chance, runners_up)
        return self._take(chosen.group, chosen.place)

    def learn_foreseen(self, link: Link, url: str, *, found: bool) -> None:
        self.file_rules.learn_request(link.url, url, found=found)

    def learn_kind(self, link: Link, kind: Kind) -> None:
        self.url_kinds.learn(link.url, is_target=kind is Kind.TARGET)

    def learn_visit(self, choice: Choice, visit: Visit) -> None:
        link, group = choice.link, choice.group
        if link.is_endpoint:
            self.endpoints.learn(link, visit.reward, visit.new_links)
            self._take_met(visit.new_links)
            return
        if self._settings.companions and visit.kind is Kind.PAGE:
            self._learn_files(visit.url or link.url, visit)
        met = self._take_met(visit.new_links)
        if group is None:
            return
        reward = visit.reward + (visit.kind is Kind.TARGET) + self._value_others(visit)
        promise = estimate_promise(reward, self._list_prospects(met))
        self.bandit.learn(
            group,
            reward,
            chance=self._learn_link(link, group, reward),
            # The targets that the page promises beyond its own.
            credit=self._settings.credit * (promise - reward),
            is_page=reward > 0 or visit.kind is Kind.PAGE,
        )
        further = self.credits.follow_link(link.found_on, reward)
        if further is not None:
            credited, credit = further
            self.bandit.add_credit(credited, self._settings.credit * credit)
        if met:
            self.credits.add_page(visit.new_links[0].found_on, group, reward, promise)

    def learn_revisit(self, visit: Visit) -> float:
        met = self._take_met(visit.new_links)
        return estimate_promise(visit.reward, self._list_prospects(met))

    def explain(self, choice: Choice) -> Evidence:
        if choice.group is None:
            return Evidence()
        reasons = self._reasons
        if choice.link.is_endpoint:
            return Evidence(reasons.score, reasons.score, site_rate=self.bandit.rate)
        seen = zip(Level, self.bandit.count_evidence(choice.group), strict=True)
        grounds = {
            Ground.FILES_COLLECTED: choice.group in self._emptied,
            Ground.PROVES_RULE: reasons.is_proof,
        }
        return Evidence(
            None if reasons.is_proof else reasons.score,
            self.bandit.expect(choice.group).score(reasons.chance),
            tuple(Experience(level, *counts) for level, counts in seen),
            reasons.chance,
            self.bandit.rate,
            tuple(ground for ground, holds in grounds.items() if holds),
            reasons.runners_up,
        )

    def place_of(self, link: Link) -> str:
        return link.url.partition("?")[0].rstrip("/").rpartition("/")[0] + "/"

    def waiting(self) -> Iterable[Link]:
        return chain(self.frontier, self.endpoints)

    def snapshot(self) -> State:
        return {
            "actions": self.actions.snapshot(),
            "bandit": self.bandit.snapshot(),
            "frontier": self.frontier.snapshot(),
            "url_kinds": self.url_kinds.snapshot(),
            "link_model": self.link_model.snapshot(),
            "credits": self.credits.snapshot(),
            "file_rules": self.file_rules.snapshot(),
            "endpoints": self.endpoints.snapshot(),
            "met": array("q", self._met),
            "groups_met": array("q", self._met.values()),
            "emptied": array("q", sorted(self._emptied)),
            "due": [list(pair) for pair in self._due],
            "turn": self._turn,
            "rng": plain_state(self._rng),
        }

    def restore(self, state: State, links: Mapping[int, Link]) -> None:
        self.actions.restore(state["actions"])
        self.bandit.restore(state["bandit"])
        self.frontier.restore(state["frontier"], links)
        self.url_kinds.restore(state["url_kinds"])
        self.link_model.restore(state["link_model"])
        self.credits.restore(state["credits"])
        self.file_rules.restore(state["file_rules"])
        self.endpoints.restore(state["endpoints"], links)
        self._met = dict(zip(state["met"], state["groups_met"], strict=True))
        self._emptied = set(state["emptied"])
        self._due = [(group, number) for group, number in state["due"]]
        self._turn = state["turn"]
        restore_state(self._rng, state["rng"])

    def _judge_name(self, link: Link) -> float:
        """What a file name adds to its extension, as the logarithm of odds."""
        wanted, url = self._wanted, link.url
        if not wanted.by_name or extension_of(url) in wanted.extensions:
            return 0.0
        prior = self._settings.extension_prior
        # Twice, because an extension that is not wanted subtracts the same prior.
        return 2 * prior if wanted.names_file(url, link.hint) else 0.0

    def _add(self, link: Link, group: int) -> int:
        self._met[link.number] = group
        # Read now, one by one: to read all links of a page at its end would take long.
        self.link_model.read(link)
        self.frontier.add(link, group)
        return group

    def _find_group(self, link: Link) -> int:
        # Links from each uncommon place have their own groups, however similar their tag paths.
        return self._find_group_of(link, f"{link.source}{self.actions.assign(link.tag_path)}")

    def _find_arm(self, link: Link) -> int:
        """The number of an endpoint's group, which the bandit never chooses."""
        number = self.endpoints.find_group(link)
        if number is None:
            number = self.bandit.add_outsider(link.tag_path)
            self.endpoints.name_group(link, number)
        return number

    def _find_group_of(self, link: Link, action: str) -> int:
        directory = link.url.partition("?")[0].rpartition("/")[0]
        # The host and the first directory.
        section = "/".join(directory.split("/", 4)[2:4])
        # A URL that ends with a slash is its own directory, so the page that it was found on is its
        # place.
        place = link.found_on if link.url.endswith("/") else directory
        return self.bandit.find_group(action, section, place, extension_of(link.url))

    def _choose_due(self) -> Choice:
        group, number = self._due.pop(0)
        choice = self._take(group, self.frontier.place(group, number))
        chance = float(self.link_model.estimate_chances([choice.link])[0])
        self._reasons = _Reasons(chance=chance, is_proof=True)
        return choice

    def _take(self, group: int, place: int) -> Choice:
        link = self.frontier.take(group, place)
        if group in self._emptied:
            # `add_again` may have added it long after the page that it was found on.
            self._met.pop(link.number, None)
        return Choice(link, group, self._foresee_files(link))

    def _foresee_files(self, link: Link) -> tuple[str, ...]:
        """URLs of files that the page of a link most probably has."""
        return tuple(self.file_rules.predict_files(link.url)) if self._settings.companions else ()

    def _next_in_turn(self) -> list[int]:
        """The next groups in turn, without those that have no waiting links."""
        groups, self._turn = self.bandit.take_turn(self._turn, _REFRESHED)
        return [group for group in groups if self.frontier.waiting(group)]

    def _find_best(self, groups: list[int]) -> list[_BestLink]:
        """The best of some links of each group; all are estimated at once, which is faster."""
        links, numbers, rows = list[Link](), array("q"), []
        for group in groups:
            begin, some, their_numbers = self.frontier.look(group, self._settings.samples)
            rows.append((begin, slice(len(links), len(links) + len(some))))
            links += some
            numbers += their_numbers
        chances = self.link_model.estimate_chances(links, np.frombuffer(numbers, np.int64)).tolist()
        best = []
        for group, (begin, row) in zip(groups, rows, strict=True):
            of_group = chances[row]
            chance = max(of_group)
            self.bandit.note_chance(group, chance)
            best.append(_BestLink(group, begin + of_group.index(chance), chance))
        return best

    def _learn_files(self, page: str, visit: Visit) -> None:
        # New links that do not wait were collected as files.
        files = [link.url for link in visit.new_links if link.number not in self._met]
        links = (link.url for link in visit.links)
        self.file_rules.learn_page(page, files if visit.reward else [], links)

    def _value_others(self, visit: Visit) -> float:
        """The reward of files that the crawl leaves out because their types are not wanted."""
        return self._settings.other_files * min(visit.other_files, _MAX_OTHERS)

    def _learn_link(self, link: Link, group: int, reward: float) -> float:
        """Teach the link model; returns the chance that the link had before."""
        if group in self._emptied:
            # Such a page has lost its files, so its reward says nothing about other pages.
            return float(self.link_model.estimate_chances([link])[0])
        return self.link_model.learn(link, brought=reward > 0)

    def _take_met(self, links: Sequence[Link]) -> list[tuple[int, float]]:
        """Take the waiting links of a page out of `_met`; returns their groups and chances."""
        waiting = [link for link in links if link.number in self._met]
        if not waiting:
            return []
        groups = [self._met.pop(link.number) for link in waiting]
        met = list(zip(groups, self.link_model.estimate_chances(waiting).tolist(), strict=True))
        for group, chance in met:
            self.bandit.raise_chance(group, chance)
        return met

    def _list_prospects(self, met: list[tuple[int, float]]) -> list[float]:
        """The targets expected of each link of a page."""
        expected = {group: self.bandit.expect(group) for group in {group for group, _ in met}}
        return [expected[group].score(chance) for group, chance in met]
