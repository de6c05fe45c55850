"""Where a page's file stands: learned from pages that were read, believed where it holds."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from datahound.strategies.hound import file_rules as file_rules_module
from datahound.strategies.hound.file_rules import FileRules
from datahound.web.urls import join

SITE = "https://e.example"


def taught(page, file, names="abc", known=None):
    """After pages of these names, each with its file; `*` stands for the name."""
    rules = known or FileRules()
    for name in names:
        rules.learn_page(page.replace("*", name), [file.replace("*", name)])
    return rules


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
    assert taught(page, file, "ab").predict_files(page.replace("*", "x")) == []
    rules = taught(page, file, "abc")
    assert rules.predict_files(page.replace("*", "x-1")) == [file.replace("*", "x-1")]
    assert rules.predict_files(f"{SITE}/x.htm") == []


def test_it_holds_in_directories_never_seen_once_it_held_in_some():
    rules = taught(f"{SITE}/papers/one/*.html", f"{SITE}/papers/one/*.txt")
    assert rules.predict_files(f"{SITE}/news/two/x.html") == []
    for directory in ("papers/two", "papers/three", "slides/four"):
        taught(f"{SITE}/{directory}/*.html", f"{SITE}/{directory}/*.txt", known=rules)
    assert rules.predict_files(f"{SITE}/slides/six/x.html") == [f"{SITE}/slides/six/x.txt"]


def test_a_name_may_have_directories_in_it():
    """What stands elsewhere for some directories, stands there for others."""
    rules = FileRules()
    for directory in ("a", "b", "a/b", "c/d/e"):
        pages = f"{SITE}/docs/{directory}/*.html"
        taught(pages, f"{SITE}/docs/_sources/{directory}/*.rst.txt", "12", known=rules)
    found = rules.predict_files(f"{SITE}/docs/x/y/z.html")
    assert found == [f"{SITE}/docs/_sources/x/y/z.rst.txt"]
    assert rules.predict_files(f"{SITE}/docs/a/3.html") == [f"{SITE}/docs/_sources/a/3.rst.txt"]
    assert rules.predict_files(f"{SITE}/other/x/y/z.html") == []


def test_it_is_not_believed_where_pages_have_no_such_file():
    """In a directory of its own, and among names that begin in another way."""
    rules = taught(f"{SITE}/data/gdp-*.html", f"{SITE}/data/gdp-*.csv", "abcdefghijkl")
    for number in range(4):
        rules.learn_page(f"{SITE}/news/{number}.html", [])
        rules.learn_page(f"{SITE}/data/about-{number}.html", [])
    assert rules.predict_files(f"{SITE}/data/gdp-x.html") == [f"{SITE}/data/gdp-x.csv"]
    assert rules.predict_files(f"{SITE}/news/x.html") == []
    assert rules.predict_files(f"{SITE}/data/about-x.html") == []


def test_files_that_are_not_there_are_soon_asked_for_no_more():
    rules = taught(f"{SITE}/*.html", f"{SITE}/*.csv")
    asked = 0
    while f"{SITE}/{asked}.csv" in rules.predict_files(f"{SITE}/{asked}.html"):
        rules.learn_request(f"{SITE}/{asked}.html", f"{SITE}/{asked}.csv", found=False)
        asked += 1
    assert 1 <= asked <= 3


def test_files_that_were_found_speak_for_a_rule():
    rules = taught(f"{SITE}/*.html", f"{SITE}/*.csv")
    for name in "defghijklmnopqrstuvw":
        rules.learn_request(f"{SITE}/{name}.html", f"{SITE}/{name}.csv", found=True)
    rules.learn_request(f"{SITE}/1.html", f"{SITE}/1.csv", found=False)
    assert rules.predict_files(f"{SITE}/x.html") == [f"{SITE}/x.csv"]


def test_a_page_may_have_two_files_and_pages_of_one_rule_are_of_one_kind():
    rules = FileRules()
    for name in "abc":
        files = [f"{SITE}/values-{name}.csv", f"{SITE}/{name}.pdf", f"{SITE}/other.pdf"]
        rules.learn_page(f"{SITE}/{name}.html", files)
    assert rules.predict_files(f"{SITE}/x.html") == [f"{SITE}/x.pdf", f"{SITE}/values-x.csv"]
    kinds = {rules.name_kind(f"{SITE}/{name}.html", f"{SITE}/{name}.pdf") for name in "abx"}
    assert len(kinds) == 1
    assert rules.name_kind(f"{SITE}/a.html", f"{SITE}/values-a.csv") not in kinds


def test_a_file_below_the_directory_of_its_page_follows_one_rule_alone():
    """Of all ways to name it the nearest; of a file elsewhere, the one with most of its path."""
    near, far = FileRules(), FileRules()
    near.learn_page(f"{SITE}/a/b/x.html", [f"{SITE}/a/b/x.csv"])
    far.learn_page(f"{SITE}/a/b/x.html", [f"{SITE}/files/a/b/x.csv"])
    assert near.snapshot()["templates"] == [[".html", "<dir>/<name>.csv", 1]]
    assert far.snapshot()["templates"] == [[f"{SITE}/<name>.html", "<dir>/files/<name>.csv", 1]]


def test_all_links_of_a_page_speak_for_a_rule():
    """A file that another page had before is no new one, and still this page's."""
    rules = taught(f"{SITE}/*.html", f"{SITE}/*.csv")
    for number in range(20):
        rules.learn_page(f"{SITE}/{number}.html", [], [f"{SITE}/{number}.csv", f"{SITE}/a.html"])
    assert rules.predict_files(f"{SITE}/x.html") == [f"{SITE}/x.csv"]
    for number in range(20, 30):
        rules.learn_page(f"{SITE}/{number}.html", [], [f"{SITE}/a.csv"])
    assert rules.predict_files(f"{SITE}/x.html") == []


