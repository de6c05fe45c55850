"""The classifier of URL tokens: what it knows from the start, what it learns, what it keeps."""

import json

from datahound.settings import HoundSettings
from datahound.strategies.hound.url_kind import UrlKindModel

HOST = "https://example.org"


def classifier(**settings):
    return UrlKindModel(
        HoundSettings(**settings),
        target_extensions=[".pdf", ".csv"],
        page_extensions=[".html"],
    )


def test_extensions_speak_before_anything_is_learned():
    fresh = classifier()
    assert fresh.score(f"{HOST}/a/b.PDF") > 0 > fresh.score(f"{HOST}/a/b.html")
    assert fresh.score(f"{HOST}/a/b") < 0
    assert fresh.score(f"{HOST}/a/b.xyz") == 0
    assert classifier(extension_prior=0.0).score(f"{HOST}/a/b.pdf") == 0


def test_targets_without_an_extension_are_learned():
    """Download URLs of a CMS have nothing but their directories and query keys."""
    learner = classifier()
    for n in range(10):
        learner.learn(f"{HOST}/download/{n}?attachment=1", is_target=True)
        learner.learn(f"{HOST}/news/{n}?page=1", is_target=False)
    assert learner.score(f"{HOST}/download/77?attachment=1") > 0
    assert learner.score(f"{HOST}/news/77?page=1") < 0


def test_an_extension_that_lies_is_unlearned():
    """Files that look like targets and are not: a few are enough, and others stay what they are."""
    learner = classifier()
    for n in range(6):
        learner.learn(f"{HOST}/viewer/{n}.pdf", is_target=False)
        learner.learn(f"{HOST}/files/{n}.pdf", is_target=True)
    assert learner.score(f"{HOST}/viewer/77.pdf") < 0 < learner.score(f"{HOST}/files/77.pdf")


def test_a_rare_class_is_learned_again_from_a_few_examples():
    """Thousands of pages teach that most URLs are none; what targets have in common is kept."""
    learner, fresh = classifier(), classifier()
    for n in range(5):
        learner.learn(f"{HOST}/get/{n}", is_target=True)
    for n in range(2000):
        learner.learn(f"{HOST}/wiki/{n}", is_target=False)
        fresh.learn(f"{HOST}/wiki/{n}", is_target=False)
    assert learner.score(f"{HOST}/get/99") > fresh.score(f"{HOST}/get/99") + 2
    for n in range(5, 8):
        learner.learn(f"{HOST}/get/{n}", is_target=True)
    assert learner.score(f"{HOST}/get/99") > 0 > learner.score(f"{HOST}/wiki/2001")


def test_it_survives_a_snapshot():
    def teach(learner, numbers):
        for n in numbers:
            learner.learn(f"{HOST}/{'get' if n % 3 else 'wiki'}/{n}", is_target=n % 3 > 0)

    learner, other = classifier(), UrlKindModel()
    teach(learner, range(50))
    other.restore(json.loads(json.dumps(learner.snapshot(), default=list)))
    for one in (learner, other):
        teach(one, range(50, 80))
    for url in (f"{HOST}/get/1", f"{HOST}/wiki/1", f"{HOST}/x.pdf"):
        assert learner.score(url) == other.score(url)


def test_any_url_will_do():
    learner = classifier()
    for url in (f"{HOST}/", f"{HOST}/?", f"{HOST}/a//b", f"{HOST}/é.csv?=&&", f"{HOST}/.pdf"):
        learner.learn(url, is_target=True)
        assert learner.score(url) > -10
