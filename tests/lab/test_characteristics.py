"""Measuring recorded websites."""

import pytest

from datahound.archive import MemoryArchive, Recorded
from datahound.archive.synthetic import open_synthetic
from datahound.errors import ArchiveError
from datahound.lab.characteristics import find_paper_site, measure_site
from datahound.model import Failure, Fetch, Response
from datahound.web.targets import find_wanted

HOME = "https://www.a.example/"


def page(path, *links):
    body = "".join(f'<a href="{link}">x</a>' for link in links).encode()
    return answer(path, "text/html; charset=utf-8", body, len(body))


def answer(path, mime_type, body=b"", size=0):
    url = HOME + path
    return Recorded(Fetch(url), Response(url, 200, {"content-type": mime_type}, body, size))


def moved(path, location):
    url = HOME + path
    return Recorded(Fetch(url), Response(url, 301, {"location": location}))


def site(*recorded):
    return MemoryArchive(HOME, recorded, "a")


def test_everything_is_counted():
    """Pages, targets, others, errors, redirects and types are what the recording holds."""
    found = measure_site(
        site(
            page("", "a", "b", "old", "gone", "x.png", "https://other.example/c.csv"),
            page("a", "/", "one.csv"),
            page("b", "/a", "feed"),
            moved("old", "/two.pdf"),
            moved("away", "https://other.example/"),
            answer("one.csv", "text/csv", size=100),
            answer("two.pdf", "application/pdf", size=300),
            answer("feed", "application/octet-x", size=7),
            page("unlinked"),
        )
    )
    assert (found.pages, found.targets, found.available) == (3, 2, 6)
    assert (found.errors, found.redirects) == (1, 1)
    assert found.linking_pages == 2
    assert found.density == pytest.approx(2 / 6)
    assert found.linking == pytest.approx(2 / 3)
    assert (found.target_size.mean, found.target_size.std, found.target_size.max) == (200, 100, 300)
    assert found.mime_types == {
        "text/html": 3,
        "text/csv": 1,
        "application/pdf": 1,
        "application/octet-x": 1,
    }


def test_languages_are_those_that_pages_name():
    """By the element `html`, without the country; pages without one are left out."""
    links = [f'<a href="/{name}">x</a>'.encode() for name in "abc"]
    found = measure_site(
        site(
            answer("", "text/html", b'<html lang="pt-BR">' + b"".join(links)),
            answer("a", "text/html", b"<!DOCTYPE html>\n<HTML dir=ltr LANG=en><p lang=de>"),
            answer("b", "text/html", b"<html xml:lang='pt'>"),
            answer("c", "text/html", b'<html data-lang="xx"><p lang="fr">'),
        )
    )
    assert (found.languages, found.start) == ({"pt": 2, "en": 1}, HOME)


def test_depth_is_the_shortest_way():
    """Depth counts links, not redirects, and takes the shortest way."""
    found = measure_site(
        site(
            page("", "p1", "r"),
            moved("r", "/t.csv"),
            page("p1", "p2", "t.csv"),
            page("p2", "p3"),
            page("p3", "u.csv", "p1"),
            answer("t.csv", "text/csv"),
            answer("u.csv", "text/csv"),
        )
    )
    assert (found.target_depth.mean, found.target_depth.max) == (2.5, 4)


def test_a_redirect_does_not_make_its_end_later():
    """What is redirected to is visited before deeper pages, so depths stay the least."""
    found = measure_site(
        site(
            page("", "p1", "r"),
            page("p1", "x1"),
            moved("r", "/q"),
            page("x1", "t.csv"),
            page("q", "t.csv"),
            answer("t.csv", "text/csv"),
        )
    )
    assert found.target_depth.mean == 2


def test_a_loop_of_redirects_ends():
    """Redirects in a circle, to nowhere or to themselves lead to nothing and stop nobody."""
    found = measure_site(
        site(
            page("", "a", "c", "d"),
            moved("a", "/b"),
            moved("b", "/a"),
            moved("c", ""),
            moved("d", "d"),
        )
    )
    assert (found.pages, found.targets) == (1, 0)


def test_other_targets_can_be_asked_for():
    """What counts as a target is the caller's choice."""
    archive = site(page("", "t.csv", "u.pdf"), answer("t.csv", "text/csv"))
    assert measure_site(archive, targets=find_wanted(frozenset({"application/pdf"}))).targets == 0
    assert measure_site(archive, targets=find_wanted(frozenset({"text/csv"}))).targets == 1


def test_a_site_without_a_start_page():
    """A seed that is not a recorded page is told in one line."""
    for recorded in ([], [answer("", "text/csv")], [Recorded(Fetch(HOME), Failure(HOME, "no"))]):
        with pytest.raises(ArchiveError, match="start page"):
            measure_site(site(*recorded))


def test_a_site_without_end_is_measured_in_part():
    """A limit on URLs ends the walk and is said."""
    found = measure_site(open_synthetic("synthetic:?pages=300&targets=60&traps=on"), max_urls=500)
    assert not found.complete
    assert found.pages + found.targets + found.errors + found.redirects <= 500
    assert measure_site(open_synthetic("synthetic:?pages=300&targets=60")).complete


def test_progress_is_told():
    """Progress ends with everything done."""
    told = []
    links = [f"p{n}" for n in range(450)]
    measure_site(
        site(page("", *links), *map(page, links)), progress=lambda *seen: told.append(seen)
    )
    assert len(told) >= 3
    assert told[-1] == (451, 451)


def test_the_paper_is_at_hand():
    """The paper's figures of a preset, in the units of the measured ones."""
    found = find_paper_site("ju")
    assert found is not None
    assert (found.available, found.targets) == (56_610, 14_850)
    assert found.linking == pytest.approx(0.0485)
    assert (found.target_size.mean, found.target_depth.std) == (480_000, 86.30)
    assert find_paper_site("demo") is None
