"""The encoding of a page: by its mark, its header, its own words, or a guess."""

import pytest

from datahound.readers.html_bytes import encode_query, to_utf8

TEXT = "<p>Žlutý kůň – naïve €</p>"


@pytest.mark.parametrize(
    ("body", "header", "text"),
    [
        # A byte order mark wins over everything.
        (b"\xef\xbb\xbf" + TEXT.encode(), "text/html; charset=latin-1", TEXT),
        (b"\xff\xfe" + TEXT.encode("utf-16-le"), "text/html; charset=utf-8", TEXT),
        (b"\xfe\xff" + TEXT.encode("utf-16-be"), "", TEXT),
        # The header wins over the page.
        (b"<meta charset=utf-8>" + "ž".encode("cp1250"), "text/html; charset=windows-1250",
         "<meta charset=utf-8>ž"),
        # The page's own words.
        (b"<meta charset='iso-8859-2'>" + "ž".encode("iso-8859-2"), "text/html",
         "<meta charset='iso-8859-2'>ž"),
        (b'<meta http-equiv="content-type" content="text/html; charset=koi8-r">'
         + "я".encode("koi8-r"), "",
         '<meta http-equiv="content-type" content="text/html; charset=koi8-r">я'),
        # Browsers read Latin-1 as Windows-1252.
        (b"\x80", "text/html; charset=iso-8859-1", "€"),
        # A label that nobody knows says nothing.
        ("é".encode(), "text/html; charset=klingon", "é"),
        (b"<meta charset=klingon>\xe9", "", "<meta charset=klingon>é"),
        # UTF-16 in a declaration that was read as ASCII can't be true.
        ("<meta charset=utf-16>é".encode(), "", "<meta charset=utf-16>é"),
        # No word anywhere: UTF-8 if it is, else the default of browsers.
        (TEXT.encode(), "text/html", TEXT),
        (b"caf\xe9 \x96", "text/html", "café –"),
        (b"", "", ""),
    ],
)  # fmt: skip
def test_the_encoding_of_a_page(body, header, text):
    assert to_utf8(body, {"content-type": header} if header else {}).decode() == text


def test_a_body_in_utf_8_is_returned_as_it_is():
    body = b"<meta charset=utf-8>\xff broken"
    assert to_utf8(body, {}) is body


def test_a_declaration_far_down_is_not_looked_for():
    late = b" " * 5000 + b"<meta charset=koi8-r>\xd1"
    assert to_utf8(late, {}).decode().endswith("Ñ")


@pytest.mark.parametrize(
    "hostile", [b"<meta " * 50_000, b"<meta charset=" * 20_000, b"\xff" * 9999]
)
def test_hostile_bytes_are_text(hostile):
    to_utf8(hostile, {}).decode("utf-8", "replace")


@pytest.mark.parametrize("charset", ["iso-2022-kr", "hz-gb-2312", "replacement"])
def test_a_query_in_an_encoding_that_nobody_can_write_stays_as_it_is(charset):
    headers = {"content-type": f"text/html; charset={charset}"}
    assert encode_query("/find?city=Orléans", b"", headers) == "/find?city=Orléans"
