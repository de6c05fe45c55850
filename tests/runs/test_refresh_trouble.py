"""`datahound refresh` of sites in trouble, and of links that led to nothing before."""

import csv
import itertools
import json

import pytest
from changing_site import ChangingSite, page, serve_site

from datahound.cli import run
from datahound.store.writer import Store

FILES = {f"/f{n}.csv": b"a,b\n1,%d\n" % n for n in range(4)}
PAGES = {f"/p{n}.html": page(f"/f{n}.csv") for n in range(4)}
_NIGHT = 86_400


@pytest.fixture
def site():
    with serve_site(ChangingSite({"/": page(*PAGES), **PAGES, **FILES})) as site:
        yield site


def crawl(site, folder):
    arguments = ["--delay", "0", "--no-catalog", "--plain", "--no-early-stop"]
    assert run(["crawl", site.url, "--output", str(folder), *arguments]) == 0
    site.requests.clear()
    return folder


def refresh(folder, *arguments):
    limits = ["--delay", "0", "--no-catalog", "--plain", "--set", "max_outage_seconds=1"]
    return run(["refresh", str(folder), *limits, *arguments])


def listed(folder, *, gone):
    with (folder / "datasets.csv").open(encoding="utf-8-sig") as file:
        rows = csv.DictReader(file)
        return {row["url"].rpartition("/")[2] for row in rows if bool(row["gone"]) is gone}


def add_file(site):
    """A new file, on a page that was there from the start."""
    site.bodies |= {"/p0.html": page("/f0.csv", "/new.csv"), "/new.csv": b"n\n1\n"}


@pytest.fixture
def nights(monkeypatch):
    """Let a day go by before each round."""
    now = [1_800_000_000.0]

    def clock():
        now[0] += 0.01
        return now[0]

    monkeypatch.setattr(Store.__init__, "__defaults__", (clock,))

    def sleep():
        now[0] += _NIGHT

    return sleep


@pytest.mark.parametrize("status", [404, 500])
def test_a_site_that_is_down_for_two_nights_loses_nothing(site, tmp_path, nights, capfd, status):
    """Each round says so, with exit status 1; the third finds what is new, and all is there."""
    folder = crawl(site, tmp_path / "site")
    # The rules for crawlers are there: without them nothing would be asked for at all.
    site.bodies["/robots.txt"] = b"User-agent: *\nAllow: /\n"
    for path in ("/", *PAGES, *FILES):
        site.statuses[path] = status
    for _ in range(2):
        nights()
        capfd.readouterr()
        assert refresh(folder) == 1
        assert "the site may be down" in capfd.readouterr().out
        assert not listed(folder, gone=True)
    site.statuses.clear()
    add_file(site)
    nights()
    assert refresh(folder) == 0
    assert listed(folder, gone=False) == {name[1:] for name in (*FILES, "/new.csv")}


def test_what_was_missing_when_the_site_was_down_is_not_missing_twice(site, tmp_path, nights):
    """A file that is missing on the next night, too, may have been there in between."""
    folder = crawl(site, tmp_path / "site")
    site.bodies["/robots.txt"] = b"User-agent: *\nAllow: /\n"
    for path in ("/", *PAGES, *FILES):
        site.statuses[path] = 404
    nights()
    assert refresh(folder) == 1
    site.statuses = {"/f1.csv": 404}
    nights()
    refresh(folder)
    assert not listed(folder, gone=True)
    nights()
    refresh(folder)
    assert listed(folder, gone=True) == {"f1.csv"}


MAINTENANCE = (
    b'<html><title>Back soon</title><a href="help.html">Help</a><p>We are working on it: %d%%.'
)


