"""Printed pages and files of services written from memory of real publications, labelled by hand.

They were written and labelled before the catalogue read one of them. Pages are made by LaTeX and
LibreOffice (where they are installed) and reportlab.
"""
# ruff: noqa: E501, ARG001 contents of files, and functions with one signature
# fmt: off

import csv
import gzip
import html
import json
import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path

import matplotlib as mpl
import polars as pl
from openpyxl import Workbook
from openpyxl.styles import Alignment, Font
from published_case import Rows, Truth
from published_offices import Figures
from published_recalled import Wide
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4, landscape
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Paragraph, SimpleDocTemplate, Spacer, Table

Write = Callable[[Path, Figures], Truth]
Sheets = Sequence[tuple[str, Rows]]
_FONT, _BOLD = "Sans", "Sans-Bold"
_LOREM = {
    "en": "The rate was little changed from the preceding quarter, after a rise of 0.3 percentage points a year earlier. Estimates before 2015 are not fully comparable because of the change of method described below. ",
    "de": "Gegenüber dem Vorjahr stieg der Wert um 1,4 Prozent. Die Angaben vor 2015 sind wegen der geänderten Erhebung nur eingeschränkt vergleichbar. ",
    "fr": "Par rapport à 2019, la hausse atteint 1,4 pour cent. Les données antérieures à 2015 ne sont pas directement comparables en raison du changement de méthode. ",
}


def _latex(path: Path, body: str, options: str = "11pt", packages: str = "") -> None:
    """Print a document by LaTeX, where it is installed."""
    program = shutil.which("pdflatex")
    if program is None:
        return
    text = f"\\documentclass[{options}]{{article}}\\usepackage[utf8]{{inputenc}}\\usepackage[T1]{{fontenc}}\\usepackage{{booktabs,longtable,graphicx,lscape}}{packages}\\begin{{document}}\n{body}\n\\end{{document}}\n"
    with tempfile.TemporaryDirectory() as name:
        (Path(name) / "a.tex").write_text(text, "utf-8")
        for _ in range(2):
            subprocess.run([program, "-interaction=batchmode", "a.tex"], cwd=name, capture_output=True, check=False)
        if (Path(name) / "a.pdf").exists():
            shutil.copy(Path(name) / "a.pdf", path)


def _office(path: Path, text: str, kind: str) -> None:
    """Print a web page or text sheet by LibreOffice, where it is installed."""
    program = shutil.which("soffice")
    if program is None:
        return
    with tempfile.TemporaryDirectory() as name:
        (Path(name) / f"{path.stem}.html").write_text(text, "utf-8")
        infilter = {"writer": "HTML (StarWriter)", "calc": "HTML (StarCalc)"}[kind]
        target = {"writer": "pdf:writer_pdf_Export", "calc": "pdf:calc_pdf_Export"}[kind]
        subprocess.run([program, f"-env:UserInstallation=file://{name}/profile", "--headless", f"--infilter={infilter}", "--convert-to", target, "--outdir", name, f"{name}/{path.stem}.html"], capture_output=True, check=False, timeout=120)
        if (Path(name) / f"{path.stem}.pdf").exists():
            shutil.copy(Path(name) / f"{path.stem}.pdf", path)


def _canvas(path: Path, size: tuple[float, float] = A4) -> Canvas:
    for name, file in ((_FONT, "DejaVuSans.ttf"), (_BOLD, "DejaVuSans-Bold.ttf")):
        pdfmetrics.registerFont(TTFont(name, str(Path(mpl.get_data_path()) / "fonts" / "ttf" / file)))
    return Canvas(str(path), pagesize=size, invariant=1)


def _put(c: Canvas, y: float, label: str, values: Sequence[str], stops: Sequence[float], *, left: float = 50, size: float = 8, bold: bool = False) -> None:
    """A label at the left and values that end at their stops."""
    c.setFont(_BOLD if bold else _FONT, size)
    c.drawString(left, y, label)
    for x, value in zip(stops, values, strict=True):
        c.drawRightString(x, y, value)


def _paragraphs(c: Canvas, y: float, text: str, left: float, chars: int, lines: int, size: float = 8) -> float:
    words = text.split() * 40
    c.setFont(_FONT, size)
    for _ in range(lines):
        shown = ""
        while len(shown) + len(words[0]) < chars:
            shown += words.pop(0) + " "
        c.drawString(left, y, shown)
        y -= size * 1.35
    return y


# Workbooks


def write_workbook(path: Path, sheets: Sheets) -> None:
    """A workbook with merged headings, wrapped names and formats of dates."""
    book = Workbook()
    book.remove(book.active)
    for name, rows in sheets:
        sheet = book.create_sheet(name.replace("/", "-")[:31])
        for y, row in enumerate(rows, 1):
            for x, value in enumerate(row, 1):
                cell = sheet.cell(y, x, str(value) if isinstance(value, Wide) else value)
                if isinstance(value, str) and "\n" in value:
                    cell.alignment = Alignment(wrap_text=True)
                if isinstance(value, float):
                    cell.number_format = "#,##0.0"
                if isinstance(value, Wide):
                    end = x
                    while end < len(row) and row[end] is None:
                        end += 1
                    sheet.merge_cells(start_row=y, end_row=y, start_column=x, end_column=end)
                    cell.font = Font(bold=True)
                if hasattr(value, "year"):
                    cell.number_format = "mmm\\-yyyy"
    book.save(path)


