"""Pages of printed reports with tables, in the layouts of yearbooks and bulletins, labelled by hand."""
# ruff: noqa: E501 contents of files, and functions with one signature
# fmt: off

from collections.abc import Callable
from pathlib import Path

import matplotlib as mpl
from published_case import Truth
from published_offices import Figures
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4, landscape
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Paragraph, SimpleDocTemplate, Spacer, Table

Write = Callable[[Path, Figures], Truth]
_FONT, _BOLD = "DejaVu", "DejaVu-Bold"
_TEXT = "The figures were revised after the census; differences to earlier editions follow from that. "


def _canvas(path: Path, size: tuple[float, float] = A4) -> Canvas:
    for name, file in ((_FONT, "DejaVuSans.ttf"), (_BOLD, "DejaVuSans-Bold.ttf")):
        pdfmetrics.registerFont(TTFont(name, str(Path(mpl.get_data_path()) / "fonts" / "ttf" / file)))
    return Canvas(str(path), pagesize=size, invariant=1)


def _line(c: Canvas, y: float, cells: list[tuple[float, str, str]], size: float = 8, *, bold: bool = False) -> None:
    """Cells of a line: where each is, how it is aligned (l, r, c) and its text."""
    c.setFont(_BOLD if bold else _FONT, size)
    for x, align, text in cells:
        {"l": c.drawString, "r": c.drawRightString, "c": c.drawCentredString}[align](x, y, text)


def _figures_right(label: str, values: list[str], first: float, step: float, left: float = 60) -> list[tuple[float, str, str]]:
    return [(left, "l", label), *((first + n * step, "r", v) for n, v in enumerate(values))]


def yearbook_page(path: Path, r: Figures) -> Truth:
    """A running head, sections in bold, dot leaders, blanks between thousands, a footnote."""
    c = _canvas(path)
    _line(c, 800, [(60, "l", "Statistical Yearbook 2021"), (540, "r", "Population 47")], 7)
    _line(c, 770, [(60, "l", "2.4 Population by region and sex, 2018 to 2020")], 11, bold=True)
    _line(c, 756, [(60, "l", "thousands")], 8)
    c.line(60, 748, 540, 748)
    _line(c, 736, _figures_right("Region", ["2018", "2019", "2020 1)"], 330, 100), bold=True)
    c.line(60, 730, 540, 730)
    y = 716.0
    for section in ("Males", "Females"):
        _line(c, y, [(60, "l", section)], bold=True)
        y -= 12
        for region in ("North", "North-east", "East", "South", "West", "Islands"):
            _line(c, y, _figures_right(f"{region} {'.' * (40 - len(region))}", [r.grouped(" ") for _ in range(3)], 330, 100))
            y -= 12
    _line(c, y - 8, [(60, "l", "1) Provisional.")], 7)
    _line(c, y - 18, [(60, "l", "Source: Central Statistical Office")], 7)
    c.save()
    return Truth(["Region", "2018", "2019", "2020"], 14, (2018, 2020), "Population by region and sex")


def two_tables_on_a_page(path: Path, r: Figures) -> Truth:
    """Two captioned tables without lines, paragraphs between; the second is the longer one."""
    c = _canvas(path)
    y = 790.0
    _line(c, y, [(60, "l", "Table 1. Dwellings completed")], 10, bold=True)
    for row in (["Year", "Houses", "Flats"], *[[str(n), str(r.n()), str(r.n())] for n in (2018, 2019, 2020)]):
        y -= 14
        _line(c, y, _figures_right(row[0], row[1:], 250, 80))
    y -= 30
    for _ in range(3):
        _line(c, y, [(60, "l", _TEXT)], 9)
        y -= 12
    y -= 14
    _line(c, y, [(60, "l", "Table 2. Building permits by month, 2019–2020")], 10, bold=True)
    for row in (["Month", "2019", "2020", "Change, %"], *[[m, str(r.n()), str(r.n()), f"{r.f(-30, 30)}"] for m in "January February March April May June July August September October November December".split()]):
        y -= 14
        _line(c, y, _figures_right(row[0], row[1:], 250, 80))
    c.save()
    return Truth(["Month", "2019", "2020", "Change"], 12, (2019, 2020), "")


