"""Files of data services: cubes, records, archives and workbooks with unusual parts, labelled by hand."""
# ruff: noqa: E501 contents of files, and functions with one signature
# fmt: off

import json
import zipfile
from collections.abc import Callable
from datetime import datetime
from itertools import product
from pathlib import Path

import polars as pl
from openpyxl import Workbook
from openpyxl.styles import Alignment
from published_case import Truth
from published_offices import Figures

_GEO = ["Sverige", "Stockholms län", "Uppsala län", "Örebro län"]
_SEX = ["men", "women", "total"]
_YEARS = ["2017", "2018", "2019", "2020"]
_KEYS = list(product(_GEO, _SEX, _YEARS))
_COUNT = len(_KEYS)
Write = Callable[[Path, Figures], Truth]


def px_languages(path: Path, r: Figures) -> Truth:
    """Two languages, codes, notes over several lines, dots for missing figures, an old code page."""
    dots = ['".."', '"."', '"..."']
    figures = "\n".join(" ".join(str(r.n()) if r.n(0, 9) else dots[n % 3] for n in range(4)) for _ in range(12))
    quoted = ",".join(f'"{g}"' for g in _GEO)
    years = ",".join(f'"{y}"' for y in _YEARS)
    text = f"""CHARSET="ANSI";
AXIS-VERSION="2013";
CODEPAGE="iso-8859-15";
LANGUAGE="sv";
LANGUAGES="sv","en";
CREATION-DATE="20230512 09:30";
DECIMALS=0;
SHOWDECIMALS=0;
MATRIX="BE0101";
SUBJECT-CODE="BE";
SUBJECT-AREA="Befolkning";
SUBJECT-AREA[en]="Population";
TITLE="Folkmängd efter region, kön "
"och år";
TITLE[en]="Population by region, sex "
"and year";
CONTENTS="Folkmängd";
CONTENTS[en]="Population";
UNITS="antal";
UNITS[en]="number";
STUB="region","kön";
STUB[en]="region","sex";
HEADING="år";
HEADING[en]="year";
VALUES("region")={quoted};
VALUES[en]("region")={quoted};
VALUES("kön")="män","kvinnor","totalt";
VALUES[en]("sex")="men","women","total";
VALUES("år")={years};
VALUES[en]("year")={years};
CODES("region")="00","01","03","18";
TIMEVAL("år")=TLIST(A1),{years};
SOURCE="SCB";
NOTE="Antal personer den 31 december; se "
"dokumentationen.";
DATA=
{figures};
"""
    path.write_bytes(text.encode("iso-8859-15"))
    return Truth(["region", "kön", "år", ""], _COUNT, (2017, 2020), "Folkmängd efter region")


def px_keys(path: Path, r: Figures) -> Truth:
    """Rows with the keys of the stub before their figures, in an old code page."""
    rows = "\n".join(f'"{g}","{s}",' + ",".join(str(r.n()) for _ in _YEARS) for g, s in product(("A", "B", "C", "D"), ("1", "2", "3")))
    text = f"""CHARSET="ANSI";
AXIS-VERSION="2000";
LANGUAGE="es";
MATRIX="t1";
TITLE="Población por provincia, sexo y año";
CONTENTS="Población";
UNITS="personas";
STUB="provincia","sexo";
HEADING="año";
VALUES("provincia")="Álava","Ávila","Cádiz","León";
VALUES("sexo")="Hombres","Mujeres","Ambos";
VALUES("año")={",".join(f'"{y}"' for y in _YEARS)};
CODES("provincia")="A","B","C","D";
CODES("sexo")="1","2","3";
KEYS("provincia")=CODES;
KEYS("sexo")=CODES;
SOURCE="INE";
DATA=
{rows};
"""
    path.write_bytes(text.encode("cp1252"))
    return Truth(["provincia", "sexo", "año", ""], _COUNT, (2017, 2020), "Población por provincia")


