"""Words for people: types, states, outcomes, sections of a site, groups of links."""

import sqlite3
from dataclasses import dataclass

from datahound.store.queries import find_group
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


def name_type(mime_type: str) -> str:
    """The common name of a MIME type.

    >>> name_type("text/csv"), name_type("application/x-strange"), name_type("")
    ('CSV tables', 'application/x-strange', 'unknown')
    """
    return label_type(mime_type) or mime_type or "unknown"


def describe_state(state: str) -> str:
    return _STATES.get(state, state)


def describe_outcome(what: str) -> str:
    return _SPENT.get(what, what)


SPENT_ORDER = tuple(_SPENT)


def find_section(url: str, home: str = "") -> str:
    """The part of a site that a page belongs to: the first step of its path, and its host.

    The host is left out where it is the site's own, with or without `www.`.

    >>> find_section("https://a.example/labour/2019/x.html", "a.example")
    '/labour/'
    >>> find_section("https://data.a.example/about", "a.example")
    'data.a.example/'
    """
    parts = url.partition("?")[0].split("/", 4)
    host, path = (parts[2], parts[3:]) if len(parts) > 3 else (home, [])
    shown = "" if host.removeprefix("www.") == home.removeprefix("www.") else host
    return f"{shown}/{path[0]}/" if len(path) > 1 and path[0] else f"{shown}/"


@dataclass(frozen=True, slots=True)
class GroupName:
    """What the links of a group have in common."""

    tag_path: str = ""
    place: str = ""
    """The folder that they lead to, without the host if it is the seed's; '' if none is known."""


def name_group(connection: sqlite3.Connection, seed: str, number: int | None) -> GroupName:
    """The name of a group; empty for no group."""
    group = find_group(connection, number)
    return GroupName(group.tag_path, shorten_place(group.place, seed)) if group else GroupName()


def shorten_place(place: str, seed: str) -> str:
    """A folder's URL as it is shown: its path, after its host if that is not the seed's.

    >>> shorten_place("https://a.org/news/", "https://a.org/")
    '/news/'
    >>> shorten_place("https://data.a.org/x/", "https://a.org/"), shorten_place("", "https://a.org/")
    ('data.a.org/x/', '')
    """
    host, slash, path = place.partition("//")[2].partition("/")
    home = seed.partition("//")[2].partition("/")[0]
    return f"{'' if host == home else host}{slash}{path}"
