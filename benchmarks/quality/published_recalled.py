"""Sheets and delimited files written from memory of real publications, each labelled by hand.

They were written and labelled before the catalogue read one of them, and without knowledge of its
rules. The functions have the form of those in `published_offices`; `Wide` is a merged heading.
"""
# ruff: noqa: E501 contents of files, and functions with one signature
# fmt: off

from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta

from published_case import Cell, Rows, Truth
from published_offices import Figures, Layout, Made

_FOUND: list[Layout] = []


class Wide(str):
    """A heading that is merged with the blank cells after it."""

    __slots__ = ()


def made_in(language: str, *kinds: str) -> Callable[[Callable[[Figures], Made]], Callable[[Figures], Made]]:
    def register(make: Callable[[Figures], Made]) -> Callable[[Figures], Made]:
        _FOUND.append(Layout(make.__name__, language, kinds, make))
        return make

    return register


def list_recalled_layouts() -> Iterator[Layout]:
    yield from _FOUND


_GEO = ["Belgium", "Bulgaria", "Czechia", "Denmark", "Germany", "Estonia", "Ireland", "Greece", "Spain", "France", "Croatia", "Italy"]
_MON = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"]


def _row(r: Figures, label: Cell, count: int, low: int = 200, high: int = 90_000) -> list[Cell]:
    return [label, *(r.n(low, high) for _ in range(count))]


# Europe as a whole


@made_in("en", "csv,utf-8")
def eurostat_sdmx_csv(r: Figures) -> Made:
    head: Rows = [["DATAFLOW", "LAST UPDATE", "freq", "siec", "unit", "geo", "TIME_PERIOD", "OBS_VALUE", "OBS_FLAG", "CONF_STATUS"]]
    body: Rows = [["ESTAT:NRG_CB_E(1.0)", "17/05/23 23:00:00", "A", "E7000", "GWH", g, y, r.f(900, 90_000, 3), r.pick(None, None, "p", "e"), None] for g in ("BE", "BG", "CZ", "DE", "EU27_2020") for y in range(2012, 2022)]
    return [("a", head + body)], Truth([str(h) for h in head[0]], 50, (2012, 2021))


@made_in("en", "xlsx", "lo.ods")
def eurostat_browser_sheets(r: Figures) -> Made:
    """A summary, a structure sheet, then sheets with a flag column after each year."""
    summary: Rows = [["Deaths by week and sex [demo_r_mwk_ts]"], [], ["Data extracted on 14/02/2024 16:51:30 from [ESTAT]"], [], ["Contents", None, "Time frequency [FREQ]", "Sex [SEX]"], ["Sheet 1", None, "Annual", "Total"], ["Sheet 2", None, "Annual", "Males"]]
    structure: Rows = [["Structure"], [], ["Dimension", "Position", "Label"], ["Geopolitical entity (reporting)", "BE", "Belgium"], ["Geopolitical entity (reporting)", "BG", "Bulgaria"]]

    def sheet(sex: str, last: int) -> Rows:
        head: Rows = [["Data extracted on 14/02/2024 16:51:30 from [ESTAT]"], ["Dataset: ", "Deaths by week and sex [demo_r_mwk_ts]"], ["Last updated: ", "13/02/2024 23:00"], [], ["Time frequency [FREQ]", None, "Annual [A]"], ["Sex [SEX]", None, sex], [],
                      ["TIME", *(c for y in range(2016, last) for c in (str(y), None))], ["GEO (Labels)", *[None] * (2 * (last - 2016))]]
        body: Rows = [[g, *(c for _ in range(2016, last) for c in (r.pick(r.n(), r.n(), ":"), r.pick(None, None, "p")))] for g in _GEO]
        foot: Rows = [[], ["Special value"], [":", "not available"], [], ["Observation flags:"], ["p", "provisional"]]
        return head + body + foot

    return [("Summary", summary), ("Structure", structure), ("Sheet 1", sheet("Total [T]", 2023)), ("Sheet 2", sheet("Males [M]", 2021))], Truth(["GEO", *(c for y in range(2016, 2023) for c in (str(y), ""))], 12, (2016, 2022), "Deaths by week and sex")


@made_in("en", "csv,utf-8")
def ecb_warehouse(r: Figures) -> Made:
    """Five lines of metadata before daily values."""
    rows: Rows = [["Data Source in SDW: null"], [None, "EXR.D.USD.EUR.SP00.A"], [None, "ECB reference exchange rate, US dollar/Euro, 2:15 pm (C.E.T.)"], ["Collection:", "Average of observations through period (A)"], ["Period\\Unit:", "[US dollar ]"]]
    body: Rows = [[str(date(2021, 12, 30) - timedelta(days=k)), f"{r.f(1.0, 1.25, 4)}"] for k in range(60)]
    return [("a", rows + body)], Truth(["Period", "US dollar"], 60, (2021, 2021), "ECB reference exchange rate")


# Germany, Austria, Switzerland


@made_in("de", "csv;utf-8", "csv;cp1252")
def genesis_flat(r: Figures) -> Made:
    head = ["Statistik_Code", "Statistik_Label", "Zeit_Code", "Zeit_Label", "Zeit", "1_Merkmal_Code", "1_Merkmal_Label", "1_Auspraegung_Code", "1_Auspraegung_Label", "2_Merkmal_Code", "2_Merkmal_Label", "2_Auspraegung_Code", "2_Auspraegung_Label", "BEVSTD__Bevoelkerungsstand__Anzahl"]
    body: Rows = [["12411", "Fortschreibung des Bevölkerungsstandes", "STAG", "Stichtag", f"31.12.{y}", "DLAND", "Bundesländer", f"{k:02}", land, "GES", "Geschlecht", g, t, r.pick(r.n(), r.n(), "-")] for y in (2019, 2020, 2021) for k, land in enumerate(("Schleswig-Holstein", "Hamburg", "Niedersachsen", "Bremen"), 1) for g, t in (("GESM", "männlich"), ("GESW", "weiblich"))]
    return [("a", [head, *body])], Truth(head, 24, (2019, 2021))


@made_in("de", "xlsx")
def destatis_report(r: Figures) -> Made:
    """A statistical report: cover, contents, explanations, a printed table, and its long form."""
    cover: Rows = [[], [None, "Statistischer Bericht"], [], [None, "Bevölkerungsfortschreibung"], [None, "2022"], [], [None, "EVAS-Nummer: 12411"], [None, "Erscheinungsfolge: jährlich"], [None, "Erschienen am 31.01.2024"], [None, "Artikelnummer: 2120100227005"], [None, "Ihr Kontakt zu uns:"], [None, "Telefon: +49 (0) 611 / 75 24 05"]]
    contents: Rows = [["Inhaltsübersicht"], ["Titel"], ["Informationen zur Statistik"], ["Tabellen"], ["12411-01", "Bevölkerung nach Altersjahren und Geschlecht"], ["csv-12411-01", "Bevölkerung nach Altersjahren und Geschlecht"]]
    shown: Rows = [["Zurück zur Inhaltsübersicht"], ["12411-01: Bevölkerung am 31.12.2022 nach Altersjahren und Geschlecht"], ["Alter von … bis unter … Jahren", "Insgesamt", "Männlich", "Weiblich"]]
    shown += [[f"{a} - {a + 1}", r.n(), r.n(), r.n()] for a in range(30)]
    shown += [[], ["__________"], ["Ergebnisse auf Grundlage des Zensus 2011."]]
    long: Rows = [["Statistik", "Stichtag", "Altersjahre", "Geschlecht", "Staatsangehoerigkeit", "Bevoelkerung_Anzahl"]]
    long += [["12411", "31.12.2022", f"{a} bis unter {a + 1} Jahre", g, s, r.n()] for a in range(30) for g in ("männlich", "weiblich") for s in ("Deutsche", "Ausländer")]
    return [("Titel", cover), ("Inhaltsübersicht", contents), ("12411-01", shown), ("csv-12411-01", long)], Truth([str(c) for c in long[0]], 120, (2022, 2022), "Bevölkerung nach Altersjahren|Bevölkerung am 31.12.2022|Bevölkerungsfortschreibung")


@made_in("de", "csv;utf-8-sig")
def bundesbank_series(r: Figures) -> Made:
    """Three rows of names and units above monthly values, a column of remarks after each."""
    rows: Rows = [[None, "BBK01.WU0004", "BBK01.WU0004_FLAGS", "BBK01.WU0005", "BBK01.WU0005_FLAGS"], [None, "Umlaufsrenditen inländischer Inhaberschuldverschreibungen / Insgesamt", None, "Umlaufsrenditen / Öffentliche Anleihen", None], ["Einheit", "% p.a.", None, "% p.a.", None], ["Dimension", "Eins", None, "Eins", None], ["Stand vom", "02.01.2023 11:05:42 Uhr", None, "02.01.2023 11:05:42 Uhr", None]]
    body: Rows = [[f"{y}-{m:02}", r.comma(2), None, r.pick(r.comma(2), "."), r.pick(None, "Kein Wert vorhanden")] for y in range(2017, 2022) for m in range(1, 13)]
    return [("a", rows + body)], Truth(["", "WU0004", "", "WU0005", ""], 60, (2017, 2021))


@made_in("de", "csv;utf-8")
def election_districts(r: Figures) -> Made:
    """Comments, three rows of names over groups, blank lines between states."""
    parties = ["Wahlberechtigte", "Wählende", "Ungültige", "Gültige", "CDU", "SPD", "GRÜNE", "FDP"]
    rows: Rows = [["Bundestagswahl am 26. September 2021"], ["Endgültiges Ergebnis"], [],
                  ["Nr", "Gebiet", "gehört zu", *(c for p in parties for c in (p, None, None, None))],
                  [None, None, None, *(c for _ in parties for c in ("Erststimmen", None, "Zweitstimmen", None))],
                  [None, None, None, *(c for _ in parties for c in ("Endgültig", "Vorperiode", "Endgültig", "Vorperiode"))]]
    body: Rows = []
    for k, place in enumerate(("Flensburg – Schleswig", "Nordfriesland – Dithmarschen Nord", "Steinburg – Dithmarschen Süd", "Rendsburg-Eckernförde", "Kiel", "Plön – Neumünster", "Pinneberg", "Segeberg – Stormarn-Mitte"), 1):
        body.append([k, place, 1, *(r.pick(r.n(), r.n(), None) for _ in range(32))])
    body += [[], [1, "Schleswig-Holstein", 99, *(r.n() for _ in range(32))], [], [99, "Bundesgebiet", None, *(r.n() for _ in range(32))]]
    names = ["Nr", "Gebiet", "gehört zu", *(c for p in parties for c in (p, "Vorperiode", "Zweitstimmen", "Vorperiode"))]
    return [("kerg", rows + body)], Truth(names, 10, (2021, 2021), "Bundestagswahl")


