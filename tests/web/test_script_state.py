"""Literals of scripts that look like URLs."""

import pytest

from datahound.readers.script_state import find_references, looks_like_reference


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            '{"a": "/x.csv", "b": ["https://o.example/y"], "c": 3}',
            ["/x.csv", "https://o.example/y"],
        ),
        (r'"\u002fa\u002fb.csv"', ["/a/b.csv"]),
        (r'"a\"b" "/c"', ["/c"]),
        ("location='list.php?id=3'", ["list.php?id=3"]),
        ('"/' + "a" * 3000 + '" "/b"', ["/b"]),
        (r'"\ud800/x.csv"', []),
    ],
)
def test_literals(text, found):
    assert list(find_references(text)) == found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a.csv", True), ("../x", True), ("?page=2", True), ("//cdn.example/a.csv", True),
        ("", False), ("/", False), ("//", False), ("12", False), ("x.y", False),
        ("mailto:a.csv", False), ("a b.csv", False), ("/<id>", False), (".csv", False),
    ],
)  # fmt: skip
def test_what_looks_like_a_url(text, expected):
    assert looks_like_reference(text) is expected
