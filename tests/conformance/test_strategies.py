"""Laws that every registered strategy keeps, found by itself."""

import json
import os
import subprocess
import sys
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from random import Random

import pytest

from datahound.archive import open_archive
from datahound.crawl.crawl import Crawl
from datahound.engines.replay import not_recorded, replay
from datahound.events import Discovered, Fetched, Stop, TargetFound
from datahound.lab.bounds import ArchiveOracle
from datahound.model import Kind, Postponed
from datahound.settings import CrawlSettings
from datahound.strategies import BUILT_IN, STRATEGIES, make_strategy
from datahound.web.targets import DEFAULT_TARGETS

SITE = "synthetic:demo?scale=0.12"
NEEDS_TORCH = pytest.mark.skipif(find_spec("torch") is None, reason="needs datahound[tres]")
NAMES = [*BUILT_IN, *(pytest.param(n, marks=NEEDS_TORCH) for n in STRATEGIES if n not in BUILT_IN)]
"""Every strategy; those of an extra where it is installed."""
REDIRECTS = (301, 302, 303, 307, 308)


@pytest.fixture(scope="module")
def site():
    return open_archive(SITE)


def crawl_with(name, site, seed=0, **settings):
    strategy = make_strategy(name, seed=seed, oracle=oracle_of(site))
    return Crawl(site.seed, strategy, settings=CrawlSettings(**settings))


@cache
def oracle_of(site):
    """One for all crawls: what a strategy trains beforehand is trained once."""
    return ArchiveOracle(site, DEFAULT_TARGETS, list(site.targets()))


def story(name, site, seed=0):
    events = []
    replay(crawl_with(name, site, seed), site, events.extend)
    return events


def digest(events):
    return sha256("\n".join(map(repr, events)).encode()).hexdigest()


@pytest.mark.parametrize("name", NAMES)
def test_never_a_url_twice(name, site):
    """No URL is fetched twice, but for the GET of what a HEAD asked about."""
    asked = [(e.fetch.method, e.fetch.url) for e in story(name, site) if isinstance(e, Fetched)]
    assert len(asked) == len(set(asked))


@pytest.mark.parametrize("name", NAMES)
def test_every_target_is_found(name, site):
    """A crawl without a budget finds every target that can be reached."""
    found = {e.link.url for e in story(name, site) if isinstance(e, TargetFound)}
    assert found == set(site.targets())


@pytest.mark.parametrize("name", [n for n in NAMES if n != "omniscient"])
def test_never_a_link_lost(name, site):
    """Every link that was kept is visited in the end."""
    events = story(name, site)
    kept = {e.link.url for e in events if isinstance(e, Discovered) and e.expected is Kind.PAGE}
    fetched = {e.fetch.url for e in events if isinstance(e, Fetched)}
    assert kept <= fetched


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_gives_the_same_story(name, site):
    """Twice the same events; another seed gives others where the strategy says it is random."""
    one, two, other = (digest(story(name, site, seed)) for seed in (1, 1, 2))
    assert one == two
    assert (one != other) == STRATEGIES[name].is_random


@pytest.mark.parametrize("name", NAMES)
def test_the_same_story_in_any_process(name, site):
    """The order of hashes in a process does not matter."""
    told = set()
    for hash_seed in ("0", "12345"):
        code = (
            "from datahound.archive import open_archive\n"
            f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
            "from test_strategies import digest, story\n"
            f"print(digest(story({name!r}, open_archive({SITE!r}))))"
        )
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        told.add(
            subprocess.run(
                [sys.executable, "-c", code],
                env=environment,
                check=True,
                capture_output=True,
                text=True,
            ).stdout
        )
    assert told == {digest(story(name, site)) + "\n"}


