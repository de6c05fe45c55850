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


def test_sdmx_observations(tmp_path):
    """Generic and structured SDMX give a row for each observation."""
    begin = '<?xml version="1.0"?><m:GenericData xmlns:m="http://www.sdmx.org/resources/sdmxml">'
    key = '<SeriesKey><Value id="GEO" value="{}"/><Value id="SEX" value="{}"/></SeriesKey>'
    obs = '<Obs><ObsDimension value="{}"/><ObsValue value="{}"/></Obs>'
    series = "".join(
        "<Series>"
        + key.format(geo, sex)
        + "".join(obs.format(y, y % 7 + 0.5) for y in (2018, 2019, 2020))
        + "</Series>"
        for geo in ("DE", "FR")
        for sex in ("F", "M")
    )
    generic = looked(tmp_path, "g.xml", f"{begin}<DataSet>{series}</DataSet></m:GenericData>")
    compact = looked(
        tmp_path,
        "c.xml",
        begin.replace("GenericData", "StructureSpecificData")
        + "<DataSet>"
        + "".join(
            f'<Series GEO="{g}" SEX="F">'
            + "".join(f'<Obs TIME_PERIOD="{y}" OBS_VALUE="{y % 9}"/>' for y in range(2010, 2020))
            + "</Series>"
            for g in ("DE", "FR", "IT")
        )
        + "</DataSet></m:StructureSpecificData>",
    )
    for found, rows in ((generic, 12), (compact, 30)):
        assert found.format == "sdmx"
        (table,) = found.tables
        assert (table.rows, table.statistics, table.places[:2]) == (
            rows,
            True,
            ["Germany", "France"],
        )


def test_json_stat(tmp_path):
    """A cube of JSON-stat is a table with a row for each cell."""
    cube = {
        "version": "2.0",
        "class": "dataset",
        "label": "Unemployed",
        "id": ["sex", "year"],
        "size": [2, 3],
        "value": [1.5, 2.5, 3.5, 4.5, 5.5, 6.5],
        "dimension": {
            "sex": {
                "label": "Sex",
                "category": {"index": ["F", "M"], "label": {"F": "Women", "M": "Men"}},
            },
            "year": {"label": "Year", "category": {"index": {"2019": 0, "2020": 1, "2021": 2}}},
        },
    }
    (table,) = looked(tmp_path, "cube.json", json.dumps(cube)).tables
    assert table.rows == 6
    assert table.sample[0] == ["Women", "2019", 1.5]
    assert table.statistics
    assert (table.first_year, table.last_year) == (2019, 2021)


def test_a_large_file_is_counted_to_its_end(tmp_path):
    """Rows, nulls, years and types are those of the whole file, not of its beginning."""
    lines = [f"Town {n % 50},{1990 + n // 2000},{n},{n}\n" for n in range(40_000)]
    lines[39_000] = "Far Away,2020,,7.5\n"
    body = "# Towns, all of them\ntown,year,count,late\n" + "".join(lines) + "Source: the towns\n"
    (table,) = looked(tmp_path, "large.csv", body).tables
    assert (table.rows, table.first_year, table.last_year) == (40_000, 1990, 2020)
    assert [field.type for field in table.fields] == ["string", "year", "integer", "number"]
    assert table.fields[2].nulls == 1
    assert table.title == "# Towns all of them"
    with read_table(tmp_path / "large.csv", table.address) as reader:
        assert sum(1 for _ in reader.rows) == 40_001  # the note is a row of the file


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("utf-8-sig", "Köln;5\nMünchen;7\n"),
        ("cp1252", "Köln;5\nMünchen;7\nDüsseldorf;9\nZürich;1\nGenève;3\n"),
        ("utf-16", "Köln;5\nMünchen;7\n"),
        ("shift_jis", "北海道;5\n東京都;7\n大阪府と京都府;9\n沖縄県の人口;3\n"),
        ("windows-1251", "Москва;5\nСанкт-Петербург;7\nНовосибирск;9\nЕкатеринбург;3\n"),
    ],
)
def test_encodings(tmp_path, encoding, text):
    """Texts are read in the encoding that they are written in."""
    found = looked(tmp_path, "t.csv", ("name;value\n" + text).encode(encoding))
    assert found.delimiter == ";"
    names = [row[0] for row in found.tables[0].sample]
    assert names == [line.split(";")[0] for line in text.splitlines()]


def test_prose_is_no_table(tmp_path):
    """A letter with commas in it has no tables."""
    letter = (
        "Dear Sir,\n\nthank you for your letter, which came on Monday.\nWe hope, as ever,\n" * 20
    )
    found = looked(tmp_path, "letter.txt", letter)
    assert (found.format, found.tables, found.error) == ("text", [], "")
