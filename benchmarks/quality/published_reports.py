"""Pages of further reports written from memory of real ones, labelled by hand.

They were written and labelled after the pages in `published_recalled_files`, before the catalogue
read one of them.
"""
# ruff: noqa: E501, ARG001 contents of files, and functions with one signature
# fmt: off

from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path

from published_case import Truth
from published_offices import Figures
from published_recalled_files import (
    _BOLD,
    _FONT,
    _canvas,
    _latex,
    _office,
    _paragraphs,
    _put,
    _table_html,
)
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4, landscape
from reportlab.pdfgen.canvas import Canvas

Write = Callable[[Path, Figures], Truth]


def _centred(c: Canvas, y: float, parts: Sequence[tuple[float, str]], size: float = 8) -> None:
    c.setFont(_FONT, size)
    for x, text in parts:
        c.drawCentredString(x, y, text)


def employment_release(path: Path, r: Figures) -> Truth:
    """Leaders, months over three lines, two groups with a centred name, footnote figures raised."""
    c = _canvas(path)
    c.setFont(_FONT, 7)
    c.drawString(40, 800, "HOUSEHOLD DATA")
    c.setFont(_BOLD, 8)
    c.drawString(40, 788, "Table A-1. Employment status of the civilian population by sex and age")
    c.setFont(_FONT, 7)
    c.drawString(40, 777, "[Numbers in thousands]")
    stops = [270 + 46 * k for k in range(6)]
    _centred(c, 763, [(302, "Not seasonally adjusted"), (440, "Seasonally adjusted1")], 7)
    for line, texts in ((752, ("Feb.", "Jan.", "Feb.", "Feb.", "Dec.", "Jan.")), (744, ("2021", "2022", "2022", "2021", "2021", "2022"))):
        _put(c, line, "Employment status, sex, and age" if line == 744 else "", texts, stops, left=40, size=7)
    y = 728.0
    for group, names in (("TOTAL", ("Civilian noninstitutional population", "Civilian labor force", "Participation rate", "Employed", "Unemployed", "Unemployment rate")), ("Men, 16 years and over", ("Civilian noninstitutional population", "Civilian labor force", "Employed", "Not in labor force")), ("Women, 16 years and over", ("Civilian noninstitutional population", "Employed", "Persons who currently want a job"))):
        c.setFont(_FONT, 7)
        c.drawCentredString(150, y, group)
        y -= 10
        for n in names:
            _put(c, y, n + " " + "." * (60 - len(n)), [r.grouped(",", 10_000, 300_000) if "rate" not in n else str(r.f()) for _ in stops], stops, left=40, size=7)
            y -= 10
        y -= 4
    c.setFont(_FONT, 6)
    c.drawString(40, y - 10, "1 The population figures are not adjusted for seasonal variation.")
    c.save()
    return Truth(["Employment status", "2021", "2022", "2022", "2021", "2021", "2022"], 16, (2021, 2022), "Employment status of the civilian population")


def dollars_first(path: Path, r: Figures) -> Truth:
    """A dollar sign at the left of its column in the first row and the total, brackets for minus."""
    c = _canvas(path)
    c.setFont(_BOLD, 11)
    c.drawString(60, 780, "Schedule B: Revenues by Source, Fiscal Years 2019-2021")
    stops = [330, 420, 510]
    _put(c, 755, "Source", ["FY 2019", "FY 2020", "FY 2021"], stops, left=60, bold=True)
    names = ("Property taxes", "Sales taxes", "Charges for services", "Licenses and permits", "Fines and forfeitures", "Investment income (loss)", "Intergovernmental", "Miscellaneous", "Total revenues")
    for k, n in enumerate(names):
        y = 738 - 14 * k
        _put(c, y, n, [f"({r.grouped(',')})" if "loss" in n else r.grouped(",", 10_000) for _ in stops], stops, left=60)
        if k in (0, len(names) - 1):
            for x in stops:
                c.drawString(x - 70, y, "$")
    c.save()
    return Truth(["Source", "2019", "2020", "2021"], 9, (2019, 2021), "Revenues by Source")


