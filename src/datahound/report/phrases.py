"""Phrases for people: why links are skipped and crawls end; states, outcomes, sections and groups.

Code compares the enums, and their values are the keys in URLs and JSON; the phrases are made here.
"""

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from enum import Enum
from operator import add
from typing import Any

from datahound.events import Stop
from datahound.model import Skip
from datahound.store.queries import find_group
from datahound.units import show_count
from datahound.web.types import label_type


class Cause(Enum):
    """Why a crawl ended: by itself, as in `Stop`, or from outside."""

    EXHAUSTED = Stop.EXHAUSTED.value
    SPENT_REQUESTS = Stop.SPENT_REQUESTS.value
    SPENT_BYTES = Stop.SPENT_BYTES.value
    BARREN = Stop.BARREN.value
    ROUND_SPENT = "round spent"
    ROUND_EMPTY = "round empty"
    ROUND_SILENT = "round silent"
    ROUND_SAME_PAGE = "round same page"
    INTERRUPTED = "interrupted"
    TIME_IS_UP = "time is up"
    DISK_LOW = "disk low"
    FOLDER_GONE = "folder gone"
    FINISHED_BEFORE = "finished before"
    FILES_FETCHED = "files fetched"
    FILES_MISSING = "files missing"
    NO_START_PAGE = "no start page"
    BAD_INPUT = "bad input"
    TROUBLE = "trouble"
    FAULT = "fault"
    OTHER = "other"
    """An older version stored the reason as a sentence only."""


def cause_of(stored: dict[str, Any] | None) -> Cause | None:
    """The cause in a stored ending; None for a crawl that has not ended."""
    return Cause(stored["cause"]) if stored and "cause" in stored else None


@dataclass(frozen=True, slots=True)
class Wording:
    """A reason for people: a phrase, and a sentence that explains it."""

    phrase: str
    explanation: str


SKIPS: Mapping[Skip, Wording] = {
    Skip.OTHER_SITE: Wording("on another site", "They lead to other websites."),
    Skip.OUT_OF_SCOPE: Wording(
        "outside the scope", "Outside the part of the site that was asked for."
    ),
    Skip.NOT_INCLUDED: Wording(
        "not among the URLs to include", "Unlike the addresses that were asked for."
    ),
    Skip.EXCLUDED: Wording("excluded", "Like the addresses that were to be left out."),
    Skip.BLOCKED_EXTENSION: Wording(
        "blocked extension", "Pictures, sounds and films, going by their names."
    ),
    Skip.NEITHER: Wording(
        "neither page nor data file", "Neither a page nor a data file of the kinds asked for."
    ),
    Skip.ALIAS: Wording("another name of a known URL", "Known already, under another address."),
    Skip.TRAP_REPEATING: Wording(
        "trap: the path repeats itself", "Addresses that repeat themselves without end."
    ),
    Skip.TRAP_CALENDAR: Wording("trap: a calendar without end", "Calendar pages of distant years."),
    Skip.TRAP_SESSION: Wording(
        "trap: known under another session id",
        "Known already, under the session of another visitor.",
    ),
    Skip.ROBOTS: Wording(
        "forbidden by robots.txt", "The site asks crawlers to stay out (robots.txt)."
    ),
    Skip.ROBOTS_UNAVAILABLE: Wording(
        "robots.txt unavailable",
        "The rules of the site for crawlers (robots.txt) could not be read.",
    ),
    Skip.NOT_PUBLIC: Wording(
        "not a public address", "Addresses of a private network, which the site does not belong to."
    ),
    Skip.UNWANTED_NAME: Wording(
        "named as a type that was not asked for",
        "Files of other types than those asked for, going by their names.",
    ),
    Skip.LARGE_TABLE: Wording(
        "a table larger than wanted",
        "Tables that a portal gives by queries, with more cells than `--max-table` allows.",
    ),
    Skip.PORTAL_ENDED: Wording(
        "answers of the portal were of no use",
        "Requests of a portal whose answers were refused, or could not be read.",
    ),
    Skip.BARREN_KIND: Wording(
        "nothing new in others like it",
        "Addresses in options, `link` elements and such; others like them brought nothing new.",
    ),
    Skip.NOT_WEB: Wording(
        "not of the web", "Files on FTP servers, and files inside pages (data: and blob: URLs)."
    ),
    Skip.TOO_LONG: Wording("URL too long", "Addresses longer than any server needs."),
}

