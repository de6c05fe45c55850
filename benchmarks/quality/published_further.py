"""Sheets and delimited files in further layouts of named offices, each labelled by hand.

They were written and labelled before the catalogue read one of them. The functions have the form of
those in `published_offices`.
"""
# ruff: noqa: E501, ARG001 contents of files, and functions with one signature
# fmt: off

from collections.abc import Callable, Iterator
from datetime import datetime

from published_case import Cell, Rows, Truth
from published_offices import Figures, Layout, Made

_FOUND: list[Layout] = []


def made_in(language: str, *kinds: str) -> Callable[[Callable[[Figures], Made]], Callable[[Figures], Made]]:
    def register(make: Callable[[Figures], Made]) -> Callable[[Figures], Made]:
        _FOUND.append(Layout(make.__name__, language, kinds, make))
        return make

    return register


def list_further_layouts() -> Iterator[Layout]:
    yield from _FOUND


_MONTHS = "January February March April May June July August September October November December".split()
_COUNTRIES = ["Argentina", "Australia", "Austria", "Bangladesh", "Belgium", "Brazil", "Canada", "Chile", "China", "Colombia", "Denmark", "Egypt"]


# European Union


@made_in("en", "xlsx", "xls")
def eurostat_publication_sheet(r: Figures) -> Made:
    """A sheet of a statistical article: everything from column C on, a unit line, marks as superscripts."""
    rows: Rows = [
        [], [None, None, "Migration and asylum"], [None, None, "Population and social conditions"], [],
        [None, None, "Table 2: Immigration by citizenship, 2021"], [None, None, "(thousand and % of total)"], [],
        [None, None, None, "Total immigrants", "Nationals", None, "Non-nationals", None],
        [None, None, None, "(1 000)", "(1 000)", "(%)", "(1 000)", "(%)"],
    ]
    names = ["EU (¹)", "Belgium", "Bulgaria", "Czechia (²)", "Denmark", "Germany", "Estonia", "Ireland", "Greece", "Spain", "France"]
    body: Rows = [[None, None, n, r.f(10, 900), r.pick(":", r.f()), r.pick(":", r.f()), r.f(), r.f()] for n in names]
    foot: Rows = [[], [None, None, "(:) not available"], [None, None, "(¹) Estimate."], [None, None, "(²) Break in time series."], [None, None, "Source: Eurostat (online data code: migr_imm1ctz)"], [], [None, None, "Bookmark:"], [None, None, "https://www.example.org/eurostat/databrowser/bookmark/1"]]
    return [("Table 2", rows + body + foot)], Truth(["", "Total immigrants", "Nationals", "(%)", "Non-nationals", "(%)"], 11, (2021, 2021), "Immigration by citizenship")


@made_in("en", "xlsx")
def eurostat_time_down(r: Figures) -> Made:
    """Several sheets of one extraction; quarters down, countries across with a column of flags each, legend below."""
    summary: Rows = [["Unemployment rate - quarterly data [tipsun30]"], ["Dataset code:", "TIPSUN30"], ["Number of sheets:", 2], [], ["Sheet", "Time frequency", "Age class"], ["Sheet 1", "Quarterly", "From 15 to 74 years"], ["Sheet 2", "Quarterly", "From 25 to 54 years"]]

    def sheet(age: str, last: int) -> Rows:
        head: Rows = [["Data extracted on 12/03/2023 10:02:11 from [ESTAT]"], ["Dataset: ", "Unemployment rate - quarterly data [tipsun30]"], ["Last updated: ", "09/03/2023 23:00"], [], ["Time frequency", None, "Quarterly"], ["Age class", None, age], []]
        head += [["GEO (Labels)", "Belgium", None, "Bulgaria", None, "Czechia", None], ["TIME", None, None, None, None, None, None]]
        body: Rows = [[f"{y}-Q{q}", r.f(3, 9), r.pick(None, "b"), r.pick(":", r.f(3, 9)), r.pick(None, "u"), r.f(2, 9), None] for y in range(2016, last) for q in (1, 2, 3, 4)]
        return head + body + [[], ["Special value"], [":", "not available"], [], ["Available flags:"], ["b", "break in time series"], ["u", "low reliability"]]

    return [("Summary", summary), ("Sheet 1", sheet("From 15 to 74 years", 2023)), ("Sheet 2", sheet("From 25 to 54 years", 2021))], Truth(["", "Belgium", "", "Bulgaria", "", "Czechia", ""], 28, (2016, 2022), "Unemployment rate - quarterly data")


# Germany, Switzerland, Austria


@made_in("de", "csv;cp1252")
def genesis_dates_repeated(r: Figures) -> Made:
    """The name of the time axis over every column, dates of stock below it, a rule at the end."""
    head: Rows = [["GENESIS-Tabelle: 11111-0001"], ["Gebietsfläche: Bundesländer, Stichtag"], ["Feststellung des Gebietsstands"], ["Gebietsfläche (qkm)"]]
    years = range(1995, 2008)
    head += [[None, *["Stichtag"] * 13], [None, *(f"31.12.{y}" for y in years)]]
    body: Rows = [[land, *(f"{r.f(400, 70_000, 2)}".replace(".", ",") for _ in years)] for land in ("Baden-Württemberg", "Bayern", "Berlin", "Brandenburg", "Bremen", "Thüringen", "Insgesamt")]
    foot: Rows = [["__________"], ["Gebietsstand: jeweiliger Stand"], ["© Statistisches Bundesamt (Destatis), 2023"], ["Stand: 11.08.2023 / 20:48:54"]]
    return [("11111", head + body + foot)], Truth(["", *(f"31.12.{y}" for y in years)], 7, (1995, 2007), "Gebietsfläche: Bundesländer")


@made_in("de", "xlsx", "csv;utf-8-sig")
def genesis_quality_flags(r: Figures) -> Made:
    """The present database: a column with the quality mark after each figure, the mark explained below."""
    head: Rows = [["Tabelle: 12612-0001"], ["Lebendgeborene: Deutschland, Jahre, Geschlecht"], ["Statistik der Geburten"], ["Deutschland"], [None, "Geschlecht", None, None, None, None, None], [None, "männlich", None, "weiblich", None, "Insgesamt", None], ["Jahr", "Anzahl", None, "Anzahl", None, "Anzahl", None]]
    body: Rows = [[str(y), r.n(), "e", r.n(), "e", r.n(), "e"] for y in range(2008, 2023)]
    foot: Rows = [[], ["e: endgültiger Wert"], ["© Statistisches Bundesamt (Destatis), 2023"], ["Stand: 02.08.2023 / 11:20:06"]]
    return [("12612-0001", head + body + foot)], Truth(["Jahr", "männlich", "", "weiblich", "", "Insgesamt", ""], 15, (2008, 2022), "Lebendgeborene")


@made_in("de", "xlsx")
def statistischer_bericht(r: Figures) -> Made:
    """A report with a title sheet, a contents sheet, a printed table and the same figures as a flat sheet."""
    title: Rows = [["Statistischer Bericht"], ["Krankenhäuser"], ["2021"], ["EVAS-Nummer: 23111"], ["Erschienen am 21.12.2022"], ["Artikelnummer: 2120611217005"]]
    contents: Rows = [["Inhaltsübersicht"], ["Zurück zum Titel"], ["23111-01", "Krankenhäuser und Betten nach Ländern"], ["csv-23111-01", "Krankenhäuser und Betten nach Ländern"]]
    shown: Rows = [["Zum Inhalt"], ["Tabelle 23111-01: Krankenhäuser und Betten nach Ländern 2021"], ["Land", "Kranken-\nhäuser", "Aufgestellte Betten\ninsgesamt"], *[[land, r.n(), r.n()] for land in ("Bayern", "Berlin", "Hessen")]]
    header: list[Cell] = ["Statistik", "Tabelle", "Berichtsjahr", "Land", "Traegerschaft", "Merkmal", "Einheit", "Wert"]
    flat: Rows = [["23111", "23111-01", 2021, land, t, m, "Anzahl", r.pick("-", r.n(), r.n())] for land in ("Bayern", "Berlin", "Hessen", "Sachsen") for t in ("öffentlich", "privat", "freigemeinnützig") for m in ("Krankenhäuser", "Betten")]
    return [("Titel", title), ("Inhaltsübersicht", contents), ("23111-01", shown), ("csv-23111-01", [header, *flat])], Truth([str(c) for c in header], 24, (2021, 2021), "Krankenhäuser")


@made_in("de", "csv;utf-8-sig", "csv;cp1252")
def bundesbank_series(r: Figures) -> Made:
    """Identifiers, names, unit, dimension and date of each series above the months; a column of flags each."""
    head: Rows = [
        ["", "BBK01.WT1010", "BBK01.WT1010_FLAGS", "BBK01.WT3404", "BBK01.WT3404_FLAGS"],
        ["", "Rendite der jeweils jüngsten Bundesanleihe", "", "Umlaufrendite inländischer Inhaberschuldverschreibungen", ""],
        ["Einheit", "Prozent", "", "Prozent", ""], ["Dimension", "Eins", "", "Eins", ""], ["Stand vom", "02.01.2024 17:01:05 Uhr", "", "02.01.2024 17:01:05 Uhr", ""],
    ]
    body: Rows = [[f"{y}-{m:02}", r.comma(2), None, r.pick(".", r.comma(2)), r.pick(None, "Kein Wert vorhanden")] for y in range(2015, 2020) for m in range(1, 13)]
    return [("series", head + body)], Truth(["", "BBK01.WT1010", "BBK01.WT1010_FLAGS", "BBK01.WT3404", "BBK01.WT3404_FLAGS"], 60, (2015, 2019))


