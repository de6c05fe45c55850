"""Where a page's file stands: learned from pages that were read, believed where it holds."""

import json

import pytest

from datahound.learn import companions as companions_module
from datahound.learn.companions import Companions

SITE = "https://e.example"


def taught(page, file, names="abc", known=None):
    """After pages of these names, each with its file; `*` stands for the name."""
    companions = known or Companions()
    for name in names:
        companions.learn(page.replace("*", name), [file.replace("*", name)])
    return companions


@pytest.mark.parametrize(
    ("page", "file"),
    [
        (f"{SITE}/*.html", f"{SITE}/*.csv"),
        (f"{SITE}/*.html", f"{SITE}/values--*.csv"),
        (f"{SITE}/indicators/*/", f"{SITE}/data/en/*.csv"),
        (f"{SITE}/indicators/*/", f"{SITE}/indicators/*/*.xlsx"),
        (f"{SITE}/indicators/*/", f"{SITE}/indicators/*/data.csv"),
        (f"{SITE}/indicators/*/index.html", f"{SITE}/indicators/*/*.xlsx"),
        (f"{SITE}/dataset/*", "https://files.e.example/*?format=csv"),
        (f"{SITE}/view.php?id=*", f"{SITE}/download.php?id=*"),
        (f"{SITE}/view.php?lang=en&id=*", f"{SITE}/files/*.pdf"),
    ],
)
def test_three_pages_make_a_rule(page, file):
    """Wherever the name stands in the page's URL and in the file's."""
    assert taught(page, file, "ab").guess(page.replace("*", "x")) == []
    companions = taught(page, file, "abc")
    assert companions.guess(page.replace("*", "x-1")) == [file.replace("*", "x-1")]
    assert companions.guess(f"{SITE}/x.htm") == []


def test_it_holds_in_directories_never_seen_once_it_held_in_some():
    companions = taught(f"{SITE}/papers/one/*.html", f"{SITE}/papers/one/*.txt")
    assert companions.guess(f"{SITE}/news/two/x.html") == []
    for directory in ("papers/two", "papers/three", "slides/four"):
        taught(f"{SITE}/{directory}/*.html", f"{SITE}/{directory}/*.txt", known=companions)
    assert companions.guess(f"{SITE}/slides/six/x.html") == [f"{SITE}/slides/six/x.txt"]


def test_a_name_may_have_directories_in_it():
    """What stands elsewhere for some directories, stands there for others."""
    companions = Companions()
    for directory in ("a", "b", "a/b", "c/d/e"):
        pages = f"{SITE}/docs/{directory}/*.html"
        taught(pages, f"{SITE}/docs/_sources/{directory}/*.rst.txt", "12", known=companions)
    found = companions.guess(f"{SITE}/docs/x/y/z.html")
    assert found == [f"{SITE}/docs/_sources/x/y/z.rst.txt"]
    assert companions.guess(f"{SITE}/docs/a/3.html") == [f"{SITE}/docs/_sources/a/3.rst.txt"]
    assert companions.guess(f"{SITE}/other/x/y/z.html") == []


def test_it_is_not_believed_where_pages_have_no_such_file():
    """In a directory of its own, and among names that begin in another way."""
    companions = taught(f"{SITE}/data/gdp-*.html", f"{SITE}/data/gdp-*.csv", "abcdefghijkl")
    for number in range(4):
        companions.learn(f"{SITE}/news/{number}.html", [])
        companions.learn(f"{SITE}/data/about-{number}.html", [])
    assert companions.guess(f"{SITE}/data/gdp-x.html") == [f"{SITE}/data/gdp-x.csv"]
    assert companions.guess(f"{SITE}/news/x.html") == []
    assert companions.guess(f"{SITE}/data/about-x.html") == []


def test_files_that_are_not_there_are_soon_asked_for_no_more():
    companions = taught(f"{SITE}/*.html", f"{SITE}/*.csv")
    asked = 0
    while f"{SITE}/{asked}.csv" in companions.guess(f"{SITE}/{asked}.html"):
        companions.note(f"{SITE}/{asked}.html", f"{SITE}/{asked}.csv", found=False)
        asked += 1
    assert 1 <= asked <= 3


