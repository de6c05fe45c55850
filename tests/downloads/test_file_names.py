"""Names of files: fit for every operating system, never outside the folder."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from datahound.downloads.file_names import (
    MAX_PATH_BYTES,
    MAX_SEGMENT_BYTES,
    clean_segment,
    disposition_name,
    name_for,
    numbered,
)
from datahound.web.types import choose_extension
from datahound.web.urls import canonical

CSV = {"content-type": "text/csv; charset=utf-8"}


def named(url, headers=CSV, beginning=b""):
    return name_for(canonical(url), headers, beginning)


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://a.org/x/y.csv", "a.org/x/y.csv"),
        ("https://a.org:8080/y.csv", "a.org_8080/y.csv"),
        ("https://user:secret@a.org/y.csv", "a.org/y.csv"),
        ("https://a.org/", "a.org/index.csv"),
        ("https://a.org/data/", "a.org/data/index.csv"),
        ("https://a.org/export", "a.org/export.csv"),
        ("https://a.org/export.php", "a.org/export.php.csv"),
        ("https://a.org/v1.2", "a.org/v1.2.csv"),
        ("https://a.org/%C3%A9t%C3%A9.csv", "a.org/été.csv"),
        ("https://a.org/%FF%FE.csv", "a.org/%FF%FE.csv"),
        ("https://a.org/a%2Fb.csv", "a.org/a_b.csv"),
        ("https://a.org/..%2F..%2Fetc%2Fpasswd", "a.org/__.._etc_passwd.csv"),
        ("https://a.org/%2e%2e/%2e%2e/x.csv", "a.org/x.csv"),
        ("https://a.org/..%5C..%5Cx.csv", "a.org/__.._x.csv"),
        ("https://a.org/CON.csv", "a.org/_CON.csv"),
        ("https://a.org/nul/aux.csv", "a.org/_nul/_aux.csv"),
        ("https://a.org/com1", "a.org/_com1.csv"),
        ("https://a.org/x.%20/y..csv", "a.org/x/y.csv"),
        ("https://a.org/.htaccess.csv", "a.org/_htaccess.csv"),
        ("https://a.org/a%00b%0Ac.csv", "a.org/a_b_c.csv"),
        ("https://a.org/%E2%80%AEvsc.csv", "a.org/_vsc.csv"),
        ("https://a.org/a:b*c%3F.csv", "a.org/a_b_c_.csv"),
    ],
)  # fmt: skip
def test_names_come_from_the_url(url, name):
    """As people would read them, without what some system can't have."""
    assert named(url) == name


@pytest.mark.parametrize(
    ("header", "name"),
    [
        ('attachment; filename="data.csv"', "data.csv"),
        ("attachment; filename=data.csv", "data.csv"),
        ("attachment; filename=data.csv; size=3", "data.csv"),
        ("attachment; FileName=\"a.csv\"; filename*=UTF-8''%E2%82%AC.csv", "€.csv"),
        ("attachment; filename*=iso-8859-1'en'%A3.csv", "£.csv"),
        ("attachment; filename*=utf-8''%ff.csv", "\ufffd.csv"),
        (r'attachment; filename="a \"b\".csv"', 'a "b".csv'),
        ("attachment; filename=r%C3%A9sum%C3%A9.csv", "résumé.csv"),
        ("attachment", ""),
        ("", ""),
        ("filename", ""),
        ('attachment; filename="', ""),
    ],
)
def test_content_disposition_is_read(header, name):
    """RFC 6266, and what servers send instead."""
    assert disposition_name(header) == name


@pytest.mark.parametrize(
    ("header", "name"),
    [
        ('attachment; filename="report.csv"', "a.org/d/report.csv"),
        ('attachment; filename="../../../etc/passwd"', "a.org/d/passwd.csv"),
        (r'attachment; filename="C:\Users\x\evil.csv"', "a.org/d/evil.csv"),
        ('attachment; filename="/"', "a.org/d/get.csv"),
        ('attachment; filename=".."', "a.org/d/_.csv"),
        ('attachment; filename="report"', "a.org/d/report.csv"),
    ],
)
def test_a_said_name_stays_in_its_folder(header, name):
    """Only the last part of what a server says is used."""
    assert named("https://a.org/d/get", {**CSV, "content-disposition": header}) == name


