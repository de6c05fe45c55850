"""The bytes of synthetic files."""

import csv
import io
import json
import re
import zipfile
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest
from openpyxl import load_workbook
from pypdf import PdfReader

from datahound.archive.synthetic import SyntheticArchive, SyntheticSettings
from datahound.archive.synthetic.bodies import make_body
from datahound.model import Fetch, Kind, Response
from datahound.web.targets import kind_of

SETTINGS = SyntheticSettings(
    pages=400,
    targets=250,
    size_mb=0.03,
    size_std_mb=0.06,
    languages=("en", "fr", "ja"),
    bodies=True,
)
FORMATS = ("csv", "json", "ods", "pdf", "xlsx", "zip")


def responses(settings):
    archive = SyntheticArchive(settings)
    for url in archive.targets():
        answer = archive.get(Fetch(url))
        assert isinstance(answer, Response)
        yield answer


def read_csv(body):
    rows = list(csv.reader(line for line in io.StringIO(body.decode()) if line[0] != "#"))
    assert rows[0] == ["place", "period", "cases", "rate"]
    return rows[1:]


def read_json(body):
    return [row for row in json.loads(body)["rows"] if "cases" in row]


def read_xlsx(body):
    return list(load_workbook(io.BytesIO(body), read_only=True).active.values)


def read_ods(body):
    with zipfile.ZipFile(io.BytesIO(body)) as file:
        assert file.namelist()[0] == "mimetype"
        root = ET.fromstring(file.read("content.xml"))
    return root.findall(".//{urn:oasis:names:tc:opendocument:xmlns:table:1.0}table-row")


def read_pdf(body):
    text = PdfReader(io.BytesIO(body), strict=True).pages[0].extract_text()
    return re.findall(r"\d{4}-\d\d +\d+ +[\d.]+", text)


def read_zip(body):
    with zipfile.ZipFile(io.BytesIO(body)) as file:
        assert file.testzip() is None
        name = next(name for name in file.namelist() if name.endswith(".csv"))
        rows = list(csv.reader(io.StringIO(file.read(name).decode()), delimiter=";"))
    return [row for row in rows[1:] if row]


READERS = {
    "text/csv": read_csv,
    "application/json": read_json,
    "application/vnd.oasis.opendocument.spreadsheet": read_ods,
    "application/pdf": read_pdf,
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": read_xlsx,
    "application/zip": read_zip,
}


def test_every_file_is_valid_and_as_long_as_promised():
    """Files of all formats open, hold statistics, and have exactly the size that was announced."""
    seen = set()
    for answer in responses(SETTINGS):
        assert kind_of(answer) is Kind.TARGET
        assert len(answer.body) == answer.size
        assert not answer.truncated
        mime_type = answer.headers["content-type"].partition(";")[0]
        if answer.size < 300_000:
            assert len(READERS[mime_type](answer.body)) >= 3
        seen.add(mime_type)
    assert seen == set(READERS)


def test_capped_bodies_are_smaller_valid_files():
    """A cap shortens bodies to valid files; size and length announced stay."""
    capped = replace(SETTINGS, max_body=15_000)
    cut = 0
    for answer in responses(capped):
        assert len(answer.body) == min(answer.size, 15_000)
        assert answer.truncated == (answer.size > 15_000)
        assert answer.headers["content-length"] == str(answer.size)
        assert READERS[answer.headers["content-type"].partition(";")[0]](answer.body)
        cut += answer.truncated
    assert cut > 20


def test_no_bodies_by_default():
    """Replay gets targets without their bytes, with the same headers and sizes."""
    bare = replace(SETTINGS, bodies=False)
    for whole, empty in zip(responses(SETTINGS), responses(bare), strict=True):
        assert empty == replace(whole, body=b"", truncated=True)


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("size", [12_000, 12_001, 12_079, 12_080, 99_999, 100_001, 250_000])
def test_any_size_is_met_exactly(format_, size):
    """Each format can be made of any size."""
    target = SyntheticArchive(SETTINGS)._layout.targets[3]._replace(format=format_)
    assert len(make_body(target, size)) == size


@pytest.mark.parametrize("format_", ["csv", "json"])
@pytest.mark.parametrize("size", [400, 401, 555, 1000])
def test_small_files_are_tables_too(format_, size):
    """The smallest files are CSV and JSON of exactly their size."""
    for number in range(0, 250, 50):
        target = SyntheticArchive(SETTINGS)._layout.targets[number]._replace(format=format_)
        assert len(make_body(target, size)) == size


def test_sizes_have_the_mean_and_the_spread_asked_for():
    """The mean size is exact however few files there are; the spread is nearly so."""
    for targets in (20, 2000):
        settings = replace(SETTINGS, bodies=False, targets=targets, size_mb=2, size_std_mb=6)
        sizes = [answer.size for answer in responses(settings)]
        mean = sum(sizes) / targets
        std = (sum((size - mean) ** 2 for size in sizes) / targets) ** 0.5
        assert mean == pytest.approx(2e6, rel=0.01)
        assert 0.4 * 6e6 < std < 1.2 * 6e6