def over_three_pages(path: Path, r: Figures) -> Truth:
    """The header and the caption again on each page, "(continued)", numbers of pages."""
    c = _canvas(path)
    total = 0
    for page in range(3):
        _line(c, 790, [(60, "l", "Tabelle 3: Bevölkerung der Gemeinden am 31.12.2020" + (" (Fortsetzung)" if page else ""))], 10, bold=True)
        c.line(60, 782, 540, 782)
        _line(c, 770, [(60, "l", "Schlüssel"), (130, "l", "Gemeinde"), (350, "r", "insgesamt"), (440, "r", "männlich"), (530, "r", "weiblich")])
        c.line(60, 764, 540, 764)
        y = 752.0
        for n in range(50 if page < 2 else 20):
            _line(c, y, [(60, "l", f"09{page}{n:03}"), (130, "l", f"Gemeinde {'abcdefghij'[n % 10]}{page}"), (350, "r", r.grouped(" ")), (440, "r", r.grouped(" ")), (530, "r", r.grouped(" ", 100, 900))])
            y -= 13
            total += 1
        _line(c, 40, [(300, "c", f"– {page + 11} –")], 7)
        c.showPage()
    c.save()
    return Truth(["Schlüssel", "Gemeinde", "insgesamt", "männlich", "weiblich"], total, (2020, 2020), "Bevölkerung der Gemeinden")


def ruled_with_wrapped_labels(path: Path, r: Figures) -> Truth:
    """A full grid; labels and names over several lines in their cells."""
    _canvas(path)
    small = ParagraphStyle("s", fontName=_FONT, fontSize=8, leading=9)
    names = ["Secteur d'activité (NAF rév. 2)", "Nombre d'entreprises", "Effectif salarié au 31 décembre", "Chiffre d'affaires (millions d'euros)"]
    rows = [[Paragraph(t, small) for t in names]]
    rows += [[Paragraph(f"{s}, y compris les activités de soutien et de réparation", small), r.grouped(" "), r.grouped(" "), r.comma()] for s in ("Industrie manufacturière", "Construction", "Commerce", "Transports et entreposage", "Hébergement et restauration", "Information et communication")]
    table = Table(rows, colWidths=[170, 90, 100, 110], style=[("GRID", (0, 0), (-1, -1), 0.5, colors.black), ("FONT", (1, 1), (-1, -1), _FONT, 8), ("ALIGN", (1, 1), (-1, -1), "RIGHT"), ("VALIGN", (0, 0), (-1, -1), "MIDDLE")])
    head = ParagraphStyle("h", fontName=_BOLD, fontSize=11, leading=16)
    SimpleDocTemplate(str(path), pagesize=A4, invariant=1).build([Paragraph("Tableau 2 – Entreprises et salariés par secteur en 2019", head), Spacer(1, 6), table, Spacer(1, 6), Paragraph("Source : Insee, Ésane. " + _TEXT, small)])
    return Truth(["Secteur", "Nombre d'entreprises", "Effectif salarié", "Chiffre d'affaires"], 6, (2019, 2019), "Entreprises et salariés par secteur")


def headings_over_groups(path: Path, r: Figures) -> Truth:
    """Two rows of names: centred headings with a line below each, years below them."""
    c = _canvas(path, landscape(A4))
    _line(c, 550, [(60, "l", "Cuadro 5. Ocupados por sexo y sector económico (miles)")], 11, bold=True)
    c.line(60, 540, 780, 540)
    for n, group in enumerate(("Total", "Hombres", "Mujeres")):
        _line(c, 528, [(300 + 190 * n, "c", group)])
        c.line(230 + 190 * n, 523, 370 + 190 * n, 523)
    _line(c, 512, [(60, "l", "Sector"), *((260 + 190 * g + 55 * k, "r", str(2019 + k)) for g in range(3) for k in range(3))])
    c.line(60, 506, 780, 506)
    for n, sector in enumerate(("Agricultura, ganadería y pesca", "Industria", "Construcción", "Comercio", "Hostelería", "Servicios a empresas", "Total")):
        _line(c, 492 - 14 * n, [(60, "l", sector), *((260 + 190 * g + 55 * k, "r", r.comma()) for g in range(3) for k in range(3))])
    _line(c, 380, [(60, "l", "Fuente: INE. Encuesta de Población Activa")], 7)
    c.save()
    names = ["Sector", "2019", "2020", "2021", "Hombres", "2020", "2021", "Mujeres", "2020", "2021"]
    return Truth(names, 7, (2019, 2021), "Ocupados por sexo")


