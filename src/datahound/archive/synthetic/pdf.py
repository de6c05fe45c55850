"""A minimal writer of PDF files of an exact size."""

from collections.abc import Iterator
from itertools import islice

_LINES = 45
_PAGE_BYTES = 3_000
_MOST_PAGES = 30
_FONT = 3


def write_pdf(title: str, lines: Iterator[str], size: int) -> bytes:
    """A valid PDF of exactly this many bytes: pages of text, then a comment that fills it up."""
    pages = max(1, min(_MOST_PAGES, size // _PAGE_BYTES - 1))
    objects = _objects(title, lines, pages)
    body = b"%PDF-1.4\n"
    offsets = []
    for number, content in enumerate(objects, 1):
        offsets.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    count = len(objects) + 1
    end = b"xref\n0 %d\n0000000000 65535 f \n%s" % (count, table)
    end += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%%d\n%%%%%%%%EOF\n" % count
    return _padded(body, end, size)


def _objects(title: str, lines: Iterator[str], pages: int) -> list[bytes]:
    kids = " ".join(f"{_FONT + 1 + 2 * page} 0 R" for page in range(pages))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {pages} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>",
    ]
    for page in range(pages):
        text = [f"{title} ({page + 1})", "", *islice(lines, _LINES)]
        shown = "\n".join(f"({line}) Tj T*" for line in text)
        stream = f"BT /F1 11 Tf 50 780 Td 15 TL\n{shown}\nET".encode("ascii")
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents %d 0 R "
            b"/Resources << /Font << /F1 %d 0 R >> >> >>" % (_FONT + 2 + 2 * page, _FONT)
        )
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
    return objects


def _padded(body: bytes, end: bytes, size: int) -> bytes:
    """Body and end with a comment between; the end tells where it starts."""
    start = len(body)
    for _ in range(3):
        start = size - len(end % start)
    filler = start - len(body)
    lines, rest = divmod(filler, 80)
    padding = (b"%" + b" " * 78 + b"\n") * lines
    padding += b"%" + b" " * (rest - 2) + b"\n" if rest > 1 else b"\n" * rest
    return body + padding + end % start