@made_in("de", "xls", "xlsx")
def landesamt_bericht(r: Figures) -> Made:
    """Names over four rows broken by hyphens, numbered columns, districts in blocks with their sum below a rule."""
    rows: Rows = [
        ["1. Viehhaltungen und Viehbestand in Bayern am 3. November 2020 nach Kreisen"], [],
        ["Schlüssel-", "Gebiet", "Haltungen", "Rinder", "davon", None],
        ["nummer", None, "mit", "ins-", "Milch-", "andere"],
        [None, None, "Rindern", "gesamt", "kühe", "Kühe"],
        [None, None, "Anzahl", None, None, None],
        [], [1, 2, 3, 4, 5, 6], [],
    ]
    body: Rows = []
    for block, names in (("1", ("Ingolstadt", "München, Landeshauptstadt", "Rosenheim", "Altötting")), ("2", ("Landshut", "Passau", "Straubing", "Deggendorf"))):
        body += [[f"{block}{n}{n}", name, r.n(), r.n(), r.n(), r.pick("–", r.n())] for n, name in enumerate(names, 1)]
        body += [[], [block, "Regierungsbezirk", r.n(), r.n(), r.n(), r.n()], []]
    foot: Rows = [["_______"], ["1) Betriebe mit mindestens 10 Rindern."]]
    return [("1", rows + body + foot)], Truth(["nummer", "Gebiet", "Rindern", "gesamt", "kühe", "andere"], 10, (2020, 2020), "Viehhaltungen und Viehbestand")


@made_in("de", "xlsx")
def bfs_four_languages(r: Figures) -> Made:
    """The same table in German, French, Italian and English on four sheets."""
    sheets: list[tuple[str, Rows]] = []
    for tab, title, total, men, women, source in (
        ("D", "Bilanz der ständigen Wohnbevölkerung nach Kanton, definitive Jahresergebnisse, 2021", "Total", "Mann", "Frau", "Quelle: BFS – STATPOP"),
        ("F", "Bilan de la population résidante permanente selon le canton, résultats annuels définitifs, 2021", "Total", "Homme", "Femme", "Source: OFS – STATPOP"),
        ("I", "Bilancio della popolazione residente permanente secondo il cantone, risultati annuali definitivi, 2021", "Totale", "Uomo", "Donna", "Fonte: UST – STATPOP"),
        ("E", "Balance of permanent resident population by canton, definitive annual results, 2021", "Total", "Male", "Female", "Source: FSO – STATPOP"),
    ):
        rows: Rows = [[title, None, None, None, "cc-x-01.02.04.05"], [], [None, total, men, women, "Δ %"], []]
        rows += [[c, r.n(), r.n(), r.n(), r.f(-2, 2)] for c in ("Schweiz / Suisse / Svizzera", "Zürich", "Bern / Berne", "Luzern", "Uri", "Schwyz", "Genève", "Ticino")]
        sheets.append((tab, [*rows, [], [source], ["© BFS 2022"]]))
    return sheets, Truth(["", "Total", "Mann", "Frau", "%"], 8, (2021, 2021), "Bilanz der ständigen Wohnbevölkerung")


# United Kingdom, Ireland


@made_in("en", "xls", "xlsx", "csv,utf-8")
def ons_ages_across(r: Figures) -> Made:
    """Codes, names and geography, then a column for each year of age, whose names are integers."""
    ages = list(range(90))
    rows: Rows = [["Table 9: Population estimates: Persons by single year of age and sex for local authorities, mid-2019"], [], [], []]
    rows += [["Code", "Name", "Geography", "All ages", *ages, "90+"]]
    body: Rows = [[f"E0600000{n}", name, kind, r.n(), *(r.n(200, 4000) for _ in range(91))] for n, (name, kind) in enumerate((("UNITED KINGDOM", "Country"), ("GREAT BRITAIN", "Country"), ("ENGLAND", "Country"), ("NORTH EAST", "Region"), ("County Durham", "Unitary Authority"), ("Darlington", "Unitary Authority"), ("Hartlepool", "Unitary Authority")))]
    foot: Rows = [[], ["Figures may not add exactly due to rounding."], ["Source: Office for National Statistics"]]
    return [("MYE2 - Persons", rows + body + foot)], Truth(["Code", "Name", "Geography", "All ages", *map(str, ages), "90+"], 7, (2019, 2019), "Population estimates: Persons by single year")


@made_in("en", "csv,quoted")
def ons_dataset_series(r: Figures) -> Made:
    """Many series across with facts above each, then years, quarters and months in one column."""
    head: Rows = [["Title", "GDP: chained volume measures: SA £m", "GDP: current prices: SA £m", "GDP per head: CVM: SA £"], ["CDID", "ABMI", "YBHA", "IHXW"], ["PreUnit", "£", "£", "£"], ["Unit", "m", "m", ""], ["Release Date", "22-12-2023", "22-12-2023", "22-12-2023"], ["Next release", "13 February 2024"], ["Important Notes", "", "", ""]]
    body: Rows = [[f"{y}", f"{r.n()}", f"{r.n()}", f"{r.n()}"] for y in range(1990, 2023)]
    body += [[f"{y} Q{q}", f"{r.n()}", f"{r.n()}", f"{r.n()}"] for y in range(1990, 2023) for q in (1, 2, 3, 4)]
    return [("qna", head + body)], Truth(["Title", "GDP: chained", "GDP: current", "GDP per head"], len(body), (1990, 2022))


@made_in("en", "csv,utf-8", "csv,utf-8-sig")
def dfe_school_years(r: Figures) -> Made:
    """A tidy file whose school years are six digits; letters for withheld figures."""
    header: list[Cell] = ["time_period", "time_identifier", "geographic_level", "country_code", "country_name", "region_code", "region_name", "school_type", "num_pupils", "sess_overall_percent"]
    body: Rows = [[y, "Academic year", level, "E92000001", "England", code, name, t, r.pick("c", r.n(), r.n(), r.n()), r.pick("z", r.f(), r.f())] for y in (201819, 201920, 202021) for level, code, name in (("National", None, None), ("Regional", "E12000001", "North East"), ("Regional", "E12000002", "North West"), ("Regional", "E12000007", "London")) for t in ("Primary", "Secondary", "Special")]
    return [("absence", [header, *body])], Truth([str(c) for c in header], 36, (2018, 2020))


@made_in("en", "ods", "xlsx")
def dft_vehicles(r: Figures) -> Made:
    """Guidance in the first rows, then many label columns and quarters across."""
    cover: Rows = [["Vehicle licensing statistics data tables"], ["Publication date: 27 September 2022"], ["Contents"], ["VEH0120", "Licensed vehicles at the end of the quarter by body type, make and model"]]
    rows: Rows = [["VEH0120: Licensed vehicles at the end of the quarter by body type and make [note 1]: Great Britain"], ["This worksheet contains one table. Some cells refer to notes which can be found in the Notes worksheet."], ["Units: Number of vehicles"]]
    rows += [["BodyType", "Make", "Fuel [note 2]", "LicenceStatus", *(f"20{y} Q{q}" for y in (22, 21, 20) for q in (4, 3, 2, 1))]]
    body: Rows = [[b, m, f, "Licensed", *(r.pick("[x]", r.n(), r.n()) for _ in range(12))] for b in ("Cars", "Motorcycles") for m in ("ABARTH", "AIXAM", "ALFA ROMEO", "AUDI") for f in ("Petrol", "Diesel")]
    return [("Cover_sheet", cover), ("VEH0120", rows + body)], Truth(["BodyType", "Make", "Fuel", "LicenceStatus", *(f"20{y} Q{q}" for y in (22, 21, 20) for q in (4, 3, 2, 1))], 16, (2020, 2022), "Licensed vehicles at the end of the quarter by body type")


@made_in("en", "xlsx", "xls")
def nrs_scotland(r: Figures) -> Made:
    """A link in the first line's last cell, an empty row within the header, blank columns at its sides."""
    rows: Rows = [["Table 3: Births by sex, year and council area, Scotland, 2005 to 2012", None, None, None, None, None, None, None, None, "back to contents"], [], ["Area", "All births", None, None, None, None, None, None, None], [None, *range(2005, 2013)], []]
    body: Rows = [["Scotland", *(r.n(50_000, 60_000) for _ in range(8))], [], ["Council areas"]]
    body += [[a, *(r.n(200, 6000) for _ in range(8))] for a in ("Aberdeen City", "Aberdeenshire", "Angus", "Argyll & Bute", "Clackmannanshire", "Dumfries & Galloway")]
    foot: Rows = [[], ["Note"], ["Births are allocated by usual residence of the mother."], ["© Crown Copyright 2013"]]
    return [("Table 3", rows + body + foot)], Truth(["Area", *map(str, range(2005, 2013))], 8, (2005, 2012), "Births by sex, year and council area")


# France, Belgium, Luxembourg


