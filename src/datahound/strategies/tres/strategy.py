"""TRES: a focused crawler by deep reinforcement learning, as the paper adapts it.

A network says whether a page is on topic, which is its reward. A link has seven features: three of
the path by which it was met, three of keywords, and what the network says of its anchor and URL. A
tree grown on rewards divides the waiting links; one link of each leaf is scored by Double DQN, and
the best is visited.
"""

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.util import find_spec
from random import Random
from typing import Any, NamedTuple, Protocol, TypeVar, runtime_checkable

import numpy as np

from datahound.crawl.strategy import A_PAGE, A_TARGET, Expectation, Oracle, State, Visit
from datahound.errors import UserError
from datahound.events import Evidence
from datahound.model import Choice, Kind, Link
from datahound.settings import TresSettings
from datahound.strategies.randomness import plain_state, restore_state
from datahound.strategies.tres.tree_frontier import (
    FEATURES,
    Features,
    TreeFrontier,
    find_fetched,
)
from datahound.strategies.tres.words import (
    Keywords,
    find_typical_words,
    read_keywords,
    read_link_text,
)

_NEGATIVES_PER_POSITIVE = 5
# So that a whole site is not read to find positive pages where these are rare.
_MAX_EXAMINED = 2000
_RELEVANT = 0.5
_CLEAN_UP_EVERY = 10
_CACHED_TEXTS = 200_000
"""Scores of link texts in the cache, which only saves time."""

Made = TypeVar("Made")


@runtime_checkable
class ReadingOracle(Protocol):
    """What this strategy needs of a recording: kinds of URLs, texts of pages, pages to train on."""

    def kind_of(self, url: str) -> Kind: ...

    def page_text(self, url: str) -> str:
        """The visible text of a page; empty for other answers."""
        ...

    def page_urls(self) -> Sequence[str]:
        """The URLs of all pages."""
        ...

    def links_to_target(self, url: str) -> bool:
        """Whether a page links to a target."""
        ...

    def make_once(self, key: str, make: Callable[[], Made]) -> Made:
        """Make a value that is the same for each crawl of the recording, and cache it."""
        ...


class _Path(NamedTuple):
    """The way to a link: its relevant and irrelevant pages, and steps since the last relevant."""

    relevant: int = 0
    irrelevant: int = 0
    distance: int = 0

    def go_on(self, *, relevant: bool) -> "_Path":
        """The path of the links of the page that a link of this path led to."""
        return _Path(
            self.relevant + relevant,
            self.irrelevant + (not relevant),
            1 if relevant else self.distance + 1,
        )


_UNKNOWN = _Path(0, 0, 1)
"""The path of a page that no choice led to."""


def require_torch() -> None:
    """Raise an error if PyTorch is not installed, without importing it."""
    if find_spec("torch") is None:
        raise UserError("tres needs PyTorch: pip install 'datahound[tres]'")