def convert_workbooks(orders: Sequence[tuple[Path, Sheets]]) -> None:
    """Write workbooks in the formats of LibreOffice, where it is installed."""
    program = shutil.which("soffice")
    for ending in sorted({path.suffix[1:] for path, _ in orders}) if program else ():
        with tempfile.TemporaryDirectory() as name:
            (Path(name) / "in").mkdir()
            chosen = [(path, sheets) for path, sheets in orders if path.suffix[1:] == ending]
            for path, sheets in chosen:
                write_workbook(Path(name) / "in" / f"{path.stem}.xlsx", sheets)
            subprocess.run([program, f"-env:UserInstallation=file://{name}/profile", "--headless", "--convert-to", ending, "--outdir", name, *map(str, sorted((Path(name) / "in").iterdir()))], capture_output=True, check=False, timeout=300)
            for path, _ in chosen:
                if (made := Path(name) / path.name).exists():
                    shutil.copy(made, path)


# Pages by LaTeX


def latex_booktabs(path: Path, r: Figures) -> Truth:
    """A float of a paper: rules at top, middle and bottom, groups with rules of their own, notes."""
    rows = [f"{n} & {r.f():.2f} & {r.f():.2f} & {r.grouped(',')} & {r.f():.2f} & {r.grouped(',')} \\\\" for n in ("North East", "North West", "Yorkshire", "East Midlands", "West Midlands", "East", "London", "South East", "South West", "Wales", "Scotland")]
    _latex(path, "\\section{Results}" + _LOREM["en"] * 6 + "\\begin{table}[h]\\centering\\caption{Employment and unemployment by region, 2018 and 2019}\\begin{tabular}{lrrrrr}\\toprule & \\multicolumn{3}{c}{2018} & \\multicolumn{2}{c}{2019} \\\\ \\cmidrule(lr){2-4}\\cmidrule(lr){5-6} Region & Employed & Rate & Vacancies & Rate & Vacancies \\\\ \\midrule\n" + "\n".join(rows) + "\n\\bottomrule\\end{tabular}\n\n{\\footnotesize Notes: rates in per cent. Source: labour force survey.}\\end{table}" + _LOREM["en"] * 8)
    return Truth(["Region", "Employed", "Rate", "Vacancies", "Rate", "Vacancies"], 11, (2018, 2019), "Employment and unemployment by region")


def latex_longtable(path: Path, r: Figures) -> Truth:
    """A table over three pages, its head repeated with 'Fortsetzung'."""
    head = "Kreis & Schlüssel & 2019 & 2020 & 2021 \\\\ \\midrule"
    rows = [f"{n} {k} & 0{9100 + k} & {r.grouped('.')} & {r.grouped('.')} & {r.pick(r.grouped('.'), '--')} \\\\" for k, n in enumerate(("Landkreis Altdorf", "Stadt Neuburg", "Landkreis Waldsee") * 40)]
    _latex(path, f"\\begin{{longtable}}{{llrrr}}\\caption{{Bevölkerung der Kreise am 31. Dezember}}\\\\ \\toprule {head} \\endfirsthead \\multicolumn{{5}}{{l}}{{\\emph{{Fortsetzung}}}}\\\\ \\toprule {head} \\endhead \\bottomrule \\endfoot\n" + "\n".join(rows) + "\\end{longtable}")
    return Truth(["Kreis", "Schlüssel", "2019", "2020", "2021"], 120, (2019, 2021), "Bevölkerung der Kreise")


def latex_ruled(path: Path, r: Figures) -> Truth:
    """A full grid, French, with a note of its own below."""
    rows = [f"{n} & {r.grouped('~')} & {r.grouped('~')} & {r.comma()} \\\\ \\hline" for n in ("Bretagne", "Normandie", "Grand Est", "Occitanie", "Corse", "Hauts-de-France", "Pays de la Loire", "Centre-Val de Loire", "Île-de-France", "Nouvelle-Aquitaine")]
    _latex(path, "\\section*{Emploi salarié}" + _LOREM["fr"] * 5 + "\n\n\\bigskip\\noindent\\textbf{Tableau 4 -- Emploi salarié par région au 4e trimestre 2021}\n\n\\medskip\\noindent\\begin{tabular}{|l|r|r|r|}\\hline Région & Emploi privé & Emploi public & Évolution (\\%) \\\\ \\hline\n" + "\n".join(rows) + "\\end{tabular}\n\n\\medskip Champ : France hors Mayotte. Source : Insee, estimations d'emploi.")
    return Truth(["Région", "Emploi privé", "Emploi public", "Évolution"], 10, (2021, 2021), "Emploi salarié par région")


def latex_two_columns(path: Path, r: Figures) -> Truth:
    """A table in one column of a two-column bulletin."""
    rows = [f"{y} & {r.f():.1f} & {r.f():.1f} & {r.f():.1f} \\\\" for y in range(2008, 2022)]
    _latex(path, "\\section{Prices}" + _LOREM["en"] * 9 + "\\begin{table}[t]\\caption{Consumer prices, annual change in per cent}\\begin{tabular}{lrrr}\\hline Year & Food & Energy & Services \\\\ \\hline\n" + "\n".join(rows) + "\\hline\\end{tabular}\\end{table}" + _LOREM["en"] * 30, options="twocolumn,10pt")
    return Truth(["Year", "Food", "Energy", "Services"], 14, (2008, 2021), "Consumer prices")


