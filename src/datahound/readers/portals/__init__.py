"""Portals: the platforms whose answers can be read, and which of them a page belongs to.

A new platform is a module in this folder. To recognize a platform takes no request: its signs are
on pages that are read anyway. A wrong guess costs one request, since a platform whose first answer
is not understood is not asked again.
"""

import pkgutil
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module

from datahound.model import Link
from datahound.readers.listing import make_endpoint
from datahound.readers.portals.platform import Found, PageView, Platform
from datahound.readers.sitemap import make_sitemap_link


@cache
def platforms() -> tuple[Platform, ...]:
    """Every platform that a module here declares, the general ones last."""
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    modules = (import_module(f"{__name__}.{name}") for name in names)
    found = [
        platform for m in modules if isinstance(platform := getattr(m, "PLATFORM", None), Platform)
    ]
    return tuple(sorted(found, key=lambda platform: platform.is_general))


@cache
def platform_titles() -> dict[str, str]:
    """What people call the platforms, by their names."""
    return {platform.name: platform.title for platform in platforms()}


# Marks of platforms are in the head or near the top of the body.
_HEAD = 512 << 10
"""Bytes of a page that are looked at."""
_VALUE = re.compile(rb"""\s{0,9}=\s{0,9}["']([^"'<>\s]{1,2000})""")
_SITEMAP = re.compile(
    rb"""<link[^<>]{0,200}?rel=["']?sitemap["']?[^<>]{0,200}?href=["']([^"'<>\s]{1,2000})""",
    re.IGNORECASE,
)


def recognize(url: str, body: bytes, headers: Mapping[str, str]) -> tuple[Link, ...]:
    """The requests of APIs, and the sitemaps, that a page reveals."""
    head = body[:_HEAD]
    view = PageView(url, head, head.lower(), headers)
    found: dict[str, Link] = {}
    for platform in platforms():
        for request, address, how in _find(platform, view):
            if address:
                link = make_endpoint(address, platform.name, request, how, url)
                # Two platforms may name one address; the special one comes first.
                found.setdefault(address, link)
    if b"sitemap" in view.lower and (match := _SITEMAP.search(head)):
        address = view.join(match[1])
        if address:
            found.setdefault(address, make_sitemap_link(address, "link", url))
    return tuple(found.values())


def _find(platform: Platform, view: PageView) -> Iterator[Found]:
    if platform.find:
        yield from platform.find(view)
    how, base = _recognize(platform, view)
    if how and platform.endpoints:
        root = view.join((base or "/").encode()).rstrip("/")
        yield from ((request, address, how) for request, address in platform.endpoints(root))


def _recognize(platform: Platform, view: PageView) -> tuple[str, str]:
    """What reveals a platform, and the base of its API where the page says it."""
    # The body first: a header may come from a proxy in front of another platform.
    for sign in platform.signs:
        if sign.mark in view.lower:
            return sign.mark.decode(), _read_attribute(view, sign.base) if sign.base else ""
    for name, part in platform.headers:
        if name in view.headers and part in view.headers[name].lower():
            return f"header {name}", ""
    return "", ""


def _read_attribute(view: PageView, name: str) -> str:
    """The value of an attribute that occurs once on a page."""
    place = view.lower.find(name.encode())
    found = _VALUE.match(view.head, place + len(name)) if place >= 0 else None
    return found[1].decode("utf-8", "replace") if found else ""
