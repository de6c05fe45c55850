"""Write imitated publications as files, with the programs that offices use or their like."""
# ruff: noqa: E501 contents of files, and templates with one signature

import csv
import html
import io
import json
import sqlite3
import struct
import zipfile
import zlib
from collections.abc import Callable
from itertools import product
from pathlib import Path
from xml.sax.saxutils import escape

import inflate64
import matplotlib as mpl
import shapefile
import xlwt
from odf.opendocument import OpenDocumentSpreadsheet
from odf.table import Table, TableCell, TableRow
from odf.text import P
from openpyxl import Workbook
from published_case import Case, Draw, Rows, Truth, pad
from pypdf import PdfWriter, Transformation
from pypdf.generic import NameObject, NumberObject, RectangleObject
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4, landscape
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.platypus import Paragraph, SimpleDocTemplate, Spacer
from reportlab.platypus import Table as PdfTable

Write = Callable[[Path, Case, Draw], None]


def _flatten(case: Case) -> Rows:
    """The sheet of the main table: text files have one sheet."""
    return max((rows for _, rows in case.sheets), key=len)


def _as_text(rows: Rows, draw: Draw) -> list[list[str]]:
    return [
        [
            ""
            if c is None
            else c
            if isinstance(c, str)
            else str(c)
            if isinstance(c, int) and 1500 <= c <= 2100
            else str(c).replace(".", ",")
            if draw.words.comma and isinstance(c, float)
            else str(c)
            for c in row
        ]
        for row in rows
    ]


def xlsx(path: Path, case: Case, _draw: Draw) -> None:
    book = Workbook()
    book.remove(book.active)
    for name, rows in case.sheets:
        sheet = book.create_sheet(name[:31].replace("/", "-"))
        for row in rows:
            sheet.append(row)
    book.save(path)


def xls(path: Path, case: Case, _draw: Draw) -> None:
    book = xlwt.Workbook()
    for name, rows in case.sheets:
        sheet = book.add_sheet(name[:31])
        for y, row in enumerate(rows):
            for x, cell in enumerate(row):
                if cell is not None:
                    sheet.write(y, x, cell)
    book.save(str(path))


def ods(path: Path, case: Case, _draw: Draw) -> None:
    book = OpenDocumentSpreadsheet()
    for name, rows in case.sheets:
        table = Table(name=name)
        for row in rows:
            line = TableRow()
            for cell in row or [None]:
                made = TableCell()
                if isinstance(cell, int | float):
                    made = TableCell(valuetype="float", value=str(cell))
                elif cell is not None:
                    made = TableCell(valuetype="string")
                if cell is not None:
                    made.addElement(P(text=str(cell)))
                line.addElement(made)
            table.addElement(line)
        book.spreadsheet.addElement(table)
    book.save(str(path))


def spreadsheetml(path: Path, case: Case, _draw: Draw) -> None:
    """XML of Excel 2003, as many reporting servers export it."""
    parts = [
        '<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet">'
    ]
    for name, rows in case.sheets:
        parts.append(f'<Worksheet ss:Name="{escape(name)}"><Table>')
        for row in rows:
            cells = "".join(
                f'<Cell ss:Index="{n}"><Data ss:Type="{"Number" if isinstance(c, int | float) else "String"}">{escape(str(c))}</Data></Cell>'
                for n, c in enumerate(row, 1)
                if c is not None
            )
            parts.append(f"<Row>{cells}</Row>")
        parts.append("</Table></Worksheet>")
    path.write_text("\n".join([*parts, "</Workbook>"]), "utf-8")


def _delimited(path: Path, case: Case, draw: Draw, delimiter: str, encoding: str) -> None:
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, delimiter=delimiter)
    rows = _as_text(_flatten(case), draw)
    writer.writerows(row if delimiter == "," or row else [] for row in pad(rows))
    text = buffer.getvalue()
    try:
        path.write_bytes(text.encode(encoding))
    except UnicodeEncodeError:
        path.write_bytes(text.encode("utf-8-sig"))


def csv_comma(path: Path, case: Case, draw: Draw) -> None:
    _delimited(path, case, draw, ",", "utf-8")


def csv_semicolon(path: Path, case: Case, draw: Draw) -> None:
    _delimited(path, case, draw, ";", "cp1250" if draw.words.code == "pl" else "cp1252")


def tsv(path: Path, case: Case, draw: Draw) -> None:
    _delimited(path, case, draw, "\t", "utf-16")


