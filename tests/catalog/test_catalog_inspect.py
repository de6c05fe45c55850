import gzip
import io
import os
import zipfile

from catalog_files import FIGURES, catalogue, keep, looked

from datahound.catalog.catalog import Catalog, Query
from datahound.catalog.inspect import choose_worker_count
from datahound.catalog.readers.task import Limits

LAUGHS = (
    '<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol "lol">'
    + "".join(f'<!ENTITY lol{n} "{f"&lol{n - 1 or str()};" * 10}">' for n in range(1, 10))
    + "]><lolz>&lol9;</lolz>"
)


def packed(**members: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in members.items():
            archive.writestr(name, body)
    return file.getvalue()


def far_cell() -> bytes:
    """A sheet of two cells, at the two ends of what a spreadsheet can hold."""
    from openpyxl import Workbook

    book = Workbook()
    book.active["A1"], book.active["XFD1048576"] = 1, 2
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def test_hostile_files_cost_a_line_each(tmp_path):
    """Bombs and broken files are one line in `error`; what stands between them is read."""
    limits = Limits(seconds=10, memory_bytes=1 << 30, unpacked_bytes=20 << 20)
    zeros = b"0,1\n" * (50 << 20 >> 2)
    files = {
        "bomb.zip": packed(**{"bomb.csv": zeros}),
        "bomb.csv.gz": gzip.compress(zeros),
        "laughs.xml": LAUGHS,
        "far.xlsx": far_cell(),
        "deep.json": "[" * 200_000,
        "broken.pdf": b"%PDF-1.7\n1 0 obj << /Type /Catalog /Pages 1 0 R >>\nxref garbage",
        "broken.xlsx": packed(**{"[Content_Types].xml": b"<x/>", "xl/workbook.xml": b"<a"}),
        "broken.zip": b"PK\x03\x04" + bytes(100),
        "nested.zip": packed(a=packed(b=packed(c=packed(d=FIGURES.encode())))),
        "good.csv": FIGURES,
    }
    sources = keep(tmp_path, files)
    catalogue(tmp_path, sources, limits=limits)
    with Catalog(tmp_path) as catalog:
        errors = {entry.path: entry.error for entry in catalog.entries()}
        assert errors.pop("good.csv") == ""
        assert all(errors.values()), errors
        assert all("\n" not in error and len(error) < 400 for error in errors.values())
        assert catalog.summary().errors == len(files) - 1
        assert catalog.entry_of(sources[-1].url).statistics == 1
    assert not (tmp_path / ".catalog").exists()


def test_a_slow_file_is_given_up(tmp_path):
    """The clock ends what takes too long; the next file has a fresh worker."""
    slow = "<html>" + "<table><tr><td>1<td>2<tr><td>3<td>4</table>" * 400_000
    sources = keep(tmp_path, {"slow.html": slow, "good.csv": FIGURES})
    catalogue(tmp_path, sources, limits=Limits(seconds=1.0))
    with Catalog(tmp_path) as catalog:
        assert "took longer than 1 s" in catalog.entry_of(sources[0].url).error
        assert catalog.entry_of(sources[1].url).error == ""


def test_entity_bombs_are_not_expanded(tmp_path):
    """XML with entities of its own is refused before it is parsed."""
    assert "entities" in looked(tmp_path, "laughs.xml", LAUGHS).error


def test_what_a_site_sends_is_text(tmp_path):
    """Titles and cells with markup, controls and quotes are kept and found, as text."""
    evil = "<script>alert(1)</script>\x00\u202e\"'; DROP TABLE dataset;--"
    rows = f'"{evil.replace(chr(34), chr(34) * 2)}",2019,5\n'
    body = "name,year,value\n" + rows + "b,2020,6\nc,2021,7\nd,2022,8\n"
    sources = keep(tmp_path, {"a.csv": body}, title=evil, page_title=evil)
    catalogue(tmp_path, sources)
    with Catalog(tmp_path) as catalog:
        (hit,) = catalog.search(Query("<script>alert")).entries
        assert hit.title.isprintable()
        for text in ('"', "'", "a OR b", "NEAR(", "*", "title:x", "AND", '"unclosed', "\x00", "-"):
            catalog.search(Query(text))
            catalog.facets(Query(text))


def test_random_bytes_never_crash(tmp_path):
    """Files cut short or changed at random are looked into without an exception."""
    import random

    chance = random.Random(7)
    bodies = [FIGURES.encode(), b'{"rows": [{"a": 1}, {"a": 2}]}', packed(a=FIGURES.encode()),
              b"<html><table><tr><td colspan=9999999>1</table>", b"%PDF-1.4 junk"]  # fmt: skip
    for turn in range(60):
        body = bytearray(bodies[turn % len(bodies)])
        for _ in range(chance.randint(1, 8)):
            body[chance.randrange(len(body))] = chance.randrange(256)
        looked(tmp_path, f"x{turn}", bytes(body[: chance.randint(1, len(body))]))


def test_workers_fit_into_the_memory_of_the_machine():
    """One on a small machine, and never more than a large one has processors for."""
    assert choose_worker_count(3 << 30, 2 << 30) == 1
    assert choose_worker_count(3 << 30, 6 << 30) == 1
    assert choose_worker_count(3 << 30, 1 << 40) == min(4, os.cpu_count() or 1)
