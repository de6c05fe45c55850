"""Files of services, text with fixed columns, archives and pages of further offices, labelled by hand.

They were written and labelled before the catalogue read one of them.
"""
# ruff: noqa: E501 contents of files
# fmt: off

import csv
import gzip
import io
import json
import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Callable
from itertools import product
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import shapefile
from openpyxl import Workbook
from openpyxl.worksheet.properties import PageSetupProperties
from published_case import Truth
from published_offices import Figures
from published_pages import _canvas, _figures_right, _line
from reportlab.lib.pagesizes import A4, landscape

Write = Callable[[Path, Figures], Truth]

_STATES = ["Alabama", "Alaska", "Arizona", "Arkansas", "California", "Colorado", "Connecticut", "Delaware", "Florida", "Georgia"]
_LAN = ["01 Stockholms län", "03 Uppsala län", "04 Södermanlands län", "05 Östergötlands län"]
_MON = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()


# Services


def px_scb(path: Path, r: Figures) -> Truth:
    """Contents as a dimension, symbols for missing figures, names of values over several lines, a long note."""
    years, sexes, contents = [str(y) for y in range(2018, 2023)], ["män", "kvinnor"], ["Folkmängd", "Folkökning"]
    lan = ",\n".join(f'"{name}"' for name in _LAN)
    head = f'''CHARSET="ANSI";
AXIS-VERSION="2013";
CODEPAGE="iso-8859-15";
LANGUAGE="sv";
CREATION-DATE="20230222 08:00";
DECIMALS=0;
SHOWDECIMALS=0;
MATRIX="BE0101N1";
COPYRIGHT=YES;
SUBJECT-AREA="Befolkning";
TITLE="Folkmängd och folkökning efter region, kön, tabellinnehåll "
"och år";
CONTENTS="Folkmängd och folkökning";
UNITS="antal";
STUB="region","kön";
HEADING="tabellinnehåll","år";
CONTVARIABLE="tabellinnehåll";
VALUES("region")={lan};
VALUES("kön")="män","kvinnor";
VALUES("tabellinnehåll")="Folkmängd","Folkökning";
VALUES("år")={",".join(f'"{y}"' for y in years)};
TIMEVAL("år")=TLIST(A1,"2018"-"2022");
CODES("region")="01","03","04","05";
PRECISION("tabellinnehåll","Folkmängd")=0;
DATASYMBOL1="..";
SOURCE="SCB";
NOTEX="Fr.o.m. 2021 används ""Cell Key Method""; summor stämmer ""#""inte alltid.";
DATA=
'''
    rows = [" ".join(str(r.pick('"."', r.n(), r.n(), r.n())) for _ in product(contents, years)) for _ in product(_LAN, sexes)]
    path.write_bytes((head + "\n".join(rows) + ";\n").encode("iso-8859-15"))
    return Truth(["region", "kön", "tabellinnehåll", "år", ""], 80, (2018, 2022), "Folkmängd och folkökning efter region")


def sdmx_json_two(path: Path, r: Figures) -> Truth:
    """SDMX-JSON 2: data sets below `data`, structures as a list, names by language, missing observations."""
    areas, measures, months = ["AUT", "BEL", "CZE", "DNK"], ["UNE_LF"], [f"{y}-{m:02}" for y in (2021, 2022) for m in range(1, 13)]
    series = {f"{a}:0": {"attributes": [0], "observations": {str(t): [r.f(2, 9), 0] for t in range(len(months)) if r.random.random() > 0.1}} for a in range(len(areas))}
    count = sum(len(s["observations"]) for s in series.values())  # type: ignore[arg-type]
    structure = {
        "name": "Monthly unemployment rates", "names": {"en": "Monthly unemployment rates", "fr": "Taux de chômage mensuels"},
        "dimensions": {"dataSet": [], "series": [{"id": "REF_AREA", "name": "Reference area", "keyPosition": 0, "values": [{"id": a, "name": a.title()} for a in areas]}, {"id": "MEASURE", "name": "Measure", "keyPosition": 1, "values": [{"id": m, "name": "Unemployment rate"} for m in measures]}], "observation": [{"id": "TIME_PERIOD", "name": "Time period", "values": [{"start": f"{m}-01T00:00:00", "end": f"{m}-28T23:59:59", "id": m, "name": m} for m in months]}]},
        "measures": {"observation": [{"id": "OBS_VALUE", "name": "Observation value"}]},
        "attributes": {"dataSet": [], "series": [{"id": "DECIMALS", "name": "Decimals", "values": [{"id": "1", "name": "One"}]}], "observation": [{"id": "OBS_STATUS", "name": "Observation status", "values": [{"id": "A", "name": "Normal value"}]}]},
    }
    path.write_text(json.dumps({"meta": {"schema": "https://example.org/sdmx-json/2.0.0", "id": "IREF1", "sender": {"id": "OECD"}}, "data": {"dataSets": [{"structure": 0, "action": "Information", "series": series}], "structures": [structure]}, "errors": []}), "utf-8")
    return Truth(["Reference area", "Measure", "Time period", ""], count, (2021, 2022), "Monthly unemployment rates")


