"""Telling a target's URL from a page's."""

import json

import pytest

from datahound.model import Kind, Link
from datahound.settings import ClassifierSettings
from datahound.strategies.sb.strategy import UrlClassifier

MODELS = ("lr", "svm", "nb", "pa")


def page(n):
    return Link(f"https://e.org/topics/{n}/index.html", "html body nav a", f"Topic {n}", "Menu")


def file(n):
    return Link(f"https://e.org/files/t{n}.csv", "html body main a.dl", "Download (CSV)", "Data")


def teach(classifier, count):
    for n in range(count):
        classifier.learn(page(n), Kind.PAGE)
        classifier.learn(file(n), Kind.TARGET)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("features", ["url", "context"])
def test_it_learns(model, features):
    """After some batches it knows pages and targets that it has never met."""
    classifier = UrlClassifier(ClassifierSettings(model=model, features=features))
    teach(classifier, 30)
    right = sum(
        (classifier.predict(page(n)) is Kind.PAGE) + (classifier.predict(file(n)) is Kind.TARGET)
        for n in range(1000, 1050)
    )
    assert right >= 98


def test_targets_without_an_extension_are_learned():
    """Pairs of characters are all it goes by: downloads of a CMS are known by their directories."""
    classifier = UrlClassifier()
    for n in range(20):
        classifier.learn(Link(f"https://e.org/download/{n}?attachment=1"), Kind.TARGET)
        classifier.learn(Link(f"https://e.org/news/{n}?page=1"), Kind.PAGE)
    assert classifier.predict(Link("https://e.org/download/777?attachment=1")) is Kind.TARGET
    assert classifier.predict(Link("https://e.org/news/777?page=1")) is Kind.PAGE


def test_the_first_batch():
    """It is ready when the first batch is full, and not before; "other" teaches nothing."""
    classifier = UrlClassifier(ClassifierSettings(batch_size=10))
    for n in range(9):
        classifier.learn(page(n), Kind.PAGE)
        classifier.learn(page(n), Kind.OTHER)
    assert not classifier.ready
    classifier.learn(file(0), Kind.TARGET)
    assert classifier.ready


def test_features_are_counts_of_pairs_of_printable_characters():
    """What is not printable ASCII is passed over; short and empty texts have no pairs."""
    classifier = UrlClassifier(ClassifierSettings(features="context", batch_size=1))
    for text in ("", "a", "é", "\x00\x01", "ab\nab", "表" * 300):
        classifier.learn(Link("https://e.org/", text, text, text), Kind.PAGE)
        assert classifier.predict(Link("https://e.org/", text, text, text)) is Kind.PAGE


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("lessons", [0, 3, 8, 33])
def test_a_snapshot_keeps_everything(model, lessons):
    """A restored classifier learns and predicts to the last digit as the original does."""
    one, two = (UrlClassifier(ClassifierSettings(model=model)) for _ in range(2))
    teach(one, lessons)
    two.restore(json.loads(json.dumps(one.snapshot(), default=list)))
    assert one.ready == two.ready
    for classifier in (one, two):
        teach(classifier, 11)
    assert one.score(file(99)) == two.score(file(99))
    assert one.score(page(99)) == two.score(page(99))
