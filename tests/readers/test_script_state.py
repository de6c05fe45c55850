"""URLs in scripts: literals that look like addresses, what is opened, what is only text."""

import time

import pytest

from datahound.readers.script_state import (
    find_references,
    find_script_links,
    looks_like_reference,
    names_certain_data,
    names_data,
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"a": "/x", "b": "https://e.org/y", "c": "text"}', ["/x", "https://e.org/y"]),
        (
            "load('data/a.csv', \"./b\", '../c', '?page=2')",
            ["data/a.csv", "./b", "../c", "?page=2"],
        ),
        (r'{"a": "\/d\u002fe.xlsx"}', ["/d/e.xlsx"]),
        (r'"\xnot json/a.csv"', []),
        ('"an open literal /a.csv', []),
        ('"" \'\' "/" "//" "?"', []),
        ('"a b.csv" "/<b>.csv" "/a\tb"', []),
        ("'it\\'s' '/a.csv'", ["/a.csv"]),
        ("", []),
    ],
)
def test_literals_that_look_like_urls(text, found):
    assert list(find_references(text)) == found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("http://e.org/", True),
        ("a.html", True),
        ("A.CSV", True),
        ("a.csv?x=a/b#c", True),
        ("?f=a.csv", True),
        (".csv", False),
        ("text/csv", False),
        ("1.5", False),
        ("mailto:a.csv", False),
        ("javascript:a.csv", False),
        ("a.b.method", False),
        ("..", False),
        ("/\x00", False),
    ],
)
def test_what_looks_like_a_url(text, expected):
    """A MIME type, a number, a method of an object and another scheme are none."""
    assert looks_like_reference(text) is expected


def test_settings_of_programs_are_no_certain_data():
    """JSON, XML and YAML that a script names are mostly its own settings."""
    for name in ("/a.json", "/a.xml", "/a.yaml"):
        assert names_data(name)
        assert not names_certain_data(name)
    assert names_certain_data("/a.csv")
    assert not names_data("/a.html")


@pytest.mark.parametrize(
    ("script", "found"),
    [
        ('location = "/a"', ["/a"]),
        ("window.location.href='/a'", ["/a"]),
        ('location.replace("/a"); location.assign( "/b" )', ["/a", "/b"]),
        ("window.open('/a.pdf', '_blank')", ["/a.pdf", "/a.pdf"]),
        ('if (location == "/a") {}', []),
        ('location = "/a/" + id', []),
        ('location = "a page"', []),
    ],
)
def test_what_a_script_opens(script, found):
    """An address that is put together of parts is not known before the script runs."""
    assert list(find_script_links(script)) == found


@pytest.mark.parametrize(
    ("script", "found"),
    [
        ('d3.csv("a.csv")', ["a.csv"]),
        ("fetch(`/b.xlsx`)", ["/b.xlsx"]),
        ('x = {file: "/c.ods"}', ["/c.ods"]),
        ('link.download = "save as.csv"; name = "d.csv"', []),
        ('"/stem" + ".csv"', []),
        ('fetch("/settings.json")', ["/settings.json"]),
        ('x = "/settings.json"', []),
        (r'x = "\/e.csv"', ["/e.csv"]),
        (r'x = "/e\n.csv"', []),
    ],
)
def test_files_of_data_that_a_script_names(script, found):
    """A bare name counts as an argument only: else a script saves under it what it makes."""
    assert list(find_script_links(script)) == found


@pytest.mark.parametrize(
    "piece", ['"', "'", "\\", "'\\", '"/a', "location = ", "(((", '.csv"', "`"]
)
def test_hostile_scripts_take_linear_time(piece):
    """A megabyte of anything takes less than a second of processor time."""
    text = piece * ((1 << 20) // len(piece))
    begun = time.process_time()
    assert len(list(find_references(text))) <= len(text)
    assert len(list(find_script_links(text))) <= len(text)
    assert time.process_time() - begun < 2