def sdmx_generic(path: Path, r: Figures) -> Truth:
    series = "".join(
        f'<g:Series><g:SeriesKey><g:Value id="FREQ" value="A"/><g:Value id="GEO" value="{g}"/><g:Value id="SEX" value="{s}"/></g:SeriesKey><g:Attributes><g:Value id="TITLE" value="a title"/></g:Attributes>'
        + "".join(f'<g:Obs><g:ObsDimension value="{y}"/><g:ObsValue value="{r.f()}"/><g:Attributes><g:Value id="OBS_STATUS" value="A"/></g:Attributes></g:Obs>' for y in _YEARS)
        + "</g:Series>"
        for g, s in product(("SE", "DK", "FI", "NO"), ("F", "M", "T"))
    )
    path.write_text(f'<?xml version="1.0" encoding="UTF-8"?><m:GenericData xmlns:m="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/message" xmlns:g="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/data/generic" xmlns:c="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/common"><m:Header><m:ID>X</m:ID><m:Test>false</m:Test><m:Prepared>2023-01-01T00:00:00</m:Prepared><m:Sender id="ESTAT"><c:Name xml:lang="en">Eurostat</c:Name></m:Sender></m:Header><m:DataSet structureRef="X">{series}</m:DataSet></m:GenericData>')
    return Truth(["FREQ", "GEO", "SEX"], _COUNT, (2017, 2020))


def sdmx_compact(path: Path, r: Figures) -> Truth:
    """SDMX 2.0 as Eurostat and the ECB sent it: months as periods, status flags, NaN."""
    series = "".join(
        f'<data:Series FREQ="M" s_adj="NSA" unit="PC_ACT" geo="{g}" TIME_FORMAT="P1M">' + "".join(f'<data:Obs TIME_PERIOD="{y}-{m:02}" OBS_VALUE="{r.pick(r.f(2, 20), r.f(2, 20), "NaN")}" OBS_STATUS="{r.pick("A", "p")}"/>' for y in (2019, 2020) for m in range(1, 13)) + "</data:Series>"
        for g in ("SE", "DK", "FI")
    )
    path.write_text(f'<?xml version="1.0" encoding="utf-8"?>\n<!-- made by the converter -->\n<CompactData xmlns="http://www.SDMX.org/resources/SDMXML/schemas/v2_0/message" xmlns:data="urn:sdmx:org.sdmx.infomodel.keyfamily.KeyFamily=EUROSTAT:une_rt_m:compact"><Header><ID>une_rt_m</ID><Test>false</Test><Name xml:lang="en">Unemployment by sex and age - monthly data</Name><Prepared>2021-03-01T00:00:00</Prepared></Header><data:DataSet>{series}</data:DataSet></CompactData>')
    return Truth(["FREQ", "s_adj", "unit", "geo"], 72, (2019, 2020), "Unemployment by sex and age")


def sdmx_json_flat(path: Path, r: Figures) -> Truth:
    """SDMX-JSON with all dimensions at the observation, names in two languages."""
    dimensions = [
        {"id": "REF_AREA", "name": "Reference area", "names": {"en": "Reference area", "fr": "Zone"}, "keyPosition": 0, "values": [{"id": c, "name": c, "names": {"en": c}} for c in ("AUS", "AUT", "BEL", "CAN")]},
        {"id": "SEX", "name": "Sex", "keyPosition": 1, "values": [{"id": s[0], "name": s} for s in _SEX]},
        {"id": "TIME_PERIOD", "name": "Time period", "keyPosition": 2, "values": [{"id": y, "name": y} for y in _YEARS]},
    ]
    observations = {f"{a}:{s}:{t}": [r.f(), 0, None] for a in range(4) for s in range(3) for t in range(4)}
    structure = {"name": "Labour force participation", "names": {"en": "Labour force participation"}, "dimensions": {"dataSet": [], "series": [], "observation": dimensions}, "attributes": {"observation": [{"id": "OBS_STATUS", "values": [{"id": "A", "name": "Normal"}]}]}}
    path.write_text(json.dumps({"meta": {"schema": "https://raw.example.org/sdmx-json/2.0", "id": "1"}, "data": {"dataSets": [{"structure": 0, "action": "Information", "observations": observations}], "structures": [structure]}, "errors": []}))
    return Truth(["Reference area", "Sex", "Time period", ""], _COUNT, (2017, 2020), "Labour force participation")


