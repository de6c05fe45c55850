"""The bytes of files: tables of statistics in six formats, of exactly the size asked for."""

import io
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from itertools import islice

from datahound.archive.synthetic.numbers import mix
from datahound.archive.synthetic.targets import Target
from datahound.archive.synthetic.words import load_words

# A fixed date: the same file is the same bytes on every day.
_EPOCH = (1998, 1, 1, 0, 0, 0)
_MONTHS = 12
_LINES = 45
_PAGE_BYTES = 3_000
_MAX_PAGES = 30
_FONT = 3


def make_body(target: Target, size: int) -> bytes:
    """A valid file of the target's format, of this many bytes (some thousand at least)."""
    return _WRITERS[target.format](target, size)


def generate_rows(target: Target) -> Iterator[tuple[str, str, int, float]]:
    """Place, period, number of cases and rate per thousand, without end."""
    places = load_words(target.language).places
    year, salt = target.year - 1, target.chance
    turn = 0
    while True:
        period = f"{year - turn // _MONTHS % 60}-{turn % _MONTHS + 1:02}"
        for number, place in enumerate(places):
            chance = mix(salt, turn * 64 + number)
            level = 2_000 + mix(salt, number) % 90_000
            cases = level + chance % (level // 10)
            # A revision is one of the newest figures, as those of statistics offices are.
            cases += target.revision.number * (turn == 0)
            yield place, period, cases, round(1000 * cases / (level * 21), 2)
        turn += 1


def _csv(target: Target, size: int) -> bytes:
    lines = (
        f"{place},{period},{cases},{rate}\n" for place, period, cases, rate in generate_rows(target)
    )
    head = f"# {target.title}\nplace,period,cases,rate\n"
    body = _filled(head.encode(), (line.encode() for line in lines), size - 3)
    # A comment fills the file up to the byte that was promised.
    return body + b"# " + b"." * (size - len(body) - 3) + b"\n"


def _json(target: Target, size: int) -> bytes:
    rows = (
        f',\n{{"place": "{place}", "period": "{period}", "cases": {cases}, "rate": {rate}}}'
        for place, period, cases, rate in generate_rows(target)
    )
    head = f'{{"title": "{target.title}", "rows": [\n{{"place": "*", "period": "*"}}'
    body = _filled(head.encode(), (row.encode() for row in rows), size - 4)
    return body + b"\n]}" + b" " * (size - len(body) - 4) + b"\n"


def _xlsx(target: Target, size: int) -> bytes:
    rows = (
        f"<row>{_sheet_text(place)}{_sheet_text(period)}<c><v>{cases}</v></c><c><v>{rate}</v></c></row>\n"
        for place, period, cases, rate in generate_rows(target)
    )
    head = f"{_XML}<worksheet {_SHEET_NS}><sheetData>\n"
    members = {**_XLSX_PARTS, "xl/worksheets/sheet1.xml": ""}
    return _zipped(members, (head, rows, "</sheetData></worksheet>"), size)


def _sheet_text(text: str) -> str:
    return f'<c t="inlineStr"><is><t>{text}</t></is></c>'


def _ods(target: Target, size: int) -> bytes:
    rows = (
        f"<table:table-row>{_text(place)}{_text(period)}{_number(cases)}{_number(rate)}"
        "</table:table-row>\n"
        for place, period, cases, rate in generate_rows(target)
    )
    head = (
        f"{_XML}<office:document-content {_ODF_NS} "
        'office:version="1.2"><office:body><office:spreadsheet><table:table table:name="Data">\n'
    )
    tail = "</table:table></office:spreadsheet></office:body></office:document-content>"
    return _zipped({**_ODS_PARTS, "content.xml": ""}, (head, rows, tail), size)


def _text(text: str) -> str:
    cell = "table:table-cell"
    return f'<{cell} office:value-type="string"><text:p>{text}</text:p></{cell}>'


def _number(value: float) -> str:
    return f'<table:table-cell office:value-type="float" office:value="{value}"/>'


def _zip(target: Target, size: int) -> bytes:
    lines = (
        f"{place};{period};{cases};{rate}\n" for place, period, cases, rate in generate_rows(target)
    )
    readme = f"{target.title}\n"
    members = {"README.txt": readme, f"{target.slug}.csv": ""}
    return _zipped(members, ("place;period;cases;rate\n", lines, ""), size)


def _pdf(target: Target, size: int) -> bytes:
    lines = (
        f"{period}   {cases:>9}   {rate:>8}" for _, period, cases, rate in generate_rows(target)
    )
    return write_pdf(target.slug.replace("-", " "), lines, size)


def _zipped(members: dict[str, str], last: tuple[str, Iterator[str], str], size: int) -> bytes:
    """A ZIP file of stored members, the last one filled with rows and blanks up to the size."""
    head, rows, tail = last
    room = size - len(_stored(members, b""))
    body = _filled(head.encode(), (row.encode() for row in rows), room - len(tail))
    body += tail.encode()
    return _stored(members, body + b"\n" * (room - len(body)))


def _stored(members: dict[str, str], last: bytes) -> bytes:
    file = io.BytesIO()
    # Stored, not deflated: only then is the size known before the content.
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        for place, (name, text) in enumerate(members.items(), 1):
            content = last if place == len(members) else text.encode()
            archive.writestr(zipfile.ZipInfo(name, _EPOCH), content)
    return file.getvalue()


def _filled(head: bytes, rows: Iterator[bytes], size: int) -> bytes:
    """The head and as many rows as fit."""
    parts, left = [head], size - len(head)
    for row in rows:
        left -= len(row)
        if left < 0:
            break
        parts.append(row)
    return b"".join(parts)


_WRITERS: dict[str, Callable[[Target, int], bytes]] = {
    "csv": _csv,
    "json": _json,
    "ods": _ods,
    "pdf": _pdf,
    "xlsx": _xlsx,
    "zip": _zip,
}
_XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
_SHEET_NS = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_PACKAGE_TYPE = "application/vnd.openxmlformats-package"
_OFFICE_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_XLSX_PARTS = {
    "[Content_Types].xml": f'{_XML}<Types xmlns="{_PACKAGE}/content-types">'
    f'<Default Extension="rels" ContentType="{_PACKAGE_TYPE}.relationships+xml"/>'
    f'<Override PartName="/xl/workbook.xml" ContentType="{_OFFICE_TYPE}.sheet.main+xml"/>'
    f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{_OFFICE_TYPE}.worksheet+xml"/>'
    "</Types>",
    "_rels/.rels": f'{_XML}<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="rId1" '
    f'Type="{_RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    "xl/workbook.xml": f'{_XML}<workbook {_SHEET_NS} xmlns:r="{_RELATIONS}"><sheets>'
    '<sheet name="Data" sheetId="1" r:id="rId1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": f'{_XML}<Relationships xmlns="{_PACKAGE}/relationships">'
    f'<Relationship Id="rId1" Type="{_RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/>'
    "</Relationships>",
}
_ODF = "urn:oasis:names:tc:opendocument:xmlns"
_ODF_NS = " ".join(f'xmlns:{name}="{_ODF}:{name}:1.0"' for name in ("office", "table", "text"))
_ODS_PARTS = {
    "mimetype": "application/vnd.oasis.opendocument.spreadsheet",
    "META-INF/manifest.xml": f'{_XML}<manifest:manifest xmlns:manifest="{_ODF}:manifest:1.0">'
    '<manifest:file-entry manifest:full-path="/" '
    'manifest:media-type="application/vnd.oasis.opendocument.spreadsheet"/>'
    '<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/>'
    "</manifest:manifest>",
}


def write_pdf(title: str, lines: Iterator[str], size: int) -> bytes:
    """A valid PDF of exactly this many bytes: pages of text, then a comment that fills it up."""
    pages = max(1, min(_MAX_PAGES, size // _PAGE_BYTES - 1))
    objects = _objects(title, lines, pages)
    body = b"%PDF-1.4\n"
    offsets = []
    for number, content in enumerate(objects, 1):
        offsets.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    count = len(objects) + 1
    end = b"xref\n0 %d\n0000000000 65535 f \n%s" % (count, table)
    end += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%%d\n%%%%%%%%EOF\n" % count
    return _padded(body, end, size)


def _objects(title: str, lines: Iterator[str], pages: int) -> list[bytes]:
    kids = " ".join(f"{_FONT + 1 + 2 * page} 0 R" for page in range(pages))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {pages} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>",
    ]
    for page in range(pages):
        text = [f"{title} ({page + 1})", "", *islice(lines, _LINES)]
        shown = "\n".join(f"({line}) Tj T*" for line in text)
        stream = f"BT /F1 11 Tf 50 780 Td 15 TL\n{shown}\nET".encode("ascii")
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents %d 0 R "
            b"/Resources << /Font << /F1 %d 0 R >> >> >>" % (_FONT + 2 + 2 * page, _FONT)
        )
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
    return objects


def _padded(body: bytes, end: bytes, size: int) -> bytes:
    """Body and end with a comment between; the end tells where it starts."""
    start = len(body)
    # The end holds the offset of its own start, whose digits change its length.
    for _ in range(3):
        start = size - len(end % start)
    filler = start - len(body)
    lines, rest = divmod(filler, 80)
    padding = (b"%" + b" " * 78 + b"\n") * lines
    padding += b"%" + b" " * (rest - 2) + b"\n" if rest > 1 else b"\n" * rest
    return body + padding + end % start


def _chunk(name: bytes, data: bytes) -> bytes:
    check = struct.pack(">I", zlib.crc32(name + data))
    return struct.pack(">I", len(data)) + name + data + check


PICTURE = (
    b"\x89PNG\r\n\x1a\n"
    + _chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
    + _chunk(b"IDAT", zlib.compress(b"\0\x80"))
    + _chunk(b"IEND", b"")
)
"""A grey PNG of one pixel."""
