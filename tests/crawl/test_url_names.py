"""Names learned from redirects: used, doubted, given up, and never at the price of a target."""

import json

import pytest

from datahound.archive import MemoryArchive
from datahound.crawl.crawl import Crawl
from datahound.crawl.url_names import RedirectRules
from datahound.engines.replay import replay
from datahound.events import Fetched, Skipped, TargetFound
from datahound.model import Failure, Fetch, Response, Skip
from datahound.settings import CrawlSettings
from datahound.strategies import make_strategy
from datahound.web.targets import parse_targets

SEED = "https://a.example/"


def moved(count, start="http://a.example", end="https://a.example"):
    rules = RedirectRules()
    for number in range(count):
        rules.learn_redirect(f"{start}/{number}.html", f"{end}/{number}.html")
    return rules


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
    assert moved(1, start, end).predict_name(url) == url
    assert moved(2, start, end).predict_name(url) == better


def test_pages_that_end_with_a_slash():
    rules = RedirectRules()
    for name in ("a", "b"):
        rules.learn_redirect(f"https://a.example/{name}", f"https://a.example/{name}/")
    assert rules.predict_name("https://a.example/c/d") == "https://a.example/c/d/"
    for url in ("https://a.example/c.pdf", "https://a.example/c?d", "https://a.example/c/"):
        assert rules.predict_name(url) == url


def test_both_rules_at_once():
    rules = RedirectRules()
    for name in ("a", "b"):
        rules.learn_redirect(f"http://a.example/{name}", f"https://a.example/{name}/")
    assert rules.predict_name("http://a.example/c") == "https://a.example/c/"


def test_answers_in_place_speak_against_a_rule():
    rules = moved(3)
    rules.learn_in_place("http://a.example/z.html")
    assert rules.predict_name("http://a.example/x") == "http://a.example/x"
    for number in range(3, 6):
        rules.learn_redirect(f"http://a.example/{number}.html", f"https://a.example/{number}.html")
    assert rules.predict_name("http://a.example/x") == "https://a.example/x"


def test_a_redirect_to_somewhere_else_says_nothing():
    """Every page to the login page is no rule, nor is a loop."""
    rules = RedirectRules()
    for number in range(5):
        rules.learn_redirect(f"https://a.example/{number}", "https://a.example/login")
        rules.learn_redirect(f"https://a.example/{number}", f"https://a.example/{number}")
    assert rules.predict_name("https://a.example/7") == "https://a.example/7"


def test_a_scheme_that_moved_everywhere():
    """Two origins that went from http to https speak for a third; one that stayed, against it."""
    rules = RedirectRules()
    for host in ("a.example", "b.other"):
        rules.learn_redirect(f"http://{host}/x", f"https://{host}/x")
    assert rules.predict_name("http://c.third/y") == "https://c.third/y"
    rules.learn_in_place("http://c.third/z")
    assert rules.predict_name("http://c.third/y") == "http://c.third/y"
    assert rules.predict_name("http://d.fourth/y") == "http://d.fourth/y"


def test_hosts_that_became_folders():
    rules = RedirectRules()
    for label in ("ui", "qa"):
        rules.learn_redirect(
            f"http://{label}.a.example/x.html", f"https://www.a.example/{label}/x.html"
        )
    assert rules.predict_name("http://xml.a.example/b/c") == "https://www.a.example/xml/b/c"
    for url in ("http://www.a.example/y", "http://xml.b.example/y", "https://xml.a.example/y"):
        assert rules.predict_name(url) == url


def test_hosts_that_all_went_to_one_place_say_nothing_of_others():
    rules = RedirectRules()
    for label in ("ui", "qa", "xml"):
        rules.learn_redirect(f"http://{label}.a.example/x", "https://www.a.example/x")
    assert rules.predict_name("http://new.a.example/y") == "http://new.a.example/y"


def test_own_names_that_never_help_are_no_longer_tried():
    rules = moved(2)
    url = "http://a.example/gone.html"
    assert rules.should_try_own_name(url)
    for _ in range(2):
        rules.learn_own_name(url, helped=False)
    assert not rules.should_try_own_name(url)
    rules.learn_own_name(url, helped=True)
    assert rules.should_try_own_name(url)


def test_a_guess_that_fails_is_not_made_again_for_its_host():
    rules = RedirectRules()
    for host in ("a.example", "b.other"):
        rules.learn_redirect(f"http://{host}/x", f"https://{host}/x")
    rules.learn_own_name("http://dead.third/y", helped=False)
    assert rules.predict_name("http://dead.third/z") == "http://dead.third/z"
    assert rules.predict_name("http://c.fourth/z") == "https://c.fourth/z"


def test_it_survives_a_snapshot():
    rules = moved(2)
    rules.learn_redirect("http://b.example/x", "https://b.example/x")
    rules.learn_own_name("http://a.example/gone", helped=False)
    other = RedirectRules()
    other.restore(json.loads(json.dumps(rules.snapshot())))
    assert other.predict_name("http://a.example/x") == "https://a.example/x"
    assert other.predict_name("http://c.example/x") == "https://c.example/x"
    assert other.snapshot() == rules.snapshot()


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


def test_no_target_is_lost_where_the_new_host_has_a_page_for_every_name():
    """Pages have moved, files have not; the new host answers each unknown name with a page."""
    old, new = "http://a.example/", "https://a.example/"
    moved_names = [f"{n}.html" for n in range(4)]
    files = [f"data/{n}.csv" for n in range(6)]
    pages = {old + n: new + n for n in moved_names} | {new + n: "page" for n in moved_names}
    stayed = {old + name: "pdf" for name in files}
    archive = site([old + n for n in moved_names], pages | stayed)
    none = b"<!doctype html><html><title>None</title><p>There is no such page.</p></html>"
    listing = "".join(f'<p><a href="{url}">x</a></p>' for url in stayed).encode()
    html, targets = {"content-type": "text/html"}, parse_targets(["all"])
    strategy = make_strategy("hound", targets=targets)
    crawl, found, moved = Crawl(SEED, strategy, settings=CrawlSettings(targets=targets)), set(), 0
    while (fetch := crawl.next_fetch()) is not None:
        answer = archive.get(fetch)
        if fetch.url.startswith(f"{new}data/"):
            answer = Response(fetch.url, 200, html, none, len(none))
        moved += fetch.url.startswith(new) and fetch.url.endswith(".html")
        if moved == 3 and answer.status == 200:  # the rule is known, and no file before
            answer = Response(fetch.url, 200, html, listing, len(listing))
            moved += 1
        crawl.answer(fetch, answer)
        found |= {e.link.url for e in crawl.take_events() if isinstance(e, TargetFound)}
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