@made_in("de", "csv;utf-8", "lo.xlsx")
def statcube_export(r: Figures) -> Made:
    """A cube's export from Austria: filters above, label columns filled once, a legend."""
    rows: Rows = [["Bevölkerung zu Jahresbeginn ab 2002"], ["Zähldatensatz: Fälle"], [], ["Werte", "Anzahl"], [], [None, "Bundesland (NUTS 2-Einheit)", "Burgenland <AT11>", "Kärnten <AT21>", "Niederösterreich <AT12>"], ["Jahr (Zeitachse)", "Geschlecht", None, None, None]]
    body: Rows = [[y if g == "männlich" else None, g, *(r.n() for _ in range(3))] for y in range(2015, 2023) for g in ("männlich", "weiblich")]
    foot: Rows = [[], ["INFO"], ["Erstellt mit STATcube am 12.03.2023 09:12:33"], ["© Statistik Austria"]]
    return [("Tabelle", rows + body + foot)], Truth(["Jahr", "Geschlecht", "Burgenland", "Kärnten", "Niederösterreich"], 16, (2015, 2022), "Bevölkerung zu Jahresbeginn")


@made_in("fr", "xlsx", "lo.xls")
def swiss_yearbook(r: Figures) -> Made:
    """Code of the table at the right, merged headings in three rows, blank rows between groups."""
    rows: Rows = [["Bilan de la population résidante permanente", None, None, None, None, None, "T 01.02.04.05"], ["selon les cantons, en 2021"], [],
                  [None, "Etat au 1er janvier", Wide("Accroissement naturel"), None, None, "Solde migratoire 1)", "Etat au 31 décembre"], [None, None, "Naissances", "Décès", "Total", None, None], []]
    body: Rows = [_row(r, "Total", 6), []]
    for group in (("Genève", "Valais", "Vaud"), ("Berne", "Fribourg", "Jura", "Neuchâtel", "Soleure")):
        body += [_row(r, c, 6) for c in group]
        body.append([])
    foot: Rows = [["1) y compris ajustements statistiques"], [], ["Source: OFS – STATPOP"], ["© OFS 2022"], ["Renseignements: Centre d'information, section Démographie, tél. 058 463 67 11"]]
    return [("2021", rows + body + foot)], Truth(["", "Etat au 1er janvier", "Naissances", "Décès", "Total", "Solde migratoire", "Etat au 31 décembre"], 9, (2021, 2021), "Bilan de la population")


# United Kingdom, Ireland


@made_in("en", "csv,quoted")
def ons_series(r: Figures) -> Made:
    """Name and value pairs, then years, quarters and months below each other."""
    rows: Rows = [["Title", "CPIH ANNUAL RATE 00: ALL ITEMS 2015=100"], ["CDID", "L55O"], ["Source dataset ID", "MM23"], ["PreUnit", ""], ["Unit", "%"], ["Release date", "15-11-2023"], ["Next release", "20 December 2023"], ["Important notes", ""]]
    body: Rows = [[str(y), f"{r.f(0.3, 9)}"] for y in range(2008, 2023)]
    body += [[f"{y} Q{q}", f"{r.f(0.3, 9)}"] for y in range(2008, 2023) for q in (1, 2, 3, 4)]
    body += [[f"{y} {m}", f"{r.f(0.3, 9)}"] for y in range(2008, 2023) for m in _MON]
    return [("a", rows + body)], Truth(["", ""], len(body), (2008, 2022), "CPIH ANNUAL RATE")


@made_in("en", "csv,quoted", "xlsx")
def ons_dataset(r: Figures) -> Made:
    """The same with a column per series."""
    series = [("RPI All Items Index: Jan 1987=100", "CHAW"), ("RPI: Ave price - Bread: white loaf, sliced", "CZOH"), ("CPI INDEX 01 : FOOD 2015=100", "D7BU"), ("CPI wts: Food", "CHZR")]
    rows: Rows = [["Title", *(s for s, _ in series)], ["CDID", *(c for _, c in series)], ["PreUnit", *[None] * 4], ["Unit", "Index, base year = 100", "Pence", "Index, base year = 100", "Parts per 1000"], ["Release Date", *["15-11-2023"] * 4], ["Next release", *["20 December 2023"] * 4], ["Important Notes", *[None] * 4]]
    body: Rows = [[str(y), *(r.pick(f"{r.f(20, 300)}", f"{r.f(20, 300)}", None) for _ in series)] for y in range(1988, 2023)]
    body += [[f"{y} Q{q}", *(r.pick(f"{r.f(20, 300)}", None) for _ in series)] for y in range(1988, 2023) for q in (1, 2, 3, 4)]
    return [("data", rows + body)], Truth(["Title", "RPI All Items", "Bread", "FOOD", "wts"], len(body), (1988, 2022))


@made_in("en", "xlsx", "lo.ods")
def ons_accessible(r: Figures) -> Made:
    """A cover, contents and notes sheet; a table on each sheet below lines that explain it."""
    cover: Rows = [["Deaths registered weekly in England and Wales, provisional"], ["Week ending 8 December 2023"], ["Released 19 December 2023"], ["Contact"], ["health.data@example.org"]]
    contents: Rows = [["Contents"], ["This worksheet contains one table."], ["Worksheet", "Description"], ["1", "Weekly deaths by age"], ["2", "Weekly deaths by region"], ["Notes", "Notes"]]
    notes: Rows = [["Notes"], ["This worksheet contains one table."], ["Note number", "Note text"], ["1", "Figures exclude deaths of non-residents."], ["2", "Coding follows ICD-10."]]
    body: Rows = [[n, datetime(2023, 1, 6) + timedelta(days=7 * (n - 1)), r.n(9000, 17000), r.n(), r.pick(r.n(0, 9), "[x]"), r.n()] for n in range(1, 50)]
    one: Rows = [["Table 1: Weekly provisional deaths by age, England and Wales, 2023 [note 1]"], ["This worksheet contains one table. Some cells refer to notes which can be found on the Notes worksheet."], ["Source: Office for National Statistics"], ["Week number", "Week ending", "Total deaths, all ages", "Deaths under 1 year", "Deaths aged 1 to 14 years [note 2]", "Deaths aged 15 and over"], *body]
    two: Rows = [["Table 2: Weekly provisional deaths by region"], ["This worksheet contains one table."], ["Week number", "North East", "Wales"], *[[n, r.n(), r.n()] for n in range(1, 30)]]
    return [("Cover sheet", cover), ("Contents", contents), ("Notes", notes), ("1", one), ("2", two)], Truth(["Week number", "Week ending", "Total deaths", "under 1 year", "1 to 14 years", "15 and over"], 49, (2023, 2023), "deaths")


@made_in("en", "csv,utf-8", "xlsx")
def nomis_query(r: Figures) -> Made:
    """Title, copyright, filters, a blank line; a column of confidence after each figure; notes below."""
    rows: Rows = [["annual population survey"], ["ONS Crown Copyright Reserved [from Nomis on 3 May 2023]"], [], ["date", "Jan 2022-Dec 2022"], [], ["local authority: county / unitary (as of April 2021)", "mnemonic", "Employment rate - aged 16-64", "conf", "% who are economically inactive - aged 16-64", "conf"]]
    body: Rows = [[p, f"E0600000{k}", r.f(50, 90), r.f(1, 6), r.pick(r.f(), "!", "*"), r.pick(r.f(1, 6), "!")] for k, p in enumerate(("Darlington", "County Durham", "Hartlepool", "Middlesbrough", "Northumberland", "Redcar and Cleveland", "Stockton-on-Tees", "Halton"), 1)]
    foot: Rows = [[], ["! Estimate and confidence interval not available since the group sample size is zero or disclosive (0-2)."], ["* Estimate and confidence interval unreliable since the group sample size is small (3-9)."]]
    return [("a", rows + body + foot)], Truth(["local authority", "mnemonic", "Employment rate", "conf", "inactive", "conf"], 8, (2022, 2022), "annual population survey")


@made_in("en", "xlsx", "lo.xls")
def nhs_provider(r: Figures) -> Made:
    """Everything from column B on; pairs of name and value above, groups over two rows, a total before a gap."""
    rows: Rows = [[], [None, "Title:", "A&E Attendances and Emergency Admissions Statistics"], [None, "Summary:", "This file contains monthly attendances."], [None, "Period:", "November 2022"], [None, "Source:", "SDCS data collection - MSitAE"], [None, "Basis:", "Provider"], [None, "Published:", "8th December 2022"], [None, "Revised:", "-"], [None, "Status:", "Published"], [None, "Contact:", "unify2@example.org"], [], [],
                  [None, None, None, None, Wide("A&E attendances"), None, None, Wide("Emergency admissions"), None], [None, "Code", "Region", "Name", "Type 1 Departments", "Type 2 Departments", "Total attendances", "via Type 1", "Other"],
                  [None, "-", "-", "England", *(r.n(100_000, 900_000) for _ in range(5))], []]
    body: Rows = [[None, f"R{k}H", "NHS England London", f"{n} NHS Foundation Trust", *(r.pick(r.n(), r.n(), 0) for _ in range(5))] for k, n in enumerate(("Barts Health", "Croydon Health Services", "Guy's and St Thomas'", "Homerton Healthcare", "King's College Hospital", "Kingston Hospital", "Lewisham and Greenwich"))]
    foot: Rows = [[], [None, "Note: Trusts which did not return data are shown as '-'."]]
    return [("Provider Level Data", rows + body + foot)], Truth(["Code", "Region", "Name", "Type 1", "Type 2", "Total attendances", "via Type 1", "Other"], 8, (2022, 2022), "Attendances and Emergency Admissions")


@made_in("en", "csv,utf-8")
def education_long(r: Figures) -> Made:
    head = ["time_period", "time_identifier", "geographic_level", "country_code", "country_name", "region_code", "region_name", "school_type", "headcount", "fsm_eligible_percent"]
    body: Rows = [[y, "Academic year", "Regional", "E92000001", "England", f"E1200000{k}", n, t, r.n(), r.pick(f"{r.f()}", "z", "c")] for y in (201819, 201920, 202021) for k, n in enumerate(("North East", "North West", "London"), 1) for t in ("State-funded primary", "State-funded secondary")]
    return [("a", [head, *body])], Truth(head, 18, (2018, 2020))


@made_in("en", "csv,utf-8")
def spending_over_limit(r: Figures) -> Made:
    """A register of payments: no statistics."""
    head = ["Department Family", "Entity", "Date", "Expense Type", "Expense Area", "Supplier", "Transaction Number", "Amount", "Description", "Supplier Postcode"]
    body: Rows = [["Department for Transport", "DVLA", f"{r.n(1, 28):02}/03/2021", r.pick("IT Services", "Postage", "Rent"), r.pick("Corporate", "Operations"), r.pick("Fujitsu Services Ltd", "Royal Mail Group", "Capita Plc", "BT Plc"), 510000 + k, f"{r.grouped(',')}.00", r.pick("Hosting", "Franking", "Q4 rent"), r.pick("SA6 7JL", "EC1A 1HQ")] for k in range(40)]
    return [("a", [head, *body])], Truth(head, 40, None, "", statistics=False)


