"""Which links of a page are new, which are left out and why, and which wait for later."""

import json

import pytest
from conversation import SEED, Dictionary, crawl_all, csv, html, make

from datahound.crawl.crawl import Crawl
from datahound.events import Discovered, FileElsewhere, Skipped, TargetFound, Visited
from datahound.model import Kind, Link, Response, Skip
from datahound.settings import CrawlSettings, SiteSettings

ALL = CrawlSettings(targets=frozenset({"all"}))
TABLES = CrawlSettings(targets=frozenset({"tables"}))


def asked_for(asked):
    return [url for _, url in asked]


def skipped(events, reason):
    return [e.link.url for e in events if isinstance(e, Skipped) and e.reason is reason]


def found(events):
    return [e.link.url.removeprefix(SEED) for e in events if isinstance(e, TargetFound)]


def body(text, mime_type="text/html"):
    return Response("", 200, {"content-type": mime_type}, text.encode())


def test_a_link_is_discovered_once():
    """Menus repeat on every page; only the first page with a link has it among its new links."""
    pages = {"": html("a", "b"), "a": html("", "b", "a"), "b": html("a")}
    _, events, asked = crawl_all(pages)
    assert asked_for(asked) == ["", "a", "b"]
    discovered = [e.link.url.removeprefix(SEED) for e in events if isinstance(e, Discovered)]
    assert discovered == ["a", "b"]
    assert [e.new_links for e in events if isinstance(e, Visited)] == [2, 0, 0]


def test_links_have_numbers_depths_and_the_page_that_they_are_on():
    _, events, _ = crawl_all({"": html("a"), "a": html("b"), "b": html()})
    links = [e.link for e in events if isinstance(e, Discovered)]
    assert [link.number for link in links] == [1, 2]
    assert [link.depth for link in links] == [1, 2]
    assert [link.found_on for link in links] == [SEED, f"{SEED}a"]


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://other.example/", Skip.OTHER_SITE),
        ("private/a", Skip.EXCLUDED),
        ("a.png", Skip.BLOCKED_EXTENSION),
    ],
)
def test_what_is_left_out_is_said_once(url, reason):
    """Two pages link to it; the objection is made on the first."""
    settings = CrawlSettings(site=SiteSettings(exclude=("/private/",)))
    _, events, asked = crawl_all({"": html(url, "b"), "b": html(url)}, settings=settings)
    assert asked_for(asked) == ["", "b"]
    assert [u.removeprefix(SEED) for u in skipped(events, reason)] == [url]


def test_a_file_on_another_host_is_counted_and_not_asked_for():
    pages = {"": html("http://cdn.example/a.csv", "http://cdn.example/page", "b"), "b": html()}
    _, events, asked = crawl_all(pages, "hound", settings=ALL)
    assert asked_for(asked) == ["", "b"]
    elsewhere = [(e.host, e.extension) for e in events if isinstance(e, FileElsewhere)]
    assert elsewhere == [("cdn.example", ".csv")]
    assert [e.not_followed.files_elsewhere for e in events if isinstance(e, Visited)] == [1, 0]


def test_a_linked_file_of_another_host_is_kept_and_its_links_are_not_followed():
    """With `--linked-files`: the host is not the site, so a page there is never read."""
    settings = CrawlSettings(targets=frozenset({"all"}), linked_files=True)
    listing = body('["http://cdn.example/b.csv"]', "application/json")
    pages = {
        "": html("http://cdn.example/a.json", "http://cdn.example/page"),
        "http://cdn.example/a.json": listing, "http://cdn.example/b.csv": csv(),
    }  # fmt: skip
    _, events, asked = crawl_all(pages, "hound", settings=settings)
    assert asked_for(asked) == ["", "http://cdn.example/a.json"]
    assert found(events) == ["http://cdn.example/a.json"]


def test_unwanted_names_wait_until_nothing_else_is_left():
    """Three of an extension are tried, at the very end; none of them lies, so no more are."""
    documents = [f"d{n}.pdf" for n in range(9)]
    pdf = Response("", 200, {"content-type": "application/pdf"}, b"%PDF-1.4")
    pages = {"": html(*documents, "a", "t.csv"), "a": html("b"), "b": html(), "t.csv": csv()}
    _, events, asked = crawl_all(pages | dict.fromkeys(documents, pdf), "hound", settings=TABLES)
    names = asked_for(asked)
    assert sum(name.endswith(".pdf") for name in names) == 3
    assert all(name.endswith(".pdf") for name in names[-3:])
    assert len(skipped(events, Skip.UNWANTED_NAME)) == len(documents)