def latex_turned(path: Path, r: Figures) -> Truth:
    """A wide table turned by 90 degrees on an upright page."""
    rows = [f"{n} & " + " & ".join(r.comma() for _ in range(9)) + " \\\\" for n in ("Sevilla", "Málaga", "Cádiz", "Granada", "Almería", "Jaén", "Huelva", "Córdoba", "Murcia")]
    _latex(path, "\\begin{landscape}\\textbf{Tabla 5. Tasa de paro por provincia, 2010--2018 (\\%)}\n\n\\begin{tabular}{lrrrrrrrrr}\\toprule Provincia & " + " & ".join(str(y) for y in range(2010, 2019)) + " \\\\ \\midrule\n" + "\n".join(rows) + "\\bottomrule\\end{tabular}\\end{landscape}")
    return Truth(["Provincia", *map(str, range(2010, 2019))], 9, (2010, 2018), "Tasa de paro por provincia")


def latex_method(path: Path, r: Figures) -> Truth:
    """A paper on methods: formulas and text, no table."""
    _latex(path, "\\title{Seasonal adjustment of quarterly accounts}\\author{Research section}\\maketitle" + "".join(f"\\section{{Step {k}}}" + _LOREM["en"] * 7 + f"\\begin{{equation}} y_t = \\sum_{{i=1}}^{{{k + 3}}} \\alpha_i x_{{t-i}} + \\varepsilon_t \\end{{equation}}" for k in range(6)))
    return Truth([], 0, None, "", statistics=False)


# Pages by LibreOffice


def _table_html(head: Sequence[Sequence[str]], body: Sequence[Sequence[str]], border: int) -> str:
    rows = "".join("<tr>" + "".join(h for h in row) + "</tr>" for row in head)
    return f'<table border="{border}" cellpadding="3" cellspacing="0"><thead>{rows}</thead><tbody>' + "".join("<tr>" + "".join(f'<td align="{"right" if k else "left"}">{html.escape(c)}</td>' for k, c in enumerate(row)) + "</tr>" for row in body) + "</tbody></table>"


def writer_report(path: Path, r: Figures) -> Truth:
    """Text with a captioned, bordered table; a merged heading."""
    body = [[n, r.grouped(" "), r.grouped(" "), r.comma(), r.comma()] for n in ("Zachodniopomorskie", "Pomorskie", "Lubuskie", "Wielkopolskie", "Opolskie", "Śląskie", "Małopolskie", "Lubelskie")]
    head = [['<th rowspan="2">Województwo</th>', '<th colspan="2">Bezrobotni w tys.</th>', '<th colspan="2">Stopa bezrobocia w %</th>'], [f"<th>{y}</th>" for y in (2019, 2020, 2019, 2020)]]
    _office(path, "<html><meta charset='utf-8'><h1>Rynek pracy</h1><p>" + "Stopa bezrobocia rejestrowanego spadła w ciągu roku o 0,4 punktu procentowego. " * 8 + "</p><p><b>Tablica 3. Bezrobotni zarejestrowani według województw</b></p>" + _table_html(head, body, 1) + "<p>Źródło: GUS</p></html>", "writer")
    return Truth(["Województwo", "2019", "2020", "2019", "2020"], 8, (2019, 2020), "Bezrobotni zarejestrowani")


def calc_print(path: Path, r: Figures) -> Truth:
    """A sheet printed without lines, over two pages."""
    body = [[f"{n} {k}", r.grouped(" "), r.grouped(" "), r.grouped(" "), r.pick("-", "…", r.grouped(" "))] for k, n in enumerate(("Белгородская область", "Брянская область", "Республика Коми") * 25)]
    head = [[f"<td>{c}</td>" for c in ("Регион", "2017", "2018", "2019", "2020")]]
    _office(path, "<html><meta charset='utf-8'><table><tr><td colspan=5>Число организаций по субъектам Российской Федерации</td></tr><tr><td>(на конец года; единиц)</td></tr></table>" + _table_html(head, body, 0) + "</html>", "calc")
    return Truth(["Регион", "2017", "2018", "2019", "2020"], 75, (2017, 2020), "Число организаций")


def calc_bordered(path: Path, r: Figures) -> Truth:
    """A sheet printed with lines and wrapped names of columns, in Chinese."""
    body = [[n, r.grouped(","), r.grouped(","), str(r.f()), str(r.f())] for n in ("北京", "天津", "河北", "山西", "内蒙古", "辽宁", "吉林", "黑龙江", "上海", "江苏", "浙江", "安徽")]
    head = [[f"<th>{c}</th>" for c in ("地区", "常住人口（万人）", "城镇人口（万人）", "城镇化率（%）", "出生率（‰）")]]
    _office(path, "<html><meta charset='utf-8'><table><tr><td colspan=5>表2-6 2021年分地区人口数</td></tr></table>" + _table_html(head, body, 1) + "</html>", "calc")
    return Truth(["地区", "常住人口", "城镇人口", "城镇化率", "出生率"], 12, (2021, 2021), "分地区人口数")


def writer_bare(path: Path, r: Figures) -> Truth:
    """A press notice with a table without lines, in Hungarian."""
    body = [[n, r.comma(), r.comma(), r.pick(f"+{r.comma()}", f"-{r.comma()}")] for n in ("Élelmiszerek", "Szeszes italok, dohányáruk", "Ruházkodási cikkek", "Tartós fogyasztási cikkek", "Háztartási energia", "Egyéb cikkek", "Szolgáltatások", "Összesen")]
    head = [[f"<th>{c}</th>" for c in ("Megnevezés", "2021. I. negyedév", "2022. I. negyedév", "Változás, %")]]
    _office(path, "<html><meta charset='utf-8'><h2>Fogyasztói árak</h2><p>" + "Az árak egy év alatt átlagosan 8,5 százalékkal emelkedtek. " * 9 + "</p><p>1. táblázat: Fogyasztóiár-index főcsoportonként</p>" + _table_html(head, body, 0) + "</html>", "writer")
    return Truth(["Megnevezés", "2021", "2022", "Változás"], 8, (2021, 2022), "Fogyasztóiár-index")