CAUSES: Mapping[Cause, Wording] = {
    Cause.EXHAUSTED: Wording(
        "every link on the site has been followed",
        "Every link that the crawl met and was allowed to follow has been followed.",
    ),
    Cause.SPENT_REQUESTS: Wording(
        "the budget of requests is spent", "The crawl made as many requests as it was allowed to."
    ),
    Cause.SPENT_BYTES: Wording(
        "the budget of bytes is spent", "The crawl received as many bytes as it was allowed to."
    ),
    Cause.BARREN: Wording(
        "new targets have become too rare (early stopping)",
        "Requests brought new files so rarely that going on was not worth it.",
    ),
    Cause.ROUND_SPENT: Wording(
        "the requests of this round are made", "The round made as many requests as it was allowed."
    ),
    Cause.ROUND_EMPTY: Wording(
        "the next request is expected to bring too little",
        "No page and no file was left that promised enough new or changed files.",
    ),
    Cause.ROUND_SILENT: Wording(
        "nothing that was there before was there in this round",
        "The start page, and all other pages and files that were asked for, failed or were gone. "
        "The site may be down, so nothing counts as gone.",
    ),
    Cause.ROUND_SAME_PAGE: Wording(
        "the site answers every address with the same page, as in maintenance",
        "The start page and nearly all other pages that were read again are equal, and the links "
        "that they had are gone. Nothing counts as gone.",
    ),
    Cause.INTERRUPTED: Wording("interrupted", "A user or another program stopped the crawl."),
    Cause.TIME_IS_UP: Wording("the time is up", "The crawl ran for as long as it was allowed to."),
    Cause.DISK_LOW: Wording(
        "little disk is left", "The disk had less room than must stay free, so the crawl stopped."
    ),
    Cause.FOLDER_GONE: Wording(
        "the folder is gone", "Somebody moved or deleted the folder of the crawl while it ran."
    ),
    Cause.FINISHED_BEFORE: Wording(
        "this crawl was finished before", "An earlier run had followed every link already."
    ),
    Cause.FILES_FETCHED: Wording("every file is here", "Every file that was listed is kept."),
    Cause.FILES_MISSING: Wording(
        "some files could not be fetched", "Servers did not give all the files that were listed."
    ),
    Cause.NO_START_PAGE: Wording(
        "the start page could not be fetched",
        "The first page could not be read, so there was no link.",
    ),
    Cause.BAD_INPUT: Wording("an option was wrong", "The crawl did not begin."),
    Cause.TROUBLE: Wording("the crawl had to stop", "Something outside the crawl failed."),
    Cause.FAULT: Wording("a fault in Datahound", "The crawl met an error of its own; report it."),
    Cause.OTHER: Wording("ended", "An older version wrote the reason in words only."),
}

HINTS: Mapping[Cause, str] = {
    Cause.BARREN: "to go on, run the same command with --no-early-stop",
    Cause.SPENT_REQUESTS: "to go on, run the same command with a larger --budget",
    Cause.SPENT_BYTES: "to go on, run the same command with a larger --max-bytes",
    Cause.ROUND_SPENT: "the next round asks for what is left",
    Cause.ROUND_SILENT: "is the site down? Nothing counts as gone, and the next round asks again",
    Cause.ROUND_SAME_PAGE: "nothing counts as gone, and the next round asks again",
    Cause.INTERRUPTED: "the same command goes on from here",
    Cause.TROUBLE: "the same command goes on from here",
    Cause.DISK_LOW: "free some, and the same command goes on from here",
    Cause.TIME_IS_UP: "the same command goes on from here",
    Cause.FILES_MISSING: "the same command tries again",
    Cause.NO_START_PAGE: "the same command tries again",
}


def explain_skip(reason: Skip, *, redirected: bool = False) -> str:
    """The phrase for a skipped link; `redirected` if what it redirects to is skipped.

    >>> explain_skip(Skip.OTHER_SITE), explain_skip(Skip.ROBOTS, redirected=True)
    ('on another site', 'redirects to a URL that is skipped: forbidden by robots.txt')
    """
    phrase = SKIPS[reason].phrase
    return f"redirects to a URL that is skipped: {phrase}" if redirected else phrase


_LONGEST_NAME = 80


@dataclass(frozen=True, slots=True)
class Unfollowed:
    """What the pages of a crawl offer and a crawler of links does not follow."""

    script_pages: int = 0
    """Pages without links whose scripts probably make them."""
    forms: int = 0
    form_pages: int = 0
    files_elsewhere: int = 0
    """Links to data files on hosts outside the site."""
    elsewhere_pages: int = 0
    links_left_out: int = 0
    """Links beyond the limit of a page, and those whose URLs are too long."""

    def plus(self, other: "Unfollowed") -> "Unfollowed":
        return Unfollowed(*map(add, astuple(self), astuple(other)))

    def sentences(self, form_pages: Sequence[str] = ()) -> list[str]:
        """What pages offer that was not followed, a sentence per kind.

        >>> Unfollowed(1, 2, 2, 0, 0).sentences(["http://a.org/find"])[1]
        '2 forms on 2 pages were not filled in: what they search may have more files (a.org/find).'
        """
        sentences = []
        if self.script_pages:
            need = "needs" if self.script_pages == 1 else "need"
            pages = show_count(self.script_pages, "page")
            sentences.append(
                f"{pages} {need} a script to show links or files, and scripts are not run."
            )
        if self.forms:
            were = "was" if self.forms == 1 else "were"
            what = f"{show_count(self.forms, 'form')} on {show_count(self.form_pages, 'page')}"
            named = ", ".join(url.partition("://")[2][:_LONGEST_NAME] for url in form_pages)
            where = f" ({named})" if named else ""
            searched = "it searches" if self.forms == 1 else "they search"
            end = f"what {searched} may have more files{where}."
            sentences.append(f"{what} {were} not filled in: {end}")
        if self.links_left_out:
            were = "was" if self.links_left_out == 1 else "were"
            links = f"{show_count(self.links_left_out, 'link')} {were} left out"
            why = "beyond a limit or with an address that is too long"
            sentences.append(f"{links}, {why}: --set max_links=N reads more of a page.")
        return sentences


_STATES = {
    "complete": "on this disk",
    "duplicate": "the same bytes as another file",
    "suspicious": "on this disk, but something looks wrong",
    "too large": "left out: larger than allowed",
    "failed": "could not be downloaded",
    "broken": "broken off; the next run tries again",
    "started": "downloading",
    "listed": "listed only; `datahound fetch` gets them",
}
_SPENT = {
    "target": "brought a data file",
    "page": "read a page",
    "probe": "asked for the type of a link",
    "redirect": "were redirected",
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
    >>> find_section("http://a.example:8000/labour/x.html", "a.example")
    '/labour/'
    """
    parts = url.partition("?")[0].split("/", 4)
    host, path = (parts[2], parts[3:]) if len(parts) > 3 else (home, [])
    name, _, port = host.rpartition(":")
    bare = name if port.isdigit() else host
    shown = "" if bare.removeprefix("www.") == home.removeprefix("www.") else host
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