@made_in("en", "csv,quoted")
def cso_ireland(r: Figures) -> Made:
    head = ["STATISTIC", "Statistic Label", "TLIST(A1)", "Year", "C02199V02655", "Sex", "C02076V03371", "Single Year of Age", "UNIT", "VALUE"]
    body: Rows = [["PEA11C01", "Population estimates from 1926", str(y), str(y), c, s, a, n, "Number", str(r.n())] for y in range(2014, 2020) for c, s in (("-", "Both sexes"), ("1", "Male"), ("2", "Female")) for a, n in (("200", "Under 1 year"), ("001", "1 year"), ("-", "All ages"))]
    return [("a", [head, *body])], Truth(head, 54, (2014, 2019))


# France, Belgium, Netherlands


@made_in("fr", "csv;utf-8")
def insee_bdm(r: Figures) -> Made:
    """Name and value pairs, then months from the latest on with a code of status."""
    rows: Rows = [["Libellé", "Indice des prix à la consommation - Base 2015 - Ensemble des ménages - France"], ["idBank", "001759970"], ["Dernière mise à jour", "15/12/2023 08:45"], ["Période", ""]]
    body: Rows = [[f"{y}-{m:02}", r.f(100, 120, 2), "A"] for y in range(2022, 2016, -1) for m in range(12, 0, -1)]
    return [("a", rows + body)], Truth(["Période", "", ""], 72, (2017, 2022), "Indice des prix à la consommation")


@made_in("fr", "xlsx", "lo.xls", "lo.ods")
def insee_base(r: Figures) -> Made:
    """Four lines above, long names over their codes."""
    rows: Rows = [["Population en 2019 - Base communale"], ["Recensement de la population - Base infracommunale", None], ["Mise en ligne le 27/06/2022   Géographie au 01/01/2022"], ["© Insee   Source : Insee, RP2019 exploitation principale"],
                  ["Code géographique", "Région", "Département", "Libellé géographique", "Population en 2019 (princ)", "Pop 0-14 ans en 2019 (princ)", "Pop 15-29 ans en 2019 (princ)"], ["CODGEO", "REG", "DEP", "LIBGEO", "P19_POP", "P19_POP0014", "P19_POP1529"]]
    body: Rows = [[f"0100{k}", "84", "01", n, r.f(100, 9000, 6), r.f(10, 900, 6), r.f(10, 900, 6)] for k, n in enumerate(("L'Abergement-Clémenciat", "L'Abergement-de-Varey", "Ambérieu-en-Bugey", "Ambérieux-en-Dombes", "Ambléon", "Ambronay", "Ambutrix", "Andert-et-Condon", "Anglefort"), 1)]
    return [("COM_2019", rows + body)], Truth(["CODGEO", "REG", "DEP", "LIBGEO", "P19_POP", "0014", "1529"], 9, (2019, 2019), "Population en 2019")


@made_in("fr", "xlsx", "csv;cp1252")
def budget_programmes(r: Figures) -> Made:
    """A budget by programme: two rows of names, subtotals, figures as text with no-break spaces in CSV."""
    rows: Rows = [["Projet de loi de finances pour 2023"], ["Récapitulation des crédits par mission et programme (en euros)"], [], ["Mission / Programme", Wide("Autorisations d'engagement"), None, Wide("Crédits de paiement"), None], [None, "LFI 2022", "PLF 2023", "LFI 2022", "PLF 2023"]]
    body: Rows = []
    for mission, programs in (("Action extérieure de l'État", ("105 - Action de la France en Europe", "185 - Diplomatie culturelle", "151 - Français à l'étranger")), ("Aide publique au développement", ("110 - Aide économique", "209 - Solidarité")), ("Culture", ("175 - Patrimoines", "131 - Création", "361 - Transmission", "224 - Soutien"))):
        body.append(_row(r, mission, 4, 1_000_000, 90_000_000))
        body += [_row(r, f"   {p}", 4, 1_000_000, 90_000_000) for p in programs]
    body.append(_row(r, "Total", 4, 1_000_000, 90_000_000))
    return [("Récap", rows + body)], Truth(["Mission", "LFI 2022", "PLF 2023", "LFI 2022", "PLF 2023"], 13, (2022, 2023), "crédits par mission")


@made_in("fr", "csv;utf-8")
def school_list(r: Figures) -> Made:
    """A directory of schools: no statistics."""
    head = ["numero_uai", "appellation_officielle", "denomination_principale", "adresse_uai", "code_postal_uai", "libelle_commune", "latitude", "longitude", "nature_uai", "etat_etablissement", "date_ouverture"]
    body: Rows = [[f"075{r.n(1000, 9999)}X", f"Lycée {n}", "LYCEE GENERAL", f"{r.n(1, 90)} rue {r.pick('de Rome', 'Clovis', 'Monge')}", f"750{r.n(10, 20)}", "Paris", r.f(48, 49, 6), r.f(2, 3, 6), r.pick(300, 302, 320), 1, f"{r.n(1965, 1999)}-05-01"] for n in ("Henri IV", "Fénelon", "Turgot", "Buffon", "Voltaire", "Lavoisier", "Montaigne", "Condorcet", "Racine", "Colbert") * 3]
    return [("a", [head, *body])], Truth(head, 30, None, "", statistics=False)


@made_in("nl", "csv;utf-8", "lo.xlsx")
def statline_table(r: Figures) -> Made:
    """A name of the table, heading rows whose last row has the units, a source line."""
    rows: Rows = [["Bevolking; kerncijfers"], [None, "Onderwerp", "Totale bevolking", "Mannen", "Vrouwen", "Bevolkingsdichtheid"], ["Regio's", "Perioden", "aantal", "aantal", "aantal", "aantal inw. per km² land"]]
    body: Rows = [[p, str(y), r.n(), r.n(), r.n(), r.f(200, 900)] for p in ("Nederland", "Groningen (PV)", "Fryslân (PV)", "Drenthe (PV)") for y in range(2018, 2024)]
    foot: Rows = [["Bron: CBS"]]
    return [("Tabel", rows + body + foot)], Truth(["Regio", "Perioden", "Totale bevolking", "Mannen", "Vrouwen", "dichtheid"], 24, (2018, 2023), "Bevolking; kerncijfers")


@made_in("nl", "csv;utf-8")
def statline_codes(r: Figures) -> Made:
    """Observations with codes of regions and periods, blanks after codes."""
    head = ["ID", "RegioS", "Perioden", "TotaleBevolking_1", "Mannen_2", "Vrouwen_3", "LevendGeborenKinderen_4"]
    body: Rows = [[k, p, f"{y}JJ00", f"{r.n():>8}", f"{r.n():>8}", f"{r.n():>8}", r.pick(f"{r.n():>8}", "       .")] for k, (p, y) in enumerate((p, y) for p in ("NL01  ", "PV20  ", "PV21  ", "GM0363") for y in range(2015, 2021))]
    return [("a", [head, *body])], Truth(head, 24, (2015, 2020))


@made_in("nl", "csv|utf-8")
def statbel_pipes(r: Figures) -> Made:
    head = ["CD_REFNIS", "TX_DESCR_NL", "TX_DESCR_FR", "CD_SEX", "CD_NATLTY", "CD_AGE", "MS_POPULATION", "CD_YEAR"]
    body: Rows = [["11001", "Aartselaar", "Aartselaar", s, n, a, r.n(1, 200), y] for y in (2020, 2021) for s in "MF" for n in ("BEL", "ETR") for a in range(0, 60, 7)]
    return [("a", [head, *body])], Truth(head, len(body), (2020, 2021))


# Spain, Portugal, Italy


@made_in("es", "csv;utf-8", "csv\tutf-8")
def ine_long(r: Figures) -> Made:
    head = ["Provincias", "Edad (grupos quinquenales)", "Sexo", "Periodo", "Total"]
    body: Rows = [[p, e, s, f"1 de enero de {y}", r.grouped(".")] for p in ("02 Albacete", "03 Alicante/Alacant", "04 Almería") for e in ("0-4 años", "5-9 años") for s in ("Hombres", "Mujeres") for y in (2019, 2020, 2021, 2022)]
    return [("a", [head, *body])], Truth(head, 48, (2019, 2022))


@made_in("es", "lo.xls", "xlsx")
def ine_sheet(r: Figures) -> Made:
    """The title in the first cells, a line of units, periods under a heading, indented rows, notes."""
    rows: Rows = [["Encuesta de Población Activa"], ["Resultados por comunidades autónomas"], [], ["Tasas de actividad, paro y empleo por provincia y sexo"], ["Unidades: Porcentaje"], [], [None, Wide("Tasa de actividad"), None, None, None, Wide("Tasa de paro de la población"), None, None, None], [None, *("2022T4", "2022T3", "2022T2", "2022T1") * 2]]
    body: Rows = []
    for sex in ("Ambos sexos", "Hombres", "Mujeres"):
        body += [[sex], *[[f"    {p}", *(r.pick(r.f(4, 70, 2), r.f(4, 70, 2), "..") for _ in range(8))] for p in ("Total Nacional", "02 Albacete", "03 Alicante/Alacant", "04 Almería", "01 Araba/Álava", "33 Asturias")]]
    foot: Rows = [[], ["Notas:"], ["1) Datos sujetos a fuertes variaciones."], [], ["Fuente: Instituto Nacional de Estadística"]]
    return [("tabla-4247", rows + body + foot)], Truth(["", "Tasa de actividad", "2022T3", "2022T2", "2022T1", "Tasa de paro", "2022T3", "2022T2", "2022T1"], 21, (2022, 2022), "Tasas de actividad")


@made_in("es", "csv,cp1252", "xlsx")
def inegi_tabulado(r: Figures) -> Made:
    """A survey's table from Mexico: logo lines, groups over two rows, blank rows, symbols below."""
    rows: Rows = [["INEGI. Encuesta Nacional de Ocupación y Empleo. Indicadores estratégicos. Primer trimestre de 2021"], ["Cuadro 1.1"], ["Población total según condición de actividad por entidad federativa"], [], ["Entidad federativa", "Total", Wide("Población económicamente activa"), None, "Población no económicamente activa"], [None, None, "Ocupada", "Desocupada", None], []]
    body: Rows = [_row(r, "Estados Unidos Mexicanos", 4), []] + [_row(r, e, 4) for e in ("Aguascalientes", "Baja California", "Baja California Sur", "Campeche", "Coahuila de Zaragoza", "Colima", "Chiapas", "Chihuahua", "Ciudad de México", "Durango")]
    foot: Rows = [[], ["Nota: Los límites de confianza se calculan al 90 por ciento."], ["Fuente: INEGI. ENOE."]]
    return [("1.1", rows + body + foot)], Truth(["Entidad federativa", "Total", "Ocupada", "Desocupada", "no económicamente activa"], 11, (2021, 2021), "condición de actividad")