@pytest.mark.parametrize(
    ("limit", "has_files"), [((), False), (("--share", "0.8"), False), ((), True)]
)
def test_a_maintenance_page_everywhere_loses_nothing(
    site, tmp_path, nights, capfd, limit, has_files
):
    """With status 200 for every URL: one line and exit status 1, for two nights.

    Files may still be served. The third night finds what is new, and nothing was ever gone.
    """
    folder = crawl(site, tmp_path / "site")
    bodies = dict(site.bodies)
    site.bodies["/robots.txt"] = b"User-agent: *\nAllow: /\n"
    paths = ["/", "/help.html", *PAGES, *([] if has_files else FILES)]
    site.bodies |= {path: MAINTENANCE % number for number, path in enumerate(paths)}
    for _ in range(2):
        nights()
        capfd.readouterr()
        assert refresh(folder, *limit) == 1
        assert "the same page, as in maintenance" in capfd.readouterr().out
        assert not listed(folder, gone=True)
    site.bodies = bodies
    add_file(site)
    nights()
    assert refresh(folder) == 0
    assert listed(folder, gone=False) == {name[1:] for name in (*FILES, "/new.csv")}


def test_a_site_whose_pages_were_always_equal_is_not_in_maintenance(tmp_path):
    """Pages without files that have one title: nothing is new, which is no trouble."""
    pages = {f"/p{n}.html": page() for n in range(10)}
    with serve_site(ChangingSite({"/": page(*pages, *FILES), **pages, **FILES})) as site:
        folder = crawl(site, tmp_path / "site")
        assert refresh(folder) == 3
        assert len([path for path, _, _ in site.requests if path in pages]) == 10


def test_a_new_start_page_with_a_page_for_what_is_missing_is_not_maintenance(tmp_path):
    """Old pages are all answered with one page and status 200, and the start page with another."""
    pages = {f"/p{n}.html": page(f"/f{n}.csv") for n in range(4)}
    with serve_site(ChangingSite({"/": page(*pages), **pages, **FILES})) as site:
        folder = crawl(site, tmp_path / "site")
        lost = dict.fromkeys(pages, b"<html><title>Not here</title>")
        site.bodies = {"/": page("/n.html"), "/n.html": page("/n.csv"), "/n.csv": b"1,2", **lost}
        site.bodies |= FILES
        assert refresh(folder) == 0
        assert "n.csv" in listed(folder, gone=False)


def test_a_site_that_forbids_crawlers_is_left_alone(site, tmp_path):
    """Exit status 1 and no request but for robots.txt; once it is open again, all goes on."""
    folder = crawl(site, tmp_path / "site")
    site.bodies["/robots.txt"] = b"User-agent: *\nDisallow: /\n"
    assert refresh(folder) == 1
    assert {path for path, _, _ in site.requests} == {"/robots.txt"}
    del site.bodies["/robots.txt"]
    add_file(site)
    assert refresh(folder) == 0
    assert "new.csv" in listed(folder, gone=False)


def test_a_site_that_has_nothing_is_not_asked_for_all_of_it(tmp_path):
    """A hundred pages are known; some twenty are asked for while the start page is missing."""
    pages = {f"/p{n}.html": page() for n in range(100)}
    with serve_site(ChangingSite({"/": page(*pages, *FILES), **pages, **FILES})) as site:
        folder = crawl(site, tmp_path / "site")
        site.status = 404
        assert refresh(folder) == 1
        assert len(site.requests) < 40


@pytest.mark.parametrize(
    ("path", "status"), [("/soon.csv", 404), ("/soon.html", 404), ("/soon.csv", 500)]
)
def test_a_link_that_led_to_nothing_is_followed_again(site, tmp_path, path, status):
    """A file that was announced, or failed for one night, is found when it is there."""
    site.bodies |= {"/": page(*PAGES, path), "/soon.html": page("/s.csv"), "/s.csv": b"s\n1\n"}
    site.bodies["/soon.csv"] = b"t\n1\n"
    site.statuses = {path: status}
    folder = crawl(site, tmp_path / "site")
    assert refresh(folder) == 3
    assert len(site.asked(path)) == 1
    site.statuses = {}
    assert refresh(folder) == 0
    assert {"soon.csv", "s.csv"} & listed(folder, gone=False)
    assert listed(folder, gone=False) == listed(crawl(site, tmp_path / "fresh"), gone=False)


def test_what_robots_txt_forbade_is_found_once_it_is_allowed(site, tmp_path):
    """A link that was never asked for counts as one that led to nothing."""
    site.bodies["/robots.txt"] = b"User-agent: *\nDisallow: /p1.html\n"
    folder = crawl(site, tmp_path / "site")
    assert "f1.csv" not in listed(folder, gone=False)
    del site.bodies["/robots.txt"]
    assert refresh(folder) == 0
    assert "f1.csv" in listed(folder, gone=False)


