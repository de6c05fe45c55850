"""Linked data: catalogues in DCAT and schema.org, and the files that a page declares in JSON-LD.

Pages made for search engines of data say where the files are, even where a script shows the
links.
"""

import json
import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Any

from datahound.errors import UserError
from datahound.model import Page, Role
from datahound.readers.json_text import count_of, dicts_of, text_of
from datahound.readers.listing import ListingMaker, guess_role, is_download_request
from datahound.readers.script_state import is_certain_extension
from datahound.text import blank_unprintable
from datahound.units import parse_size
from datahound.web.types import PAGE_EXTENSIONS, extension_of_format
from datahound.web.urls import extension_of

Node = dict[str, Any]
"""The properties of a thing, by their local names in lower case."""

# A national catalogue has some 100,000 datasets with their files.
_MAX_NODES = 300_000
_MAX_TERMS = 1000
_LONGEST_SIZE = 30
_DATASET, _CATALOGUE = frozenset({"dataset"}), frozenset({"catalog", "datacatalog"})
_FORMATS = ("format", "mediatype", "encodingformat", "fileformat")
_LICENCES = ("license", "licence", "rights")
_DATES = ("modified", "datemodified", "issued", "datepublished", "dateissued")
_FILE_TITLES = ("title", "name", "label")
_LABELS = ("title", "name", "label", "preflabel", "value")
# The tables of the EU and of IANA, and how ArcGIS shortens the first.
_VOCABULARY = re.compile(r"\A(?:ftype:|https?://\S{1,200}?/(?:file-type|media-types)/)(?=\S)")


def index_json(data: Any) -> list[Node]:
    """Every object of a JSON text as a node, in the order of the text."""
    terms = _read_terms(data)
    nodes: dict[int, Node] = {}
    waiting = [data]
    while waiting and len(nodes) < _MAX_NODES:
        value = waiting.pop()
        if isinstance(value, list):
            waiting += reversed(value)
        elif isinstance(value, dict):
            node = {
                localize(terms.get(key) or key): item
                for key, item in value.items()
                if key != "@context"
            }
            if terms and "@type" in node:
                node["@type"] = _name_types(node["@type"], terms)
            # By identity: JSON objects have no names of their own, and equal ones are different
            # things.
            nodes[id(value)] = node
            waiting += reversed([item for item in node.values() if isinstance(item, dict | list)])
    for node in nodes.values():
        for key, item in node.items():
            if isinstance(item, dict):
                node[key] = nodes.get(id(item), item)
            elif isinstance(item, list):
                node[key] = [nodes.get(id(inner), inner) for inner in item]
    return list(nodes.values())


def _read_terms(data: Any) -> dict[str, str]:
    """The terms that a `@context` in the text defines, with their full names."""
    terms: dict[str, str] = {}
    for root in dicts_of(data):
        for context in dicts_of(root.get("@context")):
            for word, meaning in islice(context.items(), _MAX_TERMS):
                name = meaning.get("@id") if isinstance(meaning, dict) else meaning
                # A name that ends like a namespace makes its term a prefix.
                if isinstance(name, str) and word[:1] != "@" and name[-1:] not in "/#:":
                    terms[word] = name
    return terms


def _name_types(types: Any, terms: dict[str, str]) -> list[str]:
    names = (text_of(item) for item in (types if isinstance(types, list) else [types]))
    return [terms.get(name, name) for name in names]


def localize(name: str) -> str:
    """The last part of a property's name, in lower case.

    >>> localize("dcat:accessURL"), localize("http://purl.org/dc/terms/title"), localize("@type")
    ('accessurl', 'title', '@type')
    """
    return name.rpartition("#")[2].rpartition("/")[2].rpartition(":")[2].lower()


def types_of(node: Node) -> frozenset[str]:
    """The local names of a node's types."""
    values = node.get("@type") or node.get("type")
    return frozenset(
        localize(text_of(v)) for v in (values if isinstance(values, list) else [values])
    )