# Pages by reportlab


def narrow_blanks(path: Path, r: Figures) -> Truth:
    """Blanks between thousands in narrow columns, labels over two lines, marks for missing."""
    c = _canvas(path)
    stops = [270, 335, 400, 465, 530]
    c.setFont(_BOLD, 10)
    c.drawString(50, 790, "2.1.7 Schülerinnen und Schüler nach Schularten")
    _put(c, 770, "Schulart", ["2016/17", "2017/18", "2018/19", "2019/20", "2020/21"], stops)
    c.line(50, 782, 530, 782)
    c.line(50, 765, 530, 765)
    y = 750.0
    for label in ("Grundschulen", "Schulartunabhängige|Orientierungsstufe", "Hauptschulen", "Schularten mit mehreren|Bildungsgängen", "Realschulen", "Gymnasien (G8 und G9)", "Integrierte Gesamtschulen", "Freie Waldorfschulen", "Förderschulen", "Abendschulen und|Kollegs", "Insgesamt"):
        *first, last = label.split("|")
        for part in first:
            _put(c, y, part, [], [])
            y -= 10
        _put(c, y, ("  " if first else "") + last, [r.pick(r.grouped(" ", 100_000, 9_000_000), r.grouped(" ", 100_000, 9_000_000), "–") for _ in stops], stops)
        y -= 13
    c.line(50, y + 8, 530, y + 8)
    _put(c, y - 6, "Quelle: Statistisches Bundesamt, Fachserie 11", [], [], size=7)
    c.save()
    return Truth(["Schulart", "2016/17", "2017/18", "2018/19", "2019/20", "2020/21"], 11, (2016, 2020), "Schülerinnen und Schüler")


def side_by_side(path: Path, r: Figures) -> Truth:
    """Two tables beside each other; the right one is longer."""
    c = _canvas(path)
    c.setFont(_BOLD, 9)
    c.drawString(50, 780, "Table 1: Births by month, 2020")
    c.drawString(310, 780, "Table 2: Deaths by age and sex, 2020")
    _put(c, 760, "Month", ["Births"], [200], bold=True)
    _put(c, 760, "Age", ["Males", "Females"], [460, 530], left=310, bold=True)
    for k in range(12):
        _put(c, 745 - 12 * k, _MONTHS[k], [r.grouped(",")], [200])
    for k in range(18):
        _put(c, 745 - 12 * k, f"{5 * k}-{5 * k + 4}", [r.grouped(","), r.grouped(",")], [460, 530], left=310)
    _paragraphs(c, 480, _LOREM["en"], 50, 100, 12)
    c.save()
    return Truth(["Age", "Males", "Females"], 18, (2020, 2020), "Deaths by age and sex|Births by month")


_MONTHS = "January February March April May June July August September October November December".split()


def ruled_pages(path: Path, r: Figures) -> Truth:
    """A grid over three pages with a repeated head of two rows and merged cells for groups of rows."""
    _canvas(path)
    head = [["Regione", "Provincia", "Nati vivi", "", "Morti", ""], ["", "", "2019", "2020", "2019", "2020"]]
    places = [("Piemonte", ("Torino", "Vercelli", "Novara", "Cuneo", "Asti", "Biella")), ("Lombardia", ("Varese", "Como", "Sondrio", "Milano", "Bergamo", "Brescia", "Pavia")), ("Veneto", ("Verona", "Vicenza", "Belluno", "Treviso"))] * 5
    body = [[region if not k else "", p, *(r.grouped(".") for _ in range(4))] for region, names in places for k, p in enumerate(names)]
    style: list[tuple[object, ...]] = [("GRID", (0, 0), (-1, -1), 0.4, colors.black), ("FONT", (0, 0), (-1, -1), _FONT, 8), ("SPAN", (2, 0), (3, 0)), ("SPAN", (4, 0), (5, 0)), ("SPAN", (0, 0), (0, 1)), ("SPAN", (1, 0), (1, 1)), ("ALIGN", (2, 0), (-1, -1), "RIGHT")]
    text = ParagraphStyle("t", fontName=_FONT, fontSize=10)
    SimpleDocTemplate(str(path), pagesize=A4, invariant=1).build([Paragraph("Tavola 12 - Nati vivi e morti per provincia - Anni 2019 e 2020", text), Spacer(1, 10), Table(head + body, repeatRows=2, style=style)])
    return Truth(["Regione", "Provincia", "2019", "2020", "2019", "2020"], len(body), (2019, 2020), "Nati vivi e morti per provincia")


