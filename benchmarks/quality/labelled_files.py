"""Writes the labelled files with real programs: openpyxl, xlwt, odfpy, reportlab, Polars."""

import csv
import gzip
import html
import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import polars as pl
import xlwt
from labelled_contents import TEXT, others, statistics
from odf.opendocument import OpenDocumentSpreadsheet
from odf.table import Table, TableCell, TableRow
from odf.text import P
from openpyxl import Workbook
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import Paragraph, SimpleDocTemplate, Spacer
from reportlab.platypus import Table as PdfTable

Rows = list[list[object]]


def write_all(folder: Path) -> list[tuple[str, str, bool]]:
    """Write every file; name, format and whether it holds a statistics table."""
    folder.mkdir(parents=True, exist_ok=True)
    made: list[tuple[str, str, bool]] = []
    for label, contents in ((True, statistics()), (False, others())):
        for number, (name, rows) in enumerate(contents.items()):
            for turn, (kind, write) in enumerate(WRITERS.items()):
                # Not every table in every format: a different third of them each time.
                if (number + turn) % 3 == 0:
                    path = folder / f"{name}.{kind.replace('_', '.')}"
                    write(path, rows, name.replace("_", " ").capitalize())
                    made.append((path.name, kind.partition("_")[0], label))
    for name, kind, write in TEXTS:
        write(folder / name)
        made.append((name, kind, False))
    return made


def plain_csv(path: Path, rows: Rows, _title: str) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)


def office_csv(path: Path, rows: Rows, title: str) -> None:
    """As a European office program saves it: semicolons, decimal commas, a title, a note."""
    encoding = (
        "cp1252"
        if all(ord(c) < 256 for row in rows for cell in row for c in str(cell))
        else "utf-8-sig"
    )
    with path.open("w", newline="", encoding=encoding) as file:
        writer = csv.writer(file, delimiter=";")
        writer.writerow([title])
        writer.writerow([])
        for row in rows:
            writer.writerow([str(c).replace(".", ",") if isinstance(c, float) else c for c in row])
        writer.writerow([])
        writer.writerow(["Source: own calculations; figures may not add up."])


def tsv(path: Path, rows: Rows, _title: str) -> None:
    with path.open("w", newline="", encoding="utf-16") as file:
        csv.writer(file, delimiter="\t").writerows(rows)


def xlsx(path: Path, rows: Rows, title: str) -> None:
    book = Workbook()
    cover = book.active
    cover.title = "Contents"
    cover.append([title])
    cover.append(["Published by the statistical office."])
    sheet = book.create_sheet("Table 1")
    sheet.append([f"Table 1: {title}"])
    sheet.append([])
    for row in rows:
        sheet.append(row)
    sheet.append([])
    sheet.append(["Note: provisional."])
    book.save(path)


def xls(path: Path, rows: Rows, _title: str) -> None:
    book = xlwt.Workbook()
    sheet = book.add_sheet("Sheet1")
    for y, row in enumerate(rows):
        for x, cell in enumerate(row):
            sheet.write(y, x, cell)
    book.save(str(path))


def ods(path: Path, rows: Rows, title: str) -> None:
    book = OpenDocumentSpreadsheet()
    table = Table(name="Data")
    for row in [[title], [], *rows]:
        line = TableRow()
        for cell in row:
            if isinstance(cell, int | float):
                made = TableCell(valuetype="float", value=str(cell))
            else:
                made = TableCell(valuetype="string")
            made.addElement(P(text=str(cell)))
            line.addElement(made)
        table.addElement(line)
    book.spreadsheet.addElement(table)
    book.save(str(path))


def records(rows: Rows) -> list[dict[str, object]]:
    return [dict(zip(map(str, rows[0]), row, strict=True)) for row in rows[1:]]


def json_records(path: Path, rows: Rows, title: str) -> None:
    data = {"title": title, "updated": "2024-05-01", "data": records(rows)}
    path.write_text(json.dumps(data, ensure_ascii=False, indent=1), "utf-8")


def ndjson(path: Path, rows: Rows, _title: str) -> None:
    lines = (json.dumps(record, ensure_ascii=False) for record in records(rows))
    path.write_text("\n".join(lines) + "\n", "utf-8")


