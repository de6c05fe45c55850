"""Links from uncommon places and links with unwanted names wait for their turn."""

import json
from dataclasses import replace
from random import Random

import pytest
from conversation import SEED, Dictionary, crawl_all, csv, html, make, moved

from datahound.crawl.crawl import Crawl
from datahound.crawl.waiting_links import FurtherLinks, UnwantedNames
from datahound.engines.replay import replay
from datahound.events import FileElsewhere, Skipped, TargetFound
from datahound.model import Link, Response, Skip
from datahound.settings import CrawlSettings, SiteSettings
from datahound.strategies.simple import SimpleStrategy


def page(body, **headers):
    return Response("", 200, {"content-type": "text/html", **headers}, body.encode())


def option(number):
    return Link(f"{SEED}{number}", "html select option @option")


def found(events):
    return {event.link.url.removeprefix(SEED) for event in events if isinstance(event, TargetFound)}


def test_links_wait_until_their_source_pays():
    further = FurtherLinks(8)
    assert further.must_wait(option(1))
    for number in (1, 1, 2, 3):
        further.add(option(number), visits=10)
    assert further.take_due(109) is None
    assert further.take_due(110) == option(1)
    assert further.take_due(111) is None
    assert list(further.learn(option(1), paid=False, is_new=False)) == []
    assert list(further.learn(option(1), paid=True, is_new=True)) == [option(2), option(3)]
    assert not further.must_wait(option(4))
    assert further.take() is None


def test_trials_become_rarer():
    further = FurtherLinks(8)
    for number in range(9):
        further.add(option(number), visits=0)
    tried = [visits for visits in range(8000) if further.take_due(visits)]
    assert tried == [100, 500, 2100]


def test_a_snapshot_is_plain_and_whole():
    further, other = FurtherLinks(8), FurtherLinks(8)
    further.add(option(1), 5)
    list(further.learn(Link(SEED, "a @state"), paid=True, is_new=True))
    further.follows_refresh(Link(SEED), Link(SEED + "r", "meta @refresh"))
    for number in range(8):
        list(further.learn(option(number), paid=False, is_new=False))
    written = json.dumps(further.snapshot())
    other.restore(json.loads(written))
    assert json.dumps(other.snapshot()) == written
    assert not other.must_wait(Link(SEED, "b @state"))
    assert other.take() == option(1)
    assert other.is_barren(option(9))


def feeds(*names):
    """A page with a `link` to a feed per name."""
    return page("".join(f'<link rel="alternate" href="/{name}/feed">' for name in names))


def test_links_like_many_that_brought_nothing_are_left_out():
    """Thousands of feeds of keywords, at the end of a crawl, would bring no file."""
    site = {"": feeds(*range(50)), **{f"{n}/feed": html("") for n in range(50)}}
    _, events, asked = crawl_all(site, "hound")
    assert len(asked) == 1 + 8
    left_out = [e for e in events if isinstance(e, Skipped) and e.reason is Skip.BARREN_KIND]
    assert len(left_out) == 42


def test_a_later_round_tries_links_again_that_brought_nothing():
    further = FurtherLinks(1)
    list(further.learn(option(1), paid=False, is_new=False))
    assert further.is_barren(option(1))
    further.begin_round()
    assert not further.is_barren(option(1))


def test_links_like_those_that_bring_pages_or_files_are_all_asked_for():
    """Each seventh leads to a page that nothing else names, with a way to a file."""
    site = {"": feeds(*range(50)), "p": html("x.csv"), "x.csv": csv()}
    site |= {f"{n}/feed": html(f"/p{n}" if n % 7 == 6 else "") for n in range(50)}
    site |= {f"p{n}": html("p") for n in range(50)}
    _, events, asked = crawl_all(site, "hound")
    assert sum("feed" in url for _, url in asked) == 50
    assert found(events) == {"x.csv"}


def test_a_menu_of_many_folders_ends_as_well():
    """Each URL has a form of its own; they have their place on the page in common."""
    names = [f"{a}{b}" for a in "abcdefghij" for b in "abcdefghij"]
    site = {"": page("".join(f'<option value="/{name}/">' for name in names))}
    crawl_of = {"settings": CrawlSettings(barren_links=2)}
    _, _, asked = crawl_all(site, "hound", **crawl_of)
    assert len(asked) == 1 + 2 * 5


def test_pages_of_a_sitemap_are_read_however_many_bring_nothing():
    further = FurtherLinks(1)
    link = Link(f"{SEED}p/1", "sitemap @sitemaps")
    list(further.learn(link, paid=False, is_new=False))
    assert not further.is_barren(link)


def test_a_page_named_by_an_option_comes_last_and_a_file_at_once():
    site = {
        "": page('<option value="/late"><a href="p">p</a><option value="/f.csv">'),
        "p": html(), "late": html("g.csv"), "f.csv": csv(), "g.csv": csv(),
    }  # fmt: skip
    _, events, asked = crawl_all(site, "hound")
    assert [url for _, url in asked] == ["", "f.csv", "p", "late", "g.csv"]
    assert found(events) == {"f.csv", "g.csv"}


def test_a_waiting_link_is_visited_as_soon_as_a_page_links_to_it():
    site = {
        "": page('<option value="/x"><a href="a">a</a><a href="b">b</a>'),
        "a": html("x", "y"), "b": html("z"), "x": html(), "y": html(), "z": html(),
    }  # fmt: skip
    crawl, _, asked = crawl_all(site, "hound")
    assert sorted(url for _, url in asked) == ["", "a", "b", "x", "y", "z"]
    assert crawl.tally.requests == 6