def jsonstat_bundle(path: Path, r: Figures) -> Truth:
    """JSON-stat 1: a bundle with a named data set, roles, figures as an object with gaps."""
    dimension = {
        "id": ["area", "sex", "year"], "size": [4, 3, 4], "role": {"time": ["year"], "geo": ["area"]},
        "area": {"label": "Region", "category": {"index": {f"a{n}": n for n in range(4)}, "label": {f"a{n}": g for n, g in enumerate(_GEO)}}},
        "sex": {"label": "Sex", "category": {"index": ["F", "M", "T"], "label": {"F": "women", "M": "men", "T": "total"}}},
        "year": {"label": "Year", "category": {"index": {y: n for n, y in enumerate(_YEARS)}}},
    }
    path.write_text(json.dumps({"pop": {"label": "Population by region and sex", "source": "Office", "updated": "2021-05-01", "dimension": dimension, "value": {str(n): r.n() for n in range(_COUNT) if n % 7}, "status": {"3": "e"}}}))
    return Truth(["Region", "Sex", "Year", ""], _COUNT, (2017, 2020), "Population by region")


def jsonstat_eurostat(path: Path, r: Figures) -> Truth:
    """JSON-stat 2 as Eurostat sends it: constant dimensions, sparse figures and flags."""
    names = {"freq": ["A"], "unit": ["PC"], "geo": ["BE", "BG", "CZ", "DK"], "time": _YEARS}
    dimension = {k: {"label": {"freq": "Time frequency", "unit": "Unit of measure", "geo": "Geopolitical entity", "time": "Time"}[k], "category": {"index": {c: n for n, c in enumerate(v)}, "label": {c: c for c in v}}} for k, v in names.items()}
    path.write_text(json.dumps({"version": "2.0", "class": "dataset", "label": "Employment rate by sex", "source": "ESTAT", "updated": "2023-09-14T11:00:00+0200", "value": {str(n): r.f() for n in range(16) if n != 5}, "status": {"5": ":"}, "id": list(names), "size": [1, 1, 4, 4], "dimension": dimension, "extension": {"lang": "EN", "annotation": [{"type": "OBS_COUNT", "title": "16"}]}}))
    return Truth(["Time frequency", "Unit", "Geopolitical", "Time", ""], 16, (2017, 2020), "Employment rate")


def world_bank_json(path: Path, r: Figures) -> Truth:
    records = [{"indicator": {"id": "SP.POP.TOTL", "value": "Population, total"}, "country": {"id": c[:2], "value": c}, "countryiso3code": c[:3].upper(), "date": str(y), "value": r.pick(r.n(), r.n(), None), "unit": "", "obs_status": "", "decimal": 0} for c in ("Aruba", "Brazil", "Chad") for y in range(2020, 2010, -1)]
    path.write_text(json.dumps([{"page": 1, "pages": 1, "per_page": 50, "total": 30, "sourceid": "2", "lastupdated": "2023-10-26"}, records]))
    return Truth(["indicator", "indicator", "country", "country", "iso3", "date", "value", "unit", "obs_status", "decimal"], 30, (2011, 2020))


def world_bank_xml(path: Path, r: Figures) -> Truth:
    records = "".join(f'<record><field name="Country or Area" key="{c[:3].upper()}">{c}</field><field name="Item" key="SP.POP.TOTL">Population, total</field><field name="Year">{y}</field><field name="Value">{r.n()}</field></record>' for c in ("Aruba", "Brazil", "Chad") for y in range(2011, 2021))
    path.write_text(f'<?xml version="1.0" encoding="utf-8"?>\n<Root xmlns:wb="http://www.worldbank.org"><data>{records}</data></Root>')
    return Truth(["Country or Area", "Item", "Year", "Value"], 30, (2011, 2020))