@made_in("fr", "xls", "xlsx")
def insee_base_communes(r: Figures) -> Made:
    """Lines about the base, then long names, then codes as a second row of names."""
    rows: Rows = [["Évolution et structure de la population en 2017"], ["Mise en ligne le 15/06/2020  Géographie au 01/01/2020"], ["©Insee  Source(s) : Insee, Recensements de la population"], []]
    rows += [["Code géographique", "Région", "Libellé géographique", "Population en 2017 (princ)", "Pop 0-14 ans en 2017 (princ)", "Population en 2012 (princ)"], ["CODGEO", "REG", "LIBGEO", "P17_POP", "P17_POP0014", "P12_POP"]]
    body: Rows = [[f"010{n:02}", "84", name, r.n(100, 20_000), r.n(10, 4000), r.n(100, 20_000)] for n, name in enumerate(("L'Abergement-Clémenciat", "Ambérieu-en-Bugey", "Ambérieux-en-Dombes", "Ambléon", "Ambronay", "Ambutrix", "Andert-et-Condon", "Anglefort", "Apremont", "Aranc"), 1)]
    return [("COM_2017", rows + body)], Truth(["Code géographique", "Région", "Libellé", "Population en 2017", "Pop 0-14 ans", "Population en 2012"], 10, (2012, 2017), "structure de la population")


@made_in("fr", "csv;utf-8", "xlsx")
def insee_two_keys(r: Figures) -> Made:
    """A file of the census in codes: names and numbers of codes, figures with a point."""
    header: list[Cell] = ["NIVGEO", "CODGEO", "LIBGEO", "SEXE", "AGED100", "NB"]
    body: Rows = [["ARM", f"7510{n}", f"Paris {n}e Arrondissement", s, a, r.f(10, 900, 10)] for n in range(1, 6) for s in (1, 2) for a in (0, 1, 2, 3, 4, 5)]
    return [("BTX", [header, *body])], Truth([str(c) for c in header], 60, None)


@made_in("fr", "xlsx", "ods")
def dares_trimestres(r: Figures) -> Made:
    """Quarters as T1, a base in the title, changes in points, sections as numbered letters."""
    rows: Rows = [["Tableau 3 - Demandeurs d'emploi inscrits, par catégorie"], ["Données CVS-CJO, en milliers, France métropolitaine"], []]
    rows += [[None, "Effectif (moyenne trimestrielle)", None, None, "Évolution (en %)", None], [None, "2020 T4", "2021 T3", "2021 T4", "sur un trimestre", "sur un an"]]
    body: Rows = []
    for s in ("A. Hommes", "B. Femmes"):
        body.append([s])
        body += [[f"   {x}", r.f(200, 3000), r.f(200, 3000), r.f(200, 3000), r.f(-4, 4), r.pick("ns", r.f(-9, 9))] for x in ("Moins de 25 ans", "De 25 à 49 ans", "50 ans ou plus")]
    foot: Rows = [["Lecture : au quatrième trimestre 2021, le nombre de demandeurs d'emploi est de 3 000 000."], ["ns : non significatif."], ["Source : Pôle emploi-Dares, STMT."]]
    return [("T3", rows + body + foot)], Truth(["", "2020 T4", "2021 T3", "2021 T4", "sur un trimestre", "sur un an"], 8, (2020, 2021), "Demandeurs d'emploi inscrits")


@made_in("fr", "xlsx", "csv;cp1252")
def statbel_two_languages_of_names(r: Figures) -> Made:
    """Names of places in French and Dutch in two columns, years across with a code of the district."""
    rows: Rows = [["Loop van de bevolking - Mouvement de la population 1992-2021"], [], ["Code INS", "Lieu de résidence", "Woonplaats", 1992, 2000, 2010, 2021]]
    body: Rows = [[f"{n}000", fr, nl, r.n(), r.n(), r.n(), r.n()] for n, (fr, nl) in enumerate((("Belgique", "België"), ("Région de Bruxelles-Capitale", "Brussels Hoofdstedelijk Gewest"), ("Province d'Anvers", "Provincie Antwerpen"), ("Province de Liège", "Provincie Luik"), ("Province de Namur", "Provincie Namen")), 1)]
    return [("Pop", rows + body)], Truth(["Code INS", "Lieu", "Woonplaats", "1992", "2000", "2010", "2021"], 5, (1992, 2021), "Mouvement de la population")


# Spain, Portugal, Latin America


@made_in("es", "xlsx", "xls")
def ine_wide_with_filters(r: Figures) -> Made:
    """Three rows of names: nationality, sex, dates in words; a row with the name of the place only."""
    rows: Rows = [["Cifras de Población"], ["Resultados nacionales"], [], ["Población residente por fecha, sexo y edad"], ["Unidades: Personas"], [], [None, "Hombres", None, "Mujeres", None], [None, "1 de enero de 2022", "1 de julio de 2021", "1 de enero de 2022", "1 de julio de 2021"]]
    body: Rows = [["Total Nacional"]]
    body += [[f"    {a}", r.n(), r.n(), r.n(), r.n()] for a in ("Total", "0 años", "1 año", "2 años", "3 años", "4 años", "5 años")]
    foot: Rows = [[], ["Notas:"], ["1) Los datos a 1 de enero de 2022 son provisionales"], [], ["Fuente: "], ["Instituto Nacional de Estadística"]]
    return [("tabla-9663", rows + body + foot)], Truth(["", "1 de enero de 2022", "1 de julio de 2021", "Mujeres", "1 de julio de 2021"], 8, (2021, 2022), "Población residente por fecha")


@made_in("es", "xls", "xlsx")
def indec_quarters(r: Figures) -> Made:
    """The year in the first row of its quarters only, an empty column between groups, stars for estimates."""
    rows: Rows = [["Cuadro 1.1 Oferta y demanda globales. Valores trimestrales a precios de 2004. Años 2019-2022"], ["En millones de pesos"], [], ["Período", None, "Producto", "Importaciones", None, "Consumo", None], [None, None, "interno bruto", None, None, "privado", "público"], []]
    body: Rows = []
    for y in (2019, 2020, 2021, 2022):
        body.append([f"{y} (1)", "Total", r.f(1e5, 9e5), r.f(1e5, 9e5), None, r.f(1e5, 9e5), r.f(1e5, 9e5)])
        body += [[None, f"{q}º trimestre", r.f(1e5, 9e5), r.f(1e5, 9e5), None, r.f(1e5, 9e5), r.f(1e5, 9e5)] for q in (1, 2, 3, 4)]
        body.append([])
    foot: Rows = [["(1) Estimaciones preliminares."], ["Fuente: INDEC, Dirección Nacional de Cuentas Nacionales."]]
    return [("cuadro 1", rows + body + foot)], Truth(["Período", "", "interno bruto", "Importaciones", "", "privado", "público"], 20, (2019, 2022), "Oferta y demanda globales")


@made_in("es", "xlsx", "xls")
def dane_months_across(r: Figures) -> Made:
    """Years in merged cells over abbreviated months; sections for the nation and the cities."""
    months = "Ene Feb Mar Abr May Jun Jul Ago Sep Oct Nov Dic".split()
    rows: Rows = [[], ["Gran Encuesta Integrada de Hogares - GEIH - Mercado Laboral"], ["Serie mensual de la población ocupada"], ["Total nacional"], ["2020 - 2021"], [], ["Concepto", 2020, *[None] * 11, 2021, *[None] * 11], [None, *months, *months]]
    body: Rows = [[c, *(r.f() for _ in range(24))] for c in ("% población en edad de trabajar", "Tasa Global de Participación (TGP)", "Tasa de Ocupación (TO)", "Tasa de Desocupación (TD)", "Población total", "Ocupados", "Desocupados")]
    foot: Rows = [["Fuente: DANE, Gran Encuesta Integrada de Hogares"], ["Nota: Datos expandidos con proyecciones de población."], ["Actualizado el 31 de enero de 2022"]]
    return [("Tnal mensual", rows + body + foot)], Truth(["Concepto", "2020", *months[1:], "2021", *months[1:]], 7, (2020, 2021), "Serie mensual de la población ocupada")


@made_in("pt", "xlsx", "csv;utf-8")
def pordata_breaks(r: Figures) -> Made:
    """A sign of a break before figures, three rows of names, letters for provisional values."""
    rows: Rows = [["População residente: total e por grandes grupos etários"], ["Indivíduo - Milhares"], [], ["Anos", "Grandes grupos etários", None, None, None], [None, "Total", "0-14", "15-64", "65+"]]
    body: Rows = [[y, r.pick(f"┴ {r.n()}", r.n()), r.n(), r.pick(f"Pro {r.n()}", r.n(), r.n()), r.n()] for y in range(1995, 2015)]
    foot: Rows = [["Fontes de Dados: INE - Estimativas Anuais da População Residente"], ["Fonte: PORDATA"], ["Última actualização: 2022-06-15"], ["┴ quebra de série"]]
    return [("Quadro", rows + body + foot)], Truth(["Anos", "Total", "0-14", "15-64", "65+"], 20, (1995, 2014), "População residente: total e por grandes grupos")