def test_queries_are_kept_apart():
    """The same path with another query is another file, under another name."""
    first, second = named("https://a.org/get.csv?id=1"), named("https://a.org/get.csv?id=2")
    assert first != second
    assert re.fullmatch(r"a\.org/get~[0-9a-f]{6}\.csv", first)


def test_long_names_are_cut_and_stay_different():
    """Every part and the whole are bounded; what was cut is told apart by a hash."""
    urls = [f"https://a.org/{'x' * 500}{n}.csv" for n in range(3)]
    urls += [f"https://a.org/{'folder/' * 80}{n}/y.csv" for n in range(3)]
    urls += [f"https://a.org/{'%E2%82%AC' * 300}{n}.csv" for n in range(3)]
    names = [named(url) for url in urls]
    assert len(set(names)) == len(urls)
    assert all(len(name.encode()) <= MAX_PATH_BYTES and name.endswith(".csv") for name in names)


@given(st.text(max_size=300), st.text(max_size=300), st.binary(max_size=50), st.text(max_size=50))
def test_whatever_is_said_the_name_is_inside_and_plain(path, said, beginning, query):
    """No path, no header and no byte leads outside, or to a name that some system can't have."""
    url = canonical(f"https://a.org/{path}?{query}".replace("#", "")) or "https://a.org/"
    headers = {"content-disposition": f'attachment; filename="{said}"', "content-type": said}
    name = name_for(url, headers, beginning)
    assert len(name.encode()) <= MAX_PATH_BYTES
    for segment in name.split("/"):
        assert segment
        assert segment == clean_segment(segment)
        assert not re.search(r'[<>:"\\|?*\x00-\x1f]', segment)
        assert not segment.startswith(".")
        assert segment[-1] not in ". "
        assert len(segment.encode()) <= MAX_SEGMENT_BYTES
    assert len(name.split("/")) >= 2


@pytest.mark.parametrize(
    ("mime_type", "beginning", "extension"),
    [
        ("application/pdf", b"", ".pdf"),
        ("application/octet-stream", b"%PDF-1.4", ".pdf"),
        ("application/octet-stream", b"PK\x03\x04....xl/workbook.xml", ".xlsx"),
        ("application/octet-stream", b"PK\x03\x04....", ".zip"),
        ("", b"\x1f\x8b\x08", ".gz"),
        ("text/plain", b"a,b\n1,2\n", ".txt"),
        ("text/plain", b' {"a": 1}', ".json"),
        ("", b"\x00\x01\x02", ".bin"),
        ("", "é".encode(), ".txt"),
    ],
)
def test_missing_extensions_are_found(mime_type, beginning, extension):
    """From the type where it says something, from the bytes where not."""
    assert choose_extension(mime_type, beginning) == extension


def test_numbers_come_before_the_extension():
    assert numbered("x.csv", 3) == "x~3.csv"
    assert numbered("no-extension", 2) == "no-extension~2"


@pytest.mark.parametrize(
    "said",
    ["x.lnk", "x.URL", "x.hta", "x.scr", "x.desktop", "x.svg", "x.html", "x.appref-ms", "x.exe.",
     "x.xht", "x.website", "x.mht", "x.js"],
)  # fmt: skip
@pytest.mark.parametrize("mime_type", ["text/csv", "application/octet-stream", ""])
def test_no_file_gets_a_name_that_a_double_click_runs(said, mime_type):
    """Neither from Content-Disposition nor from the URL."""
    headers = {"content-disposition": f'attachment; filename="{said}"', "content-type": mime_type}
    for url in ("https://a.org/y", f"https://a.org/{said}?q=1"):
        extension = named(url, headers, b"\x00\xff").rpartition(".")[2]
        assert extension == ("csv" if mime_type == "text/csv" else "bin")


def test_a_page_that_the_user_wants_keeps_its_extension():
    assert named("https://a.org/x.html", {"content-type": "text/html"}) == "a.org/x.html"