def shaded_without_lines(path: Path, r: Figures) -> Truth:
    """Every second row shaded, figures centred, marks for missing figures."""
    c = _canvas(path)
    _line(c, 780, [(60, "l", "Tavola 1.7 - Nati vivi per cittadinanza e ripartizione. Anni 2016-2019")], 9, bold=True)
    for n, row in enumerate([["Ripartizione", "2016", "2017", "2018", "2019"], *[[p, *(str(r.pick(r.grouped("."), r.grouped("."), "-")) for _ in range(4))] for p in ("Nord-ovest", "Nord-est", "Centro", "Sud", "Isole", "Italia")]]):
        y = 758 - 16 * n
        if n % 2 == 0:
            c.setFillColor(colors.Color(0.88, 0.92, 0.98))
            c.rect(58, y - 4, 480, 16, stroke=0, fill=1)
            c.setFillColor(colors.black)
        _line(c, y, [(62, "l", row[0]), *((240 + 75 * k, "c", v) for k, v in enumerate(row[1:]))])
    _line(c, 630, [(60, "l", "Fonte: Istat, Iscritti in anagrafe per nascita")], 7)
    c.save()
    return Truth(["Ripartizione", "2016", "2017", "2018", "2019"], 6, (2016, 2019), "Nati vivi per cittadinanza")


def labels_on_both_sides(path: Path, r: Figures) -> Truth:
    """Polish at the left, English at the right, the title in both languages."""
    c = _canvas(path)
    _line(c, 790, [(60, "l", "TABL. 4 (28). MAŁŻEŃSTWA I ROZWODY")], 9, bold=True)
    _line(c, 778, [(60, "l", "MARRIAGES AND DIVORCES")], 9)
    c.line(60, 770, 540, 770)
    _line(c, 758, [(60, "l", "WYSZCZEGÓLNIENIE"), (250, "r", "2010"), (310, "r", "2015"), (370, "r", "2020"), (400, "l", "SPECIFICATION")])
    c.line(60, 752, 540, 752)
    for n, (pl_, en) in enumerate((("Małżeństwa", "Marriages"), ("miasta", "urban areas"), ("wieś", "rural areas"), ("Rozwody", "Divorces"), ("Separacje", "Separations"), ("Urodzenia żywe", "Live births"), ("Zgony", "Deaths"))):
        _line(c, 738 - 13 * n, [(60, "l", pl_), (250, "r", r.grouped(" ", 1000, 99_000)), (310, "r", r.grouped(" ", 1000, 99_000)), (370, "r", r.grouped(" ", 1000, 99_000)), (400, "l", en)])
    c.save()
    return Truth(["WYSZCZEGÓLNIENIE", "2010", "2015", "2020", "SPECIFICATION"], 7, (2010, 2020), "MARRIAGES|MAŁŻEŃSTWA")


def text_in_two_columns(path: Path, r: Figures) -> Truth:
    """A bulletin: text in two columns above, one table over the whole width below."""
    c = _canvas(path)
    _line(c, 800, [(60, "l", "Boletim mensal – Emprego")], 13, bold=True)
    for n in range(14):
        _line(c, 770 - 11 * n, [(60, "l", "A taxa de desemprego situou-se em 6,1 % no mês"), (310, "l", "de março, menos 0,2 p.p. do que no mês anterior")], 8)
    _line(c, 590, [(60, "l", "Quadro 1: População ativa por grupo etário")], 9, bold=True)
    for n, row in enumerate([["Grupo etário", "1.º trim. 2020", "2.º trim. 2020", "3.º trim. 2020", "4.º trim. 2020"], *[[g, *(r.comma() for _ in range(4))] for g in ("15 a 24 anos", "25 a 34 anos", "35 a 44 anos", "45 a 54 anos", "55 a 64 anos", "65 e mais anos", "Total")]]):
        _line(c, 572 - 13 * n, _figures_right(row[0], row[1:], 250, 85))
    _line(c, 460, [(60, "l", "Fonte: INE, Inquérito ao Emprego.")], 7)
    c.save()
    return Truth(["Grupo etário", "1.º trim. 2020", "2.º trim. 2020", "3.º trim. 2020", "4.º trim. 2020"], 7, (2020, 2020), "População ativa")


