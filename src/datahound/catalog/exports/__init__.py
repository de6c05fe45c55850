"""What a crawl found, in the forms that other programs and portals read."""

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
    """A form to export in."""

    module: str
    """With the libraries that it needs: loaded when it is asked for."""
    output: str
    """Where it goes in the folder of the crawl; `{host}` is the site's."""
    of_catalog: bool = True
    """Whether it is made from the catalogue, or only from the crawl."""

    def default_output(self, crawled: Crawled) -> Path:
        host = host_of(crawled.seed).strip("[]").replace(":", "-")
        return crawled.folder / self.output.format(host=host or "crawl")

    def export(self, job: Job) -> Outcome:
        """Write it."""
        name = self.module.removesuffix("_files")
        module = import_module(f"datahound.catalog.exports.{self.module}")
        return cast("Export", getattr(module, f"export_{name}"))(job)


FORMATS = {
    "datapackage": Format("datapackage", "datapackage.json"),
    "dcat": Format("dcat", "exports/catalog.jsonld"),
    "csv": Format("csv_files", "exports/csv"),
    "parquet": Format("parquet", "exports/parquet"),
    "warc": Format("warc", "exports/{host}.warc.gz", of_catalog=False),
    "wacz": Format("wacz", "exports/{host}.wacz", of_catalog=False),
}


def format_named(name: str) -> Format:
    """The format of a name that a user gave."""
    found = FORMATS.get(name.strip().lower())
    if found is None:
        raise UserError(f"unknown format {name!r}: give one of {', '.join(FORMATS)}")
    return found
