"""Files that name other files, whatever their structure is."""

import pytest

from datahound.model import Response
from datahound.readers import Readers, may_have_links
from datahound.readers.file_list import FILE_LIST, MAX_LIST_BYTES

URL = "https://a.example/api/list"


def answer(body, mime_type="application/json"):
    return Response(URL, 200, {"content-type": mime_type}, body, len(body))


def named(body, mime_type="application/json"):
    page = Readers().read(answer(body, mime_type))
    return [link.url.removeprefix("https://a.example") for link in page.further] if page else []


@pytest.mark.parametrize(
    ("body", "mime_type", "urls"),
    [
        (b'[{"u": "\\/d\\/a.csv", "v": "../b.xlsx?x=1"}]', "application/json", ["/d/a.csv",
         "/b.xlsx?x=1"]),
        (b"name;url\na;https://a.example/c.csv\n", "text/csv; charset=utf-8", ["/c.csv"]),
        (b"<f><u>/d.pdf</u><u href='/d.pdf'/></f>", "text/xml", ["/d.pdf"]),
        (b"%PDF-1.4 /URI (https://a.example/e.ods)", "application/pdf", ["/e.ods"]),
        (b'{"a": "b.csv", "c": "/d.json", "e": "x /f.csvs"}', "application/json", []),
        (b'{"u": "/d/a.csv"}', "image/png", []),
        (b'{"path": "f.csv", "name": "g.csv"}', "application/json", ["/api/f.csv"]),
        (b"- [table](/h.csv)", "text/markdown", ["/h.csv"]),
        (b"<ListBucketResult><Key>i/j &amp; k.csv</Key><Key>l.png</Key></ListBucketResult>",
         "application/xml", ["/api/i/j%20%26%20k.csv"]),
    ],
)  # fmt: skip
def test_words_that_name_data_files_are_links(body, mime_type, urls):
    """A name without a folder, and JSON or XML that may be settings, are no links."""
    assert named(body, mime_type) == urls


def test_links_say_where_they_are_from():
    page = Readers().read(answer(b'"/a.csv"'))
    assert page.names_files
    assert [link.source for link in page.further] == [FILE_LIST]


def test_large_files_are_not_read():
    """They would be held in memory."""
    large = answer(b'"/a.csv"' + b" " * MAX_LIST_BYTES)
    assert Readers().read(large) is None
    assert not may_have_links(large)
    assert may_have_links(answer(b'"/a.csv"'))
    assert not may_have_links(Response(URL, 200, {"content-type": "application/zip"}, b"", 9))
