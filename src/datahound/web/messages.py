"""HTTP messages: header fields, Content-Type, Content-Encoding, redirect statuses, open bodies."""

import io
import re
import warnings
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

SCHEME_HEADER = "X-Forwarded-Proto"
"""Names the scheme of the requested URL where the connection itself is not encrypted."""

_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029]+")
# Fields that are not joined where a server repeats them: the first value counts.
_FIRST_COUNTS = frozenset({"location", "content-length", "content-disposition", "etag"})
_MAX_LENGTH_DIGITS, _MAX_LENGTH = 18, 10**15  # longer lies would make totals overflow


def decode_header(data: bytes) -> str:
    """Header bytes as text: UTF-8, or else Latin-1, which decodes anything."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")


def parse_fields(text: str) -> dict[str, str]:
    r"""Named fields, one per line; names in lower case, repeated fields joined by a comma.

    >>> parse_fields("Vary: a\r\nvary: b\r\nX: 1\r\n 2")
    {'vary': 'a, b', 'x': '1 2'}
    """
    fields: dict[str, str] = {}
    name = ""
    for line in text.split("\n"):
        if line[:1] in (" ", "\t") and name:
            fields[name] += " " + line.strip(" \t\r")
            continue
        before, colon, value = line.partition(":")
        if not colon:
            continue
        name = before.strip(" \t").lower()
        value = value.strip(" \t\r")
        fields[name] = f"{fields[name]}, {value}" if name in fields else value
    return fields


def header_size(status: int, headers: Mapping[str, str]) -> int:
    """The bytes of a response's header block, as HTTP/1.1 would send it."""
    return (
        15 + sum(len(name) + len(value) + 4 for name, value in headers.items()) + len(str(status))
    )


