"""OpenSearch descriptions: the address of a search whose answers are feeds."""

from datahound.model import Page
from datahound.readers.listing import ListingMaker
from datahound.readers.portals.platform import Platform
from datahound.readers.xml_tree import Element

NAME = "opensearch"
ROOTS = frozenset({"opensearchdescription"})
_READABLE = ("application/atom+xml", "application/rss+xml", "application/json")


def read_xml(url: str, root: Element) -> Page | None:
    """The page of a description, with a search for everything where it allows one."""
    if root.name not in ROOTS:
        return None
    maker = ListingMaker(url, NAME, "description")
    for address in root.all("url"):
        if address.get("type") in _READABLE:
            maker.add_endpoint(_fill(address.get("template")), "search", root.read("shortname"))
    return maker.make_page(root.read("shortname"))


def _fill(template: str) -> str:
    """A template with no words to search for, from the first result; '' if it needs more."""
    values = {
        "searchTerms": "", "startIndex": "1", "startPage": "1", "count": "100",
        "language": "*", "inputEncoding": "UTF-8", "outputEncoding": "UTF-8",
    }  # fmt: skip
    for name, value in values.items():
        template = template.replace(f"{{{name}}}", value).replace(f"{{{name}?}}", value)
    parts = template.partition("?")
    # OpenSearch 1.1: a "?" in the braces makes a parameter optional.
    kept = [part for part in parts[2].split("&") if "?}" not in part]
    return f"{parts[0]}?{'&'.join(kept)}" if parts[1] else parts[0]


PLATFORM = Platform(NAME, "OpenSearch", read_xml=read_xml)