def test_files_that_were_found_speak_for_a_rule():
    companions = taught(f"{SITE}/*.html", f"{SITE}/*.csv")
    for name in "defghijklmnopqrstuvw":
        companions.note(f"{SITE}/{name}.html", f"{SITE}/{name}.csv", found=True)
    companions.note(f"{SITE}/1.html", f"{SITE}/1.csv", found=False)
    assert companions.guess(f"{SITE}/x.html") == [f"{SITE}/x.csv"]


def test_a_page_may_have_two_files_and_pages_of_one_kind_the_same_rule():
    companions = Companions()
    for name in "abc":
        files = [f"{SITE}/values-{name}.csv", f"{SITE}/{name}.pdf", f"{SITE}/other.pdf"]
        companions.learn(f"{SITE}/{name}.html", files)
    assert companions.guess(f"{SITE}/x.html") == [f"{SITE}/x.pdf", f"{SITE}/values-x.csv"]
    rules = {companions.rule(f"{SITE}/{name}.html", f"{SITE}/{name}.pdf") for name in "abx"}
    assert len(rules) == 1
    assert companions.rule(f"{SITE}/a.html", f"{SITE}/values-a.csv") not in rules


def test_a_name_within_another_is_none():
    """Pages 1, 2 and 3 do not own the files of 2011, 2012 and 2013."""
    companions = taught(f"{SITE}/*.html", f"{SITE}/201*.csv", "123")
    assert companions.guess(f"{SITE}/4.html") == []


def test_pages_with_very_many_files_own_none_of_them():
    companions = Companions()
    for name in "abc":
        companions.learn(f"{SITE}/{name}.html", [f"{SITE}/{name}/{n}.csv" for n in range(101)])
    assert companions.guess(f"{SITE}/x.html") == []


@pytest.mark.parametrize("page", [f"{SITE}/", SITE, f"{SITE}/?", f"{SITE}/?=", f"{SITE}/?a&b=", ""])
def test_pages_without_a_name_have_no_files_of_their_own(page):
    companions = taught(f"{SITE}/*.html", f"{SITE}/*.csv")
    companions.learn(page, [f"{SITE}/a.csv"])
    companions.note(page, f"{SITE}/a.csv", found=True)
    assert companions.guess(page) == []
    assert companions.rule(page, f"{SITE}/a.csv") == ""


def test_what_is_kept_has_its_bounds(monkeypatch):
    """Templates met longest ago are forgotten; a rule that is met again and again stays."""
    monkeypatch.setattr(companions_module, "_MOST_TEMPLATES", 8)
    monkeypatch.setattr(companions_module, "_MOST_COUNTS", 50)
    monkeypatch.setattr(companions_module, "_MOST_BEGINNINGS", 40)
    companions = Companions()
    for number in range(100):
        files = [f"{SITE}/{number}.csv", f"{SITE}/{number}-{number * 7}x.pdf"]
        companions.learn(f"{SITE}/{number}.html", files)
        companions.learn(f"{SITE}/{number}/{number}.htm", [f"{SITE}/{number}/{number}.xls"])
    state = companions.snapshot()
    assert len(state["templates"]) == 8
    assert all(len(state[name]["numbers"]) == 50 for name in ("read", "held"))
    assert companions.guess(f"{SITE}/x.html") == [f"{SITE}/x.csv"]
    taught(f"{SITE}/*/", f"{SITE}/*.zip", "abcdefghijkl", known=companions)
    for number in range(9):
        companions.learn(f"{SITE}/{number}.php", [f"{SITE}/{number}-{number * 7}x.pdf"])
    assert companions.guess(f"{SITE}/x.html") == []


def test_it_goes_on_as_if_nothing_had_happened():
    first = taught(f"{SITE}/b/*.html", f"{SITE}/b/*.xls", "xy")
    for number in range(12):
        files = [f"{SITE}/b/{number}.xls", f"{SITE}/a/{number}.csv"]
        first.learn(f"{SITE}/b/{number}.html", files if number < 4 else files[::-1])
    first.note(f"{SITE}/b/12.html", f"{SITE}/b/12.xls", found=False)
    state = {
        name: value if name == "templates" else {key: list(n) for key, n in value.items()}
        for name, value in first.snapshot().items()
    }
    second = Companions()
    second.restore(json.loads(json.dumps(state)))
    assert second.snapshot() == first.snapshot()
    assert second.guess(f"{SITE}/b/13.html") == first.guess(f"{SITE}/b/13.html")
    assert len(first.guess(f"{SITE}/b/13.html")) == 2