def jsonstat_ssb(path: Path, r: Figures) -> Truth:
    """JSON-stat 2 with codes in a list, units of the measure, roles, statuses and an extension."""
    regions, contents, quarters = ["0301", "1103", "4601"], ["Folketallet11", "Fodte2"], [f"{y}K{q}" for y in (2020, 2021) for q in (1, 2, 3, 4)]
    names = {"0301": "Oslo - Oslove", "1103": "Stavanger", "4601": "Bergen"}
    data = {
        "version": "2.0", "class": "dataset", "label": "01222: Endringer i befolkningen, etter region, statistikkvariabel og kvartal", "source": "Statistisk sentralbyrå", "updated": "2022-02-22T07:00:00Z",
        "id": ["Region", "ContentsCode", "Tid"], "size": [3, 2, 8],
        "dimension": {
            "Region": {"label": "region", "category": {"index": regions, "label": names}, "extension": {"elimination": True}},
            "ContentsCode": {"label": "statistikkvariabel", "category": {"index": contents, "label": {"Folketallet11": "Befolkning ved utgangen av kvartalet", "Fodte2": "Fødte"}, "unit": {c: {"base": "personer", "decimals": 0} for c in contents}}},
            "Tid": {"label": "kvartal", "category": {"index": quarters, "label": {q: q for q in quarters}}},
        },
        "role": {"time": ["Tid"], "metric": ["ContentsCode"]}, "value": [r.pick(None, r.n(), r.n(), r.n(), r.n()) for _ in range(48)], "status": {"3": ".."}, "extension": {"px": {"tableid": "01222", "decimals": 0}},
    }
    path.write_text(json.dumps(data, ensure_ascii=False), "utf-8")
    return Truth(["region", "statistikkvariabel", "kvartal", ""], 48, (2020, 2021), "Endringer i befolkningen")


def ine_series_json(path: Path, r: Figures) -> Truth:
    """A list of series, each with its name and a list of observations whose dates are milliseconds."""
    series = [{"COD": f"ECP{n}", "Nombre": f"{name}. Población. Número.", "FK_Unidad": 3, "FK_Escala": 1, "Data": [{"Fecha": 1_000_000_000_000 + 31_556_952_000 * (y - 2001), "FK_TipoDato": 1, "FK_Periodo": 28, "Anyo": y, "Valor": float(r.n()), "Secreto": False} for y in range(2015, 2022)]} for n, name in enumerate(("Total Nacional", "Andalucía", "Aragón", "Canarias", "Cantabria"))]
    path.write_text(json.dumps(series, ensure_ascii=False), "utf-8")
    names = ["COD", "Nombre", "FK_Unidad", "FK_Escala", "Fecha", "FK_TipoDato", "FK_Periodo", "Anyo", "Valor", "Secreto"]
    return Truth(names, 35, (2015, 2021))


def sidra_json(path: Path, r: Figures) -> Truth:
    """Records of short keys whose first record has the names."""
    names = {"NC": "Nível Territorial (Código)", "NN": "Nível Territorial", "MC": "Unidade de Medida (Código)", "MN": "Unidade de Medida", "V": "Valor", "D1N": "Brasil e Unidade da Federação", "D2N": "Ano"}
    rows = [{"NC": "3", "NN": "Unidade da Federação", "MC": "45", "MN": "Pessoas", "V": r.pick("..", str(r.n()), str(r.n())), "D1N": u, "D2N": str(y)} for u in ("Acre", "Amapá", "Amazonas", "Pará") for y in (2019, 2020, 2021)]
    path.write_text(json.dumps([names, *rows], ensure_ascii=False), "utf-8")
    return Truth(list(names.values()), 12, (2019, 2021))