@made_in("pt", "csv;utf-8", "xlsx")
def sidra_table(r: Figures) -> Made:
    """Two title lines, names over years, notes that follow the source."""
    rows: Rows = [["Tabela 6579 - População residente estimada"], ["Variável - População residente estimada (Pessoas)"], ["Unidade da Federação", Wide("Ano"), None, None, None], [None, "2018", "2019", "2020", "2021"]]
    body: Rows = [[e, *(r.n(400_000, 9_000_000) for _ in range(4))] for e in ("Rondônia", "Acre", "Amazonas", "Roraima", "Pará", "Amapá", "Tocantins", "Maranhão", "Piauí", "Ceará")]
    foot: Rows = [["Fonte: IBGE - Estimativas de População"], ["Notas"], ["1 - Data de referência: 1 de julho"], ["2 - Atenção: em 2022 não há estimativas."]]
    return [("Tabela", rows + body + foot)], Truth(["Unidade da Federação", "2018", "2019", "2020", "2021"], 10, (2018, 2021), "População residente estimada")


@made_in("pt", "csv;cp1252", "lo.xls")
def ine_portugal(r: Figures) -> Made:
    """Headings in four rows with the unit as the last, a column of marks after each value."""
    rows: Rows = [["Quadro extraído em 12 de Maio de 2023 (10:44:03)"], ["https://www.ine.example.org"], [], ["Valor médio mensal das rendas (€) por Localização geográfica e Tipo de alojamento; Anual"], [], [None, Wide("Período de referência dos dados"), None, None, None], ["Localização geográfica (NUTS - 2013)", Wide("2022"), None, Wide("2021"), None], [None, Wide("Total"), None, Wide("Total"), None], [None, "€", None, "€", None]]
    body: Rows = [[n, r.comma(2), r.pick(None, "x"), r.comma(2), None] for n in ("Portugal", "Continente", "Norte", "Alto Minho", "Cávado", "Ave", "Centro", "Algarve")]
    foot: Rows = [[], ["Valor médio mensal das rendas (€); Anual - INE, Inquérito"], ["Sinais convencionais:"], ["x: Valor não disponível"]]
    return [("Quadro", rows + body + foot)], Truth(["Localização", "2022", "", "2021", ""], 8, (2021, 2022), "Valor médio mensal das rendas")


@made_in("it", "csv,utf-8", "csv|utf-8")
def istat_long(r: Figures) -> Made:
    head = ["ITTER107", "Territorio", "TIPO_DATO15", "Tipo di indicatore demografico", "SEXISTAT1", "Sesso", "ETA1", "Età", "TIME", "Seleziona periodo", "Value", "Flag Codes", "Flags"]
    body: Rows = [["ITC1", "Piemonte", "JAN", "popolazione al 1º gennaio", s, n, f"Y{a}", f"{a} anni", y, y, r.n(), None, None] for s, n in (("1", "maschi"), ("2", "femmine")) for a in (0, 1, 2, 3) for y in range(2015, 2020)]
    return [("a", [head, *body])], Truth(head, 40, (2015, 2019))


@made_in("it", "xlsx", "lo.xls")
def istat_volume(r: Figures) -> Made:
    """A yearbook table: 'segue', years as headings of blocks in the middle of the table."""
    rows: Rows = [["Tavola 7.3"], ["Occupati per settore di attività economica, posizione e ripartizione geografica"], ["Anni 2018-2020, valori assoluti in migliaia"], [], ["RIPARTIZIONI GEOGRAFICHE", "Agricoltura", Wide("Industria"), None, "Servizi", "Totale"], [None, None, "In senso stretto", "Costruzioni", None, None]]
    body: Rows = []
    for year in (2018, 2019, 2020):
        body += [[None, None, None, str(year)], *[_row(r, p, 5) for p in ("Nord", "Nord-ovest", "Nord-est", "Centro", "Mezzogiorno", "Italia")]]
    foot: Rows = [[], ["Fonte: Istat, Rilevazione sulle forze di lavoro (R)"], ["(a) Dati provvisori."]]
    return [("7.3", rows + body + foot)], Truth(["RIPARTIZIONI", "Agricoltura", "In senso stretto", "Costruzioni", "Servizi", "Totale"], 21, (2018, 2020), "Occupati per settore")


@made_in("it", "csv;utf-8-sig", "lo.ods")
def hospital_beds(r: Figures) -> Made:
    """Open data of a ministry: a row per hospital, beds counted: statistics by hospital and year."""
    head = ["Anno", "Codice Regione", "Descrizione Regione", "Codice Azienda", "Codice struttura", "Denominazione Struttura/Stabilimento", "Comune", "Posti letto degenza ordinaria", "Posti letto Day Hospital", "Totale posti letto"]
    body: Rows = [[2020, "010", "PIEMONTE", 201, f"0100{k:02}", f"OSPEDALE {n}", n, r.n(20, 900), r.n(0, 90), r.n(20, 990)] for k, n in enumerate(("TORINO", "CIRIE'", "IVREA", "CUNEO", "ASTI", "ALBA", "BIELLA", "NOVARA", "VERBANIA", "VERCELLI", "ALESSANDRIA", "SAVIGLIANO"))]
    return [("a", [head, *body])], Truth(head, 12, (2020, 2020))


# The North


@made_in("sv", "xlsx", "csv;cp1252")
def scb_sheet(r: Figures) -> Made:
    """Label columns filled once each, a year per column, a long tail of contacts."""
    rows: Rows = [["Folkmängden efter region, civilstånd och kön. År 2018 - 2022"], [], [None, None, None, "2018", "2019", "2020", "2021", "2022"]]
    body: Rows = []
    for region in ("01 Stockholms län", "03 Uppsala län", "04 Södermanlands län"):
        for k, state in enumerate(("ogifta", "gifta", "skilda")):
            for n, sex in enumerate(("män", "kvinnor")):
                body.append([region if not k + n else None, state if not n else None, sex, *(r.n() for _ in range(5))])
    foot: Rows = [[], ["Redovisningen sker efter den regionala indelning som gäller den 1 januari året efter."], [], ["Senaste uppdatering:"], ["20230222 08:00"], [], ["Källa:"], ["SCB"], [], ["Kontaktperson:"], ["SCB, Statistikservice"], ["Telefon: 010-479 50 00"], [], ["Måttenhet:"], ["antal"], ["Intern referenskod:"], ["000000NV"]]
    return [("BE0101N1", rows + body + foot)], Truth(["", "", "", "2018", "2019", "2020", "2021", "2022"], 18, (2018, 2022), "Folkmängden efter region")


@made_in("no", "csv;utf-8", "xlsx")
def ssb_table(r: Figures) -> Made:
    rows: Rows = [["05839: Befolkning, etter region, kjønn, statistikkvariabel og år"], [], [None, None, "Personer 2019", "Personer 2020", "Personer 2021"]]
    body: Rows = [[p if s == "Menn" else None, s, r.n(), r.n(), r.pick(r.n(), "..")] for p in ("30 Viken", "03 Oslo", "34 Innlandet", "38 Vestfold og Telemark", "42 Agder") for s in ("Menn", "Kvinner")]
    foot: Rows = [[], ["Sist endret:"], ["Personer"], ["20210223 08:00"], [], ["Kilde:"], ["Statistisk sentralbyrå"]]
    return [("05839", rows + body + foot)], Truth(["", "", "2019", "2020", "2021"], 10, (2019, 2021), "Befolkning, etter region")


@made_in("da", "xlsx", "lo.ods")
def statbank_denmark(r: Figures) -> Made:
    rows: Rows = [["Folketal den 1. i kvartalet efter område, køn og tid"], ["Enhed : Antal"], [None, None, "2021K1", "2021K2", "2021K3", "2021K4", "2022K1"]]
    body: Rows = [[p if s == "Mænd" else None, s, *(r.n() for _ in range(5))] for p in ("Hele landet", "København", "Frederiksberg", "Dragør", "Tårnby", "Albertslund") for s in ("Mænd", "Kvinder")]
    foot: Rows = [["Fra 1. kvartal 2008 offentliggøres også tal for Christiansø."], ["© Danmarks Statistik"]]
    return [("FOLK1A", rows + body + foot)], Truth(["", "", "2021", "2021", "2021", "2021", "2022"], 12, (2021, 2022), "Folketal den 1. i kvartalet")


@made_in("fi", "csv;cp1252", "xlsx")
def statfin(r: Figures) -> Made:
    rows: Rows = [["Väestö muuttujina Alue, Ikä, Vuosi ja Tiedot"], [], ["Alue", "Ikä", "2019 Väestö 31.12.", "2020 Väestö 31.12.", "2021 Väestö 31.12."]]
    body: Rows = [[p, a, r.n(), r.n(), r.n()] for p in ("KOKO MAA", "Akaa", "Alajärvi", "Alavieska", "Alavus") for a in ("Yhteensä", "0 - 14", "15 - 64", "65 -")]
    return [("a", rows + body)], Truth(["Alue", "Ikä", "2019", "2020", "2021"], 20, (2019, 2021), "Väestö muuttujina")


# Middle and Eastern Europe


@made_in("pl", "csv;utf-8-sig", "xlsx")
def bdl_wide(r: Figures) -> Made:
    """Names of columns that hold group, year and unit; a delimiter at the end of each line."""
    head: list[Cell] = ["Kod", "Nazwa", *(f"{g};{y};[osoba]".replace(";", " ") for g in ("ogółem", "mężczyźni") for y in (2019, 2020, 2021))]
    body: Rows = [[f"{k:02}00000", p, *(r.n(100_000, 5_000_000) for _ in range(6))] for k, p in enumerate(("POLSKA", "DOLNOŚLĄSKIE", "KUJAWSKO-POMORSKIE", "LUBELSKIE", "LUBUSKIE", "ŁÓDZKIE", "MAŁOPOLSKIE", "MAZOWIECKIE"))]
    return [("TABLICA", [head, *body])], Truth(["Kod", "Nazwa", "2019", "2020", "2021", "2019", "2020", "2021"], 8, (2019, 2021))


