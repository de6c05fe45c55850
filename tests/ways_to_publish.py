"""Ways to publish a file: each with what its page has, how the file is answered, what is found."""

# ruff: noqa: E501 a line per way where that is possible

import gzip
from dataclasses import dataclass, field

from websites import data, error, send_response

from datahound.model import Response

_TEXT = "Published once a year by the department, with notes on methods and a short history. " * 4
OCTETS = "application/octet-stream"


@dataclass(frozen=True)
class Way:
    """One way to publish a file."""

    name: str
    snippet: str = '<a href="{url}">get</a>'
    """What the page has; `{url}` is the file's."""
    path: str = "{n}.csv"
    body: bytes = b"id,value\n{n},way-{n}\n3,4\n"
    mime_type: str | None = "text/csv"
    headers: dict = field(default_factory=dict)
    """Of the file's answer."""
    page_headers: dict = field(default_factory=dict)
    pages: dict = field(default_factory=dict)
    """More pages, by path."""
    answer: object = None
    """In place of the file: another answer or manner."""
    is_packed: bool = False
    """Whether the body is sent in gzip."""
    missed: str = ""
    """A part of the sentence that says so, where the file is not found."""


def _send(status, headers, body):
    return Response("", status, headers | {"content-length": str(len(body))}, body)


def _json_page(attributes):
    return f"<script {attributes}>" + '{"props": {"file": "{url}"}}</script><div id="app"></div>'


async def _wall(exchange):
    """A consent wall: the first visit gets a cookie and is sent back to the same URL."""
    if "seen=1" in exchange.headers.get("cookie", ""):
        body = b'<!doctype html><p>in <a href="/f/wall.csv">get</a>'
        await send_response(exchange, _send(200, {"content-type": "text/html"}, body))
    else:
        headers = {"location": exchange.path, "set-cookie": "seen=1; path=/"}
        await send_response(exchange, _send(302, headers, b""))


async def _later(exchange):
    """A file that is made when it is asked for: it is there the second time."""
    number = exchange.path.removesuffix(".csv").rpartition("-")[2]
    body = f"id,value\n1,way-{number}\n3,4\n".encode()
    status, body = (202, b"wait") if exchange.times == 1 else (200, body)
    await send_response(exchange, _send(status, {"content-type": "text/csv"}, body))


_HTML = {"content-type": "text/html; charset=utf-8"}
_XLSX = b"PK\x03\x04\x14\x00\x06\x00xl/workbook.xml way-{n}"
_PDF = b"%PDF-1.4 way-{n}"
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "Workbook".encode("utf-16-le") + b" way-{n}"
_LOGIN = b"<!doctype html><html><title>Log in</title><form method=post><p>way-{n}</form></html>"
_LINK = "<a href='{url}'>get</a>"
_COLUMN = b"one column\nway-{n}\n"
_FEED = b"""<?xml version="1.0"?><rss version="2.0"><channel><title>x</title><item><title>t</title>
<enclosure url="http://www.site.example/f/{n}.csv" type="text/csv"/></item></channel></rss>"""
_ATOM = b"""<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>x</title><entry>
<title>t</title><link rel="enclosure" href="/f/{n}.csv"/></entry></feed>"""
_XHTML = b"""<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body>
<a href="/f/{n}.csv">x</a></body></html>"""

