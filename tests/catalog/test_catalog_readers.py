import gzip
import io
import json
import zipfile

import pytest
from catalog_files import FIGURES, looked

from datahound.catalog.table_reader import read_table

HEADER = ["region", "year", "pupils", "share"]
ROWS = [["North", 2019, 120, 4.5], ["South", 2019, 340, 5.5], ["West", 2020, 99, 1.5]]


def sheet(kind: str) -> bytes:
    """The figures as a spreadsheet, with a title above and a note below."""
    file = io.BytesIO()
    lines = [["Pupils 2019 to 2020"], [], HEADER, *ROWS, [], ["Source: school census"]]
    if kind == "xlsx":
        from openpyxl import Workbook

        book = Workbook()
        for line in lines:
            book.active.append(line)
        book.save(file)
    elif kind == "xls":
        import xlwt

        book = xlwt.Workbook()
        page = book.add_sheet("Sheet1")
        for y, line in enumerate(lines):
            for x, cell in enumerate(line):
                page.write(y, x, cell)
        book.save(file)
    else:
        from odf.opendocument import OpenDocumentSpreadsheet
        from odf.table import Table, TableCell, TableRow
        from odf.text import P

        book = OpenDocumentSpreadsheet()
        table = Table(name="Sheet1")
        for line in lines:
            row = TableRow()
            for cell in line:
                number = (
                    {"valuetype": "float", "value": str(cell)} if not isinstance(cell, str) else {}
                )
                made = TableCell(**(number or {"valuetype": "string"}))
                made.addElement(P(text=str(cell)))
                row.addElement(made)
            table.addElement(row)
        book.spreadsheet.addElement(table)
        book.write(file)
    return file.getvalue()


def page(rows: list[list[object]]) -> str:
    cells = "".join("<tr>" + "".join(f"<td>{c}</td>" for c in row) + "</tr>" for row in rows)
    return f"<!doctype html><title>T</title><table><caption>Pupils</caption>{cells}</table>"


def pdf() -> bytes:
    from reportlab.platypus import SimpleDocTemplate, Table

    file = io.BytesIO()
    SimpleDocTemplate(file).build(
        [Table([HEADER, *ROWS], style=[("GRID", (0, 0), (-1, -1), 1, "black")])]
    )
    return file.getvalue()


def bare_pdf() -> bytes:
    from reportlab.platypus import SimpleDocTemplate, Table

    file = io.BytesIO()
    SimpleDocTemplate(file).build([Table([HEADER, *ROWS])])
    return file.getvalue()


def zipped(name: str, body: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(name, body)
    return file.getvalue()


def parquet() -> bytes:
    import polars as pl

    file = io.BytesIO()
    pl.DataFrame(ROWS, schema=HEADER, orient="row").write_parquet(file)
    return file.getvalue()


RECORDS = [dict(zip(HEADER, row, strict=True)) for row in ROWS]
XML = "".join(
    "<r>" + "".join(f"<{k}>{v}</{k}>" for k, v in record.items()) + "</r>" for record in RECORDS
)
OFFICE = "region;year;pupils;share\n" + "".join(
    f"{r};{y};{p};{str(s).replace('.', ',')}\n" for r, y, p, s in ROWS
)
SAMPLES = {
    "csv": FIGURES,
    "csv_office": "Élèves\n\n" + OFFICE + "\nSource : école\n",
    "tsv": FIGURES.replace(",", "\t").encode("utf-16"),
    "xlsx": lambda: sheet("xlsx"),
    "xls": lambda: sheet("xls"),
    "ods": lambda: sheet("ods"),
    "json": json.dumps({"title": "Pupils", "data": RECORDS}),
    "json_columns": json.dumps({h: [row[k] for row in ROWS] for k, h in enumerate(HEADER)}),
    "json_rows": json.dumps([HEADER, *ROWS]),
    "ndjson": "\n".join(json.dumps(record) for record in RECORDS),
    "xml": f"<?xml version='1.0'?><d><title>Pupils</title>{XML}</d>",
    "html": page([HEADER, *ROWS]),
    "pdf": pdf,
    "pdf_bare": bare_pdf,
    "zip": lambda: zipped("data/x.csv", FIGURES.encode()),
    "zip_nested": lambda: zipped("in.zip", zipped("x.csv", FIGURES.encode())),
    "gz": lambda: gzip.compress(FIGURES.encode()),
    "parquet": parquet,
}


@pytest.mark.parametrize("name", SAMPLES)
def test_the_same_table_in_every_format(tmp_path, name):
    """Format, header, types, years and rows come out the same, and the table can be read again."""
    content = SAMPLES[name]
    body = content() if callable(content) else content
    if name == "csv_office":
        body = body.encode("cp1252")
    found = looked(tmp_path, "file", body)
    assert found.error == ""
    assert found.format == name.partition("_")[0]
    (table,) = found.tables
    assert [field.name for field in table.fields] == HEADER
    assert [field.type for field in table.fields] == ["string", "year", "integer", "number"]
    assert [field.role for field in table.fields][2:] == ["measure", "measure"]
    assert (table.rows, table.first_year, table.last_year) == (3, 2019, 2020)
    assert table.statistics
    address = json.loads(json.dumps(table.address))
    with read_table(tmp_path / "file", address) as reader:
        assert reader.header == HEADER
        assert list(reader.rows) == ROWS
