"""What a body begins like."""

import pytest

from datahound.web.leading_bytes import agree, detect_type


@pytest.mark.parametrize(
    ("beginning", "name"),
    [
        (b"", ""),
        (b"\x00\x01\x02", ""),
        (b"plain words", "text"),
        (b"id;value\n1;2\n", "csv"),
        (b"id\tvalue\n1\t2\n", "tsv"),
        (b'name,note\n"a, b",1\n"c",2\n', "csv"),
        (b"Dear Sir, hello\nand, as you know, goodbye\n", "text"),
        (b"\xef\xbb\xbfid,value\n1,2\n", "csv"),
        ("id,v\n1,2\n".encode("utf-16"), "csv"),
        (b'{"type": "FeatureCollection"}', "geojson"),
        (b'[{"a": 1}]', "json"),
        (b"<?xml version='1.0'?><kml>", "kml"),
        (b"<?xml version='1.0'?><rss>", "rss"),
        (b"<?xml version='1.0'?><a>", "xml"),
        (b"<?xml version='1.0'?><html>", "html"),
        (b"<kml xmlns='x'>", "kml"),
        (b"\n<!DOCTYPE html>", "html"),
        (b'<html xmlns:x="urn:schemas-microsoft-com:office:excel">', "xls"),
        (b"PK\x05\x06" + bytes(18), "zip"),
        (b"PK\x03\x04 doc.kml", "kmz"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "ole"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "Workbook".encode("utf-16-le"), "xls"),
        (bytes(257) + b"ustar", "tar"),
        (b"\x89HDF\r\n\x1a\n", "hdf5"),
        (b"SQLite format 3\x00", "sqlite"),
        (b"\x28\xb5\x2f\xfd", "zst"),
        (b"\x89PNG\r\n", "image"),
        (b"\x7fELF", "program"),
    ],
)
def test_types_by_their_first_bytes(beginning, name):
    assert detect_type(beginning) == name


def test_what_may_begin_alike():
    """A workbook is a ZIP archive, a GeoPackage is an SQLite database; a CSV is no PDF."""
    assert agree("xlsx", "zip")
    assert agree("gpkg", "sqlite")
    assert agree("doc", "ole")
    assert agree("csv", "text")
    assert agree("dbf", "")
    assert not agree("csv", "pdf")
    assert not agree("pdf", "text")
    assert not agree("xlsx", "ole")


@pytest.mark.parametrize("unit", [b"<!--", b'"', b"a,", b"\n", b"<?xml ", b"{"])
def test_hostile_beginnings(unit):
    """A few thousand bytes are looked at, however many come."""
    assert isinstance(detect_type(unit * 100_000), str)