def valet_json(path: Path, r: Figures) -> Truth:
    """Observations whose figures are objects with one member each."""
    data = {"terms": {"url": "https://www.example.org/terms/"}, "seriesDetail": {k: {"label": k, "description": f"{k[2:5]} to CAD exchange rate", "dimension": {"key": "d", "name": "Date"}} for k in ("FXUSDCAD", "FXEURCAD")}, "observations": [{"d": f"2021-{m:02}-{d:02}", "FXUSDCAD": {"v": f"{r.f(1.1, 1.4, 4)}"}, "FXEURCAD": {"v": f"{r.f(1.3, 1.6, 4)}"}} for m in range(1, 13) for d in (4, 11, 18)]}
    path.write_text(json.dumps(data), "utf-8")
    return Truth(["d", "FXUSDCAD", "FXEURCAD"], 36, (2021, 2021))


def odata_observations(path: Path, r: Figures) -> Truth:
    """OData 4: one record per figure with the code of its measure."""
    rows = [{"Id": n, "Measure": m, "ValueAttribute": "None", "Value": float(r.n()), "StringValue": None, "WijkenEnBuurten": w, "Perioden": p} for n, (w, m, p) in enumerate(product(("GM0014", "GM0034", "GM0037"), ("M000352", "1050010_2"), ("2019JJ00", "2020JJ00", "2021JJ00")))]
    path.write_text(json.dumps({"@odata.context": "https://example.org/CBS/83765NED/$metadata#Observations", "value": rows}), "utf-8")
    return Truth(["Id", "Measure", "ValueAttribute", "Value", "StringValue", "WijkenEnBuurten", "Perioden"], 18, (2019, 2021))


def sdmx_eurostat(path: Path, r: Figures) -> Truth:
    """SDMX-ML 2.1 as Eurostat sends it now: structure-specific, one name space per data flow, flags."""
    parts = ['<?xml version="1.0" encoding="UTF-8"?>\n<m:StructureSpecificData xmlns:m="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/message" xmlns:ss="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/data/structurespecific" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:ns1="urn:sdmx:org.sdmx.infomodel.datastructure.DataStructure=ESTAT:TPS00001(34.0):ObsLevelDim:TIME_PERIOD"><m:Header><m:ID>TPS00001</m:ID><m:Test>false</m:Test><m:Prepared>2023-03-30T11:00:00Z</m:Prepared><m:Sender id="ESTAT"/></m:Header><m:DataSet ss:dataScope="DataStructure" xsi:type="ns1:DataSetType" ss:structureRef="TPS00001">']
    for geo in ("AL", "AT", "BE", "BG", "CH"):
        parts.append(f'<Series freq="A" indic_de="JAN" geo="{geo}">')
        parts += [f'<Obs TIME_PERIOD="{y}" OBS_VALUE="{r.n()}"' + (' OBS_FLAG="b"' if r.random.random() < 0.2 else "") + "/>" for y in range(2011, 2023)]
        parts.append("</Series>")
    path.write_text("".join(parts) + "</m:DataSet></m:StructureSpecificData>", "utf-8")
    return Truth(["freq", "indic_de", "geo"], 60, (2011, 2022))