@made_in("pl", "xlsx", "lo.xls")
def gus_yearbook(r: Figures) -> Made:
    """Polish and English in the same cells and lines, headings in three rows, a letter per row."""
    rows: Rows = [["TABL. 2 (14).  LUDNOŚĆ WEDŁUG PŁCI I WOJEWÓDZTW W 2020 R."], ["Stan w dniu 31 XII"], ["POPULATION BY SEX AND VOIVODSHIPS IN 2020"], ["As of 31 XII"], ["WOJEWÓDZTWA\nVOIVODSHIPS", "Ogółem\nTotal", "Mężczyźni\nMales", "Kobiety\nFemales", Wide("Miasta   Urban areas"), None], [None, None, None, None, "razem\ntotal", "w % ogółu\nin % of total"], [None, Wide("w tysiącach   in thousands"), None, None, None, None]]
    body: Rows = [["P O L S K A", *(r.f(900, 38_000) for _ in range(5))], ["P O L A N D"]] + [[p, *(r.f(400, 5000) for _ in range(5))] for p in ("Dolnośląskie", "Kujawsko-pomorskie", "Lubelskie", "Lubuskie", "Łódzkie", "Małopolskie", "Mazowieckie", "Opolskie", "Podkarpackie", "Podlaskie", "Pomorskie", "Śląskie")]
    foot: Rows = [[], ["a Dane szacunkowe. b Patrz uwagi ogólne."], ["a Estimated data. b See general notes."]]
    return [("Tabl. 2", rows + body + foot)], Truth(["WOJEWÓDZTWA", "Ogółem", "Mężczyźni", "Kobiety", "razem", "w % ogółu"], 14, (2020, 2020), "LUDNOŚĆ WEDŁUG PŁCI|POPULATION BY SEX")


@made_in("cs", "csv,quoted")
def czso_codes(r: Figures) -> Made:
    head = ["idhod", "hodnota", "stapro_kod", "pohlavi_cis", "pohlavi_kod", "vek_cis", "vek_kod", "vuzemi_cis", "vuzemi_kod", "casref_do", "pohlavi_txt", "vek_txt", "vuzemi_txt"]
    body: Rows = [[str(736225000 + k), str(r.n()), "2406", "102" if s else "", s, "7700", "410000610005000", "97", "19", f"{y}-12-31", {"": "", "1": "muž", "2": "žena"}[s], "0 až 5 (více nebo rovno 0 a méně než 5)", "Česká republika"] for k, (s, y) in enumerate((s, y) for s in ("", "1", "2") for y in range(2010, 2022))]
    return [("a", [head, *body])], Truth(head, 36, (2010, 2021))


@made_in("cs", "lo.xls", "xlsx")
def czso_table(r: Figures) -> Made:
    rows: Rows = [["VEŘEJNÁ DATABÁZE"], ["Tab. 3 Sňatky, rozvody, narození a zemřelí v krajích v roce 2021", None, None, None, None], ["Table 3 Marriages, divorces, births and deaths by region: 2021"], [None, None, None, None, "absolutní údaje"], ["Území", "Sňatky", "Rozvody", Wide("Živě narození"), None, "Zemřelí"], [None, None, None, "celkem", "z toho mimo manželství", None]]
    body: Rows = [_row(r, "Česká republika", 5), ["v tom kraje:"]] + [_row(r, p, 5) for p in ("Hl. m. Praha", "Středočeský", "Jihočeský", "Plzeňský", "Karlovarský", "Ústecký", "Liberecký", "Královéhradecký")]
    foot: Rows = [[], ["1) předběžné údaje"], ["Zdroj: ČSÚ"]]
    return [("Tab3", rows + body + foot)], Truth(["Území", "Sňatky", "Rozvody", "celkem", "z toho mimo manželství", "Zemřelí"], 10, (2021, 2021), "Sňatky, rozvody|Marriages, divorces")


@made_in("hu", "csv;cp1250", "xlsx")
def ksh_stadat(r: Figures) -> Made:
    """Blanks between thousands as text, blocks of years in rows, notes with marks."""
    rows: Rows = [["22.1.2.1. A népesség, népmozgalom főbb mutatói vármegye és régió szerint"], ["Vármegye, régió", "Terület szintje", "2018", "2019", "2020", "2021", "2022"]]
    body: Rows = []
    for block in ("Népesség, január 1., fő", "Élveszületés"):
        body += [[block], *[[p, lvl, *(r.grouped(" ") for _ in range(5))] for p, lvl in (("Budapest", "főváros, régió"), ("Pest", "vármegye, régió"), ("Közép-Magyarország", "nagyrégió"), ("Fejér", "vármegye"), ("Komárom-Esztergom", "vármegye"), ("Veszprém", "vármegye"), ("Ország összesen", "ország"))]]
    return [("22.1.2.1", rows + body)], Truth(["Vármegye", "Terület szintje", "2018", "2019", "2020", "2021", "2022"], 16, (2018, 2022), "A népesség, népmozgalom")


@made_in("ro", "csv,quoted")
def tempo_long(r: Figures) -> Made:
    head = ["Sexe", "Macroregiuni, regiuni de dezvoltare si judete", "Perioade", "UM: Numar persoane", "Valoare"]
    body: Rows = [[s, j, f"Anul {y}", "Numar persoane", str(r.n())] for s in ("Total", "Masculin") for j in ("TOTAL", "Bihor", "Cluj", "Salaj") for y in range(2016, 2021)]
    return [("a", [head, *body])], Truth(head, 40, (2016, 2020))


@made_in("ru", "lo.xls", "xlsx")
def rosstat_table(r: Figures) -> Made:
    """Contents first; a bracketed unit, years with marks, district headings, a note on the marks."""
    contents: Rows = [["Содержание:"], ["1."], ["Численность постоянного населения"], ["Ответственный исполнитель:"], ["Иванова Мария Петровна"], ["Обновлено: 25.04.2022 г."]]
    rows: Rows = [["К содержанию"], ["Численность постоянного населения на 1 января"], ["(человек)"], [None, "2016", "20171)", "2018", "2019", "2020", "20212)"]]
    body: Rows = [_row(r, p, 6, 100_000, 9_000_000) for p in ("Российская Федерация", "Центральный федеральный округ", "Белгородская область", "Брянская область", "Владимирская область", "Воронежская область", "г. Москва", "Северо-Западный федеральный округ", "Республика Карелия", "Республика Коми", "Архангельская область")]
    body.insert(9, ["     в том числе:"])
    foot: Rows = [["1) Данные изменены за счет итогов переписи."], ["2) Предварительная оценка."]]
    return [("Содержание", contents), ("1", rows + body + foot)], Truth(["", "2016", "2017", "2018", "2019", "2020", "2021"], 12, (2016, 2021), "Численность постоянного населения")


@made_in("uk", "xlsx", "csv;cp1251")
def ukrstat_wages(r: Figures) -> Made:
    rows: Rows = [["Середньомісячна заробітна плата за видами економічної діяльності"], ["у розрахунку на одного штатного працівника, грн"], [], ["Види економічної діяльності", "Код за КВЕД", "січень 2021", "лютий 2021", "березень 2021", "квітень 2021"]]
    body: Rows = [[p, c, *(r.n(7000, 30000) for _ in range(4))] for p, c in (("Усього", ""), ("Сільське господарство", "A"), ("Промисловість", "B+C+D+E"), ("Будівництво", "F"), ("Торгівля", "G"), ("Транспорт", "H"), ("Освіта", "P"), ("Охорона здоров'я", "Q"))]
    foot: Rows = [["Без урахування тимчасово окупованої території."]]
    return [("Лист1", rows + body + foot)], Truth(["Види", "Код", "січень 2021", "лютий", "березень", "квітень"], 8, (2021, 2021), "Середньомісячна заробітна плата")


@made_in("el", "lo.xls", "xlsx")
def elstat_both_sides(r: Figures) -> Made:
    """Greek labels left, English labels right, headings in two languages."""
    rows: Rows = [["Πίνακας Α1. Εκτιμώμενος πληθυσμός κατά φύλο και Περιφέρεια, 1η Ιανουαρίου 2020"], ["Table A1. Estimated population by sex and Region on 1st January 2020"], [], ["Περιφέρεια", "Σύνολο", "Άρρενες", "Θήλεις", "Region"], [None, "Total", "Males", "Females", None]]
    body: Rows = [[g, *(r.n(100_000, 4_000_000) for _ in range(3)), e] for g, e in (("Σύνολο Ελλάδος", "Greece total"), ("Αττική", "Attiki"), ("Κρήτη", "Kriti"), ("Ήπειρος", "Ipeiros"), ("Θεσσαλία", "Thessalia"), ("Πελοπόννησος", "Peloponnisos"), ("Ιόνια Νησιά", "Ionia Nisia"), ("Βόρειο Αιγαίο", "Voreio Aigaio"))]
    foot: Rows = [[], ["Πηγή: ΕΛΣΤΑΤ", None, None, None, "Source: ELSTAT"]]
    return [("A1", rows + body + foot)], Truth(["Περιφέρεια", "Σύνολο", "Άρρενες", "Θήλεις", "Region"], 8, (2020, 2020), "Εκτιμώμενος πληθυσμός|Estimated population")


@made_in("tr", "lo.xls", "xlsx")
def tuik_provinces(r: Figures) -> Made:
    rows: Rows = [["Yıllara göre il nüfusları, 2015-2020"], ["Population of provinces by years, 2015-2020"], [], [None, Wide("Yıl - Year"), None, None, None, None, None], ["İl-Province", "2015", "2016", "2017", "2018", "2019", "2020"]]
    body: Rows = [_row(r, p, 6, 100_000, 9_000_000) for p in ("Toplam - Total", "Adana", "Adıyaman", "Afyonkarahisar", "Ağrı", "Amasya", "Ankara", "Antalya", "Artvin", "Aydın", "Balıkesir")]
    foot: Rows = [[], ["Kaynak: TÜİK, Adrese Dayalı Nüfus Kayıt Sistemi, 2007-2020"], ["Source: TurkStat, Address Based Population Registration System, 2007-2020"]]
    return [("il", rows + body + foot)], Truth(["Province", "2015", "2016", "2017", "2018", "2019", "2020"], 11, (2015, 2020), "il nüfusları|Population of provinces")


@made_in("hr", "xlsx", "lo.ods")
def dzs_bilingual(r: Figures) -> Made:
    rows: Rows = [["1.", "PRIRODNO KRETANJE STANOVNIŠTVA U 2021."], [None, "NATURAL CHANGE IN POPULATION, 2021"], [], [None, "Živorođeni\nLive births", "Umrli\nDeaths", "Prirodni prirast\nNatural increase", Wide("Brakovi   Marriages"), None], [None, None, None, None, "sklopljeni\ncontracted", "razvedeni\ndivorced"]]
    body: Rows = [[p, r.n(), r.n(), -r.n(), r.n(), r.pick(r.n(), "-")] for p in ("Republika Hrvatska", "Zagrebačka", "Krapinsko-zagorska", "Sisačko-moslavačka", "Karlovačka", "Varaždinska", "Istarska", "Grad Zagreb")]
    return [("1.", rows + body)], Truth(["", "Živorođeni", "Umrli", "Prirodni prirast", "sklopljeni", "razvedeni"], 8, (2021, 2021), "PRIRODNO KRETANJE|NATURAL CHANGE")


