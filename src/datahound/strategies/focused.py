"""Classic focused crawling: a queue ordered by how likely each link is to be a target.

A link's likelihood comes from a logistic regression on the depth of its page, the character
2-grams of its URL and those of its anchor, trained on every answer at no cost in requests.

Each training changes the score of every waiting link. Rescoring them all would cost more with
every link that waits; instead each training rescores the `_TOP` best, which are the next to be
visited, and the `_SWEEP` next in a round over all the others, so that what has become promising
rises sooner or later. That is twenty links for each answer, whether a
thousand wait or a million.
"""

from array import array
from collections.abc import Iterable, Mapping

from datahound.crawl.strategy import State
from datahound.events import Evidence
from datahound.learn.link_scorer import LinkScorer
from datahound.model import Choice, Kind, Link
from datahound.settings import ClassifierSettings
from datahound.strategies.ranking import Ranking

_TOP = 1000
_SWEEP = 1000


class FocusedStrategy:
    """Takes every link for a page and visits first what looks most like a target."""

    faithful = True

    def __init__(self, settings: ClassifierSettings) -> None:
        self._scorer = LinkScorer(settings)
        self._ranking = Ranking()
        self._links: dict[int, Link] = {}
        self._score: float | None = None

    def add(self, link: Link) -> None:
        self._links[link.number] = link
        self._ranking.put(link.number, self._scorer.score(link))

    def choose(self, gets: int, under_way: Mapping[int, int]) -> Choice | None:  # noqa: ARG002
        if not self._links:
            return None
        number, self._score = self._ranking.take()
        return Choice(self._links.pop(number))

    def learn_kind(self, link: Link, kind: Kind) -> None:
        if self._scorer.learn(link, is_target=kind is Kind.TARGET):
            self._rescore()

    def explain(self, choice: Choice) -> Evidence:  # noqa: ARG002
        return Evidence(self._score)

    def waiting(self) -> Iterable[Link]:
        return self._links.values()

    def snapshot(self) -> State:
        return {
            "scorer": self._scorer.snapshot(),
            "ranking": self._ranking.snapshot(),
            "links": array("q", self._links),
        }

    def restore(self, state: State, links: Mapping[int, Link]) -> None:
        self._scorer.restore(state["scorer"])
        self._ranking.restore(state["ranking"])
        self._links = {number: links[number] for number in state["links"]}

    def _rescore(self) -> None:
        for number in self._ranking.due(_TOP, _SWEEP):
            self._ranking.put(number, self._scorer.score(self._links[number]))
