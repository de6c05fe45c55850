"""Pages, targets and neither."""

import pytest
from shared import shared

from datahound.errors import UserError
from datahound.model import Kind, Response
from datahound.web.targets import (
    PAPER_TARGETS,
    SHOWN_NAMES,
    TARGET_NAMES,
    drop_body,
    find_wanted,
    has_blocked_extension,
    is_blocked_type,
    kind_of,
    parse_targets,
)
from datahound.web.types import BLOCKED_EXTENSIONS


def answer(content_type, status=200):
    return Response("http://e.org/", status, {"content-type": content_type})


def test_the_lists_are_the_papers():
    """The package's lists are those that the paper publishes."""
    assert set(shared("data/target-mime-types.txt").read_text().split()) == PAPER_TARGETS
    assert set(shared("data/blocked-extensions.txt").read_text().split()) == BLOCKED_EXTENSIONS


@pytest.mark.parametrize(
    ("content_type", "status", "kind"),
    [
        ("text/html; charset=utf-8", 200, Kind.PAGE),
        ("application/xhtml+xml", 200, Kind.PAGE),
        ("TEXT/CSV", 200, Kind.TARGET),
        ("text/csv", 404, Kind.OTHER),
        ("text/html", 301, Kind.OTHER),
        ("image/png", 200, Kind.OTHER),
        ("", 200, Kind.OTHER),
        ("nonsense", 200, Kind.OTHER),
    ],
)
def test_kinds_by_status_and_type(content_type, status, kind):
    """Only a 2xx can be a page or a target, and only by its MIME type."""
    assert kind_of(answer(content_type, status)) is kind


def test_what_is_never_downloaded():
    """Pictures, sound and film are known by their type and by their extension."""
    assert is_blocked_type("video/mp4")
    assert not is_blocked_type("application/pdf")
    assert has_blocked_extension("https://e.org/a/Logo.PNG?v=2")
    assert not has_blocked_extension("https://e.org/png")


def wanted(*words):
    return find_wanted(parse_targets(words))


def judged(words, url, content_type, body=b"", disposition=None, hint=""):
    headers = {} if content_type is None else {"content-type": content_type}
    if disposition:
        headers["content-disposition"] = disposition
    response = Response(f"https://e.org/{url}", 200, headers, body)
    return kind_of(response, wanted(words), hint).value


def test_target_names():
    """Names, extensions, MIME types, patterns and lists of them are understood, nonsense is not."""
    assert "text/csv" in wanted("tables").mime_types
    assert wanted("all").mime_types >= PAPER_TARGETS | {"application/gzip"}
    assert parse_targets(["pdf, text/csv", ".PX"]) == {"pdf", "text/csv", ".px"}
    assert parse_targets(["/a{1,2}/"]) == {"/a{1,2}/"}
    for name in [*SHOWN_NAMES, *TARGET_NAMES]:
        assert wanted(name).types == TARGET_NAMES[name]
    with pytest.raises(UserError, match=r"unknown target type 'spreadsheets'.*tables.*csv, "):
        parse_targets(["spreadsheets"])
    with pytest.raises(UserError, match="not a regular expression"):
        parse_targets(["/(/"])
    with pytest.raises(UserError, match="no target type"):
        parse_targets([" , "])


def test_the_papers_targets_are_judged_by_their_type_alone():
    """So that the paper's strategies see the same web as before."""
    paper = find_wanted(None)
    assert paper == find_wanted(frozenset({"paper"}))
    assert not paper.by_name
    assert paper.mime_types == PAPER_TARGETS
    sent = Response("https://e.org/x.csv", 200, {"content-type": "text/csv"}, b"<html>")
    assert kind_of(sent, paper) is Kind.TARGET
    assert not paper.names_unwanted("https://e.org/x.exe")


CSV, XLSX, PDF, HTML = b"a,b\n1,2\n3,4\n", b"PK\x03\x04..xl/", b"%PDF-1.7", b"<!doctype html><p>"
OFFICE_HTML = b'<html xmlns:x="urn:schemas-microsoft-com:office:excel">'
OCTETS = "application/octet-stream"