# North America


@made_in("en", "csv,quoted")
def statcan_long(r: Figures) -> Made:
    head = ["REF_DATE", "GEO", "DGUID", "Sex", "Age group", "UOM", "UOM_ID", "SCALAR_FACTOR", "SCALAR_ID", "VECTOR", "COORDINATE", "VALUE", "STATUS", "SYMBOL", "TERMINATED", "DECIMALS"]
    body: Rows = [[str(y), g, f"2016A0002{k}", s, "All ages", "Persons", "249", "units", "0", f"v46626{k}", f"{k}.1.1", r.pick(str(r.n()), ""), r.pick("", ".."), "", "", "0"] for y in range(2010, 2021) for k, g in enumerate(("Canada", "Quebec", "Ontario"), 1) for s in ("Both sexes", "Females")]
    return [("a", [head, *body])], Truth(head, 66, (2010, 2020))


@made_in("en", "csv,utf-8", "csv,quoted")
def statcan_shown(r: Figures) -> Made:
    """A table as it is shown: names above periods, a row of units, a long tail of footnotes."""
    rows: Rows = [["Labour force characteristics by province, monthly, seasonally adjusted 1 2 3"], ["Frequency: Monthly"], ["Table: 14-10-0287-03"], ["Release date: 2023-06-09"], ["Geography: Canada, Province or territory"], [], [None, "Geography", "Canada (map)"], [None, "Estimate", "March 2023", "April 2023", "May 2023"], ["Labour force characteristics", "Units", None, None, None]]
    body: Rows = [[n, u, r.grouped(","), r.grouped(","), r.grouped(",")] for n, u in (("Population 4", "Persons in thousands"), ("Labour force 5", "Persons in thousands"), ("Employment 6", "Persons in thousands"), ("Full-time employment 7", "Persons in thousands"), ("Unemployment 8", "Persons in thousands"), ("Unemployment rate 9", "Percent"), ("Participation rate 10", "Percent"), ("Employment rate 11", "Percent"))]
    foot: Rows = [[], ["Footnotes:"], [1, "Estimates are based on the 2016 Census."], [2, "Fluctuations in economic time series are caused by seasonal, cyclical and irregular movements."], [3, "This table replaces archived table 14-10-0036."], [], ["How to cite: Statistics Canada. Table 14-10-0287-03"]]
    return [("a", rows + body + foot)], Truth(["Labour force characteristics", "", "March 2023", "April 2023", "May 2023"], 8, (2023, 2023), "Labour force characteristics")


@made_in("en", "csv,quoted", "xlsx")
def census_acs(r: Figures) -> Made:
    """Codes over long labels of the columns."""
    rows: Rows = [["GEO_ID", "NAME", "B01001_001E", "B01001_001M", "B01001_002E", "B01001_002M"], ["id", "Geographic Area Name", "Estimate!!Total", "Margin of Error!!Total", "Estimate!!Total!!Male", "Margin of Error!!Total!!Male"]]
    body: Rows = [[f"0500000US010{k:02}", f"{n} County, Alabama", str(r.n()), r.pick("*****", str(r.n(1, 90))), str(r.n()), str(r.n(1, 90))] for k, n in enumerate(("Autauga", "Baldwin", "Barbour", "Bibb", "Blount", "Bullock", "Butler", "Calhoun", "Chambers", "Cherokee"), 1)]
    return [("ACS", rows + body)], Truth(["GEO_ID", "NAME", "Total", "Margin of Error", "Male", "Margin of Error"], 10, None)


@made_in("en", "xlsx", "lo.xls")
def census_construction(r: Figures) -> Made:
    """A sheet with the period in a merged row, units in brackets, months as dates down, blank rows between years."""
    rows: Rows = [["Table 1a. New Privately-Owned Housing Units Authorized"], ["[Thousands of Units. Detail may not add to total because of rounding]"], [], ["Period", "United States", Wide("Structures with"), None, Wide("Region"), None], [None, None, "1 unit", "5 units or more", "Northeast", "Midwest"], [None, Wide("Annual data")]]
    body: Rows = [[y, *(r.f(100, 2000) for _ in range(5))] for y in range(2010, 2021)]
    body += [[None, "Monthly data"]]
    for y in (2021, 2022):
        body += [[]] + [[f"{y}: {m}" if m == "January" else f"   {m}", *(r.f(10, 200) for _ in range(4)), r.pick("(NA)", r.f(10, 90))] for m in ("January", "February", "March", "April", "May", "June")]
    foot: Rows = [[], ["NA Not available. r Revised. p Preliminary."], ["Source: U.S. Census Bureau, Building Permits Survey"]]
    return [("PermitsUnits", rows + body + foot)], Truth(["Period", "United States", "1 unit", "5 units or more", "Northeast", "Midwest"], 24, (2010, 2022), "New Privately-Owned Housing Units")


@made_in("en", "xlsx")
def bls_series_sheet(r: Figures) -> Made:
    """A series report: facts in columns A and B, then a year per row and a month per column."""
    rows: Rows = [["Consumer Price Index for All Urban Consumers (CPI-U)"], ["Original Data Value"], [], ["Series Id:", "CUUR0000SA0"], ["Not Seasonally Adjusted"], ["Series Title:", "All items in U.S. city average, all urban consumers, not seasonally adjusted"], ["Area:", "U.S. city average"], ["Item:", "All items"], ["Base Period:", "1982-84=100"], ["Years:", "2012 to 2022"], [], ["Year", "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec", "HALF1", "HALF2"]]
    body: Rows = [[y, *(r.f(220, 300, 3) for _ in range(14))] for y in range(2012, 2022)] + [[2022, *(r.f(220, 300, 3) for _ in range(7)), *[None] * 7]]
    return [("BLS Data Series", rows + body)], Truth(["Year", "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec", "HALF1", "HALF2"], 11, (2012, 2022), "Consumer Price Index")


@made_in("en", "csv,utf-8", "xlsx", "lo.xls")
def bea_table(r: Figures) -> Made:
    """A line number first, years over quarters, indented labels, a legend below."""
    rows: Rows = [["Table 1.1.5. Gross Domestic Product"], ["[Billions of dollars] Seasonally adjusted at annual rates"], ["Bureau of Economic Analysis"], ["Last Revised on: March 30, 2023 - Next Release Date April 27, 2023"], [], ["Line", None, "2021", "2022", "2022", "2022", "2022"], [None, None, "Q4", "Q1", "Q2", "Q3", "Q4"]]
    body: Rows = [[k, n, *(r.f(100, 25000, 1) for _ in range(5))] for k, n in enumerate(("        Gross domestic product", "Personal consumption expenditures", "    Goods", "        Durable goods", "        Nondurable goods", "    Services", "Gross private domestic investment", "    Fixed investment", "        Nonresidential", "            Structures", "            Equipment", "Net exports of goods and services", "    Exports"), 1)]
    foot: Rows = [["Legend / Footnotes:"], ["1. Equals gross fixed investment plus change in inventories."]]
    return [("T10105-Q", rows + body + foot)], Truth(["Line", "", "2021", "2022", "2022", "2022", "2022"], 13, (2021, 2022), "Gross Domestic Product")


@made_in("en", "lo.xls", "xlsx")
def eia_history(r: Figures) -> Made:
    """A contents sheet, then source keys over long names, dates in the first column."""
    contents: Rows = [["U.S. Natural Gas Prices"], [], ["Click worksheet name or tab at bottom for data"], ["Worksheet Name", "Description", "# Of Series", "Frequency", "Latest Data for"], ["Data 1", "U.S. Natural Gas Prices", 3, "Monthly", "2022-12"], [], ["Release Date:", "2/28/2023"], ["Next Release Date:", "3/31/2023"]]
    rows: Rows = [["Back to Contents", "Data 1: U.S. Natural Gas Prices"], ["Sourcekey", "N9190US3", "N3035US3", "N3045US3"], ["Date", "U.S. Natural Gas Wellhead Price (Dollars per Thousand Cubic Feet)", "United States Natural Gas Industrial Price (Dollars per Thousand Cubic Feet)", "U.S. Natural Gas Electric Power Price (Dollars per Thousand Cubic Feet)"]]
    body: Rows = [[datetime(y, m, 15), r.pick(None, r.f(1, 9, 2)), r.f(1, 9, 2), r.f(1, 9, 2)] for y in range(2016, 2023) for m in range(1, 13)]
    return [("Contents", contents), ("Data 1", rows + body)], Truth(["Date", "Wellhead Price", "Industrial Price", "Electric Power Price"], 84, (2016, 2022), "Natural Gas Prices")


@made_in("en", "csv\tutf-8")
def cdc_wonder(r: Figures) -> Made:
    """A column of notes that says 'Total', quoted codes, a tail of dashes and paragraphs."""
    head: list[Cell] = ["Notes", "State", "State Code", "Year", "Year Code", "Deaths", "Population", "Crude Rate"]
    body: Rows = [[None, s, f"{k:02}", str(y), str(y), r.n(), r.n(100_000, 900_000), r.pick(r.f(), "Unreliable")] for k, s in enumerate(("Alabama", "Alaska", "Arizona", "Arkansas"), 1) for y in range(2015, 2020)]
    foot: Rows = [["---"], ["Dataset: Underlying Cause of Death, 1999-2020"], ["Query Parameters:"], ["Title:"], ["Group By: State; Year"], ["---"], ["Help: See documentation for more information."], ["Query Date: Feb 3, 2022 9:24:17 AM"], ["---"], ["Caveats:"], ["1. Data are Suppressed when the data meet the criteria for confidentiality constraints."]]
    return [("a", [head, *body, *foot])], Truth([str(h) for h in head], 20, (2015, 2019))


# World


@made_in("en", "csv,quoted", "lo.xls")
def wdi_country_file(r: Figures) -> Made:
    """Four lines, then countries with codes and one year per column, most of them blank at first."""
    years = list(range(1960, 2022))
    rows: Rows = [["Data Source", "World Development Indicators"], [], ["Last Updated Date", "2022-06-30"], [], ["Country Name", "Country Code", "Indicator Name", "Indicator Code", *map(str, years)]]
    body: Rows = [[n, c, "Literacy rate, adult total (% of people ages 15 and above)", "SE.ADT.LITR.ZS", *(r.f(30, 99, 2) if r.n(0, 9) > 7 and y > 1979 else None for y in years)] for n, c in (("Aruba", "ABW"), ("Afghanistan", "AFG"), ("Angola", "AGO"), ("Albania", "ALB"), ("Andorra", "AND"), ("Arab World", "ARB"), ("Argentina", "ARG"), ("Armenia", "ARM"), ("Azerbaijan", "AZE"))]
    return [("Data", rows + body)], Truth(["Country Name", "Country Code", "Indicator Name", "Indicator Code", *map(str, years)], 9, (1960, 2021))


