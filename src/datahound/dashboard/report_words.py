"""The report's words: what types and states mean to people."""

from datahound.web.types import label_type

_STATES = {
    "complete": "on this disk",
    "duplicate": "the same bytes as another file",
    "suspicious": "on this disk, but something looks wrong",
    "too large": "left out: larger than allowed",
    "failed": "could not be had",
    "broken": "broken off; the next run tries again",
    "started": "on the way",
    "listed": "listed only; `datahound fetch` gets them",
}
_SPENT = {
    "target": "brought a data file",
    "page": "read a page",
    "probe": "asked what a link is",
    "redirect": "were sent on",
    "trouble": "failed",
    "other": "brought something else",
}


def type_name(mime_type: str) -> str:
    """A MIME type as people call it.

    >>> type_name("text/csv"), type_name("application/x-strange"), type_name("")
    ('CSV tables', 'application/x-strange', 'unknown')
    """
    return label_type(mime_type) or mime_type or "unknown"


def state_words(state: str) -> str:
    return _STATES.get(state, state)


def spent_words(what: str) -> str:
    return _SPENT.get(what, what)


SPENT_ORDER = tuple(_SPENT)


def section_of(url: str, home: str = "") -> str:
    """The part of a site that a page belongs to: the first step of its path, and its host.

    The host is left out where it is the site's own, with or without `www.`.

    >>> section_of("https://a.example/labour/2019/x.html", "a.example")
    '/labour/'
    >>> section_of("https://data.a.example/about", "a.example")
    'data.a.example/'
    """
    parts = url.partition("?")[0].split("/", 4)
    host, path = (parts[2], parts[3:]) if len(parts) > 3 else (home, [])
    shown = "" if host.removeprefix("www.") == home.removeprefix("www.") else host
    return f"{shown}/{path[0]}/" if len(path) > 1 and path[0] else f"{shown}/"
