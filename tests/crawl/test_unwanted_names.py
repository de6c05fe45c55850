"""Files of types that nobody asked for come last, and few of them."""

import json
from random import Random

from conversation import SEED, Dictionary, crawl_all, csv, html

from datahound.crawl.crawl import Crawl
from datahound.crawl.unwanted_names import UnwantedNames
from datahound.engines.replay import replay
from datahound.events import Skipped, TargetFound
from datahound.model import Link, Response, Skip
from datahound.settings import CrawlSettings
from datahound.strategies.simple import SimpleStrategy

TABLES = CrawlSettings(targets=frozenset({"tables"}))


def pdf():
    return Response("", 200, {"content-type": "application/pdf"}, b"%PDF")


def site(kind, many=40):
    names = [f"{number}.pdf" for number in range(many)]
    return {"": html(*names, "page"), "page": html("a.csv"), "a.csv": csv()} | {
        name: kind() for name in names
    }


def test_a_few_are_tried_at_the_end():
    """First and last in turn; when none is wanted, the rest is never asked for."""
    _, events, asked = crawl_all(site(pdf), "hound", settings=TABLES)
    assert [url for _, url in asked] == ["", "page", "a.csv", "0.pdf", "39.pdf", "1.pdf"]
    skipped = [e for e in events if isinstance(e, Skipped) and e.reason is Skip.UNWANTED_NAME]
    assert len(skipped) == 40


def test_names_that_lie_are_followed():
    """Where `.pdf` leads to pages with tables, more of them are asked for."""
    lying = site(pdf, 30)
    lying |= {f"{n}.pdf": html(f"{n}.csv") for n in range(30)} | {
        f"{n}.csv": csv() for n in range(30)
    }
    _, events, _ = crawl_all(lying, "hound", settings=TABLES)
    assert sum(isinstance(event, TargetFound) for event in events) == 31


def test_the_papers_strategies_and_targets_are_as_before():
    """With MIME types alone, and in faithful strategies, names are no reason to wait."""
    for strategy, settings in (("hound", None), ("bfs", None)):
        _, _, asked = crawl_all(site(pdf), strategy, settings=settings)
        assert len(asked) == 43


def test_a_page_tells_how_many_such_files_it_has():
    """New ones only: pages with documents have data more often than others."""

    class Noting(SimpleStrategy):
        faithful = False

        def learn_visit(self, choice, visit):  # noqa: ARG002
            seen.append((visit.url.removeprefix(SEED), visit.other_files))

    seen = []
    site = {"": html("1.pdf", "2.pdf", "p"), "p": html("2.pdf", "3.doc", "a.csv"), "a.csv": csv()}
    crawl = Crawl(SEED, Noting("bfs", Random(0)), settings=TABLES)
    replay(crawl, Dictionary(site), lambda _: None)
    assert seen[:2] == [("", 2), ("p", 1)]


def test_a_snapshot_is_plain_and_whole():
    names, other = UnwantedNames(), UnwantedNames()
    for number in range(6):
        names.add(Link(f"{SEED}{number}.doc", number=number))
    assert names.take().number == 0
    written = json.dumps(names.snapshot())
    other.restore(json.loads(written))
    assert json.dumps(other.snapshot()) == written
    assert [other.take().number for _ in range(2)] == [names.take().number for _ in range(2)]
    assert other.take() is None
    other.learn(Link(f"{SEED}0.doc"), paid=True)
    assert other.take() is not None
