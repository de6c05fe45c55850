"""Sheets and delimited files in the layouts of named offices, each labelled by hand.

Every function gives the sheets of one publication and what a person says of its main table. The
figures are random. `layout` names the language and the kinds of file in which it is published.
"""
# ruff: noqa: E501, ARG001 contents of files, and functions with one signature
# fmt: off

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from published_case import Cell, Rows, Truth

Made = tuple[list[tuple[str, Rows]], Truth]


@dataclass(frozen=True)
class Layout:
    """A layout, the language it is in, and the kinds of file in which it is published."""

    name: str
    language: str
    kinds: tuple[str, ...]
    make: Callable[["Figures"], Made]


@dataclass(frozen=True)
class Figures:
    """A seeded source of figures."""

    random: random.Random

    def n(self, low: int = 120, high: int = 98_000) -> int:
        return self.random.randint(low, high)

    def f(self, low: float = 0.3, high: float = 96.0, digits: int = 1) -> float:
        return round(self.random.uniform(low, high), digits)

    def grouped(self, mark: str, low: int = 1000, high: int = 9_000_000) -> str:
        return f"{self.n(low, high):,}".replace(",", mark)

    def comma(self, digits: int = 1) -> str:
        return f"{self.f(digits=digits)}".replace(".", ",")

    def pick(self, *values: Cell) -> Cell:
        return self.random.choice(values)


@dataclass(frozen=True)
class _Registry:
    found: list[Layout] = field(default_factory=list)


_LAYOUTS = _Registry()


def layout(language: str, *kinds: str) -> Callable[[Callable[[Figures], Made]], Callable[[Figures], Made]]:
    def register(make: Callable[[Figures], Made]) -> Callable[[Figures], Made]:
        _LAYOUTS.found.append(Layout(make.__name__, language, kinds, make))
        return make

    return register


def list_layouts() -> Iterator[Layout]:
    yield from _LAYOUTS.found


_LAENDER = ["Baden-Württemberg", "Bayern", "Berlin", "Brandenburg", "Bremen", "Hamburg", "Hessen", "Sachsen"]
_STATES = ["Alabama", "Alaska", "Arizona", "Arkansas", "California", "Colorado", "Connecticut", "Delaware", "Florida", "Georgia"]
_EU = ["Belgium", "Bulgaria", "Czechia", "Denmark", "Germany", "Estonia", "Ireland", "Greece", "Spain", "France"]
_CODES = ["BE", "BG", "CZ", "DK", "DE", "EE", "IE", "EL", "ES", "FR"]


# Germany


@layout("de", "csv;cp1252", "xlsx", "csv;utf-8-sig")
def genesis_regional(r: Figures) -> Made:
    """A title over several lines, two rows of names over four columns without a name, a rule below."""
    rows: Rows = [
        ["GENESIS-Tabelle: 12613-02-02-4"],
        ["Sterbefälle: Gestorbene nach Geschlecht, Nationalität und"],
        ["Altersgruppen - Jahressumme -"],
        ["regionale Tiefe: Kreise und krfr. Städte"],
        ["Statistik der Sterbefälle"],
        ["Gestorbene (Anzahl)"],
        [None, None, None, None, "Insgesamt", "Insgesamt", "Insgesamt", "Deutsche", "Deutsche", "Deutsche"],
        [None, None, None, None, "Insgesamt", "männlich", "weiblich", "Insgesamt", "männlich", "weiblich"],
    ]
    body: Rows = [
        [2015, f"{k:02}", f"  {land}", alter, *(r.pick(r.n(0, 900), r.n(0, 900), "-", ".") for _ in range(6))]
        for k, land in enumerate(_LAENDER, 1)
        for alter in ("unter 1 Jahr", "1 bis unter 5 Jahre", "5 bis unter 15 Jahre", "85 Jahre und mehr", "Insgesamt")
    ]
    foot: Rows = [["__________"], ["Regionalatlas: ohne Sterbefälle im Ausland"], ["(C)opyright Statistisches Bundesamt (Destatis), 2023"], ["Stand: 04.04.2023 / 13:22:19"]]
    names = ["", "", "", "", "Insgesamt", "männlich", "weiblich", "Deutsche", "männlich", "Deutsche"]
    return [("12613-02-02-4", rows + body + foot)], Truth(names, len(body), (2015, 2015), "Sterbefälle")


@layout("de", "csv;cp1252", "xlsx")
def genesis_months(r: Figures) -> Made:
    """Months below their year in two columns, a row of units, marks for missing figures."""
    rows: Rows = [
        ["Verbraucherpreisindex (inkl. Veränderungsraten):"],
        ["Deutschland, Monate"],
        ["Verbraucherpreisindex für Deutschland"],
        ["Deutschland"],
        [None, None, "Verbraucherpreisindex", "Veränderung zum Vorjahresmonat", "Veränderung zum Vormonat"],
        [None, None, "2020=100", "in (%)", "in (%)"],
    ]
    months = "Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split()
    body: Rows = [
        [year, month, r.comma(), r.pick(f"+{r.comma()}", f"-{r.comma()}"), r.pick("-", f"+{r.comma()}")]
        for year in (2019, 2020, 2021, 2022)
        for month in months
    ]
    body[-1][2:] = ["...", "...", "..."]
    foot: Rows = [["__________"], ["© Statistisches Bundesamt (Destatis), 2022 | Stand: 13.12.2022 / 10:01:27"]]
    names = ["", "", "Verbraucherpreisindex", "Vorjahresmonat", "Vormonat"]
    return [("61111-0002", rows + body + foot)], Truth(names, 48, (2019, 2022), "Verbraucherpreisindex")


@layout("de", "csv;utf-8")
def genesis_flat(r: Figures) -> Made:
    """The flat file: a code and a label for each dimension, the figure in the last column."""
    header: list[Cell] = ["Statistik_Code", "Statistik_Label", "Zeit_Code", "Zeit_Label", "Zeit", "1_Merkmal_Code", "1_Merkmal_Label", "1_Auspraegung_Code", "1_Auspraegung_Label", "BEVSTD__Bevoelkerungsstand__Anzahl"]
    body: Rows = [
        ["12411", "Fortschreibung des Bevölkerungsstandes", "STAG", "Stichtag", f"31.12.{year}", "DLAND", "Bundesländer", f"{n:02}", land, r.n()]
        for year in (2018, 2019, 2020, 2021)
        for n, land in enumerate(_LAENDER, 1)
    ]
    return [("data", [header, *body])], Truth([str(c) for c in header], 32, (2018, 2021))


@layout("de", "xlsx", "xls", "ods")
def fachserie_with_sections(r: Figures) -> Made:
    """Cover and contents first; numbered rows, units as a header row, sections in the body."""
    cover: Rows = [["Statistisches Bundesamt"], [], ["Fachserie 1 Reihe 1.3"], ["Bevölkerung und Erwerbstätigkeit"], ["2019"], ["Erscheinungsfolge: jährlich"], ["Erschienen am 5. Oktober 2020"], ["Artikelnummer: 2010130197004"]]
    contents: Rows = [["Inhalt"], [], ["1", "Bevölkerung nach Altersgruppen"], ["2", "Bevölkerung nach Ländern"], [], ["Zeichenerklärung"], ["-", "nichts vorhanden"], ["...", "Angabe fällt später an"]]
    rows: Rows = [
        ["2 Bevölkerung am 31.12.2019 nach Ländern und Geschlecht"],
        [],
        ["Lfd.\nNr.", "Land", "Bevölkerung", None, None, "Anteil", None],
        [None, None, "insgesamt", "männlich", "weiblich", "männlich", "weiblich"],
        [None, None, "1 000", None, None, "%", None],
    ]
    body: Rows = []
    for section in ("Insgesamt", "darunter Ausländer 1)"):
        body.append([None, None, section])
        body += [[n, land, r.f(500, 9000), r.f(), r.f(), r.pick(r.f(), "X"), r.f()] for n, land in enumerate([*_LAENDER, "Deutschland"], 1)]
    foot: Rows = [["____"], ["1) Ohne Personen mit ungeklärter Staatsangehörigkeit."], ["Quelle: Bevölkerungsfortschreibung auf Grundlage des Zensus 2011."]]
    names = ["Lfd.", "Land", "insgesamt", "männlich", "weiblich", "Anteil", "weiblich"]
    return [("Titel", cover), ("Inhalt", contents), ("Tab 2", rows + body + foot)], Truth(names, 20, (2019, 2019), "Bevölkerung am")


@layout("de", "xlsx", "csv;cp1252")
def bfs_cantons(r: Figures) -> Made:
    """The number of the table at the right of the title; years down, apostrophes, "..." for missing."""
    rows: Rows = [
        ["Ständige Wohnbevölkerung nach Alter, 2010-2022", None, None, None, "T 01.02.03.02"],
        [],
        [None, "Total", "Altersklasse", None, None],
        [None, None, "0-19", "20-64", "65 und mehr"],
    ]
    body: Rows = [[year, r.grouped("'"), r.grouped("'"), r.grouped("'"), r.pick("...", r.grouped("'"))] for year in range(2010, 2023)]
    foot: Rows = [[], ["Quelle: BFS – STATPOP"], ["© BFS 2023"], ["Auskunft: Informationszentrum, Tel. 058 463 60 11, info.dem@example.org"]]
    names = ["", "Total", "0-19", "20-64", "65 und mehr"]
    return [("2010-2022", rows + body + foot)], Truth(names, 13, (2010, 2022), "Ständige Wohnbevölkerung")


# United Kingdom, Ireland


@layout("en", "csv,quoted")
def ons_series(r: Figures) -> Made:
    """A series of the ONS: names and values above, then years, quarters and months, no header."""
    head: Rows = [
        ["Title", "CPIH ANNUAL RATE 00: ALL ITEMS 2015=100"], ["CDID", "L55O"], ["Source dataset ID", "MM23"], ["PreUnit", ""], ["Unit", "%"],
        ["Release date", "15-11-2023"], ["Next release", "20 December 2023"], ["Important notes", None],
    ]
    body: Rows = [[f"{y}", f"{r.f(0, 9)}"] for y in range(2006, 2023)]
    body += [[f"{y} Q{q}", f"{r.f(0, 9)}"] for y in range(2006, 2023) for q in range(1, 5)]
    body += [[f"{y} {m}", f"{r.f(0, 9)}"] for y in range(2006, 2023) for m in "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC".split()]
    return [("series", head + body)], Truth(["", ""], len(body), (2006, 2022), "CPIH ANNUAL RATE")


