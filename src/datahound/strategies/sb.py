"""The paper's crawlers: sb-classifier, and sb-oracle which is told the kind of every URL."""

from collections.abc import Callable, Iterable, Mapping
from random import Random

import numpy as np

from datahound.crawl.frontier import Frontier
from datahound.crawl.strategy import Explanation, State, Visit
from datahound.learn.actions import ActionSpace
from datahound.learn.bandit import SleepingBandit
from datahound.learn.url_classifier import UrlClassifier
from datahound.model import Choice, Kind, Link
from datahound.settings import StrategySettings
from datahound.strategies.randomness import plain_state, restore_state

_RUNNERS_UP = 3


class SleepingBanditStrategy:
    """Groups links by tag path and lets a sleeping bandit choose among the groups."""

    uses_aliases = False
    uses_metadata = False

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

    def expect(self, link: Link) -> Kind | None:
        if self._kind_of is not None:
            return self._kind_of(link.url)
        return self.classifier.predict(link) if self.classifier.ready else None

    def add(self, link: Link) -> int:
        action = self.actions.assign(link.tag_path)
        self.frontier.add(link, action)
        return action

    def adopt(self, link: Link) -> Choice:
        action = self.actions.assign(link.tag_path)
        self.bandit.pull(action)
        return Choice(link, action)

    def choose(self, time: int) -> Choice | None:
        action = self.bandit.choose(self.frontier.awake, time)
        return None if action is None else Choice(self.frontier.take(action), action)

    def learn_kind(self, link: Link, kind: Kind) -> None:
        if self._kind_of is None:
            self.classifier.learn(link, kind)

    def learn_visit(self, choice: Choice, visit: Visit) -> None:
        if choice.action is not None and not visit.failed:
            self.bandit.learn(choice.action, visit.reward)

    def explain(self, choice: Choice) -> Explanation:
        if choice.action is None:
            return Explanation()
        scores = self.bandit.last_scores
        best = np.argsort(-scores, kind="stable")[: _RUNNERS_UP + 1]
        others = [
            (int(action), float(scores[action]))
            for action in best
            if action != choice.action and scores[action] > -np.inf
        ]
        score = float(scores[choice.action])
        arm = self.bandit.arm(choice.action)
        basis = f"{arm.mean:.3g} new targets a page, on average of {arm.pulls} pages of its group"
        return Explanation(score, score - arm.mean, tuple(others[:_RUNNERS_UP]), basis)

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