def turned_page(path: Path, r: Figures) -> Truth:
    """A wide table printed along the long side of an upright page."""
    c = _canvas(path)
    c.rotate(90)
    _line(c, -60, [(60, "l", "Table 9. Exports of goods by partner, 2010-2019 (million EUR)")], 10, bold=True)
    years = [str(y) for y in range(2010, 2020)]
    _line(c, -85, _figures_right("Partner", years, 230, 60))
    for n, p in enumerate(("United States", "China", "United Kingdom", "Switzerland", "Russia", "Turkey", "Japan", "Norway", "India", "Brazil")):
        _line(c, -100 - 14 * n, _figures_right(p, [f"{r.n(1000, 400_000):,}" for _ in years], 230, 60))
    _line(c, -260, [(60, "l", "Source: Eurostat")], 7)
    c.save()
    return Truth(["Partner", *years], 10, (2010, 2019), "Exports of goods by partner")


def labels_over_lines(path: Path, r: Figures) -> Truth:
    """Labels over two lines with the figures beside the second one; names over three lines."""
    c = _canvas(path)
    _line(c, 790, [(60, "l", "Tabelle 6: Erwerbstätige nach Berufen und Geschlecht 2021")], 10, bold=True)
    for k, line in enumerate((("", "Erwerbs-", "darunter", "Anteil der"), ("Berufsgruppe", "tätige", "Frauen", "Frauen"), ("", "1 000", "1 000", "%"))):
        _line(c, 770 - 10 * k, [(60, "l", line[0]), *((330 + 90 * n, "r", t) for n, t in enumerate(line[1:]))])
    c.line(60, 744, 540, 744)
    y = 730.0
    for first, second in (("Berufe in Land-, Tier-, Forstwirtschaft", "und Gartenbau"), ("Rohstoffgewinnung, Glas- und", "Keramikherstellung"), ("Bauberufe", ""), ("Verkehr, Logistik, Schutz", "und Sicherheit"), ("Gesundheit, Soziales, Lehre", "und Erziehung"), ("Militär", "")):
        values = [r.grouped(" ", 1000, 9000), r.grouped(" ", 1000, 9000), r.comma()]
        if second:
            _line(c, y, [(60, "l", first)])
            y -= 9
            _line(c, y, _figures_right(f"  {second}", values, 330, 90))
        else:
            _line(c, y, _figures_right(first, values, 330, 90))
        y -= 15
    c.save()
    return Truth(["Berufsgruppe", "tätige", "Frauen", "Anteil"], 6, (2021, 2021), "Erwerbstätige nach Berufen")


def dense_months(path: Path, r: Figures) -> Truth:
    """Twelve narrow months in small print, years down, a mean at the end."""
    c = _canvas(path)
    _line(c, 790, [(40, "l", "Consumer price index (2015 = 100), 2009 to 2020")], 9, bold=True)
    heads = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec Mean".split()
    _line(c, 772, _figures_right("Year", heads, 100, 35, 40), 6)
    for n in range(12):
        _line(c, 760 - 9 * n, _figures_right(str(2009 + n), [f"{r.f(90, 112)}" for _ in heads], 100, 35, 40), 6)
    c.save()
    return Truth(["Year", *heads], 12, (2009, 2020), "Consumer price index")