def odata_json(path: Path, r: Figures) -> Truth:
    records = [{"ID": n, "Geslacht": s, "RegioS": g, "Perioden": f"{y}JJ00", "BevolkingOp1Januari_1": r.n(), "LevendGeborenKinderen_2": r.n()} for n, (g, s, y) in enumerate(product(("NL01", "PV20", "PV21"), ("T001038", "3000"), range(2017, 2021)))]
    path.write_text(json.dumps({"odata.metadata": "https://opendata.example.org/$metadata", "value": records}))
    return Truth(["ID", "Geslacht", "RegioS", "Perioden", "Bevolking", "LevendGeboren"], 24, (2017, 2020))


def census_json(path: Path, r: Figures) -> Truth:
    """Rows as arrays of texts, the names in the first."""
    path.write_text(json.dumps([["NAME", "B01001_001E", "B01001_001M", "state"], *[[f"State {n}", str(r.n()), str(r.n(100, 900)), f"{n:02}"] for n in range(1, 21)]]))
    return Truth(["NAME", "B01001_001E", "B01001_001M", "state"], 20, None)


def bls_json(path: Path, r: Figures) -> Truth:
    data = [{"year": str(y), "period": f"M{m:02}", "periodName": "month", "value": str(r.f(2, 15)), "footnotes": [{}]} for y in (2020, 2019) for m in range(12, 0, -1)]
    path.write_text(json.dumps({"status": "REQUEST_SUCCEEDED", "responseTime": 185, "message": [], "Results": {"series": [{"seriesID": "LNS14000000", "data": data}]}}))
    return Truth(["year", "period", "periodName", "value"], 24, (2019, 2020))


def pxweb_json(path: Path, r: Figures) -> Truth:
    columns = [{"code": "Region", "text": "region", "type": "d"}, {"code": "Tid", "text": "year", "type": "t"}, {"code": "X1", "text": "Population", "type": "c"}]
    path.write_text(json.dumps({"columns": columns, "comments": [], "data": [{"key": [g, y], "values": [str(r.n())]} for g in ("01", "03", "04") for y in _YEARS], "metadata": [{"infofile": "BE0101", "updated": "2022-02-22T07:00:00Z", "label": "Population by region and year"}]}))
    return Truth(["region", "year", "Population"], 12, (2017, 2020))


def statcan_zip(path: Path, r: Figures) -> Truth:
    """The table and a file of metadata with several tables of other widths."""
    head = '\ufeff"REF_DATE","GEO","DGUID","Sex","UOM","VALUE","STATUS"\n'
    body = "".join(f'"{y}","{g}","2016A00021{n}","{s}","Persons","{r.n()}",""\n' for y in _YEARS for n, g in enumerate(("Canada", "Ontario", "Quebec")) for s in _SEX)
    meta = '\ufeff"Cube Title","Product Id","CANSIM Id","URL","Cube Notes","Archive Status","Frequency","Start Reference Period","End Reference Period","Total number of dimensions"\n"Population estimates on July 1st, by age and sex","17100005","051-0001","https://www.example.org","1;2","CURRENT - a cube available to the public","Annual","1971-01-01","2022-01-01","3"\n\n"Dimension ID","Dimension name","Dimension Notes","Dimension Definitions"\n"1","Geography","",""\n"2","Sex","",""\n'
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("17100005.csv", head + body)
        archive.writestr("17100005_MetaData.csv", meta)
    return Truth(["REF_DATE", "GEO", "DGUID", "Sex", "UOM", "VALUE", "STATUS"], 36, (2017, 2020))


