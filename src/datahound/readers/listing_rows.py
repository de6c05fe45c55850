"""What an answer lists as plain data, in short records, and back."""

from dataclasses import astuple
from typing import Any

from datahound.model import Entry, ListedDataset, Listing, Role

_AT_ONCE = 500


def pack_listing(listing: Listing | None) -> list[dict[str, Any]]:
    """A listing as records; none for none."""
    if listing is None:
        return []
    head = {"listing": [listing.platform, listing.request, listing.total, listing.remark]}
    datasets = [list(astuple(dataset)) for dataset in listing.datasets]
    entries = [_entry_row(entry) for entry in listing.entries]
    return [head, *_split("datasets", datasets), *_split("entries", entries)]


class ListingReader:
    """Takes the records of a listing, one after the other."""

    def __init__(self) -> None:
        self._head: list[Any] | None = None
        self._datasets: list[ListedDataset] = []
        self._entries: list[Entry] = []

    def take(self, record: dict[str, Any]) -> None:
        """Take a record, if it is part of a listing."""
        self._head = record.get("listing", self._head)
        self._datasets.extend(ListedDataset(*row) for row in record.get("datasets", ()))
        self._entries.extend(_make_entry(*row) for row in record.get("entries", ()))

    @property
    def listing(self) -> Listing | None:
        """The listing, if there was one."""
        if self._head is None:
            return None
        platform, request, total, remark = self._head
        what = (tuple(self._datasets), tuple(self._entries))
        return Listing(platform, request, total, *what, remark)


def _entry_row(entry: Entry) -> list[Any]:
    return [
        entry.url,
        entry.role.value,
        entry.title,
        entry.format,
        entry.size,
        entry.modified,
        entry.licence,
        entry.dataset,
    ]


def _make_entry(url: str, role: str, *rest: Any) -> Entry:
    return Entry(url, Role(role), *rest)


def _split(name: str, rows: list[list[Any]]) -> list[dict[str, Any]]:
    return [{name: rows[start : start + _AT_ONCE]} for start in range(0, len(rows), _AT_ONCE)]