WAYS = (
    Way("`a href`"),
    Way("`area href`", '<map name="m"><area href="{url}" alt="north"></map>'),
    Way("`iframe src`", '<iframe src="{url}"></iframe>'),
    Way("`frame src`", '<frameset><frame src="/in/{n}"></frameset>', pages={"/in/{n}": _LINK}),
    Way("`link rel=alternate`", '<link rel="alternate" href="{url}">'),
    Way("`link rel=describedby`", '<link rel="describedby" href="{url}">'),
    Way("`link rel=next`", '<link rel="next" href="/in/{n}">', pages={"/in/{n}": _LINK}),
    Way("`link rel=canonical`", '<link rel="canonical" href="/in/{n}">', pages={"/in/{n}": _LINK}),
    Way("`object data`", '<object data="{url}"></object>'),
    Way("`embed src`", '<embed src="{url}">'),
    Way("`source src`", '<video><source src="{url}"></video>'),
    Way("`option value`", '<select><option value="{url}">2024</option></select>'),
    Way("`option value` of a page", '<select><option value="/in/{n}">x</select>',
        pages={"/in/{n}": _LINK}),
    Way("`meta refresh` to a file", '<meta http-equiv="refresh" content="0; url={url}">'),
    Way("`meta refresh` to a page", '<meta http-equiv="refresh" content="5;URL=\'/in/{n}\'">',
        pages={"/in/{n}": _LINK}),
    Way("`data-href`", '<div data-href="{url}">get</div>'),
    Way("`data-url`", '<button data-url="{url}">get</button>'),
    Way("`data-file`", '<li data-file="{url}">get</li>'),
    Way("`data-src`", '<div data-src="{url}"></div>'),
    Way("`onclick` with a URL", '<button onclick="location.href=\'{url}\'">get</button>'),
    Way("`javascript:` in `href`", '<a href="javascript:window.open(\'{url}\')">get</a>'),
    Way("`xlink:href` in a drawing", '<svg><a xlink:href="{url}"><text>get</text></a></svg>'),
    Way("header `Link`", _TEXT, page_headers={"link": '<{url}>; rel="describedby"'}),
    Way("header `Refresh`", _TEXT, page_headers={"refresh": "3; url={url}"}),
    Way("`application/json` script", _json_page('type="application/json"')),
    Way("`__NEXT_DATA__`", _json_page('id="__NEXT_DATA__" type="application/json"')),
    Way("`window.__NUXT__`", '<script>window.__NUXT__={"f":"{url}"}</script>'),
    Way("JSON-LD distribution", '<script type="application/ld+json">{"@type":"Dataset","name":"x",'
        '"distribution":[{"@type":"DataDownload","contentUrl":"{url}"}]}</script>'),
    Way("`base href`", '<base href="/f/"><a href="{n}.csv">get</a>'),
    Way("relative URL", '<a href="../f/{n}.csv">get</a>'),
    Way("URL without scheme", '<a href="//www.site.example{url}">get</a>'),
    Way("URL with blanks and accents", path="année {n}.csv"),
    Way("extension in capitals", path="{n}.CSV"),
    Way("line break in `href`", '<a href="/f/\n{n}.csv">get</a>'),
    Way("fragment", '<a href="{url}#table-2">get</a>'),
    Way("entities in a query", '<a href="{url}">get</a>', path="get?a=1&amp;id={n}"),
    Way("no quotes", "<a href={url}>get</a>"),
    Way("in `noscript`", '<noscript><a href="{url}">get</a></noscript>'),
    Way("a subdomain", '<a href="http://data.site.example{url}">get</a>'),
    Way("redirect", '<a href="/go/{n}">get</a>', pages={"/go/{n}": "302 {url}"}),
    Way("redirect that loses the name", '<a href="/go/{n}.csv">get</a>', path="blob/{n}",
        mime_type=OCTETS, body=b"one column\nway-{n}\n", pages={"/go/{n}.csv": "302 {url}"}),
    Way("cookie wall", '<a href="/wall">get</a>', path="wall.csv", pages={"/wall": _wall}),
    Way("CSV as `text/plain`", mime_type="text/plain"),
    Way("CSV as `text/plain` without a name", path="get?id={n}", mime_type="text/plain"),
    Way("CSV as `text/html`", mime_type="text/html"),
    Way("CSV as `application/vnd.ms-excel`", mime_type="application/vnd.ms-excel"),
    Way("CSV as `application/pdf`", mime_type="application/pdf"),
    Way("CSV without a type", mime_type=None),
    Way("CSV as `application/force-download`", mime_type="application/force-download"),
    Way("CSV in UTF-16", body="id\tway-{n}\r\n1\t2\r\n".encode("utf-16")),
    Way("Excel as `application/octet-stream`", path="{n}.xlsx", mime_type=OCTETS, body=_XLSX),
    Way("Excel as `application/zip`", path="{n}.xlsx", mime_type="application/zip", body=_XLSX),
    Way("Excel without a name", path="get?id={n}", mime_type=OCTETS, body=_XLSX),
    Way("old Excel without a name", path="get?id={n}", mime_type="binary/octet-stream", body=_OLE),
    Way("HTML of Excel as `.xls`", path="{n}.xls", mime_type="application/vnd.ms-excel",
        body=b'<html xmlns:x="urn:schemas-microsoft-com:office:excel"><table><td>way-{n}'),
    Way("PDF as `application/force-download`", path="get?id={n}",
        mime_type="application/force-download", body=_PDF),
    Way("PDF without type and name", path="get?id={n}", mime_type=None, body=_PDF),
    Way("`Content-Disposition` name", path="dl?id={n}", mime_type=OCTETS,
        headers={"content-disposition": 'attachment; filename="table-{n}.csv"'}),
    Way("RFC 5987 name", path="dl?id={n}", mime_type=OCTETS,
        headers={"content-disposition": "attachment; filename*=UTF-8''ann%C3%A9e-{n}.csv"}),
    Way("RFC 2047 name", path="dl?id={n}", mime_type=OCTETS,
        headers={"content-disposition": 'attachment; filename="=?UTF-8?B?dC5jc3Y=?="'}),
    Way("name in the query", path="get?file={n}.csv", mime_type=OCTETS),
    Way("attribute `download`", '<a href="{url}" download="t.csv">get</a>', path="dl/{n}",
        mime_type=OCTETS, body=b"one column\nway-{n}\n"),
    Way("attribute `type`", '<a href="{url}" type="text/csv">get</a>', path="dl/{n}",
        mime_type=OCTETS, body=b"one column\nway-{n}\n"),
    Way("`.csv.gz`", path="{n}.csv.gz", mime_type="application/gzip",
        body=gzip.compress(b"id,value\n1,2\n", mtime=0) + b" way-{n}"),
    Way("SPSS as `application/octet-stream`", path="{n}.sav", mime_type=OCTETS,
        body=b"$FL2@(#) SPSS DATA FILE way-{n}"),
    Way("PC-Axis as `text/plain`", path="{n}.px", mime_type="text/plain",
        body=b'CHARSET="ANSI";\nAXIS-VERSION="2013";\nTITLE="way-{n}";\n'),
    Way("GeoPackage as `application/octet-stream`", path="{n}.gpkg", mime_type=OCTETS,
        body=b"SQLite format 3\x00 way-{n}"),
    Way("`link rel=item`", '<link rel="item" href="{url}">'),
    Way("`link rel=enclosure`", '<link rel="enclosure" href="{url}">'),
    Way("`link rel=preload`", '<link rel="preload" as="fetch" href="{url}">'),
    Way("`link rel=collection`", '<link rel="collection" href="/in/{n}">', pages={"/in/{n}": _LINK}),
    Way("`link hreflang`", '<link rel="alternate" hreflang="fr" href="/in/{n}">',
        pages={"/in/{n}": _LINK}),
    Way("`link itemprop=contentUrl`", '<link itemprop="contentUrl" href="{url}">'),
    Way("`meta itemprop=contentUrl`", '<meta itemprop="contentUrl" content="{url}">'),
    Way("`link property=dcat:downloadURL`", '<link property="dcat:downloadURL" href="{url}">'),
    Way("RDFa `resource`", '<span property="dcat:downloadURL" resource="{url}">x</span>'),
    Way("`meta name=citation_pdf_url`", '<meta name="citation_pdf_url" content="{url}">',
        path="{n}.pdf", mime_type="application/pdf", body=_PDF),
    Way("`track src`", '<video><track src="{url}"></video>'),
    Way("`video src`", '<video src="{url}"></video>'),
    Way("`param value`", '<object><param name="src" value="{url}"></object>'),
    Way("`input value`", '<input readonly value="http://www.site.example{url}">'),
    Way("`form` without fields", '<form action="{url}"><button>get</button></form>'),
    Way("`button formaction`", '<form><button formaction="{url}">get</button></form>'),
    Way("`data-` attributes of other names", '<span data-download-link="{url}">get</span>'),
    Way("JSON in a `data-` attribute", '<div data-config=\'{"csv":"{url}"}\'></div>'),
    Way("`onchange` with a URL", '<select onchange="location.href=\'{url}\'"><option>x</select>'),
    Way("`onmousedown` with a URL", '<b onmousedown="window.open(\'{url}\')">get</b>'),
    Way("`href` in a drawing", '<svg><a href="{url}"><text>get</text></a></svg>'),
    Way("in `template`", '<template><a href="{url}">get</a></template>'),
    Way("in `iframe srcdoc`", '<iframe srcdoc="&lt;a href=\'{url}\'&gt;get&lt;/a&gt;"></iframe>'),
    Way("in `noframes`", '<noframes><a href="{url}">get</a></noframes>'),
    Way("in a template of scripts", '<script type="text/template"><a href="{url}"></a></script>'),
    Way("a hidden element", '<div hidden style="display:none"><a href="{url}">get</a></div>'),
    Way("`rel=nofollow`", '<a rel="nofollow noopener" href="{url}">get</a>'),
    Way("`text/json` script", _json_page('type="text/json"')),
    Way("`application/json` script with charset", _json_page('type="application/json; charset=utf-8"')),
    Way("`__NUXT_DATA__`", '<script id="__NUXT_DATA__" type="application/json">["{url}"]</script>'),
    Way("`window.__INITIAL_STATE__`", '<script>window.__INITIAL_STATE__={"f":"{url}"}</script>'),
    Way("JSON-LD with `@graph`", '<script type="application/ld+json">{"@graph":[{"@type":"Dataset",'
        '"name":"x","distribution":{"@type":"DataDownload","contentUrl":"{url}"}}]}</script>'),
    Way("script: `location.href =`", "<script>location.href = '{url}';</script>"),
    Way("script: `location.replace` to a page", "<script>window.location.replace('/in/{n}')</script>",
        pages={"/in/{n}": _LINK}),
    Way("script: `window.open` in a function",
        '<script>function go() { window.open("{url}") }</script><button onclick="go()">x</button>'),
    Way("script: `d3.csv(...)`", '<script>d3.csv("{url}", draw)</script>'),
    Way("script: `fetch` of a relative URL", '<script>fetch("../f/{n}.csv").then(x)</script>'),
    Way("script: a list of files", '<script>var files = ["{url}"];</script>'),
    Way("URL as text", "<pre>curl -O http://www.site.example{url}</pre>"),
    Way("tags in capitals", '<A HREF="{url}">get</A>'),
    Way("`..` above the root", '<a href="../../../../f/{n}.csv">get</a>'),
    Way("backslashes", '<a href="\\f\\{n}.csv">get</a>'),
    Way("scheme and host in capitals", '<a href="HTTP://WWW.SITE.EXAMPLE{url}">get</a>'),
    Way("blanks around a URL", '<a href="  {url}  ">get</a>'),
    Way("percent-encoded name", path="a%20b%2Cc-{n}.csv"),
    Way("a query alone", '<a href="?download={n}">get</a>',
        pages={"/way/{n}?download={n}": data(b"id,value\n{n},way-{n}\n3,4\n")}),
    Way("`?download=1`", path="{n}.csv?download=1"),
    Way("`?format=csv`", path="export?id={n}&amp;format=csv"),
    Way("`;` in the path", path="{n}.csv;v=1"),
    Way("name before another segment", path="{n}.csv/download"),
    Way("slash after the name", path="{n}.csv/"),
    Way("a user in the URL", '<a href="http://me:secret@www.site.example{url}">get</a>'),
    Way("another port", '<a href="http://www.site.example:8080{url}">get</a>'),
    Way("a host with umlauts", '<a href="http://dätä.site.example{url}">get</a>'),
    Way("feed with an enclosure", '<link rel="alternate" type="application/rss+xml" href="/in/{n}">',
        pages={"/in/{n}": data(_FEED, "application/rss+xml")}),
    Way("Atom with an enclosure", '<a href="/in/{n}">feed</a>',
        pages={"/in/{n}": data(_ATOM, "application/atom+xml")}),
    Way("JSON that names files", '<a href="/in/{n}.json">x</a>',
        pages={"/in/{n}.json": data(b'[{"title":"a","url":"\\/f\\/{n}.csv"}]', "application/json")}),
    Way("XML that names files", '<a href="/in/{n}.xml">x</a>',
        pages={"/in/{n}.xml": data(b'<?xml version="1.0"?><f href="/f/{n}.csv"/>', "text/xml")}),
    Way("CSV that names files", '<a href="/in/{n}.csv">x</a>',
        pages={"/in/{n}.csv": data(b"name,url\na,http://www.site.example/f/{n}.csv\nb,\n")}),
    Way("text that names files", '<a href="/in/{n}.txt">x</a>',
        pages={"/in/{n}.txt": data(b"http://www.site.example/f/{n}.csv\n", "text/plain")}),
    Way("PDF that links to files", '<a href="/in/{n}.pdf">x</a>',
        pages={"/in/{n}.pdf": data(b"%PDF-1.4\n<</S/URI/URI(http://www.site.example/f/{n}.csv)>>",
            "application/pdf")}),
    Way("a page in XHTML", '<a href="/in/{n}">x</a>',
        pages={"/in/{n}": data(_XHTML, "application/xhtml+xml")}),
    Way("a page in XHTML as `application/xml`", '<a href="/in/{n}">x</a>',
        pages={"/in/{n}": data(_XHTML, "application/xml")}),
    Way("a page in UTF-16", '<a href="/in/{n}">x</a>',
        pages={"/in/{n}": _send(200, _HTML, "<a href='/f/{n}.csv'>x</a>".encode("utf-16"))}),
    Way("a page without a type", '<a href="/in/{n}">x</a>',
        pages={"/in/{n}": _send(200, {}, b"<!doctype html><a href='/f/{n}.csv'>x</a>")}),
    Way("a page as `text/plain`", '<a href="/in/{n}">x</a>',
        pages={"/in/{n}": data(b"<!doctype html><a href='/f/{n}.csv'>x</a>", "text/plain")}),
    Way("a page named like a file", '<a href="/blob/{n}.csv">x</a>',
        pages={"/blob/{n}.csv": _LINK}),
    Way("header `Link`, `rel=item`", _TEXT,
        page_headers={"link": '</a.css>; rel=preload, <{url}>; rel="item"; type="text/csv"'}),
    Way("header `Link`, `REL=Enclosure`", _TEXT, page_headers={"link": '<{url}>; REL="Enclosure"'}),
    Way("header `Link` without relation", _TEXT,
        page_headers={"link": '<{url}>; type="text/csv"'}),
    Way("header `Content-Location`", _TEXT, page_headers={"content-location": "{url}"}),
    Way("status 300 with a place", '<a href="/go/{n}">get</a>',
        pages={"/go/{n}": _send(300, {"location": "/f/{n}.csv"}, b"")}),
    Way("status 300 with a choice", '<a href="/go/{n}">get</a>',
        pages={"/go/{n}": _send(300, _HTML, b"<a href='/f/{n}.csv'>csv</a>")}),
    Way("status 302 without a place", '<a href="/go/{n}">get</a>',
        pages={"/go/{n}": _send(302, _HTML, b"<a href='/f/{n}.csv'>csv</a>")}),
    Way("status 303", '<a href="/go/{n}">get</a>',
        pages={"/go/{n}": _send(303, {"location": "/f/{n}.csv"}, b"")}),
    Way("status 307 with a fragment", '<a href="/go/{n}">get</a>',
        pages={"/go/{n}": _send(307, {"location": "/f/{n}.csv#x"}, b"")}),
    Way("status 308 with a relative place", '<a href="/go/{n}">get</a>',
        pages={"/go/{n}": _send(308, {"location": "../f/{n}.csv"}, b"")}),
    Way("status 202, then a file", '<a href="/f/later-{n}.csv">get</a>', pages={"/f/later-{n}.csv": _later}),
    Way("redirect to a name with blanks and accents", '<a href="/go/{n}">get</a>',
        path="a é {n}.csv", pages={"/go/{n}": _send(302, {"location": "/f/a é {n}.csv"}, b"")}),
    Way("CSV as `text/html` without a name", path="get?id={n}", mime_type="text/html"),
    Way("CSV as `text/xml`", mime_type="text/xml"),
    Way("CSV as `application/json`", mime_type="application/json"),
    Way("CSV as `image/png`", mime_type="image/png"),
    Way("CSV as `text/css`", mime_type="text/css"),
    Way("CSV of an unknown type without a name", path="get?id={n}", mime_type="application/x-made-up"),
    Way("CSV with a type that is none", mime_type="csv"),
    Way("CSV with an empty type", mime_type=""),
    Way("CSV with parameters in its type", mime_type='TEXT/CSV; charset="utf-8"; header=present'),
    Way("CSV with `Content-Encoding: gzip`", headers={"content-encoding": "gzip"}, is_packed=True),
    Way("JSON as `text/javascript`", path="{n}.json", mime_type="text/javascript",
        body=b'{"a":"way-{n}"}'),
    Way("JSON as `text/html`", path="{n}.json", mime_type="text/html", body=b'{"a":"way-{n}"}'),
    Way("JSON as `text/plain` without a name", path="get?id={n}", mime_type="text/plain",
        body=b'{"a":"way-{n}"}'),
    Way("Excel as `text/html`", path="{n}.xlsx", mime_type="text/html", body=_XLSX),
    Way("Excel as `text/plain`", path="{n}.xlsx", mime_type="text/plain", body=_XLSX),
    Way("old Excel as `application/msexcel`", path="get?id={n}", mime_type="application/msexcel",
        body=_OLE),
    Way("PDF as `application/acrobat`", path="get?id={n}", mime_type="application/acrobat",
        body=_PDF),
    Way("a bare HTML table as `.xls`", path="{n}.xls", mime_type="application/vnd.ms-excel",
        body=b"<table><tr><td>way-{n} </td></tr></table>"),
    Way("GeoJSON as `application/octet-stream`", path="{n}.geojson", mime_type=OCTETS,
        body=b'{"type":"FeatureCollection","a":"way-{n}"}'),
    Way("KML as `text/xml`", path="{n}.kml", mime_type="text/xml",
        body=b'<?xml version="1.0"?><kml> way-{n} </kml>'),
    Way("KMZ as `application/zip`", path="{n}.kmz", mime_type="application/zip",
        body=b"PK\x03\x04\x14\x00doc.kml way-{n} "),
    Way("SDMX-ML as `text/xml`", path="get?id={n}", mime_type="text/xml",
        body=b'<?xml version="1.0"?><m:x xmlns:m="http://www.sdmx.org/"> way-{n} </m:x>'),
    Way("XML with a style sheet", path="{n}.xml", mime_type="text/xml", body=b'<?xml version="1.0"?>'
        b'<?xml-stylesheet href="/s.xsl" type="text/xsl"?><r> way-{n} </r>'),
    Way("RDF in Turtle", path="{n}", mime_type="text/turtle", body=b"@prefix a: <x:> . # way-{n} "),
    Way("Turtle as `text/plain`", path="{n}.ttl", mime_type="text/plain",
        body=b"@prefix a: <x:> . # way-{n} "),
    Way("RDF/XML", path="{n}.rdf", mime_type="application/rdf+xml",
        body=b"<rdf:RDF> way-{n} </rdf:RDF>"),
    Way("Parquet without a name", path="get?id={n}", mime_type=OCTETS, body=b"PAR1 way-{n} PAR1"),
    Way("R as `application/octet-stream`", path="{n}.rds", mime_type=OCTETS,
        body=gzip.compress(b"RDX3", mtime=0) + b" way-{n} "),
    Way("Stata as `application/octet-stream`", path="{n}.dta", mime_type=OCTETS,
        body=b"<stata_dta> way-{n} "),
    Way("SAS as `application/octet-stream`", path="{n}.sas7bdat", mime_type=OCTETS,
        body=bytes(12) + b"\xc2\xea\x81\x60 way-{n} "),
    Way("NetCDF as `application/octet-stream`", path="{n}.nc", mime_type=OCTETS,
        body=b"CDF\x01 way-{n} "),
    Way("dBase as `application/octet-stream`", path="{n}.dbf", mime_type=OCTETS,
        body=b"\x03\x65\x01\x01 way-{n} "),
    Way("Access", path="{n}.mdb", mime_type="application/x-msaccess",
        body=b"\x00\x01\x00\x00Standard Jet way-{n} "),
    Way("OpenDocument as `application/zip`", path="{n}.ods", mime_type="application/zip",
        body=b"PK\x03\x04mimetypeapplication/vnd.oasis.opendocument.spreadsheet way-{n} "),
    Way("PC-Axis without a name", path="get?id={n}", mime_type="text/plain",
        body=b'CHARSET="ANSI";\nTITLE="way-{n}";\n'),
    Way("`.7z`", path="{n}.7z", mime_type="application/x-7z-compressed",
        body=b"7z\xbc\xaf\x27\x1c way-{n} "),
    Way("`.csv.zst`", path="{n}.csv.zst", mime_type="application/zstd",
        body=b"\x28\xb5\x2f\xfd way-{n} "),
    Way("`.tar.gz`", path="{n}.tar.gz", mime_type="application/x-gzip",
        body=gzip.compress(b"x", mtime=0) + b" way-{n} "),
    Way("`Content-Disposition` without quotes", path="dl?id={n}", mime_type=OCTETS, body=_COLUMN,
        headers={"content-disposition": "attachment; filename=table {n}.csv"}),
    Way("`Content-Disposition` with `;` in quotes", path="dl?id={n}", mime_type=OCTETS, body=_COLUMN,
        headers={"content-disposition": 'attachment; filename="a;{n}.csv"'}),
    Way("`Content-Disposition` in capitals", path="dl?id={n}", mime_type=OCTETS, body=_COLUMN,
        headers={"content-disposition": "ATTACHMENT; FILENAME=T-{n}.CSV;"}),
    Way("`Content-Disposition` with both names", path="dl?id={n}", mime_type=OCTETS, body=_COLUMN,
        headers={"content-disposition": "attachment; filename=x; filename*=utf-8''t-{n}.csv"}),
    Way("RFC 5987 name in Latin-1", path="dl?id={n}", mime_type=OCTETS, body=_COLUMN,
        headers={"content-disposition": "inline; filename*=ISO-8859-1'fr'%E9-{n}.csv"}),
    Way("RFC 2231 name in parts", path="dl?id={n}", mime_type=OCTETS, body=_COLUMN,
        headers={"content-disposition": 'attachment; filename*0="ta"; filename*1="{n}.csv"'}),
    Way("`Content-Disposition` of `text/html`", path="dl?id={n}", mime_type="text/html",
        headers={"content-disposition": 'attachment; filename="{n}.csv"'}),
    Way("a page in place of a CSV", body=_LOGIN, missed="pages (a login"),
    Way("behind `robots.txt`", '<a href="/private/{n}">get</a>', pages={"/private/{n}": _LINK},
        missed="robots.txt hid"),
    Way("on another host", '<a href="http://static.example.net{url}">get</a>',
        missed="--allow-host static.example.net"),
    Way("larger than `--max-file-size`", body=b"way-{n}," * 20_000, missed="too large"),
    Way("behind a form", '<form method="post" action="/search"><input name="q"></form>',
        missed="not filled in"),
    Way("made by a script", '<div id="app"></div><script src="/app.js"></script>',
        missed="need"),
    Way("for users with a login", '<a href="/login/{n}">get</a>', answer=None,
        pages={"/login/{n}": error(403)}, missed="refused"),
    Way("a page as `text/html` in place of a CSV", mime_type="text/html", body=_LOGIN,
        missed="pages (a login"),
    Way("a redirect to a login", '<a href="/go/{n}.csv">get</a>', missed="pages (a login",
        pages={"/go/{n}.csv": "302 /login/{n}", "/login/{n}": "<form method=post>log in</form>"}),
    Way("a file that is never ready (202)", body=b"", snippet='<a href="/go/{n}">get</a>', missed="being prepared",
        pages={"/go/{n}": _send(202, _HTML, b"in a minute")}),
    Way("status 401", body=b"", snippet='<a href="/go/{n}">get</a>', pages={"/go/{n}": error(401)}, missed="status 401"),
    Way("status 500", body=b"", snippet='<a href="/go/{n}">get</a>', pages={"/go/{n}": error(500)}, missed="status 500"),
    Way("a redirect to another host", '<a href="/go/{n}">get</a>', missed="files.example.net",
        pages={"/go/{n}": "302 http://files.example.net/{n}.csv"}),
    Way("a table in the cloud", '<a href="https://docs.example.org/d/{n}/export?format=csv">x</a>',
        missed="docs.example.org"),
    Way("FTP", '<a href="ftp://ftp.site.example/{n}.csv">get</a>', missed="by FTP"),
    Way("`data:` URI", '<a download="x.csv" href="data:text/csv,a">get</a>', missed="inside pages"),
    Way("`blob:` URI", '<a href="blob:http://www.site.example/{n}">get</a>', missed="inside pages"),
    Way("a button that a script follows", '<a href="#" class="export">CSV</a>', missed="or files"),
    Way("a folder that repeats", path="data/data/data/data/{n}.csv", missed="endless work"),
    Way("a very long URL", path="{n}.csv?x=" + "a" * 9000, missed="too long"),
    Way("a type that does not hold data", path="{n}.sql", mime_type="application/sql",
        body=b"CREATE TABLE t; -- way-{n} ", missed="not asked for"),
)  # fmt: skip
