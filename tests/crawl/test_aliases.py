"""Names learned from redirects: used, doubted, given up, and never at the price of a target."""

import json

import pytest

from datahound.archive import MemoryArchive
from datahound.crawl.aliases import Aliases
from datahound.crawl.crawl import Crawl
from datahound.engines.replay import replay
from datahound.events import Fetched, Skipped, TargetFound
from datahound.model import Failure, Fetch, Response, Skip
from datahound.strategies import make_strategy

SEED = "https://a.example/"


def moved(count, start="http://a.example", end="https://a.example"):
    aliases = Aliases()
    for number in range(count):
        aliases.learn(f"{start}/{number}.html", f"{end}/{number}.html")
    return aliases


@pytest.mark.parametrize(
    ("start", "end", "url", "better"),
    [
        (
            "http://a.example",
            "https://a.example",
            "http://a.example/x?y=1",
            "https://a.example/x?y=1",
        ),
        (
            "http://b.example",
            "https://a.example/b",
            "http://b.example/c/d",
            "https://a.example/b/c/d",
        ),
        (
            "https://a.example",
            "https://www.a.example",
            "https://a.example/",
            "https://www.a.example/",
        ),
        ("http://a.example", "https://a.example", "http://c.example/x", "http://c.example/x"),
    ],
)
def test_an_origin_that_moved(start, end, url, better):
    """Two redirects of one kind make a rule, for their origin only."""
    assert moved(1, start, end).better(url) == url
    assert moved(2, start, end).better(url) == better


def test_pages_that_end_with_a_slash():
    aliases = Aliases()
    for name in ("a", "b"):
        aliases.learn(f"https://a.example/{name}", f"https://a.example/{name}/")
    assert aliases.better("https://a.example/c/d") == "https://a.example/c/d/"
    for url in ("https://a.example/c.pdf", "https://a.example/c?d", "https://a.example/c/"):
        assert aliases.better(url) == url


def test_both_rules_at_once():
    aliases = Aliases()
    for name in ("a", "b"):
        aliases.learn(f"http://a.example/{name}", f"https://a.example/{name}/")
    assert aliases.better("http://a.example/c") == "https://a.example/c/"


def test_answers_in_place_speak_against_a_rule():
    aliases = moved(3)
    aliases.stay("http://a.example/z.html")
    assert aliases.better("http://a.example/x") == "http://a.example/x"
    for number in range(3, 6):
        aliases.learn(f"http://a.example/{number}.html", f"https://a.example/{number}.html")
    assert aliases.better("http://a.example/x") == "https://a.example/x"


def test_a_redirect_to_somewhere_else_says_nothing():
    """Every page to the login page is no rule, nor is a loop."""
    aliases = Aliases()
    for number in range(5):
        aliases.learn(f"https://a.example/{number}", "https://a.example/login")
        aliases.learn(f"https://a.example/{number}", f"https://a.example/{number}")
    assert aliases.better("https://a.example/7") == "https://a.example/7"


def test_a_scheme_that_moved_everywhere():
    """Two origins that went from http to https speak for a third; one that stayed, against it."""
    aliases = Aliases()
    for host in ("a.example", "b.other"):
        aliases.learn(f"http://{host}/x", f"https://{host}/x")
    assert aliases.better("http://c.third/y") == "https://c.third/y"
    aliases.stay("http://c.third/z")
    assert aliases.better("http://c.third/y") == "http://c.third/y"
    assert aliases.better("http://d.fourth/y") == "http://d.fourth/y"


def test_hosts_that_became_folders():
    aliases = Aliases()
    for label in ("ui", "qa"):
        aliases.learn(f"http://{label}.a.example/x.html", f"https://www.a.example/{label}/x.html")
    assert aliases.better("http://xml.a.example/b/c") == "https://www.a.example/xml/b/c"
    for url in ("http://www.a.example/y", "http://xml.b.example/y", "https://xml.a.example/y"):
        assert aliases.better(url) == url


def test_hosts_that_all_went_to_one_place_say_nothing_of_others():
    aliases = Aliases()
    for label in ("ui", "qa", "xml"):
        aliases.learn(f"http://{label}.a.example/x", "https://www.a.example/x")
    assert aliases.better("http://new.a.example/y") == "http://new.a.example/y"


def test_own_names_that_never_help_are_no_longer_tried():
    aliases = moved(2)
    url = "http://a.example/gone.html"
    assert aliases.own_name_may_help(url)
    for _ in range(2):
        aliases.note_own_name(url, helped=False)
    assert not aliases.own_name_may_help(url)
    aliases.note_own_name(url, helped=True)
    assert aliases.own_name_may_help(url)