def ask(rules, number, *, found=True):
    rules.learn_request(f"{SITE}/{number}.html", f"{SITE}/{number}.csv", found=found)
    return rules.needs_proof(f"{SITE}/{number}.html")


def prove(rules, number, *, has_file):
    rules.learn_page(f"{SITE}/{number}.html", [], [f"{SITE}/{number}.csv"] if has_file else [])


def test_pages_of_files_that_were_found_are_to_prove_the_rule_ever_more_seldom():
    rules = taught(f"{SITE}/*.html", f"{SITE}/*.csv")
    due = []
    for number in range(1, 200):
        if ask(rules, number):
            due.append(number)
            prove(rules, number, has_file=True)
            assert not rules.needs_proof(f"{SITE}/{number}.html")
    assert due == [1, 2, 4, 8, 16, 32, 64, 128, 192]


def test_a_rule_ends_when_two_pages_in_a_row_do_not_prove_it():
    """After the first of them the next one is due, whenever it comes."""
    rules = taught(f"{SITE}/*.html", f"{SITE}/*.csv")
    for number in range(1, 17):
        if ask(rules, number):
            prove(rules, number, has_file=number != 16)
    assert ask(rules, 17)
    prove(rules, 17, has_file=True)
    assert not ask(rules, 18)
    for number in range(19, 65):
        if ask(rules, number):
            prove(rules, number, has_file=number < 64)
    assert rules.predict_files(f"{SITE}/x.html")
    assert ask(rules, 65)
    prove(rules, 65, has_file=False)
    assert not rules.predict_files(f"{SITE}/x.html")


def test_where_files_end_few_are_asked_for_in_vain_however_many_there_were():
    rules = taught(f"{SITE}/d/*.html", f"{SITE}/d/*.csv")
    for number in range(5000):
        rules.learn_request(f"{SITE}/d/{number}.html", f"{SITE}/d/{number}.csv", found=True)
    number = 5000
    while rules.predict_files(f"{SITE}/d/{number}.html"):
        rules.learn_request(f"{SITE}/d/{number}.html", f"{SITE}/d/{number}.csv", found=False)
        number += 1
    assert number == 5008
    assert rules.predict_files(f"{SITE}/e/1.html")
    rules.learn_page(f"{SITE}/d/{number}.html", [], [f"{SITE}/d/{number}.csv"])
    assert rules.predict_files(f"{SITE}/d/1.html")


def test_a_name_within_another_is_none():
    """Pages 1, 2 and 3 do not own the files of 2011, 2012 and 2013."""
    rules = taught(f"{SITE}/*.html", f"{SITE}/201*.csv", "123")
    assert rules.predict_files(f"{SITE}/4.html") == []


def test_pages_with_very_many_files_own_none_of_them():
    rules = FileRules()
    for name in "abc":
        rules.learn_page(f"{SITE}/{name}.html", [f"{SITE}/{name}/{n}.csv" for n in range(101)])
    assert rules.predict_files(f"{SITE}/x.html") == []


@pytest.mark.parametrize(
    "page",
    [
        "",
        SITE,
        *(SITE + end for end in ("/", "//", "/a//", "/a//index.html", "/?", "/?=", "/?a&b=")),
    ],
)
def test_pages_without_a_name_have_no_files_of_their_own(page):
    rules = taught(f"{SITE}/*.html", f"{SITE}/*.csv")
    rules.learn_page(page, [f"{SITE}/a.csv"])
    rules.learn_request(page, f"{SITE}/a.csv", found=True)
    assert rules.predict_files(page) == []