@pytest.mark.parametrize(
    ("url", "content_type", "body", "kind"),
    [
        ("plain.csv", "text/plain", CSV, "target"),
        ("plain", "text/plain", CSV, "target"),
        ("readme.txt", "text/plain", b"Hello, world", "other"),
        ("octet.xlsx", OCTETS, XLSX, "target"),
        ("get?id=3", OCTETS, XLSX, "target"),
        ("get?id=3", OCTETS, PDF, "other"),
        ("get?file=x.csv", OCTETS, b"1", "target"),
        ("data.csv.gz", "application/gzip", b"\x1f\x8b\x08", "target"),
        ("data.csv.gz", "application/gzip", b"", "target"),
        ("data.csv.zip", "application/zip", b"PK\x03\x04..a.csv", "target"),
        ("data.zip", "application/zip", b"PK\x03\x04..a.csv", "other"),
        ("cube.px", "text/plain", b'CHARSET="ANSI";', "target"),
        ("cube", OCTETS, b'AXIS-VERSION="2013";', "target"),
        ("old.xls", "application/vnd.ms-excel", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "target"),
        ("export.xls", "text/html", OFFICE_HTML, "target"),
        ("t.csv", "text/html", CSV, "target"),
        ("t.csv", "text/html", HTML, "page"),
        ("t.csv", "text/csv", HTML, "other"),
        ("t.csv", "text/plain", HTML, "other"),
        ("t.csv", "application/pdf", CSV, "target"),
        ("t.csv", "application/pdf", PDF, "other"),
        ("t.pdf", "text/csv", CSV, "target"),
        ("t.pdf", "text/csv", PDF, "other"),
        ("t.csv", None, CSV, "target"),
        ("t", None, HTML, "page"),
        ("t.csv", "image/png", CSV, "target"),
        ("t.csv", "image/png", b"\x89PNG", "other"),
        ("t", "image/png", CSV, "other"),
        ("t.csv", "text/javascript", CSV, "target"),
        ("t", "text/html", CSV, "target"),
        ("t", "text/html", b"a,b\n<b>1,2\n3,4\n", "page"),
        ("t", "text/html", XLSX, "target"),
        ("t", "application/x-made-up", XLSX, "target"),
        ("t", "application/x-made-up", b"PK\x03\x04..a.class", "other"),
        ("t", "application/x-made-up", b"{}", "other"),
        ("t.sav", OCTETS, b"$FL2@(#)", "target"),
        ("t.dbf", OCTETS, b"\x03\x7a\x01", "target"),
        ("utf16.csv", "text/plain", "a\tb\r\n1\t2\r\n".encode("utf-16"), "target"),
        ("app.exe", OCTETS, b"MZ\x90\x00", "other"),
    ],
)  # fmt: skip
def test_tables_by_type_name_and_bytes(url, content_type, body, kind):
    """Where type and name say little or disagree, the first bytes decide."""
    assert judged("tables", url, content_type, body) == kind


def test_names_of_the_header_and_of_the_link_count():
    """`dl?id=31` says nothing by itself."""
    name = 'attachment; filename="table-31.csv"'
    assert judged("tables", "dl?id=31", OCTETS, b"x", name) == "target"
    assert judged("tables", "dl?id=31", OCTETS, b"x") == "other"
    extended = "attachment; filename*=UTF-8''%E2%82%AC%20rates.csv"
    assert judged("tables", "dl", "application/force-download", b"x", extended) == "target"
    assert judged("tables", "dl", OCTETS, b"x", hint="table.csv") == "target"
    assert judged("pdf", "dl", "application/force-download", PDF) == "target"


def test_everything_leaves_out_programs_and_pictures():
    """The default takes unknown bytes, but nothing that is known to be no data."""
    assert judged("all", "x.dat", OCTETS, b"\x00\x01") == "target"
    assert judged("all", "x", OCTETS, b"\x7fELF") == "other"
    assert judged("all", "setup.exe", OCTETS, b"") == "other"
    assert judged("all", "x", OCTETS, b"\x89PNG") == "other"
    assert judged("all", "notes", "text/plain", b"Dear all") == "target"


def test_extensions_and_patterns():
    """A format that the table lacks can be asked for, too."""
    assert judged(".xyz", "a.xyz", OCTETS, b"\x00") == "target"
    assert judged("/download=1/", "a?download=1", "application/pdf", PDF) == "target"
    assert judged("/download=1/", "a?download=1", "text/html", HTML) == "page"
    assert wanted("/export/").names_file("https://e.org/export/1")


@pytest.mark.parametrize(
    ("url", "file", "unwanted"),
    [
        ("a.csv", True, False),
        ("a.csv.gz", True, False),
        ("a.pdf", False, True),
        ("a.zip", False, True),
        ("a.xml", False, False),
        ("style.css", False, True),
        ("a.html", False, False),
        ("a", False, False),
        ("get.php?f=a.pdf", False, True),
    ],
)
def test_what_names_say(url, file, unwanted):
    """Pages have many extensions, and XML may be a feed: only a file's name is a reason to wait."""
    url = f"https://e.org/{url}"
    assert (wanted("tables").names_file(url), wanted("tables").names_unwanted(url)) == (
        file,
        unwanted,
    )


def test_a_body_is_dropped_but_for_what_decides():
    """A journal without bodies must tell the same story."""
    csv = Response("https://e.org/a", 200, {"content-type": OCTETS}, CSV * 4000)
    kept = drop_body(csv, wanted("tables"))
    assert kind_of(kept, wanted("tables")) is Kind.TARGET
    assert 0 < len(kept.body) <= 4096
    assert kept.truncated
    sure = Response("https://e.org/a.csv", 200, {"content-type": "text/csv"}, CSV)
    assert drop_body(sure, wanted("tables")).body == b""