def test_names_that_lie_are_tried_further():
    """What is called a document is a table: ten more are tried for each that brought a file."""
    documents = [f"d{n}.pdf" for n in range(9)]
    pages = {"": html(*documents), **dict.fromkeys(documents, csv())}
    _, events, _ = crawl_all(pages, "hound", settings=TABLES)
    assert sorted(found(events)) == documents


def test_links_from_uncommon_places_wait_for_links_of_the_page():
    """The option of a form comes last, unless its name is that of a file."""
    seed = body(
        "<select><option value='/o'>o</option><option value='/o.csv'>f</option></select>"
        "<a href='/a'>a</a>"
    )
    pages = {"": seed, "a": html("b"), "b": html(), "o": html(), "o.csv": csv()}
    _, _, asked = crawl_all(pages, "hound", settings=ALL)
    names = asked_for(asked)
    assert names[-1] == "o"
    assert names.index("o.csv") < names.index("a")


def test_the_papers_strategies_see_the_papers_four_elements_only():
    seed = body("<select><option value='/o.csv'>f</option></select><a href='/a'>a</a>")
    _, _, asked = crawl_all({"": seed, "a": html()}, "sb-classifier", settings=ALL)
    assert set(asked_for(asked)) == {"", "a"}


def test_a_file_that_names_others_is_a_file_and_leads_to_them():
    named = body("name;url\na;/deep/a.csv\n", "text/csv")
    pages = {"": html("list.csv"), "list.csv": named, "deep/a.csv": csv()}
    _, events, _ = crawl_all(pages, "hound", settings=ALL)
    assert found(events) == ["list.csv", "deep/a.csv"]


def test_files_that_were_left_out_can_be_collected_later():
    """They come before any choice, each once, with numbers of their own."""
    archive = Dictionary({"": html("a"), "a": html(), "x.csv": csv()})
    crawl = Crawl(SEED, make("bfs"), settings=CrawlSettings())
    crawl.answer(first := crawl.next_fetch(), archive.get(first))
    crawl.collect_files([Link(f"{SEED}x.csv", "", found_on=SEED)])
    order = []
    while fetch := crawl.next_fetch():
        order.append(fetch.url.removeprefix(SEED))
        crawl.answer(fetch, archive.get(fetch))
    assert order == ["x.csv", "a"]
    assert crawl.tally.targets == 1


def test_a_snapshot_has_what_waits():
    """Unwanted names, uncommon places and numbers go on where they were."""
    documents = [f"d{n}.pdf" for n in range(4)]
    seed = body(
        "<select><option value='/o'>o</option></select>"
        + "".join(f"<a href='/{name}'>x</a>" for name in [*documents, "a", "b"])
    )
    pages = {"": seed, **dict.fromkeys([*documents, "a", "b", "o"], html())}
    _, _, whole = crawl_all(pages, "hound", settings=TABLES)
    archive = Dictionary(pages)
    crawl = Crawl(SEED, make("hound"), settings=TABLES)
    for _ in range(2):
        fetch = crawl.next_fetch()
        crawl.answer(fetch, archive.get(fetch))
    state = json.loads(json.dumps(crawl.snapshot(), default=list))
    again = Crawl(SEED, make("hound"), settings=TABLES)
    again.restore(state)
    while fetch := again.next_fetch():
        again.answer(fetch, archive.get(fetch))
    assert sorted(archive.asked) == sorted(whole)


def test_a_redirect_does_not_make_a_known_link_new():
    moved = Response("", 302, {"location": "/b"}, b"")
    _, events, asked = crawl_all({"": html("a", "b"), "a": moved, "b": html()})
    assert asked_for(asked) == ["", "a", "b"]
    assert [e.link.url for e in events if isinstance(e, Discovered)] == [f"{SEED}a", f"{SEED}b"]


def test_what_no_reader_knows_has_no_links():
    """An answer of another type is not a page, even if its bytes look like one."""
    video = Response("", 200, {"content-type": "video/mp4"}, b"<a href='/x.csv'>x</a>")
    _, events, asked = crawl_all({"": html("a"), "a": video}, "hound", settings=ALL)
    assert asked_for(asked) == ["", "a"]
    assert not [e for e in events if isinstance(e, Discovered) and e.expected is Kind.TARGET]
