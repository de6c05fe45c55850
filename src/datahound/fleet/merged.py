"""The catalogues of all sites of a fleet: fetched from the store, and merged into one table."""

import logging
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, get_type_hints

from datahound.catalog.catalog import Catalog, Entry
from datahound.errors import DatahoundError, UserError
from datahound.files import storage_errors, write_whole
from datahound.fleet.records import CRAWLS, FleetSite
from datahound.fleet.status import read_groups
from datahound.remote.manifest import read_manifest
from datahound.remote.objects import Objects, RemoteError

_CATALOG = "catalog.db"
_LEFT_OUT = ("id", "family", "tables", "statistics")
_READERS = 16
_SITES_AT_ONCE = 64
"""Catalogues in memory at a time: those of thousands of sites would not fit."""

_log = logging.getLogger(__name__)


def merge_catalogs(objects: Objects, output: Path) -> tuple[int, int]:
    """Write the datasets of all shipped catalogues as Parquet; how many, and of how many sites.

    A catalogue that is damaged is said and left out.
    """
    pl: Any = import_module("polars")
    sites = [site for group in read_groups(objects) for site in group.sites]
    schema, parts, datasets, merged = _make_schema(pl), list[Path](), 0, 0
    with storage_errors(output), write_whole(output) as draft, TemporaryDirectory() as scratch:
        for found in _read_batches(objects, sites):
            rows = [row for of_site in found for row in of_site]
            parts.append(Path(scratch, f"{len(parts)}.parquet"))
            pl.DataFrame(rows, schema=schema).write_parquet(parts[-1])
            datasets, merged = datasets + len(rows), merged + sum(map(bool, found))
        if not datasets:
            raise UserError("no site of the fleet has shipped a catalogue with datasets yet")
        pl.scan_parquet(parts).sink_parquet(draft)
    return datasets, merged


def fetch_catalog(objects: Objects, site: FleetSite, folder: Path) -> bool:
    """Fetch the shipped catalogue of a site into a folder; whether there is one."""
    prefix = f"{CRAWLS}/{site.slug}/"
    piece = read_manifest(objects, prefix).manifest.documents.get(_CATALOG)
    if piece is None:
        return False
    if not objects.fetch(prefix + piece.key, folder / _CATALOG):
        raise DatahoundError(f"{prefix}{piece.key}: is missing")
    return True


def _make_schema(pl: Any) -> dict[str, Any]:
    """The columns and their types: the same every night, also where a column is empty."""
    types = {str: pl.String, int: pl.Int64, int | None: pl.Int64, list[str]: pl.List(pl.String)}
    fields = {name: types[kind] for name, kind in get_type_hints(Entry).items()}
    own = {name: kind for name, kind in fields.items() if name not in _LEFT_OUT}
    return {"site": pl.String, **own, "object": pl.String}


def _read_batches(
    objects: Objects, sites: Sequence[FleetSite]
) -> Iterator[list[list[dict[str, Any]]]]:
    with ThreadPoolExecutor(_READERS) as threads:
        for start in range(0, len(sites), _SITES_AT_ONCE):
            batch = sites[start : start + _SITES_AT_ONCE]
            yield list(threads.map(lambda site: _read_sound(objects, site), batch))


def _read_sound(objects: Objects, site: FleetSite) -> list[dict[str, Any]]:
    try:
        return list(_read_datasets(objects, site))
    except RemoteError:
        raise  # a table without the sites that could not be asked for would be taken for all
    except DatahoundError as error:
        _log.warning("%s: its catalogue is left out: %s", site.url, error)
        return []


def _read_datasets(objects: Objects, site: FleetSite) -> Iterator[dict[str, Any]]:
    with TemporaryDirectory() as scratch:
        if not fetch_catalog(objects, site, Path(scratch)):
            return
        with Catalog(Path(scratch)) as catalog:
            for entry in catalog.entries():
                fields = {n: v for n, v in asdict(entry).items() if n not in _LEFT_OUT}
                object_key = f"{CRAWLS}/{site.slug}/files/{entry.path}"
                yield {"site": site.url, **fields, "object": object_key}
