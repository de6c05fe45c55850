"""Export a crawl in the formats of other programs and portals."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import cast

from datahound.catalog.exports.crawled import Crawled, Job, Kept, Outcome, Page
from datahound.errors import UserError
from datahound.web.urls import host_of

__all__ = ["FORMATS", "Crawled", "Format", "Job", "Kept", "Outcome", "Page", "format_named"]

Export = Callable[[Job], Outcome]


@dataclass(frozen=True, slots=True)
class Format:
    """An export format."""

    function: str
    """`module:function`; imported when needed, since some modules load large libraries."""
    output: str
    """Default path in the crawl folder; `{host}` is the host of the site."""
    of_catalog: bool = True
    """Whether the export needs the catalogue."""

    def default_output(self, crawled: Crawled) -> Path:
        host = host_of(crawled.seed).strip("[]").replace(":", "-")
        return crawled.folder / self.output.format(host=host or "crawl")

    def export(self, job: Job) -> Outcome:
        """Run the export."""
        module, _, function = self.function.partition(":")
        return cast("Export", getattr(import_module(module), function))(job)


FORMATS = {
    "datapackage": Format(f"{__name__}.datapackage:export_datapackage", "datapackage.json"),
    "dcat": Format(f"{__name__}.dcat:export_dcat", "exports/catalog.jsonld"),
    "csv": Format(f"{__name__}.csv_files:export_csv", "exports/csv"),
    "parquet": Format(f"{__name__}.parquet:export_parquet", "exports/parquet"),
    "warc": Format(f"{__name__}.warc:export_warc", "exports/{host}.warc.gz", of_catalog=False),
    "wacz": Format(f"{__name__}.wacz:export_wacz", "exports/{host}.wacz", of_catalog=False),
}


def format_named(name: str) -> Format:
    """The export format with this name."""
    found = FORMATS.get(name.strip().lower())
    if found is None:
        raise UserError(f"unknown format {name!r}: give one of {', '.join(FORMATS)}")
    return found
