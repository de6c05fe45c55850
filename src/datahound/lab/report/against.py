"""Compare a list of URLs found elsewhere, such as by a search engine, with what a crawl found."""

import csv
from dataclasses import dataclass
from pathlib import Path

from datahound.errors import UserError
from datahound.web.urls import canonical

_DATASETS = "datasets.csv"


@dataclass(frozen=True, slots=True)
class Overlap:
    """The URLs of both sides, in canonical form; in the order in which each was found."""

    both: tuple[str, ...]
    only_listed: tuple[str, ...]
    only_crawled: tuple[str, ...]

    @property
    def listed(self) -> int:
        return len(self.both) + len(self.only_listed)

    @property
    def crawled(self) -> int:
        return len(self.both) + len(self.only_crawled)


def compare_with_list(listed: Path, crawl: Path) -> Overlap:
    """Compare a CSV file or a text file of URLs with the datasets of a crawl folder."""
    datasets = crawl / _DATASETS
    if not datasets.is_file():
        raise UserError(f"{crawl}: no folder of a crawl, it has no {_DATASETS}")
    theirs, ours = read_urls(listed), read_urls(datasets)
    if not theirs:
        raise UserError(f"{listed}: no URL in it")
    return Overlap(
        tuple(url for url in theirs if url in ours),
        tuple(url for url in theirs if url not in ours),
        tuple(url for url in ours if url not in theirs),
    )


def read_urls(path: Path) -> dict[str, None]:
    """Read the first URL of each row, each once, in canonical form."""
    found: dict[str, None] = {}
    try:
        with path.open(newline="", encoding="utf-8-sig", errors="replace") as file:
            for row in csv.reader(line.replace("\0", "") for line in file):
                urls = (cell.strip() for cell in row)
                first = next((u for u in urls if u.startswith(("http://", "https://"))), None)
                if first and (url := canonical(first)):
                    found[url] = None
    except (OSError, csv.Error) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise UserError(f"{path}: can't be read ({reason})") from None
    return found
