"""Undo Content-Encoding, up to a limit of bytes."""

import io
import warnings
import zlib
from collections.abc import Callable
from typing import NamedTuple, Protocol

_STEP = 64 << 10
_WHOLE_STEP = 1 << 20
_MOST_LAYERS = 3


class Readable(Protocol):
    """Bytes to be read in parts."""

    def read(self, size: int, /) -> bytes: ...


class BadEncoding(Exception):
    """Bytes are not what their Content-Encoding says."""


class Unpacked(NamedTuple):
    """A body as far as it could be decoded; the problem that ended it, or ''."""

    body: bytes
    whole: bool
    problem: str = ""


def unpack(payload: bytes, encodings: str, limit: int, step: int = _STEP) -> Unpacked:
    """Decode a payload, and cut it at the limit."""
    body = bytearray()
    try:
        stream = unpacking(io.BytesIO(payload), encodings)
        while len(body) <= limit:
            part = read_step(stream, step)
            if not part:
                return Unpacked(bytes(body), whole=True)
            body += part
    except BadEncoding as error:
        return Unpacked(bytes(body), whole=False, problem=str(error))
    return Unpacked(bytes(body[:limit]), whole=False)


def unpack_tolerantly(payload: bytes, encodings: str, limit: int) -> Unpacked:
    """Decode a payload as far as possible.

    For recordings of other tools: an encoding that is unknown, or by which nothing can be decoded,
    is ignored.
    """
    unpacked = Unpacked(payload, whole=True)
    for layer in reversed(layers_of(encodings)):
        if layer in _LAYERS and unpacked.body:
            body, whole, _ = unpack(unpacked.body, layer, limit, _WHOLE_STEP)
            if body or whole:
                unpacked = Unpacked(body, whole and unpacked.whole)
    if len(unpacked.body) > limit:
        return Unpacked(unpacked.body[:limit], whole=False)
    return unpacked


def unpacking(packed: Readable, encodings: str) -> Readable:
    """A stream of the decoded bytes; reading it may raise `BadEncoding`."""
    layers = layers_of(encodings)
    if len(layers) > _MOST_LAYERS:
        raise BadEncoding("packed too many times")
    stream = packed
    for layer in reversed(layers):
        opened = _LAYERS.get(layer)
        if opened is None:
            raise BadEncoding(f"unknown encoding {layer[:20]!r}")
        stream = opened(stream)
    return stream


def layers_of(encodings: str) -> list[str]:
    """The encodings that a header names, without those that change nothing."""
    named = (name.strip() for name in encodings.lower().split(","))
    return [name for name in named if name not in ("", "identity", "none")]


def read_step(stream: Readable, step: int = _STEP) -> bytes:
    """Read the next bytes of a stream; empty at its end."""
    try:
        return stream.read(step)
    except (OSError, ValueError, EOFError, zlib.error) as error:
        raise BadEncoding(f"broken encoding: {str(error).rpartition(': ')[2]}") from None


class _Inflating:
    """Reads gzip (of any number of members) or deflate."""

    def __init__(self, packed: Readable, *wbits: int) -> None:
        self._packed = packed
        self._wbits = list(wbits)
        self._inflater = zlib.decompressobj(self._wbits[0])
        self._held = b""
        self._begun = False

    def read(self, size: int) -> bytes:
        while not self._inflater.eof or self._has_another_member():
            data = self._held or self._packed.read(size)
            if not data and not self._begun:
                return b""
            part = self._inflate(data, size)
            if part:
                return part
            if not data and not self._inflater.eof:
                raise EOFError("cut short")
        return b""

    def _inflate(self, data: bytes, size: int) -> bytes:
        try:
            part = self._inflater.decompress(data, size)
        except zlib.error:
            # Servers send deflate with and without its zlib wrapping.
            if self._begun or len(self._wbits) < 2:
                raise
            self._wbits.pop(0)
            self._inflater = zlib.decompressobj(self._wbits[0])
            part = self._inflater.decompress(data, size)
        self._begun = True
        self._held = self._inflater.unused_data or self._inflater.unconsumed_tail
        return part

    def _has_another_member(self) -> bool:
        """Whether another gzip member follows; padding after the end is ignored."""
        if len(self._held) < 2:
            self._held += self._packed.read(_STEP)
        if self._wbits[0] < 31 or not self._held.startswith(b"\x1f\x8b"):
            return False
        self._inflater = zlib.decompressobj(self._wbits[0])
        return True


def _gzip(packed: Readable) -> Readable:
    return _Inflating(packed, 31)


def _deflate(packed: Readable) -> Readable:
    return _Inflating(packed, 15, -15)


def _fastwarc(name: str) -> Callable[[Readable], Readable]:
    def opened(packed: Readable) -> Readable:
        with warnings.catch_warnings():
            # Its import warns about deprecated names of its own.
            warnings.simplefilter("ignore", DeprecationWarning)
            from fastwarc import stream_io  # noqa: PLC0415 few servers pack so

        reader: Readable = getattr(stream_io, name)(packed)
        return reader

    return opened


_LAYERS: dict[str, Callable[[Readable], Readable]] = {
    "gzip": _gzip,
    "x-gzip": _gzip,
    "deflate": _deflate,
    "br": _fastwarc("BrotliReader"),
    "zstd": _fastwarc("ZstdReader"),
}
