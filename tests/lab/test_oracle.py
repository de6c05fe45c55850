"""What only a recording knows: kinds of URLs behind redirects, texts of pages, their targets."""

import pytest

from datahound.archive import MemoryArchive, Recorded
from datahound.lab.oracle import ArchiveOracle
from datahound.model import Failure, Fetch, Kind, Response
from datahound.web.targets import find_wanted

SITE = "https://a.example"
CSV = find_wanted(frozenset({"text/csv"}))


def html(body):
    return {"content-type": "text/html; charset=utf-8"}, body.encode()


ANSWERS = {
    "/": (200, *html('<title>Start</title><p>Hello</p><a href="/list">l</a>')),
    "/list": (200, *html('<a href="/moved">file</a><a href="/gone">no</a>')),
    "/empty": (200, *html("")),
    "/t.csv": (200, {"content-type": "text/csv"}, b"a,b\n1,2\n"),
    "/image": (200, {"content-type": "image/png"}, b"\x89PNG"),
    "/moved": (301, {"location": "/twice"}, b""),
    "/twice": (302, {"location": f"{SITE}/t.csv"}, b""),
    "/loop": (301, {"location": "/loop"}, b""),
    "/nowhere": (301, {"location": "http://[broken"}, b""),
    "/choice": (300, {"location": "/t.csv"}, b""),
    "/gone": (404, *html('<a href="/t.csv">file</a>')),
}


@pytest.fixture
def archive():
    recorded = [
        Recorded(Fetch(SITE + path), Response(SITE + path, status, headers, body))
        for path, (status, headers, body) in ANSWERS.items()
    ]
    failed = Fetch(f"{SITE}/failed")
    return MemoryArchive(
        f"{SITE}/", [*recorded, Recorded(failed, Failure(failed.url, "timed out"))]
    )


@pytest.fixture
def oracle(archive):
    return ArchiveOracle(archive, CSV, [f"{SITE}/t.csv"])


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/", Kind.PAGE),
        ("/list", Kind.PAGE),
        ("/t.csv", Kind.TARGET),
        ("/moved", Kind.TARGET),
        ("/twice", Kind.TARGET),
        ("/image", Kind.OTHER),
        ("/gone", Kind.OTHER),
        ("/loop", Kind.OTHER),
        ("/nowhere", Kind.OTHER),
        ("/choice", Kind.OTHER),
        ("/failed", Kind.OTHER),
        ("/never-recorded", Kind.OTHER),
    ],
)
def test_the_kind_is_that_of_the_end_of_redirects(oracle, path, kind):
    assert oracle.kind_of(SITE + path) is kind
    assert oracle.kind_of(SITE + path) is kind, "asked again, from memory"


def test_ten_redirects_are_followed_and_no_more():
    def chain(length):
        hops = [
            Recorded(
                Fetch(f"{SITE}/{n}"),
                Response(f"{SITE}/{n}", 301, {"location": f"/{n + 1}"}),
            )
            for n in range(length)
        ]
        end = f"{SITE}/{length}"
        answer = Response(end, 200, {"content-type": "text/csv"}, b"a")
        archive = MemoryArchive(f"{SITE}/0", [*hops, Recorded(Fetch(end), answer)])
        return ArchiveOracle(archive, CSV, []).kind_of(f"{SITE}/0")

    assert chain(9) is Kind.TARGET
    assert chain(10) is Kind.OTHER


def test_pages_are_those_that_answer(oracle):
    assert set(oracle.page_urls()) == {SITE + path for path in ("/", "/list", "/empty")}


def test_pages_that_lead_to_a_target(oracle):
    """Behind redirects too; the page that answers 404 is none."""
    assert {url for url in oracle.page_urls() if oracle.links_to_target(url)} == {f"{SITE}/list"}


def test_the_text_of_a_page(oracle):
    assert oracle.page_text(f"{SITE}/").split() == ["Hello", "l"]
    for path in ("/t.csv", "/image", "/failed", "/never-recorded", "/moved"):
        assert oracle.page_text(SITE + path) == "", path


def test_targets_are_those_that_can_be_reached(oracle):
    assert list(oracle.targets()) == [f"{SITE}/t.csv"]


def test_what_is_the_same_for_each_crawl_is_made_once(oracle):
    made = []
    for _ in range(3):
        assert oracle.make_once("key", lambda: made.append(1) or "thing") == "thing"
    assert made == [1]
    assert oracle.make_once("other", lambda: "else") == "else"


def test_pages_that_were_read_before_are_not_read_again(archive):
    """A set of runs reads the pages of a site once."""

    class Broken(type(archive)):
        def __iter__(self):
            raise AssertionError("read again")

    page = ArchiveOracle(archive, CSV, [])._read_pages()
    broken = Broken(archive.seed, list(archive))
    oracle = ArchiveOracle(broken, CSV, [], page)
    assert oracle.links_to_target(f"{SITE}/list")