def world_bank_zip(path: Path, r: Figures) -> Truth:
    years = list(range(2000, 2021))
    names = ["Country Name", "Country Code", "Indicator Name", "Indicator Code", *map(str, years)]
    text = '\ufeff"Data Source","World Development Indicators",\n\n"Last Updated Date","2023-10-26",\n\n' + ",".join(f'"{n}"' for n in names) + ",\n"
    text += "".join(f'"Country {n}","C{n:02}","Urban population (% of total)","SP.URB.TOTL.IN.ZS",' + ",".join(f'"{r.f(10, 99, 3)}"' if r.n(0, 5) else '""' for _ in years) + ",\n" for n in range(30))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("Metadata_Indicator_API.csv", '\ufeff"INDICATOR_CODE","INDICATOR_NAME","SOURCE_NOTE","SOURCE_ORGANIZATION",\n"SP.URB.TOTL.IN.ZS","Urban population","People living in urban areas as defined by national offices.","UN",\n')
        archive.writestr("API_SP.URB.csv", text)
        archive.writestr("Metadata_Country_API.csv", '\ufeff"Country Code","Region","IncomeGroup","SpecialNotes","TableName",\n' + "".join(f'"C{n:02}","Region","High income","A note on the data, with a comma.","Country {n}",\n' for n in range(30)))
    return Truth(names, 30, (2000, 2020))


def parquet_long(path: Path, r: Figures) -> Truth:
    pl.DataFrame({"geo": [k[0] for k in _KEYS], "sex": [k[1] for k in _KEYS], "year": [int(k[2]) for k in _KEYS], "population": [r.n() for _ in _KEYS]}).write_parquet(path)
    return Truth(["geo", "sex", "year", "population"], _COUNT, (2017, 2020))


def merged_workbook(path: Path, r: Figures) -> Truth:
    """Title and headings in merged cells, percentages by format, error cells, a hidden sheet and rows."""
    book = Workbook()
    sheet = book.active
    sheet.title = "Tabla 1"
    years = [datetime(y, 12, 31) for y in (2018, 2019, 2020)]
    rows = [["Tabla 1. Tasa de actividad por provincia y sexo"], [], ["Provincia", "Hombres", None, None, "Mujeres", None, None], [None, *years, *years]]
    rows += [[p, *(r.pick(r.n(1, 99) / 100, r.n(1, 99) / 100, "#N/A") for _ in range(6))] for p in ("Álava", "Albacete", "Alicante", "Almería", "Ávila", "Badajoz", "Burgos")]
    rows += [["Fuente: INE, Encuesta de Población Activa"]]
    for row in rows:
        sheet.append(row)
    for area in ("A1:G1", "A3:A4", "B3:D3", "E3:G3"):
        sheet.merge_cells(area)
    for line in sheet.iter_rows(min_row=5, max_row=11, min_col=2):
        for cell in line:
            cell.number_format = "0.0%"
    sheet["A1"].alignment = Alignment(horizontal="center")
    sheet.row_dimensions[6].hidden = True
    hidden = book.create_sheet("codes")
    hidden.sheet_state = "hidden"
    for n in range(40):
        hidden.append([n, f"code {n}", f"label of the code {n}"])
    book.save(path)
    return Truth(["Provincia", "2018", "2019", "2020", "Mujeres", "2019", "2020"], 7, (2018, 2020), "Tasa de actividad")


def bare_workbook(path: Path, r: Figures) -> Truth:
    """A workbook by another writer: inline strings, no dimension, shared formulas, dates since 1904."""
    names = ["Month", "Births", "Deaths", "Balance"]
    lines = ['<row r="1"><c r="A1" t="inlineStr"><is><t>Births and deaths by month</t></is></c></row>', '<row r="3">' + "".join(f'<c r="{"ABCD"[n]}3" t="inlineStr"><is><t>{name}</t></is></c>' for n, name in enumerate(names)) + "</row>"]
    for n in range(24):
        day, a, b = 42004 + round(n * 30.44) + 10, r.n(500, 900), r.n(500, 900)
        formula = '<f t="shared" ref="D4:D27" si="0">B4-C4</f>' if n == 0 else '<f t="shared" si="0"/>'
        lines.append(f'<row r="{n + 4}"><c r="A{n + 4}" s="1"><v>{day}</v></c><c r="B{n + 4}"><v>{a}</v></c><c r="C{n + 4}"><v>{b}</v></c><c r="D{n + 4}">{formula}<v>{a - b}</v></c></row>')
    space = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    parts = {
        "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/></Types>',
        "_rels/.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{space}" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><workbookPr date1904="1"/><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>',
        "xl/styles.xml": f'<styleSheet xmlns="{space}"><fonts count="1"><font/></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf/><xf numFmtId="17" applyNumberFormat="1"/></cellXfs></styleSheet>',
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{space}"><sheetData>{"".join(lines)}</sheetData></worksheet>',
    }
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, '<?xml version="1.0" encoding="UTF-8"?>' + text)
    # 42,014 days after 1904-01-01 is 2019-01-11.
    return Truth(names, 24, (2019, 2020), "Births and deaths by month")


