"""A site that publishes files in every way of `ways_to_publish.py`: one unique file behind each.

It is also the table of `docs/coverage.md`: how a file is published, whether a plain crawl keeps it,
and if not, how the crawl says so.
"""

import gzip
from dataclasses import replace
from functools import partial
from urllib.parse import quote

from ways_to_publish import _HTML, _TEXT, WAYS, _send
from websites import Website, data

from datahound.model import Response

_HOSTS = {
    "a subdomain": "data.site.example",
    "another port": "www.site.example:8080",
    "a host with umlauts": "xn--dt-viab.site.example",
    "on another host": "static.example.net",
    "a redirect to another host": "files.example.net",
}


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
        found[fill(path)] = _page(more, fill)
    said = {} if way.mime_type is None else {"content-type": way.mime_type}
    said |= {name: fill(value) for name, value in way.headers.items()}
    body = way.body.replace(b"{n}", str(number).encode())
    if body.startswith(b"\xff\xfe"):
        body = way.body.decode("utf-16").replace("{n}", str(number)).encode("utf-16")
    body = gzip.compress(body) if way.is_packed else body
    found[_HOSTS.get(way.name, "") + _path(way, number)] = _send(200, said, body)
    return found


def _path(way, number):
    return quote(_url(way, number).replace("&amp;", "&"), safe="/?=&%;,")


def _page(more, fill):
    """What one more page of a way answers: HTML, a redirect, an answer or a manner."""
    if isinstance(more, Response):
        body = fill(more.body.decode("latin-1")).encode("latin-1")
        if more.body.startswith(b"\xff\xfe"):
            body = fill(more.body.decode("utf-16")).encode("utf-16")
        headers = {name: fill(value) for name, value in more.headers.items()}
        size = {"content-length": str(len(body))}
        return replace(more, headers=headers | size, body=body, size=len(body))
    if not isinstance(more, str):
        return more
    if more.startswith("302 "):
        return _send(302, {"location": fill(more[4:])}, b"")
    return _send(200, _HTML, f"<!doctype html><p>{fill(more)}</p>".encode())


def table():
    """The table of the documentation."""
    rows = ["| the file is published by | kept | reported as |", "| --- | --- | --- |"]
    for way in WAYS:
        said = f"“… {way.missed} …”" if way.missed else ""
        rows.append(f"| {way.name} | {'no' if way.missed else 'yes'} | {said} |")
    return "\n".join(rows)


if __name__ == "__main__":
    print(table())
