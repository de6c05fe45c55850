"""Which files are one dataset in several formats, and which datasets are one series."""

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath

from datahound.catalog.catalog import Entry

_NOT_WORDS = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Group:
    """Files that hold the same data; the first one found gives them their name."""

    key: str
    """The URL found first, by which the dataset is known for ever."""
    members: tuple[int, ...]
    """Numbers of datasets in the catalogue."""
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


def group(entries: Iterable[Entry]) -> list[Group]:
    """The datasets, each with its files, in the order of finding."""
    families: defaultdict[int, list[_Member]] = defaultdict(list)
    for entry in entries:
        families[entry.family or -entry.id].append(_member(entry))
    groups: list[Group] = []
    for family in families.values():
        groups += _groups_of(family)
    return groups


def _groups_of(family: list[_Member]) -> list[Group]:
    found = sorted(_same_data(family), key=_first)
    series = _first(found[0])[1] if len(found) > 1 else ""
    return [
        Group(_first(members)[1], tuple(member.id for member in members), series)
        for members in found
    ]


def _same_data(family: list[_Member]) -> list[list[_Member]]:
    """A family's members of the same years, one of each format, together."""
    by_years: defaultdict[object, list[_Member]] = defaultdict(list)
    for member in family:
        by_years[member.years].append(member)
    found: list[list[_Member]] = []
    for members in by_years.values():
        contents = {(member.format, member.sha256) for member in members}
        if len({form for form, _ in contents}) == len(contents):
            found.append(members)
            continue
        # Two different tables in one format: the names of their files tell which belong together.
        by_stem: defaultdict[str, list[_Member]] = defaultdict(list)
        for member in members:
            by_stem[member.stem].append(member)
        found += by_stem.values()
    return found


def _first(members: list[_Member]) -> tuple[str, str]:
    return min((member.found_at, member.url) for member in members)


def _member(entry: Entry) -> _Member:
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