def intervals(path: Path, r: Figures) -> Truth:
    """Estimates with their confidence intervals in the same cells."""
    c = _canvas(path)
    c.setFont(_BOLD, 10)
    c.drawString(50, 790, "Table 5. Prevalence of asthma by age and sex, percent (95% CI), 2017")
    _put(c, 768, "Age group", ["Males", "Females", "Persons"], [270, 390, 510], bold=True)
    c.line(50, 764, 510, 764)
    for k, n in enumerate(("0-14 years", "15-24 years", "25-34 years", "35-44 years", "45-54 years", "55-64 years", "65 years and over", "All ages")):
        _put(c, 750 - 13 * k, n, [f"{r.f(2, 20)} ({r.f(1, 9)}–{r.f(20, 30)})" for _ in range(3)], [270, 390, 510])
    _paragraphs(c, 620, "The survey was carried out in private dwellings. Rates are standardised by age. ", 50, 100, 14)
    c.save()
    return Truth(["Age group", "Males", "Females", "Persons"], 8, (2017, 2017), "Prevalence of asthma")


def percent_signs(path: Path, r: Figures) -> Truth:
    """A percent sign after each figure, minus as a sign of its own, French."""
    c = _canvas(path)
    y = _paragraphs(c, 800, "Le chiffre d'affaires du commerce de détail progresse au deuxième trimestre, porté par les ventes en ligne. ", 50, 100, 7)
    c.setFont(_BOLD, 9)
    c.drawString(50, y - 12, "Tableau 2 : Évolution du chiffre d'affaires par secteur")
    stops = [260, 350, 440, 530]
    _put(c, y - 30, "Secteur d'activité", ["T1 2020", "T2 2020", "T3 2020", "T4 2020"], stops, bold=True)
    for k, n in enumerate(("Alimentation générale", "Boulangerie", "Carburants", "Équipement du foyer", "Habillement", "Pharmacies", "Vente à distance", "Ensemble")):
        _put(c, y - 45 - 12 * k, n, [r.pick(f"{r.comma()} %", f"−{r.comma()} %") for _ in stops], stops)
    _paragraphs(c, y - 170, "Champ : France métropolitaine. Source : Banque de France. ", 50, 100, 3)
    c.save()
    return Truth(["Secteur", "2020", "2020", "2020", "2020"], 8, (2020, 2020), "Évolution du chiffre d'affaires")


def line_numbers(path: Path, r: Figures) -> Truth:
    """Line numbers at both sides, headings between drawn lines, German."""
    c = _canvas(path, landscape(A4))
    c.setFont(_BOLD, 10)
    c.drawString(60, 550, "3.1 Betriebe und Beschäftigte im Verarbeitenden Gewerbe 2019 nach Wirtschaftszweigen")
    stops = [420, 500, 580, 660]
    for x in (85, 350, 430, 510, 590, 670):
        c.line(x, 530, x, 300)
    c.line(60, 530, 740, 530)
    c.line(60, 500, 740, 500)
    _centred(c, 518, [(72, "Lfd."), (215, "Wirtschaftszweig"), (390, "Betriebe"), (470, "Beschäftigte"), (550, "Umsatz"), (630, "Auslands-"), (705, "Lfd.")], 7)
    _centred(c, 508, [(72, "Nr."), (550, "1 000 EUR"), (630, "umsatz"), (705, "Nr.")], 7)
    for k, n in enumerate(("Nahrungs- und Futtermittel", "Getränkeherstellung", "Textilien", "Bekleidung", "Leder", "Holz", "Papier", "Druckerzeugnisse", "Kokerei", "Chemie", "Pharma", "Gummi", "Glas", "Metall"), 1):
        y = 500 - 14 * k
        _put(c, y, str(k), [], [], left=68)
        _put(c, y, n, [r.pick(r.grouped(" "), r.grouped(" "), "·") for _ in stops], stops, left=90)
        _put(c, y, str(k), [], [], left=700)
    c.save()
    return Truth(["Lfd.", "Wirtschaftszweig", "Betriebe", "Beschäftigte", "Umsatz", "Auslands", "Lfd."], 14, (2019, 2019), "Betriebe und Beschäftigte")