@made_in("pt", "xls", "xlsx")
def ibge_printed(r: Figures) -> Made:
    """A title over two lines with dashes, names of regions in the corner, "(conclusão)", marks for cases."""
    rows: Rows = [["Tabela 2.3 - Pessoas ocupadas na semana de referência, por sexo,"], ["segundo as Grandes Regiões - 2012-2014"], [None, None, None, "(conclusão)"], ["Grandes Regiões", "Pessoas ocupadas (1 000 pessoas)", None, None], [None, "Total", "Sexo", None], [None, None, "Homens", "Mulheres"]]
    body: Rows = []
    for y in (2012, 2013, 2014):
        body.append([None, y])
        body += [[x, r.n(), r.n(), r.pick("..", "x", r.n())] for x in ("          Brasil", "Norte", "Nordeste", "Sudeste", "Sul", "Centro-Oeste")]
    foot: Rows = [["Fonte: IBGE, Diretoria de Pesquisas, Pesquisa Nacional por Amostra de Domicílios."], ["Nota: Exclusive as pessoas da área rural."]]
    return [("Tab2.3", rows + body + foot)], Truth(["Grandes Regiões", "Total", "Homens", "Mulheres"], 21, (2012, 2014), "Pessoas ocupadas na semana")


# Italy, Greece, Turkey


@made_in("it", "xlsx")
def istat_cube_sheet(r: Figures) -> Made:
    """The sheet of a cube server: a link line, dimensions as pairs over several columns, an information column."""
    rows: Rows = [
        ["Dataset: Occupati per titolo di studio (migliaia)"],
        ["Sesso", None, "totale", None, None, None],
        ["Classe di età", None, "15-64 anni", None, None, None],
        ["Seleziona periodo", None, "T1-2019", "T2-2019", "T3-2019", "T4-2019"],
        ["Territorio", "Titolo di studio", None, None, None, None],
    ]
    body: Rows = [[t if n == 0 else None, s, *(r.pick("..", r.f(100, 900, 3), r.f(100, 900, 3)) for _ in range(4))] for t in ("Italia", "  Nord", "  Centro", "  Mezzogiorno") for n, s in enumerate(("licenza media", "diploma", "laurea"))]
    foot: Rows = [["Dati estratti il 12 nov 2021, 10h08 UTC (GMT) da I.Stat"]]
    return [("I.Stat export", rows + body + foot)], Truth(["Territorio", "Titolo di studio", "T1-2019", "T2-2019", "T3-2019", "T4-2019"], 12, (2019, 2019), "Occupati per titolo di studio")


@made_in("it", "csv;utf-8", "xlsx")
def comune_di_nascita(r: Figures) -> Made:
    """A file of a city: years as text, a total row in the middle, figures with points, a percentage with comma."""
    header: list[Cell] = ["ANNO", "ZONA", "Maschi", "Femmine", "Totale", "% stranieri"]
    body: Rows = []
    for y in (2017, 2018, 2019):
        body += [[y, z, r.grouped("."), r.grouped("."), r.grouped("."), f"{r.comma()}%"] for z in ("Zona 1", "Zona 2", "Zona 3", "Zona 4")]
        body.append([y, "TOTALE", r.grouped("."), r.grouped("."), r.grouped("."), f"{r.comma()}%"])
    return [("residenti", [header, *body])], Truth([str(c) for c in header], 15, (2017, 2019))


@made_in("el", "xls", "xlsx")
def elstat_months(r: Figures) -> Made:
    """Months in Greek under their year in the first column, names over two rows, the English name at the end."""
    rows: Rows = [["ΕΛΛΗΝΙΚΗ ΣΤΑΤΙΣΤΙΚΗ ΑΡΧΗ"], ["Πίνακας 1. Εξέλιξη του Γενικού Δείκτη Τιμών Καταναλωτή, 2018-2020"], ["(Έτος βάσης: 2020=100,0)"], [], ["Έτος", "Μήνας", "Δείκτης", "Μεταβολή (%)", None], [None, None, None, "μηνιαία", "ετήσια"]]
    months = "Ιανουάριος Φεβρουάριος Μάρτιος Απρίλιος Μάιος Ιούνιος Ιούλιος Αύγουστος Σεπτέμβριος Οκτώβριος Νοέμβριος Δεκέμβριος".split()
    body: Rows = [[y if n == 0 else None, m, r.f(95, 110, 2), r.f(-2, 2), r.f(-3, 3)] for y in (2018, 2019, 2020) for n, m in enumerate(months)]
    return [("Pin1", rows + body)], Truth(["Έτος", "Μήνας", "Δείκτης", "μηνιαία", "ετήσια"], 36, (2018, 2020), "Εξέλιξη του Γενικού Δείκτη")


@made_in("tr", "csv|utf-8", "csv|cp1254")
def tuik_pivot(r: Figures) -> Made:
    """The report of the database: bars as delimiters, a title with bars, keys that repeat as blanks."""
    rows: Rows = [["Adrese Dayalı Nüfus Kayıt Sistemi Sonuçları", "", "", "", ""], ["İl ve cinsiyete göre nüfus", "", "", "", ""], ["", "", "", "", ""], ["", "", "2018", "2019", "2020"]]
    body: Rows = [[il if n == 0 else "", c, r.n(), r.n(), r.n()] for il in ("Adana-1", "Adıyaman-2", "Afyonkarahisar-3", "Ağrı-4", "Amasya-5") for n, c in enumerate(("Toplam", "Erkek", "Kadın"))]
    return [("pivot", rows + body)], Truth(["", "", "2018", "2019", "2020"], 15, (2018, 2020), "cinsiyete göre nüfus")


# North America


@made_in("en", "xls", "xlsx")
def census_historical_households(r: Figures) -> Made:
    """Names over three rows, sections in capitals, years with a note in parentheses, long notes below."""
    rows: Rows = [
        ["Table H-5. Race and Hispanic Origin of Householder--Households by Median and Mean Income: 2010 to 2019"],
        ["(Households as of March of the following year. Income in current and 2019 CPI-U-RS adjusted dollars (28))"],
        ["Race and Hispanic origin", "Number", "Median income", None, "Mean income", None],
        ["of householder", "(thousands)", "Current", "2019", "Current", "2019"],
        ["and year", None, "dollars", "dollars", "dollars", "dollars"],
    ]
    body: Rows = []
    for s in ("ALL RACES", "WHITE ALONE (24)", "BLACK ALONE (26)"):
        body.append([s])
        body += [[f"{y}{m}", r.n(), r.n(), r.n(), r.n(), r.n()] for y, m in ((2019, ""), (2018, ""), (2017, " (40)"), (2016, ""), (2013, " (39)"), (2013, " (38)"), (2010, " (36)"))]
    foot: Rows = [["Footnotes are available at <https://www.example.org/footnotes.html>."], ["N Not available."], ["Source: U.S. Census Bureau, Current Population Survey, Annual Social and Economic Supplements."]]
    return [("h05", rows + body + foot)], Truth(["Race and Hispanic origin", "Number", "Median income", "2019", "Mean income", "2019"], 24, (2010, 2019), "Households by Median and Mean Income")


@made_in("en", "csv,quoted", "csv,utf-8")
def bea_interactive(r: Figures) -> Made:
    """Five lines above, years over quarters with the line number first, no name for the labels."""
    rows: Rows = [["Table 1.1.5. Gross Domestic Product"], ["[Billions of dollars] Seasonally adjusted at annual rates"], ["Bureau of Economic Analysis"], ["Last Revised on: December 21, 2023 - Next Release Date January 25, 2024"]]
    years = [y for y in (2020, 2021, 2022) for _ in range(4)]
    rows += [["Line", "", *map(str, years)], ["", "", *["Q1", "Q2", "Q3", "Q4"] * 3]]
    body: Rows = [[str(n), f"{' ' * (n % 4 * 4)}{s}", *(r.f(100, 28_000) for _ in years)] for n, s in enumerate(("Gross domestic product", "Personal consumption expenditures", "Goods", "Durable goods", "Nondurable goods", "Services", "Gross private domestic investment", "Fixed investment"), 1)]
    return [("T10105", rows + body)], Truth(["Line", "", *(f"{y}" for y in years)], 8, (2020, 2022), "Gross Domestic Product")


@made_in("en", "csv,utf-8")
def bea_regional(r: Figures) -> Made:
    """Keys in quotes with blanks, codes, years across, "(D)" and "(NA)", lines of notes at the end."""
    years = list(range(2001, 2015))
    header: list[Cell] = ["GeoFIPS", "GeoName", "Region", "TableName", "LineCode", "IndustryClassification", "Description", "Unit", *map(str, years)]
    body: Rows = [[f' "{code}"', name, n + 1, "CAINC1", line, "...", what, unit, *(r.pick("(NA)", r.n(), r.n(), r.n()) for _ in years)] for n, (code, name) in enumerate((("00000", "United States"), ("01000", "Alabama"), ("01001", "Autauga, AL"), ("01003", "Baldwin, AL"))) for line, what, unit in ((1, "Personal income", "Thousands of dollars"), (2, "Population (persons) 1/", "Number of persons"), (3, "Per capita personal income (dollars) 2/", "Dollars"))]
    foot: Rows = [["Note: See the included footnote file."], ["CAINC1: Annual Personal Income by County"], ["Last updated: November 16, 2023"], ["U.S. Bureau of Economic Analysis"]]
    return [("CAINC1", [header, *body, *foot])], Truth([str(c) for c in header], 12, (2001, 2014))