def ecb_portal_csv(path: Path, r: Figures) -> Truth:
    """Dates twice, then names of series with their keys in parentheses."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, quoting=csv.QUOTE_ALL)
        writer.writerow(["DATE", "TIME PERIOD", "US dollar/Euro ECB reference exchange rate (EXR.D.USD.EUR.SP00.A)", "Overall HICP, annual rate (ICP.M.U2.N.000000.4.ANR)"])
        writer.writerows([f"{y}-{m:02}-28", f"{y}{_MON[m - 1]}", f"{r.f(1, 1.3, 4)}", r.pick("", f"{r.f(0, 9)}")] for y in (2020, 2021, 2022) for m in range(1, 13))
    return Truth(["DATE", "TIME PERIOD", "US dollar/Euro", "Overall HICP"], 36, (2020, 2022))


# Text


def bls_text(path: Path, r: Figures) -> Truth:
    """A text with columns by blanks: a centred title, names over two lines, years down."""
    lines = ["", "                     Consumer Price Index for All Urban Consumers (CPI-U): U.S. city average, all items", "", "                                          1982-84=100", "", "YEAR    " + "".join(f"{m + '.':>9}" for m in _MON) + "  Annual avg.", ""]
    lines += [f"{y}    " + "".join(f"{r.f(150, 300, 1):>9}" for _ in range(12)) + f"{r.f(150, 300):>13}" for y in range(1998, 2020)]
    path.write_text("\r\n".join(lines) + "\r\n", "ascii")
    return Truth(["YEAR", *_MON, "Annual"], 22, (1998, 2019), "Consumer Price Index for All Urban Consumers")


def census_text(path: Path, r: Figures) -> Truth:
    """A text with columns by blanks, rules of hyphens, a heading over dates, notes below."""
    lines = ["ST-99-3  State Population Estimates: Annual Time Series, July 1, 1990 to July 1, 1993", "(includes April 1, 1990 Population Estimates Base)", "", "Source: Population Estimates Program, Population Division, U.S. Census Bureau", "", "-" * 78, "                         7/1/93        7/1/92        7/1/91        7/1/90", "State                  Estimate      Estimate      Estimate      Estimate", "-" * 78]
    lines += [f"{s:<17}" + "".join(f"{r.n(500_000, 9_000_000):>14,}" for _ in range(4)) for s in _STATES]
    lines += ["-" * 78, "", "Note: Estimates are consistent with the 1990 census."]
    path.write_text("\n".join(lines) + "\n", "ascii")
    return Truth(["State", "7/1/93", "7/1/92", "7/1/91", "7/1/90"], 10, (1990, 1993), "State Population Estimates")


def noaa_text(path: Path, r: Figures) -> Truth:
    """Columns by blanks without a title: year, month, figures with signs, comments with a mark."""
    lines = ["# Monthly mean of the global temperature anomaly", "# year month  anomaly  uncertainty"]
    lines += [f"  {y}   {m:>2}   {r.f(-1, 1, 3):>7}   {r.f(0, 0.2, 3):>7}" for y in range(2001, 2011) for m in range(1, 13)]
    path.write_text("\n".join(lines) + "\n", "ascii")
    return Truth(["year", "month", "anomaly", "uncertainty"], 120, (2001, 2010))


# Archives


def fao_zip(path: Path, r: Figures) -> Truth:
    """A wide file with a column of flags beside each year, files of flags and items beside it."""
    header = ["Area Code", "Area Code (M49)", "Area", "Item Code", "Item", "Element Code", "Element", "Unit", *(n for y in range(2010, 2021) for n in (f"Y{y}", f"Y{y}F"))]
    main, flags, items = io.StringIO(), io.StringIO(), io.StringIO()
    writer = csv.writer(main, quoting=csv.QUOTE_ALL)
    writer.writerow(header)
    count = 0
    for a, i, (e, u) in product(("Afghanistan", "Albania", "Algeria", "Angola"), ("Wheat", "Maize (corn)", "Rice"), (("Area harvested", "ha"), ("Production", "t"))):
        count += 1
        writer.writerow([count, f"'{count:03}", a, 15, i, 5312, e, u, *(c for _ in range(11) for c in (r.pick("", f"{r.n()}.000000"), r.pick("A", "E", "")))])
    csv.writer(flags).writerows([["Flag", "Description"], *[[f, f"{f} figure"] for f in "AEIMX"]])
    csv.writer(items).writerows([["Item Code", "CPC Code", "Item"], *[[15 + n, f"'0{n}", f"Item {n}"] for n in range(40)]])
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("Production_Crops_E_All_Data.csv", main.getvalue().encode("cp1252"))
        archive.writestr("Production_Crops_E_Flags.csv", flags.getvalue())
        archive.writestr("Production_Crops_E_ItemCodes.csv", items.getvalue())
    return Truth(header, count, (2010, 2020))


def insee_dbf_zip(path: Path, r: Figures) -> Truth:
    """A table of a census as DBF in an old code page, with the list of its variables as a second one."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with shapefile.Writer(dbf=str(folder / "BTX_TD_POP1A_2017.dbf"), encoding="cp850") as writer:
            for field, kind, size in (("CODGEO", "C", 5), ("LIBGEO", "C", 40), ("SEXE", "C", 1), ("AGED100", "C", 3), ("NB", "N", 12)):
                writer.field(field, kind, size=size, decimal=2 if kind == "N" else 0)
            for n, sex, age in product(range(1, 9), "12", range(0, 50, 10)):
                writer.record(f"0100{n}", f"Commune d'Ambérieu {n}", sex, f"{age:03}", r.f(1, 900, 2))
        with shapefile.Writer(dbf=str(folder / "varmod.dbf"), encoding="cp850") as writer:
            for field in ("VARIABLE", "LIBELLE", "MODALITE"):
                writer.field(field, "C", size=40)
            writer.record("SEXE", "Sexe", "1")
            writer.record("SEXE", "Sexe", "2")
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in sorted(folder.glob("*.dbf")):
                archive.write(file, file.name)
    return Truth(["CODGEO", "LIBGEO", "SEXE", "AGED100", "NB"], 80, None)