def quarters_over_years(path: Path, r: Figures) -> Truth:
    """Years over quarters on a wide page of a bank's bulletin, blank rows between groups."""
    c = _canvas(path, landscape(A4))
    c.setFont(_BOLD, 10)
    c.drawString(40, 550, "Tabla 3.2  Balanza de pagos")
    c.setFont(_FONT, 7)
    c.drawString(40, 538, "(Millones de dólares)")
    stops = [250 + 58 * k for k in range(8)]
    _centred(c, 522, [(325, "2018"), (557, "2019")], 8)
    _put(c, 510, "Concepto", ["I", "II", "III", "IV"] * 2, stops, left=40, bold=True)
    c.line(40, 506, 660, 506)
    y = 494.0
    for group in (("Cuenta corriente", "   Bienes", "   Servicios", "   Ingreso primario"), ("Cuenta financiera", "   Inversión directa", "   Inversión de cartera", "   Otra inversión"), ("Errores y omisiones",)):
        for n in group:
            _put(c, y, n, [r.pick(f"{r.f(10, 9000):,.1f}", f"-{r.f(10, 9000):,.1f}") for _ in stops], stops, left=40)
            y -= 12
        y -= 8
    _put(c, y, "Fuente: Banco Central.", [], [], left=40, size=6)
    c.save()
    return Truth(["Concepto", "2018", "II", "III", "IV", "2019", "II", "III", "IV"], 9, (2018, 2019), "Balanza de pagos")


def no_second_head(path: Path, r: Figures) -> Truth:
    """An appendix over three pages whose head is on the first page only."""
    c = _canvas(path)
    stops = [300, 380, 460, 540]
    c.setFont(_BOLD, 10)
    c.drawString(50, 800, "Bilaga 1. Behöriga lärare per kommun läsåret 2020/21")
    _put(c, 780, "Kommun", ["Lärare", "Kvinnor", "Män", "Behöriga %"], stops, bold=True)
    k, y = 0, 765.0
    while k < 130:
        _put(c, y, f"Kommun {k + 1}", [r.grouped(" "), r.grouped(" "), r.grouped(" "), r.comma()], stops)
        k, y = k + 1, y - 13
        if y < 60:
            _put(c, 40, "Skolverket", [str(k)], [540], size=6)
            c.showPage()
            y = 790.0
    c.save()
    return Truth(["Kommun", "Lärare", "Kvinnor", "Män", "Behöriga"], 130, (2020, 2020), "Behöriga lärare per kommun")


def contents_before(path: Path, r: Figures) -> Truth:
    """A cover, a list of contents with leaders, then the tables."""
    c = _canvas(path)
    c.setFont(_BOLD, 24)
    c.drawString(80, 600, "Anuário Estatístico")
    c.drawString(80, 560, "2020")
    c.showPage()
    c.setFont(_BOLD, 12)
    c.drawString(60, 790, "Índice")
    for k in range(25):
        _put(c, 765 - 14 * k, f"{k // 5 + 1}.{k % 5 + 1} Quadro sobre o tema {k} " + "." * 60, [str(7 + 3 * k)], [520], left=60)
    c.showPage()
    c.setFont(_BOLD, 10)
    c.drawString(60, 790, "1.1 Área plantada e produção por cultura, 2016-2019")
    stops = [280, 340, 400, 460]
    _put(c, 770, "Cultura", ["2016", "2017", "2018", "2019"], stops, left=60, bold=True)
    y = 756.0
    for group in ("Área plantada (ha)", "Produção (t)"):
        _put(c, y, group, [], [], left=60, bold=True)
        for n in ("Arroz", "Feijão", "Milho", "Soja", "Trigo", "Café", "Algodão", "Mandioca", "Cana-de-açúcar", "Banana", "Laranja", "Tomate", "Batata", "Cebola", "Uva"):
            y -= 12
            _put(c, y, n, [r.grouped(".") for _ in stops], stops, left=70)
        y -= 16
    c.save()
    return Truth(["Cultura", "2016", "2017", "2018", "2019"], 32, (2016, 2019), "Área plantada e produção")


