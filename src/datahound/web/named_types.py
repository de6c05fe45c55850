"""The type that the name of a file says: of Content-Disposition, of its link, or of its URL."""

from typing import NamedTuple
from urllib.parse import unquote

from datahound.web.disposition import disposition_name as disposition_name  # noqa: PLC0414
from datahound.web.leading_bytes import agree
from datahound.web.types import FILE_TYPES, FileType

_PACKINGS = frozenset({".gz", ".bz2", ".xz", ".zst", ".zip", ".7z"})
# Reversed, so that of two rows with one extension the first counts.
_BY_EXTENSION = {e: kind for kind in reversed(FILE_TYPES) for e in kind.extensions}


class NamedType(NamedTuple):
    """The type that a file name says."""

    kind: FileType
    packing: str = ""
    """The name of the type of the archive that holds it, as in `x.csv.gz`."""

    def agrees(self, found: str) -> bool:
        """Whether a file of this name may begin like the type that was found."""
        return agree(self.packing or self.kind.name, found)


def find_named_type(url: str, disposition: str = "", hint: str = "") -> NamedType | None:
    """The type that a file name says: of Content-Disposition, the link, the URL or its query."""
    for name in (disposition_name(disposition) if disposition else "", hint, last_segment(url)):
        if kind := _type_of_name(name):
            return kind
    values = (pair.rpartition("=")[2] for pair in url.partition("?")[2].split("&"))
    return next(filter(None, map(_type_of_name, values)), None)


def last_segment(url: str) -> str:
    """The last segment of a URL's path: its file name, if it has one."""
    return url.partition("?")[0].rpartition("/")[2]


def _type_of_name(name: str) -> NamedType | None:
    """The type that the extension of a name says; of `x.csv.gz` the inner one, if it is known."""
    if "." not in name:
        return None
    stem, dot, extension = unquote(name).strip().lower().rpartition(".")
    outer = _BY_EXTENSION.get(dot + extension)
    if not stem or outer is None:
        return None
    if dot + extension in _PACKINGS:
        inner_stem, inner_dot, inner = stem.rpartition(".")
        if inner_stem and (kind := _BY_EXTENSION.get(inner_dot + inner)):
            return NamedType(kind, outer.name)
    return NamedType(outer)
