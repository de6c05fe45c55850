"""The table of file types, and everything that is derived from it.

`file_types.json` has the answers of the separate tables that this one replaced.
"""

import json
import time
from collections import Counter
from pathlib import Path

import pytest

from datahound.catalog.exports.media import choose_media_type, make_file_type_uri
from datahound.report.phrases import name_type
from datahound.web.targets import PAPER_TARGETS, SHOWN_NAMES, find_wanted
from datahound.web.types import (
    FILE_TYPES,
    GROUP_LABELS,
    PAGE_EXTENSIONS,
    choose_extension,
    extensions_of,
    looks_like_html,
    match_leading_bytes,
    shorten_type,
)

PINNED = json.loads(Path(__file__).with_name("file_types.json").read_text("utf-8"))


def test_target_names_are_pinned():
    """Users get the same MIME types and extensions for the same names."""
    names = [*SHOWN_NAMES, "paper"]
    wanted = {name: find_wanted(frozenset({name})) for name in names}
    assert {name: sorted(wanted[name].mime_types) for name in names} == PINNED["targets"]
    found = {name: sorted(wanted[name].extensions) for name in names}
    assert found == PINNED["extensions_of_targets"]


def test_extensions_are_pinned():
    """Targets are expected under the same extensions as before."""
    alone = PINNED["extensions_of_type"]
    assert {mime_type: sorted(extensions_of([mime_type])) for mime_type in alone} == alone
    assert sorted(PAGE_EXTENSIONS) == PINNED["page_extensions"]


def test_extensions_given_to_files_are_pinned():
    """By the MIME type first; by the bytes where that gives none."""
    for mime_type, extension in PINNED["extension"].items():
        assert choose_extension(mime_type, b"\x00") == (extension or ".bin"), mime_type
    for beginning, extension in PINNED["by_bytes"]:
        assert choose_extension("", beginning.encode("latin-1")) == extension, beginning


def test_names_in_catalogues_are_pinned():
    """MIME types and EU codes of exports, and formats detected by their leading bytes."""
    assert {form: choose_media_type(form, "") for form in PINNED["media"]} == PINNED["media"]
    assert {form: make_file_type_uri(form) for form in PINNED["eu"]} == PINNED["eu"]
    for beginning, name in PINNED["magic"]:
        if not beginning.startswith("%PDF-"):  # searched for further in, too
            assert match_leading_bytes(beginning.encode("latin-1")) == name, beginning


def test_labels_are_pinned():
    """The words of reports and the short names of lists."""
    assert {name: name_type(name) for name in PINNED["labels"]} == PINNED["labels"]
    assert {name: shorten_type(name) for name in PINNED["short"]} == PINNED["short"]


def test_rows_are_consistent():
    """A name or a leading byte sequence belongs to one row; what is shown is a type of the row."""
    assert max(Counter(kind.name for kind in FILE_TYPES).values()) == 1
    signatures = [start for kind in FILE_TYPES for start in kind.leading_bytes]
    for start in signatures:
        assert sum(other.startswith(start) for other in signatures) == 1, start
    for kind in FILE_TYPES:
        assert set(kind.shown_by_name) <= set(kind.mime_types), kind.name
        assert all(extension.startswith(".") for extension in kind.extensions), kind.name
        assert not kind.eu_code or kind.mime_types, kind.name


def test_every_group_has_a_label_and_every_label_a_group():
    """So a new row with a new group can be asked for by its name, and reported."""
    assert {kind.group for kind in FILE_TYPES if kind.group} == GROUP_LABELS.keys()


def test_the_table_covers_the_default_targets():
    """No MIME type that is a target by default is missing from the table."""
    assert {name for kind in FILE_TYPES for name in kind.mime_types} >= PAPER_TARGETS


@pytest.mark.parametrize(
    ("beginning", "is_page"),
    [
        (b"<!DOCTYPE html><html>", True),
        (b"\xef\xbb\xbf \n<HTML lang=en>", True),
        (b"<!-- made by hand --><head>", True),
        (b"<?xml version='1.0'?><html xmlns='x'>", True),
        (b"<?xml version='1.0'?><rss>", False),
        (b"<header>", False),
        (b"a,b\n<html>", False),
        (b"", False),
    ],
)
def test_pages_in_place_of_data(beginning, is_page):
    """A login page sent as CSV begins like a page; XML and text that mentions HTML do not."""
    assert looks_like_html(beginning) is is_page


@pytest.mark.parametrize("unit", [b"<!---->", b"<!--", b"<?xml", b" ", b"<?xml?>", b"<!-- -->\n"])
def test_hostile_beginnings_are_judged_in_a_moment(unit):
    """Comments without end: 169 bytes of them used to take seconds, 500 for ever."""
    begun = time.perf_counter()
    assert not looks_like_html(unit * 100_000 + b"x")
    assert time.perf_counter() - begun < 0.1
    assert looks_like_html(b"<!---->" * 60 + b"<html>")
