"""A crawl as a web archive for other tools: WARC and WACZ files."""

from datahound.archive.export.source import CrawlSource, ExportTask, KeptFile, VisitedPage, Written
from datahound.archive.export.wacz import write_wacz
from datahound.archive.export.warc import write_warc

__all__ = [
    "CrawlSource",
    "ExportTask",
    "KeptFile",
    "VisitedPage",
    "Written",
    "write_wacz",
    "write_warc",
]