class LinkedCatalogue:
    """Nodes, and how they refer to each other."""

    def __init__(self, nodes: Iterable[Node]) -> None:
        self.nodes = list(nodes)
        self._by_name: dict[str, Node] = {}
        for node in self.nodes:
            name = node.get("@id") or node.get("id")
            if isinstance(name, str) and len(node) > 1:
                self._by_name.setdefault(name, node)

    def datasets(self) -> list[Node]:
        """The nodes that are datasets: by their type, or because a catalogue names them."""
        found: dict[int, Node] = {}
        for node in self.nodes:
            types = types_of(node)
            if types & _DATASET:
                found.setdefault(id(node), node)
            elif types & _CATALOGUE or "conformsto" in node or "describedby" in node:
                for dataset in self.follow(node.get("dataset")):
                    found.setdefault(id(dataset), dataset)
        return list(found.values())

    def follow(self, value: Any) -> Iterator[Node]:
        """The nodes that a property has, or refers to."""
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, str):
                if item in self._by_name:
                    yield self._by_name[item]
            elif isinstance(item, dict):
                name = item.get("@id")
                named = self._by_name.get(name) if isinstance(name, str) else None
                yield named if named is not None and len(item) == 1 else item

    def read_into(self, maker: ListingMaker) -> int:
        """Add all datasets to a list; returns their number."""
        datasets = self.datasets()
        for dataset in datasets:
            self._read_dataset(maker, dataset)
        return len(datasets)

    def _read_dataset(self, maker: ListingMaker, dataset: Node) -> None:
        page = _first(dataset, "landingpage", "url")
        maker.begin_dataset(
            _first(dataset, "identifier", "@id", "id"),
            _first(dataset, "title", "name"),
            description=_first(dataset, "description"),
            licence=self._name_thing(dataset, _LICENCES),
            modified=_first(dataset, *_DATES),
            page=page,
            publisher=self._name_publisher(dataset),
        )
        # Once each: a hostile text may name a long one thousands of times.
        parts = {id(part): part for part in self.follow(dataset.get("distribution"))}
        for distribution in parts.values():
            format_ = self._name_thing(distribution, _FORMATS)
            licence = self._name_thing(distribution, _LICENCES)
            _read_distribution(maker, distribution, format_, licence)
        for reference in _list_plain(dataset.get("distribution")):
            if reference not in self._by_name:
                maker.add_as(_guess_access(reference, "", "", ""), reference)

    def _name_thing(self, node: Node, names: Iterable[str]) -> str:
        """The first of these properties: its text, or the label of what it refers to."""
        for name in names:
            for thing in self.follow(node.get(name)):
                if text := _first(thing, *_LABELS):
                    return text
            # A name within the document means nothing outside it.
            if (text := _first(node, name)) and text[:2] != "_:":
                return text
        return ""

    def _name_publisher(self, dataset: Node) -> str:
        for name in ("publisher", "creator", "sourceorganization", "provider"):
            for agent in self.follow(dataset.get(name)):
                if text := _first(agent, "name", "title", "label", "fn", "legalname"):
                    return text
            if (text := _first(dataset, name)) and "://" not in text and text[:2] != "_:":
                return text
        return ""


def make_catalogue_page(url: str, platform: str, nodes: Iterable[Node]) -> Page | None:
    """The page of a catalogue; None if it has neither datasets nor a catalogue's type."""
    catalogue = LinkedCatalogue(nodes)
    maker = ListingMaker(url, platform, "catalogue")
    count = catalogue.read_into(maker)
    if not count:
        return None
    claimed = (count_of(text_of(node.get("totalitems"))) for node in catalogue.nodes)
    total = next((number for number in claimed if number is not None), count)
    for node in catalogue.nodes:
        # Hydra's pages of a catalogue.
        if following := _first(node, "next", "nextpage"):
            maker.follow_with(following)
            break
    title = next(
        (_first(n, "title", "name") for n in catalogue.nodes if types_of(n) & _CATALOGUE), ""
    )
    return maker.make_page(title, max(total, count))


def _read_distribution(maker: ListingMaker, node: Node, format_: str, licence: str) -> None:
    format_ = _VOCABULARY.sub("", format_)
    title = _first(node, *_FILE_TITLES)
    facts: dict[str, Any] = {
        "size": _read_size(_first(node, "bytesize", "contentsize")),
        "modified": _first(node, *_DATES),
        "licence": licence,
    }
    described = f"{format_} {_first(node, 'description')[:40]}"
    downloads = list(_addresses(node, "downloadurl", "contenturl"))
    for reference in downloads:
        role = guess_role(reference, format_)
        maker.add_as(role, reference, title, format=format_, **facts)
    if downloads:
        return
    # A distribution of schema.org may have its address there.
    for reference in [*_addresses(node, "accessurl")] or _addresses(node, "url"):
        role = _guess_access(reference, format_, title, described)
        maker.add_as(role, reference, title, format=format_, **facts)


