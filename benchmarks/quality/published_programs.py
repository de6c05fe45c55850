"""Write imitated publications with LibreOffice, Gnumeric and R, where they are installed."""

import csv
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from openpyxl import Workbook
from openpyxl.styles import Alignment, Border, Font, Side
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.properties import PageSetupProperties
from published_case import Case, Draw, pad

Order = tuple[Path, Case, Draw]
_R = """
for (line in readLines(commandArgs(TRUE)[1])) {
  name <- strsplit(line, "\\t")[[1]]
  d <- read.csv(name[1], header = FALSE, colClasses = "character", encoding = "UTF-8")
  names(d) <- NULL
  con <- file(name[2], open = "wb", encoding = "UTF-8")
  write.table(d, con, sep = ";", row.names = FALSE, col.names = FALSE, na = "")
  close(con)
}
"""


def styled_xlsx(path: Path, case: Case) -> None:
    """A workbook as people make them: merged headings, borders, number formats, frozen panes."""
    book = Workbook()
    book.remove(book.active)
    for name, rows in case.sheets:
        sheet = book.create_sheet(name[:31].replace("/", "-"))
        for row in rows:
            sheet.append(row)
        _style(sheet, rows)
    book.active = len(case.sheets) - 1
    book.save(path)


def _style(sheet, rows) -> None:
    thin = Side(style="thin")
    wide = [n for n, row in enumerate(rows, 1) if sum(c is not None for c in row) > 2]
    for number, row in enumerate(rows, 1):
        for place, cell in enumerate(row, 1):
            made = sheet.cell(number, place)
            if isinstance(cell, float):
                made.number_format = "#,##0.0"
            elif isinstance(cell, int) and cell > 2200:
                made.number_format = "#,##0"
            if isinstance(cell, str) and cell.startswith(" "):
                made.alignment = Alignment(indent=1)
            if wide and number == wide[0]:
                made.border = Border(top=thin, bottom=thin)
                made.alignment = Alignment(wrap_text=True, horizontal="center")
        if wide and number == wide[0]:
            _merge_headings(sheet, number, row)
    for place in range(1, max(map(len, rows)) + 1):
        sheet.column_dimensions[get_column_letter(place)].width = 24 if place == 1 else 11
    sheet.page_setup.orientation = "landscape"
    sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    sheet.page_setup.fitToHeight = 0
    if rows[0]:
        sheet["A1"].font = Font(bold=True, size=12)
    if wide:
        sheet.freeze_panes = sheet.cell(wide[0] + 1, 2)


def _merge_headings(sheet, number: int, row) -> None:
    """Merge a heading with the blanks after it."""
    begin = None
    for place, cell in enumerate([*row, "end"], 1):
        if cell is not None:
            if begin is not None and place - begin > 1:
                sheet.merge_cells(
                    start_row=number, end_row=number, start_column=begin, end_column=place - 1
                )
            begin = place if place > 1 else None


def write_styled(orders: Sequence[Order]) -> None:
    for path, case, _ in orders:
        styled_xlsx(path, case)


def convert_by_libreoffice(kind: str) -> Callable[[Sequence[Order]], None]:
    """Open workbooks in LibreOffice and save them as another type."""

    def convert(orders: Sequence[Order]) -> None:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for n, (_, case, _) in enumerate(orders):
                styled_xlsx(folder / f"{n}.xlsx", case)
            files = [str(folder / f"{n}.xlsx") for n in range(len(orders))]
            command = ["soffice", f"-env:UserInstallation=file://{folder}/profile", "--headless"]
            command += ["--convert-to", kind, "--outdir", str(folder / "out"), *files]
            subprocess.run(command, check=True, capture_output=True, timeout=500)
            for n, (path, _, _) in enumerate(orders):
                shutil.move(folder / "out" / f"{n}.{kind.partition(':')[0]}", path)

    return convert


def convert_by_gnumeric(orders: Sequence[Order]) -> None:
    for path, case, _ in orders:
        source = path.with_suffix(".source.xlsx")
        styled_xlsx(source, case)
        subprocess.run(["ssconvert", source, path], check=True, capture_output=True, timeout=60)
        source.unlink()


def write_by_r(orders: Sequence[Order]) -> None:
    """The main sheet as R writes it: semicolons, every text in quotes."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "write.R").write_text(_R)
        lines = []
        for n, (path, case, _) in enumerate(orders):
            source = folder / f"{n}.csv"
            rows = max((rows for _, rows in case.sheets), key=len)
            with source.open("w", newline="", encoding="utf-8") as file:
                csv.writer(file).writerows(pad(rows))
            lines.append(f"{source}\t{path.absolute()}")
        (folder / "list").write_text("\n".join(lines) + "\n")
        command = ["Rscript", str(folder / "write.R"), str(folder / "list")]
        subprocess.run(command, check=True, capture_output=True, timeout=120)


PROGRAMS: dict[str, tuple[str, Callable[[Sequence[Order]], None]]] = {
    "styled.xlsx": ("", write_styled),
    "lo.ods": ("soffice", convert_by_libreoffice("ods")),
    "lo.xls": ("soffice", convert_by_libreoffice("xls")),
    "lo.html": ("soffice", convert_by_libreoffice("html:HTML (StarCalc)")),
    "gnumeric.xlsx": ("ssconvert", convert_by_gnumeric),
    "r.csv": ("Rscript", write_by_r),
    "lo.pdf": ("soffice", convert_by_libreoffice("pdf")),
}
"""The program that each kind of file needs, and how a list of them is written."""


def write_by_programs(orders: Sequence[tuple[str, Order]]) -> list[Path]:
    """Write files by kind; the paths that were written, without those of missing programs."""
    done = []
    for kind, (program, write) in PROGRAMS.items():
        chosen = [order for k, order in orders if k == kind]
        if chosen and (not program or shutil.which(program)):
            write(chosen)
            done += [path for path, _, _ in chosen]
        elif chosen:
            print(f"{program} is not installed: {len(chosen)} files are left out")
    return done