def web_page(path: Path, case: Case, draw: Draw) -> None:
    """A page that begins with a comment; titles above the table are its caption."""
    rows = _flatten(case)
    width = max(map(len, rows))
    body = "".join(
        "<tr>"
        + "".join(f"<td>{html.escape('' if c is None else str(c))}</td>" for c in row)
        + "</tr>"
        for row in _as_text(pad(rows), draw)
    )
    path.write_text(
        f"<!-- generated by the table server -->\n<html lang='{draw.words.code}'><head><meta charset='utf-8'>"
        f"<title>{html.escape(case.truth.title or 'Table')}</title></head><body><p>{width} columns</p>"
        f"<table border=1>{body}</table></body></html>",
        "utf-8",
    )


def _font(draw: Draw) -> str:
    if draw.words.code == "ja":
        pdfmetrics.registerFont(UnicodeCIDFont("HeiseiMin-W3"))
        return "HeiseiMin-W3"
    file = Path(mpl.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"
    pdfmetrics.registerFont(TTFont("DejaVu", str(file)))
    return "DejaVu"


def _pdf(path: Path, case: Case, draw: Draw, *, ruled: bool, turned: bool = False) -> None:
    """A page of a report: the rows above the header are lines of text, the notes as well."""
    font = _font(draw)
    rows = pad(_as_text(_flatten(case), draw))
    filled = [n for n, row in enumerate(rows) if sum(1 for c in row if c) > 1]
    first, last = filled[0], filled[-1] + 1
    style = [("FONT", (0, 0), (-1, -1), font, 8), ("ALIGN", (1, 0), (-1, -1), "RIGHT")]
    style += [("TOPPADDING", (0, 0), (-1, -1), 1), ("BOTTOMPADDING", (0, 0), (-1, -1), 1)]
    if ruled:
        style.append(("GRID", (0, 0), (-1, -1), 0.4, colors.black))
    else:
        style.append(("LINEBELOW", (0, 0), (-1, 0), 0.4, colors.black))
    words = ParagraphStyle("w", fontName=font, fontSize=9, leading=12)
    head = ParagraphStyle("h", fontName=font, fontSize=13, leading=18)
    above = [row[0] for row in rows[:first] if row[0]]
    below = [row[0] for row in rows[last:] if row[0]]
    story = [Paragraph(t, head if not n else words) for n, t in enumerate(above)]
    story += [Spacer(1, 10), PdfTable(rows[first:last], style=style), Spacer(1, 6)]
    story += [Paragraph(t, words) for t in below]
    story += [Spacer(1, 14), Paragraph(f"{draw.words.note} {draw.words.source}. " * 6, words)]
    size = landscape(A4) if turned else A4
    SimpleDocTemplate(str(path), pagesize=size, invariant=1).build(story)
    if turned:
        _turn_pages(path)


def _turn_pages(path: Path) -> None:
    """Turn the content by 90 degrees and the pages back, as printed reports do with wide tables."""
    writer = PdfWriter(clone_from=str(path))
    for page in writer.pages:
        wide, high = float(page.mediabox.width), float(page.mediabox.height)
        page.add_transformation(Transformation().rotate(90).translate(high, 0))
        page.mediabox = RectangleObject((0, 0, high, wide))
        page[NameObject("/Rotate")] = NumberObject(90)
    writer.write(str(path))


def pdf_ruled(path: Path, case: Case, draw: Draw) -> None:
    _pdf(path, case, draw, ruled=True)


def pdf_bare(path: Path, case: Case, draw: Draw) -> None:
    _pdf(path, case, draw, ruled=False)


def pdf_turned(path: Path, case: Case, draw: Draw) -> None:
    _pdf(path, case, draw, ruled=False, turned=True)


def zip_deflate64(path: Path, case: Case, draw: Draw) -> None:
    """A ZIP file as the Windows shell writes large ones: compression method 9."""
    inner = path.with_suffix(".tmp")
    csv_semicolon(inner, case, draw)
    body = inner.read_bytes()
    inner.unlink()
    deflater = inflate64.Deflater()
    packed = deflater.deflate(body) + deflater.flush()
    name, check = b"data.csv", zlib.crc32(body)
    local = struct.pack(
        "<4s5H3L2H", b"PK\3\4", 21, 0, 9, 0, 33, check, len(packed), len(body), len(name), 0
    )
    central = struct.pack(
        "<4s6H3L5H2L",
        b"PK\1\2",
        21,
        21,
        0,
        9,
        0,
        33,
        check,
        len(packed),
        len(body),
        len(name),
        0,
        0,
        0,
        0,
        0,
        0,
    )
    end = struct.pack(
        "<4s4H2LH",
        b"PK\5\6",
        0,
        0,
        1,
        1,
        len(central) + len(name),
        len(local) + len(name) + len(packed),
        0,
    )
    path.write_bytes(local + name + packed + central + name + end)


def zipped_workbook(path: Path, case: Case, draw: Draw) -> None:
    inner = path.with_suffix(".tmp.xlsx")
    xlsx(inner, case, draw)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("readme.txt", f"{draw.words.note}\n{draw.words.source}\n")
        archive.write(inner, "tables/table.xlsx")
    inner.unlink()


def _cube(
    draw: Draw, subject: int
) -> tuple[list[tuple[str, list[str]]], list[int | None], str, int]:
    """Dimensions with their values, the figures, the title and the first year."""
    w, first = draw.words, draw.year()
    axes = [
        (w.region, list(w.regions[:6])),
        ("Sex", [w.men, w.women]),
        (w.year, [str(first + k) for k in range(4)]),
    ]
    size = len(list(product(*(values for _, values in axes))))
    figures = [None if draw.random.random() < 0.1 else draw.count() for _ in range(size)]
    return axes, figures, w.subjects[subject], first


def px(path: Path, draw: Draw, subject: int) -> Truth:
    axes, figures, title, first = _cube(draw, subject)
    w = draw.words

    def quote(values: list[str]) -> str:
        return ",".join(f'"{value}"' for value in values)

    lines = [
        'CHARSET="ANSI";',
        'AXIS-VERSION="2010";',
        f'CODEPAGE="{"utf-8"}";',
        'LANGUAGE="en";',
        "DECIMALS=0;",
        'MATRIX="BEF1";',
        'SUBJECT-CODE="BE";',
        f'TITLE="{title} by {axes[0][0]}, "\n"sex and year";',
        f'UNITS="{w.unit}";',
        f'CONTENTS="{title}";',
        f'STUB="{axes[0][0]}","{axes[1][0]}";',
        f'HEADING="{axes[2][0]}";',
        *(f'VALUES("{name}")={quote(values)};' for name, values in axes),
        f'CODES("{axes[1][0]}")="1","2";',
        f'TIMEVAL("{axes[2][0]}")=TLIST(A1),{quote(axes[2][1])};',
        f'SOURCE="{w.source}";',
        f'NOTE="{w.note}";',
        "DATA=",
    ]
    shown = ['".."' if f is None else str(f) for f in figures]
    lines += [" ".join(shown[k : k + 4]) for k in range(0, len(shown), 4)]
    path.write_text("\r\n".join(lines) + ";", "utf-8")
    return Truth([*(name for name, _ in axes), ""], len(figures), (first, first + 3), title)


def sdmx_ml(path: Path, draw: Draw, subject: int) -> Truth:
    """Structure-specific SDMX-ML with many attributes on each series and observation."""
    axes, figures, _title, first = _cube(draw, subject)
    rows = list(zip(product(*(values for _, values in axes)), figures, strict=True))
    parts = [
        '<?xml version="1.0" encoding="UTF-8"?><!-- NSI web service --><message:StructureSpecificData xmlns:message="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/message"><message:Header><message:ID>t1</message:ID></message:Header><message:DataSet>'
    ]
    for n in range(0, len(rows), 4):
        (place, sex, _), _ = rows[n]
        parts.append(
            f'<Series FREQ="A" REF_AREA="{escape(place)}" SEX="{escape(sex)}" UNIT_MEASURE="PS" UNIT_MULT="3" DECIMALS="0" COLLECTION="A" TITLE_COMPL="{escape(draw.words.note)}">'
        )
        parts += [
            f'<Obs TIME_PERIOD="{key[2]}"'
            + (f' OBS_VALUE="{v}"' if v is not None else "")
            + ' OBS_STATUS="A" CONF_STATUS="F" COMMENT_OBS="-"/>'
            for key, v in rows[n : n + 4]
        ]
        parts.append("</Series>")
    path.write_text(
        "\n".join([*parts, "</message:DataSet></message:StructureSpecificData>"]), "utf-8"
    )
    names = ["FREQ", "REF_AREA", "SEX"]
    return Truth(names, len(rows), (first, first + 3))


def sdmx_json(path: Path, draw: Draw, subject: int) -> Truth:
    axes, figures, title, first = _cube(draw, subject)
    sizes = [len(values) for _, values in axes]
    series: dict[str, object] = {}
    for n in range(0, len(figures), sizes[2]):
        key = f"{n // sizes[2] // sizes[1]}:{n // sizes[2] % sizes[1]}"
        series[key] = {
            "attributes": [0],
            "observations": {str(k): [f, None] for k, f in enumerate(figures[n : n + sizes[2]])},
        }

    def dimension(name: str, values: list[str]) -> dict[str, object]:
        return {
            "id": name.upper(),
            "name": name,
            "values": [{"id": str(k), "name": v} for k, v in enumerate(values)],
        }

    structure = {
        "name": title,
        "dimensions": {
            "series": [dimension(*axis) for axis in axes[:2]],
            "observation": [dimension(*axes[2])],
        },
        "attributes": {
            "series": [
                {"id": "UNIT", "name": "Unit", "values": [{"id": "PS", "name": draw.words.unit}]}
            ],
            "observation": [],
        },
    }
    path.write_text(
        json.dumps(
            {
                "header": {"id": "1"},
                "dataSets": [{"action": "Information", "series": series}],
                "structure": structure,
            }
        ),
        "utf-8",
    )
    return Truth([*(name for name, _ in axes), ""], len(figures), (first, first + 3), title)


def json_stat(path: Path, draw: Draw, subject: int) -> Truth:
    axes, figures, title, first = _cube(draw, subject)
    dimension = {
        f"d{n}": {
            "label": name,
            "category": {
                "index": {f"c{k}": k for k in range(len(values))},
                "label": {f"c{k}": v for k, v in enumerate(values)},
            },
        }
        for n, (name, values) in enumerate(axes)
    }
    data = {
        "version": "2.0",
        "class": "dataset",
        "label": title,
        "source": draw.words.source,
        "id": list(dimension),
        "size": [len(v) for _, v in axes],
        "dimension": dimension,
        "value": figures,
    }
    path.write_text(json.dumps(data, ensure_ascii=False), "utf-8")
    return Truth([*(name for name, _ in axes), ""], len(figures), (first, first + 3), title)


def dbf(path: Path, draw: Draw, subject: int) -> Truth:
    axes, figures, _title, first = _cube(draw, subject)
    with shapefile.Writer(dbf=str(path), encoding="utf-8") as writer:
        for name, kind, size in (
            ("REGION", "C", 40),
            ("SEX", "C", 20),
            ("YEAR", "N", 4),
            ("VALUE", "N", 9),
        ):
            writer.field(name, kind, size=size)
        for (place, sex, year), value in zip(product(*(v for _, v in axes)), figures, strict=True):
            writer.record(place, sex, int(year), value)
    return Truth(["REGION", "SEX", "YEAR", "VALUE"], len(figures), (first, first + 3))


def geojson(path: Path, draw: Draw, subject: int) -> Truth:
    w, first = draw.words, draw.year()
    features = [
        {
            "type": "Feature",
            "properties": {
                "name": p,
                f"pop_{first}": draw.count(),
                f"pop_{first + 1}": draw.count(),
                "rate": draw.rate(),
            },
            "geometry": {
                "type": "Polygon",
                "coordinates": [[[draw.rate(), draw.rate()] for _ in range(5)]],
            },
        }
        for p in w.regions
    ]
    path.write_text(
        json.dumps(
            {"type": "FeatureCollection", "name": w.subjects[subject], "features": features},
            ensure_ascii=False,
        ),
        "utf-8",
    )
    return Truth(
        ["name", str(first), str(first + 1), "rate"], 10, (first, first + 1), w.subjects[subject]
    )


def sqlite(path: Path, draw: Draw, subject: int) -> Truth:
    axes, figures, _title, first = _cube(draw, subject)
    path.unlink(missing_ok=True)
    connection = sqlite3.connect(path)
    connection.execute(
        "CREATE TABLE population (region TEXT, sex TEXT, year INTEGER, value INTEGER)"
    )
    rows = [(*key, v) for key, v in zip(product(*(v for _, v in axes)), figures, strict=True)]
    connection.executemany("INSERT INTO population VALUES (?, ?, ?, ?)", rows)
    connection.commit()
    connection.close()
    return Truth(["region", "sex", "year", "value"], len(rows), (first, first + 3))


GRIDS: dict[str, Write] = {
    "xlsx": xlsx,
    "xls": xls,
    "csv": csv_comma,
    "ods": ods,
    "semicolon.csv": csv_semicolon,
    "tsv": tsv,
    "html": web_page,
    "spreadsheetml.xml": spreadsheetml,
    "deflate64.zip": zip_deflate64,
    "book.zip": zipped_workbook,
}
PRINTS: dict[str, Write] = {"bare.pdf": pdf_bare, "ruled.pdf": pdf_ruled, "turned.pdf": pdf_turned}
CUBES: dict[str, Callable[[Path, Draw, int], Truth]] = {
    "px": px,
    "sdmx.xml": sdmx_ml,
    "sdmx.json": sdmx_json,
    "jsonstat.json": json_stat,
    "dbf": dbf,
    "geojson": geojson,
    "sqlite": sqlite,
}