def word_grid(path: Path, r: Figures) -> Truth:
    """A grid by a word processor: names and labels over several lines in the middle of their cells."""
    body = [[n, r.grouped("."), r.grouped("."), r.comma(), r.comma()] for n in ("Landbouw, bosbouw en visserij", "Winning van delfstoffen", "Industrie", "Energievoorziening", "Waterbedrijven en afvalbeheer en sanering", "Bouwnijverheid", "Handel", "Vervoer en opslag van goederen en personen", "Horeca", "Informatie en communicatie")]
    head = [[f"<th width='90'>{h}</th>" for h in ("Bedrijfstak volgens de standaard indeling", "Aantal banen in december 2019", "Aantal banen in december 2020", "Verandering in procent van het totaal", "Aandeel vrouwen in procent")]]
    _office(path, "<html><meta charset='utf-8'><h3>Banen van werknemers</h3><p>" + "Het aantal banen daalde in 2020 met 0,9 procent ten opzichte van een jaar eerder. " * 6 + "</p><p>Tabel 2.1 Banen van werknemers naar bedrijfstak</p>" + _table_html(head, body, 1) + "<p>Bron: CBS.</p></html>", "writer")
    return Truth(["Bedrijfstak", "december 2019", "december 2020", "Verandering", "Aandeel vrouwen"], 10, (2019, 2020), "Banen van werknemers")


def word_lines(path: Path, r: Figures) -> Truth:
    """The same without lines, labels of two lines in most rows, Danish."""
    body = [[n, r.comma(), r.comma(), r.comma()] for n in ("Føde-, drikke- og tobaksvarer til husholdninger", "Beklædning og fodtøj", "Boligbenyttelse, elektricitet og opvarmning i alt", "Møbler, husholdningsudstyr og vedligeholdelse", "Sundhed", "Transport, herunder køb af køretøjer og brændstof", "Kommunikation og information", "Fritid og kultur", "Restauranter og hoteller", "Andre varer og tjenester")]
    head = [["<th width='160'>Forbrugsgruppe</th>", *(f"<th width='80'>{y}</th>" for y in (2018, 2019, 2020))]]
    _office(path, "<html><meta charset='utf-8'><p>" + "Husholdningernes forbrug steg svagt i perioden. " * 12 + "</p><p>Tabel 4. Husstandenes forbrug fordelt på grupper, pct.</p>" + _table_html(head, body, 0) + "</html>", "writer")
    return Truth(["Forbrugsgruppe", "2018", "2019", "2020"], 10, (2018, 2020), "Husstandenes forbrug")


def korean_grid(path: Path, r: Figures) -> Truth:
    """A printed sheet with lines, merged headings, Korean."""
    body = [[n, r.grouped(","), r.grouped(","), r.grouped(","), r.grouped(",")] for n in ("전국", "서울", "부산", "대구", "인천", "광주", "대전", "울산", "세종", "경기")]
    head = [["<th rowspan=2>지역</th>", "<th colspan=2>2020년</th>", "<th colspan=2>2021년</th>"], ["<th>출생</th>", "<th>사망</th>", "<th>출생</th>", "<th>사망</th>"]]
    _office(path, "<html><meta charset='utf-8'><table><tr><td colspan=5>표 2. 시도별 출생 및 사망 (명)</td></tr></table>" + _table_html(head, body, 1) + "</html>", "calc")
    return Truth(["지역", "출생", "사망", "출생", "사망"], 10, (2020, 2021), "시도별 출생 및 사망")