def repeated_ods(path: Path, r: Figures) -> Truth:
    """Repeated cells and rows: a million empty rows below, covered cells under merged headings."""
    rows = '<table:table-row><table:table-cell office:value-type="string"><text:p>Wohnungen nach Baujahr und Bundesland</text:p></table:table-cell><table:table-cell table:number-columns-repeated="1023"/></table:table-row><table:table-row table:number-rows-repeated="2"><table:table-cell table:number-columns-repeated="1024"/></table:table-row>'
    rows += '<table:table-row><table:table-cell table:number-rows-spanned="2" office:value-type="string"><text:p>Land</text:p></table:table-cell><table:table-cell table:number-columns-spanned="3" office:value-type="string"><text:p>Baujahr</text:p></table:table-cell><table:covered-table-cell table:number-columns-repeated="2"/></table:table-row>'
    rows += "<table:table-row><table:covered-table-cell/>" + "".join(f'<table:table-cell office:value-type="string"><text:p>{t}</text:p></table:table-cell>' for t in ("vor 1919", "1919 bis 1948", "1949 und später")) + "</table:table-row>"
    for land in ("Bayern", "Berlin", "Bremen", "Hamburg", "Hessen"):
        rows += f'<table:table-row><table:table-cell office:value-type="string"><text:p>{land}</text:p></table:table-cell>' + "".join(f'<table:table-cell office:value-type="float" office:value="{v}"><text:p>{v}</text:p></table:table-cell>' for v in (r.n(), r.n())) + '<table:table-cell office:value-type="float" office:value="77" table:number-columns-repeated="1"><text:p>77</text:p></table:table-cell></table:table-row>'
    rows += '<table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="1024"/></table:table-row>'
    content = f'<?xml version="1.0" encoding="UTF-8"?><office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" office:version="1.2"><office:body><office:spreadsheet><table:table table:name="Tabelle1">{rows}</table:table></office:spreadsheet></office:body></office:document-content>'
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo("mimetype"), "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("content.xml", content)
        archive.writestr("META-INF/manifest.xml", '<?xml version="1.0" encoding="UTF-8"?><manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.spreadsheet"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>')
    return Truth(["Land", "vor 1919", "1919 bis 1948", "1949 und"], 5, None, "Wohnungen nach Baujahr")


def page_as_workbook(path: Path, r: Figures) -> Truth:
    """An HTML table with merged headings, served as a workbook, and a table for the page around it."""
    cells = "".join(f"<tr><th align='left'>{p}</th>" + "".join(f"<td class=num>{r.grouped(' ')}</td>" for _ in range(4)) + "</tr>" for p in ("Braga", "Évora", "Faro", "Guarda", "Leiria", "Lisboa"))
    page = f"<html xmlns:x='urn:schemas-microsoft-com:office:excel'><head><meta http-equiv=Content-Type content='text/html; charset=windows-1252'></head><body><table><tr><td colspan=5><b>Nados-vivos por distrito e sexo</b></td></tr><tr><th rowspan=2>Distrito</th><th colspan=2>2019</th><th colspan=2>2020</th></tr><tr><th>Homens</th><th>Mulheres</th><th>Homens</th><th>Mulheres</th></tr>{cells}<tr><td colspan=5>Fonte: INE</td></tr></table></body></html>"
    path.write_bytes(page.encode("cp1252"))
    return Truth(["Distrito", "2019", "Mulheres", "2020", "Mulheres"], 6, (2019, 2020), "Nados-vivos")