def wrapped_head(path: Path, r: Figures) -> Truth:
    """Names of columns over three lines, shaded rows, negatives in brackets, a sum between lines."""
    c = _canvas(path)
    stops = [300, 370, 440, 510]
    c.setFont(_BOLD, 11)
    c.drawString(50, 800, "Table 3.2 - Summary of departmental expenditure")
    _put(c, 785, "($ million)", [], [], size=7)
    for k, line in enumerate((["Actual", "Budget", "Estimated", "Change"], ["2021-22", "2022-23", "actual", "on"], ["", "", "2022-23", "budget"])):
        _put(c, 768 - 9 * k, "Department" if k == 2 else "", line, stops, bold=True, size=7)
    y = 732.0
    for k, n in enumerate(("Education", "Health", "Justice and Community Safety", "Transport", "Premier and Cabinet", "Treasury and Finance", "Environment", "Jobs and Regions", "Parliament", "Courts")):
        if k % 2:
            c.setFillColor(colors.lightgrey)
            c.rect(48, y - 3, 466, 12, stroke=0, fill=1)
            c.setFillColor(colors.black)
        _put(c, y, n, [r.grouped(","), r.grouped(","), r.grouped(","), r.pick(f"({r.n(1, 900)})", str(r.n(1, 900)), "..")], stops)
        y -= 13
    c.line(50, y + 10, 514, y + 10)
    _put(c, y, "Total", [r.grouped(",") for _ in stops], stops, bold=True)
    _put(c, y - 20, "Source: Department of Treasury and Finance. Figures may not add due to rounding.", [], [], size=7)
    c.save()
    return Truth(["Department", "Actual", "Budget", "Estimated", "Change"], 11, (2021, 2022), "Summary of departmental expenditure")


def portrait_months(path: Path, r: Figures) -> Truth:
    """Twelve months and a total across in small type, Portuguese."""
    c = _canvas(path, landscape(A4))
    stops = [160 + 50 * k for k in range(13)]
    c.setFont(_BOLD, 10)
    c.drawString(40, 550, "Quadro 9 - Dormidas nos estabelecimentos hoteleiros por mês, 2021")
    _put(c, 530, "Região", ["Jan.", "Fev.", "Mar.", "Abr.", "Maio", "Jun.", "Jul.", "Ago.", "Set.", "Out.", "Nov.", "Dez.", "Total"], stops, left=40, size=6.5, bold=True)
    c.line(40, 526, 765, 526)
    for k, n in enumerate(("Norte", "Centro", "A. M. Lisboa", "Alentejo", "Algarve", "R. A. Açores", "R. A. Madeira", "Portugal")):
        _put(c, 514 - 11 * k, n, [r.grouped(" ") for _ in stops], stops, left=40, size=6.5)
    _put(c, 400, "Fonte: INE, Inquérito à Permanência de Hóspedes", [], [], left=40, size=6)
    c.save()
    return Truth(["Região", "Jan", "Fev", "Mar", "Abr", "Maio", "Jun", "Jul", "Ago", "Set", "Out", "Nov", "Dez", "Total"], 8, (2021, 2021), "Dormidas nos estabelecimentos")


def numbered_columns(path: Path, r: Figures) -> Truth:
    """A line with the columns' numbers below the head, Bulgarian."""
    c = _canvas(path)
    stops = [300, 380, 460]
    c.setFont(_BOLD, 10)
    c.drawString(50, 790, "Таблица 2. Наети лица по отрасли, 2019")
    _put(c, 770, "Икономическа дейност", ["Общо", "Мъже", "Жени"], stops, bold=True)
    _put(c, 758, "1", ["2", "3", "4"], stops)
    for k, n in enumerate(("Селско стопанство", "Добивна промишленост", "Преработваща промишленост", "Строителство", "Търговия", "Транспорт", "Образование", "Здравеопазване", "Държавно управление")):
        _put(c, 742 - 12 * k, n, [r.grouped(" ") for _ in stops], stops)
    c.save()
    return Truth(["Икономическа дейност", "Общо", "Мъже", "Жени"], 9, (2019, 2019), "Наети лица по отрасли")


def changes_notice(path: Path, r: Figures) -> Truth:
    """A Greek notice: a paragraph, a table with signed changes and groups above, more text."""
    c = _canvas(path)
    c.setFont(_BOLD, 12)
    c.drawString(50, 800, "ΔΕΛΤΙΟ ΤΥΠΟΥ")
    y = _paragraphs(c, 780, "Ο γενικός δείκτης κύκλου εργασιών στο λιανικό εμπόριο παρουσίασε αύξηση 3,2 % σε σύγκριση με τον αντίστοιχο δείκτη του προηγούμενου έτους. ", 50, 95, 6)
    c.setFont(_BOLD, 9)
    c.drawString(50, y - 10, "Πίνακας 1. Δείκτης κύκλου εργασιών λιανικού εμπορίου (2015=100,0)")
    stops = [290, 350, 430, 510]
    c.setFont(_FONT, 8)
    c.drawCentredString(320, y - 28, "Δείκτης")
    c.drawCentredString(460, y - 28, "Μεταβολή (%)")
    _put(c, y - 40, "Κατηγορία", ["2020", "2021", "2020", "2021"], stops)
    for k, n in enumerate(("Γενικός Δείκτης", "Τρόφιμα", "Καύσιμα", "Ένδυση - Υπόδηση", "Έπιπλα", "Βιβλία", "Φαρμακευτικά")):
        _put(c, y - 54 - 12 * k, n, [r.comma(), r.comma(), f"+{r.comma()}", f"-{r.comma()}"], stops)
    _paragraphs(c, y - 160, "Η έρευνα διενεργείται κάθε μήνα σε δείγμα επιχειρήσεων. ", 50, 95, 6)
    c.save()
    return Truth(["Κατηγορία", "2020", "2021", "2020", "2021"], 7, (2020, 2021), "Δείκτης κύκλου εργασιών")


