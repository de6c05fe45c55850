"""Addresses of the next page: only the number changes, every other byte stays."""

import pytest

from datahound.readers.portals.paging import base_before, number_in, query_of, with_query


@pytest.mark.parametrize(
    ("url", "changes", "changed"),
    [
        ("https://x/a", {"page": 2}, "https://x/a?page=2"),
        ("https://x/a?page=1", {"page": 2}, "https://x/a?page=2"),
        ("https://x/a?page=1&sig=%2B%2f&q=a+b", {"page": 2}, "https://x/a?page=2&sig=%2B%2f&q=a+b"),
        # A parameter that is there twice is set once, and added ones come last.
        ("https://x/a?page=1&b=2&page=7", {"page": 3, "c": 4}, "https://x/a?page=3&b=2&c=4"),
        ("https://x/a?b#part", {"page": 2}, "https://x/a?b&page=2"),
        ("https://x/a?", {"page": 2}, "https://x/a?page=2"),
        ("https://x/a?startpage=1", {"page": 2}, "https://x/a?startpage=1&page=2"),
        ("https://x/a", {"where": "id>=1 AND id<=2"}, "https://x/a?where=id%3E%3D1+AND+id%3C%3D2"),
        ("https://x/a", {"q": "*:*", "page[number]": 2}, "https://x/a?q=*:*&page[number]=2"),
    ],
)
def test_parameters_are_replaced_or_added(url, changes, changed):
    assert with_query(url, **changes) == changed


@pytest.mark.parametrize(
    ("url", "number"),
    [
        ("https://x/a?start=30", 30),
        ("https://x/a?start=0", 0),
        ("https://x/a?start=1&start=2", 1),
        ("https://x/a?restart=5", 7),
        ("https://x/a?start=", 7),
        ("https://x/a?start=-1", 7),
        ("https://x/a?start=1.5", 7),
        ("https://x/a?start=٣", 7),
        ("https://x/a?start=99999999999999999999", 7),
        ("https://x/a#start=3", 7),
    ],
)
def test_numbers_in_addresses(url, number):
    assert number_in(url, "start", 7) == number


def test_the_query_is_kept_as_it_is_written():
    assert query_of("https://x/a?b=%20&c=+&d&=e&f==#g=h") == {"b": "%20", "c": "+", "f": "="}


@pytest.mark.parametrize(
    ("url", "base"),
    [
        ("https://x.example/data/api/3/action", "https://x.example/data"),
        ("https://x.example/data/rest/services/a", "https://x.example/data"),
        ("https://x.example/other/path?q=/api/", "https://x.example/other/path?q="),
        ("https://x.example/other", "https://x.example"),
        ("https://x.example", "https://x.example"),
    ],
)
def test_the_base_of_an_api(url, base):
    assert base_before(url, "/api/", "/rest/") == base