@layout("en", "xlsx", "ods")
def ons_accessible(r: Figures) -> Made:
    """A cover sheet, notes, and a sheet with lines of guidance above the header; [x] and [note 1]."""
    cover: Rows = [["Mid-year population estimates: dataset"], ["This spreadsheet contains the data tables of the publication released on 21 December 2022."], ["Contact"], ["pop.info@example.org"], ["Telephone: +44 1329 444661"]]
    notes: Rows = [["Notes"], ["This worksheet contains one table."], ["Note number", "Note text"], *[[f"note {n}", "Estimates are rounded to the nearest hundred and may not sum to totals because of it."] for n in range(1, 6)]]
    rows: Rows = [
        ["Worksheet 1: Population estimates by sex, regions of England, mid-2020 and mid-2021 [note 1]"],
        ["This worksheet contains one table. Some cells refer to notes, which can be found in the notes worksheet."],
        ["Some shorthand is used in this table, [x] = not available; [c] = confidential."],
        ["Source: Office for National Statistics"],
        ["Area code", "Area name", "Sex", "Mid-2020 [note 2]", "Mid-2021", "Change (%)"],
    ]
    body: Rows = [[f"E1200000{n}", area, sex, r.n(), r.pick("[x]", r.n(), r.n()), r.pick("[c]", r.f(), r.f())] for n, area in enumerate(["North East", "North West", "London", "South East", "South West"], 1) for sex in ("Persons", "Males", "Females")]
    return [("Cover sheet", cover), ("Notes", notes), ("1", rows + body)], Truth(["Area code", "Area name", "Sex", "Mid-2020", "Mid-2021", "Change"], 15, (2020, 2021), "Population estimates by sex")


@layout("en", "xls", "xlsx")
def ons_labour_market(r: Figures) -> Made:
    """Identifiers of series below the names, rolling quarters in groups with blank rows, changes at the end."""
    rows: Rows = [
        ["A02 SA", None, None, None, None, None, "Labour Force Survey Summary (seasonally adjusted)"],
        ["United Kingdom (thousands), seasonally adjusted"],
        [],
        [None, "All aged 16 & over", None, None, "All aged 16 to 64", None, None],
        [None, "Total", "Employed", "Unemployed", "Total", "Employed", "Unemployed"],
        ["People", "MGSL", "MGRZ", "MGSC", "LF2O", "LF2G", "LF2I"],
    ]
    body: Rows = []
    for year in (2019, 2020, 2021, 2022):
        body += [[f"{q} {year}", *(r.n(1000, 54_000) for _ in range(6))] for q in ("Jan-Mar", "Apr-Jun", "Jul-Sep", "Oct-Dec")]
        body.append([])
    body += [["Change on quarter", *(r.n(-300, 300) for _ in range(6))], ["Change %", *(r.f(-2, 2) for _ in range(6))]]
    foot: Rows = [[], ["Source: Labour Force Survey"], ["1. The headline series are rolling three-month periods."]]
    names = ["", "Total", "Employed", "Unemployed", "All aged 16 to 64", "Employed", "Unemployed"]
    return [("1", rows + body + foot)], Truth(names, 18, (2019, 2022), "Labour Force Survey Summary")


@layout("en", "csv,quoted", "xlsx")
def nomis_query(r: Figures) -> Made:
    """A title, a copyright line, dimensions as names and values, the table, notes."""
    rows: Rows = [
        ["Annual Population Survey/Labour Force Survey - regional - employment by occupation"],
        ["ONS Crown Copyright Reserved [from Nomis on 1 January 2024]"],
        [],
        ["variable", "% all in employment"],
        ["cell", "T09a: all people"],
        [],
        ["Date", "number", "%", "conf", "status"],
    ]
    body: Rows = [[f"Jan {y}-Dec {y}", r.n(10_000, 900_000), r.f(), r.f(0.1, 2), r.pick(None, "a", None)] for y in range(2008, 2023)]
    foot: Rows = [[], ["Notes:"], ["- These figures are missing."], ["! Estimate is based on a small sample size."]]
    return [("Data", rows + body + foot)], Truth(["Date", "number", "%", "conf", "status"], 15, (2008, 2022), "employment by occupation")


@layout("en", "csv,quoted")
def cso_pxstat(r: Figures) -> Made:
    header: list[Cell] = ["STATISTIC", "Statistic Label", "TLIST(Q1)", "Quarter", "C02199V02655", "Sex", "UNIT", "VALUE"]
    body: Rows = [["QLF01C01", "Persons aged 15 years and over", f"{y}{q}", f"{y}Q{q}", s, {"-": "Both sexes", "1": "Male", "2": "Female"}[s], "Thousand", r.f(500, 3000)] for y in range(2015, 2020) for q in range(1, 5) for s in ("-", "1", "2")]
    return [("QLF01", [header, *body])], Truth([str(c) for c in header], 60, (2015, 2019))


# European Union


@layout("en", "csv\tutf-8")
def eurostat_bulk(r: Figures) -> Made:
    """Keys joined by commas in the first column, a flag after the figure, a blank after each cell."""
    years = list(range(2012, 2022))
    rows: Rows = [["freq,unit,sex,age,geo\\TIME_PERIOD", *(f"{y} " for y in years)]]
    for sex in ("F", "M", "T"):
        for geo in _CODES:
            rows.append([f"A,PC,{sex},Y15-74,{geo}", *(r.pick(f"{r.f(1, 20)} ", f"{r.f(1, 20)} ", f"{r.f(1, 20)} b", ": ", ": c", f"{r.f(1, 9)} ep") for _ in years)])
    return [("une_rt_a", rows)], Truth(["geo", *map(str, years)], 30, (2012, 2021))


@layout("en", "csv\tutf-8")
def eurostat_bulk_monthly(r: Figures) -> Made:
    months = [f"{y}-{m:02}" for y in (2021, 2020) for m in range(12, 0, -1)]
    rows: Rows = [["freq,unit,coicop,geo\\TIME_PERIOD", *(f"{m} " for m in months)]]
    rows += [[f"M,I15,CP{c:02},{geo}", *(r.pick(f"{r.f(90, 130, 2)} ", f"{r.f(90, 130, 2)} d", ": ") for _ in months)] for c in range(3) for geo in _CODES]
    return [("prc_hicp_midx", rows)], Truth(["geo", *months], 30, (2020, 2021))


@layout("en", "csv,utf-8")
def eurostat_sdmx_csv(r: Figures) -> Made:
    header: list[Cell] = ["DATAFLOW", "LAST UPDATE", "freq", "unit", "nace_r2", "geo", "TIME_PERIOD", "OBS_VALUE", "OBS_FLAG", "CONF_STATUS"]
    body: Rows = [["ESTAT:STS_INPR_A(1.0)", "14/11/23 23:00:00", "A", "I15", nace, geo, y, r.f(60, 140), r.pick(None, None, "p", "e"), None] for nace in ("B-D", "C") for geo in _CODES for y in range(2017, 2022)]
    return [("data", [header, *body])], Truth([str(c) for c in header], 100, (2017, 2021))


@layout("en", "xlsx")
def eurostat_browser(r: Figures) -> Made:
    """Facts above, a column of flags without a name beside each year, a legend below."""
    years = list(range(2014, 2022))
    summary: Rows = [["Data extracted on 24/10/2023 15:27:10 from [ESTAT]"], ["Dataset: ", "Unemployment rates by sex, age and citizenship [lfsq_urgan]"], ["Last updated: ", "12/10/2023 11:00"], [], ["Dimension", "Label"], ["Time frequency", "Annual"], ["Unit of measure", "Percentage"]]
    rows: Rows = [
        ["Data extracted on 24/10/2023 15:27:10 from [ESTAT]"],
        ["Dataset: ", "Unemployment rates by sex, age and citizenship [lfsq_urgan]"],
        ["Last updated: ", "12/10/2023 11:00"],
        [],
        ["Time frequency", None, "Annual"],
        ["Unit of measure", None, "Percentage of population"],
        ["Sex", None, "Total"],
        [],
        ["TIME", *(c for y in years for c in (str(y), None))],
        ["GEO (Labels)"],
    ]
    body: Rows = [[geo, *(c for _ in years for c in r.pick((r.f(2, 20), None), (r.f(2, 20), "b"), (":", None), (r.f(2, 20), None)))] for geo in _EU]  # type: ignore[union-attr]
    foot: Rows = [[], ["Special value"], [":", "not available"], [], ["Observation flags:"], ["b", "break in time series"]]
    names = ["TIME", *(c for y in years for c in (str(y), ""))]
    return [("Summary", summary), ("Sheet 1", rows + body + foot)], Truth(names, 10, (2014, 2021), "Unemployment rates by sex")


@layout("en", "csv,utf-8")
def ecb_series(r: Figures) -> Made:
    """Rows of facts about each series between the names and the figures."""
    rows: Rows = [
        ["Data Source in SDW: null", None, None],
        [None, "ICP.M.U2.N.000000.4.ANR", "ICP.M.DE.N.000000.4.ANR"],
        [None, "HICP - Overall index, Euro area", "HICP - Overall index, Germany"],
        ["Collection:", "Annual rate of change", "Annual rate of change"],
        ["Period\\Unit:", "[Percentage change ]", "[Percentage change ]"],
    ]
    body: Rows = [[f"{y}{m}", f"{r.f(0, 9)}", f"{r.f(0, 9)}"] for y in (2022, 2021, 2020) for m in "Dec Nov Oct Sep Aug Jul Jun May Apr Mar Feb Jan".split()]
    return [("data", rows + body)], Truth(["Period", "Euro area", "Germany"], 36, (2020, 2022))


# France