def turned_by_viewer(path: Path, r: Figures) -> Truth:
    """A page that viewers turn, with groups of rows and a bold total, Swedish."""
    from pypdf import PdfReader, PdfWriter  # noqa: PLC0415 this page alone needs it

    c = _canvas(path, A4)
    c.translate(595, 0)
    c.rotate(90)
    stops = [300, 370, 440, 510, 580, 650]
    c.setFont(_BOLD, 10)
    c.drawString(50, 540, "Tabell 4. Sjukfrånvaro efter sektor och kön, 2015–2020, procent")
    _put(c, 520, "Sektor", [str(y) for y in range(2015, 2021)], stops, bold=True)
    y = 506.0
    for sex in ("Kvinnor", "Män"):
        _put(c, y, sex, [], [], bold=True)
        for n in ("Statlig", "Kommunal", "Regional", "Privat", "Samtliga"):
            y -= 12
            _put(c, y, f"  {n}", [r.comma() for _ in stops], stops)
        y -= 14
    c.save()
    writer = PdfWriter()
    writer.append(PdfReader(str(path)))
    writer.pages[0].rotate(90)
    writer.write(str(path))
    return Truth(["Sektor", *map(str, range(2015, 2021))], 12, (2015, 2020), "Sjukfrånvaro efter sektor")


def address_list(path: Path, r: Figures) -> Truth:
    """A printed list of offices: no statistics."""
    c = _canvas(path)
    c.setFont(_BOLD, 11)
    c.drawString(50, 800, "Verzeichnis der Standesämter")
    for k in range(30):
        c.setFont(_FONT, 8)
        for x, text in ((50, f"Standesamt {r.pick('Nord', 'Süd', 'Mitte')} {k}"), (200, f"Hauptstraße {r.n(1, 90)}"), (330, f"{r.n(10000, 99999)} {r.pick('Altdorf', 'Neustadt')}"), (450, f"0{r.n(200, 900)} / {r.n(1000, 9999)}")):
            c.drawString(x, 775 - 13 * k, text)
    c.save()
    return Truth([], 0, None, "", statistics=False)


def letter(path: Path, r: Figures) -> Truth:
    """A letter with a date, a reference and numbers in its text."""
    c = _canvas(path)
    c.setFont(_FONT, 9)
    for k, line in enumerate(("Ministère des Comptes publics", "139 rue de Bercy", "75012 Paris", "", "Paris, le 3 mars 2021", "Réf. : 2021-00442", "", "Madame la Directrice,")):
        c.drawString(60, 800 - 14 * k, line)
    _paragraphs(c, 670, _LOREM["fr"], 60, 90, 22, 9)
    c.save()
    return Truth([], 0, None, "", statistics=False)


# Files of services and of programs


def socrata_rows(path: Path, r: Figures) -> Truth:
    """Records whose figures are texts."""
    rows = [{"month": f"{y}-{m:02}-01T00:00:00.000", "borough": b, "category": g, "incidents": str(r.n())} for y in (2018, 2019) for m in (1, 4, 7, 10) for b in ("Bronx", "Queens") for g in ("Structural", "Medical")]
    path.write_text(json.dumps(rows), "utf-8")
    return Truth(["month", "borough", "category", "incidents"], 32, (2018, 2019))


def records_with_fields(path: Path, r: Figures) -> Truth:
    """Records in an envelope, each with its fields below a key."""
    records = [{"datasetid": "naissances", "recordid": f"a{k:07}", "fields": {"departement": d, "annee": str(y), "naissances": r.n(), "taux_de_natalite": r.f()}, "record_timestamp": "2022-01-05T10:00:00Z"} for k, (d, y) in enumerate(product(("Ain", "Aisne", "Allier", "Ardèche"), range(2014, 2020)))]
    path.write_text(json.dumps({"nhits": 24, "parameters": {"dataset": "naissances", "rows": 24, "format": "json"}, "records": records}, ensure_ascii=False), "utf-8")
    return Truth([], 24, (2014, 2019))


def jsonstat_sparse(path: Path, r: Figures) -> Truth:
    """A cube with its values by number, some left out, and their status."""
    geo, years = ["BE", "BG", "CZ", "DK"], [str(y) for y in range(2015, 2022)]
    size = len(geo) * len(years)
    data = {"version": "2.0", "class": "dataset", "label": "Employment rate by sex", "source": "ESTAT", "updated": "2023-05-12T23:00:00+0200", "value": {str(k): r.f() for k in range(size) if k % 5}, "status": {str(k): ":" for k in range(size) if not k % 5}, "id": ["freq", "unit", "geo", "time"], "size": [1, 1, len(geo), len(years)],
            "dimension": {"freq": {"label": "Time frequency", "category": {"index": {"A": 0}, "label": {"A": "Annual"}}}, "unit": {"label": "Unit of measure", "category": {"index": {"PC": 0}, "label": {"PC": "Percentage"}}}, "geo": {"label": "Geopolitical entity", "category": {"index": {g: k for k, g in enumerate(geo)}, "label": dict(zip(geo, ("Belgium", "Bulgaria", "Czechia", "Denmark"), strict=True))}}, "time": {"label": "Time", "category": {"index": {y: k for k, y in enumerate(years)}, "label": {y: y for y in years}}}}}
    path.write_text(json.dumps(data), "utf-8")
    return Truth(["Time frequency", "Unit", "Geopolitical entity", "Time", ""], size, (2015, 2021), "Employment rate by sex")


