"""Export the catalogue as DCAT-AP 3 in JSON-LD, which portals harvest."""

import json
import re
import uuid
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import PurePosixPath
from typing import Any

from datahound.catalog.catalog import Catalog, Entry, Table
from datahound.catalog.exports.crawled import Crawled, Job, Outcome
from datahound.catalog.exports.folder import MADE_BY, claim_file
from datahound.catalog.exports.media import choose_media_type, make_file_type_uri, make_iana_uri
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
_MAX_KEYWORDS, _MAX_KEYWORD = 20, 80
_MAX_COLUMNS = 15
_UNNAMED = re.compile(r"column[ _]\d+|[\d\W_]+")
_NOT_WORDS = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class DatasetGroup:
    """Files that hold the same data in several formats: one dataset of DCAT."""

    key: str
    """The URL that was found first; it identifies the dataset in every export."""
    members: tuple[int, ...]
    """Ids of datasets of the catalogue."""
    series: str
    """The key of the first group of the series, or '' if it is in none."""


@dataclass(frozen=True, slots=True)
class _Member:
    id: int
    url: str
    found_at: str
    family: int
    years: tuple[int | None, int | None]
    format: str
    sha256: str
    stem: str


def export_dcat(job: Job) -> Outcome:
    """Write the catalogue as one JSON-LD document."""
    catalog = job.require_catalog()
    claim_file(job.output, force=job.force)
    outcome = Outcome(job.output, {"datasets": 0, "distributions": 0})
    with write_whole(job.output) as draft, draft.open("w", encoding="utf-8") as to:
        to.write(f'{{"@context": {json.dumps(CONTEXT)},\n"@graph": [\n')
        for number, node in enumerate(_list_nodes(job, catalog, outcome)):
            to.write((",\n" if number else "") + json.dumps(node, ensure_ascii=False))
        to.write("\n]}\n")
    return outcome


def _list_nodes(job: Job, catalog: Catalog, outcome: Outcome) -> Iterator[Node]:
    groups = group_entries(e for e in catalog.entries() if e.statistics or not job.statistics_only)
    yield _make_catalog(job.crawled, groups)
    yield _make_publisher(job.crawled)
    series: dict[str, list[str]] = {}
    for group in groups:
        entries = [entry for id_ in group.members if (entry := catalog.entry(id_))]
        if not entries:
            continue
        tables = [table for entry in entries for table in catalog.tables(entry.id)]
        if group.series:
            series.setdefault(group.series, []).append(_choose_title(entries[0]))
        job.progress("writing datasets", outcome.written["datasets"], len(groups))
        outcome.written["datasets"] += 1
        outcome.written["distributions"] += len(entries)
        yield _make_dataset(job.crawled, group, entries, tables)
        yield from map(_make_distribution, entries)
    # Last, when the titles of all its members are known.
    for first, titles in series.items():
        yield _make_series(job.crawled, first, titles)


def _make_urn(what: str, url: str) -> str:
    """A stable identifier: the same URL gives the same URN in every export."""
    # Version 5: made of the name, not by chance.
    return uuid.uuid5(uuid.NAMESPACE_URL, f"datahound {what} {escape_iri(url)}").urn


def _make_catalog(crawled: Crawled, groups: list[DatasetGroup]) -> Node:
    host = show_text(host_of(crawled.seed))
    node: Node = {
        "@id": _make_urn("catalog", crawled.seed),
        "@type": "dcat:Catalog",
        "dct:title": f"Data files of {host}",
        "dct:description": f"What a crawl of {escape_iri(crawled.seed)} found; {MADE_BY}.",
        "dct:publisher": {"@id": _make_urn("publisher", crawled.seed)},
        "foaf:homepage": _make_document(crawled.seed),
        "dcat:dataset": [{"@id": _make_urn("dataset", group.key)} for group in groups],
    }
    node |= _make_time("dct:issued", crawled.began_at) | _make_time("dct:modified", crawled.last_at)
    if series := dict.fromkeys(group.series for group in groups if group.series):
        node["dcat:resource"] = [{"@id": _make_urn("series", key)} for key in series]
    return node


def _make_publisher(crawled: Crawled) -> Node:
    return {
        "@id": _make_urn("publisher", crawled.seed),
        "@type": "foaf:Agent",
        "foaf:name": show_text(host_of(crawled.seed)) or "unknown",
        "foaf:homepage": _make_document(crawled.seed),
    }