@made_in("en", "csv,quoted")
def fed_data_download(r: Figures) -> Made:
    """Six rows of facts about each series, the last of them with the name of the time column."""
    rows: Rows = [
        ["Series Description", "Market yield on U.S. Treasury securities at 1-month constant maturity", "Market yield on U.S. Treasury securities at 1-year constant maturity", "Market yield on U.S. Treasury securities at 10-year constant maturity"],
        ["Unit:", "Percent:_Per_Year", "Percent:_Per_Year", "Percent:_Per_Year"], ["Multiplier:", "1", "1", "1"], ["Currency:", "NA", "NA", "NA"],
        ["Unique Identifier: ", "H15/H15/RIFLGFCM01_N.B", "H15/H15/RIFLGFCY01_N.B", "H15/H15/RIFLGFCY10_N.B"], ["Time Period", "RIFLGFCM01_N.B", "RIFLGFCY01_N.B", "RIFLGFCY10_N.B"],
    ]
    body: Rows = [[f"{y}-{m:02}-{d:02}", r.pick("ND", f"{r.f(0, 6, 2)}"), f"{r.f(0, 6, 2)}", f"{r.f(0, 6, 2)}"] for y in (2018, 2019) for m in range(1, 13) for d in (1, 15)]
    return [("FRB_H15", rows + body)], Truth(["Time Period", "RIFLGFCM01", "RIFLGFCY01", "RIFLGFCY10"], 48, (2018, 2019))


@made_in("en", "xlsx")
def eia_history(r: Figures) -> Made:
    """A contents sheet, then a sheet with a link, keys of the series, names, and dates as dates."""
    contents: Rows = [["Workbook Contents"], ["U.S. Natural Gas Prices"], ["Click worksheet name or tab at bottom for data"], ["Worksheet Name", "Description", "# Of Series", "Frequency", "Latest Data for"], ["Data 1", "U.S. Natural Gas Prices", 3, "Monthly", "9/2023"], ["Release Date:", "11/30/2023"], ["Source:", "Energy Information Administration"]]
    rows: Rows = [["Back to Contents", "Data 1: U.S. Natural Gas Prices"], ["Sourcekey", "N9190US3", "N9100US3", "N3010US3"], ["Date", "U.S. Natural Gas Wellhead Price (Dollars per Thousand Cubic Feet)", "U.S. Price of Natural Gas Imports (Dollars per Thousand Cubic Feet)", "U.S. Price of Natural Gas Delivered to Residential Consumers (Dollars per Thousand Cubic Feet)"]]
    body: Rows = [[datetime(y, m, 15), r.pick(None, r.f(1, 9, 2)), r.f(1, 9, 2), r.f(5, 20, 2)] for y in range(2018, 2022) for m in range(1, 13)]
    return [("Contents", contents), ("Data 1", rows + body)], Truth(["Date", "Wellhead Price", "Natural Gas Imports", "Residential Consumers"], 48, (2018, 2021), "U.S. Natural Gas Prices")


@made_in("en", "csv,quoted")
def usda_quick_stats(r: Figures) -> Made:
    """Empty columns for finer places, figures with commas in quotes, " (D)" for withheld ones."""
    header: list[Cell] = ["Program", "Year", "Period", "Week Ending", "Geo Level", "State", "State ANSI", "County", "Commodity", "Data Item", "Domain", "Value", "CV (%)"]
    body: Rows = [["SURVEY", y, "YEAR", None, "STATE", s, f"{n:02}", None, "CORN", i, "TOTAL", r.pick(" (D)", r.grouped(","), r.grouped(",")), None] for y in (2019, 2018, 2017) for n, s in enumerate(("ALABAMA", "ARIZONA", "ARKANSAS", "CALIFORNIA"), 1) for i in ("CORN - ACRES PLANTED", "CORN, GRAIN - PRODUCTION, MEASURED IN BU")]
    return [("qs", [header, *body])], Truth([str(c) for c in header], 24, (2017, 2019))


@made_in("en", "csv\tutf-8")
def cdc_wonder(r: Figures) -> Made:
    """A first column for notes that marks totals, a rule, then the query as lines of quotes."""
    header: list[Cell] = ["Notes", "State", "State Code", "Year", "Year Code", "Deaths", "Population", "Crude Rate"]
    body: Rows = []
    for n, s in enumerate(("Alabama", "Alaska", "Arizona", "Arkansas"), 1):
        body += [[None, s, f"{n:02}", y, y, r.n(), r.n(), f"{r.f(600, 1200)}"] for y in (2014, 2015, 2016)]
        body.append(["Total", s, f"{n:02}", None, None, r.n(), r.n(), f"{r.f(600, 1200)}"])
    foot: Rows = [["---"], ["Dataset: Compressed Mortality, 1999-2016"], ["Query Parameters:"], ["Group By: State; Year"], ["Show Totals: True"], ["---"], ["Help: See http://www.example.org/help/cmf.html for more information."], ["---"], ["Query Date: Dec 1, 2017 9:12:11 AM"]]
    return [("wonder", [header, *body, *foot])], Truth([str(c) for c in header], 16, (2014, 2016))


@made_in("en", "html", "xlsx")
def statcan_shown_table(r: Figures) -> Made:
    """Names in the order geography, reference period, unit; rows with a colon as headings of rows."""
    rows: Rows = [["Table 2 Retail sales by province and territory — Seasonally adjusted"], [None, "September 2022", "August 2023r", "September 2023p", "August to September 2023", "September 2022 to September 2023"], [None, "millions of dollars", None, None, "% change", None]]
    body: Rows = [[p, r.grouped(","), r.grouped(","), r.grouped(","), r.f(-4, 4), r.f(-9, 9)] for p in ("Canada", "Newfoundland and Labrador", "Prince Edward Island", "Nova Scotia", "New Brunswick", "Quebec", "Montréal", "Ontario", "Toronto", "Manitoba")]
    foot: Rows = [["r revised"], ["p preliminary"], ["Source(s): Table 20-10-0056-01."]]
    return [("Table 2", rows + body + foot)], Truth(["", "September 2022", "August 2023", "September 2023", "August to September 2023", "September 2022 to September 2023"], 10, (2022, 2023), "Retail sales by province and territory")


# International organisations


@made_in("en", "csv,quoted")
def who_two_rows(r: Figures) -> Made:
    """The indicator over each group of columns in a first row, names of dimensions in the second."""
    rows: Rows = [["", "", "Life expectancy at birth (years)", "Life expectancy at birth (years)", "Life expectancy at birth (years)", "Healthy life expectancy (HALE) at birth (years)"], ["Country", "Year", "Both sexes", "Male", "Female", "Both sexes"]]
    body: Rows = [[c, y, r.f(50, 85), r.f(50, 85), r.f(50, 85), r.f(45, 75)] for c in _COUNTRIES[:8] for y in (2019, 2015, 2010, 2000)]
    return [("SDG", rows + body)], Truth(["Country", "Year", "Both sexes", "Male", "Female", "Healthy life"], 32, (2000, 2019))


@made_in("en", "csv,utf-8-sig")
def who_indicator_rows(r: Figures) -> Made:
    """Figures with their interval as text beside the numbers, many constant columns."""
    header: list[Cell] = ["IndicatorCode", "Indicator", "ValueType", "ParentLocation", "Location type", "SpatialDimValueCode", "Location", "Period type", "Period", "IsLatestYear", "Dim1", "FactValueNumeric", "FactValueNumericLow", "FactValueNumericHigh", "Value", "DateModified"]
    body: Rows = []
    for n, c in enumerate(_COUNTRIES):
        for y in (2018, 2019):
            v = r.f(5, 40, 2)
            body.append(["M_Est_smk_curr", "Estimate of current tobacco smoking prevalence (%)", "numeric", "Americas", "Country", c[:3].upper(), c, "Year", y, "true" if y == 2019 else "false", "Both sexes", v, round(v * 0.8, 2), round(v * 1.2, 2), f"{v} [{round(v * 0.8, 2)}-{round(v * 1.2, 2)}]", f"2022-01-17T0{n % 9}:00:00.000Z"])
    return [("data", [header, *body])], Truth([str(c) for c in header], 24, (2018, 2019))


@made_in("en", "xlsx")
def worldbank_three_sheets(r: Figures) -> Made:
    """The data sheet with three lines above, then metadata sheets with more rows than data."""
    years = list(range(1990, 2021))
    data: Rows = [["Data Source", "World Development Indicators"], [], ["Last Updated Date", datetime(2023, 3, 30)], ["Country Name", "Country Code", "Indicator Name", "Indicator Code", *map(str, years)]]
    data += [[c, c[:3].upper(), "CO2 emissions (metric tons per capita)", "EN.ATM.CO2E.PC", *(r.pick(None, r.f(0.1, 20, 4), r.f(0.1, 20, 4)) for _ in years)] for c in _COUNTRIES]
    countries: Rows = [["Country Code", "Region", "IncomeGroup", "SpecialNotes", "TableName"], *[[f"{a}{b}C", "Europe & Central Asia", "High income", "Fiscal year end: March 31; reporting period for national accounts data: CY.", f"Country {a}{b}"] for a in "ABCDE" for b in "FGHIJ"]]
    indicators: Rows = [["INDICATOR_CODE", "INDICATOR_NAME", "SOURCE_NOTE", "SOURCE_ORGANIZATION"], ["EN.ATM.CO2E.PC", "CO2 emissions (metric tons per capita)", "Carbon dioxide emissions are those stemming from the burning of fossil fuels.", "Climate Watch."]]
    return [("Data", data), ("Metadata - Countries", countries), ("Metadata - Indicators", indicators)], Truth(["Country Name", "Country Code", "Indicator Name", "Indicator Code", *map(str, years)], 12, (1990, 2020), "")


