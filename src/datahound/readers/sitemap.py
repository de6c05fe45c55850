"""Sitemaps: XML, an index of others, or a list of URLs; also those that break every rule."""

import re
from collections.abc import Iterator
from html import unescape
from itertools import islice

from datahound.model import Entry, Link, Listing, Page, Role
from datahound.readers.listing import make_endpoint
from datahound.settings import MAX_URL_LENGTH
from datahound.text import show_text
from datahound.web.urls import join

PLATFORM = "sitemap"
SITEMAP_LINK = "sitemap @sitemap"
"""The tag path of what a sitemap names: such links wait behind those seen on pages."""
PART = "part @sitemaps"
"""The end of the tag path of a sitemap: it waits behind all links."""
# The protocol allows no more in one sitemap (sitemaps.org).
MAX_URLS = 50_000
_MAX_ENTRIES = 2 * MAX_URLS
"""Entries that are looked at, of which some may be equal or no URLs."""
_MAX_URLS_LENGTH = 16_000_000
"""Characters of all URLs of a sitemap."""
_MARKS = ("<urlset", "<sitemapindex", ":urlset", ":sitemapindex")
_HEAD = 4096
_MAX_DATE = 40
_PROLOG = re.compile(r"\s*+(?:<\?(?:[^?]|\?(?!>))*+\?>|<!--(?:[^-]|-(?!->))*+-->)")
_MAX_PROLOG_PARTS = 20
# With one of these prefixes it would be the address of a picture, a film or the like.
_TOKEN = re.compile(
    r"<(/?)(?:(?!image:|video:|news:|xhtml:|mobile:)[\w-]{1,40}:)?(url|sitemap|loc|lastmod|urlset|sitemapindex)\b"
    r"[^<>]*+>([^<]*+)(?=<)",
    re.IGNORECASE,
)
_ROBOTS_LINE = re.compile(
    r"^[ \t\f\v]{0,20}sitemap[ \t]{0,9}:[ \t]{0,9}(\S{1,4000})", re.IGNORECASE | re.MULTILINE
)
_MAX_IN_ROBOTS = 20
_CHARACTER = re.compile(r"&#(?:\d{1,7}|[xX][0-9a-fA-F]{1,6});")
_LINE = re.compile(r"[^\r\n]++")


def looks_like_sitemap(text: str) -> bool:
    """Whether a text begins like an XML sitemap."""
    start = _skip_prolog(text)
    head = text[start : start + _HEAD].lower()
    return any(mark in head for mark in _MARKS)


def _skip_prolog(text: str) -> int:
    """Where comments and instructions at the beginning end: some generators write long ones."""
    start = 0
    for _ in range(_MAX_PROLOG_PARTS):
        found = _PROLOG.match(text, start)
        if found is None:
            break
        start = found.end()
    return start


def read_sitemap(url: str, text: str) -> Page | None:
    """The page of an XML sitemap; None if the text is not one."""
    if not looks_like_sitemap(text):
        return None
    links: dict[str, Link] = {}
    parts: dict[str, Link] = {}
    entries: list[Entry] = []
    left_out = length = 0
    for count, (reference, changed, is_part) in enumerate(_read_entries(text), 1):
        length += len(reference)
        is_full = len(links) + len(parts) >= MAX_URLS or length > _MAX_URLS_LENGTH
        if is_full or count > _MAX_ENTRIES:
            # Counted and not read: a list may have millions.
            left_out = max(0, text.count("</loc>") - count) + 1
            break
        found = join(url, reference) if len(reference) <= MAX_URL_LENGTH else None
        if found is None or found == url:
            continue
        if is_part:
            parts.setdefault(found, make_sitemap_link(found, "index", url))
        else:
            links.setdefault(found, Link(found, SITEMAP_LINK, "", "", url))
        if changed:
            entries.append(Entry(found, Role.PAGE, modified=show_text(changed, _MAX_DATE)))
    return _make_page(url, links, parts, left_out, tuple(entries))


def read_url_list(url: str, text: str) -> Page | None:
    """The page of a text sitemap, which has one URL per line and nothing else."""
    links: dict[str, Link] = {}
    count = 0
    for line in _LINE.finditer(text):
        reference = line[0].strip()
        if not reference:
            continue
        # One line of anything else, and it is not a list of URLs.
        if not reference.startswith(("http://", "https://")) or " " in reference:
            return None
        count += 1
        found = join(url, reference) if len(reference) <= MAX_URL_LENGTH else None
        if found is not None and len(links) < MAX_URLS:
            links.setdefault(found, Link(found, SITEMAP_LINK, "", "", url))
    return _make_page(url, links, {}, max(0, count - MAX_URLS), ()) if links else None


def find_sitemaps(url: str, robots: str) -> tuple[str, ...]:
    r"""The sitemaps that a robots.txt names.

    >>> find_sitemaps("https://x.example/robots.txt", "User-agent: *\nSitemap: /a.xml")
    ('https://x.example/a.xml',)
    """
    references = dict.fromkeys(match[1] for match in _ROBOTS_LINE.finditer(robots))
    found = (join(url, reference) for reference in islice(references, 5 * _MAX_IN_ROBOTS))
    return tuple(dict.fromkeys(address for address in found if address))[:_MAX_IN_ROBOTS]


def make_sitemap_link(url: str, how: str, found_on: str) -> Link:
    """A link to a sitemap, which is read after all other links; `how` says where it was found."""
    return make_endpoint(url, PLATFORM, PART, how, found_on)


def _make_page(
    url: str,
    links: dict[str, Link],
    parts: dict[str, Link],
    left_out: int,
    entries: tuple[Entry, ...],
) -> Page:
    total = len(links) + len(parts) + left_out
    listing = Listing(PLATFORM, "urls" if links else "index", total, entries=entries)
    return Page(
        url,
        "",
        tuple(links.values()),
        endpoints=tuple(parts.values()),
        links_left_out=left_out,
        listing=listing,
    )


def _read_entries(text: str) -> Iterator[tuple[str, str, bool]]:
    """References, when they changed last, and whether they are sitemaps."""
    reference, changed, is_part, is_index = "", "", False, False
    plain = text.replace("<![CDATA[", "").replace("]]>", "")
    for token in _TOKEN.finditer(plain):
        slash, tag, raw = token.groups()
        name, value = tag.lower(), raw.strip()
        if name in ("url", "sitemap"):
            if reference:
                yield reference, changed, is_part
            is_part = is_index or name == "sitemap"
            # Some indexes have their addresses without a `loc` around them.
            reference, changed = "" if slash or name == "url" else _unescape(value), ""
        elif name in ("urlset", "sitemapindex"):
            # An index may be followed by URLs, in the same file.
            is_part = is_index = name == "sitemapindex"
        elif not slash and name == "loc":
            reference = _unescape(value) or reference
        elif not slash:
            changed = value[:_MAX_DATE]
    if reference:
        yield reference, changed, is_part


def _unescape(text: str) -> str:
    """A reference with the entities that sitemaps use; a bare & stays."""
    if "&" not in text:
        return text
    text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", '"')
    text = _CHARACTER.sub(lambda found: unescape(found[0]), text)
    return text.replace("&apos;", "'").replace("&amp;", "&")
