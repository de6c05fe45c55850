"""Links that led to nothing: which are followed again, and what is learned of them."""

import json

import numpy as np

from datahound.model import Link
from datahound.refresh.dead_links import DeadLink, DeadLinks
from datahound.settings import RefreshSettings

SITE = "https://site.example"


def make(dead, unit=1.0):
    links = DeadLinks(RefreshSettings(), np.random.default_rng(0))
    links.begin_round(unit, dead)
    return links


def test_only_those_that_a_page_links_to_are_followed():
    """Once each, with the page that links to them."""
    links = make([DeadLink(f"{SITE}/a.csv", 0.0), DeadLink(f"{SITE}/b.csv", 0.0)])
    assert links.best(1.0)[0] is None
    for _ in range(2):
        links.meet([Link(f"{SITE}/b.csv", number=7), Link(f"{SITE}/c.csv")], f"{SITE}/")
        if (found := links.best(1.0)[0]) is not None:
            assert (found.url, found.found_on, found.number) == (f"{SITE}/b.csv", f"{SITE}/", -1)
            links.take(found)
    assert links.best(1.0)[0] is None


def test_errors_are_tried_before_answers():
    """A server that failed says nothing; one that said no mostly says it again."""
    links = make([DeadLink(f"{SITE}/no", 0.0), DeadLink(f"{SITE}/failed", 0.0, has_failed=True)])
    links.meet([Link(f"{SITE}/no"), Link(f"{SITE}/failed")], SITE)
    found, value = links.best(1.0)
    assert found is not None
    assert found.url == f"{SITE}/failed"
    links.take(found)
    assert links.best(1.0)[1] < value


def test_links_that_stay_dead_are_worth_less_and_less():
    """Tenfold less after fifty tries in vain; one that revives raises its like."""
    urls = [f"{SITE}/d/{n}" for n in range(60)]
    links = make([DeadLink(url, 0.0) for url in urls])
    links.meet([Link(url) for url in urls], SITE)
    before = links.best(1.0)[1]
    for url in urls[:50]:
        links.take(Link(url))
        links.learn(url, 1.0, revived=False)
    after = links.best(1.0)[1]
    assert after < before / 5
    links.take(Link(urls[50]))
    links.learn(urls[50], 1.0, revived=True)
    assert links.best(1.0)[1] > after


def test_a_snapshot_goes_on_in_the_middle_of_a_round():
    """What may be followed, and what was learned, is the same after a crash."""
    urls = [f"{SITE}/{n}" for n in range(20)]
    links = make([DeadLink(url, 0.0, has_failed=n % 3 == 0) for n, url in enumerate(urls)])
    links.meet([Link(url) for url in urls[:10]], SITE)
    links.take(Link(urls[0]))
    links.learn(urls[0], 1.0, revived=False)
    state = json.loads(json.dumps(links.snapshot(), default=list))
    back = DeadLinks(RefreshSettings(), np.random.default_rng(1))
    back.restore(state)
    for one in (links, back):
        one.meet([Link(url) for url in urls[8:12]], SITE)
    for _ in range(11):
        (one, value), (other, same) = links.best(2.0), back.best(2.0)
        assert (one, value) == (other, same)
        links.take(one)
        back.take(other)
    assert links.best(2.0)[0] is back.best(2.0)[0] is None