def xml(path: Path, rows: Rows, title: str) -> None:
    names = ["".join(c if c.isalnum() else "_" for c in f"f_{name}") for name in map(str, rows[0])]
    parts = [
        f"<?xml version='1.0' encoding='UTF-8'?>\n<dataset><title>{html.escape(title)}</title>"
    ]
    for row in rows[1:]:
        cells = "".join(
            f"<{n}>{html.escape(str(c))}</{n}>" for n, c in zip(names, row, strict=True)
        )
        parts.append(f"<record>{cells}</record>")
    path.write_text("\n".join([*parts, "</dataset>"]), "utf-8")


def web_page(path: Path, rows: Rows, title: str) -> None:
    head = "".join(f"<th>{html.escape(str(c))}</th>" for c in rows[0])
    body = "\n".join(
        "<tr>" + "".join(f"<td>{html.escape(str(c))}</td>" for c in row) + "</tr>"
        for row in rows[1:]
    )
    path.write_text(
        f"<!DOCTYPE html><html><head><meta charset='utf-8'><title>{title}</title></head><body>"
        "<table class='menu'><tr><td><a href='/'>Home</a></td>"
        "<td><a href='/a'>About</a></td></tr></table>"
        f"<h1>{title}</h1><p>Some words before the table.</p><table><caption>{title}</caption>"
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></body></html>",
        "utf-8",
    )


def pdf(path: Path, rows: Rows, title: str, *, ruled: bool = True) -> None:
    style = [("FONTSIZE", (0, 0), (-1, -1), 8)]
    if ruled:
        style.append(("GRID", (0, 0), (-1, -1), 0.5, colors.grey))
    sheet = getSampleStyleSheet()
    cells = [
        [Paragraph(str(c), sheet["BodyText"]) if len(str(c)) > 30 else str(c) for c in r]
        for r in rows
    ]
    table = PdfTable(cells, style=style, repeatRows=1)
    words = Paragraph(
        "This page is part of the yearbook. It was printed on 3 May 2024.", sheet["BodyText"]
    )
    SimpleDocTemplate(str(path), pagesize=A4, title=title, invariant=1).build(
        [Paragraph(title, sheet["Heading1"]), words, Spacer(1, 12), table]
    )


def bare_pdf(path: Path, rows: Rows, title: str) -> None:
    pdf(path, rows, title, ruled=False)


def zipped(path: Path, rows: Rows, title: str) -> None:
    inner = path.with_suffix(".tmp")
    office_csv(inner, rows, title)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("README.txt", TEXT)
        archive.write(inner, f"data/{path.stem}.csv")
    inner.unlink()


def gzipped(path: Path, rows: Rows, _title: str) -> None:
    buffer = io.StringIO(newline="")
    csv.writer(buffer).writerows(rows)
    path.write_bytes(gzip.compress(buffer.getvalue().encode(), mtime=0))


def parquet(path: Path, rows: Rows, _title: str) -> None:
    names = [str(name) for name in rows[0]]
    columns = {n: [row[k] for row in rows[1:]] for k, n in enumerate(names)}
    frame = pl.DataFrame(
        {
            n: v if len({type(c) for c in v}) == 1 else [str(c) for c in v]
            for n, v in columns.items()
        }
    )
    frame.write_parquet(path)


def text_file(path: Path) -> None:
    path.write_text(TEXT, "utf-8")


def text_pdf(path: Path) -> None:
    sheet = getSampleStyleSheet()
    story = [Paragraph(part, sheet["BodyText"]) for part in TEXT.split("\n\n")]
    SimpleDocTemplate(str(path), pagesize=A4, invariant=1).build(story)


def text_page(path: Path) -> None:
    body = "".join(f"<p>{html.escape(part)}</p>" for part in TEXT.split("\n\n"))
    path.write_text(f"<html><body>{body}</body></html>", "utf-8")


def text_zip(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("report.txt", TEXT)


WRITERS: dict[str, Callable[[Path, Rows, str], None]] = {
    "csv": plain_csv,
    "csv_office.csv": office_csv,
    "tsv": tsv,
    "xlsx": xlsx,
    "xls": xls,
    "ods": ods,
    "json": json_records,
    "ndjson": ndjson,
    "xml": xml,
    "html": web_page,
    "pdf": pdf,
    "pdf_bare.pdf": bare_pdf,
    "zip": zipped,
    "gz_csv.gz": gzipped,
    "parquet": parquet,
}
TEXTS = (
    ("report.txt", "text", text_file),
    ("report.pdf", "pdf", text_pdf),
    ("report.html", "html", text_page),
    ("report.zip", "zip", text_zip),
)