@made_in("en", "xlsx", "csv,utf-8")
def imf_mixed_periods(r: Figures) -> Made:
    """Years, quarters and months as columns side by side, a line for the country above."""
    periods = [str(y) for y in (2019, 2020, 2021)] + [f"{y}Q{q}" for y in (2020, 2021) for q in (1, 2, 3, 4)] + [f"{y}M{m}" for y in (2021,) for m in range(1, 13)]
    rows: Rows = [["International Financial Statistics (IFS)"], ["Country: Germany"], [], [None, "Scale", "Base Year", *periods]]
    body: Rows = [[f"{'  ' * (n % 3)}{s}", r.pick("Units", "Millions"), r.pick(None, "2010=100"), *(r.pick("...", r.f(50, 900, 2), r.f(50, 900, 2)) for _ in periods)] for n, s in enumerate(("Exchange Rates", "Market Rate, End of Period", "International Reserves, Gold", "Total Reserves excluding Gold", "Consumer Prices, All items", "Industrial Production"))]
    return [("IFS", rows + body)], Truth(["", "Scale", "Base Year", *periods], 6, (2019, 2021), "International Financial Statistics")


@made_in("en", "xls", "xlsx")
def un_demographic_yearbook(r: Figures) -> Made:
    """Titles in English and French, continents as sections, dates of censuses in roman months, a code column."""
    rows: Rows = [
        ["Table 3 - Tableau 3"], ["Population by sex, annual rate of population increase, surface area and density"], ["Population selon le sexe, taux d'accroissement annuel de la population, superficie et densité"], [],
        ["Continent and country or area", "Date", "Latest population census", None, None, "Mid-year estimates", None, "Density"],
        ["Continent et pays ou zone", None, "Both sexes", "Male", "Female", 2010, 2015, "(per sq km)"],
    ]
    body: Rows = []
    for s, names in (("AFRICA - AFRIQUE", ("Algeria - Algérie¹", "Angola", "Benin - Bénin", "Botswana")), ("AMERICA, NORTH - AMÉRIQUE DU NORD", ("Anguilla", "Aruba", "Bahamas", "Barbados - Barbade"))):
        body.append([s])
        body += [[n, f"{r.n(1, 28)} {r.pick('IV', 'VIII', 'XI')} {r.n(2000, 2014)}", *(r.pick("...", r.n(), r.n()) for _ in range(5)), r.n(2, 600)] for n in names]
    foot: Rows = [["FOOTNOTES - NOTES"], ["Italics: estimates which are less reliable."], ["¹ Data refer to resident population only."]]
    return [("Table 3", rows + body + foot)], Truth(["Continent", "Date", "Both sexes", "Male", "Female", "2010", "2015", "Density"], 10, None, "Population by sex")


@made_in("en", "xlsx")
def ilo_modelled(r: Figures) -> Made:
    """A logo line, a title in capitals, names with units below, a blank column at the left, flags as notes."""
    rows: Rows = [[None, "ILO Modelled Estimates"], [None, "SDG indicator 8.5.2 - Unemployment rate (%) - Annual"], [None, "Last updated 12 November 2022"], [], [None, "Reference area", "Source type", "Sex", "Age", "Time", "Unemployment rate", None], [None, None, None, None, None, None, "%", "Note"]]
    body: Rows = [[None, c, "LFS - Labour Force Survey", s, "15+", y, r.f(2, 20, 3), r.pick(None, "Break in series")] for c in _COUNTRIES[:6] for s in ("Total", "Male") for y in (2019, 2020)]
    return [("Sheet1", rows + body)], Truth(["Reference area", "Source type", "Sex", "Age", "Time", "Unemployment rate", "Note"], 24, (2019, 2020), "Unemployment rate")


# Central and eastern Europe


@made_in("pl", "xlsx")
def gus_bdl_sheet(r: Figures) -> Made:
    """A sheet of descriptions first; four rows of names: measure, sex, year, unit in brackets."""
    about: Rows = [["BANK DANYCH LOKALNYCH"], ["Kategoria:", "LUDNOŚĆ"], ["Podgrupa:", "Ludność wg płci"], ["Data ostatniej aktualizacji:", "29.04.2022"], ["Wymiary:", "Płeć; Rok"]]
    rows: Rows = [["Kod", "Nazwa", "ogółem", None, "mężczyźni", None, "kobiety", None], [None, None, "2020", "2021", "2020", "2021", "2020", "2021"], [None, None, "[osoba]", "[osoba]", "[osoba]", "[osoba]", "[osoba]", "[osoba]"]]
    body: Rows = [[f"{k:02}00000", n, *(r.n() for _ in range(6))] for k, n in zip(range(0, 34, 2), ("POLSKA", "DOLNOŚLĄSKIE", "KUJAWSKO-POMORSKIE", "LUBELSKIE", "LUBUSKIE", "ŁÓDZKIE", "MAŁOPOLSKIE", "MAZOWIECKIE", "OPOLSKIE", "PODKARPACKIE", "PODLASKIE"), strict=False)]
    return [("OPIS", about), ("TABLICA", rows + body)], Truth(["Kod", "Nazwa", "2020", "2021", "mężczyźni", "2021", "kobiety", "2021"], 11, (2020, 2021), "")


@made_in("hu", "csv;cp1250", "xlsx", "xls")
def ksh_stadat(r: Figures) -> Made:
    """The number of the table in the title, names over two rows, periods with a full stop, a unit over the body."""
    rows: Rows = [["22.1.2.1. A foglalkoztatottak száma negyedévente, megye és régió szerint [ezer fő]"], ["Időszak", "Területi egység neve", "Férfiak", "Nők", "Összesen"]]
    body: Rows = [[f"{y}. {q}. negyedév", t, r.f(100, 900), r.f(100, 900), r.f(100, 900)] for y in (2019, 2020) for q in ("I", "II", "III", "IV") for t in ("Budapest", "Pest", "Dunántúl", "Alföld és Észak")]
    return [("22.1.2.1", rows + body)], Truth(["Időszak", "Területi egység neve", "Férfiak", "Nők", "Összesen"], 32, (2019, 2020), "A foglalkoztatottak száma")


@made_in("cs", "xlsx", "xls")
def czso_yearbook(r: Figures) -> Made:
    """The chapter at the left and its English name at the right, names in two languages with line breaks."""
    rows: Rows = [["OBYVATELSTVO", None, None, None, "POPULATION"], [], ["4-3. Pohyb obyvatelstva podle krajů v roce 2019"], ["     Population and vital statistics by Region: 2019"], [], ["Území", "Živě\nnarození", "Zemřelí", "Přirozený\npřírůstek", "Region"], [None, "Live\nbirths", "Deaths", "Natural\nincrease", None]]
    body: Rows = [[c, r.n(), r.n(), r.n(-900, 900), e] for c, e in (("Česká republika", "Czech Republic"), ("Hl. m. Praha", "Capital City Prague"), ("Středočeský kraj", "Středočeský Region"), ("Jihočeský kraj", "Jihočeský Region"), ("Plzeňský kraj", "Plzeňský Region"), ("Karlovarský kraj", "Karlovarský Region"))]
    return [("0403", rows + body)], Truth(["Území", "narození", "Zemřelí", "přírůstek", "Region"], 6, (2019, 2019), "Pohyb obyvatelstva|vital statistics by Region")


@made_in("ro", "csv,utf-8", "csv,quoted")
def tempo_romania(r: Figures) -> Made:
    """Names with a blank before them, periods such as "Anul 2019", the unit as a dimension."""
    header: list[Cell] = ["Sexe", " Macroregiuni", " Ani", " UM: Numar persoane", " Valoare"]
    body: Rows = [[s, f" {m}", f" Anul {y}", " Numar persoane", r.n()] for s in ("Masculin", "Feminin") for m in ("MACROREGIUNEA UNU", "MACROREGIUNEA DOI", "MACROREGIUNEA TREI") for y in range(2015, 2021)]
    return [("POP105A", [header, *body])], Truth(["Sexe", "Macroregiuni", "Ani", "UM", "Valoare"], 36, (2015, 2020))


@made_in("hr", "xls", "xlsx")
def dzs_bilingual(r: Figures) -> Made:
    """Croatian and English in each cell with a line break; months with roman numerals, "–" for none."""
    rows: Rows = [["1. DOLASCI I NOĆENJA TURISTA U KOMERCIJALNIM SMJEŠTAJNIM OBJEKTIMA U 2022."], ["TOURIST ARRIVALS AND NIGHTS IN COMMERCIAL ACCOMMODATION ESTABLISHMENTS, 2022"], [], [None, "Dolasci\nArrivals", None, "Noćenja\nNights", None], [None, "domaći\nDomestic", "strani\nForeign", "domaći\nDomestic", "strani\nForeign"]]
    body: Rows = [[m, r.n(), r.n(), r.n(), r.pick("–", r.n())] for m in ("Ukupno / Total", "I.", "II.", "III.", "IV.", "V.", "VI.", "VII.", "VIII.", "IX.", "X.", "XI.", "XII.")]
    return [("Tab 1", rows + body)], Truth(["", "Dolasci", "strani", "Noćenja", "strani"], 13, (2022, 2022), "DOLASCI I NOĆENJA TURISTA|TOURIST ARRIVALS")