@made_in("en", "csv,utf-8", "xlsx")
def databank_extract(r: Figures) -> Made:
    """Years with their codes as names; source lines below two blank lines."""
    rows: Rows = [["Country Name", "Country Code", "Series Name", "Series Code", *(f"{y} [YR{y}]" for y in range(2015, 2021))]]
    body: Rows = [[n, c, s, k, *(r.pick(f"{r.f(1, 90, 6)}", "..") for _ in range(6))] for n, c in (("Brazil", "BRA"), ("China", "CHN"), ("India", "IND")) for s, k in (("GDP growth (annual %)", "NY.GDP.MKTP.KD.ZG"), ("Inflation, consumer prices (annual %)", "FP.CPI.TOTL.ZG"), ("Unemployment, total (% of total labor force)", "SL.UEM.TOTL.ZS"))]
    foot: Rows = [[], [], [], ["Data from database: World Development Indicators"], ["Last Updated: 06/30/2022"]]
    return [("Data", rows + body + foot)], Truth(["Country Name", "Country Code", "Series Name", "Series Code", *(str(y) for y in range(2015, 2021))], 9, (2015, 2020))


@made_in("en", "csv\tutf-16")
def imf_outlook(r: Figures) -> Made:
    """A tab-separated file that is published as xls, with thousands' commas and a last line."""
    head: list[Cell] = ["WEO Country Code", "ISO", "WEO Subject Code", "Country", "Subject Descriptor", "Units", "Scale", "Country/Series-specific Notes", *map(str, range(2018, 2029)), "Estimates Start After"]
    body: Rows = [[c, i, "NGDPD", n, "Gross domestic product, current prices", "U.S. dollars", "Billions", "See notes for:  Gross domestic product, current prices (National currency).", *(r.pick(r.grouped(","), "n/a", f"{r.f(10, 90, 3)}") for _ in range(11)), 2021] for c, i, n in (("512", "AFG", "Afghanistan"), ("914", "ALB", "Albania"), ("612", "DZA", "Algeria"), ("171", "AND", "Andorra"), ("614", "AGO", "Angola"), ("311", "ATG", "Antigua and Barbuda"))]
    foot: Rows = [[], ["International Monetary Fund, World Economic Outlook Database, April 2023"]]
    return [("a", [head, *body, *foot])], Truth(["WEO Country Code", "ISO", "Subject Code", "Country", "Subject Descriptor", "Units", "Scale", "Notes", *map(str, range(2018, 2029)), "Estimates Start After"], 6, (2018, 2028))


@made_in("en", "csv,quoted")
def oecd_long(r: Figures) -> Made:
    head = ["LOCATION", "Country", "SUBJECT", "Subject", "MEASURE", "Measure", "FREQUENCY", "Frequency", "TIME", "Time", "Unit Code", "Unit", "PowerCode Code", "PowerCode", "Reference Period Code", "Reference Period", "Value", "Flag Codes", "Flags"]
    body: Rows = [[c, n, "PRINTO01", "Production of total industry", "IXOBSA", "Index, s.a.", "Q", "Quarterly", f"{y}-Q{q}", f"Q{q}-{y}", "IDX", "Index", "0", "Units", "2015_100", "2015=100", f"{r.f(80, 120, 4)}", r.pick("", "P"), r.pick("", "Provisional value")] for c, n in (("AUS", "Australia"), ("AUT", "Austria"), ("BEL", "Belgium")) for y in (2019, 2020, 2021) for q in (1, 2, 3, 4)]
    return [("a", [head, *body])], Truth(head, 36, (2019, 2021))


@made_in("en", "lo.xls", "xlsx")
def oecd_export(r: Figures) -> Made:
    """A cube's export: facts above, a Time row over a Country row, empty columns, a line of extraction."""
    rows: Rows = [["Dataset: Average annual wages"], [], ["Series", None, "In 2022 constant prices at 2022 USD PPPs"], ["Unit", None, "US Dollar, 2022"], ["Time", None, "2016", "2017", "2018", "2019", "2020"], ["Country", None, None, None, None, None, None]]
    body: Rows = [[n, "i" if n == "Chile" else None, *(r.pick(r.f(20_000, 70_000, 2), r.f(20_000, 70_000, 2), "..") for _ in range(5))] for n in ("Australia", "Austria", "Belgium", "Canada", "Chile", "Costa Rica", "Czechia", "Denmark", "Estonia")]
    foot: Rows = [["Data extracted on 10 Jan 2024 09:36 UTC (GMT) from OECD.Stat"], ["Legend:"], ["i:", "Incomplete data"]]
    return [("OECD.Stat export", rows + body + foot)], Truth(["Country", "", "2016", "2017", "2018", "2019", "2020"], 9, (2016, 2020), "Average annual wages")


@made_in("en", "csv,quoted")
def faostat(r: Figures) -> Made:
    head = ["Domain Code", "Domain", "Area Code (M49)", "Area", "Element Code", "Element", "Item Code (CPC)", "Item", "Year Code", "Year", "Unit", "Value", "Flag", "Flag Description"]
    body: Rows = [["QCL", "Crops and livestock products", "004", "Afghanistan", c, e, "0111", "Wheat", str(y), str(y), u, str(r.n()), "A", "Official figure"] for c, e, u in (("5312", "Area harvested", "ha"), ("5510", "Production", "t")) for y in range(2010, 2022)]
    return [("a", [head, *body])], Truth(head, 24, (2010, 2021))


@made_in("en", "csv,quoted")
def undata_footnotes(r: Figures) -> Made:
    """A second table at the end, of numbered footnotes."""
    head: list[Cell] = ["Country or Area", "Year", "Area", "Sex", "City", "City type", "Record Type", "Reliability", "Source Year", "Value", "Value Footnotes"]
    body: Rows = [[c, str(y), "Total", s, t, "City proper", "Estimate - de facto", "Final figure, complete", str(y + 1), str(r.n()), r.pick("", "1", "2,3")] for c, t in (("Albania", "TIRANA"), ("Algeria", "ALGIERS"), ("Armenia", "YEREVAN")) for y in (2016, 2015, 2014) for s in ("Both Sexes", "Male", "Female")]
    foot: Rows = [["footnoteSeqID", "Footnote"], ["1", "Excluding transients."], ["2", "De jure population."], ["3", "Provisional."]]
    return [("a", [head, *body, *foot])], Truth([str(h) for h in head], 27, (2014, 2016))


@made_in("en", "xlsx")
def un_prospects(r: Figures) -> Made:
    """Sixteen lines of preface, wide names in wrapped cells, countries indented by type, sheets of variants."""
    preface: Rows = [[], [], [], [None, "United Nations"], [None, "Population Division"], [None, "Department of Economic and Social Affairs"], [], [None, "World Population Prospects 2022"], [None, "File GEN/01/REV1: Demographic indicators by region, subregion and country, annually for 1950-2100"], [None, "Estimates, 1950 - 2021"], [None, "POP/DB/WPP/Rev.2022/GEN/F01/Rev.1"], [None, "© July 2022 by United Nations, made available under a Creative Commons license"], [None, "Suggested citation: United Nations (2022). World Population Prospects 2022, Online Edition."], [], [None, None, None, None, None, None, None, Wide("Population"), None, None], []]
    head: list[Cell] = ["Index", "Variant", "Region, subregion, country or area *", "Notes", "Location code", "Type", "Year", "Total Population, as of 1 January (thousands)", "Population Density, as of 1 July (persons per square km)", "Median Age, as of 1 July (years)"]
    names = (("WORLD", 900, "World"), ("Sub-Saharan Africa", 1832, "SDG region"), ("Burundi", 108, "Country/Area"))
    body: Rows = [[k + 1, "Estimates", n, r.pick(None, "5"), c, t, y, r.f(900, 90_000, 3), r.f(10, 400, 3), r.f(16, 45, 1)] for k, ((n, c, t), y) in enumerate((x, y) for x in names for y in range(2001, 2022))]
    notes: Rows = [["Notes"], ["(5) For statistical purposes, the data do not include Hong Kong."]]
    return [("Estimates", [*preface, head, *body]), ("NOTES", notes)], Truth([str(h).split(",")[0] for h in head], 63, (2001, 2021), "World Population Prospects|Demographic indicators")