def partly_ruled(path: Path, r: Figures) -> Truth:
    """Lines between columns only, a box around, the unit in the corner of the header."""
    c = _canvas(path)
    _line(c, 790, [(300, "c", "Tableau 12.3 — Superficie agricole utilisée par département")], 10, bold=True)
    edges = [60, 220, 300, 380, 460, 540]
    top, rows = 770, 9
    c.rect(60, top - 16 * rows, 480, 16 * rows)
    for x in edges[1:-1]:
        c.line(x, top, x, top - 16 * rows)
    c.line(60, top - 16, 540, top - 16)
    _line(c, top - 12, [(64, "l", "Unité : ha"), *((edges[n + 2] - 6, "r", str(2016 + n)) for n in range(4))])
    for n, d in enumerate(("Ain", "Aisne", "Allier", "Ardèche", "Ardennes", "Ariège", "Aube", "Total")):
        _line(c, top - 28 - 16 * n, [(64, "l", d), *((edges[k + 2] - 6, "r", str(r.pick(r.grouped(" "), r.grouped(" "), "n.d."))) for k in range(4))])
    c.save()
    return Truth(["Unité", "2016", "2017", "2018", "2019"], 8, (2016, 2019), "Superficie agricole")


def signs_and_flags(path: Path, r: Figures) -> Truth:
    """Flags after figures, brackets for uncertain ones, a slash for too few cases, changes with signs."""
    c = _canvas(path)
    _line(c, 790, [(60, "l", "3.2 Haushalte nach Nettoeinkommen und Größe (Mikrozensus 2018, 2019)")], 9, bold=True)
    c.line(60, 784, 540, 784)
    _line(c, 772, [(60, "l", "Einkommen in Euro"), (280, "r", "2018"), (360, "r", "2019"), (460, "r", "Veränderung in %")])
    c.line(60, 766, 540, 766)
    for n, label in enumerate(("unter 500", "500 bis unter 900", "900 bis unter 1 300", "1 300 bis unter 1 500", "1 500 bis unter 2 000", "2 000 bis unter 3 200", "3 200 und mehr", "Insgesamt")):
        _line(c, 752 - 13 * n, [(60, "l", label), (280, "r", str(r.pick(r.n(), f"({r.n(5, 99)})", "/"))), (360, "r", str(r.pick(f"{r.n()} r", r.n(), r.n()))), (460, "r", str(r.pick(f"+{r.comma()}", f"−{r.comma()}", "X")))])
    c.save()
    return Truth(["Einkommen", "2018", "2019", "Veränderung"], 8, (2018, 2019), "Haushalte nach Nettoeinkommen")


def contents_page(path: Path, r: Figures) -> Truth:
    """A contents page with dot leaders: not statistics."""
    c = _canvas(path)
    _line(c, 790, [(60, "l", "Contents")], 13, bold=True)
    for n in range(25):
        _line(c, 760 - 15 * n, [(60, "l", f"{n // 5 + 1}.{n % 5 + 1} Chapter on a subject of the yearbook {'.' * 60}"), (540, "r", str(5 + 3 * n + r.n(0, 2)))])
    c.save()
    return Truth([], 0, None, "", statistics=False)


def press_release(path: Path, r: Figures) -> Truth:
    """Text with figures in sentences, contacts at the end: not statistics."""
    c = _canvas(path)
    _line(c, 790, [(60, "l", "Press release no. 217 of 4 May 2021")], 12, bold=True)
    for n in range(30):
        _line(c, 760 - 13 * n, [(60, "l", f"In {2000 + n % 20} the office counted {r.grouped(',')} cases, {r.f()} % more than in the year before.")], 9)
    _line(c, 330, [(60, "l", "Contact: Press office, Tel. +49 611 75 34 44, press@example.org")], 9)
    c.save()
    return Truth([], 0, None, "", statistics=False)


PAGES: dict[str, tuple[Write, str]] = {
    "yearbook_page": (yearbook_page, "en"),
    "two_tables_on_a_page": (two_tables_on_a_page, "en"),
    "over_three_pages": (over_three_pages, "de"),
    "ruled_with_wrapped_labels": (ruled_with_wrapped_labels, "fr"),
    "headings_over_groups": (headings_over_groups, "es"),
    "shaded_without_lines": (shaded_without_lines, "it"),
    "labels_on_both_sides": (labels_on_both_sides, "pl"),
    "text_in_two_columns": (text_in_two_columns, "pt"),
    "turned_page": (turned_page, "en"),
    "labels_over_lines": (labels_over_lines, "de"),
    "dense_months": (dense_months, "en"),
    "partly_ruled": (partly_ruled, "fr"),
    "signs_and_flags": (signs_and_flags, "de"),
    "contents_page": (contents_page, "en"),
    "press_release": (press_release, "en"),
}
"""The writer of each page and its language."""