def test_a_guess_that_fails_is_not_made_again_for_its_host():
    aliases = Aliases()
    for host in ("a.example", "b.other"):
        aliases.learn(f"http://{host}/x", f"https://{host}/x")
    aliases.note_own_name("http://dead.third/y", helped=False)
    assert aliases.better("http://dead.third/z") == "http://dead.third/z"
    assert aliases.better("http://c.fourth/z") == "https://c.fourth/z"


def test_it_survives_a_snapshot():
    aliases = moved(2)
    aliases.learn("http://b.example/x", "https://b.example/x")
    aliases.note_own_name("http://a.example/gone", helped=False)
    other = Aliases()
    other.restore(json.loads(json.dumps(aliases.snapshot())))
    assert other.better("http://a.example/x") == "https://a.example/x"
    assert other.better("http://c.example/x") == "https://c.example/x"
    assert other.snapshot() == aliases.snapshot()


def site(links, pages):
    """A site whose first page has some links; an int among the pages is a status without a body."""
    archive = MemoryArchive(SEED)
    body = "".join(f'<ul><li><a href="{link}">x</a></li></ul>' for link in links).encode()
    html = {"content-type": "text/html"}
    archive.put(Fetch(SEED), Response(SEED, 200, html, body, len(body)))
    for url, page in pages.items():
        if page == "pdf":
            answer = Response(url, 200, {"content-type": "application/pdf"}, b"", 10)
        elif page == "page":
            answer = Response(url, 200, html, b"<p>text</p>", 11)
        else:
            answer = Response(url, 301, {"location": page})
        archive.put(Fetch(url), answer)
    return archive


def crawl(archive, strategy="hound"):
    events = []
    replay(Crawl(SEED, make_strategy(strategy)), archive, events.extend)
    return events


def test_a_rule_saves_the_redirects():
    names = [f"{n}.html" for n in range(8)]
    old, new = "http://a.example/", "https://a.example/"
    pages = {old + n: new + n for n in names} | {new + n: "page" for n in names}
    archive = site([old + n for n in names], pages)
    asked = [e.fetch.url for e in crawl(archive) if isinstance(e, Fetched)]
    assert sum(url.startswith(old) for url in asked) == 2
    assert {new + n for n in names} <= set(asked)
    assert len(crawl(archive, "sb-classifier")) > len(asked)


def test_another_name_of_what_is_known_is_not_asked_for():
    names = [f"{n}.html" for n in range(6)]
    old, new = "http://a.example/", "https://a.example/"
    pages = {old + n: new + n for n in names} | {new + n: "page" for n in names}
    archive = site([base + n for n in names for base in (new, old)], pages)
    events = crawl(archive)
    asked = [e.fetch.url for e in events if isinstance(e, Fetched)]
    assert len(asked) == len(set(asked)) < 1 + 2 * len(names)
    assert any(isinstance(e, Skipped) and e.reason is Skip.ALIAS for e in events)


def test_no_target_is_lost_where_a_rule_does_not_hold():
    """What is not there under its better name is asked for under its own."""
    old, new = "http://a.example/", "https://a.example/"
    moved_names = [f"{n}.html" for n in range(4)]
    pages = {old + n: new + n for n in moved_names} | {new + n: "page" for n in moved_names}
    stayed = {f"{old}data/{n}.pdf": "pdf" for n in range(5)}
    archive = site([*(old + n for n in moved_names), *stayed], pages | stayed)
    found = {e.link.url for e in crawl(archive) if isinstance(e, TargetFound)}
    assert found == set(stayed)


def test_a_host_that_does_not_answer_under_its_guessed_name_is_asked_under_its_own():
    """Two hosts went to https; a third has nothing there, not even a connection."""
    hosts = ("b.a.example", "c.a.example")
    moved_hosts = {f"http://{host}/x.pdf": f"https://{host}/x.pdf" for host in hosts}
    stayed = {f"http://d.a.example/{n}.pdf": "pdf" for n in range(6)}
    pages = moved_hosts | dict.fromkeys(moved_hosts.values(), "pdf") | stayed
    archive = site([*moved_hosts, *stayed], pages)
    crawl, found, refused = Crawl(SEED, make_strategy("hound")), set(), 0
    while (fetch := crawl.next_fetch()) is not None:
        if fetch.url.startswith("https://d."):
            refused += 1
            crawl.answer(fetch, Failure(fetch.url, "connection refused"))
        else:
            crawl.answer(fetch, archive.get(fetch))
        found |= {e.link.url for e in crawl.take_events() if isinstance(e, TargetFound)}
    assert found == {*stayed, *moved_hosts.values()}
    assert refused == 1