def drive(crawl, site, rng, answers=None):
    """Answer a crawl's fetches in an order by chance, that many of them; what was answered."""
    waiting, order = crawl.open_fetches(), []
    while answers is None or len(order) < answers:
        while (fetch := crawl.next_fetch()) is not None:
            waiting.append(fetch)
        if not waiting:
            break
        fetch = waiting.pop(rng.randrange(len(waiting)))
        order.append(fetch)
        crawl.answer(fetch, site.get(fetch) or not_recorded(fetch))
    return order


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("in_flight", [1, 5])
def test_state_survives_a_snapshot_at_any_moment(name, in_flight, site):
    """Saved after any answer, loaded and continued, a crawl tells the same story."""
    whole = crawl_with(name, site, seed=3, in_flight=in_flight)
    order = drive(whole, site, Random(5))
    story = whole.take_events()
    last = len(order) - 1
    for after in sorted({min(after, last) for after in (1, 2, 17, 18, 19, 20, 90, last)}):
        saved = crawl_with(name, site, seed=3, in_flight=in_flight)
        drive(saved, site, Random(5), after)
        events = saved.take_events()
        state = json.loads(json.dumps(saved.snapshot(), default=list))
        resumed = crawl_with(name, site, seed=99, in_flight=in_flight)
        resumed.restore(state)
        waiting = {fetch.url: fetch for fetch in resumed.open_fetches()}
        for fetch in order[after:]:
            while (asked := resumed.next_fetch()) is not None:
                waiting[asked.url] = asked
            assert waiting.pop(fetch.url) == fetch
            resumed.answer(fetch, site.get(fetch) or not_recorded(fetch))
        assert resumed.next_fetch() is None
        assert resumed.ended
        events += resumed.take_events()
        assert events == story


def test_links_that_were_redirected_are_learned_from_alike(site):
    """Saved while a redirect is followed: the link is judged as it was met, not where it led."""
    whole = crawl_with("hound", site, seed=3)
    order = drive(whole, site, Random(5))
    expected = whole.strategy.snapshot()
    redirected = [
        n
        for n, fetch in enumerate(order)
        if site.get(fetch) and site.get(fetch).status in REDIRECTS
    ]
    assert redirected
    for after in (n + 1 for n in redirected[:40]):
        saved, resumed = (crawl_with("hound", site, seed=3) for _ in range(2))
        drive(saved, site, Random(5), after)
        resumed.restore(json.loads(json.dumps(saved.snapshot(), default=list)))
        drive(resumed, site, Random(5))
        assert json.dumps(resumed.strategy.snapshot(), default=list) == json.dumps(
            expected, default=list
        )


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("in_flight", [2, 8, 64])
def test_answers_in_any_order_lose_nothing(name, in_flight, site):
    """Each URL is asked for once, every target is found, and no more than allowed is in flight."""
    crawl, rng, waiting, asked, found = (
        crawl_with(name, site, in_flight=in_flight),
        Random(1),
        [],
        [],
        set(),
    )
    while True:
        while (fetch := crawl.next_fetch()) is not None:
            waiting.append(fetch)
            asked.append((fetch.method, fetch.url))
        assert len(waiting) <= in_flight
        if not waiting:
            break
        fetch = waiting.pop(rng.randrange(len(waiting)))
        crawl.answer(fetch, site.get(fetch) or not_recorded(fetch))
        found |= {e.link.url for e in crawl.take_events() if isinstance(e, TargetFound)}
    assert crawl.ended
    assert crawl.stopped is Stop.EXHAUSTED
    assert len(asked) == len(set(asked))
    assert found == set(site.targets())


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("in_flight", [1, 4])
def test_resting_hosts_lose_nothing(name, in_flight, site):
    """Where every third fetch is postponed at first, all targets are found all the same."""
    crawl, found, waiting, count = crawl_with(name, site, in_flight=in_flight), set(), [], 0
    while True:
        while (fetch := crawl.next_fetch()) is not None:
            waiting.append(fetch)
        if not waiting:
            break
        fetch = waiting.pop()
        rests = count % 3 == 2 and not fetch.patient
        answer = Postponed(fetch.url) if rests else site.get(fetch) or not_recorded(fetch)
        crawl.answer(fetch, answer)
        count += 1
        found |= {e.link.url for e in crawl.take_events() if isinstance(e, TargetFound)}
    assert found == set(site.targets())