def fiscal_latex(path: Path, r: Figures) -> Truth:
    """A floating table with groups in bold and indented rows, figures in a small column grid, Italian."""
    rows = []
    for g, names in (("Entrate", ("Tributarie", "Contributive", "Altre correnti", "In conto capitale")), ("Spese", ("Redditi da lavoro", "Consumi intermedi", "Prestazioni sociali", "Interessi passivi"))):
        rows.append(f"\\textbf{{{g}}} & & & & \\\\")
        rows += [f"\\quad {n} & {r.grouped('.')} & {r.grouped('.')} & {r.grouped('.')} & {r.comma()} \\\\" for n in names]
    rows.append(f"\\midrule Indebitamento netto & $-${r.grouped('.')} & $-${r.grouped('.')} & $-${r.grouped('.')} & {r.comma()} \\\\")
    _latex(path, "\\section{Conti pubblici}" + "Il saldo migliora rispetto all'anno precedente. " * 20 + "\\begin{table}[h]\\caption{Conto consolidato delle amministrazioni pubbliche (milioni di euro)}\\centering\\small\\begin{tabular}{lrrrr}\\toprule Voci & 2018 & 2019 & 2020 & Var. \\% \\\\ \\midrule\n" + "\n".join(rows) + "\\bottomrule\\end{tabular}\\end{table}" + "Le entrate crescono. " * 60)
    return Truth(["Voci", "2018", "2019", "2020", "Var"], 11, (2018, 2020), "Conto consolidato")


def counts_with_shares(path: Path, r: Figures) -> Truth:
    """Counts with shares in brackets, a line for n below the names."""
    c = _canvas(path)
    c.setFont(_BOLD, 10)
    c.drawString(50, 790, "Table 2: Characteristics of respondents by wave")
    stops = [320, 420, 520]
    _put(c, 772, "Characteristic", ["Wave 1 (2015)", "Wave 2 (2017)", "Wave 3 (2019)"], stops, bold=True)
    _put(c, 761, "", ["n (%)", "n (%)", "n (%)"], stops)
    y = 746.0
    for group, names in (("Sex", ("Male", "Female")), ("Age", ("18-34", "35-54", "55-74", "75 and over")), ("Region", ("North", "Midlands", "South"))):
        _put(c, y, group, [], [], bold=True)
        for n in names:
            y -= 12
            _put(c, y, f"   {n}", [f"{r.grouped(',', 100, 9000)} ({r.f()})" for _ in stops], stops)
        y -= 13
    c.save()
    return Truth(["Characteristic", "2015", "2017", "2019"], 12, (2015, 2019), "Characteristics of respondents")


def years_down_pairs(path: Path, r: Figures) -> Truth:
    """A year per row, two rows of names, superscript letters after figures, Romanian."""
    c = _canvas(path)
    c.setFont(_BOLD, 10)
    c.drawString(50, 790, "Tabelul 6. Mișcarea naturală a populației, 2005-2018")
    stops = [170, 250, 330, 410, 490]
    _centred(c, 770, [(230, "Date absolute (persoane)"), (430, "Rate la 1000 locuitori")])
    _put(c, 758, "Anul", ["Născuți-vii", "Decese", "Spor natural", "Născuți-vii", "Decese"], stops, bold=True)
    for k in range(14):
        y = 744 - 12 * k
        _put(c, y, str(2005 + k), [r.grouped("."), r.grouped("."), f"-{r.grouped('.')}", r.comma(), r.comma()], stops)
        if k % 4 == 3:
            c.setFont(_FONT, 5)
            c.drawString(491, y + 3, "a)")
    c.save()
    return Truth(["Anul", "Născuți", "Decese", "Spor natural", "Născuți", "Decese"], 14, (2005, 2018), "Mișcarea naturală a populației")