def sdmx_bdm(path: Path, r: Figures) -> Truth:
    """Series with long names as attributes, months as observations, in their own namespace."""
    parts = ['<?xml version="1.0" encoding="UTF-8"?>\n<message:StructureSpecificData xmlns:ss="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/data/structurespecific" xmlns:message="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/message" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><message:Header><message:ID>bdm_1</message:ID><message:Test>false</message:Test><message:Prepared>2023-01-10T08:00:00</message:Prepared></message:Header><message:DataSet ss:dataScope="DataStructure">']
    for n, name in (("001694056", "Estimation de population - France"), ("001694057", "Estimation de population - Bretagne")):
        parts.append(f'<Series IDBANK="{n}" FREQ="M" TITLE_FR="{name}" TITLE_EN="Population estimate" LAST_UPDATE="2023-01-10" UNIT_MEASURE="INDIVIDUS" UNIT_MULT="0" REF_AREA="FE" DECIMALS="0">')
        parts += [f'<Obs TIME_PERIOD="{y}-{m:02}" OBS_VALUE="{r.n()}" OBS_STATUS="A" OBS_QUAL="DEF" OBS_TYPE="A"/>' for y in (2021, 2022) for m in range(12, 0, -1)]
        parts.append("</Series>")
    path.write_text("".join([*parts, "</message:DataSet></message:StructureSpecificData>"]), "utf-8")
    return Truth([], 48, (2021, 2022))


def statistics_page(path: Path, r: Figures) -> Truth:
    """A web page that is laid out by tables, with a table of figures and footnote marks in it."""
    rows = "".join(f"<tr><th scope='row'>{n}</th>" + "".join(f"<td class='num'>{r.grouped('&nbsp;')}</td>" for _ in range(4)) + "</tr>" for n in ("Riga", "Vidzeme", "Kurzeme", "Zemgale", "Latgale", "Pierīga"))
    path.write_text(f"<!-- page 12 --><!DOCTYPE html><html lang='lv'><head><meta charset='utf-8'><title>Iedzīvotāju skaits reģionos | Centrālā statistikas pārvalde</title></head><body><table width='100%'><tr><td>Sākums</td><td>Datubāze</td><td>Kontakti</td></tr></table><table class='data'><caption>Iedzīvotāju skaits reģionos gada sākumā</caption><thead><tr><th rowspan='2'>Reģions</th><th colspan='4'>Iedzīvotāju skaits</th></tr><tr><th>2019</th><th>2020</th><th>2021<sup>1</sup></th><th>2022<sup>1</sup></th></tr></thead><tbody>{rows}</tbody><tfoot><tr><td colspan='5'><sup>1</sup> Provizoriski dati</td></tr></tfoot></table></body></html>", "utf-8")
    return Truth(["Reģions", "2019", "2020", "2021", "2022"], 6, (2019, 2022), "Iedzīvotāju skaits reģionos")


def rows_of_xml(path: Path, r: Figures) -> Truth:
    """An export of a database in XML, one element per row."""
    rows = "".join(f"<ROW><REGION_CODE>{k}</REGION_CODE><REGION_NAME>{n}</REGION_NAME><YEAR>{y}</YEAR><POPULATION>{r.n()}</POPULATION><AREA_KM2>{r.f(20, 900, 2)}</AREA_KM2></ROW>" for (k, n), y in product(enumerate(("Prešovský", "Košický", "Žilinský", "Nitriansky"), 1), range(2016, 2021)))
    path.write_text(f'<?xml version="1.0" encoding="utf-8"?><ROWSET>{rows}</ROWSET>', "utf-8")
    return Truth(["REGION_CODE", "REGION_NAME", "YEAR", "POPULATION", "AREA_KM2"], 20, (2016, 2020))


def zipped_cube(path: Path, r: Figures) -> Truth:
    """A data file and a longer file of metadata in one archive."""
    head = ["REF_DATE", "GEO", "DGUID", "North American Industry Classification System (NAICS)", "UOM", "VALUE", "STATUS"]
    body = [[f"{y}-{m:02}", g, "2016A000011124", n, "Persons", r.n(), ""] for y in (2019, 2020) for m in range(1, 13) for g in ("Canada", "Manitoba") for n in ("Forestry", "Utilities", "Construction")]
    about = [["Cube Title", "Product Id", "CANSIM Id", "Start Reference Period", "End Reference Period"], ["Employment by industry, monthly", 14100022, "282-0007", "2019-01-01", "2020-12-01"], [], ["Dimension ID", "Dimension name", "Dimension Notes"], [1, "Geography", ""], [2, "Industry", "3"], [], ["Note ID", "Note"], [1, "Excluding the territories."], [2, "Estimates are rounded to the nearest hundred."]]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, rows in (("14100022.csv", [head, *body]), ("14100022_MetaData.csv", about)):
            lines = [",".join(f'"{c}"' for c in row) for row in rows]
            archive.writestr(name, "\ufeff" + "\r\n".join(lines))
    return Truth(head, 144, (2019, 2020))


def parquet_wide(path: Path, r: Figures) -> Truth:
    """A table by Polars with a column per year."""
    places = ["Aveiro", "Beja", "Braga", "Bragança", "Coimbra", "Évora", "Faro", "Guarda"]
    frame = pl.DataFrame({"distrito": places, **{f"populacao_{y}": [r.n() for _ in places] for y in (2019, 2020, 2021)}, "densidade": [r.f() for _ in places]})
    frame.write_parquet(path)
    return Truth(["distrito", "2019", "2020", "2021", "densidade"], 8, (2019, 2021))


