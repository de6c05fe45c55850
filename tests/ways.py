"""A site that publishes files in every way that we know of: one unique file behind each.

`WAYS` is the site and the table of `docs/coverage.md` at once: how the file is published, whether a
plain `datahound crawl` keeps it, and if not, how the crawl says so.
"""

import gzip
from dataclasses import dataclass, field
from functools import partial

from websites import Website, data, error, send_response

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


_HTML = {"content-type": "text/html; charset=utf-8"}
_XLSX = b"PK\x03\x04\x14\x00\x06\x00xl/workbook.xml way-{n}"
_PDF = b"%PDF-1.4 way-{n}"
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "Workbook".encode("utf-16-le") + b" way-{n}"
_LOGIN = b"<!doctype html><html><title>Log in</title><form method=post><p>way-{n}</form></html>"
_LINK = "<a href='{url}'>get</a>"

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
    Way("a page in place of a CSV", body=_LOGIN, missed="was a page"),
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
)  # fmt: skip


def marker(number):
    return f"way-{number}".encode()


def make_site():
    """The site of all ways, for `Website`."""
    answers = {"/robots.txt": data(b"User-agent: *\nDisallow: /private/\n", "text/plain")}
    links = []
    for number, way in enumerate(WAYS):
        fill = partial(_fill, way, number)
        answers |= _answers(way, number, fill)
        links.append(f'<p><a href="/way/{number}">way {number}</a></p>')
    answers["/"] = _send(200, _HTML, f"<!doctype html>{''.join(links)}".encode())
    return Website(answers)


def _url(way, number):
    return "/f/" + way.path.replace("{n}", str(number))


def _fill(way, number, text):
    return text.replace("{url}", _url(way, number)).replace("{n}", str(number))


def _answers(way, number, fill):
    headers = {name: fill(value) for name, value in way.page_headers.items()}
    text = "" if "app" in way.snippet and way.missed else _TEXT
    begin = "" if way.snippet.startswith("<frameset") else f"<p>{text}</p>"
    page = f"<!doctype html><title>w</title>{begin}{fill(way.snippet)}"
    found = {f"/way/{number}": _send(200, _HTML | headers, page.encode())}
    for path, more in way.pages.items():
        found[fill(path)] = _page(fill(more) if isinstance(more, str) else more)
    said = {} if way.mime_type is None else {"content-type": way.mime_type}
    said |= {name: fill(value) for name, value in way.headers.items()}
    body = way.body.replace(b"{n}", str(number).encode())
    if body.startswith(b"\xff\xfe"):
        body = way.body.decode("utf-16").replace("{n}", str(number)).encode("utf-16")
    found[_host(way) + _path(way, number)] = _send(200, said, body)
    return found


def _host(way):
    hosts = {"a subdomain": "data.site.example", "on another host": "static.example.net"}
    return hosts.get(way.name, "")


def _path(way, number):
    return _url(way, number).replace("&amp;", "&").replace(" ", "%20").replace("é", "%C3%A9")


def _page(more):
    if not isinstance(more, str):
        return more
    if more.startswith("302 "):
        return _send(302, {"location": more[4:]}, b"")
    return _send(200, _HTML, f"<!doctype html><p>{more}</p>".encode())


def table():
    """The table of the documentation."""
    rows = ["| the file is published by | found | said |", "| --- | --- | --- |"]
    for way in WAYS:
        said = f"“… {way.missed} …”" if way.missed else ""
        rows.append(f"| {way.name} | {'no' if way.missed else 'yes'} | {said} |")
    return "\n".join(rows)


if __name__ == "__main__":
    print(table())
