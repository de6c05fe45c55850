"""DCAT-AP and schema.org: catalogues and datasets of linked data, in JSON-LD, Turtle or RDF/XML."""

import re
from collections.abc import Iterator
from typing import Any

from datahound.model import Page
from datahound.readers.linked_data import index_json, make_catalogue_page
from datahound.readers.portals.platform import Found, PageView, Platform
from datahound.readers.rdf_xml import read_rdf
from datahound.readers.turtle import looks_like_turtle, parse_turtle
from datahound.readers.xml_tree import Element

NAME = "dcat-ap"


def endpoints(base: str) -> Iterator[tuple[str, str]]:
    """The first requests to ask of a portal."""
    yield "catalogue", f"{base}/catalog.ttl"


def read(url: str, data: Any) -> Page | None:
    """The page of JSON-LD, if it has datasets."""
    roots = data if isinstance(data, list) else [data]
    if not any(
        isinstance(r, dict) and {"@context", "@graph", "@type"} & r.keys() for r in roots[:9]
    ):
        return None
    return make_catalogue_page(url, NAME, index_json(data))


def read_turtle(url: str, text: str) -> Page | None:
    """The page of Turtle, if it has datasets."""
    if not looks_like_turtle(text):
        return None
    return make_catalogue_page(url, NAME, parse_turtle(text))


def read_xml(url: str, root: Element) -> Page | None:
    """The page of RDF/XML, if it has datasets."""
    return make_catalogue_page(url, NAME, read_rdf(root)) if root.name == "rdf" else None


_LINK = re.compile(
    rb"""<link[^<>]{0,300}?type=["']?(?:text/turtle|application/ld\+json|application/rdf\+xml)["']?"""
    rb"""[^<>]{0,300}?href=["']([^"'<>]{1,1000})""",
    re.IGNORECASE,
)
_WORDS = (b"catalog", b"dcat")


def find(view: PageView) -> Iterator[Found]:
    """The catalogue that a page is said to have as linked data."""
    match = _LINK.search(view.head) if b"alternate" in view.lower else None
    if match and any(word in match[1].lower() for word in _WORDS):
        yield "catalogue", view.join(match[1]), "link"


PLATFORM = Platform(
    NAME,
    "DCAT-AP",
    read_json=read,
    read_xml=read_xml,
    endpoints=endpoints,
    find=find,
    is_general=True,
)