@layout("fr", "csv;utf-8")
def insee_series(r: Figures) -> Made:
    """A series of INSEE: facts as names and values, then months with a code for their status."""
    rows: Rows = [
        ["Libellé", "Indice des prix à la consommation - Base 2015 - Ensemble des ménages - France", "Codes"],
        ["idBank", "001759970", None],
        ["Dernière mise à jour", "15/11/2023 08:45", None],
        ["Période", None, None],
    ]
    body: Rows = [[f"{y}-{m:02}", f"{r.f(99, 120, 2)}", "A"] for y in range(2022, 2017, -1) for m in range(12, 0, -1)]
    return [("valeurs", rows + body)], Truth(["", "Indice des prix", "Codes"], 60, (2018, 2022))


@layout("fr", "xls", "xlsx", "csv;cp1252")
def insee_departments(r: Figures) -> Made:
    """Groups of ages below each sex, a heading over two label columns, subtotals, readings below."""
    ages = ["0 à 19 ans", "20 à 39 ans", "40 à 59 ans", "60 ans et plus", "Total"]
    rows: Rows = [
        ["Estimation de population au 1er janvier, par département, sexe et grande classe d'âge"],
        ["Année 2021"],
        [],
        ["Départements", None, "Ensemble", None, None, None, None, "Hommes", None, None, None, None],
        [None, None, *ages, *ages],
    ]
    body: Rows = [[f"{n:02}", d, *(r.n() for _ in range(10))] for n, d in enumerate(["Ain", "Aisne", "Allier", "Alpes-de-Haute-Provence", "Hautes-Alpes", "Alpes-Maritimes", "Ardèche", "Ardennes", "Ariège", "Aube"], 1)]
    body += [["2A", "Corse-du-Sud", *(r.n() for _ in range(10))], ["France métropolitaine", None, *(r.n() for _ in range(10))]]
    foot: Rows = [["Champ : France."], ["Note : résultats provisoires arrêtés fin 2022."], ["Source : Insee - Estimations de population"]]
    names = ["Départements", "", "0 à 19 ans", "20 à 39 ans", "40 à 59 ans", "60 ans", "Total", "Hommes", "20 à 39 ans", "40 à 59 ans", "60 ans", "Total"]
    return [("2021", rows + body + foot)], Truth(names, 12, (2021, 2021), "Estimation de population")


@layout("fr", "xlsx", "html")
def insee_figure(r: Figures) -> Made:
    """A figure of a study: "en %" at the right, "///" and "nd", breaks in parentheses."""
    rows: Rows = [
        ["Figure 3 – Taux de chômage au sens du BIT selon le diplôme"],
        [None, None, None, "en %"],
        ["Diplôme", "2018", "2019", "2020 (p)"],
        ["Ensemble", r.f(), r.f(), r.f()],
        ["Diplôme supérieur", r.f(), "nd", r.f()],
        ["Bac + 2", r.f(), r.f(), "///"],
        ["Bac, brevet professionnel", r.f(), r.f(), r.f()],
        ["CAP, BEP", r.f(), r.f(), r.f()],
        ["Aucun diplôme ou CEP", r.f(), r.f(), "nd"],
        ["(p) : données provisoires ; nd : données non disponibles ; /// : absence de résultat due à la nature des choses."],
        ["Lecture : en 2018, 9,1 % des actifs sont au chômage."],
        ["Champ : France hors Mayotte, personnes de 15 ans ou plus."],
        ["Source : Insee, enquête Emploi."],
    ]
    return [("Figure 3", rows)], Truth(["Diplôme", "2018", "2019", "2020"], 6, (2018, 2020), "Taux de chômage")


# Spain, Latin America


@layout("es", "csv;utf-8", "csv\tutf-8-sig")
def ine_long(r: Figures) -> Made:
    """One row per figure, with points between thousands."""
    rows: Rows = [["Total Nacional", "Comunidades y Ciudades Autónomas", "Sexo", "Periodo", "Total"]]
    for ca in ("01 Andalucía", "02 Aragón", "03 Asturias, Principado de", "04 Balears, Illes", "05 Canarias"):
        for sexo in ("Total", "Hombres", "Mujeres"):
            rows += [["Total Nacional", ca, sexo, f"1 de enero de {y}", r.pick(r.grouped("."), r.grouped("."), "..")] for y in (2022, 2021, 2020)]
    return [("56934", rows)], Truth(["Total Nacional", "Comunidades", "Sexo", "Periodo", "Total"], 45, (2020, 2022))


@layout("es", "xlsx", "xls", "csv;cp1252")
def ine_pcaxis_sheet(r: Figures) -> Made:
    """The sheet of PC-Axis: title, units, headings whose lower row has periods, indented places, notes."""
    years = ["2022", "2021", "2020"]
    rows: Rows = [
        ["Encuesta de Población Activa"],
        ["Resultados nacionales (desde 2002)"],
        [],
        ["Activos por sexo y comunidad autónoma"],
        ["Unidades: Miles de personas"],
        [],
        [None, "Ambos sexos", None, None, "Hombres", None, None],
        [None, *years, *years],
        ["Total Nacional", *(r.f(100, 9000) for _ in range(6))],
    ]
    rows += [[f"    {n:02} {ca}", *(r.pick(r.f(100, 900), "..") for _ in range(6))] for n, ca in enumerate(["Andalucía", "Aragón", "Asturias", "Balears", "Canarias", "Cantabria"], 1)]
    rows += [[], ["Notas:"], ["1.- Datos basados en el Censo 2011"], [], ["Fuente: "], ["Instituto Nacional de Estadística"]]
    names = ["", "2022", "2021", "2020", "Hombres", "2021", "2020"]
    return [("tabla-4247", rows)], Truth(names, 7, (2020, 2022), "Activos por sexo")


@layout("es", "csv,cp1252", "xlsx")
def inegi_states(r: Figures) -> Made:
    """Names over two rows, blank rows around the national total, notes and sources at the end."""
    rows: Rows = [
        ["Población"],
        ["Población total por entidad federativa y sexo, 2010 y 2020"],
        [],
        ["Entidad federativa", "2010", None, None, "2020", None, None],
        [None, "Total", "Hombres", "Mujeres", "Total", "Hombres", "Mujeres"],
        [],
        ["Estados Unidos Mexicanos", *(r.grouped(" ") for _ in range(6))],
        [],
    ]
    rows += [[e, *(r.grouped(" ") for _ in range(6))] for e in ("Aguascalientes", "Baja California", "Campeche", "Chiapas", "Chihuahua", "Colima", "Durango")]
    rows += [[], ["Nota:", "Incluye una estimación de población a nivel de entidad."], ["Fuente:", "INEGI. Censos de Población y Vivienda 2010 y 2020."]]
    names = ["Entidad federativa", "2010", "Hombres", "Mujeres", "2020", "Hombres", "Mujeres"]
    return [("Población_01", rows)], Truth(names, 8, (2010, 2020), "Población total por entidad")


@layout("pt", "csv;utf-8-sig", "xlsx")
def ibge_sidra(r: Figures) -> Made:
    """Table and variable in lines above, the names of dimensions in the corner, a legend below."""
    rows: Rows = [
        ["Tabela 6579 - População residente estimada"],
        ["Variável - População residente estimada (Pessoas)"],
        ["Unidade da Federação", "Ano", None, None],
        [None, "2019", "2020", "2021"],
    ]
    rows += [[uf, r.n(), r.pick("...", r.n()), r.n()] for uf in ("Rondônia", "Acre", "Amazonas", "Roraima", "Pará", "Amapá", "Tocantins", "Maranhão")]
    rows += [["Fonte: IBGE - Estimativas de População"], ["Notas"], ["1 - As estimativas consideram a divisão territorial de 2021."], ["Legenda"], ["Símbolo", "Significado"], ["-", "Zero absoluto, não resultante de um cálculo ou arredondamento."], ["..", "Valor não se aplica."], ["...", "Valor não disponível."]]
    return [("Tabela", rows)], Truth(["Unidade da Federação", "2019", "2020", "2021"], 8, (2019, 2021), "População residente estimada")


@layout("pt", "xls", "csv;cp1252", "xlsx")
def ine_pt_indicator(r: Figures) -> Made:
    """Names of dimensions above their values over five rows, then the unit under each column."""
    rows: Rows = [
        ["Quadro extraído em 12 de Novembro de 2023 (14:41:08)"],
        [],
        ["Período de referência dos dados", "Local de residência (NUTS - 2013)", None, "População residente (N.º) por Local de residência (NUTS - 2013) e Sexo; Anual", None, None],
        [None, None, None, "Sexo", None, None],
        [None, None, None, "HM", "H", "M"],
        [None, None, None, "N.º", "N.º", "N.º"],
    ]
    for ano in ("2021", "2020"):
        rows += [[ano, local, code, r.grouped(" "), r.grouped(" "), r.grouped(" ")] for local, code in (("Portugal", "PT"), ("Continente", "1"), ("Norte", "11"), ("Centro", "16"), ("Algarve", "15"))]
    rows += [[], ["População residente (N.º) por Local de residência; Anual - INE, Estimativas anuais"], ["Última atualização destes dados: 14 de junho de 2022"]]
    names = ["Período", "Local de residência", "", "HM", "H", "M"]
    return [("Quadro", rows)], Truth(names, 10, (2020, 2021), "População residente")


# Italy


@layout("it", "xls", "xlsx", "ods")
def istat_tavola(r: Figures) -> Made:
    """A title with its date, a row of years as a section, regions and totals of parts, notes with (a)."""
    rows: Rows = [
        ["Tavola 2.3 - Popolazione residente per sesso e regione al 1° gennaio"],
        [],
        ["ANNI\nREGIONI", "Maschi", "Femmine", "Totale", "Per 100 abitanti (a)"],
        [],
        *[[y, r.n(), r.n(), r.n(), r.f()] for y in (2017, 2018, 2019)],
        ["2020 - PER REGIONE"],
    ]
    for reg in ("Piemonte", "Valle d'Aosta/Vallée d'Aoste", "Liguria", "Lombardia", "Trentino-Alto Adige/Südtirol", "Veneto"):
        rows.append([reg, r.n(), r.n(), r.n(), r.f()])
    rows += [["Nord-ovest", r.n(), r.n(), r.n(), r.f()], ["ITALIA", r.n(), r.n(), r.n(), r.f()], [], ["Fonte: Istat, Popolazione residente comunale per sesso"], ["(a) I valori sono calcolati sulla popolazione media."]]
    return [("2.3", rows)], Truth(["REGIONI", "Maschi", "Femmine", "Totale", "Per 100 abitanti"], 12, None, "Popolazione residente per sesso")


