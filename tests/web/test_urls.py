"""URLs in canonical form."""

import json

import pytest
from shared import shared

from datahound.web.urls import (
    Joiner,
    canonical,
    extension_of,
    from_user,
    host_of,
    join,
    path_of,
)


def wpt_cases():
    cases = json.loads(shared("suites/url/urltestdata.json").read_text())
    return [case for case in cases if isinstance(case, dict)]


def test_every_case_of_the_url_standard():
    """All 891 cases: valid http(s) references join as browsers join them, all others are None."""
    cases = wpt_cases()
    assert len(cases) == 891
    for case in cases:
        base, reference = case["base"], case["input"]
        joined = join(base, reference) if base else canonical(reference)
        expected = None if case.get("failure") else case["href"]
        if expected is not None:
            expected = expected.partition("#")[0]
            if not expected.startswith(("http://", "https://")):
                expected = None
        assert joined == expected, case


def test_a_joiner_that_remembers_joins_alike():
    """Joining many references twice in any order gives what joining them afresh gives."""
    joiner = Joiner()
    pairs = [(case["base"], case["input"]) for case in wpt_cases() if case["base"]]
    pages = ["http://a.example/x/y.html?q=1", "http://a.example/x/", "https://a.example/x/y.html"]
    references = [reference for _, reference in pairs]
    for base in pages:
        for reference in references + references[::-1]:
            assert joiner.join(base, reference) == join(base, reference), (base, reference)


@pytest.mark.parametrize(
    ("base", "reference"),
    [
        ("http://a.example/b/c?d", ""),
        ("http://a.example/b/c?d", "?e"),
        ("http://a.example/b/c?d", "#f"),
        ("http://a.example/b/c?d/e", "f"),
        ("http://a.example/b", "//c.example/d"),
        ("https://a.example/b", "//c.example/d"),
        ("http://a.example/b/c", "\\d"),
        ("http://a.example/b/c", "http:d"),
        ("https://a.example/b/c", "http:d"),
        ("http://a.example/b/c", "\t/d"),
        ("http://a.example:81/b/c", "/d"),
    ],
)
def test_what_a_joiner_forgets_does_not_matter(base, reference):
    """References that depend on different parts of the base are never mixed up."""
    joiner = Joiner()
    for other in ("http://z.example/y/x", "https://a.example/w/v/u?t", base, "http://a.example/"):
        assert joiner.join(other, reference) == join(other, reference)


def test_parts_of_a_url():
    """Host, path and extension are those that a browser would name."""
    assert host_of("https://user:pw@data.example.org:8080/x?y") == "data.example.org"
    assert host_of("http://[::1]:80/x") == "[::1]"
    assert path_of("https://example.org/a/b.csv?c=/d") == "/a/b.csv"
    assert extension_of("https://example.org/a.b/c") == ""
    assert extension_of("https://example.org/.htaccess") == ""
    assert extension_of("https://example.org/a.tar.GZ?x=.pdf") == ".gz"
    assert extension_of("https://example.org/?f=a.pdf") == ""


def test_what_people_type():
    """A seed without a scheme works; what is no web address is None."""
    assert from_user(" Example.org ") == "https://example.org/"
    assert from_user("http://example.org") == "http://example.org/"
    assert from_user("localhost:8000/x") == "https://localhost:8000/x"
    assert from_user("ftp://example.org") is None
    assert from_user("") is None
