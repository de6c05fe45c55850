"""Formats by their bytes."""

import gzip
import io
import zipfile

import pytest

from datahound.catalog.formats import detect_format


def detect(tmp_path, body, name=""):
    path = tmp_path / "file"
    path.write_bytes(body if isinstance(body, bytes) else body.encode())
    return detect_format(path, name)


def zipped(**members):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, body in members.items():
            archive.writestr(name.replace("__", "/"), body)
    return file.getvalue()


@pytest.mark.parametrize(
    ("body", "format_"),
    [
        (b"", "empty"),
        (b"%PDF-1.7", "pdf"),
        (b"junk before\n%PDF-1.7", "pdf"),
        (gzip.compress(b"x", mtime=0), "gz"),
        (b"BZh9", "bz2"),
        (b"\xfd7zXZ\x00", "xz"),
        (b"PAR1", "parquet"),
        (b"7z\xbc\xaf\x27\x1c", "7z"),
        (b"Rar!\x1a\x07", "rar"),
        (b"\x89PNG", "image"),
        (b"{\\rtf1", "rtf"),
        (b"SQLite format 3\x00", "sqlite"),
        (b"\x00\x01\x02\x03", "unknown"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "ole"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "Workbook".encode("utf-16-le"), "xls"),
        (b"\x09\x08\x10\x00\x00\x06", "xls"),
        (bytes(257) + b"ustar", "tar"),
        (b"PK\x03\x04 broken", "zip"),
    ],
)
def test_leading_bytes(tmp_path, body, format_):
    """They decide before anything else, and binary files have no encoding."""
    assert detect(tmp_path, body) == (format_, "", "")


@pytest.mark.parametrize(
    ("members", "format_"),
    [
        ({"[Content_Types].xml": "", "xl__workbook.xml": ""}, "xlsx"),
        ({"[Content_Types].xml": "", "xl__workbook.bin": ""}, "xlsb"),
        ({"[Content_Types].xml": "", "word__document.xml": ""}, "docx"),
        ({"[Content_Types].xml": "", "ppt__x.xml": ""}, "pptx"),
        ({"xl__workbook.xml": ""}, "zip"),
        ({"mimetype": "application/vnd.oasis.opendocument.spreadsheet"}, "ods"),
        ({"mimetype": "application/vnd.oasis.opendocument.text"}, "odt"),
        ({"mimetype": "application/epub+zip"}, "zip"),
        ({"a.csv": "a,b"}, "zip"),
    ],
)
def test_kinds_of_zip_files(tmp_path, members, format_):
    """By the names of their parts."""
    assert detect(tmp_path, zipped(**members))[0] == format_


@pytest.mark.parametrize(
    ("text", "format_", "delimiter"),
    [
        ("a,b\n1,2\n", "csv", ","),
        ("a;b\n1;2\n", "csv", ";"),
        ("a\tb\n1\t2\n", "tsv", "\t"),
        ("a|b|c\n1|2|3\n", "csv", "|"),
        ("One line of words.\n", "text", ""),
        ('{"a": 1}', "json", ""),
        ("[1, 2]", "json", ""),
        ("[]", "json", ""),
        ('{"a": 1}\n{"a": 2}\n', "ndjson", ""),
        ("[section]\nkey = 1\n", "text", ""),
        ("<!DOCTYPE html><p>", "html", ""),
        ("  <TABLE><tr>", "html", ""),
        ("<?xml version='1.0'?><html>", "html", ""),
        ("<?xml version='1.0'?><data>", "xml", ""),
        ("<data/>", "xml", ""),
        ("<m:GenericData xmlns:m='http://www.sdmx.org/x'>", "sdmx", ""),
        ("< 5 years,7\n< 9 years,8\n", "text", ""),
    ],
)
def test_texts(tmp_path, text, format_, delimiter):
    """By their first characters, and by the delimiter of their lines."""
    found = detect(tmp_path, text)
    assert (found[0], found[2]) == (format_, delimiter)


def test_the_name_decides_only_where_the_bytes_do_not(tmp_path):
    """One column has no delimiter to find."""
    assert detect(tmp_path, "a\n1\n2\n")[0] == "text"
    assert detect(tmp_path, "a\n1\n2\n", "x.CSV") == ("csv", "utf-8", ",")
    assert detect(tmp_path, "a\n1\n2\n", "x.tsv") == ("tsv", "utf-8", "\t")
    assert detect(tmp_path, "%PDF-1.4", "x.csv")[0] == "pdf"
