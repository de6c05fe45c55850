"""The catalogues of all sites of a fleet: fetched from the store, and merged into one table."""

from collections.abc import Iterator
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from datahound.catalog.catalog import Catalog
from datahound.errors import DatahoundError, UserError
from datahound.files import storage_errors, write_whole
from datahound.fleet.records import CRAWLS, FleetSite
from datahound.fleet.status import read_groups
from datahound.remote.manifest import read_manifest
from datahound.remote.objects import Objects

_CATALOG = "catalog.db"
_LEFT_OUT = ("id", "family", "tables", "statistics")


def merge_catalogs(objects: Objects, output: Path) -> tuple[int, int]:
    """Write the datasets of all shipped catalogues as Parquet; how many, and of how many sites."""
    pl: Any = import_module("polars")
    rows: list[dict[str, Any]] = []
    sites = 0
    for group in read_groups(objects):
        for site in group.sites:
            found = list(_read_datasets(objects, site))
            rows += found
            sites += bool(found)
    if not rows:
        raise UserError("no site of the fleet has shipped a catalogue with datasets yet")
    # Columns where most rows have no value need the type of all rows.
    table = pl.DataFrame(rows, infer_schema_length=None)
    with storage_errors(output), write_whole(output) as draft:
        table.write_parquet(draft)
    return len(rows), sites


def fetch_catalog(objects: Objects, site: FleetSite, folder: Path) -> bool:
    """Fetch the shipped catalogue of a site into a folder; whether there is one."""
    prefix = f"{CRAWLS}/{site.slug}/"
    piece = read_manifest(objects, prefix).manifest.documents.get(_CATALOG)
    if piece is None:
        return False
    if not objects.fetch(prefix + piece.key, folder / _CATALOG):
        raise DatahoundError(f"{prefix}{piece.key}: is missing")
    return True


def _read_datasets(objects: Objects, site: FleetSite) -> Iterator[dict[str, Any]]:
    with TemporaryDirectory() as scratch:
        if not fetch_catalog(objects, site, Path(scratch)):
            return
        with Catalog(Path(scratch)) as catalog:
            for entry in catalog.entries():
                fields = {n: v for n, v in asdict(entry).items() if n not in _LEFT_OUT}
                object_key = f"{CRAWLS}/{site.slug}/files/{entry.path}"
                yield {"site": site.url, **fields, "object": object_key}