@layout("it", "csv|utf-8", "csv,quoted")
def istat_data(r: Figures) -> Made:
    header: list[Cell] = ["ITTER107", "Territorio", "TIPO_DATO15", "Tipo dato", "SEXISTAT1", "Sesso", "TIME", "Seleziona periodo", "Value", "Flag Codes", "Flags"]
    body: Rows = [[f"IT{c}{n}", reg, "JAN", "popolazione al 1º gennaio", s, {1: "maschi", 2: "femmine", 9: "totale"}[s], y, y, r.n(), None, None] for n, (c, reg) in enumerate((("C", "Piemonte"), ("C", "Liguria"), ("D", "Veneto"), ("F", "Campania")), 1) for s in (1, 2, 9) for y in (2019, 2020, 2021)]
    return [("DCIS_POPRES1", [header, *body])], Truth([str(c) for c in header], 36, (2019, 2021))


# North America, Australia


@layout("en", "csv,quoted")
def statcan_full(r: Figures) -> Made:
    header: list[Cell] = ["REF_DATE", "GEO", "DGUID", "Sex", "Age group", "UOM", "UOM_ID", "SCALAR_FACTOR", "SCALAR_ID", "VECTOR", "COORDINATE", "VALUE", "STATUS", "SYMBOL", "TERMINATED", "DECIMALS"]
    body: Rows = [[str(y), geo, f"2016A0002{n}", sex, "All ages", "Persons", "249", "units", "0", f"v46{n}{k}", f"{n}.{k}.1", str(r.n()), None, None, None, "0"] for y in range(2016, 2022) for n, geo in enumerate(("Canada", "Ontario", "Quebec", "Alberta"), 1) for k, sex in enumerate(("Both sexes", "Males"), 1)]
    return [("17100005", [header, *body])], Truth([str(c) for c in header], 48, (2016, 2021))


@layout("en", "csv,quoted", "csv,utf-8-sig")
def statcan_view(r: Figures) -> Made:
    """The table as shown: lines of facts, names, a row of units, footnotes, how to cite."""
    rows: Rows = [
        ["Employment by industry, monthly, seasonally adjusted (x 1,000)  1 2 3"],
        ["Frequency: Monthly"],
        ["Table: 14-10-0355-01 (formerly CANSIM 282-0088)"],
        ["Release date: 2023-10-06"],
        ["Geography: Canada"],
        [],
        ["North American Industry Classification System (NAICS) 4", "May 2023", "June 2023", "July 2023", "August 2023", "September 2023"],
        [None, "Persons in thousands", None, None, None, None],
    ]
    rows += [[f"{name} {n}", *(f"{r.f(20, 20_000):,}" + str(r.pick("", "", "", "E")) for _ in range(5))] for n, name in enumerate(("Total employed, all industries", "Goods-producing sector", "Agriculture", "Forestry, fishing, mining", "Utilities", "Construction", "Manufacturing", "Services-producing sector"), 5)]
    rows += [[], ["Symbol legend:"], [], ["E", "Use with caution"], [], ["Footnotes:"], ["1", "Estimates in thousands, rounded to the nearest hundred."], ["2", "Fluctuations in economic time series are caused by seasonal movements."], [], ["How to cite: Statistics Canada. Table 14-10-0355-01  Employment by industry"]]
    return [("view", rows)], Truth(["North American Industry", "May 2023", "June 2023", "July 2023", "August 2023", "September 2023"], 8, (2023, 2023), "Employment by industry")


@layout("en", "xlsx", "csv,quoted")
def census_states(r: Figures) -> Made:
    """A line for screen readers first, a heading over years, states with a dot before the name."""
    rows: Rows = [
        ["table with row headers in column A and column headers in rows 3 through 4. (leading dots indicate sub-parts)"],
        ["Annual Estimates of the Resident Population for the United States: April 1, 2010 to July 1, 2014"],
        ["Geographic Area", "April 1, 2010", None, "Population Estimate (as of July 1)", None, None, None, None],
        [None, "Census", "Estimates Base", 2010, 2011, 2012, 2013, 2014],
    ]
    rows += [[name, *(f"{r.n(400_000, 39_000_000):,}" for _ in range(7))] for name in ("United States", "Northeast", "Midwest", "South", "West", *(f".{s}" for s in _STATES))]
    rows += [["Note: The estimates are based on the 2010 Census and reflect changes to the April 1, 2010 population."], ["Suggested Citation:"], ["Annual Estimates of the Resident Population"], ["Source: U.S. Census Bureau, Population Division"], ["Release Date: December 2014"]]
    names = ["Geographic Area", "Census", "Estimates Base", "2010", "2011", "2012", "2013", "2014"]
    return [("NST01", rows)], Truth(names, 15, (2010, 2014), "Annual Estimates of the Resident Population")


@layout("en", "csv,cp1252")
def census_file(r: Figures) -> Made:
    """Codes of summary levels, years at the end of names."""
    header: list[Cell] = ["SUMLEV", "REGION", "DIVISION", "STATE", "NAME", "ESTIMATESBASE2020", "POPESTIMATE2020", "POPESTIMATE2021", "NPOPCHG2020", "NPOPCHG2021", "RDEATH2021"]
    body: Rows = [["040", n % 4 + 1, n % 9 + 1, f"{n:02}", s, *(r.n(500_000, 9_000_000) for _ in range(3)), r.n(-900, 900), r.n(-9000, 9000), r.f(5, 14, 6)] for n, s in enumerate(_STATES, 1)]
    return [("NST-EST2021", [header, *body])], Truth([str(c) for c in header], 10, (2020, 2021))


@layout("en", "csv,quoted")
def census_acs(r: Figures) -> Made:
    """Labels with blanks that may not break, estimates with commas, margins with a sign."""
    rows: Rows = [["Label (Grouping)", "United States!!Estimate", "United States!!Margin of Error", "Texas!!Estimate", "Texas!!Margin of Error"]]
    for n, label in enumerate(("Total:", "Male:", "Under 5 years", "5 to 9 years", "10 to 14 years", "Female:", "Under 5 years", "5 to 9 years", "10 to 14 years")):
        depth = 0 if n == 0 else 1 if label.endswith(":") else 2
        rows.append(["\u00a0" * 4 * depth + label, f"{r.n(10_000, 900_000):,}", r.pick("*****", f"±{r.n(100, 9000):,}"), f"{r.n(10_000, 900_000):,}", f"±{r.n(100, 9000):,}"])
    return [("ACSDT1Y", rows)], Truth(["Label", "United States!!Estimate", "Margin of Error", "Texas", "Margin"], 9, None)


@layout("en", "csv\tutf-8")
def bls_flat(r: Figures) -> Made:
    """Names and values padded with blanks."""
    rows: Rows = [["series_id        ", "year", "period", "       value", "footnote_codes"]]
    rows += [[f"LNS1{n}000000      ", y, f"M{m:02}", f"{r.f(2, 15):>12}", r.pick("", "", "R")] for n in (1, 2) for y in (2019, 2020, 2021) for m in range(1, 13)]
    return [("ln.data", rows)], Truth(["series_id", "year", "period", "value", "footnote_codes"], 72, (2019, 2021))


@layout("en", "html", "xlsx")
def bls_news_release(r: Figures) -> Made:
    """Three rows of names, sections in capitals, months across with "p", footnotes numbered."""
    months = ["Oct.\n2022", "Aug.\n2023", "Sept.\n2023(p)", "Oct.\n2023(p)"]
    rows: Rows = [
        ["Table B-1. Employees on nonfarm payrolls by industry sector"],
        ["[In thousands]"],
        ["Industry", "Not seasonally adjusted", None, None, None, "Seasonally adjusted", None, None, None],
        [None, *months, *months],
    ]
    for name in ("Total nonfarm", "Total private", "Goods-producing", "Mining and logging", "Logging", "Oil and gas extraction(1)", "Construction", "Manufacturing"):
        rows.append([name, *(f"{r.n(100, 150_000):,}" for _ in range(8))])
        if name == "Total private":
            rows.append(["GOODS AND SERVICES"])
    rows += [["(1) Includes other industries, not shown separately."], ["p Preliminary"], ["NOTE: Data are currently projected from March 2022 benchmark levels."]]
    names = ["Industry", "Oct.", "Aug.", "Sept.", "Oct.", "Seasonally adjusted", "Aug.", "Sept.", "Oct."]
    return [("B-1", rows)], Truth(names, 9, (2022, 2023), "Employees on nonfarm payrolls")