class TresStrategy:
    """Visits the link with the highest Q among one of each leaf; at first, random links."""

    faithful = True

    def __init__(self, settings: TresSettings, rng: Random, oracle: Oracle) -> None:
        if not isinstance(oracle, ReadingOracle):
            raise UserError("tres needs a recorded site whose pages can be read")
        require_torch()
        # Other strategies need no PyTorch, and it takes seconds to import.
        from datahound.strategies.tres import q_network, relevance  # noqa: PLC0415

        self._settings = settings
        self._rng = rng
        self._oracle = oracle
        self._remembered = q_network.Remembered
        self._network = q_network.QNetwork(settings, rng.getrandbits(31))
        self._tokens = relevance.SIZES[settings.size].tokens
        self._keywords, self._relevance = oracle.make_once(
            f"{settings}", lambda: _prepare(settings, oracle, relevance)
        )
        self._tree = TreeFrontier(settings)
        self._links: dict[int, Link] = {}
        self._fresh: list[Link] = []
        # By link: features and path of visits under way. By URL: the path of a page's links.
        self._begun: dict[int, tuple[str, Features, _Path]] = {}
        self._pages: dict[str, _Path] = {}
        self._scores: dict[str, float] = {}
        self._fetched: list[str] = []
        self._steps = 0
        self._score: float | None = None

    def expect(self, link: Link) -> Expectation:
        return A_PAGE if self._is_page(link) else A_TARGET

    def add(self, link: Link) -> None:
        self._links[link.number] = link
        self._fresh.append(link)

    def choose(self, gets: int, under_way: Mapping[int, int]) -> Choice | None:  # noqa: ARG002
        self._settle()
        if not len(self._tree):
            return None
        number = self._choose_from(self._tree.draw(self._rng))
        link = self._links.pop(number)
        self._begun[number] = link.url, self._tree.take(number), self._pages[link.found_on]
        self._train()
        if self._settings.cost == "published":
            self._clean_up(link.url)
        return Choice(link)

    def learn_visit(self, choice: Choice, visit: Visit) -> None:
        self._settle()
        _, features, _ = self._begun.get(choice.link.number, _SEED)
        path = self._find_path(visit.url or choice.link.url) if visit.kind is Kind.PAGE else None
        self._begun.pop(choice.link.number, None)
        reward = int(path is not None and path.distance == 1)
        self._tree.learn(features, reward)
        if path is not None and visit.new_links:
            pages = [link for link in visit.links if self._is_page(link)]
            rows = np.array(self._find_features(pages, path)).reshape(-1, FEATURES)
            self._network.remember(self._remembered(features, reward, rows))

    def explain(self, choice: Choice) -> Evidence:  # noqa: ARG002
        return Evidence(self._score)

    def waiting(self) -> Iterable[Link]:
        return self._links.values()

    def snapshot(self) -> State:
        self._settle()
        return {
            "tree": self._tree.snapshot(),
            "network": self._network.snapshot(),
            "links": array("q", self._links),
            "begun": [[n, url, [*x], [*path]] for n, (url, x, path) in self._begun.items()],
            "pages": {url: [*path] for url, path in self._pages.items()},
            "steps": self._steps,
            "rng": plain_state(self._rng),
        }

    def restore(self, state: State, links: Mapping[int, Link]) -> None:
        self._tree.restore(state["tree"])
        self._network.restore(state["network"])
        self._links = {number: links[number] for number in state["links"]}
        self._begun = {n: (url, tuple(x), _Path(*p)) for n, url, x, p in state["begun"]}
        self._pages = {url: _Path(*path) for url, path in state["pages"].items()}
        self._steps = state["steps"]
        restore_state(self._rng, state["rng"])

    def _choose_from(self, drawn: Sequence[int]) -> int:
        """The link with the highest Q; a random one before there is enough to learn from."""
        self._score = None
        if self._steps < self._settings.replay_start:
            return drawn[int(self._rng.random() * len(drawn))]
        features = [self._tree.features(number) for number in drawn]
        if self._settings.cost == "published":
            scores = [self._network.score([one])[0] for one in features]
        else:
            scores = self._network.score(features)
        self._score = max(scores)
        return drawn[scores.index(self._score)]

    def _train(self) -> None:
        settings = self._settings
        self._steps += 1
        if self._steps >= settings.replay_start and self._steps % settings.replay_every == 0:
            self._network.train(self._rng)
        if self._steps % settings.target_every == 0:
            self._network.copy_weights()

    def _clean_up(self, url: str) -> None:
        """Take the time of the published clean-up, which finds nothing: no URL is met twice."""
        self._fetched.append(url)
        if self._steps % _CLEAN_UP_EVERY == 0:
            find_fetched((link.url for link in self._links.values()), self._fetched)

    def _settle(self) -> None:
        """Put the links of pages read meanwhile into their leaves; scores all texts together."""
        fresh, self._fresh = self._fresh, []
        by_page: dict[str, list[Link]] = {}
        for link in fresh:
            by_page.setdefault(link.found_on, []).append(link)
        for url, links in by_page.items():
            found = self._find_features(links, self._find_path(url))
            for link, features in zip(links, found, strict=True):
                self._tree.add(link.number, features)

    def _find_path(self, url: str) -> _Path:
        """The path of the links of a page; the page's relevance is judged at the first call."""
        path = self._pages.get(url)
        if path is None:
            begun = [*self._begun.values()]
            before = next((p for u, _, p in begun if u == url), begun[-1][2] if begun else None)
            # The seed counts as relevant, so that paths can begin.
            is_first = not self._pages
            relevant = is_first or self._judge(self._oracle.page_text(url), url) >= _RELEVANT
            start = _Path() if is_first else _UNKNOWN
            path = self._pages[url] = (before or start).go_on(relevant=relevant)
        return path

    def _find_features(self, links: Sequence[Link], path: _Path) -> list[Features]:
        share = path.relevant / (path.relevant + path.irrelevant)
        before = (float(path.distance == 1), 1 / path.distance, share)
        keywords = self._keywords
        texts = [read_link_text(link.anchor, link.url) for link in links]
        self._judge_links(texts, [link.url for link in links])
        return [
            (
                *before,
                float(keywords.is_in_url(link.url)),
                # The published code joins the words of the URL to the anchor.
                *map(float, keywords.find_hints(text)),
                self._scores[text],
            )
            for link, text in zip(links, texts, strict=True)
        ]

    def _judge_links(self, texts: Sequence[str], urls: Sequence[str]) -> None:
        """Score new texts, in one pass unless the published cost is asked for."""
        if len(self._scores) > _CACHED_TEXTS:
            self._scores.clear()
        new = {t: url for t, url in zip(texts, urls, strict=True) if t not in self._scores}
        read = [self._keywords.read(text, url, self._tokens) for text, url in new.items()]
        if self._settings.cost == "published":
            scores = [self._relevance.predict([text])[0] for text in read]
        else:
            scores = self._relevance.predict(read)
        self._scores.update(zip(new, scores, strict=True))

    def _judge(self, text: str, url: str) -> float:
        read = self._keywords.read(text, url, self._tokens)
        return float(self._relevance.predict([read])[0])

    def _is_page(self, link: Link) -> bool:
        return not self._settings.html_oracle or self._oracle.kind_of(link.url) is Kind.PAGE


