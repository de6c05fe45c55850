"""Writing any recorded website as a WARC file."""

import tempfile
from collections.abc import Callable
from pathlib import Path

from datahound.archive.archive import Archive
from datahound.archive.warc.build import index_beside
from datahound.archive.warc.recorder import record_warc
from datahound.errors import ArchiveError

Count = Callable[[int], None]
"""Called with the number of exchanges written so far."""


def uncounted(written: int) -> None:
    """Ignore the count."""


def import_archive(source: Archive, to: Path, progress: Count = uncounted) -> int:
    """Write all exchanges of a site into a new WARC file; how many there were.

    The file appears under its name only when it is complete; an existing file is not replaced.
    """
    if to.exists():
        raise ArchiveError(f"{to}: is there already; give a new name")
    if not to.parent.is_dir():
        raise ArchiveError(f"{to}: there is no folder {to.parent}")
    try:
        with tempfile.TemporaryDirectory(prefix=".importing-", dir=to.parent) as folder:
            draft = Path(folder) / to.name
            written = _copy(source, draft, progress)
            _publish(draft, to)
    except OSError as error:
        raise ArchiveError(f"{to}: can't be written: {error.strerror or error}") from None
    return written


def _copy(source: Archive, draft: Path, progress: Count) -> int:
    written = 0
    with record_warc(draft, source.seed) as target:
        for written, (fetch, answer) in enumerate(source, 1):
            target.put(fetch, answer)
            progress(written)
    if not written:
        raise ArchiveError(f"{source.name}: nothing is recorded, so there is nothing to import")
    return written


def _publish(draft: Path, to: Path) -> None:
    """Move the file and its index to their names, unless the name is taken by now."""
    try:
        to.hardlink_to(draft)
    except FileExistsError:
        raise ArchiveError(f"{to}: is there already; give a new name") from None
    except OSError:  # a file system without hard links
        draft.rename(to)
    index_beside(draft).replace(index_beside(to))