def _make_dataset(
    crawled: Crawled, group: DatasetGroup, entries: list[Entry], tables: list[Table]
) -> Node:
    # The file that gives the dataset its identity describes it.
    first = min(entries, key=lambda entry: (entry.url != group.key, entry.id))
    node: Node = {
        "@id": _make_urn("dataset", group.key),
        "@type": "dcat:Dataset",
        "dct:title": _choose_title(first),
        "dct:description": show_text(first.description)
        or _describe_dataset(first, entries, tables),
        "dct:identifier": _make_urn("dataset", group.key),
        "dct:publisher": _choose_publisher(crawled, first),
        "dcat:distribution": [{"@id": _make_urn("distribution", entry.url)} for entry in entries],
    }
    if pages := list(dict.fromkeys(entry.page for entry in entries if entry.page)):
        node["dcat:landingPage"] = [_make_document(page) for page in pages]
    if keywords := _choose_keywords(first, entries, tables):
        node["dcat:keyword"] = keywords
    if places := dict.fromkeys(show_text(place) for entry in entries for place in entry.places):
        node["dct:spatial"] = [
            _make_place(place) for place in list(places)[:_MAX_KEYWORDS] if place
        ]
    if group.series:
        node["dcat:inSeries"] = {"@id": _make_urn("series", group.series)}
    node |= _make_time("dct:issued", min(entry.found_at or "" for entry in entries))
    node |= _make_time("dct:modified", max(_find_modified(entry) for entry in entries))
    if licence := show_text(first.licence):
        node["dct:license"] = _make_licence(licence)
    return node | _make_period(entries)


def _choose_publisher(crawled: Crawled, entry: Entry) -> Node:
    """The publisher that a portal names, or the site."""
    if name := show_text(entry.publisher):
        return {"@type": "foaf:Agent", "foaf:name": name}
    return {"@id": _make_urn("publisher", crawled.seed)}


def _make_licence(licence: str) -> Node:
    """A licence by its address, or by the name that the portal gives it."""
    if "://" in licence and " " not in licence:
        return {"@id": escape_iri(licence), "@type": "dct:LicenseDocument"}
    return {"@type": "dct:LicenseDocument", "dct:title": licence}


def _make_distribution(entry: Entry) -> Node:
    media = choose_media_type(entry.format, entry.mime_type)
    node: Node = {
        "@id": _make_urn("distribution", entry.url),
        "@type": "dcat:Distribution",
        "dct:title": show_text(entry.link_title) or _choose_title(entry),
        # DCAT-AP requires it; the file itself gives access, too.
        "dcat:accessURL": {"@id": escape_iri(entry.url)},
        "dcat:downloadURL": {"@id": escape_iri(entry.url)},
        "dcat:mediaType": {"@id": escape_iri(make_iana_uri(media)), "@type": "dct:MediaType"},
        # As text: JSON has no such type, and validators of DCAT-AP insist on it.
        "dcat:byteSize": {"@value": str(entry.bytes or 0), "@type": "xsd:nonNegativeInteger"},
    }
    if licence := show_text(entry.licence):
        node["dct:license"] = _make_licence(licence)
    if file_type := make_file_type_uri(entry.format):
        node["dct:format"] = {"@id": file_type, "@type": "dct:MediaTypeOrExtent"}
    if entry.sha256:
        node["spdx:checksum"] = {
            "@type": "spdx:Checksum",
            "spdx:algorithm": {"@id": "spdx:checksumAlgorithm_sha256"},
            "spdx:checksumValue": {"@value": entry.sha256, "@type": "xsd:hexBinary"},
        }
    return (
        node
        | _make_time("dct:issued", entry.found_at)
        | _make_time("dct:modified", _find_modified(entry))
    )


def _make_series(crawled: Crawled, first: str, titles: list[str]) -> Node:
    return {
        "@id": _make_urn("series", first),
        "@type": "dcat:DatasetSeries",
        "dct:title": titles[0],
        "dct:description": show_text(
            f"The same table in {len(titles)} editions: {'; '.join(titles)}"
        ),
        "dct:publisher": {"@id": _make_urn("publisher", crawled.seed)},
    }


def _choose_title(entry: Entry) -> str:
    named = (
        entry.title,
        entry.link_title,
        entry.dataset_title,
        PurePosixPath(entry.path).name,
        escape_iri(entry.url),
    )
    return next((text for text in map(show_text, named) if text), "untitled")