def insee_csv_zip(path: Path, r: Figures) -> Truth:
    """A file of communes in codes, and a file that names the codes at length."""
    header = ["CODGEO", "P17_POP", "P12_POP", "P07_POP", "SUPERF", "NAIS1217", "P17_LOG"]
    main = "\n".join([";".join(header), *(";".join([f"010{n:02}", *(str(r.n()) for _ in range(3)), str(r.f()), str(r.n(0, 200)), str(r.f(100, 9000, 10))]) for n in range(40))])
    meta = "\n".join(["COD_VAR;LIB_VAR;LIB_VAR_LONG;COD_MOD;LIB_MOD;TYPE_VAR;LONG_VAR", *(f"{c};Libellé de {c};Libellé long de la variable {c} du recensement;;;CHAR;5" for c in header), *(f"CODGEO;Commune;Commune de résidence;010{n:02};Commune {n};CHAR;5" for n in range(60))])
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("base-cc-serie-historique-2017.CSV", main)
        archive.writestr("meta_base-cc-serie-historique-2017.CSV", meta)
    return Truth(header, 40, None)


def eurostat_gzip(path: Path, r: Figures) -> Truth:
    """The old bulk download, packed: the combined name ends in `geo\\time`, the newest year comes first."""
    years = list(range(2019, 2007, -1))
    lines = ["unit,sex,age,geo\\time\t" + "\t".join(f"{y} " for y in years)]
    lines += [f"NR,{s},{a},{g}\t" + "\t".join(str(r.pick(": ", ": z", f"{r.n()} ", f"{r.n()} ", f"{r.n()} bep")) for _ in years) for s in "FMT" for a in ("TOTAL", "Y_LT5") for g in ("AD", "AL", "AM", "AT")]
    path.write_bytes(gzip.compress("\n".join(lines).encode(), mtime=0))
    return Truth(["geo", *map(str, years)], 24, (2008, 2019))


# Pages as programs print them


