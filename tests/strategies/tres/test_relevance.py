"""The network that says whether a text is on topic."""

import pytest

pytest.importorskip("torch", reason="needs datahound[tres]")

from datahound.strategies.tres.relevance import (
    Document,
    KeywordShare,
    Size,
    fill_thermometer,
    train_relevance,
)
from datahound.strategies.tres.words import Keywords, Text

SMALL = Size(20, 16, 16, (16, 8), (8,), 100)
DATA = Text(("annual", "table", "annex", "data"), keywords=2)
NEWS = Text(("minister", "visit", "news", "today"))


def documents(count=200):
    return [Document(DATA, True), Document(NEWS, False)] * count


def test_the_thermometer():
    """Element 0 for none, one more for each; more than it can show fill it."""
    assert fill_thermometer(0, 4) == [1, 0, 0, 0]
    assert fill_thermometer(1, 4) == [0, 1, 0, 0]
    assert fill_thermometer(4, 4) == fill_thermometer(9, 4) == [0, 1, 1, 1]


def test_it_learns_what_positive_pages_say():
    """Texts like the positive ones come out above one half, others below, unknown words at 0."""
    network = train_relevance(documents(), Keywords(["data", "table"]), SMALL, 15)
    good, bad, unknown = network.predict([DATA, NEWS, Text(("zebra",))])
    assert good > 0.5 > bad
    assert unknown == 0


def test_texts_scored_together_score_as_alone():
    """Longer texts beside it change nothing of a text's probability."""
    network = train_relevance(documents(), Keywords(["data", "table"]), SMALL, 2)
    long = Text(("news", "data", "visit") * 6)
    assert network.predict([DATA, long, NEWS]) == [
        network.predict([t])[0] for t in (DATA, long, NEWS)
    ]


def test_without_pages_keywords_decide():
    """Pages of one class teach nothing: then one keyword makes a text relevant."""
    rule = train_relevance([Document(DATA, True)], Keywords(["data"]), SMALL, 2)
    assert isinstance(rule, KeywordShare)
    assert rule.predict([NEWS, Text(("data",), keywords=1)]) == [0.0, 0.5]
