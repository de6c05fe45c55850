"""Several fetches in flight: what may be given, in what order, and what happens meanwhile."""

import pytest
from conversation import SEED, crawl_all, csv, error, html, make, moved

from datahound.crawl.crawl import Crawl
from datahound.events import Stop, TargetFound, Visited
from datahound.model import Choice, Response
from datahound.settings import CrawlSettings


class Talk:
    """A crawl of a dict of answers, answered by hand."""

    def __init__(self, answers, strategy="bfs", **more):
        self.answers = answers
        self.crawl = Crawl(SEED, make(strategy) if isinstance(strategy, str) else strategy, **more)
        self.open = {}

    def ask(self):
        """The paths that the crawl asks for now."""
        asked = []
        while (fetch := self.crawl.next_fetch()) is not None:
            path = fetch.url.removeprefix(SEED)
            self.open[path] = fetch
            asked.append(path)
        return asked

    def answer(self, path):
        fetch = self.open.pop(path)
        given = self.answers.get(path or "/", error())
        body = b"" if fetch.method == "HEAD" else given.body
        answer = Response(fetch.url, given.status, given.headers, body, len(given.body))
        self.crawl.answer(fetch, answer)

    def found(self):
        events = self.crawl.take_events()
        return [e.link.url.removeprefix(SEED) for e in events if isinstance(e, TargetFound)]


FILES = {f"t{n}.csv": csv() for n in range(5)}


def test_the_files_of_a_page_are_collected_side_by_side():
    talk = Talk({"/": html(*FILES), **FILES}, "sb-oracle", in_flight=3)
    assert talk.ask() == [""]
    talk.answer("")
    assert talk.ask() == ["t0.csv", "t1.csv", "t2.csv"]
    talk.answer("t2.csv")
    assert talk.ask() == ["t3.csv"]
    for path in ("t0.csv", "t3.csv", "t1.csv"):
        talk.answer(path)
    assert talk.ask() == ["t4.csv"]
    assert not [e for e in talk.crawl.take_events() if isinstance(e, Visited)]
    talk.answer("t4.csv")
    assert talk.ask() == []
    (visited,) = [e for e in talk.crawl.take_events() if isinstance(e, Visited)]
    assert visited.reward == 5
    assert talk.crawl.stopped is Stop.EXHAUSTED
    assert talk.crawl.ended


def test_pages_are_visited_while_others_are_on_their_way():
    talk = Talk({"/": html("a", "b", "c"), "a": html("d")}, in_flight=2)
    talk.ask()
    talk.answer("")
    assert talk.ask() == ["a", "b"]
    talk.answer("b")
    assert talk.ask() == ["c"]
    talk.answer("a")
    assert talk.ask() == ["d"]
    assert not talk.crawl.ended


def test_nothing_waits_until_an_answer_brings_more():
    """The end is reached only when nothing is under way."""
    talk = Talk({"/": html("a", "b"), "a": html("late")}, in_flight=4)
    talk.ask()
    talk.answer("")
    assert talk.ask() == ["a", "b"]
    talk.answer("b")
    assert talk.ask() == []
    assert talk.crawl.stopped is None
    talk.answer("a")
    assert talk.ask() == ["late"]
    talk.answer("late")
    assert talk.ask() == []
    assert talk.crawl.ended


def test_a_redirect_keeps_its_place():
    """The next hop goes before what waits, and a URL under way is not asked for again."""
    site = {"/": html("old", "new", "x"), "old": moved("new"), "new": html("t.csv")}
    talk = Talk(site, in_flight=2)
    talk.ask()
    talk.answer("")
    assert talk.ask() == ["old", "new"]
    talk.answer("old")
    assert talk.ask() == ["x"]


def test_a_budget_counts_what_is_in_flight():
    settings = CrawlSettings(max_requests=4)
    talk = Talk({"/": html(*FILES), **FILES}, "sb-oracle", in_flight=8, settings=settings)
    talk.ask()
    talk.answer("")
    assert talk.ask() == ["t0.csv", "t1.csv", "t2.csv"]
    talk.answer("t1.csv")
    assert talk.ask() == []
    assert talk.crawl.stopped is None
    talk.answer("t0.csv")
    talk.answer("t2.csv")
    assert talk.ask() == []
    assert talk.crawl.stopped is Stop.SPENT_REQUESTS
    assert talk.crawl.tally.requests == 4


def test_hosts_do_not_wait_for_one_another():
    """With a limit per host, a second host is asked while the first is busy."""
    other = "http://data.e.org/"
    site = {"/": html("a", "b", other + "x", other + "y")}
    talk = Talk(site, in_flight=64, per_host=1)
    assert talk.ask() == [""]
    talk.answer("")
    assert talk.ask() == ["a"]
    talk.answer("a")
    assert talk.ask() == ["b"]
    talk.answer("b")
    assert talk.ask() == [other + "x"]
    talk.answer(other + "x")
    # Both hosts were active lately: one choice more is made, whichever host it is of.
    assert talk.ask() == [other + "y"]


def test_a_host_that_is_busy_keeps_nobody_else_waiting():
    other = "http://data.e.org/"
    site = {"/": html("a", other + "x", "b", other + "y", "c")}
    talk = Talk(site, in_flight=64, per_host=1)
    talk.ask()
    talk.answer("")
    assert talk.ask() == ["a"]
    talk.answer("a")
    assert talk.ask() == [other + "x", "b"]
    talk.answer(other + "x")
    assert talk.ask() == [other + "y"]
    talk.answer(other + "y")
    assert talk.ask() == []  # "c" was chosen, and waits for "b"
    talk.answer("b")
    assert talk.ask() == ["c"]


class Counting:
    """Breadth first in one group per letter; notes what is under way at each choice."""

    def __init__(self):
        self.links, self.seen = [], []

    def add(self, link):
        self.links.append(link)
        return 0

    def choose(self, gets, under_way):  # noqa: ARG002
        self.seen.append(dict(under_way))
        return Choice(self.links.pop(0), 0) if self.links else None


def test_a_strategy_knows_what_is_under_way():
    strategy = Counting()
    talk = Talk({"/": html("a", "b", "c", "d")}, strategy, in_flight=3)
    talk.ask()
    talk.answer("")
    assert talk.ask() == ["a", "b", "c"]
    assert strategy.seen[-3:] == [{}, {0: 1}, {0: 2}]
    talk.answer("b")
    assert talk.ask() == ["d"]
    assert strategy.seen[-1] == {0: 2}


@pytest.mark.parametrize("in_flight", [1, 2, 7])
def test_the_smallest_strategy_has_two_methods(in_flight):
    settings = CrawlSettings(in_flight=in_flight)
    site = {"/": html("a", "t.csv"), "a": html("u.csv"), "t.csv": csv(), "u.csv": csv()}
    crawl, events, _ = crawl_all(site, Counting(), settings=settings)
    assert len([e for e in events if isinstance(e, TargetFound)]) == 2
    assert not crawl.can_snapshot


def test_a_target_that_a_reader_knows_is_read_too():
    """It counts as a target, and its links are followed."""
    feed = html("t.csv")
    settings = CrawlSettings(targets=frozenset({"text/csv", "text/html"}))
    crawl, events, _ = crawl_all({"/": feed, "t.csv": csv()}, settings=settings)
    found = [e.link.url for e in events if isinstance(e, TargetFound)]
    assert found == [SEED, SEED + "t.csv"]
    assert crawl.tally.targets == 2