@layout("en", "xls", "xlsx")
def abs_time_series(r: Figures) -> Made:
    """Names of series in the first row, nine rows of facts about them, then a date per row."""
    names = ["Employed total ;  Persons ;  Trend", "Employed total ;  Males ;  Trend", "Unemployed total ;  Persons ;  Trend", "Unemployment rate ;  Persons ;  Trend"]
    index: Rows = [["Australian Bureau of Statistics"], ["6202.0 Labour Force, Australia"], ["Table 1. Labour force status by Sex"], [], ["Data Item Description", "Series Type", "Series ID", "No. Obs."], *[[n, "Trend", f"A8442{k}X", 48] for k, n in enumerate(names)]]
    rows: Rows = [
        [None, *names],
        ["Unit", "000", "000", "000", "Percent"],
        ["Series Type", *["Trend"] * 4],
        ["Data Type", *["STOCK"] * 3, "PERCENT"],
        ["Frequency", *["Month"] * 4],
        ["Collection Month", 1, 1, 1, 1],
        ["Series Start", *["Jan-2018"] * 4],
        ["Series End", *["Dec-2021"] * 4],
        ["No. Obs", 48, 48, 48, 48],
        ["Series ID", "A84423043C", "A84423044F", "A84423046K", "A84423050A"],
    ]
    rows += [[f"{m}-{y}", r.f(9000, 13_000, 4), r.f(4000, 7000, 4), r.f(400, 800, 4), r.f(3, 7, 6)] for y in range(2018, 2022) for m in "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()]
    return [("Index", index), ("Data1", rows)], Truth(["", "Employed total ;  Persons", "Males", "Unemployed total", "Unemployment rate"], 48, (2018, 2021))


@layout("en", "xls", "csv\tutf-8")
def fred_series(r: Figures) -> Made:
    """Lines about the source, the identifier as a name, dates down."""
    rows: Rows = [
        ["FRED Graph Observations"], ["Federal Reserve Economic Data"], ["Link: https://fred.example.org"], ["Help: https://help.example.org"], ["Economic Research Division"], ["Federal Reserve Bank"], [],
        ["UNRATE", "Unemployment Rate, Percent, Monthly, Seasonally Adjusted"], [], ["Frequency: Monthly"],
        ["observation_date", "UNRATE"],
    ]
    rows += [[f"{y}-{m:02}-01", r.f(3, 14)] for y in range(2015, 2020) for m in range(1, 13)]
    return [("FRED Graph", rows)], Truth(["observation_date", "UNRATE"], 60, (2015, 2019))


# International organisations


@layout("en", "csv,quoted", "xls")
def worldbank_wide(r: Figures) -> Made:
    """Four lines above, a column per year, empty years at the beginning, a comma at the end."""
    years = list(range(1990, 2023))
    rows: Rows = [["Data Source", "World Development Indicators"], [], ["Last Updated Date", "2023-10-26"], [], ["Country Name", "Country Code", "Indicator Name", "Indicator Code", *map(str, years)]]
    rows += [[c, c[:3].upper(), "Population, total", "SP.POP.TOTL", *(None if y < 1998 or r.n(0, 9) == 0 else r.n(100_000, 90_000_000) for y in years)] for c in ("Aruba", "Africa Eastern and Southern", "Afghanistan", "Angola", "Albania", "Andorra", "Arab World", "Argentina", "Armenia", "Bahamas, The", "Bahrain", "Cuba")]
    names = ["Country Name", "Country Code", "Indicator Name", "Indicator Code", *map(str, years)]
    meta: Rows = [["Country Code", "Region", "IncomeGroup"], ["ABW", "Latin America", "High income"], ["AFG", "South Asia", "Low income"]]
    return [("Data", rows), ("Metadata - Countries", meta)], Truth(names, 12, (1990, 2022))


@layout("en", "csv\tutf-16", "csv\tcp1252")
def imf_weo(r: Figures) -> Made:
    """A sheet in name only: tabs, long notes in a column, "n/a" and "--", figures with commas."""
    years = list(range(2012, 2026))
    header: list[Cell] = ["WEO Country Code", "ISO", "WEO Subject Code", "Country", "Subject Descriptor", "Subject Notes", "Units", "Scale", "Country/Series-specific Notes", *map(str, years), "Estimates Start After"]
    note = "Expressed in billions of national currency units; the base year is country-specific. Expenditure-based GDP is total final expenditures at purchasers' prices."
    source = "Source: National Statistics Office Latest actual data: 2020 Notes: GDP data are in constant prices, base year 2010 National accounts manual used: SNA 2008"
    rows: Rows = [header]
    for n, c in enumerate(("Afghanistan", "Albania", "Algeria", "Andorra", "Angola", "Antigua and Barbuda"), 1):
        for subject in ("NGDP_R", "NGDP_RPCH", "LP"):
            rows.append([511 + n, c[:3].upper(), subject, c, {"NGDP_R": "Gross domestic product, constant prices", "NGDP_RPCH": "GDP, percent change", "LP": "Population"}[subject], note, "National currency", "Billions", source, *(r.pick(f"{r.f(10, 9000, 3):,}", f"{r.f(10, 900, 3):,}", "n/a", "--") for _ in years), "2020"])
    rows += [[], ["International Monetary Fund, World Economic Outlook Database, April 2021"]]
    return [("WEO", rows)], Truth([str(c) for c in header], 18, (2012, 2025))


@layout("en", "csv,quoted")
def oecd_classic(r: Figures) -> Made:
    header: list[Cell] = ["LOCATION", "INDICATOR", "SUBJECT", "MEASURE", "FREQUENCY", "TIME", "Value", "Flag Codes"]
    body: Rows = [[loc, "GDP", "TOT", "MLN_USD", "Q", f"{y}-Q{q}", r.f(1000, 90_000, 3), r.pick(None, "E", "P")] for loc in ("AUS", "AUT", "BEL", "CAN") for y in (2019, 2020) for q in range(1, 5)]
    return [("DP_LIVE", [header, *body])], Truth([str(c) for c in header], 32, (2019, 2020))


@layout("en", "csv,utf-8")
def oecd_explorer(r: Figures) -> Made:
    """Codes and labels of every dimension, constant columns, empty columns."""
    header: list[Cell] = ["STRUCTURE", "STRUCTURE_ID", "STRUCTURE_NAME", "ACTION", "REF_AREA", "Reference area", "FREQ", "Frequency of observation", "MEASURE", "Measure", "UNIT_MEASURE", "Unit of measure", "TIME_PERIOD", "Time period", "OBS_VALUE", "Observation value", "OBS_STATUS", "Observation status", "UNIT_MULT", "Unit multiplier", "DECIMALS", "Decimals"]
    body: Rows = [["DATAFLOW", "OECD.SDD.TPS:DSD_LFS@DF_IALFS_UNE_M(1.0)", "Monthly unemployment rates", "I", code, area, "M", "Monthly", "UNE_LF_M", "Monthly unemployment rate", "PT_LF_SUB", "Percentage of labour force in the same subgroup", f"{y}-{m:02}", None, r.f(2, 12), None, "A", "Normal value", "0", "Units", "1", "One"] for code, area in (("AUS", "Australia"), ("AUT", "Austria"), ("JPN", "Japan")) for y in (2021, 2022) for m in range(1, 13)]
    return [("data", [header, *body])], Truth([str(c) for c in header], 72, (2021, 2022))


@layout("en", "csv,quoted")
def undata_export(r: Figures) -> Made:
    """Quoted names, footnotes as a second table at the end of the file."""
    rows: Rows = [["Country or Area", "Year", "Area", "Sex", "Record Type", "Reliability", "Source Year", "Value", "Value Footnotes"]]
    rows += [[c, y, "Total", s, "Estimate - de facto", "Final figure, complete", y + 2, r.n(), r.pick(None, "1", "2,3")] for c in ("Albania", "Algeria", "Angola", "Aruba") for y in (2012, 2013, 2014) for s in ("Both Sexes", "Male", "Female")]
    rows += [[], ["footnoteSeqID", "Footnote"], ["1", "Data refer to national projections."], ["2", "Excluding nomads."], ["3", "Figures for male and female do not add up to the figure for both sexes."]]
    return [("UNdata", rows)], Truth(["Country or Area", "Year", "Area", "Sex", "Record Type", "Reliability", "Source Year", "Value", "Value Footnotes"], 36, (2012, 2014))


@layout("en", "xlsx")
def un_prospects(r: Figures) -> Made:
    """Sixteen rows of a letterhead, long names with units, "..." for missing, notes as numbers."""
    head: Rows = [[], [], ["United Nations"], ["Population Division"], ["Department of Economic and Social Affairs"], [], ["World Population Prospects 2022"], ["File GEN/01/REV1: Demographic indicators by region, subregion and country, annually for 1950-2100"], ["Estimates, 1950 - 2021"], ["POP/DB/WPP/Rev.2022/GEN/F01/Rev.1"], ["© July 2022 by United Nations, made available under a Creative Commons license"], ["Suggested citation: United Nations, World Population Prospects 2022"], [], [None, None, None, None, None, None, None, None, "Population"], []]
    header: list[Cell] = ["Index", "Variant", "Region, subregion, country or area *", "Notes", "Location code", "ISO3 Alpha-code", "Type", "Year", "Total Population, as of 1 January (thousands)", "Population Density (persons per square km)", "Median Age (years)"]
    head = [*head, header]
    body: Rows = [[n * 8 + k + 1, "Estimates", area, r.pick(None, 12), 900 + n, r.pick(None, area[:3].upper()), "Country/Area", 2014 + k, r.f(100, 90_000, 3), r.f(1, 400, 3), r.pick("...", r.f(15, 45, 3))] for n, area in enumerate(("WORLD", "Burundi", "Comoros", "Djibouti", "Eritrea", "Ethiopia")) for k in range(8)]
    notes: Rows = [["Notes"], [], ["1", "For statistical purposes, the data for China do not include Hong Kong."], ["2", "Including Agalega and Rodrigues."]]
    return [("Estimates", head + body), ("NOTES", notes)], Truth(["Index", "Variant", "Region", "Notes", "Location code", "ISO3", "Type", "Year", "Total Population", "Population Density", "Median Age"], 48, (2014, 2021))


# Poland, Czechia


@layout("pl", "xlsx", "xls", "csv;cp1250")
def gus_bilingual(r: Figures) -> Made:
    """Title and names in two languages, the labels again in English in the last column."""
    rows: Rows = [
        ["TABL. 3 (25).", "LUDNOŚĆ WEDŁUG WOJEWÓDZTW"],
        [None, "Stan w dniu 31 XII"],
        [None, "POPULATION BY VOIVODSHIPS"],
        [None, "As of 31 XII"],
        ["WOJEWÓDZTWA", 2010, 2015, 2019, 2020, "VOIVODSHIPS"],
        [None, "w tysiącach     in thousands", None, None, None, None],
    ]
    rows += [[f"{w} ........", r.f(100, 5000), r.f(100, 5000), r.f(100, 5000), r.pick(r.f(100, 5000), f"{r.comma()}a"), e] for w, e in (("P O L S K A", "P O L A N D"), ("Dolnośląskie", "Dolnośląskie"), ("Kujawsko-pomorskie", "Kujawsko-pomorskie"), ("Lubelskie", "Lubelskie"), ("Lubuskie", "Lubuskie"), ("Łódzkie", "Łódzkie"), ("Małopolskie", "Małopolskie"))]
    rows += [["a Dane szacunkowe."], ["a Estimated data."]]
    return [("TABL. 3", rows)], Truth(["WOJEWÓDZTWA", "2010", "2015", "2019", "2020", "VOIVODSHIPS"], 7, (2010, 2020), "LUDNOŚĆ WEDŁUG")


@layout("pl", "csv;utf-8-sig")
def gus_bdl(r: Figures) -> Made:
    """Names made of dimension, year and unit, with the delimiter inside quotes."""
    years = (2019, 2020, 2021)
    header: list[Cell] = ["Kod", "Nazwa", *(f"{s};{y};[osoba]" for s in ("ogółem", "mężczyźni") for y in years)]
    body: Rows = [[f"{n:02}00000", w, *(r.n() for _ in range(6))] for n, w in enumerate(("POLSKA", "MAŁOPOLSKIE", "ŚLĄSKIE", "LUBUSKIE", "OPOLSKIE", "ŁÓDZKIE"))]
    return [("LUDN", [header, *body])], Truth([str(c) for c in header], 6, (2019, 2021))


@layout("cs", "csv,cp1250", "xlsx")
def czso_regions(r: Figures) -> Made:
    """A code of the table, a title, a heading over two columns, the year as a column."""
    rows: Rows = [
        ["Veřejná databáze", None, None, None, None],
        ["Obyvatelstvo podle krajů", None, None, None, None],
        ["Období: 2018 - 2020", None, None, None, None],
        [None, None, "Počet obyvatel", "Živě narození", "Zemřelí"],
    ]
    rows += [[k, y, r.grouped("\u00a0"), r.grouped("\u00a0"), r.pick("i.d.", r.grouped("\u00a0"))] for k in ("Hlavní město Praha", "Středočeský kraj", "Jihočeský kraj", "Plzeňský kraj") for y in (2018, 2019, 2020)]
    rows += [["Kód: DEM02/1"]]
    return [("DEM02", rows)], Truth(["", "", "Počet obyvatel", "Živě narození", "Zemřelí"], 12, (2018, 2020), "Obyvatelstvo podle krajů")


# Nordic countries, the Netherlands


@layout("sv", "csv,cp1252", "xlsx")
def scb_pxweb(r: Figures) -> Made:
    """The title in quotes, a blank line, labels in columns, measure and year in each name."""
    rows: Rows = [["Folkmängd efter region, civilstånd, kön och år"], [], ["region", "civilstånd", "kön", "Folkmängd 2019", "Folkmängd 2020", "Folkmängd 2021"]]
    rows += [[f"{n:02} {name} län", c, k, r.n(), r.n(), r.n()] for n, name in ((1, "Stockholms"), (3, "Uppsala"), (4, "Södermanlands")) for c in ("ogifta", "gifta") for k in ("män", "kvinnor")]
    return [("BE0101A9", rows)], Truth(["region", "civilstånd", "kön", "Folkmängd 2019", "2020", "2021"], 12, (2019, 2021), "Folkmängd efter region")


@layout("no", "xlsx", "csv;cp1252")
def ssb_sheet(r: Figures) -> Made:
    """Years over the columns, three label columns without a name, empty repeats, facts below."""
    rows: Rows = [["07459: Befolkning, etter region, kjønn, statistikkvariabel og år"], [], [None, None, "Personer", None, None], [None, None, "2020", "2021", "2022"]]
    for region in ("30 Viken", "03 Oslo", "34 Innlandet", "38 Vestfold og Telemark"):
        rows += [[region, "Menn", r.n(), r.n(), r.n()], [None, "Kvinner", r.n(), r.n(), r.n()]]
    rows += [[], ["Tall for kommuner er korrigert."], [], ["Sist endret:"], ["20220222 08:00"], [], ["Kilde:"], ["Statistisk sentralbyrå"], ["Kontakt:"], ["Magnus Haug, Statistisk sentralbyrå"], ["Måleenhet:"], ["personer"]]
    return [("Befolkning", rows)], Truth(["", "", "2020", "2021", "2022"], 8, (2020, 2022), "Befolkning, etter region")


@layout("nl", "csv;utf-8-sig", "xlsx")
def cbs_statline(r: Figures) -> Made:
    """Names of topics over periods with a star, a row of units, the source at the end."""
    rows: Rows = [["Bevolking; kerncijfers"], [None, "Onderwerp", "Bevolking naar geslacht", None, None], [None, None, "Totale bevolking", "Mannen", "Vrouwen"], ["Regio's", "Perioden", "aantal", "aantal", "aantal"]]
    rows += [[p, f"{y}{'*' if y == 2022 else ''}", r.n(), r.n(), r.n()] for p in ("Nederland", "Groningen (PV)", "Fryslân (PV)", "Drenthe (PV)") for y in (2020, 2021, 2022)]
    rows += [["Bron: CBS"]]
    return [("Kerncijfers", rows)], Truth(["Regio", "Perioden", "Totale bevolking", "Mannen", "Vrouwen"], 12, (2020, 2022), "Bevolking; kerncijfers")


# Asia, Eastern and Southern Europe, other scripts


@layout("ja", "csv,cp932", "csv,utf-8-sig")
def estat_database(r: Figures) -> Made:
    """Facts as names and values, then a code and a label for each dimension, "***" and "-"."""
    rows: Rows = [
        ["統計名：", "国勢調査 令和2年国勢調査 人口等基本集計"], ["表番号：", "1-1"], ["表題：", "男女別人口－全国，都道府県"], ["実施年月：", "2020年", "市区町村時点（年月日）：", None], ["***", "当該箇所のデータが存在しない"], ["-", "該当数値がないもの"], [],
        ["表章項目 コード", "表章項目", "男女 コード", "男女", "全国,都道府県 コード", "全国,都道府県", "時間軸(年次)", "/単位", "2020年"],
    ]
    rows += [["2020_01", "人口", k, s, f"{n:02}000", p, "2020年", "人", r.pick(r.grouped(","), r.grouped(","), "-")] for k, s in ((0, "総数"), (1, "男"), (2, "女")) for n, p in enumerate(("全国", "北海道", "青森県", "岩手県", "宮城県"))]
    names = ["表章項目 コード", "表章項目", "男女 コード", "男女", "コード", "都道府県", "時間軸", "単位", "2020年"]
    return [("FEH", rows)], Truth(names, 15, (2020, 2020), "男女別人口")


@layout("ja", "xls", "xlsx")
def estat_table(r: Figures) -> Made:
    """A number and a title, the unit at the right, two rows of names, areas with blanks inside."""
    rows: Rows = [
        ["第２表　都道府県，男女別人口（各年10月1日現在）"], [None, None, None, None, None, None, "（単位　千人）"],
        [None, "都　道　府　県", "総　　人　　口", None, None, "日　本　人　人　口", None],
        [None, None, "男女計", "男", "女", "男女計", "男"],
    ]
    rows += [[f"{n:02}", p, *(r.n(500, 14_000) for _ in range(5))] for n, p in enumerate(("全　国", "北 海 道", "青 森 県", "岩 手 県", "宮 城 県", "秋 田 県", "山 形 県"))]
    rows += [["注）数値は四捨五入のため，合計と一致しない。"], ["資料：総務省統計局「人口推計」"]]
    return [("第２表", rows)], Truth(["", "都", "男女計", "男", "女", "日", "男"], 7, None, "都道府県")


@layout("zh", "csv,gb18030", "xls")
def nbs_indicators(r: Figures) -> Made:
    rows: Rows = [["数据库：年度数据"], ["时间：最近5年"], ["指标", *(f"{y}年" for y in range(2022, 2017, -1))]]
    rows += [[i, *(r.pick(r.n(), r.n(), None) for _ in range(5))] for i in ("年末总人口(万人)", "男性人口(万人)", "女性人口(万人)", "城镇人口(万人)", "乡村人口(万人)")]
    rows += [["注：1981年及以前人口数据为户籍统计数；1982年、1990年、2000年、2010年数据为当年人口普查数据推算数。"], ["数据来源：国家统计局"]]
    return [("年度数据", rows)], Truth(["指标", *(f"{y}年" for y in range(2022, 2017, -1))], 5, (2018, 2022))


@layout("ko", "csv,cp949", "xlsx")
def kosis_two_rows(r: Figures) -> Made:
    rows: Rows = [["행정구역(시군구)별", "2021", None, None, "2022", None, None], [None, "총인구수 (명)", "남자인구수 (명)", "여자인구수 (명)", "총인구수 (명)", "남자인구수 (명)", "여자인구수 (명)"]]
    rows += [[p, *(r.n(100_000, 9_000_000) for _ in range(6))] for p in ("전국", "서울특별시", "부산광역시", "대구광역시", "인천광역시", "광주광역시", "대전광역시")]
    names = ["행정구역", "2021", "남자인구수", "여자인구수", "2022", "남자인구수", "여자인구수"]
    return [("데이터", rows)], Truth(names, 7, (2021, 2022))


@layout("ru", "csv;cp1251", "xlsx", "xls")
def rosstat_regions(r: Figures) -> Made:
    """A title, its date and unit in brackets, footnotes with a bracket, figures with a comma."""
    rows: Rows = [["Численность постоянного населения по субъектам Российской Федерации"], ["(на 1 января; тысяч человек)"], [], [None, "2018", "2019", "2020", "2021 1)"]]
    rows += [[p, *(r.comma() for _ in range(4))] for p in ("Российская Федерация", "Центральный федеральный округ", "Белгородская область", "Брянская область", "Владимирская область", "Воронежская область", "г. Москва")]
    rows += [["1) Предварительные данные."]]
    return [("таб 1", rows)], Truth(["", "2018", "2019", "2020", "2021"], 7, (2018, 2021), "Численность постоянного населения")


@layout("uk", "xlsx", "csv;cp1251")
def ukrstat_periods(r: Figures) -> Made:
    rows: Rows = [["Середньомісячна заробітна плата за регіонами"], ["(грн)"], [None, "січень", "лютий", "березень", "квітень", "травень", "червень"]]
    rows += [[p, *(r.n(7000, 20_000) for _ in range(6))] for p in ("Україна", "Вінницька", "Волинська", "Дніпропетровська", "Житомирська", "м. Київ")]
    return [("2021", rows)], Truth(["", "січень", "лютий", "березень", "квітень", "травень", "червень"], 6, None, "Середньомісячна заробітна плата")


@layout("el", "csv;cp1253", "xlsx")
def elstat_bilingual(r: Figures) -> Made:
    """Greek and English above each other in title and names."""
    rows: Rows = [["Πίνακας 1. Απασχολούμενοι κατά φύλο και τρίμηνο"], ["Table 1. Employed by sex and quarter"], ["Χιλιάδες / Thousands"], ["Τρίμηνο\nQuarter", "Σύνολο\nTotal", "Άνδρες\nMales", "Γυναίκες\nFemales"]]
    rows += [[f"{t} Τρίμηνο {y}", *(r.f(900, 4000) for _ in range(3))] for y in (2020, 2021) for t in ("Α΄", "Β΄", "Γ΄", "Δ΄")]
    rows += [["Πηγή: Έρευνα Εργατικού Δυναμικού, ΕΛΣΤΑΤ"]]
    return [("1", rows)], Truth(["Τρίμηνο", "Σύνολο", "Άνδρες", "Γυναίκες"], 8, (2020, 2021), "Απασχολούμενοι κατά φύλο|Employed by sex")


@layout("he", "xlsx", "csv,cp1255")
def cbs_hebrew(r: Figures) -> Made:
    rows: Rows = [["לוח 2.1 אוכלוסייה לפי קבוצת אוכלוסייה"], ["אלפים"], ["שנה", "סך הכל", "יהודים", "ערבים", "אחרים"]]
    rows += [[y, r.f(4000, 9000), r.f(), r.f(), r.f()] for y in range(2010, 2021)]
    rows += [["מקור: הלשכה המרכזית לסטטיסטיקה"]]
    return [("2.1", rows)], Truth(["שנה", "סך הכל", "יהודים", "ערבים", "אחרים"], 11, (2010, 2020), "אוכלוסייה לפי")


@layout("ar", "xlsx", "csv,cp1256")
def arabic_yearbook(r: Figures) -> Made:
    rows: Rows = [["جدول 1-2: عدد السكان حسب المحافظة والنوع"], ["Table 1-2: Population by governorate and sex"], ["المحافظة", "ذكور", "إناث", "الجملة", "Governorate"], [None, "Males", "Females", "Total", None]]
    rows += [[a, r.grouped(","), r.grouped(","), r.grouped(","), e] for a, e in (("القاهرة", "Cairo"), ("الإسكندرية", "Alexandria"), ("بورسعيد", "Port Said"), ("السويس", "Suez"), ("دمياط", "Damietta"), ("الجملة", "Total"))]
    rows += [["المصدر: الجهاز المركزي للتعبئة العامة والإحصاء"]]
    return [("1-2", rows)], Truth(["المحافظة", "ذكور", "إناث", "الجملة", "Governorate"], 6, None, "عدد السكان|Population by governorate")


@layout("tr", "csv;cp1254", "xlsx")
def tuik_table(r: Figures) -> Made:
    rows: Rows = [["İllere göre nüfus, 2018-2021"], ["Population by provinces, 2018-2021"], [], ["İl - Province", "Yıl - Year", "Toplam\nTotal", "Erkek\nMale", "Kadın\nFemale"]]
    rows += [[il, y, r.grouped(" "), r.grouped(" "), r.grouped(" ")] for il in ("Adana", "Adıyaman", "Ağrı", "Iğdır", "Şırnak") for y in range(2018, 2022)]
    rows += [["TÜİK, Adrese Dayalı Nüfus Kayıt Sistemi"]]
    return [("t1", rows)], Truth(["İl", "Yıl", "Toplam", "Erkek", "Kadın"], 20, (2018, 2021), "İllere göre nüfus")


# Shapes that any office uses


@layout("en", "xlsx", "csv,quoted")
def two_blocks_beside(r: Figures) -> Made:
    """The second half of the rows beside the first, with a blank column between."""
    rows: Rows = [["Table 5. Births and deaths by state, 2019"], [], ["State", "Births", "Deaths", None, "State", "Births", "Deaths"]]
    rows += [[a, r.n(), r.n(), None, b, r.n(), r.n()] for a, b in zip(_STATES[:5], _STATES[5:], strict=True)]
    return [("T5", rows)], Truth(["State", "Births", "Deaths", "", "State", "Births", "Deaths"], 5, (2019, 2019), "Births and deaths by state")


@layout("en", "xlsx", "ods")
def indicators_down_years_across(r: Figures) -> Made:
    """Numbered rows of different units, sections with a number, an indicator of integers near 2000."""
    rows: Rows = [["Key figures"], [], [None, "Indicator", "Unit", "2016", "2017", "2018", "2019"]]
    for n, section in enumerate(("Population", "Labour", "Prices"), 1):
        rows.append([f"{n}.", section.upper()])
        rows += [[f"{n}.{k}", f"{section} indicator {k}", r.pick("1 000", "%", "EUR"), *(r.pick(r.n(1900, 2060), r.f()) for _ in range(4))] for k in range(1, 5)]
    return [("Key figures", rows)], Truth(["", "Indicator", "Unit", "2016", "2017", "2018", "2019"], 15, (2016, 2019), "Key figures")


@layout("en", "xlsx", "csv,quoted")
def counts_near_years(r: Figures) -> Made:
    """Small counts that look like years, months down, one year in the title."""
    rows: Rows = [["Asylum applications lodged in 2016, by month and status"], ["Month", "Lodged", "Granted", "Rejected"]]
    rows += [[m, r.n(1900, 2090), r.n(1500, 2050), r.n(1800, 2100)] for m in "January February March April May June July August September October November December".split()]
    rows += [["Total", r.n(20_000, 25_000), r.n(20_000, 25_000), r.n(20_000, 25_000)]]
    return [("A", rows)], Truth(["Month", "Lodged", "Granted", "Rejected"], 13, (2016, 2016), "Asylum applications")


@layout("fr", "xlsx", "csv;utf-8")
def stub_merged_over_rows(r: Figures) -> Made:
    """A label for several rows in its first row only, a first column that is empty, totals between."""
    rows: Rows = [[None, "Tableau 4 : Logements autorisés par région et par type"], [], [None, "Région", "Type", "T1 2021", "T2 2021", "T3 2021", "T4 2021"]]
    for region in ("Bretagne", "Normandie", "Occitanie", "Corse"):
        rows += [[None, region if k == 0 else None, t, *(r.n(100, 9000) for _ in range(4))] for k, t in enumerate(("Individuel", "Collectif", "Total"))]
    rows += [[None, "Source : SDES, Sit@del2"]]
    return [("Tab4", rows)], Truth(["Région", "Type", "T1 2021", "T2 2021", "T3 2021", "T4 2021"], 12, (2021, 2021), "Logements autorisés")


@layout("de", "xlsx", "csv;cp1252")
def long_footnotes_and_blank_columns(r: Figures) -> Made:
    """Empty columns as gaps between groups, footnote marks as figures of their own, long notes."""
    rows: Rows = [
        ["Tab. 7: Studierende nach Fächergruppen im Wintersemester"],
        [None, "Männer", None, None, "Frauen", None],
        ["Fächergruppe", "2018/19", "2019/20", None, "2018/19", "2019/20"],
    ]
    rows += [[f, r.n(), r.n(), None, r.n(), r.n()] for f in ("Geisteswissenschaften 1)", "Sport", "Rechtswissenschaften", "Mathematik 2)", "Humanmedizin", "Ingenieurwissenschaften")]
    rows += [["1) Einschließlich Theologie; durch die Umstellung der Fächersystematik sind die Werte mit denen früherer Jahre nur eingeschränkt vergleichbar."], ["2) Mathematik, Naturwissenschaften."]]
    return [("Tab7", rows)], Truth(["Fächergruppe", "2018/19", "2019/20", "", "2018/19", "2019/20"], 6, (2018, 2019), "Studierende nach Fächergruppen")


@layout("en", "csv,quoted", "xlsx")
def transposed_years_down(r: Figures) -> Made:
    """Two rows of labels over figures, years down, one cell of text among the figures."""
    rows: Rows = [["Energy balance, terajoules"], [None, "Coal", None, "Gas", None], ["Year", "Imports", "Exports", "Imports", "Exports"]]
    rows += [[y, r.n(), r.n(), r.n(), r.pick(r.n(), "confidential")] for y in range(1995, 2021)]
    return [("Balance", rows)], Truth(["Year", "Imports", "Exports", "Gas", "Exports"], 26, (1995, 2020), "Energy balance")


@layout("it", "xlsx", "csv;utf-8")
def age_classes_down(r: Figures) -> Made:
    """Classes of age that look like dates or periods, figures per sex and year."""
    rows: Rows = [["Occupati per classe di età e sesso (migliaia)"], ["Classe di età", "Maschi 2019", "Maschi 2020", "Femmine 2019", "Femmine 2020"]]
    rows += [[c, *(r.comma() for _ in range(4))] for c in ("15-24", "25-34", "35-44", "45-54", "55-64", "65 e più", "15-64", "Totale")]
    return [("Tav1", rows)], Truth(["Classe", "Maschi 2019", "Maschi 2020", "Femmine 2019", "Femmine 2020"], 8, (2019, 2020), "Occupati per classe")


@layout("en", "csv,quoted")
def microdata_codes(r: Figures) -> Made:
    """Counts by coded dimensions: every column has integers."""
    header: list[Cell] = ["year", "month", "region_code", "sex", "age_group", "deaths"]
    body: Rows = [[y, m, reg, s, a, r.n(0, 400)] for y in (2019, 2020) for m in range(1, 13) for reg in (1, 2) for s in (1, 2) for a in (1, 2, 3)]
    return [("deaths", [header, *body])], Truth([str(c) for c in header], 288, (2019, 2020))


# Periods as offices write them

_STYLES: dict[str, tuple[str, tuple[str, ...], tuple[int, int]]] = {
    "quarter_en": ("en", ("Q1 2019", "Q2 2019", "Q3 2019", "Q4 2019", "Q1 2020"), (2019, 2020)),
    "quarter_iso": ("en", ("2019-Q1", "2019-Q2", "2019-Q3", "2019-Q4", "2020-Q1"), (2019, 2020)),
    "quarter_de": ("de", ("1. Vj. 2019", "2. Vj. 2019", "3. Vj. 2019", "4. Vj. 2019", "1. Vj. 2020"), (2019, 2020)),
    "quarter_de_long": ("de", ("1. Quartal 2019", "2. Quartal 2019", "3. Quartal 2019", "4. Quartal 2019", "1. Quartal 2020"), (2019, 2020)),
    "quarter_es": ("es", ("2019TI", "2019TII", "2019TIII", "2019TIV", "2020TI"), (2019, 2020)),
    "quarter_es_2": ("es", ("1T2019", "2T2019", "3T2019", "4T2019", "1T2020"), (2019, 2020)),
    "quarter_fr": ("fr", ("2019-T1", "2019-T2", "2019-T3", "2019-T4", "2020-T1"), (2019, 2020)),
    "quarter_it": ("it", ("T1-2019", "T2-2019", "T3-2019", "T4-2019", "T1-2020"), (2019, 2020)),
    "quarter_pl": ("pl", ("I kw. 2019", "II kw. 2019", "III kw. 2019", "IV kw. 2019", "I kw. 2020"), (2019, 2020)),
    "quarter_pt": ("pt", ("1.º trimestre de 2019", "2.º trimestre de 2019", "3.º trimestre de 2019", "4.º trimestre de 2019", "1.º trimestre de 2020"), (2019, 2020)),
    "quarter_roman": ("cs", ("I/2019", "II/2019", "III/2019", "IV/2019", "I/2020"), (2019, 2020)),
    "month_eurostat": ("en", ("2019M10", "2019M11", "2019M12", "2020M01", "2020M02"), (2019, 2020)),
    "month_de": ("de", ("Oktober 2019", "November 2019", "Dezember 2019", "Jänner 2020", "März 2020"), (2019, 2020)),
    "month_fr": ("fr", ("oct. 2019", "nov. 2019", "déc. 2019", "janv. 2020", "févr. 2020"), (2019, 2020)),
    "month_es": ("es", ("oct-19", "nov-19", "dic-19", "ene-20", "feb-20"), (2019, 2020)),
    "month_it": ("it", ("ottobre 2019", "novembre 2019", "dicembre 2019", "gennaio 2020", "febbraio 2020"), (2019, 2020)),
    "month_pl": ("pl", ("październik 2019", "listopad 2019", "grudzień 2019", "styczeń 2020", "luty 2020"), (2019, 2020)),
    "month_pt": ("pt", ("out/2019", "nov/2019", "dez/2019", "jan/2020", "fev/2020"), (2019, 2020)),
    "month_ja": ("ja", ("2019年10月", "2019年11月", "2019年12月", "2020年1月", "2020年2月"), (2019, 2020)),
    "month_ru": ("ru", ("октябрь 2019", "ноябрь 2019", "декабрь 2019", "январь 2020", "февраль 2020"), (2019, 2020)),
    "month_nl": ("nl", ("2019 oktober", "2019 november", "2019 december", "2020 januari", "2020 februari*"), (2019, 2020)),
    "date_de": ("de", ("31.12.2016", "31.12.2017", "31.12.2018", "31.12.2019", "31.12.2020"), (2016, 2020)),
    "date_en": ("en", ("1 January 2016", "1 January 2017", "1 January 2018", "1 January 2019", "1 January 2020"), (2016, 2020)),
    "date_us": ("en", ("12/31/2016", "12/31/2017", "12/31/2018", "12/31/2019", "12/31/2020"), (2016, 2020)),
    "fiscal_us": ("en", ("FY2016", "FY2017", "FY2018", "FY2019", "FY2020"), (2016, 2020)),
    "school_year": ("en", ("2016/17", "2017/18", "2018/19", "2019/20", "2020/21"), (2016, 2020)),
    "span": ("fr", ("2000-2005", "2005-2010", "2010-2015", "2015-2020", "2020-2021"), (2000, 2021)),
    "flags": ("en", ("2016", "2017 b", "2018(r)", "2019p", "2020*"), (2016, 2020)),
    "flags_2": ("it", ("2016", "2017", "2018 (a)", "2019 (b)", "2020 [p]"), (2016, 2020)),
    "half_year": ("en", ("2018-S1", "2018-S2", "2019-S1", "2019-S2", "2020-S1"), (2018, 2020)),
    "week": ("en", ("2020-W01", "2020-W02", "2020-W03", "2020-W04", "2020-W05"), (2020, 2020)),
    "year_ko": ("ko", ("2016년", "2017년", "2018년", "2019년", "2020년"), (2016, 2020)),
}


def list_period_layouts() -> Iterator[Layout]:
    """A table for each way to write a period: down in one kind of file, across in another."""
    for name, (language, labels, years) in _STYLES.items():
        yield Layout(f"down_{name}", language, ("csv;utf-8-sig",), _make_periods(labels, years, across=False))
        yield Layout(f"across_{name}", language, ("xlsx",), _make_periods(labels, years, across=True))


def _make_periods(labels: tuple[str, ...], years: tuple[int, int], *, across: bool) -> Callable[[Figures], Made]:
    def make(r: Figures) -> Made:
        if across:
            rows: Rows = [["Series", *labels], *[[s, *(r.n() for _ in labels)] for s in ("A. Agriculture", "B. Mining", "C. Manufacturing", "D. Energy")]]
            return [("1", rows)], Truth(["Series", *labels], 4, years)
        rows = [["Period", "Agriculture", "Mining", "Manufacturing"], *[[p, r.n(), r.n(), r.n()] for p in labels]]
        return [("1", rows)], Truth(["Period", "Agriculture", "Mining", "Manufacturing"], 5, years)

    return make


# Not statistics


@layout("de", "xlsx", "csv;cp1252")
def other_directory(r: Figures) -> Made:
    rows: Rows = [["Behörde", "Straße", "PLZ", "Ort", "Telefon", "E-Mail"]]
    rows += [[f"Standesamt {o}", f"Hauptstraße {r.n(1, 99)}", f"{r.n(10_000, 99_000)}", o, f"0{r.n(30, 900)} {r.n(10_000, 999_999)}", f"info@{n}.example.org"] for n, o in enumerate(_LAENDER)]
    return [("Adressen", rows)], Truth([str(c) for c in rows[0]], 8, None, statistics=False)


@layout("en", "csv,utf-8")
def other_lookup(r: Figures) -> Made:
    header: list[Cell] = ["LSOA11CD", "LSOA11NM", "MSOA11CD", "MSOA11NM", "LAD20CD", "LAD20NM", "FID"]
    body: Rows = [[f"E0100{n:04}", f"City of London {n:03}A", f"E0200{n:04}", f"City of London {n:03}", "E09000001", "City of London", n] for n in range(1, 60)]
    return [("lookup", [header, *body])], Truth([str(c) for c in header], 59, None, statistics=False)


@layout("fr", "xlsx", "csv;utf-8")
def other_nomenclature(r: Figures) -> Made:
    header: list[Cell] = ["Ligne", "Code", "Intitulés de la NAF rév. 2", "Intitulés en 40 positions"]
    body: Rows = [[n, f"{n:02}.{n % 9}0Z", f"Culture de céréales et de légumes numéro {n}", f"Culture {n}"] for n in range(1, 40)]
    return [("Feuil1", [header, *body])], Truth([str(c) for c in header], 39, None, statistics=False)


@layout("en", "xlsx", "html")
def other_calendar(r: Figures) -> Made:
    header: list[Cell] = ["Release date", "Time", "Title", "Reference period", "Status"]
    body: Rows = [[f"{n + 1} March 2024", "9:30am", f"Consumer price inflation, UK: part {n}", "February 2024", "Confirmed"] for n in range(12)]
    return [("Calendar", [["Release calendar"], header, *body])], Truth([str(c) for c in header], 12, None, "Release calendar", statistics=False)


@layout("es", "csv;utf-8", "xlsx")
def other_record_layout(r: Figures) -> Made:
    """The variables of a file of microdata, their positions and lengths."""
    header: list[Cell] = ["Variable", "Diccionario", "Posición inicial", "Longitud", "Tipo", "Descripción"]
    body: Rows = [[f"VAR{n:02}", f"T_{n}", 1 + 3 * n, r.n(1, 3), "A", f"Descripción de la variable número {n} del fichero de microdatos"] for n in range(25)]
    return [("Diseño", [["Diseño de registro"], header, *body])], Truth([str(c) for c in header], 25, None, "Diseño de registro", statistics=False)


@layout("it", "csv;utf-8", "xlsx")
def other_schools(r: Figures) -> Made:
    header: list[Cell] = ["Codice scuola", "Denominazione", "Indirizzo", "CAP", "Comune", "Latitudine", "Longitudine"]
    body: Rows = [[f"TOIC8{n:04}", f"Istituto comprensivo {n}", f"Via Roma, {n}", f"10{n:03}", "Torino", r.f(44, 46, 5), r.f(7, 9, 5)] for n in range(1, 30)]
    return [("scuole", [header, *body])], Truth([str(c) for c in header], 29, None, statistics=False)


@layout("pl", "xlsx")
def other_questionnaire(r: Figures) -> Made:
    rows: Rows = [["Formularz F-01"], [], ["Lp.", "Pytanie", "Tak", "Nie", "Uwagi"]]
    rows += [[n, f"Czy jednostka prowadziła działalność w roku {2020 + n % 3}?", None, None, None] for n in range(1, 15)]
    return [("F-01", rows)], Truth(["Lp.", "Pytanie", "Tak", "Nie", "Uwagi"], 14, None, statistics=False)


@layout("pt", "csv;cp1252")
def other_contracts(r: Figures) -> Made:
    """Documents with their numbers, dates and links."""
    header: list[Cell] = ["N.º do processo", "Data de publicação", "Objeto", "Entidade", "Hiperligação"]
    body: Rows = [[f"{r.n(1000, 9999)}/2021", f"{n % 28 + 1:02}-05-2021", f"Aquisição de serviços de manutenção, lote {n}", "Câmara Municipal", f"https://www.example.org/doc/{n}"] for n in range(25)]
    return [("1", [header, *body])], Truth([str(c) for c in header], 25, None, statistics=False)
