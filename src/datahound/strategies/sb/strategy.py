"""The paper's crawlers: sb-classifier, and sb-oracle, which knows the kind of every URL."""

from collections.abc import Callable, Iterable, Mapping
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from datahound.crawl.frontier import Frontier
from datahound.crawl.strategy import A_PAGE, A_TARGET, ASK_SERVER, Expectation, State, Visit
from datahound.events import Evidence, Experience, Ground, Level
from datahound.learn.actions import ActionSpace
from datahound.learn.bandit import SleepingBandit
from datahound.learn.models import (
    BIGRAMS,
    Example,
    bigrams,
    make_model,
    pack_examples,
    unpack_examples,
)
from datahound.model import Choice, Kind, Link
from datahound.settings import ClassifierSettings, StrategySettings
from datahound.strategies.randomness import plain_state, restore_state


class UrlClassifier:
    """A linear model on counts of character 2-grams, trained in batches of `batch_size` (b)."""

    def __init__(self, settings: ClassifierSettings | None = None) -> None:
        self._settings = settings or ClassifierSettings()
        self._fields = 4 if self._settings.features == "context" else 1
        self._model = make_model(self._settings, self._fields * BIGRAMS)
        self._waiting: list[Example] = []
        self.ready = False

    def predict(self, link: Link) -> Kind:
        """Page or target, never other: to lose a page costs more than one request."""
        return Kind.TARGET if self.score(link) > 0 else Kind.PAGE

    def score(self, link: Link) -> float:
        """The score Σ w_i + bias of a link; above 0 it is predicted to be a target."""
        return float(self._model.weights[self._features(link)].sum()) + self._model.bias

    def learn(self, link: Link, kind: Kind) -> None:
        """Add the kind that an answer had to the batch; a full batch trains the model."""
        # The paper trains on two classes; what is neither teaches nothing.
        if kind is Kind.OTHER:
            return
        features, counts = np.unique(self._features(link), return_counts=True)
        sign = 1 if kind is Kind.TARGET else -1
        self._waiting.append(Example(features, counts.astype(np.float64), sign))
        if len(self._waiting) >= self._settings.batch_size:
            self._model.learn(self._waiting)
            self._waiting = []
            # Before that, a HEAD asks for the kind of each URL, as in the paper.
            self.ready = True

    def snapshot(self) -> dict[str, Any]:
        return {
            "model": self._model.snapshot(),
            "waiting": pack_examples(self._waiting),
            "ready": self.ready,
        }

    def restore(self, state: dict[str, Any]) -> None:
        self._model.restore(state["model"])
        self._waiting = unpack_examples(state["waiting"])
        self.ready = state["ready"]

    def _features(self, link: Link) -> NDArray[np.intp]:
        if self._fields == 1:
            return bigrams(link.url)
        texts = (link.url, link.anchor, link.tag_path, link.surrounding)
        return np.concatenate([bigrams(text) + i * BIGRAMS for i, text in enumerate(texts)])


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
        self.bandit = SleepingBandit(settings.bandit, rng)
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
        # A page mistaken for a target was visited without a choice, and counts as one.
        self.bandit.pull(action)
        return Choice(link, action)

    def choose(self, gets: int, under_way: Mapping[int, int]) -> Choice | None:  # noqa: ARG002
        # The bandit counts a choice when it is made, which includes visits under way.
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
    """A score as evidence; None for the infinite score of an untried action."""
    return None if np.isinf(score) else float(score)