def px_spain(path: Path, r: Figures) -> Truth:
    """One language, blanks in front of values of indented categories, lines of seven figures, marks."""
    provinces, sexes, years = ["Total Nacional", "  Albacete", "  Alicante", "  Almería"], ["Ambos sexos", "Varones", "Mujeres"], [str(y) for y in range(2012, 2020)]
    shown = [r.pick(str(r.n()), f"{r.f()}", '".."') for _ in range(len(provinces) * len(sexes) * len(years))]
    lines = ['AXIS-VERSION="2006";', 'CREATION-DATE="20200115";', 'SUBJECT-AREA="Población activa";', 'SUBJECT-CODE="epa";', 'MATRIX="03005";', 'TITLE="Activos por provincia, sexo y periodo";', 'CONTENTS="Activos";', 'CODEPAGE="iso-8859-15";', 'DESCRIPTION="";', 'COPYRIGHT=YES;', "DECIMALS=1;", "SHOWDECIMALS=1;", 'UNITS="Miles de personas";', 'STUB="Provincias","Sexo";', 'HEADING="Periodo";']
    lines += [f'VALUES("{n}")=' + ",".join(f'"{v}"' for v in values) + ";" for n, values in (("Provincias", provinces), ("Sexo", sexes), ("Periodo", years))]
    lines += ['SOURCE="Instituto Nacional de Estadística";', 'DATABASE="";', 'INFOFILE="";', 'NOTEX="Datos sujetos a variaciones"#"por el muestreo";'.replace('"#"', '#'), "DATA="]
    lines += [" ".join(shown[k : k + 7]) for k in range(0, len(shown), 7)]
    path.write_bytes(("\r\n".join(lines) + ";").encode("iso-8859-15"))
    return Truth(["Provincias", "Sexo", "Periodo", ""], len(shown), (2012, 2019), "Activos por provincia")


def comext_gzip(path: Path, r: Figures) -> Truth:
    """A compressed file of foreign trade with periods such as 202001."""
    with gzip.open(path, "wt", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["DECLARANT_ISO", "PARTNER_ISO", "FLOW", "PRODUCT_SITC", "PERIOD", "VALUE_EUR", "QUANTITY_KG"])
        writer.writerows([d, p, 1 + k % 2, f"{r.n(100, 899)}", f"2020{m:02}", r.n(), r.n()] for k, (d, p, m) in enumerate(product(("DE", "FR"), ("CH", "US", "CN"), range(1, 13))))
    return Truth(["DECLARANT_ISO", "PARTNER_ISO", "FLOW", "PRODUCT_SITC", "PERIOD", "VALUE_EUR", "QUANTITY_KG"], 72, (2020, 2020))


def station_readings(path: Path, r: Figures) -> Truth:
    """A text with fixed columns: facts of a station, months down, a row of units."""
    lines = ["Aberporth", "Location: 224100E 252100N, Lat 52.139 Lon -4.570, 133 metres amsl", "Estimated data is marked with a * after the value.", "Missing data (more than 2 days missing in month) is marked by  ---.", "   yyyy  mm   tmax    tmin      af    rain     sun", "              degC    degC    days      mm   hours"]
    lines += [f"   {y}  {m:2}   {r.f(3, 20):4}    {r.f(0, 12):4}    {r.n(0, 20):4}   {r.f(10, 200):5}   {r.pick(f'{r.f(20, 250):5}', '  ---')}" for y in range(2012, 2020) for m in range(1, 13)]
    path.write_text("\r\n".join(lines), "ascii")
    return Truth(["yyyy", "mm", "tmax", "tmin", "af", "rain", "sun"], 96, (2012, 2019))


RECALLED_FILES: dict[str, tuple[Write, str, str]] = {
    "latex_booktabs": (latex_booktabs, "en", "pdf"),
    "latex_longtable": (latex_longtable, "de", "pdf"),
    "latex_ruled": (latex_ruled, "fr", "pdf"),
    "latex_two_columns": (latex_two_columns, "en", "pdf"),
    "latex_turned": (latex_turned, "es", "pdf"),
    "latex_method": (latex_method, "en", "pdf"),
    "writer_report": (writer_report, "pl", "pdf"),
    "calc_print": (calc_print, "ru", "pdf"),
    "calc_bordered": (calc_bordered, "zh", "pdf"),
    "writer_bare": (writer_bare, "hu", "pdf"),
    "narrow_blanks": (narrow_blanks, "de", "pdf"),
    "side_by_side": (side_by_side, "en", "pdf"),
    "ruled_pages": (ruled_pages, "it", "pdf"),
    "wrapped_head": (wrapped_head, "en", "pdf"),
    "portrait_months": (portrait_months, "pt", "pdf"),
    "numbered_columns": (numbered_columns, "bg", "pdf"),
    "changes_notice": (changes_notice, "el", "pdf"),
    "turned_by_viewer": (turned_by_viewer, "sv", "pdf"),
    "address_list": (address_list, "de", "pdf"),
    "letter": (letter, "fr", "pdf"),
    "socrata_rows": (socrata_rows, "en", "json"),
    "records_with_fields": (records_with_fields, "fr", "json"),
    "jsonstat_sparse": (jsonstat_sparse, "en", "json"),
    "sdmx_bdm": (sdmx_bdm, "fr", "xml"),
    "statistics_page": (statistics_page, "lv", "html"),
    "rows_of_xml": (rows_of_xml, "sk", "xml"),
    "zipped_cube": (zipped_cube, "en", "zip"),
    "parquet_wide": (parquet_wide, "pt", "parquet"),
    "px_spain": (px_spain, "es", "px"),
    "comext_gzip": (comext_gzip, "en", "csv.gz"),
    "station_readings": (station_readings, "en", "txt"),
}
