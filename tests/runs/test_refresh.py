"""`datahound refresh` over HTTP: rounds, versions, what is gone, and exit statuses."""

import csv
import hashlib
import itertools
import json
import xml.etree.ElementTree as ET

import pytest
from changing_site import ChangingSite, page, serve_site

from datahound.cli import run

FILES = {f"/f{n}.csv": b"a,b\n1,%d\n" % n for n in range(5)}


@pytest.fixture
def site():
    bodies = {"/": page("/list.html", "/quiet.html"), "/quiet.html": page(), **FILES}
    with serve_site(ChangingSite({**bodies, "/list.html": page(*FILES)})) as site:
        yield site


@pytest.fixture
def folder(site, tmp_path):
    folder = tmp_path / "site"
    arguments = ["crawl", site.url, "--output", str(folder), "--delay", "0", "--no-catalog"]
    assert run([*arguments, "--plain"]) == 0
    site.requests.clear()
    return folder


def refresh(folder, *arguments):
    return run(["refresh", str(folder), "--delay", "0", "--no-catalog", *arguments])


def whatsnew(folder):
    return json.loads((folder / "whatsnew.json").read_text())


def listed(folder):
    with (folder / "datasets.csv").open(encoding="utf-8-sig") as file:
        return {row["url"].rpartition("/")[2]: row for row in csv.DictReader(file)}


def test_nothing_new_is_said_with_3(site, folder):
    """Every page and file is asked for once, files only if they have changed."""
    assert refresh(folder) == 3
    assert {path for path, _, _ in site.requests} >= {"/", "/list.html", "/quiet.html", *FILES}
    assert all(len(site.asked(path)) == 1 for path in FILES)
    assert any(304 in site.asked(path) for path in FILES)
    assert whatsnew(folder)["round"] == 1


def test_new_and_changed_files_are_kept_beside_their_versions(site, folder):
    """A new file is there, the changed one in both versions, and the list counts them."""
    site.bodies["/list.html"] = page(*FILES, "/new.csv")
    site.bodies |= {"/new.csv": b"new,1\n", "/f1.csv": b"a,b\n9,9\n"}
    assert refresh(folder) == 0
    found = whatsnew(folder)
    assert [file["url"] for file in found["new"]] == [site.url + "new.csv"]
    (changed,) = found["changed"]
    assert (folder / changed["file"]).read_bytes() == b"a,b\n9,9\n"
    assert (folder / changed["before"]).read_bytes() == FILES["/f1.csv"]
    rows = listed(folder)
    assert rows["f1.csv"]["versions"] == "2"
    assert rows["f1.csv"]["last_changed"] >= rows["f1.csv"]["first_seen"]
    assert len(ET.parse(folder / "whatsnew.atom").getroot().findall("{*}entry")) == 2
    assert "new.csv" in (folder / "whatsnew.html").read_text()


def test_a_file_is_gone_when_its_page_dropped_it(site, folder):
    """A 404 and no link: gone at once; a 404 that is still linked is not, yet."""
    del site.bodies["/f1.csv"], site.bodies["/f2.csv"]
    site.bodies["/list.html"] = page(*(path for path in FILES if path != "/f1.csv"))
    assert refresh(folder, "--fail-on", "gone") == 4
    assert [file["url"] for file in whatsnew(folder)["gone"]] == [site.url + "f1.csv"]
    assert listed(folder)["f1.csv"]["gone"]
    assert not listed(folder)["f2.csv"]["gone"]


def test_a_soft_404_is_no_new_version(site, folder):
    """A page in place of a file neither replaces it nor makes it gone."""
    del site.bodies["/f1.csv"]
    site.soft_404 = True
    assert refresh(folder) == 3
    assert (folder / listed(folder)["f1.csv"]["file"]).read_bytes() == FILES["/f1.csv"]


def test_new_validators_for_old_bytes_are_no_change(site, folder):
    """An ETag that is always new costs the bytes, and reports nothing."""
    tags = itertools.count()
    site.make_tag = lambda _: str(next(tags))
    assert refresh(folder) == 3
    assert whatsnew(folder)["changed"] == []


def test_a_host_that_lies_is_asked_for_the_bytes(site, tmp_path):
    """One validator for all bytes: once a test has shown it, no condition is sent any more."""
    site.make_tag = lambda _: "same"
    folder = tmp_path / "liar"
    many = {f"/m{n}.csv": b"a,b\n1,%d\n" % n for n in range(60)}
    site.bodies |= {**many, "/list.html": page(*many)}
    start = ["crawl", site.url, "--output", str(folder), "--delay", "0", "--no-catalog"]
    assert run([*start, "--plain"]) == 0
    site.bodies |= {path: body + b"2,2\n" for path, body in many.items()}
    for _ in range(10):  # which answers are tested is chance: a round may not show the lie
        refresh(folder)
        if whatsnew(folder)["changed"]:
            break
    refresh(folder)
    assert sum(row["versions"] == "2" for row in listed(folder).values()) == len(many)


def test_a_budget_is_kept_and_rounds_go_on(site, folder):
    """Two requests at most, and the next round begins anew."""
    assert refresh(folder, "--budget", "2") in (0, 3)
    assert len([path for path, _, _ in site.requests if path != "/robots.txt"]) == 2
    assert refresh(folder) == 3
    assert whatsnew(folder)["round"] == 2
    assert whatsnew(folder)["left"]["requests"] == 0


def test_what_is_new_since_an_earlier_round(site, folder):
    """`--since 0` has what all rounds found."""
    for number in range(2):
        site.bodies |= {f"/new{number}.csv": b"x,%d\n" % number}
        news = [f"/new{n}.csv" for n in range(number + 1)]
        site.bodies["/list.html"] = page(*FILES, *news)
        assert refresh(folder) == 0
    assert len(whatsnew(folder)["new"]) == 1
    refresh(folder, "--since", "0")
    assert len(whatsnew(folder)["new"]) == 2


@pytest.mark.parametrize(
    "arguments",
    [("--share", "2"), ("--share", "0.1", "--budget", "3"), ("--fail-on", "rain")],
)
def test_bad_input_is_one_line(folder, capfd, arguments):
    """Exit status 2, and what is wrong."""
    capfd.readouterr()
    assert refresh(folder, *arguments) == 2
    assert len(capfd.readouterr().err.splitlines()) == 1


def test_a_folder_without_a_crawl_is_refused(tmp_path):
    """Nothing is made in it."""
    assert refresh(tmp_path / "nothing") == 2
    assert not (tmp_path / "nothing").exists()


def test_files_are_stored_once_by_content(site, folder):
    """A file that returns to its first bytes uses the version that is kept."""
    first = site.bodies["/f1.csv"]
    for body in (b"a,b\n7,7\n", first):
        site.bodies["/f1.csv"] = body
        assert refresh(folder) == 0
    kept = [path.read_bytes() for path in (folder / "files").rglob("*.csv")]
    assert len({hashlib.sha256(body).digest() for body in kept}) == len(kept)
