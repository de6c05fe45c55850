"""The page and the feed of what is new, whatever a website calls its files."""

import json
from html.parser import HTMLParser
from urllib.parse import quote
from xml.etree import ElementTree as ET

import pytest

from datahound.errors import UserError
from datahound.news.whatsnew import (
    choose_versions,
    read_written,
    render_feed,
    render_page,
    write_whatsnew,
)

ATOM = "{http://www.w3.org/2005/Atom}"
HOSTILE = (
    "<script>alert(1)</script>", "\x00\x08\x1b[31m", "]]>", "&amp;&#0;", "\ud800 half", "\u202e",
    "'\" onload=x", "\ufffe\uffff", "{{ 7 * 7 }}",
)  # fmt: skip


def file(title="Rates", url="http://e.org/a.csv", **more):
    return {
        "url": url, "title": title, "page": "http://e.org/", "page_title": title,
        "file": "files/a.csv", "before": None, "bytes": 10, "at": "2026-01-02T03:04:05Z", **more,
    }  # fmt: skip


def found(**more):
    head = {"folder": "/x", "url": "http://e.org/", "round": 3, "since": 2}
    times = {"at": "2026-01-02T03:04:05Z", "over": True}
    return {
        **head,
        **times,
        "new": [],
        "changed": [],
        "gone": [],
        "schema": [],
        "left": None,
    } | more


def changed(text):
    difference = {"tables": [{"table": text, "lines": [text], "changes_schema": False}]}
    return file(text, before="files/b.csv", difference=difference)


class Tags(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes = [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [name for name, _ in attrs]


def test_a_feed_has_an_entry_per_file_and_round():
    feed = ET.fromstring(render_feed(found(new=[file()], gone=[file("Old figures")])))
    titles = [entry.findtext(f"{ATOM}title") for entry in feed.iter(f"{ATOM}entry")]
    assert titles == ["New: a.csv", "Gone: Old figures"]
    ids = [entry.findtext(f"{ATOM}id") for entry in feed.iter(f"{ATOM}entry")]
    assert ids == ["http://e.org/a.csv#new-3", "http://e.org/a.csv#gone-3"]


def test_a_feed_is_bounded():
    """Feed readers fetch all of it every hour."""
    feed = ET.fromstring(render_feed(found(new=[file()] * 1000)))
    assert len(list(feed.iter(f"{ATOM}entry"))) == 200


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_break_neither_page_nor_feed(text):
    """Titles, cells and addresses are the website's."""
    hostile = found(
        new=[file(text, "http://e.org/" + quote(text, errors="replace"))], changed=[changed(text)]
    )
    ET.fromstring(render_feed(hostile).encode("utf-8", "replace"))
    plain = Tags(render_page(found(new=[file()], changed=[changed("x")])))
    page = render_page(hostile)
    assert Tags(page).tags == plain.tags
    assert set(Tags(page).attributes) == set(plain.attributes)
    assert "\x1b" not in page


def test_the_three_files_are_written_and_read_back(tmp_path):
    write_whatsnew(tmp_path, found(new=[file("Files of 2024 \ud800")]))
    assert {path.name for path in tmp_path.iterdir()} == {
        "whatsnew.html", "whatsnew.atom", "whatsnew.json",
    }  # fmt: skip
    assert read_written(tmp_path)["round"] == 3


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"round": "3"}', "[" * 100_000, "\xff"])
def test_what_cannot_be_read_back_counts_as_not_written(tmp_path, text):
    (tmp_path / "whatsnew.json").write_text(text, "latin-1")
    assert read_written(tmp_path) is None
    assert json.dumps(read_written(tmp_path / "absent")) == "null"


@pytest.mark.parametrize(
    ("given", "setting", "kept"),
    [(None, None, None), (None, 3, 3), ("all", 3, None), ("0", 3, 0), (5, None, 5), ("12", 1, 12)],
)
def test_versions_that_are_kept(given, setting, kept):
    assert choose_versions(given, setting) == kept


@pytest.mark.parametrize("given", ["-1", "1.5", "many", "", "9" * 12, "²"])
def test_other_numbers_of_versions_are_refused(given):
    with pytest.raises(UserError, match="--versions"):
        choose_versions(given, None)