def _print_html(path: Path, page: str) -> None:
    program = shutil.which("chromium")
    if program is None:
        return
    with tempfile.TemporaryDirectory() as name:
        source = Path(name) / "page.html"
        source.write_text(page, "utf-8")
        subprocess.run([program, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={name}/profile", f"--print-to-pdf={path}", "--no-pdf-header-footer", str(source)], check=False, capture_output=True, timeout=120)


_STYLE = "<style>body{font:11px 'DejaVu Sans'} table{border-collapse:collapse;width:100%} th,td{padding:2px 6px} td{text-align:right} td:first-child,th:first-child{text-align:left}</style>"


def browser_page(path: Path, r: Figures) -> Truth:
    """A web page as a browser prints it: headings over columns with a thin rule, no other lines."""
    body = "".join(f"<tr><td>{s}</td>" + "".join(f"<td>{r.n():,}</td><td>{r.f()}</td>" for _ in range(3)) + "</tr>" for s in _STATES)
    _print_html(path, f"<html><head>{_STYLE}</head><body><h2>Table 4. Households with internet access by state, 2019 to 2021</h2><p>The survey asks all members of a household aged 15 and over.</p><table><thead><tr><th rowspan=2>State</th><th colspan=2>2019</th><th colspan=2>2020</th><th colspan=2>2021</th></tr><tr style='border-bottom:1px solid'>{'<th>Number</th><th>Per cent</th>' * 3}</tr></thead><tbody>{body}</tbody></table><p><small>Source: household survey.</small></p></body></html>")
    return Truth(["State", "2019", "Per cent", "2020", "Per cent", "2021", "Per cent"], 10, (2019, 2021), "Households with internet access by state")


def browser_lined_page(path: Path, r: Figures) -> Truth:
    """A page with all lines, text that wraps in cells, and rows of section names over the whole width."""
    rows = ""
    for s in ("Industrie", "Services"):
        rows += f"<tr><td colspan=4 style='text-align:left'><b>{s}</b></td></tr>"
        rows += "".join(f"<tr><td style='width:180px'>{x}</td><td>{r.grouped(' ')}</td><td>{r.comma()}</td><td>{r.pick('nd', r.comma())}</td></tr>" for x in ("Fabrication de denrées alimentaires, de boissons et de produits à base de tabac", "Construction", "Transports et entreposage"))
    _print_html(path, f"<html><head>{_STYLE}<style>td,th{{border:1px solid #444}}</style></head><body><h3>Tableau 5 – Emploi salarié par secteur d'activité au 31 décembre 2020</h3><table><tr><th>Secteur</th><th>Effectif</th><th>Évolution sur un an (en %)</th><th>Part des femmes (en %)</th></tr>{rows}</table></body></html>")
    return Truth(["Secteur", "Effectif", "Évolution sur un an", "Part des femmes"], 8, (2020, 2020), "Emploi salarié par secteur")


def office_page(path: Path, r: Figures) -> Truth:
    """A sheet that LibreOffice prints: grouped names in merged cells, landscape, notes below."""
    program = shutil.which("soffice")
    if program is None:
        return Truth([], 0, None, statistics=False)
    book = Workbook()
    sheet = book.active
    for row in [["Tabela 3. Bezrobotni zarejestrowani według województw i wieku, 2020-2021"], [None], ["Województwo", "2020", None, None, "2021", None, None], [None, "ogółem", "kobiety", "do 25 lat", "ogółem", "kobiety", "do 25 lat"], *[[w, *(r.n() for _ in range(6))] for w in ("Dolnośląskie", "Kujawsko-pomorskie", "Lubelskie", "Lubuskie", "Łódzkie", "Małopolskie", "Mazowieckie", "Opolskie")], ["Źródło: Ministerstwo Rodziny i Polityki Społecznej."]]:
        sheet.append(row)
    for place in ("B3:D3", "E3:G3", "A3:A4"):
        sheet.merge_cells(place)
    sheet.column_dimensions["A"].width = 24
    sheet.page_setup.orientation = "landscape"
    sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    with tempfile.TemporaryDirectory() as name:
        source = Path(name) / f"{path.stem}.xlsx"
        book.save(source)
        subprocess.run([program, f"-env:UserInstallation=file://{name}/profile", "--headless", "--convert-to", "pdf", "--outdir", str(path.parent), str(source)], check=False, capture_output=True, timeout=180)
    return Truth(["Województwo", "2020", "kobiety", "do 25 lat", "2021", "kobiety", "do 25 lat"], 8, (2020, 2021), "Bezrobotni zarejestrowani")


def plotted_page(path: Path, r: Figures) -> Truth:
    """A table drawn by a plotting library: every text on its own, lines around every cell."""
    figure, axes = plt.subplots(figsize=(8.27, 5))
    axes.axis("off")
    axes.set_title("Graduates by field of education, 2018-2021")
    rows = [[f, *(f"{r.n():,}" for _ in range(4))] for f in ("Education", "Arts and humanities", "Social sciences", "Business and law", "Natural sciences", "Health")]
    axes.table(cellText=rows, colLabels=["Field", "2018", "2019", "2020", "2021"], loc="center")
    with mpl.rc_context({"pdf.fonttype": 42}):
        figure.savefig(path, metadata={"CreationDate": None})
    plt.close(figure)
    return Truth(["Field", "2018", "2019", "2020", "2021"], 6, (2018, 2021), "Graduates by field of education")


def blank_cells_page(path: Path, r: Figures) -> Truth:
    """Half of the cells are blank, brackets around uncertain figures, a total in bold first."""
    c = _canvas(path)
    _line(c, 790, [(60, "l", "Table 7.2  Prisoners by length of sentence and age group, 30 June 2020")], 10, bold=True)
    c.line(60, 784, 540, 784)
    _line(c, 772, _figures_right("Length of sentence", ["Total", "15–17", "18–20", "21–39", "40+"], 260, 65))
    c.line(60, 767, 540, 767)
    for n, label in enumerate(("All sentences", "Less than 6 months", "6 months to less than 12 months", "12 months to less than 4 years", "4 years or more", "Life sentences", "Fine defaulters", "Recalls")):
        _line(c, 754 - 14 * n, _figures_right(label, [f"{r.n():,}", *(str(r.pick("", "", f"{r.n(0, 99)}", f"({r.n(0, 9)})")) if n else f"{r.n():,}" for _ in range(4))], 260, 65), bold=n == 0)
    _line(c, 620, [(60, "l", "( ) fewer than 10 cases. Source: prison statistics.")], 7)
    c.save()
    return Truth(["Length of sentence", "Total", "15–17", "18–20", "21–39", "40+"], 8, (2020, 2020), "Prisoners by length of sentence")


def facing_pages(path: Path, r: Figures) -> Truth:
    """A table over two facing pages: numbered rows, other columns on the second page; the first is judged."""
    c = _canvas(path)
    names = ("Dolnośląskie", "Kujawsko-pomorskie", "Lubelskie", "Lubuskie", "Łódzkie", "Małopolskie", "Mazowieckie", "Opolskie", "Podkarpackie", "Podlaskie", "Pomorskie", "Śląskie")
    for page, heads in enumerate((("Ludność", "Mężczyźni", "Kobiety", "Miasta", "Wieś"), ("Urodzenia", "Zgony"))):
        _line(c, 800, [(60, "l", "TABL. 9. LUDNOŚĆ WEDŁUG WOJEWÓDZTW W 2019 R." + (" (dok.)" if page else ""))], 9, bold=True)
        c.line(60, 794, 540, 794)
        _line(c, 782, [(60, "l", "Lp."), (85, "l", "Województwa"), *((260 + 68 * k, "r", h) for k, h in enumerate(heads))])
        c.line(60, 776, 540, 776)
        for n, w in enumerate(names, 1):
            _line(c, 776 - 14 * n, [(60, "l", str(n)), (85, "l", w), *((260 + 68 * k, "r", r.grouped(" ")) for k in range(len(heads)))])
        c.showPage()
    c.save()
    return Truth(["Lp", "Województwa", "Ludność", "Mężczyźni", "Kobiety", "Miasta", "Wieś"], 12, (2019, 2019), "LUDNOŚĆ WEDŁUG WOJEWÓDZTW")


def wide_landscape(path: Path, r: Figures) -> Truth:
    """A landscape page: names over three lines, two levels, units in their own line, numbered columns."""
    c = _canvas(path, landscape(A4))
    _line(c, 560, [(40, "l", "Tabelle 2.1 Studierende im Wintersemester 2020/21 nach Hochschularten und Fächergruppen")], 10, bold=True)
    c.line(40, 552, 800, 552)
    edges = [260 + 75 * k for k in range(8)]
    _line(c, 540, [(332, "c", "Universitäten"), (632, "c", "Fachhochschulen")], 7)
    c.line(220, 536, 490, 536)
    c.line(495, 536, 800, 536)
    for line, texts in enumerate((("ins-", "weib-", "aus-", "1. Fach-"), ("gesamt", "lich", "ländisch", "semester"))):
        _line(c, 526 - 9 * line, [(x, "r", t) for x, t in zip(edges, texts * 2, strict=True)], 7)
    _line(c, 517, [(40, "l", "Fächergruppe")], 7)
    _line(c, 505, [(x, "r", "Anzahl") for x in edges], 7)
    c.line(40, 500, 800, 500)
    for n, f in enumerate(("Geisteswissenschaften", "Sport", "Rechts-, Wirtschafts- und Sozialwiss.", "Mathematik, Naturwissenschaften", "Humanmedizin", "Agrar-, Forst- und Ernährungswiss.", "Ingenieurwissenschaften", "Kunst", "Insgesamt")):
        _line(c, 488 - 13 * n, [(40, "l", f), *((x, "r", r.pick("–", r.grouped(" "), r.grouped(" "))) for x in edges)], 7)
    _line(c, 360, [(40, "l", "Quelle: Statistik der Studenten")], 6)
    c.save()
    return Truth(["Fächergruppe", "gesamt", "lich", "ländisch", "semester", "gesamt", "lich", "ländisch", "semester"], 9, (2020, 2020), "Studierende im Wintersemester")


def list_beside_text(path: Path, r: Figures) -> Truth:
    """A narrow table in the right column of a page with text in the left one."""
    c = _canvas(path)
    _line(c, 800, [(60, "l", "Economic bulletin, May 2021")], 12, bold=True)
    for n in range(50):
        _line(c, 770 - 11 * n, [(60, "l", "Output rose in most branches, while orders from")], 8)
    _line(c, 770, [(320, "l", "Table 1. Industrial orders, 2021 (2015 = 100)")], 8, bold=True)
    for n, row in enumerate([["Month", "Home", "Abroad", "Total"], *[[m, *(f"{r.f(90, 120)}" for _ in range(3))] for m in _MON]]):
        _line(c, 755 - 11 * n, [(320, "l", row[0]), *((420 + 55 * k, "r", v) for k, v in enumerate(row[1:]))], 8)
    c.save()
    return Truth(["Month", "Home", "Abroad", "Total"], 12, (2021, 2021), "Industrial orders")


def footnoted_page(path: Path, r: Figures) -> Truth:
    """Raised marks beside names and figures, a break in the series as a line, three lines of notes."""
    c = _canvas(path)
    _line(c, 790, [(60, "l", "Cuadro 8. Población inmigrante por país de nacimiento (miles)")], 10, bold=True)
    c.line(60, 782, 540, 782)
    _line(c, 770, _figures_right("País de nacimiento", ["2010", "2015", "2018", "2021"], 270, 75))
    _line(c, 773, [(346, "l", "1")], 5)
    c.line(60, 764, 540, 764)
    for n, p in enumerate(("Total", "Marruecos", "Rumanía", "Colombia", "Ecuador", "Reino Unido", "Venezuela")):
        y = 751 - 14 * n
        _line(c, y, _figures_right(p, [r.comma(), r.comma(), r.comma(), str(r.pick("..", r.comma()))], 270, 75))
        if n % 3 == 1:
            _line(c, y + 3, [(271, "l", "a"), (61 + 5 * len(p), "l", "2")], 5)
    for n, t in enumerate(("1 Ruptura de la serie.", "2 Incluye nacidos en el Sáhara Occidental.", "a Dato provisional. Fuente: INE, Padrón continuo.")):
        _line(c, 640 - 9 * n, [(60, "l", t)], 6)
    c.save()
    return Truth(["País de nacimiento", "2010", "2015", "2018", "2021"], 7, (2010, 2021), "Población inmigrante por país")


def method_page(path: Path, r: Figures) -> Truth:
    """Numbered paragraphs with dates and shares in sentences: not statistics."""
    c = _canvas(path)
    _line(c, 800, [(60, "l", "Methodological notes")], 12, bold=True)
    for n in range(32):
        _line(c, 775 - 22 * n, [(60, "l", f"{n + 1}.1"), (95, "l", f"Since {1990 + n} the sample has {r.n(1000, 9000)} units, of which {r.f()} % answer in the first wave.")], 9)
    c.save()
    return Truth([], 0, None, "", statistics=False)


FURTHER_FILES: dict[str, tuple[Write, str, str]] = {
    "px_scb": (px_scb, "sv", "px"),
    "sdmx_json_two": (sdmx_json_two, "en", "json"),
    "jsonstat_ssb": (jsonstat_ssb, "no", "json"),
    "ine_series_json": (ine_series_json, "es", "json"),
    "sidra_json": (sidra_json, "pt", "json"),
    "valet_json": (valet_json, "en", "json"),
    "odata_observations": (odata_observations, "nl", "json"),
    "sdmx_eurostat": (sdmx_eurostat, "en", "sdmx.xml"),
    "ecb_portal_csv": (ecb_portal_csv, "en", "csv"),
    "bls_text": (bls_text, "en", "txt"),
    "census_text": (census_text, "en", "txt"),
    "noaa_text": (noaa_text, "en", "txt"),
    "fao_zip": (fao_zip, "en", "zip"),
    "insee_dbf_zip": (insee_dbf_zip, "fr", "zip"),
    "insee_csv_zip": (insee_csv_zip, "fr", "zip"),
    "eurostat_gzip": (eurostat_gzip, "en", "tsv.gz"),
    "browser_page": (browser_page, "en", "pdf"),
    "browser_lined_page": (browser_lined_page, "fr", "pdf"),
    "office_page": (office_page, "pl", "pdf"),
    "plotted_page": (plotted_page, "en", "pdf"),
    "blank_cells_page": (blank_cells_page, "en", "pdf"),
    "facing_pages": (facing_pages, "pl", "pdf"),
    "wide_landscape": (wide_landscape, "de", "pdf"),
    "list_beside_text": (list_beside_text, "en", "pdf"),
    "footnoted_page": (footnoted_page, "es", "pdf"),
    "method_page": (method_page, "en", "pdf"),
}
"""The writer of each file, its language and the ending of its name."""