def test_a_link_that_redirects_elsewhere_now_is_followed(site, tmp_path):
    """`/latest` leads to the file of another quarter."""
    site.bodies |= {"/": page(*PAGES, "/latest"), "/q1.csv": b"q\n1\n", "/q2.csv": b"q\n2\n"}
    site.redirects = {"/latest": "/q1.csv"}
    folder = crawl(site, tmp_path / "site")
    site.redirects = {"/latest": "/q2.csv"}
    assert refresh(folder) == 0
    new = json.loads((folder / "whatsnew.json").read_text())["new"]
    assert [one["url"].rpartition("/")[2] for one in new] == ["q2.csv"]
    assert new[0]["page"] == site.url


def test_a_page_that_was_away_for_two_rounds_is_read_when_it_is_back(site, tmp_path):
    """It counts as gone, until a page links to it again."""
    folder = crawl(site, tmp_path / "site")
    site.statuses = {"/p0.html": 404}
    assert refresh(folder) == 3
    site.bodies["/"] = page("/p1.html", "/p2.html", "/p3.html")
    assert refresh(folder) == 3
    site.requests.clear()
    assert refresh(folder) == 3
    assert not site.asked("/p0.html")
    site.statuses = {}
    site.bodies["/"] = page(*PAGES)
    add_file(site)
    assert refresh(folder) == 0
    assert "new.csv" in listed(folder, gone=False)


def test_a_page_in_place_of_a_file_is_read(site, tmp_path):
    """What it links to is found, and the file is kept as it was."""
    site.bodies |= {"/": page(*PAGES, "/data"), "/data": b"a,b\n1,2\n"}
    folder = crawl(site, tmp_path / "site")
    site.bodies |= {"/data": page("/d2.csv"), "/d2.csv": b"d\n2\n"}
    assert refresh(folder) == 0
    assert {"data", "d2.csv"} <= listed(folder, gone=False)
    site.bodies |= {"/data": page("/d2.csv", "/d3.csv"), "/d3.csv": b"d\n3\n"}
    site.requests.clear()
    assert refresh(folder) == 0
    assert len(site.asked("/data")) == 1


def test_few_dead_links_are_followed_with_a_limit(tmp_path):
    """Of a hundred dead links most are left alone, once they have proved dead."""
    dead = [f"/dead{n}.csv" for n in range(100)]
    with serve_site(ChangingSite({"/": page(*PAGES, *dead), **PAGES, **FILES})) as site:
        folder = crawl(site, tmp_path / "site")
        for number in range(3):
            site.bodies["/p0.html"] = page("/f0.csv", *(f"/n{n}.csv" for n in range(number + 1)))
            site.bodies[f"/n{number}.csv"] = b"n\n%d\n" % number
            site.requests.clear()
            assert refresh(folder, "--budget", "30") == 0
            asked = [path for path, _, _ in site.requests]
            assert f"/n{number}.csv" in asked


def test_what_is_left_is_said_to_be_uncertain_in_the_first_round(tmp_path):
    """Nothing was seen to change yet: it may be that nothing ever does."""
    files = {f"/d{n}.csv": b"d\n%d\n" % n for n in range(60)}
    with serve_site(ChangingSite({"/": page(*files), **files})) as site:
        folder = crawl(site, tmp_path / "site")
        assert refresh(folder, "--budget", "10") == 3
        left = json.loads((folder / "whatsnew.json").read_text())["left"]
        assert left["low"] == 0
        assert left["expected"] * 2 < left["high"]


def test_files_that_only_seem_to_change_are_not_expected_to(tmp_path):
    """Their ETags are always new: what is left is not full of changes for that."""
    files = {f"/d{n}.csv": b"d\n%d\n" % n for n in range(60)}
    with serve_site(ChangingSite({"/": page(*files), **files})) as site:
        tags = itertools.count()
        site.make_tag = lambda _: str(next(tags))
        folder = crawl(site, tmp_path / "site")
        assert refresh(folder, "--budget", "30") == 3
        left = json.loads((folder / "whatsnew.json").read_text())["left"]
        assert left["requests"] > 20
        assert left["expected"] < 5
