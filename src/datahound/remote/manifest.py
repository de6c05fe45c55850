"""What a shipped crawl folder consists of: one small object, which is replaced last."""

import json
from dataclasses import asdict, dataclass, field, replace

from datahound.errors import UserError
from datahound.remote.objects import Objects, RemoteError

MANIFEST = "manifest.json"
_FORMAT = 1


@dataclass(frozen=True, slots=True)
class Piece:
    """An object that holds a whole document, or a part of a journal."""

    key: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """The folder as it was shipped last. Data files are listed in the database, not here."""

    epoch: int = 0
    """Grows whenever another process takes the folder over: who wrote with less is too late."""
    writer: str = ""
    lease: int = 0
    """The epoch of the group in a fleet under which the folder was taken over last."""
    documents: dict[str, Piece] = field(default_factory=dict)
    """Databases, lists and reports, by path."""
    journals: dict[str, tuple[Piece, ...]] = field(default_factory=dict)
    """The parts of each journal in their order, by path."""

    def keys(self) -> set[str]:
        """Return the keys of all objects that the manifest needs."""
        parts = [piece for pieces in self.journals.values() for piece in pieces]
        return {piece.key for piece in [*self.documents.values(), *parts]}

    def encode(self) -> bytes:
        """Return the manifest as JSON."""
        return json.dumps({"format": _FORMAT, **asdict(self)}, indent=1, sort_keys=True).encode()


@dataclass(frozen=True, slots=True)
class Shipped:
    """A manifest as it was read, and the mark under which it can be replaced; '' if it is new."""

    manifest: Manifest
    mark: str = ""


class TakenOver(RemoteError):
    """Another process ships this folder now; what this one would write is out of date."""


def read_manifest(objects: Objects, prefix: str = "") -> Shipped:
    """Read the manifest of a folder; an empty one if nothing was shipped."""
    stored = objects.get(prefix + MANIFEST)
    if stored is None:
        return Shipped(Manifest())
    try:
        return Shipped(_decode(stored.data), stored.mark)
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise UserError(f"{prefix}{MANIFEST}: is not of a crawl folder") from None


def write_manifest(
    objects: Objects, shipped: Shipped, manifest: Manifest, prefix: str = ""
) -> Shipped:
    """Replace the manifest that was read; raise `TakenOver` if it is another one by now."""
    key, data = prefix + MANIFEST, manifest.encode()
    new = not shipped.mark
    mark = objects.create(key, data) if new else objects.replace(key, data, shipped.mark)
    if mark is None:
        raise TakenOver(f"{key}: another process has taken this crawl over")
    return Shipped(manifest, mark)


def take_over(
    objects: Objects, writer: str, prefix: str = "", *, lease: int | None = None
) -> Shipped:
    """Become the one process that ships a folder; an earlier one is refused from now on.

    A worker of a fleet that was frozen on its way here has an older lease than its successor.
    """
    shipped = read_manifest(objects, prefix)
    there = shipped.manifest
    if lease is not None and lease < there.lease:
        raise TakenOver(f"{prefix}{MANIFEST}: another worker has taken this crawl over")
    newest = there.lease if lease is None else lease
    ours = replace(there, epoch=there.epoch + 1, writer=writer, lease=newest)
    return write_manifest(objects, shipped, ours, prefix)


def _decode(data: bytes) -> Manifest:
    fields = json.loads(data)
    if fields.pop("format") != _FORMAT:
        raise ValueError
    documents = {path: Piece(**piece) for path, piece in fields.pop("documents").items()}
    journals = {
        path: tuple(Piece(**piece) for piece in pieces)
        for path, pieces in fields.pop("journals").items()
    }
    return Manifest(**fields, documents=documents, journals=journals)
