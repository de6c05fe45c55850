"""The paper's crawlers: sb-classifier, and sb-oracle, which knows the kind of every URL."""

from collections.abc import Callable, Iterable, Mapping
from random import Random

import numpy as np

from datahound.crawl.frontier import Frontier
from datahound.crawl.strategy import A_PAGE, A_TARGET, ASK_SERVER, Expectation, State, Visit
from datahound.events import Evidence, Experience, Ground, Level
from datahound.learn.actions import ActionSpace
from datahound.learn.bandit import SleepingBandit
from datahound.model import Choice, Kind, Link
from datahound.settings import StrategySettings
from datahound.strategies.randomness import plain_state, restore_state
from datahound.strategies.sb.url_classifier import UrlClassifier

_RUNNERS_UP = 3


class SleepingBanditStrategy:
    """Groups links by tag path and lets a sleeping bandit choose among the groups."""

    faithful = True

    def __init__(
        self,
        settings: StrategySettings,
        rng: Random,
        kind_of: Callable[[str], Kind] | None = None,
    ) -> None:
        self.actions = ActionSpace(settings.actions)
        self.bandit = SleepingBandit(settings.bandit)
        self.frontier = Frontier(rng)
        self.classifier = UrlClassifier(settings.classifier)
        self._rng = rng
        self._kind_of = kind_of

    def expect(self, link: Link) -> Expectation:
        if self._kind_of is not None:
            return Expectation(self._kind_of(link.url))
        if not self.classifier.ready:
            return ASK_SERVER
        return A_TARGET if self.classifier.predict(link) is Kind.TARGET else A_PAGE

    def add(self, link: Link) -> int:
        action = self.actions.assign(link.tag_path)
        self.frontier.add(link, action)
        return action

    def adopt(self, link: Link) -> Choice:
        action = self.actions.assign(link.tag_path)
        self.bandit.pull(action)
        return Choice(link, action)

    def choose(self, gets: int, under_way: Mapping[int, int]) -> Choice | None:  # noqa: ARG002
        # The bandit counts a choice when it is made, so visits under way are counted already.
        action = self.bandit.choose(self.frontier.awake, gets)
        return None if action is None else Choice(self.frontier.take(action), action)

    def learn_kind(self, link: Link, kind: Kind) -> None:
        if self._kind_of is None:
            self.classifier.learn(link, kind)

    def learn_visit(self, choice: Choice, visit: Visit) -> None:
        if choice.group is not None and visit.kind is Kind.PAGE:
            self.bandit.learn(choice.group, visit.reward)

    def explain(self, choice: Choice) -> Evidence:
        if choice.group is None:
            return Evidence()
        scores, arm = self.bandit.last_scores, self.bandit.arm(choice.group)
        best = np.argsort(-scores, kind="stable")[: _RUNNERS_UP + 1]
        others = [
            (int(action), _finite(scores[action]))
            for action in best
            if action != choice.group and scores[action] > -np.inf
        ]
        score = _finite(scores[choice.group])
        return Evidence(
            score,
            arm.mean,
            (Experience(Level.SITE, arm.pulls, arm.pulls * arm.mean),),
            grounds=() if score is not None else (Ground.UNTRIED,),
            runners_up=tuple(others[:_RUNNERS_UP]),
        )

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


def _finite(score: float) -> float | None:
    """A score as evidence; None for the infinite one of an untried action."""
    return None if np.isinf(score) else float(score)
