"""How much a file may cost."""

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Limits:
    """What a worker may spend on one file; what is over is not looked into, and said so."""

    seconds: float = 120.0
    """By the clock, from the first byte to the last table."""
    memory_bytes: int = 3 << 30
    """Of address space, for a worker."""
    unpacked_bytes: int = 1 << 30
    """Of all that is unpacked from one file."""
    whole_bytes: int = 256 << 20
    """Of a file or member that must be in memory as a whole: JSON, XML, HTML."""
    members: int = 200
    """Files in an archive that are looked into."""
    depth: int = 2
    """Archives inside archives."""
    tables: int = 200
    """In one file."""
    columns: int = 1000
    """Of a table."""
    pages: int = 60
    """Of a PDF."""
    pdf_seconds: float = 30.0
    """After which the rest of a PDF's pages is left."""

    def plain(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)