@made_in("bg", "xlsx", "csv;cp1251")
def nsi_bulgaria(r: Figures) -> Made:
    """Cyrillic names, a unit in brackets at the right, totals before parts, a note on the sum."""
    rows: Rows = [["НАСЕЛЕНИЕ ПО ОБЛАСТИ И ПОЛ КЪМ 31.12.2021 ГОДИНА"], [None, None, None, "(Брой)"], ["Области", "Общо", "Пол", None], [None, None, "мъже", "жени"]]
    body: Rows = [[o, r.n(), r.n(), r.n()] for o in ("Общо за страната", "Благоевград", "Бургас", "Варна", "Велико Търново", "Видин", "Враца", "Габрово")]
    return [("Tabl1", rows + body)], Truth(["Области", "Общо", "мъже", "жени"], 8, (2021, 2021), "НАСЕЛЕНИЕ ПО ОБЛАСТИ")


@made_in("ru", "xls", "xlsx")
def rosstat_quarters(r: Figures) -> Made:
    """A link to the contents, quarters in roman numerals under years, a footnote mark at the year."""
    rows: Rows = [["К содержанию"], ["Валовой внутренний продукт"], ["(в текущих ценах, млрд руб.)"], [], [None, "2021 год1)", None, None, None, "2022 год2)", None, None, None], [None, "I квартал", "II квартал", "III квартал", "IV квартал", "I квартал", "II квартал", "III квартал", "IV квартал"]]
    body: Rows = [[s, *(r.f(1000, 40_000) for _ in range(8))] for s in ("Валовой внутренний продукт", "Расходы на конечное потребление", "   домашних хозяйств", "   государственного управления", "Валовое накопление", "Чистый экспорт")]
    foot: Rows = [["1) Третья оценка."], ["2) Предварительные данные."]]
    return [("1", rows + body + foot)], Truth(["", "2021", "II квартал", "III квартал", "IV квартал", "2022", "II квартал", "III квартал", "IV квартал"], 6, (2021, 2022), "Валовой внутренний продукт")


# Asia, Africa, Oceania


@made_in("ar", "xlsx", "csv,utf-8-sig")
def gastat_two_directions(r: Figures) -> Made:
    """Arabic at the right and English at the left of the figures, the title in both, Arabic digits in years."""
    rows: Rows = [["جدول 2-1 السكان حسب المنطقة الإدارية والجنس"], ["Table 2-1 Population by Administrative Area and Sex"], [], ["Administrative Area", "٢٠١٩", "٢٠٢٠", "٢٠٢١", "المنطقة الإدارية"]]
    body: Rows = [[e, r.n(), r.n(), r.n(), a] for e, a in (("Riyadh", "الرياض"), ("Makkah", "مكة المكرمة"), ("Madinah", "المدينة المنورة"), ("Qassim", "القصيم"), ("Eastern Province", "المنطقة الشرقية"), ("Total", "الجملة"))]
    foot: Rows = [["المصدر: الهيئة العامة للإحصاء"], ["Source: General Authority for Statistics"]]
    return [("2-1", rows + body + foot)], Truth(["Administrative Area", "٢٠١٩", "٢٠٢٠", "٢٠٢١", "المنطقة"], 6, (2019, 2021), "Population by Administrative Area|السكان حسب المنطقة")


@made_in("ar", "csv,utf-8", "xlsx")
def arabic_digits(r: Figures) -> Made:
    """All figures in Arabic digits with the Arabic decimal mark."""
    digits = str.maketrans("0123456789.", "٠١٢٣٤٥٦٧٨٩٫")
    rows: Rows = [["المحافظة", "الذكور", "الإناث", "النسبة"]]
    rows += [[m, str(r.n()).translate(digits), str(r.n()).translate(digits), str(r.f()).translate(digits)] for m in ("القاهرة", "الإسكندرية", "بورسعيد", "السويس", "دمياط", "الدقهلية", "الشرقية")]
    return [("egypt", rows)], Truth(["المحافظة", "الذكور", "الإناث", "النسبة"], 7, None)


@made_in("ja", "xls", "xlsx", "csv,cp932")
def estat_wide_digits(r: Figures) -> Made:
    """Digits of full width in the names, era and western year in two columns, a unit line, a source."""
    rows: Rows = [["２－１　人口の推移（大正９年～令和２年）"], [None, None, None, None, "（単位　千人）"], ["年次", None, "総人口", "男", "女"]]
    body: Rows = [[e, w, r.n(), r.n(), r.n()] for e, w in (("昭和50年", "1975"), ("昭和55年", "1980"), ("昭和60年", "1985"), ("平成２年", "1990"), ("平成７年", "1995"), ("平成12年", "2000"), ("平成17年", "2005"), ("平成22年", "2010"))]
    foot: Rows = [["資料　総務省統計局「国勢調査報告」"], ["注）各年10月１日現在"]]
    return [("02-01", rows + body + foot)], Truth(["年次", "", "総人口", "男", "女"], 8, (1975, 2010), "人口の推移")


@made_in("zh", "xls", "xlsx")
def nbs_yearbook(r: Figures) -> Made:
    """The number before the title, units at the right, blanks within names, English below Chinese."""
    rows: Rows = [["2-1  人口数及构成"], ["Population and Its Composition"], [None, None, None, None, "单位：万人"], ["年  份", "总人口", "按性别分", None, "城镇人口"], ["Year", "(年末)", "男", "女", None], [None, "Total", "Male", "Female", "Urban"]]
    body: Rows = [[y, r.n(90_000, 140_000), r.n(40_000, 70_000), r.n(40_000, 70_000), r.n(10_000, 80_000)] for y in range(1998, 2018)]
    foot: Rows = [["注：1.1981年及以前数据为户籍统计数。"], ["a) Data before 1982 were taken from the annual reports."]]
    return [("C0201", rows + body + foot)], Truth(["年", "总人口", "男", "女", "城镇人口"], 20, (1998, 2017), "人口数及构成|Population and Its Composition")


@made_in("ko", "xlsx", "csv,cp949")
def kosis_items_down(r: Figures) -> Made:
    """Names of dimensions with the level in parentheses, months with a point, marks for missing values."""
    rows: Rows = [["시도별(1)", "성별(1)", "항목", "2021.01", "2021.02", "2021.03", "2021.04"]]
    body: Rows = [[s, x, "경제활동인구 (천명)", *(r.pick("-", r.n(), r.n()) for _ in range(4))] for s in ("계", "서울특별시", "부산광역시", "대구광역시") for x in ("계", "남자", "여자")]
    return [("데이터", rows + body)], Truth(["시도별", "성별", "항목", "2021.01", "2021.02", "2021.03", "2021.04"], 12, (2021, 2021))


@made_in("en", "xls", "xlsx")
def mospi_fiscal_years(r: Figures) -> Made:
    """Fiscal years with the round of the estimate in brackets, numbered rows with letters, a unit at the right."""
    rows: Rows = [["STATEMENT 1: Gross Value Added by economic activity at constant (2011-12) prices"], [None, None, None, None, "(₹ crore)"], ["S. No.", "Industry", "2019-20\n(3rd RE)", "2020-21\n(2nd RE)", "2021-22\n(1st RE)"], ["1", "2", "3", "4", "5"]]
    body: Rows = [[n, s, r.n(), r.n(), r.n()] for n, s in (("1.", "Agriculture, forestry & fishing"), ("1.1", "Crops"), ("1.2", "Livestock"), ("2.", "Mining & quarrying"), ("3.", "Manufacturing"), ("4.", "Construction"), ("5.", "GVA at basic prices (1 to 4)"))]
    return [("S1", rows + body)], Truth(["S. No.", "Industry", "2019-20", "2020-21", "2021-22"], 7, (2019, 2021), "Gross Value Added by economic activity")


@made_in("id", "csv,utf-8-sig", "xlsx")
def bps_provinces(r: Figures) -> Made:
    """The place in the corner, the variable over years, a national total at the end, a note on the source."""
    rows: Rows = [["Provinsi", "Persentase Penduduk Miskin (Persen)", "", ""], ["", "2019", "2020", "2021"]]
    body: Rows = [[p, r.f(3, 27, 2), r.f(3, 27, 2), r.pick("-", r.f(3, 27, 2))] for p in ("ACEH", "SUMATERA UTARA", "SUMATERA BARAT", "RIAU", "JAMBI", "BENGKULU", "LAMPUNG", "INDONESIA")]
    foot: Rows = [["Sumber: Badan Pusat Statistik, Survei Sosial Ekonomi Nasional"]]
    return [("bps", rows + body + foot)], Truth(["Provinsi", "2019", "2020", "2021"], 8, (2019, 2021), "")