_SEED: tuple[str, Features, _Path] = ("", (0.0,) * FEATURES, _Path())


def _prepare(settings: TresSettings, oracle: ReadingOracle, relevance: Any) -> tuple[Keywords, Any]:
    """The keywords, and a relevance model that was trained on pages of the site."""
    size = relevance.SIZES[settings.size]
    keywords = read_keywords(mended=settings.mend_keywords) if settings.keywords else Keywords()
    pages = _sample_pages(oracle, settings.positive_pages)
    texts = {url: oracle.page_text(url) for url in pages}

    def read(keywords: Keywords) -> list[Any]:
        return [
            relevance.Document(keywords.read(texts[url], url, size.tokens), relevant)
            for url, relevant in pages.items()
        ]

    documents = read(keywords)
    if settings.keywords:
        positive = [document.text for document in documents if document.relevant]
        negative = [document.text for document in documents if not document.relevant]
        keywords = keywords.expand(find_typical_words(positive, negative, keywords.words))
        documents = read(keywords)
    model = relevance.train_relevance(documents, keywords, size, settings.relevance_epochs)
    return keywords, model


def _sample_pages(oracle: ReadingOracle, positives: int) -> dict[str, bool]:
    """Pages of the site that link to targets, and five times as many that do not."""
    urls = sorted(oracle.page_urls()) if positives else []
    Random(0).shuffle(urls)
    wanted = {True: positives, False: _NEGATIVES_PER_POSITIVE * positives}
    found: dict[str, bool] = {}
    for url in urls[:_MAX_EXAMINED]:
        is_positive = oracle.links_to_target(url)
        if wanted[is_positive] > 0:
            wanted[is_positive] -= 1
            found[url] = is_positive
        if not any(wanted.values()):
            break
    return found