def _read_size(text: str) -> int | None:
    """A size in bytes: a number as RDF writes it, or in schema.org with a unit."""
    try:
        return count_of(text) or parse_size(text) if len(text) < _LONGEST_SIZE else None
    except UserError:
        return None


def _guess_access(reference: str, format_: str, title: str, described: str) -> Role:
    """The role of an `accessURL`: mostly a page, or a file where a format is declared."""
    if title.lower() == "api" or "esri rest" in described.lower():
        return Role.SERVICE
    role = guess_role(reference, format_)
    if role is Role.FILE and not is_download_request(reference):
        extension = (
            extension_of(reference) if "://" in reference and reference.count("/") > 2 else ""
        )
        if extension in PAGE_EXTENSIONS or not (format_ or extension):
            return Role.PAGE
    return role


def _list_plain(value: Any) -> Iterator[str]:
    """Addresses where a catalogue has them in place of descriptions."""
    for item in value if isinstance(value, list) else [value]:
        if isinstance(item, str) and item.strip().startswith(("http://", "https://")):
            yield item.strip()


def _addresses(node: Node, *names: str) -> Iterator[str]:
    for name in names:
        value = node.get(name)
        for item in value if isinstance(value, list) else [value]:
            if text := text_of(item):
                yield text


def _first(node: Node, *names: str) -> str:
    """The first of these properties that has a text."""
    for name in names:
        if name in node and (text := text_of(node[name])):
            return text
    return ""


_DISTRIBUTIONS = frozenset(
    {"distribution", "dcat:distribution", "http://www.w3.org/ns/dcat#distribution"}
)
_ADDRESSES = (
    "contentUrl",
    "downloadURL",
    "downloadUrl",
    "dcat:downloadURL",
    "http://www.w3.org/ns/dcat#downloadURL",
)
_ENCODINGS = ("encodingFormat", "fileFormat", "dcat:mediaType")
_FILE_MARKS = ("istribution", "ncodingFormat", "ileFormat")
# With a fragment it would be the name of a thing in the same text.
_PLAIN_ADDRESS = re.compile(r"(?:https?://|/)[^\s#]{1,2000}\Z")
_LONGEST = 1 << 20
_MAX_FILES = 1000


def declared_files(text: str) -> list[tuple[str, str]]:
    """References to the files that a JSON-LD text names, each with its name.

    >>> declared_files('{"@type": "Dataset", "distribution": {"contentUrl": "/a.csv"}}')
    [('/a.csv', '')]
    """
    # Most JSON-LD is about breadcrumbs and logos: a look at the text saves the parsing.
    if len(text) > _LONGEST or not any(mark in text for mark in _FILE_MARKS):
        return []
    try:
        found = _distributions(json.loads(text))
    except (ValueError, RecursionError):
        return []
    return list(dict.fromkeys(found))[:_MAX_FILES]


def _distributions(data: Any) -> list[tuple[str, str]]:
    """The files of every distribution, at any depth."""
    files: list[tuple[str, str]] = []
    waiting = [(data, False)]
    while waiting:
        value, is_distribution = waiting.pop()
        if isinstance(value, list):
            waiting += ((item, is_distribution) for item in reversed(value))
        elif isinstance(value, str) and is_distribution and _PLAIN_ADDRESS.match(value):
            files.append((blank_unprintable(value), ""))
        elif isinstance(value, dict):
            if is_distribution or _has_data(value):
                files += _files(value)
            waiting += ((item, key in _DISTRIBUTIONS) for key, item in reversed(value.items()))
    return files


def _has_data(thing: dict[str, Any]) -> bool:
    """Whether a node describes a data file without being the distribution of a dataset."""
    formats = chain.from_iterable(_texts(thing.get(key)) for key in _ENCODINGS if key in thing)
    return any(is_certain_extension(extension_of_format(text)) for text in formats)


def _files(distribution: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for key in _ADDRESSES:
        for reference in _texts(distribution.get(key)):
            yield reference, next(_texts(distribution.get("name")), "")


def _texts(value: Any) -> Iterator[str]:
    """The texts of a value, as JSON-LD may write them."""
    for item in value if isinstance(value, list) else [value]:
        text = item.get("@id", item.get("@value")) if isinstance(item, dict) else item
        if isinstance(text, str):
            # JSON escapes can produce control characters and lone surrogates.
            yield blank_unprintable(text)
