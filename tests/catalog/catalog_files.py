"""Folders of files to be catalogued, without a crawl."""

import hashlib
from pathlib import Path

from datahound.catalog.inspect import FileProfile, inspect_file
from datahound.catalog.model import Source
from datahound.catalog.readers.task import Limits, Task
from datahound.catalog.update import Updated, update

FIGURES = "region,year,pupils,share\nNorth,2019,120,4.5\nSouth,2019,340,5.5\nWest,2020,99,1.5\n"


def keep(folder: Path, files: dict[str, bytes | str], **facts: str) -> list[Source]:
    """Write files as a crawl keeps them, and say what it knows of them."""
    sources = []
    for name, content in files.items():
        body = content.encode() if isinstance(content, str) else content
        path = folder / "files" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body)
        known = {"title": "", "page": "https://example.org/stats/schools", "page_title": ""} | facts
        sources.append(
            Source(
                f"https://example.org/files/{name}",
                name,
                bytes=len(body),
                sha256=hashlib.sha256(body).hexdigest(),
                found_at="2024-01-01T00:00:00Z",
                **known,
            )
        )
    return sources


def catalogue(folder: Path, sources: list[Source], **options: object) -> Updated:
    """Update with one worker, which is what a test can afford."""
    return update(folder, sources, workers=1, **options)


def looked(tmp_path: Path, name: str, content: bytes | str) -> FileProfile:
    """Inspect one file, in this process."""
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    scratch = tmp_path / "scratch"
    scratch.mkdir(exist_ok=True)
    return inspect_file(path, Task(Limits(), scratch, name=name))
