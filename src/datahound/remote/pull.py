"""Fetch a shipped crawl folder: all of it, or its databases and lists; only what differs."""

import hashlib
from collections.abc import Callable
from pathlib import Path

from datahound.errors import UserError
from datahound.files import storage_errors, write_whole
from datahound.remote.manifest import Piece, read_manifest
from datahound.remote.objects import Objects, RemoteError
from datahound.remote.ship import FILES, hash_file

Advance = Callable[[int], None]


def ignore_count(done: int) -> None:
    """Ignore the number of files fetched so far."""


def pull_folder(
    objects: Objects,
    folder: Path,
    *,
    files: bool = True,
    advance: Advance = ignore_count,
) -> bool:
    """Make a folder as it was shipped; whether anything was shipped.

    Without `files`, the data files and the journal stay where they are.
    """
    # Whatever it names is there: objects are deleted only after a newer manifest was written.
    manifest = read_manifest(objects).manifest
    if not manifest.documents:
        return False
    with storage_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        for name, piece in manifest.documents.items():
            _pull_document(objects, piece, _inside(folder, name))
        if files:
            for name, parts in manifest.journals.items():
                _pull_journal(objects, parts, _inside(folder, name))
            _pull_files(objects, folder, advance)
    return True


def _pull_document(objects: Objects, piece: Piece, path: Path) -> None:
    if path.is_file() and hash_file(path)[0] == piece.sha256:
        return
    for side in ("-wal", "-shm"):  # of the database that is replaced
        path.with_name(path.name + side).unlink(missing_ok=True)
    if not objects.fetch(piece.key, path) or hash_file(path)[0] != piece.sha256:
        path.unlink(missing_ok=True)
        raise RemoteError(f"{piece.key}: is missing or damaged; pull again")


def _pull_journal(objects: Objects, parts: tuple[Piece, ...], path: Path) -> None:
    # A journal only grows, so an equal size is an equal journal.
    if path.is_file() and path.stat().st_size == sum(part.size for part in parts):
        return
    with write_whole(path) as draft, draft.open("wb") as journal:
        for part in parts:
            stored = objects.get(part.key)
            if stored is None or hashlib.sha256(stored.data).hexdigest() != part.sha256:
                raise RemoteError(f"{part.key}: is missing or damaged; pull again")
            journal.write(stored.data)


def _pull_files(objects: Objects, folder: Path, advance: Advance) -> None:
    """Fetch the data files; the next crawl compares them with its ledger, and mends the rest."""
    for done, (key, size) in enumerate(objects.list(f"{FILES}/"), start=1):
        path = _inside(folder, key)
        if not path.is_file() or path.stat().st_size != size:
            objects.fetch(key, path)
        advance(done)


def _inside(folder: Path, name: str) -> Path:
    """A path in the folder; refused if it is outside, since a manifest may name any path."""
    path = folder / name
    if name.startswith("/") or ".." in Path(name).parts:
        raise UserError(f"{name}: is outside the folder")
    return path