def test_what_is_kept_has_its_bounds(monkeypatch):
    """Templates met longest ago are forgotten; a rule that is met again and again stays."""
    monkeypatch.setattr(file_rules_module, "_MAX_TEMPLATES", 8)
    monkeypatch.setattr(file_rules_module, "_MAX_COUNTS", 50)
    monkeypatch.setattr(file_rules_module, "_MAX_PREFIX_COUNTS", 40)
    rules = FileRules()
    for number in range(100):
        files = [f"{SITE}/{number}.csv", f"{SITE}/{number}-{number * 7}x.pdf"]
        rules.learn_page(f"{SITE}/{number}.html", files)
        rules.learn_page(f"{SITE}/{number}/{number}.htm", [f"{SITE}/{number}/{number}.xls"])
    state = rules.snapshot()
    assert len(state["templates"]) == 8
    assert all(len(state[name]["keys"]) == 50 for name in ("read", "held"))
    assert rules.predict_files(f"{SITE}/x.html") == [f"{SITE}/x.csv"]
    taught(f"{SITE}/*/", f"{SITE}/*.zip", "abcdefghijkl", known=rules)
    for number in range(9):
        rules.learn_page(f"{SITE}/{number}.php", [f"{SITE}/{number}-{number * 7}x.pdf"])
    assert rules.predict_files(f"{SITE}/x.html") == []


def test_pages_of_one_form_have_few_rules_those_that_most_pages_have():
    """However many directories files are kept in, a guess takes no longer."""
    rules = FileRules()
    for number in range(100):
        taught(f"{SITE}/p/*", f"{SITE}/{number}/*.csv", [f"{number}{c}" for c in "abc"], rules)
    assert len(rules.snapshot()["rules"][0]) == 1 + 16
    names = [f"x{number}" for number in range(1500)]
    taught(f"{SITE}/p/*", f"{SITE}/most/*.csv", names, rules)
    assert rules.predict_files(f"{SITE}/p/y") == [f"{SITE}/most/y.csv"]


def test_there_are_few_kinds_of_pages_however_many_rules():
    rules, kinds = FileRules(), set()
    for form in range(600):
        taught(f"{SITE}/v{form}?id=*", f"{SITE}/f{form}/*.csv", "789", rules)
        kinds.add(rules.name_kind(f"{SITE}/v{form}?id=7", f"{SITE}/f{form}/7.csv"))
    assert 200 < len(kinds) <= 256


def test_it_goes_on_as_if_nothing_had_happened():
    first = taught(f"{SITE}/b/*.html", f"{SITE}/b/*.xls", "xy")
    for number in range(12):
        files = [f"{SITE}/b/{number}.xls", f"{SITE}/a/{number}.csv"]
        first.learn_page(f"{SITE}/b/{number}.html", files if number < 4 else files[::-1])
    for number in (12, 13, 14):
        first.learn_request(f"{SITE}/b/{number}.html", f"{SITE}/b/{number}.xls", found=number < 14)
    first.learn_page(f"{SITE}/b/12.html", [], [])
    second = FileRules()
    second.restore(json.loads(json.dumps(first.snapshot(), default=list)))
    assert second.snapshot() == first.snapshot()
    assert second.needs_proof(f"{SITE}/b/13.html")
    for rules in (first, second):
        rules.learn_page(f"{SITE}/b/13.html", [], [])
    assert (
        second.predict_files(f"{SITE}/b/15.html") == first.predict_files(f"{SITE}/b/15.html") != []
    )
    assert second.snapshot() == first.snapshot()


references = st.lists(
    st.sampled_from(
        ["/", "//", "a", "b1", "-", "_", ".", "..", ".html", "index", "?", "&", "=", "%2F"]
    )
    | st.text(max_size=3),
    max_size=8,
).map("".join)


@given(pages=st.lists(references, min_size=3, max_size=6), files=st.lists(references, max_size=4))
def test_no_url_is_too_odd(pages, files):
    """Whatever pages and files are called, all of it can be learned, asked and told."""
    urls = [url for url in (join(f"{SITE}/", page) for page in pages) if url]
    found = [url for url in (join(f"{SITE}/", file) for file in files) if url]
    rules = FileRules()
    for url in urls * 3:
        rules.learn_page(url, [*found, url + ".csv"], urls)
        for file in rules.predict_files(url):
            rules.learn_request(url, file, found=file in found)
            assert rules.name_kind(url, file)
    again = FileRules()
    again.restore(json.loads(json.dumps(rules.snapshot(), default=list)))
    assert again.snapshot() == rules.snapshot()
