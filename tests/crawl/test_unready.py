"""Files that are still being made when they are asked for."""

import json

from conversation import SEED, Dictionary, crawl_all, csv, html, make

from datahound.crawl.crawl import Crawl
from datahound.events import Fetched, Skipped, TargetFound
from datahound.model import NOT_READY, Response, Skip
from datahound.settings import CrawlSettings

ALL = CrawlSettings(targets=frozenset({"all"}))
WAIT = Response("", 202, {"content-type": "application/json"}, b'{"status": "pending"}')


def site(*later):
    """A page with a file that is ready the second time, and one that never is."""
    answers = iter([WAIT, *later])
    return {
        "": html("a.csv", "b.json", "p"), "p": html("q"), "q": html(),
        "a.csv": lambda _: next(answers), "b.json": WAIT,
    }  # fmt: skip


def test_it_is_asked_for_once_more_at_the_end():
    """What says that a file is being made is no file, whatever its type."""
    _, events, asked = crawl_all(site(csv()), "hound", settings=ALL)
    assert [url for _, url in asked] == ["", "a.csv", "b.json", "p", "q", "a.csv", "b.json"]
    targets = [event.link.url for event in events if isinstance(event, TargetFound)]
    assert targets == [f"{SEED}a.csv"]
    failures = [event.failure for event in events if isinstance(event, Fetched)]
    assert failures.count(NOT_READY) == 3


def test_a_snapshot_remembers_what_was_not_ready():
    """A crawl that is taken up at any moment asks for the same as one that was not."""
    for stop in range(1, 8):
        archive = Dictionary(site(csv()))
        crawl = Crawl(SEED, make("hound"), settings=ALL)
        for _ in range(stop):
            if fetch := crawl.next_fetch():
                crawl.answer(fetch, archive.get(fetch))
        state = json.loads(json.dumps(crawl.snapshot(), default=list))
        again = Crawl(SEED, make("hound"), settings=ALL)
        again.restore(state)
        while fetch := again.next_fetch():
            again.answer(fetch, archive.get(fetch))
        assert len(archive.asked) == 7
        assert again.tally.targets == 1


def test_the_papers_strategies_take_it_as_it_comes():
    _, _, asked = crawl_all({"": html("a.csv"), "a.csv": WAIT}, "bfs")
    assert [url for _, url in asked] == ["", "a.csv"]


def test_what_cannot_be_fetched_is_said_once():
    page = html("ftp://f.e.org/a.csv", "data:text/csv,a", "p")
    _, events, _ = crawl_all({"": page, "p": page}, "hound", settings=ALL)
    skipped = [e.link.url for e in events if isinstance(e, Skipped) and e.reason is Skip.NOT_WEB]
    assert skipped == ["ftp://f.e.org/a.csv", "data:text/csv"]


def test_a_choice_of_files_is_read_like_a_page():
    """The status 300 with a place is a redirect, and without one a page."""
    choice = Response("", 300, {"content-type": "text/html"}, html("a.csv").body)
    placed = Response("", 300, {"location": "/b.csv"}, b"")
    found = {"": html("c", "d"), "c": choice, "d": placed, "a.csv": csv(), "b.csv": csv()}
    _, events, _ = crawl_all(found, "hound", settings=ALL)
    assert sum(isinstance(event, TargetFound) for event in events) == 2