@pytest.mark.parametrize("strategy", ["bfs", "sb-classifier", "sb-oracle"])
def test_the_papers_strategies_do_not_see_them(strategy):
    site = {"": page('<option value="/f.csv"><a href="p">p</a>'), "p": html(), "f.csv": csv()}
    _, _, asked = crawl_all(site, strategy)
    assert "f.csv" not in {url for _, url in asked}


def test_refreshes_without_end_end():
    def refresh(fetch):
        number = int(fetch.url.rpartition("=")[2] or 0) if "=" in fetch.url else 0
        return page(f'<meta http-equiv="refresh" content="0;url=/?n={number + 1}">')

    site = {"": refresh, **{f"?n={n}": refresh for n in range(1, 40)}}
    _, _, asked = crawl_all(site, "hound")
    assert len(asked) == 11
    loop = {"": page('<meta http-equiv="refresh" content="0;url=/">')}
    assert len(crawl_all(loop, "hound")[2]) == 1


def test_a_redirect_back_that_sets_a_cookie_is_followed_once():
    """A consent wall in one step, and in two; one that never lets in ends."""
    cookie = {"location": "/", "set-cookie": "a=1", "content-type": "text/html"}
    answers = iter([Response("", 302, cookie), html("d", "w", "q.csv")])
    to_wall = {"location": "/wall", "content-type": "text/html"}
    walled = iter([Response("", 302, to_wall), csv()])
    site = {
        "": lambda _: next(answers),
        "q.csv": lambda _: next(walled),
        "wall": Response("", 302, {**cookie, "location": "/q.csv"}),
        "d": Response("", 302, {**cookie, "location": "/d"}),
        "w": moved("/w"),
    }
    _, events, asked = crawl_all(site, "hound")
    assert found(events) == {"q.csv"}
    assert [url for _, url in asked if url != "q.csv"].count("") == 2
    assert [url for _, url in asked].count("d") == 2
    assert [url for _, url in asked].count("w") == 1


ELSEWHERE = {
    "": html("https://cdn.example/a.csv", "https://cdn.example/page", "r", "https://x.example/b.xls"),
    "r": moved("https://s3.example/c.csv"),
    "https://cdn.example/a.csv": csv(),
    "https://x.example/b.xls": html("https://x.example/deep.csv"),
    "https://s3.example/c.csv": moved("https://s4.example/signed"),
    "https://s4.example/signed": csv(),
}  # fmt: skip


def test_files_on_other_hosts_are_counted_by_host_and_type():
    crawl, events, asked = crawl_all(ELSEWHERE, "hound")
    counted = [(e.host, e.extension) for e in events if isinstance(e, FileElsewhere)]
    assert sorted(counted) == [
        ("cdn.example", ".csv"), ("s3.example", ".csv"), ("x.example", ".xls"),
    ]  # fmt: skip
    assert len(asked) == 2
    assert crawl.tally.targets == 0


def test_linked_files_are_collected_and_pages_never():
    settings = CrawlSettings(linked_files=True)
    _, events, asked = crawl_all(ELSEWHERE, "hound", settings=settings)
    assert found(events) == {"https://cdn.example/a.csv", "https://s4.example/signed"}
    assert not any(isinstance(event, FileElsewhere) for event in events)
    assert not {"https://cdn.example/page", "https://x.example/deep.csv"} & {u for _, u in asked}


def test_what_the_user_excludes_is_not_collected_elsewhere():
    settings = CrawlSettings(linked_files=True, site=SiteSettings(exclude=("cdn",)))
    _, events, asked = crawl_all(ELSEWHERE, "hound", settings=settings)
    assert "https://cdn.example/a.csv" not in {url for _, url in asked}
    skipped = {e.link.url: e.reason for e in events if isinstance(e, Skipped)}
    assert skipped["https://cdn.example/a.csv"] is Skip.OTHER_SITE


def test_files_left_out_before_are_collected_after_the_end():
    crawl, events, _ = crawl_all(ELSEWHERE, "hound")
    assert crawl.stopped
    left_out = [event.link for event in events if isinstance(event, FileElsewhere)]
    crawl.collect_files(left_out[:1])
    fetch = crawl.next_fetch()
    assert fetch
    assert fetch.url == "https://cdn.example/a.csv"
    crawl.answer(fetch, csv())
    assert crawl.next_fetch() is None
    assert crawl.tally.targets == 1


def test_a_crawl_goes_on_from_a_snapshot_with_links_that_wait():
    crawl = Crawl(SEED, make("hound"))
    fetch = crawl.next_fetch()
    assert fetch
    first = page('<option value="/late"><a href="p">p</a>')
    crawl.answer(fetch, replace(first, url=SEED))
    other = Crawl(SEED, make("hound"))
    other.restore(json.loads(json.dumps(crawl.snapshot(), default=list)))
    for each in (crawl, other):
        asked = []
        while (fetch := each.next_fetch()) is not None:
            asked.append(fetch.url)
            each.answer(fetch, replace(html(), url=fetch.url))
        assert asked == [SEED + "p", SEED + "late"]


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


def test_a_snapshot_of_unwanted_names_is_plain_and_whole():
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