def clean_headers(raw: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    r"""Lower-case names, values without control characters; repeated fields joined by a comma.

    >>> clean_headers([(b"Vary", b"a"), (b"VARY", b"b"), (b"X", b"1\x002")])
    {'vary': 'a, b', 'x': '1 2'}
    """
    headers: dict[str, str] = {}
    for raw_name, raw_value in raw:
        name = _CONTROLS.sub("", decode_header(raw_name)).strip().lower()
        value = _CONTROLS.sub(" ", decode_header(raw_value)).strip()
        known = headers.get(name)
        if known is None:
            headers[name] = value
        elif name not in _FIRST_COUNTS and value != known:
            headers[name] = f"{known}, {value}"
    return headers


def content_length(headers: Mapping[str, str]) -> int | None:
    """The length that a Content-Length promises, at most a petabyte; None without a valid one.

    >>> content_length({"content-length": "12"}), content_length({"content-length": "-1"})
    (12, None)
    """
    text = headers.get("content-length", "")
    is_number = text.isascii() and text.isdigit() and len(text) <= _MAX_LENGTH_DIGITS
    return min(int(text), _MAX_LENGTH) if is_number else None


_TOKEN = re.compile(r"[-!#$%&'*+.^_`|~A-Za-z0-9]+\Z")
_QUOTABLE = re.compile(r"[\t\x20-\x7e\x80-\xff]*\Z")
_PARAMETER = re.compile(
    r';[\n\r\t ]*([^;=]*)(?:=("(?:[^"\\]|\\.)*(?:"|\\?\Z)[^;]*|[^;]*))?', re.DOTALL
)
_LIST_ITEM = re.compile(r'(?:"(?:[^"\\]|\\.)*(?:"|\\?\Z)|[^",])+', re.DOTALL)
_SPACE = "\n\r\t "
_LONGEST_TYPE = 255  # RFC 6838, 4.2; longer ones would be shown wherever types are listed


@dataclass(frozen=True, slots=True)
class MimeType:
    """A MIME type: its essence, such as `text/csv`, and its parameters."""

    essence: str
    parameters: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.essence + "".join(f";{k}={_written(v)}" for k, v in self.parameters.items())


def parse_mime_type(value: str) -> MimeType | None:
    """Parse one MIME type; None if it is invalid.

    >>> str(parse_mime_type(' Text/HTML; Charset="utf-8"'))
    'text/html;charset=utf-8'
    """
    head, semicolon, rest = value.strip(_SPACE).partition(";")
    kind, slash, subtype = head.partition("/")
    subtype = subtype.rstrip(_SPACE)
    if not (slash and _TOKEN.match(kind) and _TOKEN.match(subtype)):
        return None
    parameters: dict[str, str] = {}
    for found in _PARAMETER.finditer(semicolon + rest):
        name, text = found[1].lower(), found[2]
        if text is None or name in parameters or not _TOKEN.match(name):
            continue
        content = _unquoted(text) if text[:1] == '"' else text.rstrip(_SPACE)
        if (content or text[:1] == '"') and _QUOTABLE.match(content):
            parameters[name] = content
    return MimeType(f"{kind}/{subtype}".lower(), parameters)


def parse_content_type(value: str) -> MimeType | None:
    """The MIME type of a Content-Type header, which servers may send several times.

    >>> str(parse_content_type("text/html;charset=gbk, text/html"))
    'text/html;charset=gbk'
    """
    charset, known = None, None
    for item in _LIST_ITEM.findall(value):
        found = parse_mime_type(item)
        if found is None or found.essence == "*/*" or len(found.essence) > _LONGEST_TYPE:
            continue
        if known is None or found.essence != known.essence:
            charset = found.parameters.get("charset")
        elif "charset" in found.parameters:
            charset = found.parameters["charset"]
        elif charset is not None:
            found.parameters["charset"] = charset
        known = found
    return known


def _unquoted(text: str) -> str:
    inside = re.match(r'"((?:[^"\\]|\\.)*)(\\?\Z)?', text, re.DOTALL)
    if inside is None:
        return ""
    return re.sub(r"\\(.)", r"\1", inside[1], flags=re.DOTALL) + (inside[2] or "")


def _written(value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return value if _TOKEN.match(value) else f'"{escaped}"'


_STEP, _WHOLE_STEP = 64 << 10, 1 << 20
_NO_LAYERS = frozenset({"", "identity", "none", "utf-8", "utf8", "binary", "8bit", "aws-chunked"})
_MAX_LAYERS = 3
_FREE_MEMBERS = 10_000
_MIN_MEMBER_BYTES = 16  # of a gzip member, decoded, on average after the first _FREE_MEMBERS


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
        stream = unpacking(io.BytesIO(payload), encodings, limit)
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
    is_cut = len(unpacked.body) > limit
    return Unpacked(unpacked.body[:limit], whole=False) if is_cut else unpacked


def unpacking(packed: Readable, encodings: str, limit: int | None = None) -> Readable:
    """A stream of the decoded bytes; reading it may raise `BadEncoding`.

    With a limit, only the last layer may decode to more bytes than that. Otherwise a few bytes,
    encoded several times, could take for ever to decode and bring nothing.
    """
    layers = layers_of(encodings)
    if len(layers) > _MAX_LAYERS:
        raise BadEncoding("encoded too many times")
    stream = packed
    for number, layer in enumerate(reversed(layers)):
        opened = _LAYERS.get(layer)
        if opened is None:
            raise BadEncoding(f"unknown encoding {layer[:20]!r}")
        stream = opened(_Counted(stream, limit) if number else stream)
    return stream


def layers_of(encodings: str) -> list[str]:
    """The encodings that a header names, without those that are none, such as charsets."""
    named = (name.strip() for name in encodings.lower().split(","))
    return [name for name in named if name not in _NO_LAYERS]


def can_unpack(encodings: Iterable[str]) -> bool:
    """Whether all of these encodings are known."""
    return all(encoding in _LAYERS for encoding in encodings)


def read_step(stream: Readable, step: int = _STEP) -> bytes:
    """Read the next bytes of a stream; empty at its end."""
    try:
        return stream.read(step)
    except (OSError, ValueError, EOFError, zlib.error) as error:
        raise BadEncoding(f"broken encoding: {str(error).rpartition(': ')[2]}") from None


class _Counted:
    """A stream that counts its bytes, and raises `BadEncoding` beyond a limit."""

    def __init__(self, stream: Readable, limit: int | None) -> None:
        self._stream, self._limit, self._read = stream, limit, 0

    def read(self, size: int) -> bytes:
        data = self._stream.read(size)
        self._read += len(data)
        if self._limit is not None and self._read > self._limit:
            raise BadEncoding("decodes to more than is allowed")
        return data

    def tell(self) -> int:
        return self._read  # brotli and zstd ask for it


class _Inflating:
    """Reads gzip (of any number of members) or deflate."""

    def __init__(self, packed: Readable, *wbits: int) -> None:
        self._packed, self._wbits = packed, list(wbits)
        self._inflater = zlib.decompressobj(self._wbits[0])
        self._held, self._begun = b"", False
        self._members, self._brought = 1, 0

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
        self._brought += len(part)
        self._held = self._inflater.unused_data or self._inflater.unconsumed_tail
        return part

    def _has_another_member(self) -> bool:
        """Whether another gzip member follows; padding after the end is ignored."""
        if len(self._held) < 2:
            self._held += self._packed.read(_STEP)
        if self._wbits[0] < 31 or not self._held.startswith(b"\x1f\x8b"):
            return False
        self._inflater = zlib.decompressobj(self._wbits[0])
        self._members += 1
        if self._members > _FREE_MEMBERS + self._brought // _MIN_MEMBER_BYTES:
            raise BadEncoding("too many empty parts")
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
            from fastwarc import stream_io  # noqa: PLC0415 few servers use these encodings

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


_REDIRECTS = frozenset({301, 302, 303, 307, 308})  # 300 offers a choice, 304 leads nowhere


def is_redirect(status: int) -> bool:
    """Whether an answer with this status is followed to its `Location`.

    >>> is_redirect(301), is_redirect(304), is_redirect(200)
    (True, False, False)
    """
    return status in _REDIRECTS


class NoAnswer(Exception):
    """A server gave no answer, or not all of it."""

    def __init__(
        self,
        reason: str,
        *,
        again: bool = True,
        reached: bool = True,
        secured: bool = True,
        asked: bool = True,
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.again = again
        """Whether a retry may succeed."""
        self.reached = reached
        """Whether a connection was made."""
        self.connected = reached and secured and asked
        """Whether a request was sent: a connection was allowed and made, and its TLS agreed on."""
        self.asked = asked
        """Whether a request was tried; False if a rule of ours forbids it."""


class Body(Protocol):
    """A body that is still to be read."""

    status: int
    headers: dict[str, str]

    def chunks(self) -> AsyncIterator[bytes]:
        """Its bytes in pieces; raises `NoAnswer` if the connection breaks."""
        ...

    def close(self) -> None: ...


OpenBody = Callable[[str, int, str], Awaitable[Body]]
"""Opens the body of a URL again, from a byte on if its validator still holds."""