@made_in("en", "lo.xls", "xlsx")
def abs_series(r: Figures) -> Made:
    """Ten rows of metadata over each series, then dates down."""
    index: Rows = [["Time Series Workbook"], ["6202.0 Labour Force, Australia"], ["Table 1. Labour force status by Sex, Australia - Trend, Seasonally adjusted and Original"], ["I N Q U I R I E S"], ["Data Item Description", None, None, "Series Type", "Series ID", "Series Start", "Series End", "No. Obs.", "Unit", "Data Type"], ["Employed total ;  Persons ;", None, None, "Trend", "A84423127L", datetime(2015, 2, 1), datetime(2021, 1, 1), 72, "000", "STOCK"]]
    rows: Rows = [[None, "Employed total ;  Persons ;", "Employed total ;  > Males ;", "Unemployment rate ;  Persons ;", "Participation rate ;  Persons ;"], ["Unit", "000", "000", "Percent", "Percent"], ["Series Type", "Trend", "Trend", "Seasonally Adjusted", "Original"], ["Data Type", "STOCK", "STOCK", "PERCENT", "PERCENT"], ["Frequency", *["Month"] * 4], ["Collection Month", *[1] * 4], ["Series Start", *[datetime(2015, 2, 1)] * 4], ["Series End", *[datetime(2021, 1, 1)] * 4], ["No. Obs", *[72] * 4], ["Series ID", "A84423127L", "A84423125J", "A84423134K", "A84423135L"]]
    body: Rows = [[datetime(2015 + (m + 1) // 12, (m + 1) % 12 + 1, 1), *(r.f(3, 9000, 4) for _ in range(4))] for m in range(72)]
    return [("Index", index), ("Data1", rows + body)], Truth(["", "Employed total", "Males", "Unemployment rate", "Participation rate"], 72, (2015, 2021), "Labour Force")


@made_in("en", "csv,utf-8")
def infoshare(r: Figures) -> Made:
    """A title, two rows of names over a blank, quarters down, a tail of facts."""
    rows: Rows = [["Estimated Resident Population by Age and Sex (1991+) (Qrtly-Mar/Jun/Sep/Dec)"], [" ", "Male", None, "Female", None], [" ", "0-14 Years", "15-39 Years", "0-14 Years", "15-39 Years"]]
    body: Rows = [[f"{y}Q{q}", r.n(), r.n(), r.n(), r.n()] for y in range(2012, 2020) for q in (1, 2, 3, 4)]
    foot: Rows = [["Table information:"], ["Units:"], ["Number, Magnitude = Units"], [], ["Footnotes:"], ["Status flags are not displayed"], ["Table reference: DPE057AA"], ["Last updated:"], ["17 August 2020 10:45am"], ["Source: Statistics New Zealand"], ["Contact: Information Centre"]]
    return [("a", rows + body + foot)], Truth(["", "Male", "15-39 Years", "Female", "15-39 Years"], 32, (2012, 2019), "Estimated Resident Population")


# Asia


@made_in("ja", "csv,cp932", "csv,utf-8-sig")
def estat_csv(r: Figures) -> Made:
    """Facts in two columns, a blank line, codes beside labels, a year per column."""
    rows: Rows = [["統計名：", "人口推計"], ["表番号：", "001"], ["表題：", "都道府県、男女別人口-総人口"], ["実施年月：", "2020年"], ["市区町村時点（年月日）：", "-"], ["*", "該当数値がないもの"], [], ["男女別 コード", "男女別", "全国・都道府県 コード", "全国・都道府県", "/時間軸（年）", "2017年", "2018年", "2019年"]]
    body: Rows = [[f"{s:03}", n, f"{k:02}000", p, None, r.grouped(","), r.grouped(","), r.pick(r.grouped(","), "***")] for s, n in ((1, "男女計"), (2, "男"), (3, "女")) for k, p in enumerate(("全国", "北海道", "青森県", "岩手県", "宮城県"))]
    return [("a", rows + body)], Truth(["男女別 コード", "男女別", "コード", "都道府県", "", "2017", "2018", "2019"], 15, (2017, 2019), "総人口")


@made_in("ja", "xlsx", "lo.xls")
def estat_book(r: Figures) -> Made:
    """Japanese and English headings in rows of their own, units at the right, notes below."""
    rows: Rows = [["第１表　年齢（５歳階級），男女別人口（2021年10月１日現在）"], ["Table 1. Population by Age (5-Year Groups) and Sex - October 1, 2021"], [None, None, None, None, "（単位　千人）(Thousand persons)"], ["年齢階級", Wide("総人口"), None, None, "日本人人口"], [None, "男女計", "男", "女", "男女計"], ["Age groups", "Both sexes", "Male", "Female", "Both sexes"], []]
    body: Rows = [["総数 Total", *(r.n(30_000, 126_000) for _ in range(4))]] + [[f"{a} ～ {a + 4}", *(r.n(2000, 9000) for _ in range(4))] for a in range(0, 90, 5)] + [["（再掲）Regrouped"], ["15歳未満", *(r.n() for _ in range(4))], ["65歳以上", *(r.n() for _ in range(4))]]
    foot: Rows = [["注）　単位未満は四捨五入してあるため，合計の数字と内訳の計が一致しない場合がある。"], ["資料：総務省統計局「人口推計」"]]
    return [("第1表", rows + body + foot)], Truth(["年齢階級", "男女計", "男", "女", "男女計"], 22, (2021, 2021), "男女別人口|Population by Age")


@made_in("ko", "csv,cp949", "xlsx")
def kosis_table(r: Figures) -> Made:
    """Years over items, both rows with the names of the label columns."""
    rows: Rows = [["행정구역(시군구)별", "성별", "2019", "2019", "2020", "2020"], ["행정구역(시군구)별", "성별", "총인구수 (명)", "세대수 (세대)", "총인구수 (명)", "세대수 (세대)"]]
    body: Rows = [[p, s, *(r.n(100_000, 9_000_000) for _ in range(4))] for p in ("전국", "서울특별시", "부산광역시", "대구광역시", "인천광역시") for s in ("계", "남자", "여자")]
    return [("데이터", rows + body)], Truth(["행정구역", "성별", "총인구수", "세대수", "총인구수", "세대수"], 15, (2019, 2020))


@made_in("zh", "csv,utf-8-sig", "lo.xls")
def nbs_annual(r: Figures) -> Made:
    rows: Rows = [["数据库：年度数据"], ["时间：最近6年"], ["指标", *(f"{y}年" for y in range(2022, 2016, -1))]]
    body: Rows = [[n, *(r.pick(r.f(100, 99_000), r.f(100, 99_000), None) for _ in range(6))] for n in ("年末总人口(万人)", "男性人口(万人)", "女性人口(万人)", "城镇人口(万人)", "乡村人口(万人)", "国民总收入(亿元)", "国内生产总值(亿元)")]
    foot: Rows = [["注：1981年及以前人口数据为户籍统计数；1982年及以后数据为推算数。"], ["数据来源：国家统计局"]]
    return [("年度数据", rows + body + foot)], Truth(["指标", *(str(y) for y in range(2022, 2016, -1))], 7, (2017, 2022))


@made_in("id", "xlsx", "csv,utf-8")
def bps_province(r: Figures) -> Made:
    """The heading over years names the measure; a blank first row of the file."""
    rows: Rows = [["Kabupaten/Kota", Wide("Jumlah Penduduk Menurut Kabupaten/Kota (Jiwa)"), None, None], [None, "2019", "2020", "2021"]]
    body: Rows = [_row(r, p, 3) for p in ("Kulonprogo", "Bantul", "Gunungkidul", "Sleman", "Yogyakarta", "DI Yogyakarta")]
    return [("Sheet1", [*rows, *body])], Truth(["Kabupaten", "2019", "2020", "2021"], 6, (2019, 2021), "")


@made_in("ar", "xlsx", "csv,utf-8-sig")
def gastat_table(r: Figures) -> Made:
    rows: Rows = [["السكان حسب المنطقة الإدارية والجنسية 2022"], ["Population by administrative area and nationality 2022"], [], ["المنطقة الإدارية", "سعودي", None, "غير سعودي", None, "Administrative area"], [None, "ذكور", "إناث", "ذكور", "إناث", None]]
    body: Rows = [[a, r.n(), r.n(), r.n(), r.n(), e] for a, e in (("الرياض", "Riyadh"), ("مكة المكرمة", "Makkah"), ("المدينة المنورة", "Madinah"), ("القصيم", "Qassim"), ("عسير", "Asir"), ("تبوك", "Tabuk"), ("حائل", "Hail"))]
    return [("1", rows + body)], Truth(["المنطقة", "ذكور", "إناث", "ذكور", "إناث", "Administrative"], 7, (2022, 2022), "السكان حسب المنطقة|Population by administrative")


@made_in("he", "xlsx")
def cbs_israel(r: Figures) -> Made:
    rows: Rows = [["לוח 2.1 אוכלוסייה, לפי קבוצת אוכלוסייה"], ["אלפים"], [], ["שנה", "סך הכל", "יהודים ואחרים", "ערבים"]]
    body: Rows = [[y, r.f(900, 9000), r.f(900, 7000), r.f(100, 2000)] for y in range(2010, 2022)]
    return [("2.1", rows + body)], Truth(["שנה", "סך הכל", "יהודים", "ערבים"], 12, (2010, 2021), "אוכלוסייה")


# Registers and lists that are no statistics


@made_in("es", "csv;utf-8", "xlsx")
def contracts_register(r: Figures) -> Made:
    head = ["Expediente", "Órgano de contratación", "Objeto del contrato", "Adjudicatario", "NIF", "Fecha de adjudicación", "Importe sin IVA", "Código CPV"]
    body: Rows = [[f"2021/{k:05}", r.pick("Ayuntamiento", "Diputación", "Consejería"), r.pick("Suministro de papel", "Servicio de limpieza", "Obras de reforma"), r.pick("Limpiezas del Sur S.L.", "Papelera Norte S.A.", "Construcciones Vega"), f"B{r.n(10000000, 99999999)}", f"{r.n(1, 28):02}/0{r.n(1, 9)}/2021", r.f(900, 90_000, 2), f"{r.n(10000000, 99999999)}-{r.n(0, 9)}"] for k in range(35)]
    return [("Contratos", [head, *body])], Truth(head, 35, None, "", statistics=False)


@made_in("sv", "xlsx", "csv;cp1252")
def care_units(r: Figures) -> Made:
    """A list of units with contacts."""
    head = ["HSA-id", "Enhetens namn", "Besöksadress", "Postnummer", "Ort", "Telefon", "Verksamhetschef", "Webbplats"]
    body: Rows = [[f"SE232100{r.n(1000, 9999)}-{k:04}", f"Vårdcentralen {n}", f"{n}vägen {r.n(1, 90)}", f"{r.n(10000, 99999)}", r.pick("Uppsala", "Enköping", "Tierp"), f"018-{r.n(100, 999)} {r.n(10, 99)} 00", r.pick("Anna Berg", "Karl Ek", "Eva Lund"), f"https://www.{k}.example.org"] for k, n in enumerate(("Almtuna", "Eriksberg", "Flogsta", "Gottsunda", "Nyby", "Samariter", "Sävja", "Årsta", "Knivsta", "Storvreta"))]
    return [("Enheter", [head, *body])], Truth(head, 10, None, "", statistics=False)


@made_in("de", "xlsx", "csv;utf-8")
def fee_list(r: Figures) -> Made:
    """A list of fees by number."""
    rows: Rows = [["Gebührenverzeichnis der Stadtverwaltung"], ["gültig ab 01.01.2023"], [], ["Nr.", "Gegenstand", "Rechtsgrundlage", "Gebühr in Euro"]]
    body: Rows = [[f"{k // 5 + 1}.{k % 5 + 1}", n, f"§ {r.n(1, 40)} VwGebO", r.pick("kostenfrei", r.f(5, 90, 2), r.f(5, 90, 2))] for k, n in enumerate(("Beglaubigung", "Personalausweis", "Reisepass", "Führungszeugnis", "Meldebescheinigung", "Parkausweis", "Eheschließung", "Auskunft", "Kopie A4", "Fischereischein", "Gewerbeanmeldung", "Sondernutzung"))]
    return [("Gebühren", rows + body)], Truth(["Nr.", "Gegenstand", "Rechtsgrundlage", "Gebühr"], 12, None, "Gebührenverzeichnis", statistics=False)


@made_in("en", "xlsx", "csv,utf-8")
def data_dictionary(r: Figures) -> Made:
    """The description of a file's variables."""
    head = ["Variable", "Position", "Length", "Type", "Description", "Valid values"]
    body: Rows = [[f"V{k:03}", 1 + 4 * k, 4, r.pick("Numeric", "Character"), r.pick("Age of the person", "Sex of the person", "Weight of the household"), r.pick("0-120", "1, 2, 9", "any")] for k in range(25)]
    return [("Codebook", [["Public use file: list of variables"], [], head, *body])], Truth(head, 25, None, "", statistics=False)
