"""WARC records made by hand, so that anything can be wrong with them."""

import zlib

URL = "http://site.example/"
PAGE = b"HTTP/1.1 200 OK\r\n\r\nbody"


def make_record(block=PAGE, url=URL, kind="response", **fields) -> bytes:
    named = {"WARC-Type": kind, "WARC-Target-URI": url, "Content-Length": len(block)}
    named |= {name.replace("_", "-"): value for name, value in fields.items()}
    lines = "".join(f"{name}: {value}\r\n" for name, value in named.items())
    return f"WARC/1.0\r\n{lines}\r\n".encode() + block + b"\r\n\r\n"


def compress(data: bytes) -> bytes:
    """A gzip member."""
    return zlib.compress(data, wbits=31)