def _describe_dataset(first: Entry, entries: list[Entry], tables: list[Table]) -> str:
    """Describe the files of a dataset in a few sentences."""
    parts = [f"{_choose_title(first)}."]
    if first.page_title:
        parts.append(f"Linked from the page “{show_text(first.page_title)}”.")
    if tables:
        rows = max(table.rows for table in tables)
        largest = max(tables, key=lambda table: table.rows)
        names = [show_text(column.name, _MAX_KEYWORD) for column in largest.fields]
        columns = ", ".join(filter(_is_keyword, names[:_MAX_COLUMNS]))
        parts.append(f"The largest table has {rows:,} rows{f' of {columns}' if columns else ''}.")
    if len(entries) > 1:
        parts.append(f"Formats: {', '.join(sorted({entry.format for entry in entries}))}.")
    return " ".join(parts)


def _choose_keywords(first: Entry, entries: list[Entry], tables: list[Table]) -> list[str]:
    named = [first.section]
    named += [place for entry in entries for place in entry.places]
    named += [
        column.name for table in tables for column in table.fields if column.role == "dimension"
    ]
    words = dict.fromkeys(show_text(word) for word in named if word)
    return [word for word in words if _is_keyword(word)][:_MAX_KEYWORDS]


def _is_keyword(word: str) -> bool:
    """Whether a word is a keyword: short, and not the name of an unnamed column."""
    return 1 < len(word) <= _MAX_KEYWORD and not _UNNAMED.fullmatch(word)


def _make_period(entries: list[Entry]) -> Node:
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


def _make_place(name: str) -> Node:
    return {"@type": "dct:Location", "skos:prefLabel": name}


def _make_document(url: str) -> Node:
    return {"@id": escape_iri(url), "@type": "foaf:Document"}


def _make_time(name: str, text: str) -> Node:
    """A property with a time; empty if the text is not a time."""
    try:
        moment = datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError):
        return {}
    return {name: {"@value": _format_time(moment), "@type": "xsd:dateTime"}}


def _find_modified(entry: Entry) -> str:
    """What the portal says, or Last-Modified in ISO 8601, or else the time of finding."""
    if entry.source_modified and _make_time("", entry.source_modified):
        return entry.source_modified
    try:
        return _format_time(parsedate_to_datetime(entry.last_modified).astimezone(UTC))
    except (ValueError, TypeError, OverflowError, IndexError):
        return entry.found_at or ""


def _format_time(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds").replace("+00:00", "Z")


def group_entries(entries: Iterable[Entry]) -> list[DatasetGroup]:
    """Group the files of a catalogue into datasets, and datasets into series."""
    families: defaultdict[int, list[_Member]] = defaultdict(list)
    for entry in entries:
        # Without a family, a dataset is one of its own; ids are positive, so these can't clash.
        families[entry.family or -entry.id].append(_make_member(entry))
    groups: list[DatasetGroup] = []
    for family in families.values():
        groups += _split_family(family)
    return groups


def _split_family(family: list[_Member]) -> list[DatasetGroup]:
    found = sorted(_split_years(family), key=_find_first)
    series = _find_first(found[0])[1] if len(found) > 1 else ""
    return [
        DatasetGroup(_find_first(members)[1], tuple(member.id for member in members), series)
        for members in found
    ]


def _split_years(family: list[_Member]) -> list[list[_Member]]:
    """Split a family into groups of the same years with one file per format."""
    by_years: defaultdict[object, list[_Member]] = defaultdict(list)
    for member in family:
        by_years[member.years].append(member)
    found: list[list[_Member]] = []
    for members in by_years.values():
        contents = {(member.format, member.sha256) for member in members}
        if len({form for form, _ in contents}) == len(contents):
            found.append(members)
            continue
        # Two different tables in one format: files with the same name belong together.
        by_stem: defaultdict[str, list[_Member]] = defaultdict(list)
        for member in members:
            by_stem[member.stem].append(member)
        found += by_stem.values()
    return found


def _find_first(members: list[_Member]) -> tuple[str, str]:
    return min((member.found_at, member.url) for member in members)


def _make_member(entry: Entry) -> _Member:
    name = PurePosixPath(entry.path).name.split("~")[0]
    stem = _NOT_WORDS.sub(" ", name.rpartition(".")[0] or name).strip().casefold()
    return _Member(
        entry.id,
        entry.url,
        entry.found_at or "",
        entry.family or 0,
        (entry.first_year, entry.last_year),
        entry.format,
        entry.sha256,
        stem,
    )
