"""The catalogue as DCAT-AP 3, in JSON-LD that a portal can harvest."""

import json
import re
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import PurePosixPath
from typing import Any

from datahound.catalog.catalog import Catalog, Entry, Table
from datahound.catalog.exports.crawled import Crawled, Job, Outcome
from datahound.catalog.exports.folder import MADE_BY, claim_file
from datahound.catalog.exports.groups import Group, group
from datahound.catalog.exports.media import file_type_uri, iana_uri, media_type
from datahound.errors import InternalError
from datahound.files import write_whole
from datahound.text import escape_iri, show_text
from datahound.web.urls import host_of

Node = dict[str, Any]

CONTEXT = {
    "dcat": "http://www.w3.org/ns/dcat#",
    "dct": "http://purl.org/dc/terms/",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "spdx": "http://spdx.org/rdf/terms#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}
_KEYWORDS, _LONGEST_KEYWORD = 20, 80
_COLUMNS_NAMED = 15
_UNNAMED = re.compile(r"column[ _]\d+|[\d\W_]+")


def export_dcat(job: Job) -> Outcome:
    """Write the catalogue as one JSON-LD document."""
    if job.catalog is None:
        raise InternalError("a DCAT catalogue is made from a catalogue")
    claim_file(job.output, force=job.force)
    outcome = Outcome(job.output, {"datasets": 0, "distributions": 0})
    with write_whole(job.output) as draft, draft.open("w", encoding="utf-8") as to:
        to.write(f'{{"@context": {json.dumps(CONTEXT)},\n"@graph": [\n')
        for number, node in enumerate(_nodes(job, job.catalog, outcome)):
            to.write((",\n" if number else "") + json.dumps(node, ensure_ascii=False))
        to.write("\n]}\n")
    return outcome


def _nodes(job: Job, catalog: Catalog, outcome: Outcome) -> Iterator[Node]:
    groups = group(e for e in catalog.entries() if e.statistics or not job.statistics_only)
    yield _catalog(job.crawled, groups)
    yield _publisher(job.crawled)
    series: dict[str, list[str]] = {}
    for found in groups:
        entries = [entry for id_ in found.members if (entry := catalog.entry(id_))]
        if not entries:
            continue
        tables = [table for entry in entries for table in catalog.tables(entry.id)]
        if found.series:
            series.setdefault(found.series, []).append(_title(entries[0]))
        job.progress("writing datasets", outcome.written["datasets"], len(groups))
        outcome.written["datasets"] += 1
        outcome.written["distributions"] += len(entries)
        yield _dataset(job.crawled, found, entries, tables)
        yield from map(_distribution, entries)
    for first, titles in series.items():
        yield _series(job.crawled, first, titles)


def _id(what: str, url: str) -> str:
    """A name for ever: the same URL gives the same one in every export."""
    return uuid.uuid5(uuid.NAMESPACE_URL, f"datahound {what} {escape_iri(url)}").urn


def _catalog(crawled: Crawled, groups: list[Group]) -> Node:
    host = show_text(host_of(crawled.seed))
    node: Node = {
        "@id": _id("catalog", crawled.seed),
        "@type": "dcat:Catalog",
        "dct:title": f"Data files of {host}",
        "dct:description": f"What a crawl of {escape_iri(crawled.seed)} found; {MADE_BY}.",
        "dct:publisher": {"@id": _id("publisher", crawled.seed)},
        "foaf:homepage": _page(crawled.seed),
        "dcat:dataset": [{"@id": _id("dataset", found.key)} for found in groups],
    }
    node |= _moment("dct:issued", crawled.began_at) | _moment("dct:modified", crawled.last_at)
    if series := dict.fromkeys(found.series for found in groups if found.series):
        node["dcat:resource"] = [{"@id": _id("series", key)} for key in series]
    return node


def _publisher(crawled: Crawled) -> Node:
    return {
        "@id": _id("publisher", crawled.seed),
        "@type": "foaf:Agent",
        "foaf:name": show_text(host_of(crawled.seed)) or "unknown",
        "foaf:homepage": _page(crawled.seed),
    }


def _dataset(crawled: Crawled, found: Group, entries: list[Entry], tables: list[Table]) -> Node:
    first = min(entries, key=lambda entry: (entry.url != found.key, entry.id))
    node: Node = {
        "@id": _id("dataset", found.key),
        "@type": "dcat:Dataset",
        "dct:title": _title(first),
        "dct:description": _description(first, entries, tables),
        "dct:identifier": _id("dataset", found.key),
        "dct:publisher": {"@id": _id("publisher", crawled.seed)},
        "dcat:distribution": [{"@id": _id("distribution", entry.url)} for entry in entries],
    }
    if pages := list(dict.fromkeys(entry.page for entry in entries if entry.page)):
        node["dcat:landingPage"] = [_page(page) for page in pages]
    if keywords := _keywords(first, entries, tables):
        node["dcat:keyword"] = keywords
    if places := dict.fromkeys(show_text(place) for entry in entries for place in entry.places):
        node["dct:spatial"] = [_place(place) for place in list(places)[:_KEYWORDS] if place]
    if found.series:
        node["dcat:inSeries"] = {"@id": _id("series", found.series)}
    node |= _moment("dct:issued", min(entry.found_at or "" for entry in entries))
    node |= _moment("dct:modified", max(_modified(entry) for entry in entries))
    return node | _temporal(entries)


def _distribution(entry: Entry) -> Node:
    media = media_type(entry.format, entry.mime_type)
    node: Node = {
        "@id": _id("distribution", entry.url),
        "@type": "dcat:Distribution",
        "dct:title": show_text(entry.link_title) or _title(entry),
        "dcat:accessURL": {"@id": escape_iri(entry.url)},
        "dcat:downloadURL": {"@id": escape_iri(entry.url)},
        "dcat:mediaType": {"@id": escape_iri(iana_uri(media)), "@type": "dct:MediaType"},
        "dcat:byteSize": {"@value": str(entry.bytes or 0), "@type": "xsd:nonNegativeInteger"},
    }
    if file_type := file_type_uri(entry.format):
        node["dct:format"] = {"@id": file_type, "@type": "dct:MediaTypeOrExtent"}
    if entry.sha256:
        node["spdx:checksum"] = {
            "@type": "spdx:Checksum",
            "spdx:algorithm": {"@id": "spdx:checksumAlgorithm_sha256"},
            "spdx:checksumValue": {"@value": entry.sha256, "@type": "xsd:hexBinary"},
        }
    return node | _moment("dct:issued", entry.found_at) | _moment("dct:modified", _modified(entry))


def _series(crawled: Crawled, first: str, titles: list[str]) -> Node:
    return {
        "@id": _id("series", first),
        "@type": "dcat:DatasetSeries",
        "dct:title": titles[0],
        "dct:description": show_text(
            f"The same table in {len(titles)} editions: {'; '.join(titles)}"
        ),
        "dct:publisher": {"@id": _id("publisher", crawled.seed)},
    }


def _title(entry: Entry) -> str:
    named = (entry.title, entry.link_title, PurePosixPath(entry.path).name, escape_iri(entry.url))
    return next((text for text in map(show_text, named) if text), "untitled")


def _description(first: Entry, entries: list[Entry], tables: list[Table]) -> str:
    """What the files hold, in a few plain sentences."""
    parts = [f"{_title(first)}."]
    if first.page_title:
        parts.append(f"Linked from the page “{show_text(first.page_title)}”.")
    if tables:
        rows = max(table.rows for table in tables)
        largest = max(tables, key=lambda table: table.rows)
        names = [show_text(column.name, _LONGEST_KEYWORD) for column in largest.fields]
        columns = ", ".join(filter(_is_telling, names[:_COLUMNS_NAMED]))
        parts.append(f"The largest table has {rows:,} rows{f' of {columns}' if columns else ''}.")
    if len(entries) > 1:
        parts.append(f"Formats: {', '.join(sorted({entry.format for entry in entries}))}.")
    return " ".join(parts)


def _keywords(first: Entry, entries: list[Entry], tables: list[Table]) -> list[str]:
    named = [first.section]
    named += [place for entry in entries for place in entry.places]
    named += [
        column.name for table in tables for column in table.fields if column.role == "dimension"
    ]
    words = dict.fromkeys(show_text(word) for word in named if word)
    return [word for word in words if _is_telling(word)][:_KEYWORDS]


def _is_telling(word: str) -> bool:
    """Whether a word says anything: not that of a column without a name."""
    return 1 < len(word) <= _LONGEST_KEYWORD and not _UNNAMED.fullmatch(word)


def _temporal(entries: list[Entry]) -> Node:
    years = [year for e in entries for year in (e.first_year, e.last_year) if year is not None]
    if not years:
        return {}
    first, last = min(years), max(years)
    return {
        "dct:temporal": {
            "@type": "dct:PeriodOfTime",
            "dcat:startDate": {"@value": f"{first:04}-01-01", "@type": "xsd:date"},
            "dcat:endDate": {"@value": f"{last:04}-12-31", "@type": "xsd:date"},
        }
    }


def _place(name: str) -> Node:
    return {"@type": "dct:Location", "skos:prefLabel": name}


def _page(url: str) -> Node:
    return {"@id": escape_iri(url), "@type": "foaf:Document"}


def _moment(name: str, text: str) -> Node:
    """A property with a time, if the text is one."""
    try:
        moment = datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError):
        return {}
    return {name: {"@value": _written(moment), "@type": "xsd:dateTime"}}


def _modified(entry: Entry) -> str:
    """When the file last changed as far as the server said, in ISO 8601; else when it was found."""
    try:
        return _written(parsedate_to_datetime(entry.last_modified).astimezone(UTC))
    except (ValueError, TypeError, OverflowError, IndexError):
        return entry.found_at or ""


def _written(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds").replace("+00:00", "Z")
