"""Opening the recorded website that a user named."""

from pathlib import Path

from datahound.archive.archive import Archive, key
from datahound.archive.kit import is_database, open_kit
from datahound.archive.warc.archive import SUFFIXES, open_warc
from datahound.archive.warc.build import Progress, ignore_progress
from datahound.errors import ArchiveError

_ALLOWED = (
    f"a WARC file ({', '.join(SUFFIXES)}), a folder of them, a kit database (.db, .sqlite)"
    " or a synthetic site (synthetic:NAME)"
)


def open_archive(spec: str, progress: Progress = ignore_progress) -> Archive:
    """The recorded website that a user named, for reading.

    A path to a WARC file, to a folder of them or to a database of the paper's kit, or a synthetic
    site such as `synthetic:ju?scale=0.1`. The start page is the first that was recorded; after a
    path, `?seed=URL` gives another.
    """
    if spec.startswith("synthetic:"):
        from datahound.archive.synthetic import open_synthetic  # noqa: PLC0415 heavy

        return open_synthetic(spec)
    name, _, seed = spec.partition("?seed=")
    path = Path(name).expanduser()
    if not name or not path.exists():
        raise ArchiveError(f"{spec or 'no name'}: no such site; give {_ALLOWED}")
    # By content, because databases of the kit may have any name.
    if path.is_file() and is_database(path):
        return open_kit(path, seed)
    archive = open_warc(path, progress)
    archive.seed = key(seed) if seed else archive.seed
    return archive