@made_in("vi", "xls", "xlsx")
def gso_preliminary(r: Figures) -> Made:
    """Names in Vietnamese over English, a preliminary year in two lines, totals in capitals."""
    rows: Rows = [["Dân số trung bình phân theo địa phương"], ["Average population by province"], [], [None, "Nghìn người - Thous. pers.", None, None], [None, "2019", "2020", "Sơ bộ\nPrel. 2021"], []]
    body: Rows = [[p, r.f(300, 9000), r.f(300, 9000), r.f(300, 9000)] for p in ("CẢ NƯỚC - WHOLE COUNTRY", "Đồng bằng sông Hồng", "Hà Nội", "Vĩnh Phúc", "Bắc Ninh", "Quảng Ninh")]
    return [("V02.01", rows + body)], Truth(["", "2019", "2020", "2021"], 6, (2019, 2021), "Dân số trung bình phân theo địa phương|Average population by province")


@made_in("en", "xlsx", "csv,utf-8")
def statssa_coded(r: Figures) -> Made:
    """Codes as names of all columns: labels H01 to H06, months as MO and the digits of month and year."""
    months = [f"MO{m:02}{y}" for y in (2020, 2021) for m in range(1, 13)]
    header: list[Cell] = ["H01", "H02", "H03", "H04", "H05", "H17", *months]
    body: Rows = [["P6420", "Food and beverages", f"FAB{n:02}", what, kind, "R million", *(r.f(50, 900) for _ in months)] for n, (what, kind) in enumerate((("Total income", "Current"), ("Food sales", "Current"), ("Bar sales", "Current"), ("Restaurants", "Constant 2019 prices"), ("Takeaway", "Constant 2019 prices"), ("Catering", "Constant 2019 prices")), 1)]
    return [("Food", [header, *body])], Truth([str(c) for c in header], 6, (2020, 2021))


@made_in("en", "xlsx", "xls")
def abs_data_cube(r: Figures) -> Made:
    """The name of the bureau in the first cell, a release line, units in a row, notes with letters, a copyright."""
    rows: Rows = [["            Australian Bureau of Statistics"], ["3222.0 Population Projections, Australia, 2017 (base) - 2066"], ["Released at 11:30 am (Canberra time) Thurs 22 Nov 2018"], ["Table 2. Projected population by age group, capital cities, 2020"], [], [None, "Sydney", None, "Melbourne", None, "Brisbane(a)", None], [None, "no.", "%", "no.", "%", "no.", "%"]]
    body: Rows = [[a, r.n(), r.f(), r.n(), r.f(), r.n(), r.f()] for a in ("0–4", "5–9", "10–14", "15–19", "20–24", "25–29", "30–34", "85 and over", "All ages")]
    foot: Rows = [[], ["(a) Greater Capital City Statistical Area."], [], ["© Commonwealth of Australia 2018"]]
    return [("Table_2", rows + body + foot)], Truth(["", "Sydney", "%", "Melbourne", "%", "Brisbane", "%"], 9, (2020, 2020), "Projected population by age group")


@made_in("en", "csv,quoted", "csv,utf-8")
def infoshare_series(r: Figures) -> Made:
    """The title in the first line, names over two lines with the first blank, facts in pairs below."""
    rows: Rows = [["Estimated Resident Population by Age and Sex (1991+) (Annual-Dec)", "", ""], [" ", "Male", "Female"], [" ", "Total All Ages", "Total All Ages"]]
    body: Rows = [[str(y), r.n(), r.n()] for y in range(1991, 2023)]
    foot: Rows = [["Table information:"], ["Units:"], ["Number, Magnitude = Units"], ["Footnotes:"], ["Annual-Dec: estimates at 31 December"], ["Symbols:"], [".. figure not available"]]
    return [("DPE", rows + body + foot)], Truth(["", "Male", "Female"], 32, (1991, 2022), "Estimated Resident Population by Age and Sex")


# Nordic countries, the Netherlands


@made_in("sv", "xlsx")
def scb_facts_below(r: Figures) -> Made:
    """Names of columns beside an empty corner, facts as name and value in rows below each other."""
    rows: Rows = [["Folkmängd efter region, kön och år"], [], [None, None, "2019", "2020", "2021"]]
    body: Rows = [[reg if n == 0 else None, k, r.n(), r.n(), r.n()] for reg in ("01 Stockholms län", "03 Uppsala län", "04 Södermanlands län", "05 Östergötlands län") for n, k in enumerate(("män", "kvinnor"))]
    foot: Rows = [[], ["Senast uppdaterad:"], ["20220222 08:00"], [], ["Källa:"], ["SCB"], [], ["Kontaktperson:"], ["Tomas Johansson, SCB"], [" +46 010-479 64 26"], [], ["Enhet:"], ["antal"], [], ["Referenstid:"], ["31 december respektive år"], [], ["Databas:"], ["Statistikdatabasen"], ["Intern referenskod:"], ["000001VW"]]
    return [("BE0101N1", rows + body + foot)], Truth(["", "", "2019", "2020", "2021"], 8, (2019, 2021), "Folkmängd efter region")


@made_in("fi", "csv;utf-8", "csv,cp1252")
def stat_fi_months(r: Figures) -> Made:
    """Months as 2020M01 with a star for preliminary ones, a title in quotes, information codes."""
    rows: Rows = [["Kuluttajahintaindeksi (2015=100) muuttujina Kuukausi, Hyödyke ja Tiedot"], [], ["Kuukausi", "Hyödyke", "Pisteluku", "Vuosimuutos, %"]]
    body: Rows = [[f"{y}M{m:02}{'*' if y == 2021 and m > 10 else ''}", h, r.f(95, 120, 2), r.pick("...", r.f(-2, 4))] for y in (2020, 2021) for m in range(1, 13) for h in ("0 KULUTTAJAHINTAINDEKSI", "01 ELINTARVIKKEET")]
    return [("khi", rows + body)], Truth(["Kuukausi", "Hyödyke", "Pisteluku", "Vuosimuutos"], 48, (2020, 2021), "Kuluttajahintaindeksi")


@made_in("da", "xlsx", "csv;cp1252")
def dst_statbank(r: Figures) -> Made:
    """The table's title with its unit, quarters as 2020K1, keys blank where they repeat."""
    rows: Rows = [["Fuldtidsledige (netto) efter område, køn og tid"], ["Enhed: antal"], [], [None, None, "2020K1", "2020K2", "2020K3", "2020K4"]]
    body: Rows = [[o if n == 0 else None, k, *(r.n() for _ in range(4))] for o in ("Region Hovedstaden", "Region Sjælland", "Region Syddanmark") for n, k in enumerate(("Mænd", "Kvinder"))]
    return [("AULK01", rows + body)], Truth(["", "", "2020K1", "2020K2", "2020K3", "2020K4"], 6, (2020, 2020), "Fuldtidsledige (netto)")


@made_in("nl", "xlsx", "csv;utf-8")
def cbs_open_data(r: Figures) -> Made:
    """Codes of periods and regions padded with blanks, identifiers of measures as names."""
    header: list[Cell] = ["ID", "RegioS", "Perioden", "TotaleBevolking_1", "Mannen_2", "Vrouwen_3", "Bevolkingsdichtheid_57"]
    body: Rows = [[n, reg, f"{y}JJ00", r.n(), r.n(), r.n(), r.pick(".", r.n(100, 6000))] for n, (reg, y) in enumerate([(g, y) for g in ("NL01  ", "GM1680", "GM0358", "GM0197") for y in (2019, 2020, 2021)])]
    return [("70072ned", [header, *body])], Truth([str(c) for c in header], 12, (2019, 2021))


# Not statistics


@made_in("en", "csv\tutf-8")
def other_dictionary(r: Figures) -> Made:
    """A dictionary of codes as the bulk download has it, without names."""
    return [("geo", [[f"AT{n}", f"Region {'ABCDEFGHIJ'[n % 10]} of the country"] for n in range(11, 60)])], Truth([], 0, None, statistics=False)


@made_in("fr", "csv;utf-8")
def other_register(r: Figures) -> Made:
    """A register of schools with identifiers, telephone numbers and coordinates."""
    header: list[Cell] = ["numero_uai", "appellation_officielle", "adresse", "code_postal", "commune", "telephone", "coordonnee_x", "coordonnee_y", "date_ouverture"]
    return [("ecoles", [header, *[[f"075{n:04}A", f"École élémentaire {n}", f"{n} rue de la Paix", f"7500{n % 9}", "Paris", f"01 42 {n:02} 11 0{n % 9}", r.f(640_000, 650_000), r.f(6_860_000, 6_870_000), f"1965-05-{n % 28 + 1:02}"] for n in range(30)]])], Truth([], 0, None, statistics=False)


@made_in("en", "xlsx")
def other_change_log(r: Figures) -> Made:
    """Versions of a publication with dates and what was changed."""
    return [("Change log", [["Version", "Date", "Change made", "Tables affected"], *[[f"1.{n}", f"{n + 1} March 2021", "Corrected an error in the label of the third column of the table.", f"Table {n}"] for n in range(12)]])], Truth([], 0, None, statistics=False)


@made_in("de", "xlsx")
def other_questionnaire_plan(r: Figures) -> Made:
    """Variables of a survey with their type, length and position in the record."""
    return [("Datensatz", [["EF-Nr.", "Merkmal", "Feldlänge", "von", "bis", "Typ", "Bemerkung"], *[[f"EF{n}", f"Merkmal der Person Nr. {n}", 2, 2 * n + 1, 2 * n + 2, "NUM", "siehe Schlüsselverzeichnis"] for n in range(1, 40)]])], Truth([], 0, None, statistics=False)