def wiki_page(path: Path, r: Figures) -> Truth:
    """A page with a menu as a table, a caption, and footnotes in cells."""
    cells = "".join(f'<tr><td><a href="/c/{c}">{c}</a></td>' + "".join(f"<td>{r.f()}<sup>{r.pick('', '(p)', '(b)')}</sup></td>" for _ in range(3)) + "</tr>" for c in ("België", "Česko", "Danmark", "Eesti", "Ελλάδα", "España", "France"))
    path.write_text(f"<!DOCTYPE html><html lang=en><head><meta charset=utf-8><title>Statistics explained</title></head><body><table><tr><td><a href=/>Home</a></td><td><a href=/a>About</a></td></tr></table><h2>Main findings</h2><table><caption>Table 1: At-risk-of-poverty rate, 2019-2021 (% of population)</caption><thead><tr><th></th><th>2019</th><th>2020</th><th>2021</th></tr></thead><tbody>{cells}</tbody></table><p>Source: Eurostat (ilc_li02)</p></body></html>", "utf-8")
    return Truth(["", "2019", "2020", "2021"], 7, (2019, 2021), "At-risk-of-poverty")


def quoted_lines(path: Path, r: Figures) -> Truth:
    """Line breaks in quoted names, ragged rows, semicolons at the end of each line."""
    text = '"Region\nRegión";"Population\n(thousands)";"Area\n(km2)";"Density";\n'
    text += "".join(f'"Region ""{n}""";{r.comma()};{r.n()};{r.comma()};\n' for n in range(12)) + '"Total";1200,5;99000\n'
    path.write_bytes(text.encode("cp1252"))
    return Truth(["Region", "Population", "Area", "Density"], 13, None)


def wide_file(path: Path, r: Figures) -> Truth:
    """Eight hundred months across."""
    months = [f"{y}-{m:02}" for y in range(1950, 2017) for m in range(1, 13)][:800]
    text = "series," + ",".join(months) + "\n" + "".join(f"series {n}," + ",".join(str(r.f()) for _ in months) + "\n" for n in range(5))
    path.write_text(text)
    return Truth(["series", *months], 5, (1950, 2016))


SERVICES: dict[str, tuple[Write, str, str]] = {
    "px_languages": (px_languages, "sv", "px"),
    "px_keys": (px_keys, "es", "px"),
    "sdmx_generic": (sdmx_generic, "en", "xml"),
    "sdmx_compact": (sdmx_compact, "en", "xml"),
    "sdmx_json_flat": (sdmx_json_flat, "en", "json"),
    "jsonstat_bundle": (jsonstat_bundle, "sv", "json"),
    "jsonstat_eurostat": (jsonstat_eurostat, "en", "json"),
    "world_bank_json": (world_bank_json, "en", "json"),
    "world_bank_xml": (world_bank_xml, "en", "xml"),
    "odata_json": (odata_json, "nl", "json"),
    "census_json": (census_json, "en", "json"),
    "bls_json": (bls_json, "en", "json"),
    "pxweb_json": (pxweb_json, "sv", "json"),
    "statcan_zip": (statcan_zip, "en", "zip"),
    "world_bank_zip": (world_bank_zip, "en", "zip"),
    "parquet_long": (parquet_long, "sv", "parquet"),
    "merged_workbook": (merged_workbook, "es", "xlsx"),
    "bare_workbook": (bare_workbook, "en", "xlsx"),
    "repeated_ods": (repeated_ods, "de", "ods"),
    "page_as_workbook": (page_as_workbook, "pt", "xls"),
    "wiki_page": (wiki_page, "en", "html"),
    "quoted_lines": (quoted_lines, "es", "csv"),
    "wide_file": (wide_file, "en", "csv"),
}
"""The writer of each file, its language and the ending of its name."""