def shaded_heads(path: Path, r: Figures) -> Truth:
    """White names on a coloured band, thin lines between rows, a chart above."""
    c = _canvas(path)
    for a, b in pairwise([(60 + 20 * k, 640 + r.n(0, 100)) for k in range(20)]):
        c.line(*a, *b)
    for k in range(5):
        c.setFont(_FONT, 7)
        c.drawRightString(55, 640 + 25 * k, str(20 * k))
        c.drawCentredString(80 + 90 * k, 625, str(2000 + 5 * k))
    c.setFont(_BOLD, 9)
    c.drawString(60, 755, "Figure 1: Index of production")
    c.drawString(60, 590, "Table 1: Index of production by industry (2018 = 100)")
    c.setFillColor(colors.navy)
    c.rect(58, 565, 470, 16, stroke=0, fill=1)
    c.setFillColor(colors.white)
    stops = [300, 370, 440, 510]
    _put(c, 570, "Industry", ["2019", "2020", "2021", "2022"], stops, left=62, bold=True)
    c.setFillColor(colors.black)
    for k, n in enumerate(("Mining and quarrying", "Food products", "Textiles", "Wood", "Paper", "Chemicals", "Metals", "Electronics", "Vehicles", "Total")):
        _put(c, 552 - 14 * k, n, [str(r.f(60, 140)) for _ in stops], stops, left=62)
        c.line(58, 548 - 14 * k, 528, 548 - 14 * k)
    c.save()
    return Truth(["Industry", "2019", "2020", "2021", "2022"], 10, (2019, 2022), "Index of production by industry|Index of production")


def release_calendar(path: Path, r: Figures) -> Truth:
    """A calendar of releases: no statistics."""
    c = _canvas(path)
    c.setFont(_BOLD, 11)
    c.drawString(50, 800, "Release calendar, January to March 2022")
    for k in range(28):
        y = 775 - 14 * k
        c.setFont(_FONT, 8)
        c.drawString(50, y, f"{k + 1:02} January 2022")
        c.drawString(150, y, "9:30")
        c.drawString(200, y, r.pick("Labour market overview", "Consumer price inflation", "Retail sales", "Public sector finances"))
        c.drawString(420, y, r.pick("December 2021", "November 2021", "Quarter 4 2021"))
    c.save()
    return Truth([], 0, None, "", statistics=False)


def application_form(path: Path, r: Figures) -> Truth:
    """A form with lines and boxes: no statistics."""
    c = _canvas(path)
    c.setFont(_BOLD, 12)
    c.drawString(50, 800, "Modulo di richiesta dati")
    for k, n in enumerate(("Cognome e nome", "Luogo e data di nascita", "Codice fiscale", "Indirizzo", "CAP e città", "Telefono", "E-mail", "Ente di appartenenza", "Finalità della richiesta", "Data", "Firma")):
        c.setFont(_FONT, 9)
        c.drawString(50, 770 - 24 * k, f"{k + 1}. {n}")
        c.rect(230, 764 - 24 * k, 300, 18)
    c.save()
    return Truth([], 0, None, "", statistics=False)


REPORTS: dict[str, tuple[Write, str, str]] = {
    "employment_release": (employment_release, "en", "pdf"),
    "dollars_first": (dollars_first, "en", "pdf"),
    "intervals": (intervals, "en", "pdf"),
    "percent_signs": (percent_signs, "fr", "pdf"),
    "line_numbers": (line_numbers, "de", "pdf"),
    "quarters_over_years": (quarters_over_years, "es", "pdf"),
    "no_second_head": (no_second_head, "sv", "pdf"),
    "contents_before": (contents_before, "pt", "pdf"),
    "word_grid": (word_grid, "nl", "pdf"),
    "word_lines": (word_lines, "da", "pdf"),
    "korean_grid": (korean_grid, "ko", "pdf"),
    "fiscal_latex": (fiscal_latex, "it", "pdf"),
    "counts_with_shares": (counts_with_shares, "en", "pdf"),
    "years_down_pairs": (years_down_pairs, "ro", "pdf"),
    "shaded_heads": (shaded_heads, "en", "pdf"),
    "release_calendar": (release_calendar, "en", "pdf"),
    "application_form": (application_form, "it", "pdf"),
}
