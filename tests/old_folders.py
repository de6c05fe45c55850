"""Crawl folders that earlier releases wrote: of each format, cut off or finished."""

import gzip
import shutil
from pathlib import Path

_HERE = Path(__file__).parent / "store" / "old_folders"
SITE = "synthetic:demo?pages=100&targets=30"
"""What was crawled; `format-3-foreseen` is of `websites.site_with_companions(40)`."""
NAMES = sorted(path.name.removesuffix(".db.gz") for path in _HERE.glob("*.db.gz"))


def unpack(name, folder):
    """Make the folder that a release left; its journal comes with it where it is kept."""
    (folder / "pages").mkdir(parents=True)
    (folder / "crawl.db").write_bytes(gzip.decompress((_HERE / f"{name}.db.gz").read_bytes()))
    journal = _HERE / f"{name}.warc.gz"
    if journal.exists():
        shutil.copy(journal, folder / "pages" / "www.demo.example.warc.gz")
    return folder
