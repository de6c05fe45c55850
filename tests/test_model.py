"""The nouns that decide something: sources of links, kinds of requests, traps."""

import pytest

from datahound.model import Fetch, Link, Purpose, Skip


@pytest.mark.parametrize(
    ("tag_path", "source"),
    [
        ("", ""),
        ("html body ul li a", ""),
        ("html body form select option @option", "@option"),
        ("@header", "@header"),
        ("html body a.@odd b", ""),
    ],
)
def test_the_source_of_a_link_is_the_last_word_of_its_tag_path(tag_path, source):
    """Strategies tell links of pages from those of other places by it."""
    assert Link("http://site.example/x", tag_path=tag_path).source == source


def test_an_endpoint_is_known_by_its_tag_path():
    """Only whole words count: an element whose class begins alike is a link of a page."""
    assert Link("http://site.example/api", tag_path="@api ckan package_search").is_endpoint
    assert not Link("http://site.example/api", tag_path="html body @api").is_endpoint
    assert not Link("http://site.example/api", tag_path="@apiary x").is_endpoint


@pytest.mark.parametrize(
    ("tag_path", "extension"),
    [("@file ckan csv", ".csv"), ("@file socrata geojson", ".geojson"), ("html a", "")],
)
def test_a_listed_file_has_the_extension_of_its_declared_format(tag_path, extension):
    """A portal knows the format of a download whose URL has no name."""
    assert Link("http://site.example/download/7", tag_path=tag_path).declared_extension == extension


def test_only_probes_are_asked_by_head():
    """Every other purpose needs the body."""
    methods = {purpose: Fetch("http://site.example/", purpose).method for purpose in Purpose}
    assert methods.pop(Purpose.PROBE) == "HEAD"
    assert set(methods.values()) == {"GET"}


def test_a_fetch_is_the_same_whatever_its_link_calls_the_file():
    """Answers are matched to fetches by equality; the hint is for the reader of the answer."""
    assert Fetch("http://site.example/x", hint="a.csv") == Fetch("http://site.example/x")
    assert Fetch("http://site.example/x", patient=True) != Fetch("http://site.example/x")


def test_traps_are_told_from_rules_of_the_user():
    """The end of a crawl counts traps apart: a user may turn their detection off."""
    traps = {skip for skip in Skip if skip.is_trap}
    assert traps == {Skip.TRAP_REPEATING, Skip.TRAP_CALENDAR, Skip.TRAP_SESSION}
