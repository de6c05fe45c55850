"""hound: groups links by tag path and by place, draws the most promising group, asks nothing twice.

It needs fewer requests than the paper's crawlers: no HEAD, since extensions and what was learned
tell targets; groups that are found barren are barren where they are, not everywhere; and no URL is
asked for under a name that redirects to another.
"""

from collections.abc import Iterable, Mapping
from random import Random

from datahound.crawl.frontier import Frontier
from datahound.crawl.strategy import Explanation, State, Visit
from datahound.learn.actions import ActionSpace
from datahound.learn.group_bandit import GroupBandit
from datahound.learn.token_classifier import TokenClassifier
from datahound.model import Choice, Kind, Link
from datahound.settings import StrategySettings
from datahound.strategies.randomness import plain_state, restore_state
from datahound.web.extensions import PAGE_EXTENSIONS, extensions_of
from datahound.web.urls import extension_of

_RUNNERS_UP = 3


class HoundStrategy:
    """Thompson sampling over action, section and directory, with a classifier of URL tokens.

    A choice's action is the group of its directory. A link that is chosen for a page and turns out
    to be a target earns its group that one reward.
    """

    def __init__(self, settings: StrategySettings, rng: Random, targets: frozenset[str]) -> None:
        self.uses_aliases = settings.groups.aliases
        self.actions = ActionSpace(settings.actions)
        self.bandit = GroupBandit(rng.getrandbits(63), settings.groups)
        self.frontier = Frontier(rng)
        self.classifier = TokenClassifier(
            rng,
            settings.tokens,
            target_extensions=sorted(extensions_of(targets)),
            page_extensions=sorted(PAGE_EXTENSIONS),
        )
        self._credit = settings.groups.credit
        self._rng = rng
        self._met: dict[int, int] = {}
        """The groups of the links that the pages being read have brought."""
        self._last_target = -1
        """The number of the link that was last found to be a target."""

    def expect(self, link: Link) -> Kind:
        return Kind.TARGET if self.classifier.score(link.url) > 0 else Kind.HTML

    def add(self, link: Link) -> int:
        group = self._met[link.number] = self._group_of(link)
        self.frontier.add(link, group)
        return group

    def adopt(self, link: Link) -> Choice:
        return Choice(link, self._group_of(link))

    def choose(self, time: int) -> Choice | None:  # noqa: ARG002
        group = self.bandit.choose(self.frontier.awake)
        return None if group is None else Choice(self.frontier.take(group), group)

    def learn_kind(self, link: Link, kind: Kind) -> None:
        self.classifier.learn(link.url, is_target=kind is Kind.TARGET)
        if kind is Kind.TARGET:
            self._last_target = link.number

    def learn_visit(self, choice: Choice, visit: Visit) -> None:
        met = [self._met.pop(link.number, -1) for link in visit.new_links]
        if choice.action is None:
            return
        reward = visit.reward
        if visit.failed and choice.link.number == self._last_target:
            reward = 1
        groups = dict.fromkeys(group for group in met if group >= 0)
        promise = max(map(self.bandit.expect, groups), default=0.0)
        credit = self._credit * max(promise - self.bandit.rate, 0.0)
        self.bandit.learn(choice.action, reward, credit)

    def explain(self, choice: Choice) -> Explanation:
        if choice.action is None:
            return Explanation()
        drawn = self.bandit.drawn(choice.action)
        expected = self.bandit.expect(choice.action)
        best = self.bandit.best(_RUNNERS_UP + 1)
        others = tuple(pair for pair in best if pair[0] != choice.action)[:_RUNNERS_UP]
        return Explanation(drawn, drawn - expected, others, self._basis(choice.action, expected))

    def waiting(self) -> Iterable[Link]:
        return self.frontier

    def snapshot(self) -> State:
        return {
            "actions": self.actions.snapshot(),
            "bandit": self.bandit.snapshot(),
            "frontier": self.frontier.snapshot(),
            "classifier": self.classifier.snapshot(),
            "rng": plain_state(self._rng),
        }

    def restore(self, state: State, links: Mapping[int, Link]) -> None:
        self.actions.restore(state["actions"])
        self.bandit.restore(state["bandit"])
        self.frontier.restore(state["frontier"], links)
        self.classifier.restore(state["classifier"])
        restore_state(self._rng, state["rng"])

    def _group_of(self, link: Link) -> int:
        extension = extension_of(link.url)
        directory = link.url.partition("?")[0].rpartition("/")[0]
        section = "/".join(directory.split("/", 4)[2:4])
        action = self.actions.assign(link.tag_path)
        return self.bandit.group(action, section + extension, directory + extension)

    def _basis(self, group: int, expected: float) -> str:
        seen = zip(
            ("links like it on the site", "in its section", "in its directory"),
            self.bandit.evidence(group),
            strict=True,
        )
        counted = [
            f"{rewards:.2g} from {visits:.0f} {where}"
            for where, (visits, rewards) in seen
            if visits
        ]
        rests_on = "lately " + ", ".join(counted) if counted else "nothing like it was visited yet"
        everywhere = f"any link of the site brings {self.bandit.rate:.2g}"
        return f"{expected:.3g} new targets expected: {rests_on}; {everywhere}"
